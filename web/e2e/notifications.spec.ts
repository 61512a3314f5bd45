// What the device itself shows while the page is out of sight: through the
// service worker, in a browser that really has notifications.

import { testid } from '../src/lib/testids'
import { Link } from './link'
import { decided } from './senses'
import { expectLive, expectTurn, quartet } from './table'
import { expect, phone, test, type Page } from './test'
import { clickNotification, installed } from './worker'

/** The page can be put out of sight, and says so. */
async function hideable(page: Page): Promise<(hidden: boolean) => Promise<void>> {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'visibilityState', { get: () => ('hiddenNow' in window && window.hiddenNow ? 'hidden' : 'visible') })
  })
  return (hidden) => page.evaluate((hidden) => {
    Object.assign(window, { hiddenNow: hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

/** What the device shows of this site. */
const shown = (page: Page) => page.evaluate(async () => {
  const all = await (await navigator.serviceWorker.getRegistration())!.getNotifications()
  return all.map(({ title, body }) => `${title} · ${body}`)
})

test('out of sight a player is called by the device, once for each event, until it is over; a click leads to the page', async ({ server, somebody }) => {
  const { table, bo, ash, birch, cedar } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  const { page } = await somebody({ ...phone, serviceWorkers: 'allow' })
  await page.context().grantPermissions(['notifications'])
  const hide = await hideable(page)
  await table.open(page, bo)
  await installed(page)
  await page.getByTestId(testid.callNotifications).click()
  await page.getByTestId(testid.callDone).click()
  expect(await shown(page)).toEqual([])

  await hide(true)
  await table.do({ type: 'endTurn' })
  await expect.poll(() => shown(page)).toEqual(['Your turn · Birch · The bridge'])
  // What changes nothing about it calls nobody again.
  await table.do({ type: 'note', text: 'on' }, { type: 'damage', combatants: [birch], amount: 3 })
  await expect(page.getByTestId(testid.character(birch))).toContainText('21/24')
  await decided(page, table.encounter.id)
  expect(await shown(page)).toEqual(['Your turn · Birch · The bridge'])
  // Over: it is taken back. A question that nobody answers any more is, too.
  await table.do({ type: 'endTurn' })
  await expect.poll(() => shown(page)).toEqual([])
  await table.do({ type: 'move', combatant: cedar, feet: 10, leavesReachOf: [birch] })
  await expect.poll(() => shown(page)).toEqual(['You may react · Birch · The bridge'])

  // A click: the page that called comes to the front, not another one of this site.
  const start = await page.context().newPage()
  await start.goto('/')
  expect(await clickNotification(page)).toEqual({ focused: [page.url()], opened: [] })
  await expect.poll(() => shown(page)).toEqual([])

  // In sight there is nothing to be shown by the device.
  await hide(false)
  const { window } = await table.view()
  await table.do({ type: 'decline', combatant: birch, window: window!.window }, { type: 'setActive', combatant: ash }, { type: 'setActive', combatant: birch })
  await expectTurn(page, birch)
  await expect(page).toHaveTitle(/^● Your turn/)
  await decided(page, table.encounter.id)
  expect(await shown(page)).toEqual([])

  // A page that is no more is opened again.
  await hide(true)
  await table.do({ type: 'setActive', combatant: ash }, { type: 'setActive', combatant: birch })
  await expect.poll(() => shown(page)).toHaveLength(1)
  const address = page.url()
  await page.close({ runBeforeUnload: false })
  expect(await clickNotification(start)).toEqual({ focused: [], opened: [address] })
  await expectLive(await reopened(start, address))
})

/** Takes away by hand what the device shows. */
const swipeAway = (page: Page) => page.evaluate(async () => {
  for (const one of await (await navigator.serviceWorker.getRegistration())!.getNotifications()) one.close()
})

/** A player who is called by the device while the page is out of sight. */
async function calledByDevice(page: Page): Promise<void> {
  await installed(page)
  await page.getByTestId(testid.callNotifications).click()
  await page.getByTestId(testid.callDone).click()
}

test('what was called for is not called for again by a line that is back, nor by a server that is', async ({ server, somebody }) => {
  const link = await Link.to(server)
  const { table, bo, birch } = await quartet(server)
  const { page } = await somebody({ ...phone, serviceWorkers: 'allow' })
  await page.context().grantPermissions(['notifications'])
  const hide = await hideable(page)
  await page.goto(table.link(bo).replace(server.url, link.url))
  await expectLive(page)
  await calledByDevice(page)
  await hide(true)
  await table.do({ type: 'endTurn' })
  await expect.poll(() => shown(page)).toEqual(['Your turn · Birch · The bridge'])
  await swipeAway(page)
  await expect.poll(() => shown(page)).toEqual([])

  const connection = page.getByTestId(testid.connection)
  let hp = 24
  for (const cut of [
    async () => link.restore(),
    async () => { await server.kill(); await expect(connection).not.toHaveAttribute('data-status', 'live'); await server.start() },
  ]) {
    const lost = page.waitForEvent('websocket')
    await cut()
    await lost
    await expectLive(page)
    // What comes afterwards is shown by the same line.
    await table.do({ type: 'damage', combatants: [birch], amount: 1 })
    await expect(page.getByTestId(testid.character(birch))).toContainText(`${--hp}/24`)
    await expect(page).toHaveTitle(/^● Your turn/)
    await decided(page, table.encounter.id)
    expect(await shown(page)).toEqual([])
  }
  // The next event is called for.
  await table.do({ type: 'endTurn' }, { type: 'setActive', combatant: birch })
  await expect.poll(() => shown(page)).toEqual(['Your turn · Birch · The bridge'])
  await link.close()
})

test('a notification names nobody whom the seat may not see', async ({ server, somebody }) => {
  const { table, bo, birch, cedar } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  await table.do(
    { type: 'editCombatant', combatant: birch, answers: ['shield'] },
    { type: 'addCombatant', name: 'Shade', hidden: true, side: 'foes', init: 17, hp: 30, ac: 12 },
  )
  const shade = (await table.combatant('Shade')).id
  const { page, wire } = await somebody({ ...phone, serviceWorkers: 'allow' })
  await page.context().grantPermissions(['notifications'])
  // All that is asked of the device, also what is taken back at once.
  await page.addInitScript(() => {
    const asked: string[] = []
    Object.assign(window, { asked })
    const show = ServiceWorkerRegistration.prototype.showNotification
    ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
      asked.push(JSON.stringify({ title, ...options }))
      return show.call(this, title, options)
    }
  })
  const hide = await hideable(page)
  await table.open(page, bo)
  await calledByDevice(page)
  await hide(true)
  const asked = () => page.evaluate(() => (window as unknown as { asked: string[] }).asked.map((one) => JSON.parse(one) as { title: string; body: string }).map(({ title, body }) => `${title} · ${body}`))

  // It acts unseen before Birch; it strikes Birch unseen, who is asked; it is broken into.
  await table.do({ type: 'setActive', combatant: shade })
  await table.do({ type: 'act', combatant: shade, kind: 'attack', targets: [birch], attack: { total: 16, damage: '4' } })
  await expect.poll(asked).toContain('You may react · Birch · The bridge')
  await table.do({ type: 'closeWindow', window: (await table.view()).window!.window })
  await table.do({ type: 'endTurn', combatant: shade })
  await expect.poll(asked).toContain('Your turn · Birch · The bridge')
  await table.do({ type: 'move', combatant: birch, feet: 10, leavesReachOf: [shade] })
  await table.do({ type: 'closeWindow', window: (await table.view()).window!.window })
  await table.do({ type: 'setActive', combatant: cedar })
  await expectTurn(page, cedar)
  await decided(page, table.encounter.id)
  const all = await page.evaluate(() => (window as unknown as { asked: string[] }).asked)
  for (const word of ['Shade', shade]) expect(all.join()).not.toContain(word)
  await wire.expectNever('Shade', shade)
})

test('a notification takes the place of the one before, of the same seat alone', async ({ server, somebody }) => {
  const { table, ana, bo, ash, birch, cedar } = await quartet(server, {}, false)
  await table.do({ type: 'setInitiative', combatant: ash, count: 14, base: 18 })
  const { page } = await somebody({ ...phone, serviceWorkers: 'allow' })
  await page.context().grantPermissions(['notifications'])
  const other = await page.context().newPage()
  const hides = [await hideable(page), await hideable(other)]
  await table.open(page, bo)
  await calledByDevice(page)
  await table.open(other, ana)
  for (const hide of hides) await hide(true)
  await table.do({ type: 'startCombat' })
  const both = async () => (await shown(page)).sort()
  await expect.poll(both).toEqual(['You are next · Ash · The bridge', 'Your turn · Birch · The bridge'])
  await table.do({ type: 'endTurn', combatant: birch })
  await expect.poll(both).toEqual(['Your turn · Ash · The bridge'])
  await table.do({ type: 'setActive', combatant: cedar })
  await expect.poll(both).toEqual([])
})

/** What a browser does with the address that it was given. */
async function reopened(start: Page, address: string): Promise<Page> {
  const page = await start.context().newPage()
  await page.goto(address)
  return page
}
