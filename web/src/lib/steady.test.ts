import { describe, expect, it } from 'vitest'
import { steady } from './steady'

describe('a steady list', () => {
  it('gives the objects of before for what is the same, and the list of before when all is', () => {
    const list = steady<{ key: string; n: number }>((a, b) => a.n === b.n)
    const first = list([{ key: 'a', n: 1 }, { key: 'b', n: 2 }])
    expect(list([{ key: 'a', n: 1 }, { key: 'b', n: 2 }])).toBe(first)
    const second = list([{ key: 'b', n: 2 }, { key: 'a', n: 3 }])
    expect(second[0]).toBe(first[1])
    expect(second[1]).toEqual({ key: 'a', n: 3 })
    expect(list([{ key: 'b', n: 2 }])).toEqual([first[1]])
  })
})
