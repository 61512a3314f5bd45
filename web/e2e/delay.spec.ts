// Spectators are as far behind as the GM says.

import { testid } from '../src/lib/testids'
import { expectTurn, quartet } from './table'
import { expect, phone, test } from './test'

test('delayed spectators, and the GM who sees as one, see what was; without the delay what is', async ({ server, somebody }) => {
  const { table, ana, ash, birch } = await quartet(server)
  const [spectator, player, gm] = [await somebody(), await somebody(phone), await somebody()]
  await table.open(spectator.page, 'spectator')
  await expectTurn(spectator.page, ash)
  // The longest delay: no machine is slow enough for it to pass.
  await table.do({ type: 'setOptions', options: { spectatorDelay: '300' } }, { type: 'endTurn', combatant: ash })
  await table.open(player.page, ana)
  await expectTurn(player.page, birch)
  await expectTurn(spectator.page, ash)
  // It says how far behind it is, as soon as it is, whatever the option it still shows.
  await expect(spectator.page.getByTestId(testid.connection)).toHaveText(/live, \d+ s later/)
  // Whoever comes now sees no more.
  await spectator.page.reload()
  await expectTurn(spectator.page, ash)
  await table.open(gm.page, 'gm')
  await gm.page.getByTestId(testid.openSeeAs).click()
  await gm.page.getByTestId(testid.seeAsChoice('spectator')).click()
  const seen = gm.page.getByTestId(testid.seen)
  await expect(seen.locator(`[data-testid="${testid.orderRow(ash)}"][data-current="true"]`)).toHaveCount(1)
  await table.do({ type: 'setOptions', options: { spectatorDelay: '0' } })
  await expectTurn(spectator.page, birch)
  await expect(seen.locator(`[data-testid="${testid.orderRow(birch)}"][data-current="true"]`)).toHaveCount(1)
})
