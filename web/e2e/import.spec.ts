// Creatures out of other programs' files: pasted, dropped, chosen, looked over,
// added. The files are those that the server's own tests read.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { testid } from '../src/lib/testids'
import { expectAccessible } from './axe'
import { quartet, Table } from './table'
import { expect, phone, test, type Page } from './test'

const folder = join(import.meta.dirname, '../../hub/statblock/testdata')
const sample = (name: string) => readFileSync(join(folder, name))

/** A file as a page gets it from outside. */
interface Given {
  name: string
  data: Buffer
}
const given = (name: string): Given => ({ name: basename(name), data: sample(name) })
const made = (name: string, text: string, encoding?: BufferEncoding): Given => ({ name, data: Buffer.from(text, encoding) })

/** Drops files on an element, as a file manager does. */
async function drop(page: Page, on: string, files: Given[]): Promise<void> {
  const carried = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const { name, base64 } of all) {
      transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name))
    }
    return transfer
  }, files.map(({ name, data }) => ({ name, base64: data.toString('base64') })))
  await page.dispatchEvent(on, 'dragover', { dataTransfer: carried })
  await expect(page.getByTestId(testid.importDrop)).toBeVisible()
  await page.dispatchEvent(on, 'drop', { dataTransfer: carried })
  await expect(page.getByTestId(testid.importDrop)).toBeHidden()
}

/** Pastes a text into the field for it. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByTestId(testid.importPaste).evaluate((field, text) => {
    const carried = new DataTransfer()
    carried.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true }))
  }, text)
}

const rows = (page: Page) => page.getByTestId(testid.importRow)
const names = (page: Page) => rows(page).evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.name))

async function open(page: Page): Promise<void> {
  await page.getByTestId(testid.openImport).click()
  await expect(page.getByTestId(testid.importDialog)).toBeVisible()
}

/** Adds what is chosen, and waits until it is there. */
async function add(page: Page): Promise<void> {
  await page.getByTestId(testid.importAdd).click()
  await expect(page.getByTestId(testid.importDialog)).toBeHidden()
}

