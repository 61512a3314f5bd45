import { beforeEach, describe, expect, it, vi } from 'vitest'
import { drop, keep, unanswered } from './unanswered'

const tab = new Map<string, string>()
beforeEach(() => {
  tab.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
    removeItem: (key: string) => void tab.delete(key),
  })
})

const endTurn = (id: string, at = 0) => ({ id, command: { type: 'endTurn' as const }, token: 'mine', at })

describe('commands without an answer', () => {
  it('are kept until they are answered, for the key that sent them', () => {
    keep('e1', endTurn('a'))
    keep('e1', endTurn('b'))
    keep('e1', { ...endTurn('c'), token: 'other' })
    drop('e1', 'a')
    expect(unanswered('e1', 'mine', 1).map((one) => one.id)).toEqual(['b'])
    expect(unanswered('e2', 'mine', 1)).toEqual([])
  })

  it('are given up when what was meant is long past, but for a new link', () => {
    keep('e1', endTurn('a'))
    keep('e1', { ...endTurn('b'), command: { type: 'replaceLink', role: 'gm' } })
    expect(unanswered('e1', 'mine', 119_999).map((one) => one.id)).toEqual(['a', 'b'])
    expect(unanswered('e1', 'mine', 120_000).map((one) => one.id)).toEqual(['b'])
    expect(unanswered('e1', 'mine', 0).map((one) => one.id)).toEqual(['b'])
  })

  it('are bounded, and leave nothing behind', () => {
    for (let i = 0; i < 40; i++) keep('e1', endTurn(`c${i}`))
    expect(unanswered('e1', 'mine', 1)).toHaveLength(32)
    for (let i = 0; i < 40; i++) drop('e1', `c${i}`)
    expect(tab.size).toBe(0)
  })

  it('are none when nothing can be kept', () => {
    vi.stubGlobal('sessionStorage', undefined)
    keep('e1', endTurn('a'))
    expect(unanswered('e1', 'mine', 1)).toEqual([])
    tab.set('riposte.unanswered.e1', '{')
    expect(unanswered('e1', 'mine', 1)).toEqual([])
  })
})
