// The interrupt, on every face at once: who has broken in, on what, how deep,
// what the suspended one has left; and how it unwinds.

import { testid } from '../src/lib/testids'
import type { Command } from '../src/lib/wire.gen'
import { expectStack, quartet, Table, type Quartet } from './table'
import { desk, expect, phone, test, type Page, type Person } from './test'

/** Everybody who looks at the table: the game master, both players, a spectator and an overlay. */
async function watched(four: Quartet, somebody: (screen?: typeof desk) => Promise<Person>) {
  const [gm, ana, bo, eve, stream] = [await somebody(), await somebody(phone), await somebody(phone), await somebody(), await somebody({ viewport: { width: 480, height: 700 } })]
  await four.table.open(gm.page, 'gm')
  await four.table.open(ana.page, four.ana)
  await four.table.open(bo.page, four.bo)
  await four.table.open(eve.page, 'spectator')
  await four.table.open(stream.page, 'spectator', 'overlay')
  return { gm: gm.page, ana: ana.page, bo: bo.page, eve: eve.page, stream: stream.page, faces: [gm.page, ana.page, bo.page, eve.page] }
}

/** The frame that a combatant has, the topmost one. */
const frame = (page: Page, combatant: string) => page.locator(`[data-testid^="frame-"][data-combatant="${combatant}"]`).last()

const attack = (combatant: string, target: string): Command => ({ type: 'react', combatant, kind: 'opportunityAttack', targets: [target], attack: { total: 17, damage: '5' } })

test('somebody breaks in and the turn goes on, on four faces and the overlay', async ({ server, somebody }) => {
  const four = await quartet(server)
  const { table, ash, birch, cedar } = four
  const { ana, bo, eve, stream, faces } = await watched(four, somebody)
  await table.do({ type: 'move', combatant: ash, feet: 20 })

  await test.step('Cedar breaks into Ash’s turn', async () => {
    await table.do(attack(cedar, ash))
    for (const page of faces) {
      await expectStack(page, ash, cedar)
      const acting = frame(page, cedar)
      await expect(acting).toHaveAttribute('data-acting', 'true')
      await expect(acting).toContainText('breaks in')
      await expect(acting).toContainText('In answer to: Move')
      await expect(acting).toContainText('Opportunity attack → Ash (17)')
      await expect(acting.getByTestId(testid.depth)).toHaveText('2 deep')
      await expect(frame(page, ash)).toContainText('still has 1 action and 10 ft')
    }
    await expect(ana.getByTestId(testid.interrupted)).toContainText('Interrupted by Cedar')
    await expect(ana.getByTestId(testid.interrupted)).toContainText('You go on right after: 1 action and 10 ft left.')
    await expect(bo.getByTestId(testid.interrupted)).toBeHidden()
    await expect(stream.getByTestId(testid.overlay)).toContainText('Opportunity attack → Ash (17)')
  })

  await test.step('Birch answers, and Ash waits for two', async () => {
    await table.do({ type: 'react', combatant: birch, kind: 'other', name: 'Cutting words' })
    for (const page of faces) {
      await expectStack(page, ash, cedar, birch)
      await expect(frame(page, birch).getByTestId(testid.depth)).toHaveText('3 deep')
      await expect(frame(page, cedar)).toHaveAttribute('data-acting', 'false')
    }
    await expect(ana.getByTestId(testid.interrupted)).toContainText('after 2 interruptions')
    await expect(bo.getByTestId(testid.myTurn)).toHaveText('Your reaction')
    await expect(bo.getByTestId(testid.announcerNow)).toHaveText('Your reaction: Birch.')
    await expect(frame(bo, birch)).toContainText('In answer to: Opportunity attack')
    await expect(stream.getByTestId(testid.overlay)).toContainText('Cutting words')
  })

  await test.step('it unwinds: Cedar goes on, then Ash is back', async () => {
    await bo.getByTestId(testid.endTurn).click()
    for (const page of faces) {
      await expectStack(page, ash, cedar)
      await expect(frame(page, cedar)).toContainText('goes on')
      await expect(frame(page, cedar)).toContainText('after Birch · Cutting words')
    }
    await table.do({ type: 'endTurn', combatant: cedar })
    for (const page of faces) await expectStack(page, ash)
    await expect(ana.getByTestId(testid.interrupted)).toBeHidden()
    await expect(ana.getByTestId(testid.myTurn)).toHaveText('You are back: 1 action, 10 ft, and 1 object interaction left')
    await expect(frame(eve, ash)).toContainText('after Cedar · Opportunity attack → Ash')
    await expect(stream.getByTestId(testid.overlayNow)).toContainText('goes on · after Cedar')
    // Once Ash does something it is a turn like any other.
    await table.do({ type: 'act', combatant: ash, kind: 'dodge' })
    await expect(ana.getByTestId(testid.myTurn)).toHaveText('Your turn')
    await expect(stream.getByTestId(testid.overlayNow)).not.toContainText('goes on')
  })
})

