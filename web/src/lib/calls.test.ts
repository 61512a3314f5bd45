import { describe, expect, it } from 'vitest'
import { Caller, callOf, memory, type Call, type Scene } from './calls'
import type { FrameView } from './wire.gen'

const turn = (frame: string): Call => ({ kind: 'turn', event: `turn ${frame}` })
const react = (window: string): Call => ({ kind: 'react', event: `react ${window}` })

/** One browser's storage, with any number of pages. */
function browser() {
  const stored = new Map<string, string>()
  const storage = { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) }
  let queue: Promise<unknown> = Promise.resolve()
  const locks = { request: (_: string, run: () => boolean) => (queue = queue.then(run)) } as unknown as LockManager
  const page = (encounter = 'e1') => {
    const done: string[] = []
    const caller = new Caller(memory(encounter, locks, storage), { call: (kind) => done.push(kind), over: () => done.push('over') })
    return { done, see: (call: Call | undefined) => caller.see(call) }
  }
  return { page, stored }
}

describe('somebody is called', () => {
  it('once for each event, however often it is seen', async () => {
    const { done, see } = browser().page()
    for (const call of [undefined, turn('f1'), turn('f1'), react('w1'), react('w1'), undefined]) await see(call)
    expect(done).toEqual(['over', 'turn', 'over', 'react', 'over'])
  })

  it('not again when a turn goes on after an interrupt', async () => {
    const { done, see } = browser().page()
    for (const call of [turn('f1'), undefined, turn('f1'), turn('f2')]) await see(call)
    expect(done.filter((what) => what !== 'over')).toEqual(['turn', 'turn'])
  })

  it('once in all of a browser’s pages, also at the same moment', async () => {
    const { page } = browser()
    const pages = [page(), page(), page()]
    await Promise.all(pages.map(({ see }) => see(turn('f1'))))
    expect(pages.flatMap(({ done }) => done).filter((what) => what === 'turn')).toHaveLength(1)
    const reloaded = page()
    await reloaded.see(turn('f1'))
    expect(reloaded.done).toEqual(['over'])
  })

  it('not for what is over before it is clear that nobody was', async () => {
    const { done, see } = browser().page()
    await Promise.all([see(turn('f1')), see(undefined)])
    expect(done).toEqual(['over', 'over'])
  })

  it('in every encounter on its own', async () => {
    const { page } = browser()
    await page('e1').see(turn('f1'))
    const other = page('e2')
    await other.see(turn('f1'))
    expect(other.done).toContain('turn')
  })

  it('from a bounded memory', async () => {
    const { page, stored } = browser()
    const { see } = page()
    for (let i = 0; i < 100; i++) await see(turn(`f${i}`))
    expect(JSON.parse([...stored.values()][0]!)).toHaveLength(40)
  })

  it('where nothing can be kept, too', async () => {
    const full = { getItem: () => null, setItem: () => { throw new Error('full') } }
    for (const storage of [undefined, full]) {
      const first = memory('e1', undefined, storage)
      expect([await first('a'), await first('a'), await first('b')]).toEqual([true, false, true])
    }
  })
})

describe('the call', () => {
  const frame = (frame: string, combatant: string, kind = 'turn') => ({ frame, combatant, kind }) as FrameView
  const scene: Scene = { stack: [frame('f1', 'bel')], inFight: true, mine: ['ana'], asked: false, over: false, until: undefined }

  it('is for the question first, then the turn, then the next turn', () => {
    expect(callOf(scene)).toBeUndefined()
    expect(callOf({ ...scene, until: 1 })).toBeUndefined()
    expect(callOf({ ...scene, until: 0 })).toEqual({ kind: 'next', event: 'next f1', who: 'ana' })
    expect(callOf({ ...scene, stack: [frame('f2', 'ana')], until: 0 })).toEqual({ kind: 'turn', event: 'turn f2', who: 'ana' })
    expect(callOf({ ...scene, asked: true, window: { window: 'w1', asked: 'ana' } as Scene['window'], until: 0 })).toEqual({ kind: 'react', event: 'react w1', who: 'ana' })
  })

  it('is not for a turn that is over, nor for what one broke in with oneself', () => {
    expect(callOf({ ...scene, stack: [frame('f2', 'ana')], over: true })).toBeUndefined()
    expect(callOf({ ...scene, stack: [frame('f1', 'bel'), frame('f3', 'ana', 'reaction')] })).toBeUndefined()
    expect(callOf({ ...scene, inFight: false, stack: [], until: 0 })).toBeUndefined()
  })
})
