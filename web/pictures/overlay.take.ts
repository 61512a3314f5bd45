// Takes a picture of the overlay at the moments a stream shows, in each theme
// and at the sizes streaming software gives it, over a bright picture and over
// a dark one: for people to look at, in pictures/all.

import { scenes, type Scene, type SceneName } from '../src/design/scenes'
import { overlayFields, overlayThemes } from '../src/lib/overlay'
import { testid } from '../src/lib/testids'
import { Table } from '../e2e/table'
import { expect, test } from '../e2e/test'

const shown: SceneName[] = ['turn', 'asked', 'deep', 'crowd', 'lights', 'counts', 'ended']
const sizes = [[320, 240], [480, 270], [480, 720], [1280, 720], [1920, 1080]] as const
/** As a camera or a map may be behind it. */
const behind = {
  bright: 'linear-gradient(160deg, #fdfbf4, #cfe3ef 45%, #f4d9b0)',
  dark: 'linear-gradient(160deg, #050608, #1d2a33 45%, #2c1512)',
}

for (const name of shown) {
  const scene: Scene = scenes[name]
  test(`the overlay, ${name}`, async ({ server, somebody }) => {
    const table = await Table.create(server, { npcAc: 'yes', ...scene.options }, scene.rules)
    await scene.play(table)
    for (const [width, height] of sizes) {
      const { page } = await somebody({ viewport: { width, height } })
      for (const [lang, fields] of [['fr', ''], ['en', `&fields=${overlayFields.join(',')}`]] as const) {
        for (const theme of overlayThemes) {
          for (const [light, background] of Object.entries(behind)) {
            await page.goto('about:blank')
            await table.open(page, 'spectator', `overlay&theme=${theme}&lang=${lang}${fields}`)
            await expect(page.getByTestId(testid.overlay)).toBeVisible()
            await page.waitForLoadState('networkidle')
            await page.evaluate((background) => document.documentElement.style.setProperty('background', background, 'important'), background)
            await page.screenshot({ path: `pictures/all/overlay-${name}-${theme}-${light}-${lang}-${width}x${height}.png` })
          }
        }
      }
    }
  })
}
