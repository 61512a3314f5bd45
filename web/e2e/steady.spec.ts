// What an update may not do: move what somebody is about to press.

import { testid } from '../src/lib/testids'
import { expectStack, expectTurn, quartet, type Table } from './table'
import { expect, phone, test, type Page } from './test'

/** Where these stand on the screen, to the pixel, once what is on the page has been measured and painted. */
function places(page: Page, ids: readonly string[]): Promise<Record<string, number[]>> {
  return page.evaluate(async (ids) => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    return Object.fromEntries(ids.map((id) => {
      const { x, y, width, height } = document.querySelector(`[data-testid="${id}"]`)!.getBoundingClientRect()
      return [id, [x, y, width, height].map(Math.round)]
    }))
  }, ids)
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
    await settle(table, page, 'at first')
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

/** Where every row of the order stands, and how high it is. */
const rows = (page: Page) => page.locator('[data-testid="order"] [data-key]').evaluateAll((all) => Object.fromEntries(all.map((row) => {
  const { top, height } = row.getBoundingClientRect()
  return [(row as HTMLElement).dataset.key, [Math.round(top + scrollY), Math.round(height)]]
})))

for (const [size, screen] of [['a desk', { viewport: { width: 1280, height: 800 } }], ['a tablet', { viewport: { width: 800, height: 1000 } }], ['a phone', phone], ['a small phone', { ...phone, viewport: { width: 320, height: 568 } }]] as const) {
  test(`rows stay as high as they are, whatever comes over whoever stands in them, on ${size}`, async ({ server, somebody }) => {
    const { table, ash, birch, cedar, dune } = await quartet(server)
    await table.do({ type: 'addCombatant', name: 'Her Serene Highness Theodora Wilhelmina of the Nine Drowned Towers, called Wren', init: 14, hp: 20, ac: 13 })
    const wren = (await table.combatant('Her Serene Highness Theodora Wilhelmina of the Nine Drowned Towers, called Wren')).id
    const everybody = [ash, birch, cedar, dune, wren]
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    await expectTurn(page, ash)
    const before = await rows(page)
    expect(Object.keys(before)).toHaveLength(5)
    const steps: Record<string, () => Promise<void>> = {
      'a condition': () => table.do({ type: 'addEffect', combatants: everybody, name: 'restrained', until: { at: 'rounds', rounds: 3 } }),
      'many': () => table.do(...['poisoned', 'prone', 'frightened', 'blinded', 'marked by the Lady of the Lake'].map((name) => ({ type: 'addEffect', combatants: everybody, name }) as const)),
      'who is hidden until it acts': () => table.do({ type: 'setHidden', combatants: [cedar, wren], hidden: true, untilAct: true }),
      'what is shown apart': () => table.do({ type: 'setSight', combatants: [birch], audience: 'players', hp: 'band' }),
      'the turn of the next': () => table.do({ type: 'endTurn' }),
      'a reaction': () => table.do({ type: 'react', combatant: ash, kind: 'other', name: 'Riposte' }),
      'one in that': () => table.do({ type: 'react', combatant: birch, kind: 'other', name: 'Riposte' }),
      'temporary hit points': () => table.do({ type: 'setTempHp', combatants: everybody, amount: 12 }),
      'somebody who falls': () => table.do({ type: 'damage', combatants: [ash], amount: 40 }),
      'somebody out': () => table.do({ type: 'setDefeated', combatants: [dune], defeated: true }),
      'a place to stand': () => table.do({ type: 'setPosition', combatant: birch, position: 'on the northern stairs, behind the fallen column' }),
    }
    for (const [what, step] of Object.entries(steps)) {
      await step()
      await settle(table, page, `after ${what}`)
      expect(await rows(page), what).toEqual(before)
    }
    // What is gone of the hit points is seen as well as what is left.
    for (const part of await page.getByTestId(testid.orderRow(cedar)).locator('.hp rect').all()) await expect(part).toBeVisible()
  })
}

