// Rows of the order are put elsewhere: by mouse, by touch, by keys, by buttons.

import { testid } from '../src/lib/testids'
import { Finger, middle } from './gestures'
import { expectLive, expectOrder, expectTurn, quartet, Table } from './table'
import { expect, phone, test, type Page } from './test'

const lifted = (page: Page, id: string) => page.locator('li.lifted', { has: page.getByTestId(testid.orderRow(id)) })

test('a row is dragged by its handle, and Escape puts it back', async ({ server, somebody }) => {
  const { table, ash, birch, dune } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await expectTurn(page, ash)
  const from = await middle(page.getByTestId(testid.grip(dune)))
  const to = await middle(page.getByTestId(testid.orderRow(birch)))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y - 4, { steps: 6 })
  await expect(lifted(page, dune)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(lifted(page, dune)).toHaveCount(0)
  await page.mouse.up()
  await expectOrder(page, '18 Ash', '15 Birch', '12 Cedar', '9 Dune')

  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y - 4, { steps: 6 })
  await page.mouse.up()
  await expectOrder(page, '18 Ash', '9 Dune', '15 Birch', '12 Cedar')
  await expectTurn(page, ash)
})

test('a row that is held is dragged by touch, and a finger that moves at once scrolls', async ({ server, somebody }) => {
  const { table, birch, cedar, dune } = await quartet(server)
  await table.do({ type: 'importCombatants', combatants: Array.from({ length: 12 }, (_, i) => ({ name: `Extra ${String.fromCharCode(65 + i)}`, side: 'foes', init: 8 - i / 4 })) })
  const { page } = await somebody(phone)
  await page.clock.install()
  await table.open(page, 'gm')
  const finger = await Finger.of(page)
  await expect(page.getByTestId(testid.orderRow(dune))).toBeVisible()

  // For the page no time passes while the finger moves, however slow the machine is: it is not held still.
  await page.clock.pauseAt(Date.now() + 60_000)
  const start = await middle(page.getByTestId(testid.orderRow(dune)))
  // It glides on after the finger has left it.
  const glide = await page.evaluateHandle(() => {
    const glide = { over: false }
    addEventListener('scrollend', () => (glide.over = true), { once: true })
    return glide
  })
  await finger.down(start)
  await finger.move(start, { x: start.x, y: start.y - 260 })
  await page.clock.runFor(1_000)
  await expect(page.locator('li.lifted')).toHaveCount(0)
  await finger.up()
  await expect.poll(() => glide.evaluate(({ over }) => over), 'the page has scrolled and come to rest').toBe(true)
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100)
  await page.clock.resume()
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  // A minute has passed for the page, in which it heard nothing.
  await expectLive(page)

  const from = await middle(page.getByTestId(testid.orderRow(cedar)))
  const to = await middle(page.getByTestId(testid.orderRow(birch)))
  await finger.down(from)
  await expect(lifted(page, cedar)).toHaveCount(1)
  await finger.move(from, { x: to.x, y: to.y - 10 })
  await finger.up()
  await expect.poll(() => names(table)).toEqual(['Ash', 'Cedar', 'Birch', 'Dune'])
  expect(await page.evaluate(() => scrollY)).toBe(0)
  // A drag is no tap.
  await expect(page.getByTestId(testid.selection)).toBeHidden()
})

async function names(table: Table): Promise<string[]> {
  const view = await table.view()
  return view.order!.map((slot) => view[`combatants/${slot.combatants[0]!}`]!.name).slice(0, 4)
}

