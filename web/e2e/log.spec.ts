// Reading the log: by whom it is about, by kind, back to the beginning, and as a file.

import { readFileSync } from 'node:fs'
import { testid } from '../src/lib/testids'
import type { Log } from '../src/lib/wire.gen'
import { quartet } from './table'
import { expect, phone, test, type Page } from './test'

async function keep(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(button).click()])
  return readFileSync(await file.path(), 'utf8')
}

for (const [name, screen] of [['a desk', undefined], ['a phone', phone]] as const) {
  test(`the game master filters, goes back beyond what was sent, and keeps the log, on ${name}`, async ({ server, somebody }) => {
    const { table, ash, cedar, dune } = await quartet(server)
    await table.do({ type: 'damage', combatants: [cedar], amount: 11 }, { type: 'heal', combatants: [cedar], amount: 2 })
    for (let i = 0; i < 110; i++) await table.do({ type: 'damage', combatants: [ash], amount: 0 })
    await table.do({ type: 'damage', combatants: [dune], amount: 4 }, { type: 'say', text: 'Have at you' })
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    if (screen) await page.getByTestId(testid.tab('log')).tap()
    const log = page.getByTestId(testid.log)
    await expect(log).toContainText('Have at you')
    await page.getByTestId(testid.logTools).click()
    await page.getByTestId(testid.logAbout).selectOption(dune)
    await expect(log).toContainText('Dune takes 4 damage')
    await expect(log).not.toContainText('Ash')
    await page.getByTestId(testid.logKind).selectOption('talk')
    await expect(log).toContainText('No such line')
    await page.getByTestId(testid.logAbout).selectOption('')
    await expect(log).toContainText('Have at you')

    // Older than the lines that came with the page.
    await page.getByTestId(testid.logKind).selectOption('')
    await page.getByTestId(testid.logAbout).selectOption(cedar)
    await expect(log).not.toContainText('11 damage')
    await page.getByTestId(testid.logOlder).click()
    await expect(log).toContainText('Cedar takes 11 damage')
    await expect(page.getByTestId(testid.logRound).last()).toHaveText(/set-up/i)

    const text = await keep(page, testid.logText)
    expect(text).toContain('== Round 1 ==')
    expect(text).toContain('Cedar takes 11 damage.')
    const lines = (JSON.parse(await keep(page, testid.logJson)) as Log).log
    expect(lines.length).toBeGreaterThan(110)

    await log.getByRole('listitem').filter({ hasText: 'Cedar takes 11 damage' }).getByRole('button').click()
    await page.getByTestId(testid.confirm).click()
    await expect.poll(async () => (await table.combatant('Cedar')).hp!.current).toBe(19)
    expect((await table.combatant('Dune')).hp!.current).toBe(30)
  })
}

test('there is nothing older to show where the log begins with the encounter', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server)
  for (const role of ['gm', ana, 'spectator'] as const) {
    const { page } = await somebody()
    await table.open(page, role)
    if (role !== 'gm') await page.getByText('Log', { exact: true }).first().click()
    await expect(page.getByTestId(testid.log)).toContainText('Round 1')
    await expect(page.getByTestId(testid.logOlder)).toHaveCount(0)
  }
  // A page that comes late has the last lines only, until it asks for the others.
  for (let i = 0; i < 100; i++) await table.do({ type: 'damage', combatants: [ash], amount: 0 })
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByTestId(testid.logOlder).click()
  await expect(page.getByTestId(testid.logRound).last()).toHaveText(/set-up/i)
  await expect(page.getByTestId(testid.logOlder)).toHaveCount(0)
})

test('Back says what it takes back; a player keeps a log of what it was told, in its language', async ({ server, somebody }) => {
  const { table, ana, cedar } = await quartet(server)
  await table.do({ type: 'addCombatant', name: 'Shade', hidden: true, init: 1 }, { type: 'damage', combatants: [cedar], amount: 7 })
  const gm = await somebody()
  await table.open(gm.page, 'gm')
  await expect(gm.page.getByTestId(testid.undo)).toContainText('Cedar takes 7 damage')
  // One cannot go back to where one is.
  await expect(gm.page.getByRole('button', { name: /go back to: Shade joins/ })).toBeVisible()
  await expect(gm.page.getByRole('button', { name: /go back to: Cedar takes/ })).toHaveCount(0)
  const { page, wire } = await somebody({ ...phone, locale: 'fr-FR' })
  await table.open(page, ana)
  await page.getByText('Journal', { exact: true }).first().click()
  await page.getByTestId(testid.logTools).click()
  const text = await keep(page, testid.logText)
  expect(text).toContain('Cedar')
  expect(text).toContain('Le combat commence')
  expect(text).not.toContain('Shade')
  await wire.expectNever('Shade')
})
