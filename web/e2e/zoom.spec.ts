// A screen of 1280 by 800 at 200 %: nothing sticks out, and a whole fight is
// run on it.

import { testid } from '../src/lib/testids'
import { expectStack, expectTurn, quartet } from './table'
import { expect, test, type Page } from './test'

const zoomed = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }

/** Nothing can be scrolled sideways, neither the page nor what lies over it. */
async function expectNoSideways(page: Page, when: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => [document.documentElement, ...document.querySelectorAll('dialog[open], dialog[open] .sheet-body, footer, main')]
    .filter((one) => one.scrollWidth > one.clientWidth).map((one) => `${one.tagName} ${one.className}`)), `${when}: sticks out`).toEqual([])
}

test('at 200 % a whole fight is run by the game master, played and watched', async ({ server, somebody }) => {
  const { table, ana, ash, cedar, dune } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0', turnSeconds: '3600' }, false)
  const [gm, player, spectator] = [await somebody(zoomed), await somebody(zoomed), await somebody(zoomed)]
  await table.open(gm.page, 'gm')
  await table.open(player.page, ana)
  await table.open(spectator.page, 'spectator')
  const everybody = async (when: string, check: (page: Page) => Promise<void>) => {
    for (const { page } of [gm, player, spectator]) {
      await check(page)
      await expectNoSideways(page, when)
    }
  }

  await gm.page.getByTestId(testid.quickAdd).fill('Goblin x4 init+2 hp7 ac15')
  await gm.page.getByTestId(testid.quickAddButton).click()
  await expect(gm.page.getByTestId(testid.groupRow)).toBeVisible()
  await gm.page.getByTestId(testid.groupRow).getByRole('textbox').fill('1')
  await gm.page.getByTestId(testid.groupRow).getByRole('textbox').press('Enter')
  await gm.page.getByTestId(testid.startCombat).click()
  await everybody('Ash acts', (page) => expectTurn(page, ash))
  await gm.page.getByTestId(testid.select(ash)).check()
  await gm.page.getByTestId(testid.moreTools).click()
  await expectNoSideways(gm.page, 'what can be done to somebody')
  await gm.page.getByTestId(testid.clearSelection).click()

  await player.page.getByTestId(testid.move).click()
  await expect(player.page.getByTestId('move-dialog')).toBeVisible()
  await expectNoSideways(player.page, 'the form of a move')
  await player.page.getByTestId(testid.target(cedar)).click()
  await player.page.getByTestId('move-send').click()
  await everybody('Cedar is asked', (page) => expect(page.getByTestId(testid.window)).toBeVisible())
  const asked = gm.page.locator(`[data-testid="${testid.reactPrompt}"][data-combatant="${cedar}"]`)
  await asked.getByTestId(testid.reactButton).click()
  await gm.page.getByTestId('attack-mode-total').click()
  await gm.page.getByTestId('attack-total').fill('17')
  await gm.page.getByTestId('attack-damage').fill('5')
  await gm.page.getByTestId('deed-done').uncheck()
  await expectNoSideways(gm.page, 'the form of a reaction')
  await gm.page.getByTestId(testid.deedSend).click()
  await everybody('Cedar breaks in', (page) => expectStack(page, ash, cedar))
  // Ash's own answer, under the thumb.
  await player.page.getByTestId(testid.window).getByTestId(testid.reactButton).click()
  await everybody('Ash has answered', (page) => expect(page.getByTestId(testid.window)).toBeHidden())
  await gm.page.getByTestId(testid.next).click()
  await everybody('Ash goes on', (page) => expectStack(page, ash))
  await expect(player.page.getByTestId(testid.character(ash))).toContainText('24/24')

  await player.page.getByTestId(testid.action('dodge')).click()
  await everybody('Ash dodges', (page) => expect(page.getByTestId(testid.orderRow(ash))).toContainText('Dodging'))
  await player.page.getByTestId(testid.endTurn).click()
  await expect(player.page.getByTestId(testid.endTurn)).toBeHidden()

  await gm.page.getByTestId(testid.select(dune)).check()
  await gm.page.getByTestId(testid.hpInput).fill('12')
  await gm.page.getByTestId(testid.hpInput).press('Enter')
  await expect(gm.page.getByTestId(testid.orderRow(dune))).toContainText('18')
  await gm.page.getByTestId(testid.openEffects).click()
  await gm.page.getByTestId('put-prone').click()
  await everybody('Dune lies on the ground', (page) => expect(page.getByTestId(testid.orderRow(dune))).toContainText('Prone'))
  await gm.page.getByTestId(testid.undo).click()
  await expect(gm.page.getByTestId(testid.orderRow(dune))).not.toContainText('Prone')
  await gm.page.getByTestId(testid.clearSelection).click()

  // Round after round with one button; the log and what happens now are a tab away.
  for (let round = (await table.view()).encounter!.round; round < 2; round = (await table.view()).encounter!.round) {
    const { frame } = (await table.view()).stack![0]!
    await gm.page.getByTestId(testid.next).click()
    await expect.poll(async () => (await table.view()).stack?.[0]?.frame).not.toBe(frame)
  }
  for (const tab of ['now', 'log', 'order'] as const) {
    await gm.page.getByTestId(testid.tab(tab)).click()
    await expectNoSideways(gm.page, `the tab ${tab}`)
  }
  await gm.page.getByTestId(testid.openMenu).click()
  await gm.page.getByTestId(testid.endCombat).click()
  await gm.page.getByTestId(testid.confirm).click()
  await everybody('it is over', (page) => expect(page.getByTestId(testid.stack)).toBeHidden())
})