for (const viewport of [{ width: 390, height: 844 }, { width: 320, height: 568 }]) {
  test(`a question comes and goes on a game master’s phone, and no row moves under it, at ${viewport.width} px`, async ({ server, somebody }) => {
    const { table, ash, cedar, dune } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' })
    await table.do({ type: 'addCombatant', name: 'Goblin', times: 9, init: 11, hp: 7 })
    const { page } = await somebody({ ...phone, viewport })
    // Whether a tap goes through a question at its very first moment.
    await page.addInitScript((testid) => {
      new MutationObserver(() => {
        const question = document.querySelector(`[data-testid="${testid}"]`)
        if (question) (window as { first?: string }).first ??= getComputedStyle(question).pointerEvents
      }).observe(document, { subtree: true, childList: true })
    }, testid.window)
    await table.open(page, 'gm')
    await expectTurn(page, ash)
    const ask = () => table.do({ type: 'move', combatant: ash, feet: 5, leavesReachOf: [cedar] })
    const question = page.getByTestId(testid.window)
    /** Nothing lies over the question, and it lies over nothing of these. */
    const expectSeen = async (under: readonly string[]) => {
      await expect(question).toBeInViewport({ ratio: 0.99 })
      for (const id of [testid.reactButton, testid.declineButton]) await page.getByTestId(id).click({ trial: true })
      const covered = await page.evaluate((ids) => ids.filter((id) => {
        const one = document.querySelector(`[data-testid="${id}"]`)!
        const { left, right, top, bottom } = one.getBoundingClientRect()
        return !one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
      }), [...under])
      expect(covered).toEqual([])
      await expect(page.getByTestId(testid.tab('order'))).toBeInViewport()
    }
    // Wherever the list is scrolled to: at its beginning and at its end.
    for (const end of [false, true]) {
      await page.evaluate((end) => scrollTo(0, end ? document.documentElement.scrollHeight : 0), end)
      const [before, at] = [await rows(page), await page.evaluate(() => scrollY)]
      const expectStill = async () => expect([await rows(page), await page.evaluate(() => scrollY)]).toEqual([before, at])
      await ask()
      await expectSeen([testid.next, testid.undo])
      await expectStill()
      // It can be made one line of.
      await page.getByTestId(testid.foldWindow).tap()
      await expect(page.getByTestId(testid.declineButton)).toBeHidden()
      await expect(question).toContainText('Cedar may react')
      await page.getByTestId(testid.foldWindow).tap()
      await page.getByTestId(testid.declineButton).tap()
      await expect(question).toBeHidden()
      await expectStill()
    }
    expect(await page.evaluate(() => (window as { first?: string }).first)).toBe('none')

    // The last row can be brought out from under it.
    await ask()
    await expect(question).toBeVisible()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.getByTestId(testid.select(dune)).click({ trial: true })
    await page.getByTestId(testid.declineButton).tap()
    await expect(question).toBeHidden()

    // With somebody in hand, what is done to them stays where it is and in reach; what is said, too.
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByTestId(testid.select(cedar)).check()
    const held = [testid.hpInput, 'hp-hurt', testid.openEffects, testid.moreTools, testid.next]
    const places_ = await places(page, held)
    await ask()
    await expectSeen(held)
    expect(await places(page, held)).toEqual(places_)
    await page.getByTestId(testid.declineButton).tap()
    await expect(question).toBeHidden()
    // Where there is no room for all of it, it begins as one line.
    await page.getByTestId(testid.moreTools).tap()
    await ask()
    await expect(question).toBeInViewport({ ratio: 0.99 })
    await expect(page.getByTestId(testid.declineButton)).toBeHidden()
    await page.getByTestId(testid.clearSelection).tap()
    await page.getByTestId(testid.foldWindow).tap()
    await page.getByTestId(testid.tab('log')).tap()
    await expectSeen(['talk', testid.next])
  })
}

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