test('a row is moved by keys alone, which is said aloud, and its focus is not lost', async ({ server, somebody }) => {
  const { table, ash, dune } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await expectTurn(page, ash)
  await page.keyboard.press('k')
  const row = page.getByTestId(testid.orderRow(dune)).getByRole('button', { name: 'Dune' })
  await expect(row).toBeFocused()
  await page.keyboard.press('m')
  await expect(page.getByTestId(testid.moveSaid)).toHaveText(/Dune: place 4 of 4/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByTestId(testid.moveSaid)).toHaveText(/Dune: place 2 of 4/)
  await expectOrder(page, '18 Ash', '9 Dune', '15 Birch', '12 Cedar')
  await expect(row).toBeFocused()
  // Nothing has been sent, and another's change does not end it.
  expect(await names(table)).toEqual(['Ash', 'Birch', 'Cedar', 'Dune'])
  await table.do({ type: 'damage', combatants: [ash], amount: 1 })
  await page.keyboard.press('Escape')
  await expectOrder(page, '18 Ash', '15 Birch', '12 Cedar', '9 Dune')

  await page.keyboard.press('m')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expectOrder(page, '9 Dune', '18 Ash', '15 Birch', '12 Cedar')
  expect(await names(table)).toEqual(['Dune', 'Ash', 'Birch', 'Cedar'])
  await expect(row).toBeFocused()
})

for (const [name, screen] of [['a desk', undefined], ['a phone', phone]] as const) {
  test(`buttons move the selected rows on ${name}, and keep the focus at the end of the way`, async ({ server, somebody }) => {
    const { table, cedar } = await quartet(server)
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    await page.getByTestId(testid.select(cedar)).check()
    if (screen) await page.getByTestId(testid.moreTools).click()
    const up = page.getByTestId(testid.moveUp)
    await up.focus()
    await page.keyboard.press('Enter')
    await expectOrder(page, '18 Ash', '12 Cedar', '15 Birch', '9 Dune')
    await page.keyboard.press('Enter')
    await expectOrder(page, '12 Cedar', '18 Ash', '15 Birch', '9 Dune')
    await expect(up).toHaveAttribute('aria-disabled', 'true')
    await expect(up).toBeFocused()
  })
}

test('a closed group moves as one, and others step over it at once', async ({ server, somebody }) => {
  const table = await Table.create(server)
  await table.do(
    { type: 'addCombatant', name: 'Ash', side: 'party', kind: 'pc', init: 18, hp: 24 },
    { type: 'addCombatant', name: 'Goblin', times: 4, init: 12, hp: 7 },
    { type: 'addCombatant', name: 'Dune', side: 'foes', init: 9, hp: 30 },
    { type: 'startCombat' },
  )
  const dune = (await table.combatant('Dune')).id
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByTestId(testid.select(dune)).check()
  await page.getByTestId(testid.moveUp).click()
  const order = async () => {
    const view = await table.view()
    return view.order!.flatMap((slot) => slot.combatants.map((id) => view[`combatants/${id}`]!.name))
  }
  await expect.poll(order).toEqual(['Ash', 'Dune', 'Goblin 1', 'Goblin 2', 'Goblin 3', 'Goblin 4'])
  await expect(page.locator('[data-key]').last().getByTestId(testid.groupRow)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await page.keyboard.press('m')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect.poll(order).toEqual(['Goblin 1', 'Goblin 2', 'Goblin 3', 'Goblin 4', 'Ash', 'Dune'])
  // Who acts has a row of its own, and the group says so.
  const [acts, waits] = [(await table.combatant('Goblin 2')).id, (await table.combatant('Goblin 3')).id]
  await table.do({ type: 'setActive', combatant: acts })
  await expect(page.getByTestId(testid.pip(acts))).toHaveAccessibleName(/^Goblin 2, has a row of its own below/)
  await expect(page.getByTestId(testid.orderRow(acts))).toBeVisible()
  await expect(page.getByTestId(testid.pip(waits))).not.toHaveAccessibleName(/row of its own/)
  // Put elsewhere, it is not listed with them at all.
  await table.do({ type: 'reorder', order: [(await table.combatant('Goblin 1')).id, waits, (await table.combatant('Goblin 4')).id, (await table.combatant('Ash')).id, acts] })
  await expect.poll(order).toEqual(['Goblin 1', 'Goblin 3', 'Goblin 4', 'Ash', 'Goblin 2', 'Dune'])
  await expect(page.getByTestId(testid.groupRow)).toBeHidden()
})