const formats = [
  { file: 'improved-new.json', rules: 'dnd5e', found: ['Hazel Underbough', 'Mire Lurker 1', 'Mire Lurker 2', 'Old Mother', 'Hazel Underbough', 'Mire Lurker'], one: 'Old Mother', hp: { current: 52, max: 52 }, ac: 14, init: 0 },
  { file: 'improved-old.json', rules: 'dnd5e', found: ['Hazel Underbough', 'Hazel Underbough', 'Mire Lurker'], one: 'Mire Lurker', hp: { current: 52, max: 52 }, ac: 14 },
  { file: 'improved-list.json', rules: 'dnd5e', found: ['Mire Lurker', 'Hazel Underbough'], one: 'Hazel Underbough', hp: { current: 38, max: 38 }, ac: 15 },
  { file: 'improved-handover.json', rules: 'dnd5e', found: ['Toll Collector', 'Toll Dog'], one: 'Toll Dog', hp: { current: 7, max: 7 }, ac: 12 },
  { file: 'foundry-5e-npc.json', rules: 'dnd5e', found: ['Cinder Wyrmling'], one: 'Cinder Wyrmling', hp: { current: 60, max: 75 }, ac: 17 },
  { file: 'foundry-5e-character.json', rules: 'dnd5e', found: ['Ilse Varn (Fighter)', 'Bridge Guard'], one: 'Ilse Varn (Fighter)', hp: { current: 28, max: 28 }, ac: 18 },
  { file: 'foundry-starfinder-npc.json', rules: 'starfinder', found: ['Void Skitterer'], one: 'Void Skitterer', hp: { current: 23, max: 23 }, ac: 14 },
  { file: 'foundry-starfinder-character.json', rules: 'starfinder', found: ['Captain Oru'], one: 'Captain Oru', hp: { current: 18, max: 22, temp: 3 } },
  { file: 'foundry-combat.json', rules: 'dnd5e', found: ['Bridge Guard (2)', 'Shape in the fog'], one: 'Bridge Guard (2)', hp: { current: 11, max: 11, temp: 2 }, ac: 16, init: 13.14 },
  { file: 'open5e-v1.json', rules: 'dnd5e', found: ['Fen Witch'], one: 'Fen Witch', hp: { current: 49, max: 49 }, ac: 12 },
  { file: 'open5e-v2.json', rules: 'dnd5e', found: ['Glass Heron'], one: 'Glass Heron', hp: { current: 58, max: 58 }, ac: 16 },
  { file: 'srd.json', rules: 'dnd5e', found: ['Lantern Beetle'], one: 'Lantern Beetle', hp: { current: 4, max: 4 }, ac: 11 },
  { file: '5etools.json', rules: 'dnd5e', found: ['Salt Knight'], one: 'Salt Knight', hp: { current: 65, max: 65 }, ac: 18 },
  { file: 'table-en.csv', rules: 'dnd5e', found: ['River Bandit', 'Tam', 'The Eel'], one: 'Tam', hp: { current: 18, max: 24, temp: 2 }, ac: 15, init: 12.5 },
  { file: 'table-fr.csv', rules: 'dnd5e', found: ['Éclaireur', 'Anaïs'], one: 'Anaïs', hp: { current: 20, max: 27 }, ac: 15, init: 12.5 },
  { file: 'table.tsv', rules: 'lights-and-shadows', found: ['Pit Viper', 'Old Crow'], one: 'Pit Viper', hp: { current: 7, max: 7 }, ac: 13, init: 14 },
  { file: 'riposte-creatures.json', rules: 'dnd5e', found: ['Reed Stalker', 'Wren', 'The Ford Itself'], one: 'Wren', hp: { current: 19, max: 27, temp: 4 }, ac: 16, init: 15.25 },
  { file: 'riposte-encounter.json', rules: 'dnd5e', found: ['Reed Stalker', 'Wren'], one: 'Reed Stalker', hp: { current: 7, max: 18 }, ac: 13, init: 14.5 },
]

for (const [by, share] of [['pasting', 0], ['dropping', 1]] as const) {
  test(`every format by ${by}`, async ({ server, somebody }) => {
    const { page } = await somebody()
    for (const rules of ['dnd5e', 'starfinder', 'lights-and-shadows']) {
      const table = await Table.create(server, {}, rules)
      await table.open(page, 'gm')
      for (const one of formats.filter((format) => format.rules === rules)) {
        await test.step(one.file, async () => {
          const before = Object.keys(await table.view()).filter((key) => key.startsWith('combatants/')).length
          if (share) await drop(page, 'main', [given(one.file)])
          else {
            await open(page)
            await paste(page, sample(one.file).toString('utf8'))
          }
          await expect.poll(() => names(page)).toEqual(one.found)
          // Looking changes nothing.
          expect(Object.keys(await table.view()).filter((key) => key.startsWith('combatants/')).length).toBe(before)
          // One is taken, so that the table does not fill up.
          for (const row of await rows(page).all()) {
            const take = (await row.getAttribute('data-name')) === one.one
            await row.getByRole('checkbox').first().setChecked(take)
          }
          if (await page.getByTestId(testid.importAgree).isVisible()) await page.getByTestId(testid.importAgree).check()
          await add(page)
          const got = await table.combatant(one.one)
          expect(got.hp).toMatchObject(one.hp)
          expect(got.ac ?? 0).toBe('ac' in one ? one.ac : 0)
          expect(got.initiative).toBe('init' in one ? one.init : undefined)
          await table.do({ type: 'removeCombatant', combatants: [got.id] })
        })
      }
    }
  })
}

