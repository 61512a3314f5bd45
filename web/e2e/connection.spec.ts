import type { Locator } from '@playwright/test'
import { testid } from '../src/lib/testids'
import { Link } from './link'
import { expectLive, expectTurn, quartet, type Quartet } from './table'
import { expect, phone, test } from './test'

/** How often events of a type are in the log. */
async function happened({ table }: Quartet, type: string): Promise<number> {
  return (await table.log()).filter((entry) => entry.event.type === type).length
}

test('what is clicked while the network is silent happens once, and the page says that it waits (B52)', async ({ server, somebody }) => {
  const link = await Link.to(server)
  const four = await quartet(server)
  const { page } = await somebody(phone)
  await page.goto(four.table.link(four.ana).replace(server.url, link.url))
  await expectLive(page)

  link.silence()
  await page.getByTestId(testid.action('dodge')).click()
  // It is on its way: a second click, or ending the turn, must wait for it.
  for (const id of [testid.action('dodge'), testid.endTurn]) {
    await expect(page.getByTestId(id)).toHaveAttribute('aria-disabled', 'true')
    await page.getByTestId(id).click({ force: true })
  }
  await expect(page.getByTestId(testid.connection)).not.toHaveAttribute('data-status', 'live')
  await expect(page.getByTestId(testid.endTurn)).toHaveAttribute('aria-disabled', 'true')
  // What says so hides neither whose turn it is nor what is to be pressed.
  const said = page.locator('.strip p')
  await expect(said).toBeVisible()
  const box = async (of: Locator) => (await of.boundingBox())!
  const [strip, now, end] = [await box(said), await box(page.getByTestId(testid.nowStrip)), await box(page.getByTestId(testid.endTurn))]
  expect(strip.y).toBeGreaterThanOrEqual(now.y + now.height)
  expect(strip.y + strip.height).toBeLessThanOrEqual(end.y)

  link.restore()
  await expectLive(page)
  await expect(page.getByTestId(testid.orderRow(four.ash))).toContainText('Dodging')
  expect(await happened(four, 'acted')).toBe(1)
  expect(await happened(four, 'turnEnded')).toBe(0)
  await page.getByTestId(testid.endTurn).click()
  await expectTurn(page, four.birch)
  await link.close()
})

test('a page that missed something shows it by itself once the network is back (B51)', async ({ server, somebody }) => {
  const link = await Link.to(server)
  const four = await quartet(server)
  const { page } = await somebody(phone)
  await page.goto(four.table.link(four.bo).replace(server.url, link.url))
  await expectTurn(page, four.ash)

  link.silence()
  await four.table.do({ type: 'damage', combatants: [four.birch], amount: 7 }, { type: 'endTurn' })
  await expect(page.getByTestId(testid.connection)).not.toHaveAttribute('data-status', 'live')
  link.restore()
  await expectTurn(page, four.birch)
  await expect(page.getByTestId(testid.character(four.birch))).toContainText('17/24')
  await page.getByTestId(testid.endTurn).click()
  await expectTurn(page, four.cedar)
  await link.close()
})

test('two tabs, a reload and another device are one player (B54)', async ({ server, somebody }) => {
  const { table, ana, ash, birch } = await quartet(server)
  const gm = await somebody()
  await table.open(gm.page, 'gm')
  const here = gm.page.getByTestId(testid.openSeats)
  const first = await somebody(phone)
  await table.open(first.page, ana)
  await expect(here).toContainText('1/2')
  const second = await first.page.context().newPage()
  await table.open(second, ana)
  const device = await somebody()
  await table.open(device.page, ana)
  for (const page of [first.page, second, device.page]) await expectTurn(page, ash)
  await second.reload()
  await second.close()
  await device.page.getByTestId(testid.endTurn).click()
  await expectTurn(first.page, birch)
  await expectTurn(gm.page, birch)
  await expect(here).toContainText('1/2')
  expect((await table.log()).filter(({ event }) => event.type === 'seatAdded')).toHaveLength(2)
})

