// Takes the pictures of the README from the running program.

import { testid } from '../src/lib/testids'
import { expectStack, Table } from '../e2e/table'
import { expect, phone, test } from '../e2e/test'

test('pictures', async ({ server, somebody }) => {
  const table = await Table.create(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  const ana = await table.seat('Ana')
  await table.do(
    { type: 'setOptions', title: 'Ambush at the ford' },
    { type: 'addCombatant', name: 'Mira', side: 'party', kind: 'pc', seat: ana.seat, init: 18, hp: 22, ac: 14, answers: ['shield', 'counterspell'] },
    { type: 'addCombatant', name: 'Toran', side: 'party', kind: 'pc', init: 7, hp: 31, ac: 18 },
    { type: 'addCombatant', name: 'Goblin', times: 2, init: 14, hp: 7, ac: 15 },
    { type: 'addCombatant', name: 'Shaman', init: 11, hp: 27, ac: 13, answers: ['counterspell'] },
  )
  const id = async (name: string) => (await table.combatant(name)).id
  const [mira, toran, goblin, other, shaman] = [await id('Mira'), await id('Toran'), await id('Goblin 1'), await id('Goblin 2'), await id('Shaman')]
  await table.do(
    { type: 'startCombat' },
    { type: 'act', combatant: mira, kind: 'attack', targets: [shaman], attack: { total: 17, damage: '9' } },
    { type: 'endTurn' },
    { type: 'endTurn' },
    { type: 'act', combatant: other, kind: 'attack', targets: [toran], attack: { total: 21, damage: '5' } },
    { type: 'endTurn' },
    { type: 'addEffect', combatants: [toran], name: 'restrained', source: shaman, until: { at: 'rounds', rounds: 2 } },
    { type: 'endTurn' },
    { type: 'endTurn' },
    { type: 'move', combatant: mira, feet: 30, leavesReachOf: [goblin] },
    { type: 'react', combatant: goblin, kind: 'opportunityAttack', targets: [mira], attack: { total: 17, damage: '6' } },
    { type: 'react', combatant: mira, kind: 'shield' },
  )
  const gm = await somebody({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' })
  await table.open(gm.page, 'gm')
  const player = await somebody({ ...phone, colorScheme: 'dark', deviceScaleFactor: 1.5 })
  await table.open(player.page, ana)
  for (const { page } of [gm, player]) await expectStack(page, mira, goblin, mira)
  // The question how to be called is not what the picture is about.
  await player.page.getByTestId(testid.callDone).click()
  await expect(gm.page.getByTestId(testid.log)).toContainText('Mira')
  await player.page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await gm.page.screenshot({ path: 'pictures/gm.png' })
  await player.page.screenshot({ path: 'pictures/phone.png' })
})