test('whoever is interrupted is back only when the last one asked has answered', async ({ server, somebody }) => {
  const { table, ana, ash, cedar, dune } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  const { page } = await somebody(phone)
  await table.open(page, ana)
  await table.do({ type: 'move', combatant: ash, feet: 10, leavesReachOf: [cedar, dune] })
  await table.do({ type: 'react', combatant: cedar, kind: 'opportunityAttack', targets: [ash], attack: { total: 3 }, window: (await table.view()).window!.window, done: true })
  await expect(page.getByTestId(testid.window)).toContainText('Dune may react')
  await expect(page.getByTestId(testid.myTurn)).toHaveText('Your turn')
  await table.do({ type: 'decline', combatant: dune, window: (await table.view()).window!.window })
  await expect(page.getByTestId(testid.window)).toBeHidden()
  await expect(page.getByTestId(testid.stack)).toContainText('Done: Move 10 ft')
})

test('a reaction that is over in one tap is seen by all the others', async ({ server, somebody }) => {
  const four = await quartet(server)
  const { table, ash, cedar } = four
  const { ana, bo, eve } = await watched(four, somebody)
  await table.do(attack(cedar, ash))
  await expectStack(ana, ash, cedar)
  await ana.getByTestId(testid.react).click()
  await ana.getByTestId('deed-kind').selectOption('shield')
  await ana.getByTestId(testid.deedSend).click()
  for (const page of [bo, eve]) {
    await expect(frame(page, cedar)).toContainText('after Ash · Shield')
    await expectStack(page, ash, cedar)
  }
})

test('nothing moves for those who want it calm, and nothing jumps for the rest', async ({ server, somebody }) => {
  const { table, ash, cedar } = await quartet(server)
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const { page } = await somebody({ reducedMotion })
    await table.open(page, 'spectator')
    await expectStack(page, ash)
    // Every movement that is begun in the thread is noted.
    await page.evaluate((id) => {
      const moved: string[] = []
      const begin = Element.prototype.animate
      Object.assign(window, { moved })
      Element.prototype.animate = function (frames, options) {
        const ms = typeof options === 'number' ? options : Number(options?.duration ?? 0)
        if (ms > 1 && this.closest(`[data-testid="${id}"]`)) moved.push(this.tagName)
        return begin.call(this, frames, options)
      }
    }, testid.stack)
    const moved = () => page.evaluate(() => (window as unknown as { moved: string[] }).moved.length)
    await table.do(attack(cedar, ash))
    await expectStack(page, ash, cedar)
    await table.do({ type: 'endTurn', combatant: cedar }, { type: 'grant', combatant: cedar, pool: 'reaction', amount: 1 })
    await expectStack(page, ash)
    if (reducedMotion === 'reduce') expect(await moved()).toBe(0)
    else await expect.poll(moved).toBeGreaterThan(1)
  }
})