test('what is found can be changed before it is added, all in one step', async ({ server, somebody }) => {
  const { table } = await quartet(server, {}, false)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await open(page)
  await paste(page, sample('riposte-creatures.json').toString('utf8'))
  await expect(rows(page)).toHaveCount(3)
  const [stalker, wren, ford] = [rows(page).nth(0), rows(page).nth(1), rows(page).nth(2)]
  await stalker.getByLabel('Name').fill('Reeds')
  await stalker.getByLabel('How many').fill('2')
  await stalker.getByLabel('HP').fill('9')
  await stalker.getByLabel('AC').fill('x')
  await stalker.getByLabel('Side').selectOption('ally')
  await wren.getByRole('checkbox', { name: 'hidden' }).check()
  await ford.getByRole('checkbox').first().uncheck()
  await page.getByLabel('With their initiative counts').uncheck()
  await page.getByTestId(testid.importAdd).click()
  await expect(page.getByTestId(testid.importDialog)).toContainText('Fix the marked fields')
  expect((await table.view()).history?.undo).not.toBe('importCombatants')
  await stalker.getByLabel('AC').fill('14')
  await expect(page.getByTestId(testid.importAdd)).toHaveText('Add 3')
  await add(page)
  expect(await table.combatant('Reeds 2')).toMatchObject({ side: 'party', kind: 'npc', ac: 14, hp: { current: 9, max: 9 }, notes: 'Hides in the reeds.\nFlees at 5 HP.' })
  const added = await table.combatant('Wren')
  expect(added).toMatchObject({ hidden: true, kind: 'pc', hp: { current: 19, max: 27, temp: 4 } })
  expect(added.initiative).toBeUndefined()
  // One step: Back takes all of it.
  await page.getByTestId(testid.undo).click()
  await expect(page.getByText('Wren', { exact: true })).toHaveCount(0)
  await expect(page.getByText('Reeds 2', { exact: true })).toHaveCount(0)
})

test('a file with faults says what is wrong where, and adds what is sound when asked', async ({ server, somebody }) => {
  const { table } = await quartet(server, {}, false)
  const { page, wire } = await somebody()
  await table.open(page, 'gm')
  const script = '<img src=x onerror="window.__x=1">'
  await drop(page, 'main', [
    made('mixed.csv', `name,hp,ac\n"${script.replaceAll('"', '""')}",7,12\nTorn,12;5,10\n,3,3\nSound,8,high\n`),
    made('broken.json', '{"name":"Ash",'),
    made('picture.png', '\x89PNG\r\n\x1a\n\0', 'latin1'),
  ])
  const faults = page.getByTestId(testid.importFaults)
  await expect(faults.getByRole('listitem')).toHaveText([
    'mixed.csv · line 3 – Torn Hit points: “12;5” cannot be read.',
    'mixed.csv · line 4 It has no name.',
    'broken.json · line 1 It breaks off here: the end is missing.',
    'picture.png This is a PNG file, not text.',
  ])
  expect(await names(page)).toEqual([script, 'Sound'])
  await expect(rows(page).nth(1)).toContainText('AC: “high” cannot be read and is left out.')
  await page.getByTestId(testid.importAdd).click()
  await expect(page.getByTestId(testid.importAgree)).toBeFocused()
  await expect(page.getByRole('alert').filter({ hasText: 'Say first' })).toBeVisible()
  await page.keyboard.press('Space')
  await add(page)
  expect(await table.combatant(script)).toMatchObject({ ac: 12 })
  expect(await table.combatant('Sound')).toMatchObject({ hp: { current: 8 } })
  await expect(table.combatant('Torn')).rejects.toThrow()
  await expect(page.getByText(script, { exact: true }).first()).toBeVisible()
  expect(await page.evaluate(() => (window as { __x?: unknown }).__x)).toBeUndefined()

  await test.step('what is nothing at all gives a reason, and the way back', async () => {
    for (const [text, why] of [
      ['[]', 'There is no creature in it.'], ['{"name":"left-pad","version":"1"}', 'Riposte does not know this format. It reads: Improved Initiative'],
      ['['.repeat(30_000), 'It is nested deeper than 64 levels.'], ['{\n"name": }', 'line 2 This is no valid JSON'],
    ] as const) {
      await open(page)
      await paste(page, text)
      await expect(faults).toContainText(why)
      await expect(page.getByTestId(testid.importAdd)).toHaveCount(0)
      await page.getByTestId(testid.importBack).click()
      await expect(page.getByTestId(testid.importPaste)).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByTestId(testid.importDialog)).toBeHidden()
    }
  })
  wire.expectNoFaults()
})

