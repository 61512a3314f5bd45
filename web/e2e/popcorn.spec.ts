// A rule system the browser client knows nothing of, not even a word: it offers
// what the server offers, and says it as well as it can.

import { testid } from '../src/lib/testids'
import { expectTurn, Table } from './table'
import { expect, phone, test, type Page } from './test'

/** Whoever acts on this page names the next, and so ends the turn. */
async function handOver(page: Page, next: string): Promise<void> {
  const button = page.getByTestId(testid.action('handOver'))
  await expect(button).toBeAttached()
  // It is no usual action, so it stands under "More".
  if (!(await button.isVisible())) await page.getByText('More actions').click()
  await expect(button).toHaveText('Hand over')
  await button.click()
  await page.getByTestId(testid.target(next)).click()
  await page.getByTestId(testid.deedSend).click()
  await expect(page.getByTestId(testid.deedDialog)).toBeHidden()
}

test('two rounds of popcorn initiative, with the ordinary buttons', async ({ server, somebody }) => {
  const table = await Table.create(server, {}, 'popcorn')
  const ana = await table.seat('Ana')
  await table.do(
    { type: 'addCombatant', name: 'Ash', side: 'party', kind: 'pc', seat: ana.seat, hp: 24 },
    { type: 'addCombatant', name: 'Cedar', side: 'foes', hp: 30 },
    { type: 'addCombatant', name: 'Dune', side: 'foes', hp: 30 },
  )
  const [ash, cedar, dune] = [(await table.combatant('Ash')).id, (await table.combatant('Cedar')).id, (await table.combatant('Dune')).id]
  const [gm, player] = [await somebody(), await somebody(phone)]
  await table.open(gm.page, 'gm')
  await table.open(player.page, ana)
  const both = (check: (page: Page) => Promise<void>) => Promise.all([gm.page, player.page].map(check))

  await gm.page.getByTestId(testid.startCombat).click()
  for (const [round, who, next] of [
    ['1', ash, dune], ['1', dune, cedar], ['1', cedar, dune],
    ['2', dune, ash], ['2', ash, cedar], ['2', cedar, ash],
  ] as const) {
    await both(async (page) => {
      await expectTurn(page, who)
      await expect(page.getByTestId(testid.round)).toContainText(round)
    })
    // Nobody but the game master may act for another.
    if (who !== ash) await expect(player.page.getByTestId(testid.action('handOver'))).toHaveCount(0)
    await handOver(who === ash ? player.page : gm.page, next)
  }
  await both(async (page) => {
    await expectTurn(page, ash)
    await expect(page.getByTestId(testid.round)).toContainText('3')
  })
  await expect(gm.page.getByTestId(testid.log).getByText('hand over', { exact: false })).not.toHaveCount(0)
})
