// Takes a picture of every face at every moment, on every screen: for people to
// look at, in pictures/all.

import { scenes, type Scene } from '../src/design/scenes'
import { Table } from '../e2e/table'
import { test } from '../e2e/test'
import { screens } from './screens'

for (const [name, scene] of Object.entries(scenes) as [string, Scene][]) {
  for (const screen of screens()) {
    test(`${name} at ${screen.name}`, async ({ server, somebody }) => {
      const table = await Table.create(server, scene.options, scene.rules)
      const seat = await scene.play(table)
      for (const [face, role] of [['gm', 'gm'], ['player', seat], ['join', 'player'], ['spectator', 'spectator']] as const) {
        const { page } = await somebody(screen.context)
        await table.open(page, role, `lang=${screen.lang}`)
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: `pictures/all/${name}-${face}-${screen.name}.png` })
        await page.context().close()
      }
    })
  }
}
