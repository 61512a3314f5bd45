import { testid } from '../src/lib/testids'
import { create, sit } from './pages'
import { expectLive, Table } from './table'
import { desk, expect, phone, test } from './test'
import { expectWholeWords } from './words'

for (const [name, screen] of [['phone', phone], ['desk', desk]] as const) {
  test(`what was run, joined or watched is found on the start page, and forgotten when asked (${name})`, async ({ server, somebody }) => {
    const { page } = await somebody(screen)
    const links = await create(page, 'The bridge at dawn')
    const other = await Table.create(server)
    await sit(page, other.link('player'), 'Ana')
    const watched = await Table.create(server)
    await watched.open(page, 'spectator')
    await page.goto('/')

    const known = page.getByTestId(testid.known)
    await expect(known.locator('li')).toHaveText([/The bridge.*spectator.*5e/s, /The bridge.*player.*5e/s, /The bridge at dawn.*GM.*5e/s])
    await expect(page.getByTestId(testid.backTo)).toContainText('The bridge')
    // The player is the same one again, without giving a name.
    await known.getByRole('link').nth(1).click()
    await expect(page.getByTestId(testid.player)).toBeVisible()
    await page.goto('/')
    await known.getByRole('link', { name: 'The bridge at dawn' }).click()
    await expect(page.getByTestId(testid.gm)).toBeVisible()

    await page.goto('/')
    await page.getByRole('button', { name: 'Take The bridge at dawn off this list' }).click()
    await expect(known.locator('li')).toHaveCount(2)
    await page.reload()
    await expect(known.locator('li')).toHaveCount(2)
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(new URL(links.player).hash.slice(1))
  })

  test(`a fight is joined by its link, or by its short code (${name})`, async ({ server, somebody }) => {
    const table = await Table.create(server)
    const gm = await somebody()
    await table.open(gm.page, 'gm')
    // This browser knows no link but its own: a GM who made the fight elsewhere makes new ones.
    await gm.page.getByTestId(testid.openShare).click()
    await gm.page.getByTestId(testid.replaceLink('spectator')).click()
    await gm.page.getByTestId(testid.confirm).click()
    await gm.page.getByTestId(testid.makeCode('spectator')).click()
    const code = await gm.page.getByTestId(testid.shortCode('spectator')).innerText()
    expect(code).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/)
    const { page } = await somebody(screen)
    await page.goto('/')
    const field = page.getByTestId(testid.joinLink)
    const join = page.getByTestId(testid.join)
    await field.fill('the bridge')
    await join.click()
    await expect(page.getByRole('alert').filter({ hasText: 'no Riposte link' })).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await field.fill(` ${table.link('player')} `)
    await join.click()
    await expect(page.getByTestId(testid.seatForm)).toBeVisible()

    await page.goto('/')
    await field.fill('aaaa aaaa')
    await join.click()
    await expect(page.getByRole('alert').filter({ hasText: 'No fight has this code' })).toBeVisible()
    // As somebody types it who has heard it.
    await field.fill(code.replace('-', ' ').toLowerCase())
    await field.press('Enter')
    await expect(page.getByTestId(testid.spectator)).toBeVisible()

    // As an address, it is joined without a word; one that is none says so.
    await page.goto(`/j/${code}`)
    await expect(page.getByTestId(testid.spectator)).toBeVisible()
    await page.goto('/j/AAAA-AAAA')
    await expect(page.getByRole('alert').filter({ hasText: 'No fight has this code' })).toBeVisible()
  })

  test(`the demo fight is watched, paused, stepped through and closed (${name})`, async ({ somebody }) => {
    const { page } = await somebody(screen)
    await page.goto('/')
    await page.getByTestId(testid.demo).click()
    const demo = page.getByTestId(testid.demoPage)
    await page.getByTestId(testid.demoPause).click()
    await expect(demo).toHaveAttribute('data-state', 'paused')
    await expectLive(page)
    const frames = page.getByTestId(testid.stack).locator('[data-testid^="frame-"]')
    const saying = page.getByTestId(testid.demoSaying)
    const step = page.getByTestId(testid.demoStep)
    const stepTo = async (text: string) => {
      // No more than there are; one at a time.
      for (let i = 0; i < 20; i++) {
        await expect(demo.locator('[aria-disabled="true"]')).toHaveCount(0)
        if ((await saying.innerText()).includes(text)) return
        await step.click()
      }
      throw new Error(`nothing said ${text}`)
    }
    await stepTo('breaks in with Counterspell')
    await expect(frames).toHaveCount(2)
    await stepTo('opportunity attack')
    await stepTo('three deep')
    await expect(frames).toHaveCount(3)
    await stepTo('goes on exactly where it stood')
    await expect(frames).toHaveCount(1)
    await stepTo('The fight is over')
    await expect(demo).toHaveAttribute('data-state', 'over')
    await expect(page.getByTestId(testid.spectator)).toContainText('The fight is over.')

    // Again is another fight, from the start.
    await page.getByTestId(testid.demoAgain).click()
    await expect(demo).toHaveAttribute('data-state', 'playing')
    await page.getByTestId(testid.demoClose).click()
    await expect(page.getByTestId(testid.create)).toBeVisible()
  })
}

test('the bar of the demo fits a small phone', async ({ somebody }) => {
  const { page } = await somebody({ ...phone, viewport: { width: 320, height: 640 } })
  await page.goto('/?demo&lang=fr')
  await page.getByTestId(testid.demoPause).click()
  await expectLive(page)
  await expectWholeWords(page, 'the demo')
  for (const id of [testid.demoPause, testid.demoStep, testid.demoClose]) await expect(page.getByTestId(id)).toBeInViewport({ ratio: 1 })
})

test('the demo plays on the server that everybody uses', async ({ somebody }) => {
  const { page } = await somebody()
  const created = page.waitForResponse((response) => response.url().endsWith('/api/encounters'))
  await page.goto('/?demo')
  const { id, tokens } = (await (await created).json()) as { id: string; tokens: Record<string, string> }
  await page.getByTestId(testid.demoPause).click()
  await expect(page.getByTestId(testid.demoPage)).toHaveAttribute('data-state', 'paused')
  const other = await somebody(phone)
  await other.page.goto(`/e/${id}#${tokens.spectator}`)
  await expectLive(other.page)
  await page.getByTestId(testid.demoStep).click()
  for (const shown of [page, other.page]) await expect(shown.getByTestId(testid.title)).toHaveText('Ambush at the ford')
})
