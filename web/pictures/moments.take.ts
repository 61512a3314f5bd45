// Takes a picture of every face at every moment, in both themes and languages,
// on a phone, a tablet and a desk: for people to look at, in pictures/all.

import { scenes, type Scene } from '../src/design/scenes'
import { Table } from '../e2e/table'
import { test } from '../e2e/test'

const widths = [320, 768, 1280]

for (const [name, scene] of Object.entries(scenes) as [string, Scene][]) {
  test(name, async ({ server, somebody }) => {
    const table = await Table.create(server, scene.options, scene.rules)
    const seat = await scene.play(table)
    const faces = [['gm', 'gm', ''], ['player', seat, ''], ['spectator', 'spectator', ''], ['overlay', 'spectator', 'overlay&']] as const
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of widths) {
        const { page } = await somebody({ viewport: { width, height: width < 500 ? 700 : 860 }, colorScheme, isMobile: width < 500, hasTouch: width < 500 })
        for (const lang of ['en', 'fr']) {
          for (const [face, role, query] of faces) {
            await page.goto('about:blank')
            if (query) await page.goto(table.link(role).replace('#', `?${query}lang=${lang}#`))
            else await table.open(page, role, `lang=${lang}`)
            await page.waitForLoadState('networkidle')
            await page.screenshot({ path: `pictures/all/${name}-${face}-${lang}-${colorScheme}-${width}.png` })
          }
        }
      }
    }
  })
}
