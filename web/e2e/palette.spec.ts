// Where the device has a palette of its own, which takes every background and
// shadow away: what they say is still seen.

import { scenes, type Scene } from '../src/design/scenes'
import { testid } from '../src/lib/testids'
import { Table } from './table'
import { desk, expect, phone, test, type Page } from './test'

/** The value of a property of the first element that matches, as the browser paints it. */
const painted = (page: Page, selector: string, property: string, pseudo?: string) => page.locator(selector).first().evaluate(
  (element, [property, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(property!), [property, pseudo] as const)

test('with forced colours the marks of now and of an interrupt, hit points, what is pressed and the focus are seen', async ({ server, somebody }) => {
  const scene: Scene = scenes.asked
  const table = await Table.create(server, scene.options, scene.rules)
  await scene.play(table)
  const { page } = await somebody(desk)
  await page.emulateMedia({ forcedColors: 'active' })
  await table.open(page, 'gm')

  const row = '[data-row]'
  const now = '.entry.current', interrupt = '.entry.interrupting:not(.current)'
  await expect(page.locator(now)).toBeVisible()
  const mark = await painted(page, now, 'background-color', '::before')
  expect(mark).not.toBe(await painted(page, now, 'background-color'))
  expect(await painted(page, interrupt, 'background-image', '::before')).toContain('gradient')
  expect(await painted(page, interrupt, 'forced-color-adjust', '::before')).toBe('none')
  expect(await painted(page, '.entry .fill', 'fill')).not.toBe(await painted(page, '.entry .back', 'fill'))
  expect(await painted(page, '.badge .mark', 'background-color')).not.toBe(await painted(page, '.badge', 'background-color'))

  await page.locator(`.entry button${row}`).first().click()
  await expect(page.locator('.entry.selected')).toBeVisible()
  expect(await painted(page, '.entry.selected', 'outline-style')).toBe('solid')
  await page.keyboard.press('Tab')
  expect(await painted(page, ':focus-visible', 'outline-style')).toBe('solid')

  const small = (await somebody(phone)).page
  await small.emulateMedia({ forcedColors: 'active' })
  await table.open(small, 'gm')
  const tab = (name: 'order' | 'log') => small.getByTestId(testid.tab(name)).evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await tab('order')).not.toBe(await tab('log'))
})
