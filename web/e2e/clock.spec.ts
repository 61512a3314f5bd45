// Clocks show the server's time whatever the device's own clock says, and are
// right at once when a device wakes up.

import { testid } from '../src/lib/testids'
import { stopTime } from './clockwork'
import { Link } from './link'
import { decided, hide, listen, noted } from './senses'
import type { Server } from './server'
import { expectLive, expectStack, expectTurn, quartet } from './table'
import { expect, phone, test, type Page } from './test'

/** The page's device has a clock that is wrong by so many milliseconds. */
async function wrongClock(page: Page, shift: number): Promise<void> {
  await page.addInitScript((shift) => {
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...args: unknown[]) {
        super(...((args.length ? args : [Real.now() + shift]) as [number]))
      }
      static override now() {
        return Real.now() + shift
      }
    } as DateConstructor
  }, shift)
}

/** What a clock shows, in milliseconds; it shows started seconds. */
async function shown(page: Page, within: string): Promise<number> {
  const text = await page.getByTestId(within).getByTestId(testid.clock).first().locator('.num').innerText()
  const parts = text.match(/\d+/g)?.map(Number) ?? []
  return (parts.length > 1 ? parts[0]! * 60 + parts[1]! : (parts[0] ?? NaN)) * 1000
}

/** Waits until a clock shows what is left until a moment of the server. */
async function expectLeft(page: Page, within: string, deadline: number): Promise<void> {
  await expect
    .poll(async () => {
      const before = deadline - Date.now()
      const left = await shown(page, within)
      const after = deadline - Date.now()
      return left >= after - 1000 && left <= before + 2000
    })
    .toBe(true)
}

test('a device five minutes off shows the same seconds as all others, for the turn and for a question (B58)', async ({ server, somebody }) => {
  const { table, ana, bo, ash, cedar } = await quartet(server, { turnSeconds: '3600', reactionWindows: 'ask', reactionSeconds: '600' })
  await table.do({ type: 'setActive', combatant: cedar })
  const people = [
    { who: await somebody(), role: 'gm', shift: 300_000, query: '', turn: testid.gm, question: testid.window },
    { who: await somebody(phone), role: ana, shift: -300_000, query: '', turn: testid.nowStrip, question: testid.window },
    { who: await somebody(phone), role: bo, shift: 300_000, query: '', turn: testid.nowStrip, question: testid.window },
    { who: await somebody(), role: 'spectator', shift: -300_000, query: '', turn: testid.nowStrip, question: testid.window },
    { who: await somebody(), role: 'spectator', shift: 300_000, query: 'overlay', turn: testid.overlay, question: '' },
  ] as const
  for (const { who, role, shift, query } of people) {
    await wrongClock(who.page, shift)
    await table.open(who.page, role, query)
  }
  const { deadline } = (await table.view()).turn!
  for (const { who, turn } of people) await expectLeft(who.page, turn, deadline!)

  await table.do({ type: 'act', combatant: cedar, kind: 'attack', targets: [ash], attack: { total: 17, damage: '5' } })
  const asked = (await table.view()).window!.deadline!
  for (const { who, question } of people) {
    if (question) await expectLeft(who.page, question, asked)
  }
  // The turn's clock is held meanwhile.
  await expect(people[3].who.page.getByTestId(testid.nowStrip).getByTestId(testid.clock)).toContainText('waits')
})

test('near its end a clock is urgent by more than a colour, and is read out to nobody each second', async ({ server, somebody }) => {
  const { table, ana } = await quartet(server, { turnSeconds: '3600' })
  const [calm, pressed] = [await somebody(phone), await somebody(phone)]
  // To one of the two there are eight seconds left of the hour.
  await pressed.page.routeWebSocket(/\/ws$/, (browser) => {
    browser.connectToServer().onMessage((message) => {
      browser.send(String(message).replace(/"deadline":(\d+)/g, (_, deadline) => `"deadline":${Number(deadline) - 3_592_000}`))
    })
  })
  const signs: string[] = []
  for (const [who, urgent] of [[calm, 'false'], [pressed, 'true']] as const) {
    await table.open(who.page, ana)
    const clock = who.page.getByTestId(testid.nowStrip).getByTestId(testid.clock)
    await expect(clock).toHaveAttribute('data-urgent', urgent)
    await expect(clock).toHaveAttribute('role', 'timer')
    await expect(clock).not.toHaveAttribute('aria-live', /polite|assertive/)
    signs.push((await clock.locator('path').first().getAttribute('d'))!)
  }
  expect(signs[0]).not.toBe(signs[1])
})

