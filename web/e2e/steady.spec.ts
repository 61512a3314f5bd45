// What an update may not do: move what somebody is about to press.

import { testid } from '../src/lib/testids'
import { expectStack, expectTurn, quartet, type Table } from './table'
import { expect, phone, test, type Page } from './test'

/** Where these stand on the screen, to the pixel. */
function places(page: Page, ids: readonly string[]): Promise<Record<string, number[]>> {
  return page.evaluate((ids) => Object.fromEntries(ids.map((id) => {
    const { x, y, width, height } = document.querySelector(`[data-testid="${id}"]`)!.getBoundingClientRect()
    return [id, [x, y, width, height].map(Math.round)]
  })), ids)
}

/** Waits until the page has taken what was done before: the words come after it on the same socket. */
async function settle(table: Table, page: Page, words: string): Promise<void> {
  await table.do({ type: 'say', text: words })
  await expect(page.getByTestId(testid.log)).toContainText(words)
}

for (const [size, screen] of [['a desk', { viewport: { width: 1280, height: 860 } }], ['a phone', { ...phone, viewport: { width: 320, height: 700 } }]] as const) {
  test(`Next, Back, Redo and the field for hit points stay where they are, on ${size}`, async ({ server, somebody }) => {
    const { table, ana, bo, ash, birch, cedar, dune } = await quartet(server, { playersHurt: 'ask', turnSeconds: '600' })
    const [{ page }, player] = [await somebody(screen), await somebody(phone)]
    await table.open(page, 'gm')
    await page.getByTestId(testid.select(cedar)).check()
    const controls = [testid.next, testid.undo, testid.redo, testid.hpInput]
    const before = await places(page, controls)
    const steps: Record<string, () => Promise<void>> = {
      'hit points': () => table.do({ type: 'damage', combatants: [ash, cedar], amount: 7 }, { type: 'setTempHp', combatants: [cedar], amount: 5 }),
      'a condition': () => table.do({ type: 'addEffect', combatants: [ash, birch, cedar], name: 'restrained', until: { at: 'rounds', rounds: 3 } }),
      'a longer name': () => table.do({ type: 'editCombatant', combatant: dune, name: 'Her Serene Highness Theodora Wilhelmina of the Nine Drowned Towers, called Wren' }),
      'a turn': () => table.do({ type: 'endTurn' }, { type: 'endTurn' }, { type: 'endTurn' }),
      'somebody who comes': () => table.open(player.page, ana),
      'a reaction': () => table.do({ type: 'move', combatant: dune, feet: 10, leavesReachOf: [ash] }, { type: 'react', combatant: ash, kind: 'opportunityAttack', targets: [dune] }),
      'its end': () => table.do({ type: 'endTurn' }),
      'a step back': () => table.do({ type: 'undo' }),
      'and forth': () => table.do({ type: 'redo' }),
      'the clock held': () => table.do({ type: 'pauseClock' }),
      'a proposal': async () => {
        expect(await table.send({ type: 'damage', combatants: [ash], amount: 2 }, ana.token)).toBeUndefined()
        await expect(page.getByTestId(testid.proposals)).toBeVisible()
      },
      'its answer': async () => {
        await page.getByTestId(testid.proposals).locator('[data-testid^="proposal-dismiss-"]').click()
        await expect(page.getByTestId(testid.proposals)).toBeHidden()
      },
      'a notice': async () => {
        await page.getByTestId(testid.openSeeAs).click()
        await page.getByTestId(testid.seeAsChoice(`seat:${bo.seat}`)).click()
        await expect(page.getByTestId(testid.seen).getByTestId(testid.player)).toBeVisible()
        await table.do({ type: 'removeSeat', seat: bo.seat })
        await expect(page.getByTestId(testid.notices)).toContainText('Bo is not there any more.')
      },
    }
    for (const [what, step] of Object.entries(steps)) {
      await step()
      await settle(table, page, `after ${what}`)
      expect(await places(page, controls), what).toEqual(before)
    }
  })
}

test('the answers under a player’s thumb stay where they are while others go on', async ({ server, somebody }) => {
  const { table, ana, ash, birch, cedar } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  const { page } = await somebody(phone)
  await table.open(page, ana)
  await table.do({ type: 'endTurn' }, { type: 'act', combatant: birch, kind: 'attack', targets: [ash], attack: { total: 16, damage: '4' } })
  const answers = [testid.reactButton, testid.declineButton]
  await expect(page.getByTestId(testid.declineButton)).toBeVisible()
  const before = await places(page, answers)
  const other = await somebody(phone)
  const steps = [
    () => table.do({ type: 'damage', combatants: [ash, birch, cedar], amount: 3 }),
    () => table.do({ type: 'addEffect', combatants: [ash], name: 'poisoned' }),
    () => table.do({ type: 'editCombatant', combatant: cedar, name: 'Cedar the Very Old and Very Tired King under the Hill' }),
    () => table.open(other.page, 'spectator'),
  ]
  for (const [i, step] of steps.entries()) {
    await step()
    await settle(table, page, `step ${i}`)
    expect(await places(page, answers), `step ${i}`).toEqual(before)
  }
})

test('what stands under the stack moves one way when a frame comes or goes, and not back', async ({ server, somebody }) => {
  const { table, ash, cedar } = await quartet(server)
  const { page } = await somebody({ viewport: { width: 1280, height: 860 }, reducedMotion: 'no-preference' })
  // Every change of height stops at its beginning, until the test moves it on.
  await page.addInitScript(() => {
    const held: Animation[] = []
    Object.assign(window, { held })
    const animate = Element.prototype.animate
    Element.prototype.animate = function (frames, options) {
      const animation = animate.call(this, frames, options)
      if (Array.isArray(frames) && frames.some((frame) => 'height' in frame) && frames.length > 2) {
        animation.pause()
        held.push(animation)
      }
      return animation
    }
  })
  await table.open(page, 'gm')
  await expectTurn(page, ash)
  /** How high the stack is all the while, when one frame makes room for another. */
  const heights = async () => {
    await expect.poll(() => page.evaluate(() => (window as unknown as { held: Animation[] }).held.length)).toBe(2)
    return page.evaluate(() => {
      const { held } = window as unknown as { held: Animation[] }
      const list = document.querySelector('[data-testid="stack"] ol')!
      const all: number[] = []
      for (let i = 0; i <= 20; i++) {
        for (const one of held) one.currentTime = (Number(one.effect!.getComputedTiming().duration) - 1) * i / 20
        all.push(list.getBoundingClientRect().height)
      }
      for (const one of held.splice(0)) one.finish()
      return all
    })
  }
  const expectOneWay = (all: number[]) => {
    const by = Math.sign(all.at(-1)! - all[0]!)
    for (const [i, height] of all.slice(1).entries()) expect((height - all[i]!) * by, all.map(Math.round).join(' ')).toBeGreaterThanOrEqual(-1)
  }
  await table.do({ type: 'move', combatant: ash, feet: 10, leavesReachOf: [cedar] }, { type: 'react', combatant: cedar, kind: 'opportunityAttack', targets: [ash] })
  await expect(page.getByTestId(testid.stack)).toHaveAttribute('data-depth', '2')
  expectOneWay(await heights())
  await expectStack(page, ash, cedar)
  await table.do({ type: 'endTurn' })
  await expect(page.getByTestId(testid.stack)).toHaveAttribute('data-depth', '1')
  expectOneWay(await heights())
  await expectStack(page, ash)
})
