// Takes a picture of all that the game master's desk and the start page open:
// dialogs, drawers, menus, questions, notices. In both themes and languages, on
// a phone, a tablet and a desk: for people to look at, in pictures/all.

import { scenes, type Scene, type SceneName } from '../src/design/scenes'
import { testid } from '../src/lib/testids'
import { Link } from '../e2e/link'
import { create } from '../e2e/pages'
import { Table } from '../e2e/table'
import { expect, test, type Page } from '../e2e/test'
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
  test(`the desk, ${name}`, async ({ server, somebody }) => {
    const table = await Table.create(server, scene.options, scene.rules)
    await scene.play(table)
    for (const screen of screens()) {
      const { page } = await somebody(screen.context)
      await knowsLinks(page, table)
      for (const [what, steps] of Object.entries(ways)) {
        await page.goto('about:blank')
        await table.open(page, 'gm', `lang=${screen.lang}`)
        for (const step of steps) await step({ page, table, narrow: screen.narrow })
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: `pictures/all/${name}-gm+${what}-${screen.name}.png` })
      }
    }
  })
}

test('the desk, cut off', async ({ server, somebody }) => {
  const link = await Link.to(server)
  const table = await Table.create(server)
  await scenes.turn.play(table)
  for (const screen of screens()) {
    const { page } = await somebody(screen.context)
    await page.goto(`${link.url}/e/${table.encounter.id}?lang=${screen.lang}#${table.encounter.tokens.gm}`)
    await expect(page.getByTestId(testid.connection)).toHaveAttribute('data-status', 'live')
    link.silence()
    await expect(page.getByTestId(testid.connection)).not.toHaveAttribute('data-status', 'live')
    await expect(page.locator('.strip p')).toBeVisible()
    await page.screenshot({ path: `pictures/all/turn-gm+stale-${screen.name}.png` })
    link.restore()
  }
  await link.close()
})

test('the start page', async ({ server, somebody }) => {
  const table = await Table.create(server)
  for (const screen of screens()) {
    const { page } = await somebody(screen.context)
    const take = (what: string) => page.screenshot({ path: `pictures/all/start-${what}-${screen.name}.png`, fullPage: true })
    await page.goto(`/?lang=${screen.lang}`)
    await page.waitForLoadState('networkidle')
    await take('new')
    await page.getByTestId(testid.joinLink).fill('the bridge')
    await page.getByTestId(testid.join).click()
    await expect(page.locator('.error')).toBeVisible()
    await take('no-link')
    await page.getByTestId(testid.createTitle).fill('Her Serene Highness Theodora Wilhelmina and the Nine Drowned Towers, part two')
    await page.getByTestId(testid.create).click()
    await expect(page.getByTestId(testid.openDashboard)).toBeVisible()
    await take('made')
    await create(page, 'The bridge at dawn', 'lights-and-shadows')
    await table.open(page, 'spectator')
    await page.goto('/')
    await expect(page.getByTestId(testid.known)).toBeVisible()
    await take('known')
    await page.goto('/j/AAAA-AAAA')
    await expect(page.locator('.error')).toBeVisible()
    await take('no-code')
  }
})
