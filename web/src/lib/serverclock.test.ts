import { describe, expect, it } from 'vitest'
import { ServerClock } from './serverclock'

const stamp = (ms: number) => new Date(ms).toISOString()

describe('the server\'s time', () => {
  it('does not depend on this device\'s date', () => {
    let steady = 5_000
    const clock = new ServerClock(() => steady)
    expect(clock.now()).toBeUndefined()
    steady = 5_100
    clock.learn(5_000, stamp(9_000_000))
    expect(clock.now()).toBe(9_000_050)
    steady += 30_000
    expect(clock.now()).toBe(9_030_050)
  })

  it('believes the quickest answer', () => {
    let steady = 0
    const clock = new ServerClock(() => steady)
    steady = 2_000
    clock.learn(0, stamp(1_000_000))
    steady = 3_010
    clock.learn(3_000, stamp(1_002_505))
    expect(clock.now()).toBe(1_002_510)
  })

  it('follows when the server’s time itself moves, as for spectators whose delay changes', () => {
    let steady = 1_000
    const clock = new ServerClock(() => steady)
    clock.learn(995, stamp(1_000_000))
    steady = 5_000
    clock.learn(4_990, stamp(944_000))
    expect(clock.now()).toBe(944_005)
    // A slow answer alone says nothing of that kind.
    steady = 9_000
    clock.learn(5_000, stamp(946_500))
    expect(clock.now()).toBe(948_005)
  })

  it('tells those who watch when it learns and when it forgets', () => {
    const clock = new ServerClock(() => 0)
    const seen: (number | undefined)[] = []
    const end = clock.watch(() => seen.push(clock.now()))
    clock.learn(0, stamp(7))
    clock.reset()
    end()
    clock.learn(0, stamp(8))
    expect(seen).toEqual([7, undefined])
  })

  it('forgets on a new connection, and ignores what is no time', () => {
    const clock = new ServerClock(() => 0)
    clock.learn(0, 'soon')
    expect(clock.now()).toBeUndefined()
    clock.learn(0, stamp(7))
    clock.reset()
    expect(clock.now()).toBeUndefined()
  })
})
