import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forget, forgetToken, learn } from './known'
import { forgetView, keepView, lastView } from './lastview'
import type { ViewMap } from './wire.gen'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})

const view = { you: { role: 'gm', combatants: [], can: [{ type: 'undo' }] }, history: { undo: 'damage' }, 'effects/e1': { id: 'e1' } } as unknown as ViewMap
const seen = { token: 'mine', at: 7, view, log: [] }

describe('the last view', () => {
  it('is shown to the key that showed it only, and offers nothing', () => {
    keepView('e1', seen)
    expect(lastView('e1', 'mine')).toMatchObject({ at: 7, view: { you: { role: 'gm', can: [] }, 'effects/e1': { id: 'e1' } } })
    expect(lastView('e1', 'mine')?.view.history).toBeUndefined()
    expect(lastView('e1', 'other')).toBeUndefined()
    expect(lastView('e2', 'mine')).toBeUndefined()
  })

  it('is kept of the last few encounters', () => {
    for (let i = 0; i < 9; i++) keepView(`e${i}`, seen)
    keepView('e4', seen)
    expect([...Array(9).keys()].filter((i) => lastView(`e${i}`, 'mine'))).toEqual([3, 4, 5, 6, 7, 8])
    expect(stored.size).toBe(7)
  })

  it('is not kept when it is too large, nor is an older one in its place', () => {
    keepView('e1', seen)
    keepView('e1', { ...seen, view: { ...view, 'effects/e2': { id: 'x'.repeat(400_000) } } as unknown as ViewMap })
    expect(lastView('e1', 'mine')).toBeUndefined()
  })

  it('is forgotten with the encounter, and with its key', () => {
    keepView('e1', seen)
    forgetView('e1')
    expect(lastView('e1', 'mine')).toBeUndefined()
    learn('e2', { at: 1, tokens: { gm: 'mine', player: 'p' } })
    keepView('e2', seen)
    forgetToken('e2', 'p')
    expect(lastView('e2', 'mine')).toBeDefined()
    forgetToken('e2', 'mine')
    expect(lastView('e2', 'mine')).toBeUndefined()
    keepView('e3', seen)
    forget('e3')
    expect(lastView('e3', 'mine')).toBeUndefined()
  })

  it('is none when what is stored makes no sense', () => {
    stored.set('riposte.view.e1', '{"token":"mine"}')
    stored.set('riposte.views', '{}')
    expect(lastView('e1', 'mine')).toBeUndefined()
    keepView('e1', seen)
    expect(lastView('e1', 'mine')).toBeDefined()
  })
})
