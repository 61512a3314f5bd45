// Every face at the moments of the design page that are hardest to show: nothing
// sticks out, nothing is out of reach, nothing fails.

import { scenes, type Scene, type SceneName } from '../src/design/scenes'
import { expectAccessible } from './axe'
import { Table } from './table'
import { expect, phone, test, type Page } from './test'

/** Nothing can be scrolled sideways. */
async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, `${what} sticks out`).toBeLessThanOrEqual(0)
}

const hardest: SceneName[] = ['empty', 'setup', 'asked', 'deep', 'crowd', 'lights']

for (const name of hardest) {
  const scene: Scene = scenes[name]
  test(`${name}: ${scene.title}`, async ({ server, somebody }) => {
    const table = await Table.create(server, scene.options, scene.rules)
    const seat = await scene.play(table)
    // A small phone in the dark and a desk in the light: every pair of the two would take four times as long.
    for (const screen of [{ ...phone, viewport: { width: 320, height: 640 }, colorScheme: 'dark' }, { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }] as const) {
      const { page } = await somebody(screen)
      for (const [face, role] of [['gm', 'gm'], ['player', seat], ['spectator', 'spectator']] as const) {
        const what = `${face} at ${screen.viewport.width}`
        await table.open(page, role)
        await expectNoOverflow(page, what)
        await expectAccessible(page, what)
      }
    }
  })
}
