import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forget, forgetToken, known, knownAs, learn, wayIn } from './known'
import { keepView, lastView } from './lastview'
import { remember } from './storage'
import { keep, unanswered } from './unanswered'

/** Keeps values as the browser does: its keys can be listed. */
class FakeStorage {
  [key: string]: unknown
  getItem(key: string) { return this[key] ?? null }
  setItem(key: string, value: string) { this[key] = value }
  removeItem(key: string) { delete this[key] }
}
let stored: FakeStorage
let tab: FakeStorage
beforeEach(() => {
  vi.stubGlobal('localStorage', stored = new FakeStorage())
  vi.stubGlobal('sessionStorage', tab = new FakeStorage())
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

  it('leave nothing behind when they are forgotten, and nothing of others is', () => {
    for (const id of ['a', 'ab']) {
      learn(id, { at: 1, tokens: { player: 'p' }, seat })
      remember(`called.${id}`, ['turn f1'])
      remember(`attack.${id}.c1`, { toHit: '5' })
      keepView(id, { token: 'mine', at: 1, view: {}, log: [] })
      keep(id, { id: 'u1', command: { type: 'endTurn' }, token: 'mine', at: 1 })
    }
    forget('a')
    for (const kept of [stored, tab]) expect(Object.keys(kept).filter((key) => /\.a(\.|$)/.test(key))).toEqual([])
    expect(Object.keys(stored).filter((key) => /\.ab(\.|$)/.test(key)).sort()).toEqual(['riposte.attack.ab.c1', 'riposte.called.ab', 'riposte.view.ab'])
    expect(unanswered('ab', 'mine', 2)).toHaveLength(1)
    // As the last of fifty, too.
    for (let i = 0; i < 50; i++) learn(`e${i}`, { at: i, tokens: { gm: 'g' } })
    expect(JSON.stringify([stored, tab])).not.toContain('mine')
  })

  it('are not kept with a key that opens nothing any more, but for the way to a new link', () => {
    learn('a', { at: 1, tokens: { gm: 'g', spectator: 's' } })
    keepView('a', { token: 'g', at: 1, view: {}, log: [] })
    keep('a', { id: 'u1', command: { type: 'endTurn' }, token: 'g', at: 1 })
    keep('a', { id: 'u2', command: { type: 'endTurn' }, token: 's', at: 1 })
    keep('a', { id: 'u3', command: { type: 'replaceLink', role: 'gm' }, token: 'g', at: 1 })
    forgetToken('a', 'g')
    expect(lastView('a', 'g')).toBeUndefined()
    expect(unanswered('a', 'g', 2).map((one) => one.id)).toEqual(['u3'])
    expect(unanswered('a', 's', 2).map((one) => one.id)).toEqual(['u2'])
  })

  it('are none when what is stored makes no sense', () => {
    for (const text of ['{', '{}', '[1, null, {"id": 3}, {"id": "a", "at": 1, "tokens": null}]']) {
      stored.setItem('riposte.known', text)
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
