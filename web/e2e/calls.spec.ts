import { testid } from '../src/lib/testids'
import { decided, hide, listen, noted } from './senses'
import { expectLive, expectTurn, quartet } from './table'
import { desk, expect, phone, test } from './test'

for (const [name, screen] of [['phone', phone], ['desk', desk]] as const) {
  test(`a player is called once for each turn and question: title, sound, vibration, notification (${name})`, async ({ server, somebody }) => {
    const { table, ana, bo, ash, birch } = await quartet(server, { reactionWindows: 'ask' })
    const { page } = await somebody(screen)
    await listen(page)
    await table.open(page, bo)
    const shown = async () => (await noted(page)).shown
    await expect(page).toHaveTitle(/^● You are next/)
    // Before there is a sound to it.
    await decided(page, table.encounter.id)
    await page.getByTestId(testid.callSound).click()
    await page.getByTestId(testid.callNotifications).click()
    await page.getByTestId(testid.callDone).click()
    await expect(page.getByTestId(testid.callCard)).toBeHidden()
    // What was chosen is heard once.
    await expect.poll(async () => (await noted(page)).tones).toBe(2)

    await hide(page, true)
    await table.do({ type: 'endTurn' })
    await expect(page).toHaveTitle(/^● Your turn/)
    await expect.poll(shown).toEqual(['Your turn · Birch · The bridge [riposte-]'])
    await expect.poll(async () => (await noted(page)).tones).toBe(4)
    expect((await noted(page)).vibrated).toBeGreaterThan(0)
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/favicon-turn.svg')

    // Over: taken back. An update that changes nothing about it calls nobody.
    await table.do({ type: 'note', text: 'on' }, { type: 'endTurn' })
    await expect.poll(shown).toEqual(['Your turn · Birch · The bridge [riposte-]', 'closed'])
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
    await decided(other.page, table.encounter.id)
    await other.page.reload()
    await expectLive(other.page)
    await expect(other.page).toHaveTitle(/^● Your turn/)
    await expect(other.page.getByTestId(testid.callCard)).toBeHidden()
    await decided(other.page, table.encounter.id)
    expect((await noted(other.page)).tones).toBe(0)
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
    // Nothing of it is kept, not even by the page that was left.
    expect(await second.page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(ana.token)
    expect(Object.values((await table.view())['seats/' + ana.seat as `seats/${string}`]!)).toContain('Ana')
  })
}
