// Takes a picture of what each face says when all is not well: cut off, without
// a network, at a server that went back, refused, behind a new version, or with
// a link that leads nowhere. In pictures/all, for people to look at.

import { scenes } from '../src/design/scenes'
import { testid } from '../src/lib/testids'
import { Link } from '../e2e/link'
import { expectLive, Table } from '../e2e/table'
import { expect, test, type Page } from '../e2e/test'
import { screens } from './screens'

const faces = ['gm', 'player', 'spectator', 'overlay', 'join'] as const
type Face = (typeof faces)[number]
const status = (page: Page) => page.getByTestId(testid.connection)

for (const screen of screens()) {
  const take = (page: Page, what: string) => page.screenshot({ path: `pictures/all/${what}-${screen.name}.png` })
  const query = `lang=${screen.lang}`

  test(`cut off at ${screen.name}`, async ({ server, somebody }) => {
    const table = await Table.create(server)
    const seat = await scenes.turn.play(table)
    const role = { gm: 'gm', player: seat, spectator: 'spectator', overlay: 'spectator', join: 'player' } as const
    for (const face of faces) {
      const link = await Link.to(server)
      const { page } = await somebody(screen.context)
      const address = table.link(role[face]).replace(server.url, link.url)
      await page.goto(address.replace('#', face === 'overlay' ? `?overlay&${query}#` : `?${query}#`))
      if (face === 'overlay') await expect(page.getByTestId(testid.overlayNow)).toBeVisible()
      else await expectLive(page)
      link.silence()
      if (face === 'overlay') await expect(page.getByTestId(testid.overlayStale)).toBeVisible()
      else {
        await expect(status(page)).toHaveAttribute('data-status', 'stale')
        await expect(page.locator('.strip p')).toBeVisible()
      }
      await take(page, `stale-${face}`)
      if (face !== 'overlay') {
        await expect(status(page)).toHaveAttribute('data-status', 'reconnecting')
        await take(page, `reconnecting-${face}`)
        await page.context().setOffline(true)
        await expect(status(page)).toHaveAttribute('data-status', 'offline')
        await take(page, `offline-${face}`)
      }
      if (face === 'player') {
        await page.getByTestId('talk').fill('?')
        await page.getByTestId('talk').press('Enter')
        await expect(page.getByTestId(testid.notices).locator('.notice')).toBeVisible()
        await take(page, `refused-${face}`)
      }
      await page.context().close()
      await link.close()
    }
  })

  test(`a server that went back, and one that is newer at ${screen.name}`, async ({ server, somebody }) => {
    const table = await Table.create(server)
    const seat = await scenes.turn.play(table)
    const open = async (face: Exclude<Face, 'overlay'>) => {
      const { page } = await somebody(screen.context)
      await table.open(page, face === 'player' ? seat : face === 'join' ? 'player' : face, query)
      return [face, page] as const
    }
    const pages = [await open('gm'), await open('player'), await open('spectator'), await open('join')]
    await server.backup()
    await table.do({ type: 'endTurn' })
    const { turn } = await table.view()
    for (const [, page] of pages) await expect(page.locator(`[data-testid="${testid.orderRow(turn!.combatant)}"][data-current="true"]`)).toHaveCount(1)
    await server.kill()
    server.restore()
    await server.start()
    for (const [face, page] of pages) {
      await expect(page.getByTestId(testid.cut)).toBeVisible()
      await expectLive(page)
      await take(page, `cut-${face}`)
      await page.getByTestId(testid.cutClose).click()
      await page.route(`${server.url}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/main-new.js"></script>' }))
    }
    await server.kill()
    await server.start()
    for (const [face, page] of pages) {
      await expect(page.getByTestId(testid.upgrade)).toBeVisible()
      await expectLive(page)
      await take(page, `newer-${face}`)
    }
  })

  test(`links that lead nowhere at ${screen.name}`, async ({ server, somebody }) => {
    const table = await Table.create(server)
    const seat = await scenes.turn.play(table)
    const [own, shared, watching, nobody] = [await somebody(screen.context), await somebody(screen.context), await somebody(screen.context), await somebody(screen.context)]
    await table.open(own.page, seat, query)
    await table.open(shared.page, 'player', query)
    await shared.page.getByTestId(testid.seatName).fill('Bo')
    await shared.page.getByTestId(testid.takeSeat).click()
    await expect(shared.page.getByTestId(testid.player)).toBeVisible()
    await take(shared.page, 'seated-player')
    await table.open(watching.page, 'spectator', query)
    const bo = Object.entries(await table.view()).flatMap(([key, value]) => (key.startsWith('seats/') && (value as { name: string }).name === 'Bo' ? [key.slice('seats/'.length)] : []))[0]!
    await table.do({ type: 'removeSeat', seat: seat.seat }, { type: 'removeSeat', seat: bo }, { type: 'replaceLink', role: 'spectator' })
    await expect(own.page.getByTestId(testid.ended)).toBeVisible()
    await take(own.page, 'removed-player')
    await expect(shared.page.getByRole('alert').first()).toBeVisible()
    await expect(shared.page.getByTestId(testid.seatForm)).toBeVisible()
    await take(shared.page, 'removed-join')
    await expect(watching.page.getByTestId(testid.ended)).toBeVisible()
    await take(watching.page, 'replaced-spectator')
    await nobody.page.goto(`/e/01890000-0000-7000-8000-000000000000?${query}#none`)
    await expect(nobody.page.getByTestId(testid.ended)).toBeVisible()
    await take(nobody.page, 'unknown-ended')
    await nobody.page.goto('about:blank')
    await nobody.page.routeWebSocket('**/ws', () => undefined)
    await nobody.page.goto(table.link('gm').replace('#', `?${query}#`))
    await expect(nobody.page.locator('.wait p')).toHaveCount(2)
    await take(nobody.page, 'unreachable-gm')
  })
}
