import { testid } from '../src/lib/testids'
import { expectLive, expectTurn, quartet } from './table'
import { desk, expect, phone, test, type Page } from './test'

/** Notes what the page does to call somebody, and whether it is in sight. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: string[] = []
    Object.assign(window, { shown, hiddenNow: false, vibrated: 0, tones: 0 })
    Object.defineProperty(Document.prototype, 'visibilityState', { get: () => ((window as unknown as { hiddenNow: boolean }).hiddenNow ? 'hidden' : 'visible') })
    navigator.vibrate = () => { (window as unknown as { vibrated: number }).vibrated++; return true }
    class Shown {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      onclick = null
      constructor(readonly title: string, readonly options: NotificationOptions) { shown.push(`${title} · ${options.body} [${options.tag?.slice(0, 8)}]`) }
      close() { shown.push('closed') }
    }
    Object.assign(window, { Notification: Shown })
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (when) { (window as unknown as { tones: number }).tones++; start.call(this, when) }
  })
}
const read = <T>(page: Page, name: string) => page.evaluate((name) => (window as unknown as Record<string, T>)[name], name)

for (const [name, screen] of [['phone', phone], ['desk', desk]] as const) {
  test(`a player is called once for each turn and question: title, sound, vibration, notification (${name})`, async ({ server, somebody }) => {
    const { table, ana, bo, ash, birch } = await quartet(server, { reactionWindows: 'ask' })
    const { page } = await somebody(screen)
    await listen(page)
    await table.open(page, bo)
    await page.getByTestId(testid.callSound).click()
    await page.getByTestId(testid.callNotifications).click()
    await page.getByTestId(testid.callDone).click()
    await expect(page.getByTestId(testid.callCard)).toBeHidden()
    await expect(page).toHaveTitle(/^● You are next/)
    const before = await read<number>(page, 'tones')

    await page.evaluate(() => { (window as unknown as { hiddenNow: boolean }).hiddenNow = true })
    await table.do({ type: 'endTurn' })
    await expect(page).toHaveTitle(/^● Your turn/)
    await expect.poll(() => read<string[]>(page, 'shown')).toEqual(['Your turn · Birch · The bridge [riposte-]'])
    expect(await read<number>(page, 'tones')).toBe((before ?? 0) + 2)
    expect(await read<number>(page, 'vibrated')).toBeGreaterThan(0)
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/favicon-turn.svg')

    // Over: taken back. An update that changes nothing about it calls nobody.
    await table.do({ type: 'note', text: 'on' }, { type: 'endTurn' })
    await expect.poll(() => read<string[]>(page, 'shown')).toEqual(['Your turn · Birch · The bridge [riposte-]', 'closed'])
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/favicon.svg')

    // A page that is loaded again in the same turn, and a second one, call no second time.
    const other = await somebody(screen)
    await listen(other.page)
    await table.open(other.page, ana)
    await other.page.getByTestId(testid.callSound).click()
    await other.page.getByTestId(testid.callDone).click()
    await table.do({ type: 'endTurn' }, { type: 'endTurn' })
    await expectTurn(other.page, ash)
    await expect(other.page).toHaveTitle(/^● Your turn/)
    await other.page.reload()
    await expectLive(other.page)
    await expect(other.page).toHaveTitle(/^● Your turn/)
    await expect(other.page.getByTestId(testid.callCard)).toBeHidden()
    expect(await read<number>(other.page, 'tones')).toBe(0)
    expect(birch).not.toBe(ash)
  })

  test(`a player goes on at another device as the same player, and leaves (${name})`, async ({ server, somebody }) => {
    const { table, ana, ash, birch } = await quartet(server)
    const first = await somebody(screen)
    await table.open(first.page, ana)
    await first.page.getByTestId(testid.openSeatMenu).click()
    await first.page.getByTestId(testid.moveSeat).click()
    await expect(first.page.getByRole('img', { name: 'QR code: your seat' })).toBeVisible()
    const link = await first.page.getByTestId(testid.seatLink).inputValue()
    expect(new URL(link).hash).toBe(`#${ana.token}`)

    const second = await somebody(phone)
    await second.page.goto(link)
    await expectTurn(second.page, ash)
    await second.page.getByTestId(testid.endTurn).click()
    await expectTurn(first.page, birch)
    await second.page.reload()
    await expect(second.page.getByTestId(testid.openSeatMenu)).toContainText('Ana')
    await second.page.goto('/')
    await second.page.getByTestId(testid.backTo).click()
    await expectLive(second.page)
    await second.page.getByTestId(testid.openSeatMenu).click()
    await second.page.getByTestId(testid.leaveSeat).click()
    await second.page.getByTestId(testid.confirm).click()
    await expect(second.page.getByTestId(testid.create)).toBeVisible()
    await expect(second.page.getByTestId(testid.backTo)).toBeHidden()
    expect(Object.values((await table.view())['seats/' + ana.seat as `seats/${string}`]!)).toContain('Ana')
  })
}