/** Six whose names are hard to show, five of them broken in one upon the other; the first is Ana's. */
async function deep(server: Parameters<typeof Table.create>[0]) {
  const table = await Table.create(server, { reactionWindows: 'off', turnSeconds: '600' })
  const ana = await table.seat('Ana')
  const names = ['Archibald Theodosius of the Deep and Very Dark Marsh beyond the Second Hill', 'محارب الظل القديم العظيم', 'W'.repeat(80), '🧙‍♂️ Ælfrēd', 'Bel']
  for (const [i, name] of names.entries()) {
    await table.do({ type: 'addCombatant', name, side: i % 2 ? 'foes' : 'party', kind: i % 2 ? 'npc' : 'pc', init: 20 - i, hp: 24, ac: 15, ...(i === 0 ? { seat: ana.seat } : {}) })
  }
  const ids = await Promise.all(names.map(async (name) => (await table.combatant(name)).id))
  await table.do({ type: 'startCombat' })
  for (const id of ids.slice(1)) await table.do({ type: 'react', combatant: id, kind: 'other', name: 'Something that takes a long name to say what it is' })
  return { table, ana, ids }
}

for (const [width, height] of [[390, 844], [320, 568]] as const) {
  test(`five deep, who acts and what to press are on a phone of ${width} by ${height} at once`, async ({ server, somebody }) => {
    const { table, ana, ids } = await deep(server)
    const screen = { ...phone, viewport: { width, height } }
    const player = await somebody(screen)
    await table.open(player.page, ana)
    await expectStack(player.page, ...ids)
    const top = ids.at(-1)!
    // The name of who acts, above what lies over the page's foot.
    await expect(frame(player.page, top).locator('.name')).toBeInViewport({ ratio: 1 })
    await expect.poll(() => frame(player.page, top).locator('.name').evaluate((name) => {
      const { left, bottom } = name.getBoundingClientRect()
      return name.contains(document.elementFromPoint(left + 4, bottom - 2))
    })).toBe(true)
    await expect(player.page.getByTestId(testid.interrupted)).toBeInViewport({ ratio: 1 })
    await expect(frame(player.page, ids[0]!)).toContainText('still has 1 action and 30 ft')
    await expect(frame(player.page, ids[0]!)).toBeInViewport({ ratio: 1 })
    await expect.poll(() => player.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)

    // A line that waits opens to everything about it, and closes again.
    const line = frame(player.page, ids[0]!).getByRole('button')
    await line.click()
    await expect(line).toHaveAttribute('aria-expanded', 'true')
    await expect(frame(player.page, ids[0]!)).toContainText('interrupted by')
    await line.click()
    await expect(line).toHaveAttribute('aria-expanded', 'false')
  })
}

test('those in between fold on a short screen and open again', async ({ server, somebody }) => {
  const { table, ids } = await deep(server)
  const { page } = await somebody({ ...phone, viewport: { width: 320, height: 568 } })
  await table.open(page, 'spectator')
  await expectStack(page, ...ids)
  await expect(frame(page, ids[1]!)).toBeHidden()
  const fold = page.getByRole('button', { name: '2 more in between' })
  await fold.click()
  for (const id of ids) await expect(frame(page, id)).toBeVisible()
  await page.getByRole('button', { name: 'Show fewer' }).click()
  await expect(frame(page, ids[1]!)).toBeHidden()
})

