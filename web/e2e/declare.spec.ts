// Declaring a round under Lights & Shadows: counts are the server's, plans are
// secret until all are in, held actions wait for all to see.

import { testid } from '../src/lib/testids'
import { expectTurn, Table } from './table'
import { expect, phone, test } from './test'

test('a round is declared in secret, then played, held and taken (LS-01, LS-17)', async ({ server, somebody }) => {
  const table = await Table.create(server, {}, 'lights-and-shadows')
  const ana = await table.seat('Ana')
  await table.do(
    { type: 'addCombatant', name: 'Ash', kind: 'pc', seat: ana.seat, stats: { score: 15, 'weapon.sword.first': -1, 'weapon.sword.next': -6 } },
    { type: 'addCombatant', name: 'Dune', side: 'foes', stats: { score: 12, 'weapon.bow.first': -2, 'weapon.bow.next': -5 } },
    { type: 'addCombatant', name: 'Cedar', side: 'foes', stats: { score: 1, 'weapon.maul.first': -2, 'weapon.maul.next': -6 } },
    { type: 'startCombat' },
  )
  const [ash, dune, cedar] = [await table.combatant('Ash'), await table.combatant('Dune'), await table.combatant('Cedar')]
  const [gm, player, public_] = [await somebody(), await somebody(phone), await somebody()]
  await table.open(gm.page, 'gm')
  await table.open(player.page, ana)
  await table.open(public_.page, 'spectator')

  // What is chosen is sent as a draft and comes back with its counts.
  const plan = player.page.getByTestId(testid.plan(ash.id))
  for (const n of [1, 2, 3]) {
    await player.page.getByTestId(`declare-${ash.id}-sword`).click()
    await expect(plan.locator('li')).toHaveCount(n)
  }
  await expect(plan.locator('.count')).toHaveText(['14', '8', '2'])
  await plan.getByRole('button', { name: 'Remove sword' }).last().click()
  await expect(plan.locator('li')).toHaveCount(2)
  await player.page.getByTestId(`declare-${ash.id}-other`).selectOption('openDoor')
  await expect(plan.locator('li')).toHaveCount(3)
  await plan.getByRole('button', { name: 'Open a door: earlier' }).click()
  await expect(plan.locator('.count')).toHaveText(['14', '9', '3'])
  await player.page.getByTestId(testid.declareSend(ash.id)).click()

  // The others see that, not what.
  await expect(public_.page.getByTestId(testid.orderRow(ash.id))).toContainText('has declared')
  await expect(public_.page.getByTestId(testid.orderRow(dune.id))).toContainText('has not declared yet')
  await expect(public_.page.getByText('sword')).toHaveCount(0)
  await expect(gm.page.getByTestId(testid.declared(ash.id))).toHaveAttribute('data-declared', 'true')
  await player.page.getByTestId(testid.withdraw(ash.id)).click()
  await expect(public_.page.getByTestId(testid.orderRow(ash.id))).toContainText('has not declared yet')
  await player.page.getByTestId(testid.declareSend(ash.id)).click()

  // An action that gives no slot is marked before it is declared.
  await gm.page.getByTestId(`declare-${cedar.id}-maul`).click()
  await expect(gm.page.getByTestId(testid.plan(cedar.id))).toContainText('lost: below zero')
  await gm.page.getByTestId(testid.declareSend(cedar.id)).click()
  await gm.page.getByTestId(`declare-${dune.id}-bow`).click()
  await expect(gm.page.getByTestId(testid.plan(dune.id)).locator('.count')).toHaveText(['10'])
  await gm.page.getByTestId(testid.declareSend(dune.id)).click()

  await expect(player.page.getByTestId(testid.myTurn)).toBeVisible()
  await expect(public_.page.getByText('sword')).not.toHaveCount(0)
  await player.page.getByTestId(testid.hold).click()
  await expectTurn(gm.page, dune.id)
  await expect(public_.page.getByTestId(testid.orderRow(ash.id)).first()).toContainText('delays')
  await player.page.getByTestId(testid.take).click()
  await gm.page.getByTestId(testid.pass).click()
  await expect(player.page.getByTestId(testid.myTurn)).toBeVisible()
  expect((await table.view()).encounter!.count).toBe(10)
  await player.page.getByTestId(testid.pass).click()
  await expect(player.page.getByTestId(testid.myTurn)).toBeVisible()
  expect((await table.view()).encounter!.count).toBe(5)
  await player.page.getByTestId(testid.pass).click()
  await expect(player.page.getByTestId(testid.declare)).toBeVisible()
  expect((await table.view()).encounter!.round).toBe(2)
})