test('a line that died while the page slept is replaced when it wakes up, without a reload (B59)', async ({ server, somebody }) => {
  const link = await Link.to(server)
  const four = await quartet(server)
  const { page } = await somebody(phone)
  await page.goto(four.table.link(four.bo).replace(server.url, link.url))
  await expectTurn(page, four.ash)
  await page.evaluate(() => { document.title = 'the same page' })

  link.silence()
  await four.table.do({ type: 'endTurn' })
  link.revive()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expectTurn(page, four.birch)
  await expectLive(page)
  await page.getByTestId(testid.endTurn).click()
  await expectTurn(page, four.cedar)
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
  await link.close()
})

test('a server that answers and cannot say what is the last is not called live', async ({ server, somebody }) => {
  const four = await quartet(server)
  const { page } = await somebody(phone)
  let cutOff = false
  await page.routeWebSocket('**/ws', (ws) => {
    const there = ws.connectToServer()
    ws.onMessage((message) => there.send(message))
    // As at an instance that nothing reaches from the one that decides.
    there.onMessage((message) => { if (!cutOff || /^{"type":"pong"/.test(String(message))) ws.send(message) })
  })
  await four.table.open(page, four.ana)
  cutOff = true
  await expect(page.getByTestId(testid.connection)).toHaveAttribute('data-status', 'stale')
  await expect(page.getByTestId(testid.endTurn)).toHaveAttribute('aria-disabled', 'true')
  cutOff = false
  await expectLive(page)
  await page.getByTestId(testid.endTurn).click()
  await expectTurn(page, four.birch)
})

test('what was sent before a reload and not answered happens once', async ({ server, somebody }) => {
  const four = await quartet(server)
  const { page } = await somebody(phone)
  let deaf = true
  await page.routeWebSocket('**/ws', (ws) => {
    const there = ws.connectToServer()
    ws.onMessage((message) => there.send(message))
    // What is said reaches the server, and no answer comes back.
    there.onMessage((message) => { if (!deaf || !/"type":"(ack|update)"/.test(String(message))) ws.send(message) })
  })
  await four.table.open(page, four.ana)
  await page.getByTestId(testid.action('dodge')).click()
  await expect.poll(() => happened(four, 'acted')).toBe(1)
  await expect(page.getByTestId(testid.action('dodge'))).toHaveAttribute('aria-disabled', 'true')

  deaf = false
  await page.reload()
  await expectLive(page)
  await expect(page.getByTestId(testid.orderRow(four.ash))).toContainText('Dodging')
  await expect(page.getByTestId(testid.endTurn)).toHaveAttribute('aria-disabled', 'false')
  expect(await happened(four, 'acted')).toBe(1)
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('unanswered')))).toEqual([])
})

for (const reload of [true, false]) {
  test(`a game master whose new link was lost on the way gets it after all (${reload ? 'after a reload' : 'on the same page'})`, async ({ server, somebody }) => {
    const { table } = await quartet(server)
    const { page } = await somebody()
    let deaf = false
    await page.routeWebSocket('**/ws', (ws) => {
      const there = ws.connectToServer()
      ws.onMessage((message) => there.send(message))
      there.onMessage((message) => { if (!deaf || !/"type":"(ack|update)"/.test(String(message))) ws.send(message) })
      if (reload) there.onClose(() => { if (!deaf) void ws.close() })
    })
    await table.open(page, 'gm')
    const old = new URL(page.url()).hash
    deaf = true
    await page.getByTestId(testid.openShare).click()
    await page.getByTestId(testid.replaceLink('gm')).click()
    await page.getByTestId(testid.confirm).click()
    await expect.poll(() => table.send({ type: 'startCombat' })).toBe('unauthorized')
    deaf = false
    if (reload) await page.reload()
    await expect.poll(() => new URL(page.url()).hash).not.toBe(old)
    await expectLive(page)
    await expect(page.getByTestId(testid.gm)).toBeVisible()
    await page.goto('/')
    await page.getByTestId(testid.backTo).click()
    await expectLive(page)
  })
}
