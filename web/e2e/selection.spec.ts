// What the game master does to one, to several, to many of a kind.

import { testid } from '../src/lib/testids'
import { stopTime } from './clockwork'
import { expectTurn, quartet, Table } from './table'
import { expect, phone, test, type Page } from './test'

const screens = [['a desk', undefined], ['a phone', phone]] as const

async function goblins(table: Table): Promise<string[]> {
  await table.do({ type: 'addCombatant', name: 'Goblin', times: 5, init: 14, hp: 30 }, { type: 'addCombatant', name: 'Ash', side: 'party', kind: 'pc', init: 10, hp: 24 })
  return Promise.all([1, 2, 3, 4, 5].map(async (n) => (await table.combatant(`Goblin ${n}`)).id))
}
const hp = async (table: Table, name: string) => (await table.combatant(name)).hp!.current

for (const [name, screen] of screens) {
  test(`a fireball: damage to a group, half to those who saved, taken back at once, on ${name}`, async ({ server, somebody }) => {
    const table = await Table.create(server)
    const ids = await goblins(table)
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    await page.getByTestId(testid.groupRow).getByRole('checkbox').check()
    await expect(page.getByTestId(testid.selection)).toContainText('5 selected')
    await page.getByTestId(testid.hpInput).fill('28')
    await page.getByTestId(testid.half(ids[1]!)).click()
    await page.getByTestId(testid.half(ids[3]!)).click()
    await expect(page.getByTestId('hp-preview')).toHaveText('28 damage to 3 creatures · 14 damage to 2 creatures')
    await page.getByTestId('hp-hurt').click()
    await expect.poll(() => hp(table, 'Goblin 1')).toBe(2)
    expect(await Promise.all([2, 3, 4, 5].map((n) => hp(table, `Goblin ${n}`)))).toEqual([16, 2, 16, 2])
    await expect(page.getByTestId(testid.hpInput)).toHaveValue('')
    await expect(page.getByTestId(testid.pip(ids[0]!))).toHaveAccessibleName(/2\/30/)
    await page.getByTestId(testid.undo).click()
    await expect.poll(() => hp(table, 'Goblin 2')).toBe(30)
    expect(await hp(table, 'Goblin 1')).toBe(30)
  })

  test(`a condition with its end in two taps, and off again, on ${name}`, async ({ server, somebody }) => {
    const { table, birch, cedar, dune } = await quartet(server)
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    await page.getByTestId(testid.select(cedar)).check()
    await page.getByTestId(testid.select(dune)).check()
    await page.getByTestId(testid.openEffects).click()
    await page.getByTestId('effect-ends').selectOption('turnEnd')
    await page.getByTestId('effect-of').selectOption(birch)
    await page.getByTestId('put-prone').click()
    await expect(page.getByTestId('put-prone')).toHaveAttribute('aria-pressed', 'true')
    for (const id of [cedar, dune]) await expect(page.getByTestId(testid.orderRow(id))).toContainText('Prone')
    const effects = Object.entries(await table.view()).filter(([key]) => key.startsWith('effects/')).map(([, value]) => value)
    expect(effects).toHaveLength(2)
    for (const effect of effects) expect(effect).toMatchObject({ name: 'prone', ends: { at: 'turnEnd', of: birch } })
    await page.getByTestId('put-prone').click()
    await expect(page.getByTestId(testid.orderRow(dune))).not.toContainText('Prone')
    // What the rules know brings its numbers.
    await page.getByTestId('put-hasted').click()
    await expect(page.getByTestId(testid.orderRow(dune))).toContainText('15')
    await page.getByTestId('effect-own').fill('Marked')
    await page.getByTestId('effect-own').press('Enter')
    await expect(page.getByTestId(testid.orderRow(cedar))).toContainText('Marked')
  })

  test(`a group's count is typed once for all, on ${name}`, async ({ server, somebody }) => {
    const table = await Table.create(server, { '5e.group': 'individual' })
    const ids = await goblins(table)
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    const field = page.getByTestId(testid.groupRow).getByRole('textbox')
    await field.fill('7')
    await field.press('Enter')
    for (const n of [1, 5]) await expect.poll(async () => (await table.combatant(`Goblin ${n}`)).initiative).toBe(7)
    await table.do({ type: 'startCombat' })
    await expect(page.getByTestId(testid.groupRow).locator('xpath=ancestor::ol')).toHaveCount(1)
    await field.fill('20')
    await field.press('Enter')
    await expect.poll(async () => (await table.view()).order!.map((slot) => slot.combatants[0])).toEqual([...ids, (await table.combatant('Ash')).id])
    // It was one step.
    await page.getByTestId(testid.undo).click()
    for (const n of [1, 5]) await expect.poll(async () => (await table.combatant(`Goblin ${n}`)).initiative).toBe(7)
  })
}

