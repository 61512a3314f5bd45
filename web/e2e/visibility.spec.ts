// What players and spectators are not to see is not on their pages.

import { testid } from '../src/lib/testids'
import { expectTurn, quartet } from './table'
import { expect, phone, test } from './test'

test('counts that are not to be seen leave their places empty, and nothing else', async ({ server, somebody }) => {
  const { table, ana, ash, cedar } = await quartet(server)
  await table.do(
    { type: 'setOptions', options: { npcCount: 'no', npcHp: 'none', spectatorCount: 'no' } },
    { type: 'addEffect', combatants: [cedar], name: 'prone' },
    { type: 'setSight', combatants: [cedar], audience: 'spectators', conditions: 'no' },
  )
  const [player, watcher] = [await somebody(phone), await somebody(phone)]
  await table.open(player.page, ana)
  await table.open(watcher.page, 'spectator')
  const row = (page: typeof player.page, id: string) => page.getByTestId(testid.orderRow(id))
  await expect(row(player.page, ash)).toContainText('18')
  await expect(row(player.page, cedar).locator('.count')).toHaveText('')
  await expect(row(player.page, cedar)).toContainText('Prone')
  await expect(row(watcher.page, ash).locator('.count')).toHaveText('')
  await expect(row(watcher.page, cedar)).not.toContainText('Prone')
  await expect(watcher.page.getByTestId(testid.order)).not.toContainText('NaN')
})

test('somebody hidden until it acts appears with what it does', async ({ server, somebody }) => {
  const { table, ana, ash, cedar } = await quartet(server)
  await table.do({ type: 'setHidden', combatants: [cedar], hidden: true, from: 'players', untilAct: true }, { type: 'setActive', combatant: cedar })
  const [player, watcher] = [await somebody(phone), await somebody(phone)]
  await table.open(player.page, ana)
  await table.open(watcher.page, 'spectator')
  await expectTurn(watcher.page, cedar)
  await expectTurn(player.page, ash)
  await expect(player.page.getByTestId(testid.orderRow(cedar))).toHaveCount(0)
  await table.do({ type: 'act', combatant: cedar, kind: 'dodge' })
  await expectTurn(player.page, cedar)
})
