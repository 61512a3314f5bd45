import { testid } from '../src/lib/testids'
import { expectLive, expectTurn, quartet } from './table'
import { desk, expect, phone, test } from './test'
import { installed } from './worker'

test('the application can be installed', async ({ server, somebody }) => {
  const { page } = await somebody()
  await page.goto('/')
  const manifest = (await (await fetch(server.url + '/manifest.webmanifest')).json()) as { display: string; icons: { src: string; sizes: string; purpose?: string }[] }
  expect(manifest.display).toBe('standalone')
  expect(manifest.icons.some((icon) => icon.purpose === 'maskable')).toBe(true)
  for (const { src } of manifest.icons) expect((await fetch(server.url + src)).status).toBe(200)
  await expect(page.locator('meta[name="theme-color"]')).toHaveCount(2)
})

for (const [name, screen] of [['phone', phone], ['desk', desk]] as const) {
  test(`opened without a server it shows the last known state as old, and is live at once afterwards (${name})`, async ({ server, somebody }) => {
    const { table, ana, ash, birch } = await quartet(server)
    const { page } = await somebody({ ...screen, serviceWorkers: 'allow' })
    await table.open(page, ana)
    await installed(page)
    await expectTurn(page, ash)
    // Leaving the page keeps what it showed.
    await page.goto('about:blank')

    await page.context().setOffline(true)
    await page.goto(table.link(ana))
    await expect(page.getByTestId(testid.connection)).toHaveAttribute('data-status', 'offline')
    await expect(page.getByText(/^No network\. This is how it was at/)).toBeVisible()
    await expectTurn(page, ash)
    await expect(page.getByText('Your turn is over')).toBeHidden()
    await expect(page.locator(`[data-testid="${testid.endTurn}"]:not([aria-disabled="true"])`)).toHaveCount(0)

    await table.do({ type: 'endTurn' })
    await page.context().setOffline(false)
    await expectLive(page)
    await expectTurn(page, birch)
  })
}

test('a server that is gone is said to be, and its fight goes on when it is back', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server)
  const { page } = await somebody({ ...phone, serviceWorkers: 'allow' })
  await table.open(page, ana)
  await installed(page)
  await expectTurn(page, ash)
  await page.goto('about:blank')
  await server.kill()
  await page.goto(table.link(ana))
  await expect(page.getByText(/^Not live\. This is how it was at/)).toBeVisible()
  await expectTurn(page, ash)
  // Another key sees nothing of it.
  const stranger = await page.context().newPage()
  await stranger.goto(table.link('spectator'))
  await expect(stranger.getByText('The server cannot be reached')).toBeVisible()
  await expect(stranger.getByTestId(testid.order)).toBeHidden()
  await server.start()
  await expectLive(page)
})

test('what is of a fight is never kept among the files', async ({ server, somebody }) => {
  const { table, ana } = await quartet(server)
  const { page } = await somebody({ ...desk, serviceWorkers: 'allow' })
  await table.open(page, ana)
  await installed(page)
  await page.reload()
  await expectLive(page)
  await page.evaluate(() => fetch('/api/systems'))
  const kept = await page.evaluate(async () => {
    const urls: string[] = []
    for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) urls.push(new URL(request.url).pathname)
    return urls
  })
  expect(kept).toContain('/')
  expect(kept.filter((path) => /^\/(api|ws|e)\b/.test(path))).toEqual([])
})