test('what the page does keeps the focus where it was', async ({ server, somebody }) => {
  const { table, cedar } = await quartet(server, {}, false)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByTestId(testid.select(cedar)).check()
  await page.getByTestId(testid.hide).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId(testid.reveal)).toBeFocused()
  await page.getByTestId(testid.defeat).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId(testid.restore)).toBeFocused()
  await page.keyboard.press('Enter')
  // The fight begins: the button that began it gives way to Next.
  await page.getByTestId(testid.startCombat).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId(testid.next)).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('footer') !== null)).toBe(true)
  // Another GM takes out what is selected, and with it the button that has the focus.
  await page.getByTestId(testid.edit).focus()
  await table.do({ type: 'removeCombatant', combatants: [cedar] })
  await expect(page.getByTestId(testid.selection)).toBeHidden()
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
})

test('a count that is being typed stays, with its caret, when updates move its row (B81)', async ({ server, somebody }) => {
  const { table, ash, cedar, dune } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  const field = page.getByTestId(testid.initiative(dune))
  await field.focus()
  await field.press('ControlOrMeta+a')
  await page.keyboard.press('1')
  await table.do({ type: 'reorder', order: [dune, cedar] }, { type: 'damage', combatants: [ash], amount: 3 }, { type: 'reorder', order: [dune, ash] })
  await expect(page.getByTestId(testid.orderRow(ash))).toContainText('21')
  await expect.poll(() => page.locator('[data-testid^="order-row-"]').first().getAttribute('data-testid')).toBe(testid.orderRow(dune))
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('1')
  expect((await table.combatant('Dune')).initiative).toBe(9)
  await page.keyboard.press('7')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await table.combatant('Dune')).initiative).toBe(17)
})

async function tops(page: Page): Promise<{ sheet: number; screen: number }> {
  return page.getByTestId(testid.selection).evaluate((node) => ({ sheet: node.getBoundingClientRect().top, screen: innerHeight }))
}

for (const [width, height] of [[390, 844], [320, 640]] as const) {
  test(`the sheet leaves the list in sight at ${width} px, and what it has is in reach`, async ({ server, somebody }) => {
    const { table, ash, cedar, dune } = await quartet(server)
    const { page } = await somebody({ ...phone, viewport: { width, height } })
    await page.clock.install()
    await table.open(page, 'gm')
    await expectTurn(page, ash)
    // For the page no time passes while a row is tapped, however slow the machine is: it is not held, and not dragged.
    const tapRow = async (id: string, name: string) => {
      await stopTime(page)
      await page.getByTestId(testid.orderRow(id)).getByRole('button', { name }).tap()
      await page.clock.resume()
    }
    await tapRow(cedar, 'Cedar')
    await expect.poll(async () => {
      const { sheet, screen } = await tops(page)
      return (screen - sheet) / screen
    }).toBeLessThan(0.45)
    // A tap does not raise the keyboard over the list.
    await expect(page.getByTestId(testid.hpInput)).not.toBeFocused()
    for (const id of [testid.hpInput, 'hp-hurt', 'hp-heal', 'hp-temp', testid.openEffects, testid.hide, testid.moreTools, testid.next, testid.undo]) {
      await expect(page.getByTestId(id), id).toBeInViewport({ ratio: 0.99 })
    }
    await page.getByTestId(testid.several).tap()
    await tapRow(dune, 'Dune')
    await expect(page.getByTestId(testid.selection)).toContainText('2 selected')
    await page.getByTestId(testid.moreTools).tap()
    await expect(page.getByTestId(testid.remove)).toBeVisible()
    await page.getByTestId(testid.clearSelection).tap()
    await expect(page.getByTestId(testid.selection)).toBeHidden()
  })
}

test('three tabs on a phone, and the question over all of them', async ({ server, somebody }) => {
  const { table, ash, cedar } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  const { page } = await somebody(phone)
  await table.open(page, 'gm')
  await expect(page.getByTestId(testid.stack)).toBeHidden()
  await page.getByTestId(testid.tab('now')).tap()
  await expect(page.getByTestId(testid.stack)).toBeVisible()
  await expect(page.getByTestId(testid.order)).toBeHidden()
  await page.getByTestId(testid.tab('log')).tap()
  await expect(page.getByTestId(testid.log)).toBeVisible()
  await table.do({ type: 'move', combatant: ash, feet: 10, leavesReachOf: [cedar] })
  await expect(page.getByTestId(testid.window)).toBeInViewport()
  await page.getByTestId(testid.declineButton).tap()
  await expect(page.getByTestId(testid.window)).toBeHidden()
  await page.getByTestId(testid.openMenu).tap()
  await page.getByTestId(testid.endCombat).tap()
  await page.getByTestId(testid.confirm).tap()
  await expect(page.getByTestId(testid.startCombat)).toBeVisible()
  await page.getByTestId(testid.undo).tap()
  await expectTurn(page, ash)
})
