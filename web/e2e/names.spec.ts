import { testid } from '../src/lib/testids'
import { Table } from './table'
import { expect, phone, test, type Page } from './test'

const script = '<img src=x onerror="window.__x=1">'
const attribute = '" autofocus onfocus="window.__x=1'
const long = 'W'.repeat(80)
const many = 'The very old and very tired king under the hill of Hoo'
const arabic = 'محارب الظل القديم'
const family = '👩‍👩‍👧‍👦 🧙‍♂️ Ælfrēd'
const names = [script, attribute, long, many, arabic, family]

/** Nothing sticks out to the side. */
async function expectNoSideways(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
}

/** No script that somebody put into a name has run. */
async function expectNoScript(page: Page): Promise<void> {
  expect(await page.evaluate(() => (window as { __x?: unknown }).__x)).toBeUndefined()
}

/** A table at which everybody has a difficult name, in the middle of a question about an attack. */
async function difficultTable(server: Parameters<typeof Table.create>[0]) {
  const table = await Table.create(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  const seat = await table.seat(script)
  for (const [i, name] of names.entries()) {
    await table.do({ type: 'addCombatant', name, side: 'party', kind: 'pc', init: 20 - i, hp: 24, ac: 15, answers: ['shield'], ...(i < 2 ? { seat: seat.seat } : {}) })
  }
  await table.do({ type: 'addCombatant', name: `${script} 2`, side: 'foes', init: 5, hp: 9, notes: script })
  const id = async (name: string) => (await table.combatant(name)).id
  const [first, second, foe] = [await id(script), await id(attribute), await id(`${script} 2`)]
  await table.do(
    { type: 'startCombat' },
    { type: 'addEffect', combatants: [first], name: script },
    { type: 'say', text: script },
    { type: 'move', combatant: first, feet: 10, leavesReachOf: [foe], position: script },
  )
  return { table, seat, first, second, foe }
}

test('names are text, letter for letter, wherever they stand (B62)', async ({ server, somebody }) => {
  const { table, seat, first, second, foe } = await difficultTable(server)
  const [gm, player, spectator] = [await somebody(), await somebody(phone), await somebody()]
  await table.open(gm.page, 'gm')
  await table.open(player.page, seat)
  await table.open(spectator.page, 'spectator')
  for (const { page } of [gm, player, spectator]) {
    for (const name of names) await expect(page.getByTestId(testid.order).getByText(name, { exact: true }).first()).toBeVisible()
    await expect(page.getByTestId(testid.stack)).toContainText(script)
    await expect(page.getByTestId(testid.window)).toContainText(script)
  }

  await test.step('the game master opens everything that shows a name', async () => {
    const { page } = gm
    await page.getByTestId(testid.select(first)).check()
    await expect(page.getByTestId(testid.selection)).toContainText(script)
    await page.getByTestId(testid.edit).click()
    await expect(page.getByTestId('sheet-name')).toHaveValue(script)
    await page.keyboard.press('Escape')
    await page.getByTestId(testid.openEffects).click()
    await page.getByTestId(testid.addEffect).click()
    await expect(page.getByTestId(testid.effectDialog)).toContainText(script)
    await page.keyboard.press('Escape')
    await page.getByTestId(testid.select(first)).uncheck()
    await page.getByTestId(testid.select(second)).check()
    await page.getByTestId(testid.edit).click()
    await expect(page.getByTestId('sheet-name')).toHaveValue(attribute)
    await page.keyboard.press('Escape')
    await page.getByTestId(testid.openSeats).click()
    await expect(page.getByTestId(testid.seats).getByRole('heading', { name: script })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.locator(`[data-testid="${testid.reactPrompt}"][data-combatant="${foe}"]`).getByTestId(testid.reactButton).click()
    await expect(page.getByTestId(testid.deedDialog)).toContainText(script)
    await page.keyboard.press('Escape')
    await page.getByTestId(testid.closeWindow).click()
    await expect(page.getByTestId(testid.window)).toBeHidden()
  })
  await player.page.getByTestId(testid.move).click()
  await expect(player.page.getByTestId(testid.target(foe))).toHaveText(`${script} 2`)
  for (const { page } of [gm, player, spectator]) await expectNoScript(page)
})

for (const width of [320, 768, 1920]) {
  test(`long names leave the buttons in reach at ${width} px (B60)`, async ({ server, somebody }) => {
    const { table, seat, first } = await difficultTable(server)
    const screen = { viewport: { width, height: 800 } }
    for (const role of ['gm', seat, 'spectator'] as const) {
      const { page } = await somebody(screen)
      await table.open(page, role)
      await expect(page.getByTestId(testid.order).getByText(long, { exact: true })).toBeVisible()
      await expectNoSideways(page)
      const hp = page.getByTestId(testid.orderRow(first)).getByText('24')
      await hp.first().scrollIntoViewIfNeeded()
      await expect(hp.first()).toBeInViewport({ ratio: 1 })
      if (role === 'gm') {
        await page.getByTestId(testid.select(first)).check()
        await expectNoSideways(page)
        // Its question must be answered first; then Next works, at its whole size.
        await page.getByTestId(testid.closeWindow).click()
        await expect(page.getByTestId(testid.next)).toBeInViewport({ ratio: 1 })
        await page.getByTestId(testid.next).click({ trial: true })
      } else if (role !== 'spectator') {
        await expect(page.getByTestId(testid.endTurn)).toBeInViewport({ ratio: 1 })
        await page.getByTestId(testid.endTurn).click({ trial: true })
      }
    }
  })
}

for (const width of [320, 390]) {
  for (const name of ['Theodora', 'Theodora Wilhelmina', long]) {
    test(`what edits a character stands beside its name at ${width} px: ${name.slice(0, 20)}`, async ({ server, somebody }) => {
      const table = await Table.create(server)
      const ana = await table.seat('Ana')
      await table.do({ type: 'addCombatant', name, kind: 'pc', seat: ana.seat, init: 18, hp: 24, ac: 15 })
      const { page } = await somebody({ ...phone, viewport: { width, height: 844 } })
      await table.open(page, ana)
      const card = page.getByTestId(testid.character((await table.combatant(name)).id))
      const [heading, edit] = [await card.getByRole('heading').boundingBox(), await card.getByRole('button', { name: 'Edit' }).boundingBox()]
      expect(edit!.y).toBeLessThan(heading!.y + heading!.height)
      expect(edit!.x).toBeGreaterThanOrEqual(heading!.x + heading!.width - 1)
      expect(edit!.x + edit!.width).toBeLessThanOrEqual(width)
    })
  }
}
