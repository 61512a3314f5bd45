import { overlayFields } from '../src/lib/overlay'
import { testid } from '../src/lib/testids'
import { quartet, Table } from './table'
import { expect, phone, test, type Page } from './test'

const stream = { viewport: { width: 480, height: 720 } }
const expectFields = (page: Page, fields: string[]) => expect.poll(() =>
  page.locator('[data-field]').evaluateAll((all) => [...new Set(all.map((node) => (node as HTMLElement).dataset.field))].sort())).toEqual(fields)

test('an overlay shows the fields that its address asks for, on nothing', async ({ server, somebody }) => {
  const { table, ash, cedar, birch } = await quartet(server, { turnSeconds: '600', npcAc: 'yes' })
  await table.do({ type: 'addEffect', combatants: [ash], name: 'poisoned' }, { type: 'react', combatant: cedar, kind: 'other', name: 'Roar' })
  const { page } = await somebody(stream)
  await table.open(page, 'spectator', 'overlay')
  await expect(page.getByTestId(testid.overlayNow)).toContainText('Ash')
  await expectFields(page, ['clock', 'round', 'stack'])
  await expect(page.getByTestId(testid.overlay)).toContainText('Roar')
  const behind = await page.evaluate(() => [document.documentElement, document.body, document.querySelector('#app')!].map((node) => getComputedStyle(node).backgroundColor))
  expect(new Set(behind)).toEqual(new Set(['rgba(0, 0, 0, 0)']))

  const all = overlayFields.filter((field) => field !== 'order')
  await table.open(page, 'spectator', `overlay&fields=order,${all.join(',')}`)
  await expect(page.getByTestId(testid.overlayNow)).toContainText('Ash')
  await expectFields(page, [...all].sort())
  await expect(page.getByTestId(testid.overlayNow)).toContainText('Poisoned')
  await expect(page.getByTestId(testid.overlayNow)).toContainText('18')
  await expect(page.locator('[data-field="next"]')).toContainText('Birch')

  // Without the order it is one line, and it follows.
  await table.open(page, 'spectator', 'overlay&fields=count&theme=bare')
  await expect(page.locator('.plate')).toHaveCount(1)
  await expect(page.getByTestId(testid.overlay)).toHaveAttribute('data-theme', 'bare')
  await table.do({ type: 'setActive', combatant: birch })
  await expect(page.locator('.plate')).toContainText('Birch')
})

test('while people declare, it shows who has and who is still to, as spectators may know', async ({ server, somebody }) => {
  const table = await Table.create(server, { turnSeconds: '600', npcAc: 'yes' }, 'lights-and-shadows')
  await table.do(
    ...['Ash', 'Birch', 'Cedar', 'Dune'].map((name, i) => ({ type: 'addCombatant', name, kind: i < 2 ? 'pc' : 'npc', hp: 20, ac: 10, stats: { score: 12 } }) as const),
    { type: 'addCombatant', name: 'Shade', hidden: true, hp: 20, stats: { score: 12 } },
    { type: 'startCombat' },
  )
  const id = async (name: string) => (await table.combatant(name)).id
  const [ash, birch] = [await id('Ash'), await id('Birch')]
  await table.do({ type: 'addEffect', combatants: [ash], name: 'poisoned' })
  const { page, wire } = await somebody(stream)
  await table.open(page, 'spectator', 'overlay&fields=order,round,clock,ac,conditions')
  const rows = page.locator('[data-declared]')
  const seen = () => rows.evaluateAll((all) => all.map((row) => `${row.querySelector('.name')!.textContent} ${(row as HTMLElement).dataset.declared}`))
  await expect.poll(seen).toEqual(['Ash false', 'Birch false', 'Cedar false', 'Dune false'])
  await expect(rows.first()).toContainText('has not declared yet')
  await expectFields(page, ['ac', 'clock', 'conditions', 'round'])
  await expect(page.getByTestId(testid.clock)).toBeVisible()
  await table.do({ type: 'declare', combatant: ash, actions: [] }, { type: 'declare', combatant: birch, actions: [] })
  await expect.poll(seen).toEqual(['Cedar false', 'Dune false', 'Ash true', 'Birch true'])
  await expect(rows.last()).toContainText('has declared')

  // What is left out is counted; without the order it is one line.
  await table.open(page, 'spectator', 'overlay&lines=3')
  await expect.poll(seen).toEqual(['Cedar false', 'Dune false', 'Ash true'])
  await expect(page.locator('.more')).toHaveText('+1')
  await table.open(page, 'spectator', 'overlay&fields=round')
  await expect(page.locator('.plate')).toHaveText('Cedar and Dune')
  await wire.expectNever('Shade')
})

