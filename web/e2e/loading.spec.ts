import { testid } from '../src/lib/testids'
import { expectLive, quartet, Table } from './table'
import { expect, phone, test } from './test'

test('what a page begins with is asked for before any script has run, compressed, and for all time', async ({ server }) => {
  const page = await (await fetch(server.url)).text()
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((m) => m[1]!)
  expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(2)
  for (const file of files) {
    const response = await fetch(server.url + file, { headers: { 'Accept-Encoding': 'br' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('content-encoding')).toBe('br')
  }
})

test('a spectator’s page gets nothing of the game master’s', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  const { page } = await somebody()
  const got: string[] = []
  page.on('request', (request) => got.push(new URL(request.url()).pathname))
  await table.open(page, 'spectator')
  expect(got.some((path) => path.includes('/assets/App-'))).toBe(true)
  expect(got.filter((path) => /\/(Gm|Start|.*Dialog|LinkCard)-/.test(path))).toEqual([])
})

test('a page whose parts are gone since an upgrade loads itself anew, once', async ({ server, somebody }) => {
  const table = await Table.create(server)
  const { page } = await somebody()
  let loads = 0
  page.on('load', () => loads++)
  // The server's page names another script now, and has no more of this page's parts.
  await page.route(`${server.url}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/main-new.js"></script>' }))
  await page.route('**/assets/KeysDialog-*.js', (route) => route.fulfill({ status: 404 }))
  await table.open(page, 'gm')
  await expect.poll(() => loads).toBe(2)
  await expectLive(page)
  await page.getByTestId(testid.openKeys).click()
  await expect(page.getByText('This part could not be loaded')).toBeVisible()
  expect(loads).toBe(2)
})

test('a new version is offered once the server is back, and loaded when asked', async ({ server, somebody }) => {
  const table = await Table.create(server)
  const { page } = await somebody({ ...phone, viewport: { width: 320, height: 640 } })
  let loads = 0
  page.on('load', () => loads++)
  await table.open(page, 'gm')
  await page.route(`${server.url}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/main-new.js"></script>' }))
  await server.kill()
  await expect(page.getByTestId(testid.connection)).not.toHaveAttribute('data-status', 'live')
  await server.start()
  await expectLive(page)
  for (const id of [testid.upgrade, testid.openSeeAs, testid.openMenu]) await expect(page.getByTestId(id)).toBeInViewport({ ratio: 1 })
  await page.getByTestId(testid.upgrade).click()
  await expect.poll(() => loads).toBe(2)
  await expectLive(page)
})

test('a part that could not be loaded can be had once the network is back', async ({ server, somebody }) => {
  const table = await Table.create(server)
  const { page } = await somebody()
  await page.route('**/assets/KeysDialog-*.js', (route) => route.abort())
  await table.open(page, 'gm')
  const open = page.getByTestId(testid.openKeys)
  await open.click()
  await expect(page.getByText('This part could not be loaded')).toBeVisible()
  await page.unroute('**/assets/KeysDialog-*.js')
  await open.click()
  await expect(page.getByTestId(testid.keys)).toBeVisible()
})
