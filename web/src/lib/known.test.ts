import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forget, forgetToken, known, knownAs, learn, wayIn } from './known'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})

const seat = { seat: 's1', token: 'mine', name: 'Ana' }

describe('the encounters this browser knows', () => {
  it('are listed with the latest first, and every key adds to the others', () => {
    learn('a', { title: 'Bridge', rules: 'dnd5e', at: 1, tokens: { gm: 'g', player: 'p' } })
    learn('b', { title: 'Ford', rules: 'starfinder', at: 2, tokens: { player: 'q' } })
    learn('a', { at: 3, tokens: { player: 'p2' } })
    expect(known().map((one) => one.id)).toEqual(['a', 'b'])
    expect(knownAs('a')).toEqual({ id: 'a', title: 'Bridge', rules: 'dnd5e', at: 3, tokens: { gm: 'g', player: 'p2' } })
  })

  it('are bounded', () => {
    for (let i = 0; i < 60; i++) learn(`e${i}`, { at: i, tokens: { gm: 'g' } })
    expect(known()).toHaveLength(50)
    expect(known()[0]!.id).toBe('e59')
  })

  it('are forgotten whole, or key by key', () => {
    learn('a', { at: 1, tokens: { player: 'p' }, seat })
    forgetToken('a', 'mine')
    expect(knownAs('a')).toMatchObject({ tokens: { player: 'p' } })
    expect(knownAs('a')?.seat).toBeUndefined()
    forgetToken('a', 'p')
    expect(known()).toEqual([])
    learn('b', { at: 1, tokens: { gm: 'g' } })
    forgetToken('b', 'another')
    expect(known()).toHaveLength(1)
    forget('b')
    expect(known()).toEqual([])
  })

  it('are none when what is stored makes no sense', () => {
    for (const text of ['{', '{}', '[1, null, {"id": 3}, {"id": "a", "at": 1, "tokens": null}]']) {
      stored.set('riposte.known', text)
      expect(known()).toEqual([])
    }
  })
})

describe('the way in', () => {
  it('is by the key that does most', () => {
    const one = { id: 'a', title: '', rules: '', at: 1 }
    expect(wayIn({ ...one, tokens: { gm: 'g', player: 'p', spectator: 's' }, seat })).toEqual({ role: 'gm', token: 'g' })
    expect(wayIn({ ...one, tokens: { player: 'p', spectator: 's' }, seat })).toEqual({ role: 'seat', token: 'mine' })
    expect(wayIn({ ...one, tokens: { player: 'p', spectator: 's' } })).toEqual({ role: 'player', token: 'p' })
    expect(wayIn({ ...one, tokens: { spectator: 's' } })).toEqual({ role: 'spectator', token: 's' })
    expect(wayIn({ ...one, tokens: {} })).toBeUndefined()
  })
})
