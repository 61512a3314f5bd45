// Every face at the moments of the design page that are hardest to show: nothing
// sticks out, nothing is out of reach, nothing fails.

import { scenes, type Scene, type SceneName } from '../src/design/scenes'
import { testid } from '../src/lib/testids'
import { expectAccessible } from './axe'
import { Table } from './table'
import { expect, phone, test, type Page } from './test'
import { expectWholeWords } from './words'

/** Nothing can be scrolled sideways, once all of it is there. */
async function expectNoOverflow(page: Page, what: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${what} sticks out`).toBeLessThanOrEqual(0)
}

const hardest: SceneName[] = ['empty', 'setup', 'asked', 'deep', 'crowd', 'starfinder', 'lights']

for (const name of hardest) {
  const scene: Scene = scenes[name]
  test(`${name}: ${scene.title}`, async ({ server, somebody }) => {
    const table = await Table.create(server, scene.options, scene.rules)
    const seat = await scene.play(table)
    // A small phone in the dark and in French, which has the longer words, and a desk in the light: every pair of the two would take four times as long.
    for (const screen of [{ ...phone, viewport: { width: 320, height: 640 }, colorScheme: 'dark', lang: 'fr' }, { viewport: { width: 1440, height: 900 }, colorScheme: 'light', lang: 'en' }] as const) {
      const { lang, ...context } = screen
      const { page } = await somebody(context)
      for (const [face, role] of [['gm', 'gm'], ['player', seat], ['spectator', 'spectator']] as const) {
        const what = `${face} at ${screen.viewport.width}`
        await table.open(page, role, `lang=${lang}`)
        await expectNoOverflow(page, what)
        await expectWholeWords(page, what)
        await expectAccessible(page, what)
      }
    }
  })
}

/** What of an element cannot be read: it is out of view, under something else, or cut off. */
const unread = (page: Page, id: string) => page.getByTestId(id).evaluate((whole) => {
  const bad: string[] = []
  const parts = [whole, ...whole.querySelectorAll('*')].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim()) && !one.closest('.visually-hidden'))
  for (const part of parts) {
    const { left, right, top, bottom, width } = part.getBoundingClientRect()
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    if (!width || left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || !there || !whole.contains(there)) bad.push(part.textContent!)
    // A name or a hint may be cut off, and stands in full elsewhere.
    if (!part.matches('b, .mine, .conditions, small') && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline') bad.push(`${part.textContent} is cut off`)
  }
  return bad
})

const small = { ...phone, viewport: { width: 320, height: 568 } }
for (const name of ['turn', 'asked', 'interrupted', 'deep', 'dying', 'starfinder'] as SceneName[]) {
  const scene: Scene = scenes[name]
  test(`on a small phone whose turn it is, who is next, the round and how I am are always in view: ${name}`, async ({ server, somebody }) => {
    const table = await Table.create(server, scene.options, scene.rules)
    const seat = await scene.play(table)
    const { encounter, order, turn, ...view } = await table.view(seat.token)
    const mine = view.you!.combatants![0]!
    const me = view[`combatants/${mine}`]!
    for (const lang of ['en', 'fr']) {
      const { page } = await somebody(small)
      await table.open(page, seat, `lang=${lang}`)
      const strip = page.getByTestId(testid.nowStrip)
      for (const end of [false, true]) {
        await page.evaluate((end) => scrollTo(0, end ? document.documentElement.scrollHeight : 0), end)
        await expect(strip).toBeInViewport({ ratio: 1 })
        expect(await unread(page, testid.nowStrip), `${lang}, ${end ? 'at the end' : 'at the beginning'}`).toEqual([])
        await expect(strip.getByTestId(testid.round)).toContainText(String(encounter!.round))
        await expect(strip).toContainText(view[`combatants/${turn!.combatant}`]!.name)
        const at = order!.findIndex((slot) => slot.current)
        const next = order!.slice(at + 1).find((slot) => !slot.done)?.combatants[0]
        if (next) await expect(strip).toContainText(view[`combatants/${next}`]!.name)
        await expect(strip).toContainText(`${me.hp!.current ?? 0}/${me.hp!.max}`)
        if (turn!.combatant !== mine) await expect(strip.getByTestId(testid.turnsUntilMine)).toBeVisible()
      }
    }
  })
}

test('on a small phone what I may do in my turn is in view without scrolling', async ({ server, somebody }) => {
  const scene: Scene = scenes.turn
  const table = await Table.create(server, scene.options)
  const seat = await scene.play(table)
  for (const lang of ['en', 'fr']) {
    const { page } = await somebody(small)
    await table.open(page, seat, `lang=${lang}`)
    for (const id of [testid.action('attack'), testid.action('castSpell'), testid.action('dash'), testid.action('disengage'), testid.action('dodge'), testid.action('help'), testid.endTurn]) {
      await expect(page.getByTestId(id), id).toBeInViewport({ ratio: 1 })
      expect(await unread(page, id), `${id} in ${lang}`).toEqual([])
    }
  }
})
