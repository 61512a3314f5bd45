import { testid } from '../src/lib/testids'
import { expectTurn, Table } from './table'
import { desk, expect, phone, test } from './test'

for (const screen of [phone, desk]) {
  test(`a spectator’s order follows the turn until the viewer scrolls, at ${screen.viewport!.width} px`, async ({ server, somebody }) => {
    const table = await Table.create(server)
    await table.do({ type: 'addCombatant', name: 'Goblin', times: 40, init: 10, hp: 7 }, { type: 'startCombat' })
    const order = (await table.view()).order!.map((slot) => slot.combatants[0]!)
    const { page } = await somebody(screen)
    await table.open(page, 'spectator')
    const row = (at: number) => page.getByTestId(testid.orderRow(order[at]!))
    const pane = page.getByTestId(testid.followPane)
    /** Whether a row is within the pane, which scrolls. */
    const inPane = (at: number) => row(at).evaluate((node) => {
      const [own, around] = [node.getBoundingClientRect(), node.closest('section')!.getBoundingClientRect()]
      return own.top >= around.top - 1 && own.bottom <= around.bottom + 1
    })
    await expect(page.getByTestId(testid.title)).toContainText('The bridge')
    await expect(page.getByTestId(testid.nowStrip)).toContainText('Round 1')

    for (const at of [30, 2, 39]) {
      await table.do({ type: 'setActive', combatant: order[at]! })
      await expectTurn(page, order[at]!)
      await expect.poll(() => inPane(at)).toBe(true)
    }
    await expect(page.getByTestId(testid.toTurn)).toBeHidden()

    // The viewer looks at the top: there it stays.
    await pane.evaluate((node) => { node.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 })); node.scrollTop = 0 })
    await expect(page.getByTestId(testid.toTurn)).toBeVisible()
    await table.do({ type: 'setActive', combatant: order[35]! })
    await expectTurn(page, order[35]!)
    expect(await inPane(0)).toBe(true)
    await page.getByTestId(testid.toTurn).click()
    await expect.poll(() => inPane(35)).toBe(true)
    await expect(page.getByTestId(testid.toTurn)).toBeHidden()
    await table.do({ type: 'setActive', combatant: order[3]! })
    await expect.poll(() => inPane(3)).toBe(true)
  })
}
