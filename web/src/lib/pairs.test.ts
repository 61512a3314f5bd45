import { describe, expect, it } from 'vitest'
import { changedPairs, parsePairs, writePairs } from './pairs'

describe('named numbers', () => {
  it('are read as typed', () => {
    expect(parsePairs(' lair=1, save.con = +4 ,Fire Breath=5,')).toEqual({ lair: 1, 'save.con': 4, 'Fire Breath': 5 })
    expect(parsePairs('')).toEqual({})
    for (const wrong of ['lair', '=1', 'lair=x', 'a=1=2', 'lair=1.5']) expect(parsePairs(wrong)).toBeUndefined()
  })

  it('are written back the same', () => {
    expect(writePairs({ 'save.con': 4, lair: 1 })).toBe('lair=1, save.con=4')
  })

  it('put the two modifiers of a weapon together', () => {
    expect(parsePairs('score=15, weapon.sword=-1/-6')).toEqual({ score: 15, 'weapon.sword.first': -1, 'weapon.sword.next': -6 })
    expect(writePairs({ 'weapon.sword.first': -1, 'weapon.sword.next': -6, score: 15 })).toBe('score=15, weapon.sword=-1/-6')
    expect(writePairs({ 'weapon.sword.next': -6 })).toBe('weapon.sword.next=-6')
    expect(parsePairs('weapon.sword=-1/')).toBeUndefined()
  })

  it('are compared, zero being what is gone', () => {
    expect(changedPairs({ lair: 1, dex: 14 }, { dex: 14, bonus: 1 })).toEqual({ lair: 0, bonus: 1 })
    expect(changedPairs({ lair: 1 }, { lair: 1, bonus: 0 })).toEqual({})
  })
})
