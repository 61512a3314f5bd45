// Takes a picture of all that the game master's desk opens:
// dialogs, drawers, menus, questions. In both themes and languages, on a phone, a
// tablet and a desk, and on one that is read at 200 %: for people to look at, in pictures/all.

import { scenes, type Scene, type SceneName } from '../src/design/scenes'
import { Table } from '../e2e/table'
import { test, type Page } from '../e2e/test'
import { screens } from './screens'
import { sights } from './sights'

/** As the browser that made the encounter, which has all its links. */
async function knowsLinks(page: Page, { encounter: { id, tokens } }: Table): Promise<void> {
  await page.addInitScript((one) => {
    if (location.protocol !== 'about:') localStorage.setItem('riposte.known', JSON.stringify([one]))
  }, { id, title: '', rules: '', tokens, at: 1 })
}

for (const [name, ways] of Object.entries(sights)) {
  const scene: Scene = scenes[name as SceneName]
  for (const screen of screens('320', '768', '1280', 'zoomed')) {
    test(`the desk, ${name} at ${screen.name}`, async ({ server, somebody }) => {
      const table = await Table.create(server, scene.options, scene.rules)
      await scene.play(table)
      const { page } = await somebody(screen.context)
      await knowsLinks(page, table)
      for (const [what, steps] of Object.entries(ways)) {
        await page.goto('about:blank')
        await table.open(page, 'gm', `lang=${screen.lang}`)
        for (const step of steps) await step({ page, table, narrow: screen.narrow })
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: `pictures/all/${name}-gm+${what}-${screen.name}.png` })
      }
    })
  }
}
