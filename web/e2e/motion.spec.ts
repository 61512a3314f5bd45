// What moves on each face, and that nothing does for those who want it calm.

import { testid } from '../src/lib/testids'
import { expectStack, expectTurn, quartet, type Quartet } from './table'
import { desk, expect, phone, test, type Page } from './test'

/** Notes every movement that the page begins, whether a script or a style asks for it; call before it is opened. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    const note = (animation: Animation) => {
      const { effect, playState } = animation
      const { duration, iterations } = effect?.getComputedTiming() ?? {}
      if (playState !== 'running' || (Number(duration) <= 1 && iterations === 1)) return
      const { target } = effect as KeyframeEffect
      moved.push(`${target?.closest('[data-testid]')?.getAttribute('data-testid')}: ${target?.tagName}.${target?.className} ${duration} × ${iterations}`)
    }
    const animate = Element.prototype.animate
    Element.prototype.animate = function (frames, options) {
      const animation = animate.call(this, frames, options)
      // One that is stopped at once goes in steps, as it is told.
      queueMicrotask(() => note(animation))
      return animation
    }
    for (const event of ['animationstart', 'transitionrun'] as const) {
      addEventListener(event, (began) => {
        for (const animation of (began.target as Element).getAnimations()) note(animation)
      }, true)
    }
  })
}
const moved = (page: Page) => page.evaluate(() => (window as unknown as { moved: string[] }).moved)

/** Somebody is hurt and put elsewhere, broken into, asked; turns end, and a clock comes to its end. */
async function events({ table, ash, birch, cedar, dune }: Quartet, shows: (id: string) => Promise<void>): Promise<void> {
  await table.do({ type: 'damage', combatants: [ash, cedar], amount: 9 }, { type: 'addEffect', combatants: [cedar], name: 'prone' })
  await table.do({ type: 'reorder', order: [dune, cedar, birch] })
  await table.do({ type: 'react', combatant: cedar, kind: 'opportunityAttack', targets: [ash], attack: { total: 12, damage: '2' } })
  await table.do({ type: 'endTurn', combatant: cedar })
  await shows(ash)
  await table.do({ type: 'endTurn', combatant: ash })
  await shows(dune)
}

const faces = {
  'the desk': [desk, 'gm'],
  'the desk on a phone': [phone, 'gm'],
  'a player’s phone': [phone, 'player'],
  'a spectator’s page': [desk, 'spectator'],
  'the overlay': [{ viewport: { width: 480, height: 720 } }, 'overlay'],
} as const

for (const [name, [screen, face]] of Object.entries(faces)) {
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    test(`${name}: ${reducedMotion === 'reduce' ? 'nothing moves for those who want it calm' : 'a row that moves is seen to move'}`, async ({ server, somebody }) => {
      const four = await quartet(server, { turnSeconds: '600' })
      const { page } = await somebody({ ...screen, reducedMotion })
      await watch(page)
      await four.table.open(page, face === 'player' ? four.ana : face === 'overlay' ? 'spectator' : face, face === 'overlay' ? 'overlay' : '')
      const shows = (id: string) => face === 'overlay'
        ? expect(page.getByTestId(testid.overlayNow)).toContainText({ [four.ash]: 'Ash', [four.dune]: 'Dune' }[id]!)
        : expectTurn(page, id)
      await shows(four.ash)
      await events(four, shows)
      if (reducedMotion === 'reduce') {
        // A lost line blinks, where things may move.
        await server.kill()
        await expect(page.getByTestId(face === 'overlay' ? testid.overlayStale : testid.connection)).toBeVisible()
        if (face !== 'overlay') await expect(page.getByTestId(testid.connection)).not.toHaveAttribute('data-status', 'live')
        await server.start()
        expect(await moved(page)).toEqual([])
        // No style is left that would move something.
        expect(await page.evaluate(() => [...document.querySelectorAll('*')].flatMap((element) => ['', '::before', '::after'].flatMap((pseudo) => {
          const { animationName, animationDuration, animationIterationCount, transitionDuration } = getComputedStyle(element, pseudo || null)
          const long = (durations: string) => durations.split(', ').some((one) => parseFloat(one) > 0.001)
          const moves = (animationName !== 'none' && (long(animationDuration) || animationIterationCount !== '1')) || long(transitionDuration)
          return moves ? [`${element.tagName}.${element.className}${pseudo}`] : []
        })))).toEqual([])
      } else if (face !== 'overlay') {
        expect((await moved(page)).filter((one) => /: LI\./.test(one)).length).toBeGreaterThan(0)
        await expectStack(page, four.dune)
      } else {
        expect((await moved(page)).filter((one) => /: LI\./.test(one)).length).toBeGreaterThan(0)
      }
    })
  }
}