/** Ana's page, of which no timer runs any more, with its line cut; then her turn ends. Only waking up can help it. */
async function asleep(server: Server, page: Page) {
  const link = await Link.to(server)
  const { table, ana, ash, birch } = await quartet(server, { turnSeconds: '3600' })
  await page.clock.install()
  await page.goto(table.link(ana).replace(server.url, link.url))
  await expectLive(page)
  await expectTurn(page, ash)
  await stopTime(page)
  link.strand()
  await table.do({ type: 'endTurn' })
  return { page, link, table, birch }
}

test('a device that slept with its line cut is right at once when it wakes (B55, B59)', async ({ server, somebody }) => {
  const { page, link, table, birch } = await asleep(server, (await somebody(phone)).page)
  const { deadline } = (await table.view()).turn!
  const slept = Date.now()
  await page.clock.setSystemTime(Date.now() + 3_600_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expectTurn(page, birch)
  await expectLive(page)
  const left = await shown(page, testid.nowStrip)
  expect(left).toBeLessThanOrEqual(deadline! - slept + 1000)
  expect(left).toBeGreaterThanOrEqual(deadline! - Date.now() - 1000)
  await link.close()
})

test('a page that comes out of a freeze onto a dead line asks, and opens another', async ({ server, somebody }) => {
  const { page, link, birch } = await asleep(server, (await somebody(phone)).page)
  await page.evaluate(() => document.dispatchEvent(new Event('resume')))
  // The answer is waited for a second, or four times as long as answers took before, which a slow machine makes more.
  const now = page.locator(`[data-testid="${testid.orderRow(birch)}"][data-current="true"]`)
  await expect.poll(async () => {
    await page.clock.runFor(500)
    return now.count()
  }).toBe(1)
  await expectTurn(page, birch)
  await page.getByTestId(testid.react).waitFor()
  await link.close()
})

for (const inSight of [true, false]) {
  test(`a device that slept through turns and an interrupt calls for what is now, once, when it wakes ${inSight ? 'in the hand' : 'in the pocket'}`, async ({ server, somebody }) => {
    const link = await Link.to(server)
    const { table, bo, ash, birch, cedar } = await quartet(server, { turnSeconds: '3600' })
    const { page } = await somebody(phone)
    await listen(page)
    await page.clock.install()
    await page.goto(table.link(bo).replace(server.url, link.url))
    await expectTurn(page, ash)
    await expect(page).toHaveTitle(/^● You are next/)
    await decided(page, table.encounter.id)
    await page.getByTestId(testid.callSound).click()
    await page.getByTestId(testid.callNotifications).click()
    await page.getByTestId(testid.callDone).click()
    await expect.poll(async () => (await noted(page)).tones).toBe(2)

    await hide(page, true)
    await stopTime(page)
    link.strand()
    // Birch's turn comes and goes; Cedar's is broken into, and goes on; the round ends, and it is Birch's turn again.
    await table.do(
      { type: 'endTurn', combatant: ash }, { type: 'endTurn', combatant: birch },
      { type: 'react', combatant: ash, kind: 'other', name: 'Roar' }, { type: 'endTurn', combatant: ash },
      { type: 'endTurn', combatant: cedar }, { type: 'endTurn' }, { type: 'endTurn', combatant: ash },
    )
    const { combatant, round, deadline } = (await table.view()).turn!
    expect([combatant, round]).toEqual([birch, 2])

    const slept = Date.now()
    await page.clock.setSystemTime(slept + 3_600_000)
    if (inSight) await hide(page, false)
    // In the pocket nobody says that it woke: its own timers run again.
    else await page.clock.runFor(1_000)
    await expectTurn(page, birch)
    await expectLive(page)
    await expectStack(page, birch)
    const left = await shown(page, testid.nowStrip)
    expect(left).toBeLessThanOrEqual(deadline! - slept + 1000)
    expect(left).toBeGreaterThanOrEqual(deadline! - Date.now() - 1000)
    await expect(page).toHaveTitle(/^● Your turn/)
    await decided(page, table.encounter.id)
    const calls = await noted(page)
    expect(calls.tones).toBe(2 + 2)
    expect(calls.shown).toEqual(inSight ? [] : ['Your turn · Birch · The bridge [riposte-]'])
    await expect(page.getByTestId(testid.announcerNow)).toHaveText(/Birch/)
    await expect(page.getByTestId(testid.notices)).toBeEmpty()
    await link.close()
  })
}
