// Takes a picture of the start page, and of the fight that plays itself, on
// every screen: for people to look at, in pictures/all.

import { testid } from '../src/lib/testids'
import { create } from '../e2e/pages'
import { expectLive, Table } from '../e2e/table'
import { expect, test } from '../e2e/test'
import { screens } from './screens'

for (const screen of screens()) {
  test(`the start page at ${screen.name}`, async ({ server, somebody }) => {
    const table = await Table.create(server)
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
    await page.goto(`/?lang=${screen.lang}`)
    await expect(page.getByTestId(testid.known)).toBeVisible()
    await take('known')
    await page.goto(`/j/AAAA-AAAA?lang=${screen.lang}`)
    await expect(page.locator('.error')).toBeVisible()
    await take('no-code')
  })
}

/** So many frames, or the end, are worth a picture of the demo. */
const depths = [1, 2, 3]

for (const screen of screens()) {
  test(`the demo at ${screen.name}`, async ({ somebody }) => {
    const { page } = await somebody(screen.context)
    await page.goto(`/?demo&lang=${screen.lang}`)
    await page.getByTestId(testid.demoPause).click()
    await expectLive(page)
    const demo = page.getByTestId(testid.demoPage)
    const left = new Set(depths)
    while ((await demo.getAttribute('data-state')) !== 'over') {
      const depth = Number(await page.getByTestId(testid.stack).getAttribute('data-depth').catch(() => 0))
      if (left.delete(depth)) await page.screenshot({ path: `pictures/all/demo-${depth}-${screen.name}.png` })
      await page.getByTestId(testid.demoStep).click()
      await expect(demo.locator('[aria-disabled="true"]')).toHaveCount(0)
    }
    await page.screenshot({ path: `pictures/all/demo-over-${screen.name}.png` })
  })
}
