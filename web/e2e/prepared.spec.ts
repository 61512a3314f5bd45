// Between fights: samples to try, the party kept, monsters kept for another encounter.

import { readFile } from 'node:fs/promises'
import { testid } from '../src/lib/testids'
import type { CombatantView, ViewMap } from '../src/lib/wire.gen'
import { quartet, Table } from './table'
import { desk, expect, phone, test, type Page } from './test'

const combatants = (view: ViewMap) => Object.entries(view).filter(([key]) => key.startsWith('combatants/')).map(([, value]) => value as CombatantView)
const names = async (table: Table) => combatants(await table.view()).map((c) => c.name).sort()

async function openPrepared(page: Page): Promise<void> {
  await page.getByTestId(testid.openPrepared).click()
  await expect(page.getByTestId(testid.prepared)).toBeVisible()
}
const sets = (page: Page) => page.locator('[data-testid^="prepared-set-"]')

/** Keeps the monsters of a fight under a name. */
async function keepMonsters(page: Page, name: string): Promise<void> {
  await page.getByTestId('prepared-name').fill(name)
  await page.getByTestId('prepared-save').click()
  await expect(sets(page).filter({ hasText: name })).toHaveCount(1)
}

for (const [rules, locale, screen] of [['dnd5e', 'en-GB', phone], ['starfinder', 'fr-FR', desk], ['lights-and-shadows', 'fr-FR', phone], ['lights-and-shadows', 'en-GB', desk]] as const) {
  test(`an empty encounter offers heroes and monsters to try: ${rules}, ${locale}`, async ({ server, somebody }) => {
    const table = await Table.create(server, {}, rules)
    const { page } = await somebody({ ...screen, locale })
    await table.open(page, 'gm')
    await page.getByTestId(testid.samples('monsters')).click()
    await expect(page.locator('[data-testid^="order-row-"], [data-testid="group-row"]').first()).toBeVisible()
    await expect(page.getByTestId(testid.samples('heroes'))).toBeHidden()
    expect(combatants(await table.view()).every((c) => c.kind === 'npc')).toBe(true)
    await table.do({ type: 'undo' })
    await page.getByTestId(testid.samples('heroes')).click()
    await expect(page.getByTestId(testid.samples('heroes'))).toBeHidden()
    expect(combatants(await table.view()).every((c) => c.kind === 'pc' && c.hp!.max! > 0)).toBe(true)
    // They can be played as they are.
    await table.do({ type: 'startCombat' })
  })
}

for (const [size, screen] of [['a phone', phone], ['a desk', desk]] as const) {
  test(`a fight is cleared and the party kept, on ${size}`, async ({ server, somebody }) => {
    const { table, ash, cedar } = await quartet(server)
    await table.do(
      { type: 'damage', combatants: [ash], amount: 9 },
      { type: 'addEffect', combatants: [ash], name: 'exhaustion' },
      { type: 'addEffect', combatants: [ash], name: 'bless', until: { at: 'rounds', rounds: 10 } },
      { type: 'endCombat' },
    )
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    await expect(page.getByTestId(testid.fightOver)).toContainText('The fight is over')
    await page.getByTestId(testid.clearFight).click()
    await page.getByTestId(testid.confirm).click()
    await expect(page.getByTestId(testid.orderRow(cedar))).toBeHidden()
    await expect(page.getByTestId(testid.fightOver)).toBeHidden()
    expect(await names(table)).toEqual(['Ash', 'Birch'])
    expect(await table.combatant('Ash')).toMatchObject({ hp: { current: 15, max: 24 }, conditions: ['exhaustion'] })
    await page.getByTestId(testid.undo).click()
    await expect(page.getByTestId(testid.fightOver)).toBeVisible()
    expect(await names(table)).toEqual(['Ash', 'Birch', 'Cedar', 'Dune'])
  })

  test(`monsters are kept and added to another encounter, on ${size}`, async ({ server, somebody }) => {
    const { table, cedar } = await quartet(server)
    await table.do(
      { type: 'editCombatant', combatant: cedar, notes: 'has the key', stats: { 'save.con': 4 } },
      { type: 'damage', combatants: [cedar], amount: 20 },
      { type: 'addEffect', combatants: [cedar], name: 'shielded', ac: 2 },
    )
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    await page.getByText('Add a combatant').click()
    await openPrepared(page)
    await expect(page.getByTestId('prepared-save')).toHaveText('Save the 2 monsters')
    await keepMonsters(page, 'The bridge guards')
    await page.keyboard.press('Escape')

    // Prepared while this fight runs: hidden from the players.
    const later = await Table.create(server)
    await later.open(page, 'gm')
    await openPrepared(page)
    await page.getByTestId('prepared-hidden').check()
    await sets(page).getByTestId('prepared-add').click()
    await expect(page.getByTestId(testid.prepared)).toBeHidden()
    await expect(page.getByTestId(testid.notices)).toContainText('The bridge guards')
    expect(await names(later)).toEqual(['Cedar', 'Dune'])
    expect(await later.combatant('Cedar')).toMatchObject({ hidden: true, ac: 13, hp: { current: 30, max: 30 }, notes: 'has the key', stats: { 'save.con': 4 } })
    expect(combatants(await later.view(later.encounter.tokens.spectator))).toEqual([])
    await page.getByTestId(testid.undo).click()
    await expect.poll(() => names(later)).toEqual([])
  })
}