test('whoever is asked has the answer under the thumb, with what it costs and how long there is', async ({ server, somebody }) => {
  const four = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '600' })
  const { table, ash, cedar } = four
  await table.do({ type: 'setActive', combatant: cedar })
  const { gm, ana, bo, eve, stream } = await watched(four, somebody)
  await table.do({ type: 'act', combatant: cedar, kind: 'attack', targets: [ash], attack: { total: 17, damage: '5' } })

  const sheet = ana.getByTestId(testid.window)
  await expect(sheet).toContainText('You may react')
  await expect(sheet).toContainText('Cedar: Attack → you (Ash)')
  await expect(sheet).toContainText('total 17')
  await expect(sheet.getByTestId(testid.clock)).toBeVisible()
  await expect(sheet.getByTestId(testid.reactButton)).toHaveText(/Shield\s*1 reaction/)
  for (const button of [testid.reactButton, testid.declineButton]) {
    await expect(sheet.getByTestId(button)).toBeInViewport({ ratio: 1 })
    // Large, and in the lower half, where a thumb is.
    await expect.poll(async () => (await sheet.getByTestId(button).boundingBox())!.height).toBeGreaterThanOrEqual(56)
    await expect.poll(async () => (await sheet.getByTestId(button).boundingBox())!.y).toBeGreaterThan(844 / 2)
  }
  // The others are told who is asked and for how long, with nothing to press.
  for (const page of [bo, eve]) {
    await expect(page.getByTestId(testid.window)).toContainText('Ash may react')
    await expect(page.getByTestId(testid.window).getByTestId(testid.clock)).toBeVisible()
    await expect(page.getByTestId(testid.window).getByRole('button')).toHaveCount(0)
  }
  await expect(stream.getByTestId(testid.overlay)).toContainText('Ash may react')
  await expect(gm.getByTestId(testid.window)).toContainText('Ash may react')

  await sheet.getByTestId(testid.reactButton).tap()
  for (const page of [gm, ana, bo, eve]) await expect(page.getByTestId(testid.window)).toBeHidden()
  await expect(ana.getByTestId(testid.character(ash))).toContainText('24/24')
  await expect(eve.getByTestId(testid.stack)).toContainText('after Ash · Shield')
})

test('the game master lets somebody break in out of turn, and gives a reaction back', async ({ server, somebody }) => {
  const four = await quartet(server)
  const { table, ash, cedar, dune } = four
  const { page } = await somebody()
  await table.open(page, 'gm')
  await table.do({ ...attack(cedar, ash), done: true } as Command)
  await page.getByTestId(testid.breakIn).click()
  const of = (id: string) => page.getByTestId(testid.breakInOf(id))
  await of(cedar).getByRole('button', { name: 'Give a reaction back' }).click()
  await expect(of(cedar).getByRole('button', { name: 'React' })).toBeVisible()
  await of(dune).getByRole('button', { name: 'React' }).click()
  await page.getByTestId('deed-kind').selectOption('other')
  await page.getByTestId('deed-name').fill('Roar')
  await page.getByTestId('deed-done').uncheck()
  await page.getByTestId(testid.deedSend).click()
  await expectStack(page, ash, dune)
  await expect(frame(page, dune)).toContainText('Roar')
})

test('those who stand ready or delay are seen waiting by all', async ({ server, somebody }) => {
  const four = await quartet(server)
  const { table, ash, birch } = four
  const { gm, ana, bo, eve } = await watched(four, somebody)
  await ana.getByTestId(testid.ready).click()
  await ana.getByTestId('deed-trigger').fill('the bridge breaks')
  await ana.getByTestId(testid.deedSend).click()
  for (const page of [gm, ana, bo, eve]) {
    await expect(page.getByTestId(testid.waiting)).toContainText('Ash')
    await expect(page.getByTestId(testid.waiting)).toContainText('the bridge breaks')
  }
  await table.do({ type: 'endTurn', combatant: ash })
  await gm.getByTestId(testid.waiting).getByRole('button', { name: 'Release' }).click()
  await gm.getByTestId('attack-mode-verdict').click()
  await gm.getByTestId(testid.deedSend).click()
  for (const page of [gm, ana, bo, eve]) {
    await expect(page.getByTestId(testid.waiting)).toBeHidden()
    await expect(frame(page, birch)).toContainText('after Ash')
  }
})
