import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fight } from './demo.fight'
import { Demo } from './demo.svelte'
import { locale } from './lang.svelte'
import type { Command } from './wire.gen'

/** What was sent, and what the server refuses. */
let sent: Command[] = []
let refuse: (command: Command) => boolean = () => false
let made = 0

beforeEach(() => {
  vi.useFakeTimers()
  locale.choose('en')
  sent = []
  made = 0
  refuse = () => false
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const body = init?.body ? JSON.parse(String(init.body)) : undefined
    const answer = (status: number, content: unknown) => new Response(JSON.stringify(content), { status })
    if (path === '/api/encounters') return answer(201, { id: `e${++made}`, links: {}, tokens: { gm: 'g', player: 'p', spectator: 's' } })
    if (!body) return answer(200, { you: { role: 'gm', can: [{ type: 'pauseClock' }, { type: 'resumeClock' }] }, stack: [{ frame: 'f1' }], window: { window: 'w1' }, 'combatants/m': { id: 'm', name: 'Mira' } })
    if (refuse(body.command)) return answer(422, { code: 'not_acting' })
    sent.push(body.command)
    return answer(200, { seq: sent.length })
  })
})
afterEach(() => vi.useRealTimers())

const types = () => sent.map((command) => command.type).filter((type) => !type.endsWith('Clock'))

describe('the demo fight', () => {
  it('plays to its end by itself, in about a minute, and no further', async () => {
    const demo = new Demo()
    await demo.start()
    await vi.advanceTimersByTimeAsync(45_000)
    expect(demo.state).toBe('playing')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(demo.state).toBe('over')
    expect(types().slice(4)).toHaveLength(fight.length)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(types().slice(4)).toHaveLength(fight.length)
    expect(made).toBe(1)
  })

  it('stands still when paused, goes on one step at a time, and then by itself', async () => {
    const demo = new Demo()
    await demo.start()
    await vi.advanceTimersByTimeAsync(1_000)
    demo.pause()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(demo.played).toBe(1)
    await demo.step()
    expect([demo.played, demo.state]).toEqual([2, 'paused'])
    expect(sent.at(-2)?.type).toBe('pauseClock')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(demo.played).toBe(2)
    demo.play()
    await vi.advanceTimersByTimeAsync(1_000)
    expect([demo.played, demo.state]).toEqual([3, 'playing'])
  })

  it('sends nothing once it is closed', async () => {
    const demo = new Demo()
    await demo.start()
    await vi.advanceTimersByTimeAsync(1_000)
    const before = sent.length
    demo.close()
    await demo.step()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toHaveLength(before)
  })

  it('says what went wrong, and stops', async () => {
    refuse = (command) => command.type === 'react'
    const demo = new Demo()
    await demo.start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([demo.state, demo.code, demo.played]).toEqual(['failed', 'not_acting', 2])
  })
})
