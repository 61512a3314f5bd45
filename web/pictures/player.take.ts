// Takes a picture of all that a player's page opens, and of all of it from top
// to bottom: for people to look at, in pictures/all.

import { scenes, type Scene, type SceneName } from '../src/design/scenes'
import { testid } from '../src/lib/testids'
import { Table } from '../e2e/table'
import { expect, test, type Page } from '../e2e/test'
import { screens } from './screens'

type Way = (page: Page) => Promise<void>
const id = (which: string): Way => async (page) => { await page.getByTestId(which).first().click() }
const dialog: Way = async (page) => { await expect(page.getByRole('dialog').last()).toBeVisible() }
const whole: Way = async (page) => {
  await page.locator('details.log summary').click()
  // As high as the page is, for once.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: page.viewportSize()!.width, height })
}

/** By the name of the moment, and of what is opened there: what to do one after the other. */
const ways: Partial<Record<SceneName, Record<string, Way[]>>> = {
  setup: { 'whole': [whole], 'sheet': [async (page) => { await page.locator('.character .head .btn').first().click() }, dialog] },
  waiting: { 'whole': [whole], 'react': [id(testid.react), dialog] },
  turn: {
    'whole': [whole],
    'menu': [id(testid.openSeatMenu), dialog],
    'menu-move': [id(testid.openSeatMenu), dialog, id(testid.moveSeat)],
    'leave': [id(testid.openSeatMenu), dialog, id(testid.leaveSeat), dialog],
    'deed': [id(testid.action('attack')), dialog],
    'spell': [id(testid.action('castSpell')), dialog],
    'move': [id(testid.move), dialog],
    'ready': [id(testid.ready), dialog],
  },
  two: { 'whole': [whole] },
  asked: { 'whole': [whole], 'other-numbers': [async (page) => { await page.locator('.any').first().click() }, dialog] },
  deep: { 'whole': [whole] },
  dying: { 'whole': [whole] },
  proposed: { 'whole': [whole] },
  crowd: { 'whole': [whole], 'deed': [id(testid.action('attack')), dialog] },
  starfinder: { 'whole': [whole] },
  lights: { 'whole': [whole] },
  counts: { 'whole': [whole] },
  ended: { 'whole': [whole] },
}

for (const [name, opened] of Object.entries(ways)) {
  const scene: Scene = scenes[name as SceneName]
  for (const screen of screens('320', '390', '1280', 'zoomed')) {
    test(`a player, ${name} at ${screen.name}`, async ({ server, somebody }) => {
      const table = await Table.create(server, scene.options, scene.rules)
      const seat = await scene.play(table)
      for (const [what, steps] of Object.entries(opened)) {
        const { page } = await somebody(screen.context)
        await table.open(page, seat, `lang=${screen.lang}`)
        for (const step of steps) await step(page)
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: `pictures/all/${name}-player+${what}-${screen.name}.png` })
        await page.context().close()
      }
    })
  }
}
