// What the game master sets for the whole table.

import { testid } from '../src/lib/testids'
import { quartet } from './table'
import { expect, test } from './test'

test('every option is reached and changed by keyboard, and a second game master sees it', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  const [{ page }, two] = [await somebody(), await somebody()]
  await table.open(page, 'gm')
  await table.open(two.page, 'gm')
  for (const one of [page, two.page]) {
    await one.getByTestId(testid.openOptions).focus()
    await one.keyboard.press('Enter')
    await expect(one.getByTestId('option-title')).toBeFocused()
  }
  const options = page.getByTestId(testid.options)
  for (const about of ['table', 'players', 'spectators', 'rules']) await expect(options.getByTestId(testid.optionGroup(about))).toBeVisible()
  const all = await options.locator('input, select').evaluateAll((fields) => fields.map((field) => (field as HTMLElement).dataset.testid))
  expect(all.length).toBeGreaterThan(10)
  const reached = []
  for (let i = 0; i < all.length; i++) {
    reached.push(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.testid))
    await expect(page.locator(':focus')).toBeInViewport({ ratio: 0.9 })
    await page.keyboard.press('Tab')
  }
  expect(reached).toEqual(all)

  // A choice, a number, a word: each goes when it is left or entered.
  const theirs = (key: string) => two.page.getByTestId(testid.option(key))
  for (const key of ['playersHurt', 'npcHp', 'spectatorNpcHp']) {
    const field = page.getByTestId(testid.option(key))
    const values = await field.locator('option').evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))
    const at = values.indexOf(await field.inputValue())
    await field.focus()
    await page.keyboard.press(at ? 'ArrowUp' : 'ArrowDown')
    await expect(theirs(key)).toHaveValue(values[at ? at - 1 : 1]!)
    await expect(field).toBeFocused()
  }
  await page.getByTestId(testid.option('turnSeconds')).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('90')
  await page.keyboard.press('Enter')
  await expect(theirs('turnSeconds')).toHaveValue('90')
  await page.getByTestId('option-title').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('The ford')
  await page.keyboard.press('Tab')
  await expect(two.page.getByTestId(testid.title)).toHaveText('The ford')
  await page.keyboard.press('Escape')
  await expect(options).toBeHidden()
  await expect(page.getByTestId(testid.openOptions)).toBeFocused()
})
