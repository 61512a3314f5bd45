import { beforeEach, describe, expect, it } from 'vitest'
import { Sleep } from './sleep'

let steady: number
let date: number
let sleep: Sleep

beforeEach(() => {
  steady = 500
  date = 1_000_000
  sleep = new Sleep(() => steady, () => date)
})

const pass = (ms: number, of = { steady: true }) => {
  date += ms
  if (of.steady) steady += ms
}

describe('a device that sleeps', () => {
  it('is told from one that was only slow', () => {
    pass(60_000)
    expect(sleep.ended()).toBe(false)
    date += 1_500
    expect(sleep.ended()).toBe(false)
  })

  it('is noticed when its steady time stood still, once', () => {
    pass(30_000, { steady: false })
    expect(sleep.ended()).toBe(true)
    pass(1_000)
    expect(sleep.ended()).toBe(false)
  })

  it('is looked for when somebody sets the date, forwards or back', () => {
    date -= 3_600_000
    expect(sleep.ended()).toBe(true)
  })
})
