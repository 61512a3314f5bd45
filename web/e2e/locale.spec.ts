import { testid } from '../src/lib/testids'
import { quartet } from './table'
import { expect, phone, test } from './test'

test('a decimal comma is a decimal point to those who write one (B67)', async ({ server, somebody }) => {
  const { table, ana } = await quartet(server, {}, false)
  await table.do({ type: 'addCombatant', name: 'Elm', side: 'party', kind: 'pc', seat: ana.seat })
  const elm = (await table.combatant('Elm')).id
  const french = await somebody({ ...phone, locale: 'fr-FR' })
  const english = await somebody()
  await table.open(french.page, ana)
  await table.open(english.page, 'gm')
  await expect(french.page.locator('html')).toHaveAttribute('lang', 'fr')

  const total = french.page.getByTestId(testid.character(elm)).locator('input[inputmode="decimal"]')
  await total.fill('15,5')
  await total.press('Enter')
  const field = english.page.getByTestId(testid.initiative(elm))
  await expect(field).toHaveValue('15.5')
  expect((await table.combatant('Elm')).initiative).toBe(15.5)

  await field.fill('15.25')
  await field.press('Enter')
  await expect(french.page.getByTestId(testid.character(elm))).toContainText('15,25')
  await expect(field).toHaveValue('15.25')
  expect((await table.combatant('Elm')).initiative).toBe(15.25)
})

test('what a dialog says comes with it, in the language of the moment', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  const keys = page.getByTestId(testid.keys)
  for (const words of ['Quick-add a combatant', 'Ajout rapide d’un combattant', 'Quick-add a combatant']) {
    await page.getByTestId(testid.openKeys).click()
    await expect(keys).toContainText(words)
    await page.keyboard.press('Escape')
    await page.getByTestId(testid.languageSwitch).click()
  }
})
