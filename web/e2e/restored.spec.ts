import { testid } from '../src/lib/testids'
import { expectLive, expectTurn, quartet } from './table'
import { expect, phone, test } from './test'

test('a server that went back to an older state says so to everybody who saw more, and what to do', async ({ server, somebody }) => {
  const { table, ana, ash, birch } = await quartet(server)
  const gm = await somebody()
  await table.open(gm.page, 'gm')
  const player = await somebody(phone)
  await table.open(player.page, ana)
  await expectTurn(player.page, ash)
  await server.backup()
  await table.do({ type: 'say', text: 'Gone' }, { type: 'endTurn' })
  for (const { page } of [gm, player]) await expectTurn(page, birch)
  // Somebody who keeps only what was seen, and has no page open meanwhile.
  const later = await somebody()
  await table.open(later.page, 'gm')
  await expectTurn(later.page, birch)
  await later.page.goto('/')

  // A start alone loses nothing, and nothing is said.
  await server.kill()
  await server.start()
  for (const { page } of [gm, player]) {
    await expectLive(page)
    await expectTurn(page, birch)
    await expect(page.getByTestId(testid.cut)).toHaveCount(0)
  }

  await server.kill()
  server.restore()
  await server.start()
  for (const { page } of [gm, player]) {
    await expectTurn(page, ash)
    await expectLive(page)
    await expect(page.getByRole('status').getByTestId(testid.cut)).toBeVisible()
  }
  await expect(gm.page.getByTestId(testid.cut)).toContainText('do again what is missing')
  await expect(player.page.getByTestId(testid.cut)).toContainText('The game master can tell from the log')
  // It stays until it is dismissed, and one goes on.
  await player.page.getByTestId(testid.endTurn).click()
  await expectTurn(player.page, birch)
  await player.page.getByTestId(testid.cutClose).click()
  await expect(player.page.getByTestId(testid.cut)).toHaveCount(0)
  await expectTurn(gm.page, birch)
  await expect(gm.page.getByTestId(testid.cut)).toBeVisible()
  await table.open(later.page, 'gm')
  await expect(later.page.getByTestId(testid.cut)).toBeVisible()
  // Whoever comes for the first time has lost nothing.
  const fresh = await somebody()
  await table.open(fresh.page, 'gm')
  await expect(fresh.page.getByTestId(testid.cut)).toHaveCount(0)
})
