// What the device itself shows while the page is out of sight: through the
// service worker, in a browser that really has notifications.

import { testid } from '../src/lib/testids'
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
  expect(await shown(page)).toEqual([])

  // In sight there is nothing to be shown by the device.
  await hide(false)
  const { window } = await table.view()
  await table.do({ type: 'decline', combatant: birch, window: window!.window }, { type: 'setActive', combatant: ash }, { type: 'setActive', combatant: birch })
  await expectTurn(page, birch)
  await expect(page).toHaveTitle(/^● Your turn/)
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

/** What a browser does with the address that it was given. */
async function reopened(start: Page, address: string): Promise<Page> {
  const page = await start.context().newPage()
  await page.goto(address)
  return page
}
