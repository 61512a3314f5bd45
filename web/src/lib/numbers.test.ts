import { describe, expect, it } from 'vitest'
import { parseCount, parseHP, parseWhole } from './numbers'

describe('hit points as typed', () => {
  it.each([
    ['7', { type: 'damage', amount: 7 }],
    [' -12 ', { type: 'damage', amount: 12 }],
    ['+5', { type: 'heal', amount: 5 }],
    ['5t', { type: 'setTempHp', amount: 5 }],
    ['+8T', { type: 'setTempHp', amount: 8 }],
    ['0t', { type: 'setTempHp', amount: 0 }],
  ])('%s', (text, change) => expect(parseHP(text)).toEqual(change))

  it.each(['', 'x', '7.5', '1e9', '٣', '+', '-5t', '0', '7 7', '12345678'])('"%s" is no change', (text) =>
    expect(parseHP(text)).toBeUndefined())
})

describe('counts as typed', () => {
  it.each([['15', 15], ['15,5', 15.5], ['15.25', 15.25], ['-3', -3], ['-0.5', -0.5], ['+2', 2], ['0', 0]])('%s', (text, count) =>
    expect(parseCount(text)).toBe(count))

  it.each(['', 'abc', '1.234', '1e3', '99999', '2+@dex', '٣'])('"%s" is no count', (text) =>
    expect(parseCount(text)).toBeUndefined())
})

describe('whole numbers within bounds', () => {
  it('takes those inside and refuses the rest', () => {
    expect(parseWhole('20', 1, 20)).toBe(20)
    expect(parseWhole('+2', -5, 20)).toBe(2)
    expect(parseWhole('21', 1, 20)).toBeUndefined()
    expect(parseWhole('1.5', 1, 20)).toBeUndefined()
    expect(parseWhole('', 0, 20)).toBeUndefined()
  })
})