test('a set is renamed, replaced, deleted, and goes through a file to another browser', async ({ server, somebody }) => {
  const { table, dune } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByText('Add a combatant').click()
  await openPrepared(page)
  await keepMonsters(page, 'Guards')
  await sets(page).getByTestId('prepared-rename-open').click()
  await page.getByTestId('prepared-rename').fill('Bridge guards')
  await page.keyboard.press('Enter')
  await expect(sets(page)).toContainText('Bridge guards')

  const downloading = page.waitForEvent('download')
  await sets(page).getByTestId('prepared-file').click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('Bridge-guards.json')
  const path = await download.path()
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 'riposte-creatures/1', name: 'Bridge guards', creatures: [{ name: 'Cedar', hp: 30 }, { name: 'Dune' }] })

  await table.do({ type: 'removeCombatant', combatants: [dune] })
  await expect(page.getByTestId('prepared-save')).toHaveText('Save the monster')
  await page.getByTestId('prepared-name').fill('Bridge guards')
  await expect(page.getByTestId('prepared-save')).toHaveText('Replace “Bridge guards”')
  await page.getByTestId('prepared-save').click()
  await expect(sets(page)).toHaveCount(1)
  await expect(sets(page)).toContainText('1 creature')
  await sets(page).getByTestId('prepared-delete').click()
  await page.getByTestId('prepared-delete-yes').click()
  await expect(sets(page)).toHaveCount(0)

  const other = await somebody(phone)
  await table.open(other.page, 'gm')
  await other.page.getByText('Add a combatant').click()
  await openPrepared(other.page)
  await other.page.getByTestId('prepared-load').setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') })
  await expect(other.page.getByTestId(testid.prepared)).toContainText('This is no file of kept creatures')
  await other.page.getByTestId('prepared-load').setInputFiles(path)
  await expect(sets(other.page)).toContainText('Cedar and Dune')
  await sets(other.page).getByTestId('prepared-add').click()
  await expect(other.page.getByTestId(testid.prepared)).toBeHidden()
  expect(await names(table)).toEqual(['Ash', 'Birch', 'Cedar', 'Cedar', 'Dune'])
})

test('a set that the server refuses says what is wrong, and adds nothing', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  const { page } = await somebody(phone)
  await table.open(page, 'gm')
  await page.getByText('Add a combatant').click()
  await openPrepared(page)
  const creatures = [{ name: 'Wolf', hp: 11 }, { name: 'Bear', armour: 3 }]
  await page.getByTestId('prepared-load').setInputFiles({
    name: 'pack.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ format: 'riposte-creatures/1', creatures })),
  })
  await expect(sets(page)).toContainText('pack')
  await sets(page).getByTestId('prepared-add').click()
  await expect(page.getByTestId(testid.prepared).getByRole('alert')).toContainText('armour')
  expect(await names(table)).toEqual(['Ash', 'Birch', 'Cedar', 'Dune'])
})

test('a browser that keeps nothing says so and offers a file', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  const { page } = await somebody(phone)
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => { throw new DOMException('no room', 'QuotaExceededError') }
  })
  await table.open(page, 'gm')
  await page.getByText('Add a combatant').click()
  await openPrepared(page)
  await page.getByTestId('prepared-name').fill('Guards')
  await page.getByTestId('prepared-save').click()
  await expect(page.getByTestId(testid.prepared)).toContainText('This browser keeps nothing for this site')
  const downloading = page.waitForEvent('download')
  await page.getByTestId('prepared-rescue').click()
  expect((await downloading).suggestedFilename()).toBe('Guards.json')
})