test('what the server refuses is said in the dialog, and nothing of it is added', async ({ server, somebody }) => {
  const { table } = await quartet(server, {}, false)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await open(page)
  await paste(page, `name,count\nAnt,50\nBee,50\nCrow,50\nDeer,50\n`)
  // Four are there already: what does not fit is not chosen for anybody.
  await expect(rows(page)).toHaveCount(4)
  for (const row of await rows(page).all()) await expect(row.getByRole('checkbox').first()).not.toBeChecked()
  await page.getByText('Choose all').click()
  await expect(page.getByTestId(testid.importDialog)).toContainText('Too many: there is room for 196 more.')
  await page.getByTestId(testid.importAdd).click()
  await rows(page).nth(3).getByLabel('How many').fill('46')
  await expect(page.getByTestId(testid.importDialog)).not.toContainText('Too many')
  // Somebody else is quicker.
  await table.do({ type: 'addCombatant', name: 'Elm' })
  await expect(page.getByTestId(testid.importDialog)).toContainText('Too many: there is room for 195 more.')
  await rows(page).nth(3).getByLabel('How many').fill('45')
  await rows(page).nth(0).getByLabel('Name').fill('W'.repeat(79))
  await page.getByTestId(testid.importAdd).click()
  await expect(page.getByRole('alert').filter({ hasText: 'name' })).toBeVisible()
  expect(Object.keys(await table.view()).filter((key) => key.startsWith('combatants/'))).toHaveLength(5)
  await rows(page).nth(0).getByLabel('Name').fill('Ant')
  await add(page)
  expect(Object.keys(await table.view()).filter((key) => key.startsWith('combatants/'))).toHaveLength(200)
})

test('on a phone, in French, in mid-fight, with the keyboard', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  for (const screen of [{ ...phone, locale: 'fr-FR' }, { viewport: { width: 320, height: 700 }, locale: 'fr-FR' }]) {
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    await page.getByText('Ajouter un combattant').click()
    await page.getByTestId(testid.openImport).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByTestId(testid.importDialog)).toBeVisible()
    await expectAccessible(page, 'import')
    await page.getByTestId(testid.importFiles).setInputFiles([join(folder, 'table-fr.csv')])
    await expect.poll(() => names(page)).toEqual(['Éclaireur', 'Anaïs'])
    await expect(page.getByTestId(testid.importFaults)).toContainText('ligne 4 – Ogre Points de vie\u00a0: «\u00a012,5\u00a0» est illisible.')
    await expectAccessible(page, 'import-found')
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    expect(await page.getByTestId(testid.importDialog).locator('.sheet-body').evaluate((body) => body.scrollWidth - body.clientWidth)).toBe(0)
    // By keyboard alone: agree, choose, add.
    await page.getByTestId(testid.importAgree).focus()
    await page.keyboard.press('Space')
    await rows(page).nth(1).getByRole('checkbox').first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await expect(rows(page).nth(1).getByLabel('Nom')).toBeFocused()
    await page.getByTestId(testid.importAdd).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByTestId(testid.importDialog)).toBeHidden()
    const { id } = await table.combatant('Éclaireur 1')
    await expect(page.getByTestId(testid.orderRow(id)).or(page.getByText('Éclaireur', { exact: true })).first()).toBeAttached()
    await table.do({ type: 'undo' })
  }
})
