import { describe, expect, it } from 'vitest'
import { countdown } from './countdown'

describe('a clock', () => {
  it('shows started seconds and says when it shows the next', () => {
    expect(countdown(12_300)).toEqual({ seconds: 13, urgent: false, next: 300 })
    expect(countdown(12_000)).toEqual({ seconds: 12, urgent: false, next: 1000 })
    expect(countdown(1)).toMatchObject({ seconds: 1, next: 1 })
  })

  it('is over at nothing, and stays so', () => {
    expect(countdown(0)).toEqual({ seconds: 0, urgent: true, next: undefined })
    expect(countdown(-4000)).toMatchObject({ seconds: 0, next: undefined })
  })

  it('is urgent in its last quarter, for three to ten seconds', () => {
    const from = (whole?: number) => [60, 30, 12, 10, 9, 5, 4, 3, 2].find((s) => countdown(s * 1000, whole).urgent)
    expect(from(90_000)).toBe(10)
    expect(from(20_000)).toBe(5)
    expect(from(8_000)).toBe(3)
    expect(from()).toBe(10)
  })
})
