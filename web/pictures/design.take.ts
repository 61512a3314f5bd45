// Takes a picture of the design page, which only development builds have, in
// both themes: every component in every state.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, test } from '../e2e/test'

test('every component', async ({ server, somebody }) => {
  const vite = spawn('npx', ['vite', '--port', '0', '--host', '127.0.0.1'], { env: { ...process.env, RIPOSTE_URL: server.url, NO_COLOR: '1' }, detached: true })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      createInterface(vite.stdout).on('line', (line) => {
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line)
        if (found) resolve(found[0])
      })
      vite.once('exit', (code) => reject(new Error(`vite ended with ${code}`)))
    })
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await somebody({ viewport: { width: 1280, height: 900 }, colorScheme })
      await page.goto(`${url}/design`)
      await expect(page.getByRole('navigation').getByRole('link', { name: 'Stack', exact: true })).toBeVisible()
      const names = await page.getByRole('navigation').getByRole('link').allTextContents()
      // All of them off one page: each moment is played once, and not for every component that shows it.
      const region = (name: string) => page.getByRole('region', { name, exact: true })
      for (const name of names) await expect(region(name).locator('figure').first()).toBeVisible()
      await expect(page.locator('.note')).toHaveCount(0)
      for (const name of names) {
        await region(name).screenshot({ path: `pictures/all/design-${name}-${colorScheme}.png` })
      }
    }
  } finally {
    process.kill(-vite.pid!)
  }
})