test('however long the order, the active one and who broke in are in view', async ({ server, somebody }) => {
  const table = await Table.create(server)
  await table.do({ type: 'addCombatant', name: 'Goblin', times: 40, init: 10, hp: 7 }, { type: 'startCombat' })
  const { page } = await somebody(stream)
  await table.open(page, 'spectator', 'overlay&lines=5&fields=order,stack,round')
  const order = (await table.view()).order!
  for (const at of [0, 17, 39]) {
    const id = order[at]!.combatants[0]!
    await table.do({ type: 'setActive', combatant: id }, { type: 'react', combatant: order[(at + 1) % 40]!.combatants[0]!, kind: 'other', name: `Roar ${at}` })
    await expect(page.getByTestId(testid.overlayNow)).toContainText((await table.view())[`combatants/${id}`]!.name)
    await expect(page.getByTestId(testid.overlayNow)).toBeInViewport({ ratio: 1 })
    await expect(page.getByText(`Roar ${at}`)).toBeInViewport({ ratio: 1 })
    await expect(page.locator('ol').first().locator('> li')).toHaveCount(5)
    await table.do({ type: 'endTurn' })
  }
})

test('in a low picture a row is seen whole or not at all, and who acts is, however deep', async ({ server, somebody }) => {
  const table = await Table.create(server)
  await table.do({ type: 'addCombatant', name: 'Goblin', times: 9, init: 10, hp: 7 }, { type: 'startCombat' })
  const [turn, ...others] = (await table.view()).order!.map((slot) => slot.combatants[0]!)
  for (const combatant of others.slice(0, 5)) await table.do({ type: 'react', combatant, kind: 'other', name: `Roar ${combatant}` })
  for (const viewport of [{ width: 480, height: 270 }, { width: 480, height: 400 }]) {
    const { page } = await somebody({ viewport })
    await table.open(page, 'spectator', 'overlay')
    const acts = page.getByText(`Roar ${others[4]}`)
    await expect(acts).toBeInViewport({ ratio: 1 })
    await expect(page.getByTestId(testid.overlayNow)).toContainText((await table.view())[`combatants/${turn!}`]!.name)
    await expect(page.getByTestId(testid.overlayFold)).toHaveText('+4')
    // What is left out is counted: those seen and those said to be more are all of them.
    await expect.poll(() => page.evaluate(() => {
      const seen = [...document.querySelectorAll('.rows > li')].filter((row) => {
        const { left, right, top, bottom } = row.getBoundingClientRect()
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
      })
      return seen.length + Number(document.querySelector('.more')?.textContent)
    })).toBe(9)
  }
})

test('an overlay that is not live says so, small', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  const { page } = await somebody(stream)
  await table.open(page, 'spectator', 'overlay')
  await expect(page.getByTestId(testid.overlayNow)).toContainText('Ash')
  await expect(page.getByTestId(testid.overlayStale)).toBeHidden()
  await server.kill()
  await expect(page.getByTestId(testid.overlayStale)).toContainText('not live')
  await server.start()
  await expect(page.getByTestId(testid.overlayStale)).toBeHidden()
})

for (const screen of [phone, { viewport: { width: 1280, height: 900 } }]) {
  test(`the game master builds the address of an overlay at ${screen.viewport!.width} px`, async ({ server, somebody }) => {
    const { table } = await quartet(server)
    const { page } = await somebody(screen)
    await page.addInitScript(([id, tokens]) => {
      localStorage.setItem('riposte.known', JSON.stringify([{ id, title: 'The bridge', rules: 'dnd5e', tokens, at: 1 }]))
    }, [table.encounter.id, table.encounter.tokens] as const)
    await table.open(page, 'gm')
    if (screen === phone) await page.getByTestId(testid.openMenu).tap()
    await page.getByTestId(testid.openShare).click()
    await page.getByTestId(testid.overlayBuilder).locator('summary').click()
    const address = page.getByTestId(testid.overlayAddress)
    await expect(address).toHaveValue(table.link('spectator').replace('#', '?overlay#'))
    await page.getByTestId(testid.overlayField('hp')).check()
    await page.getByTestId(testid.overlayField('clock')).uncheck()
    await page.getByTestId(testid.overlayTheme).selectOption('light')
    await page.getByTestId(testid.overlayLines).fill('3')
    await expect(address).toHaveValue(table.link('spectator').replace('#', '?overlay&fields=round,order,hp,stack&theme=light&lines=3#'))
    const viewer = await somebody(stream)
    await viewer.page.goto(await address.inputValue())
    await expect(viewer.page.getByTestId(testid.overlay)).toHaveAttribute('data-theme', 'light')
    await expect(viewer.page.locator('ol').first().locator('> li')).toHaveCount(3)
    await expectFields(viewer.page, ['hp', 'round'])
  })
}
