import { describe, expect, it } from 'vitest'
import type { CombatantView, SlotView } from './wire.gen'
import { coming, turnsUntil } from './turns'

const slot = (id: string, more: Partial<SlotView> = {}): SlotView => ({ slot: `s-${id}`, combatants: [id], count: 10, kind: 'turn', ...more })
const fighters = (...ids: string[]) =>
  new Map(ids.map((id) => [id, { id, name: id, life: 'up', rev: 0, side: '', kind: 'pc', reaction: true } as CombatantView]))

describe('who comes when', () => {
  const all = fighters('a', 'b', 'c')

  it('goes on after the current slot and wraps round to it', () => {
    const order = [slot('a', { done: true }), slot('b', { current: true }), slot('c')]
    expect(coming(order, all).map((s) => s.combatants[0])).toEqual(['c', 'a', 'b'])
  })

  it('leaves out those who fight no more', () => {
    const order = [slot('a', { current: true }), slot('b'), slot('c')]
    const two = new Map(all)
    two.set('b', { ...all.get('b')!, life: 'dead' })
    expect(coming(order, two).map((s) => s.combatants[0])).toEqual(['c', 'a'])
  })

  it('starts at the top when no slot is current', () => {
    expect(coming([slot('a'), slot('b')], all).map((s) => s.combatants[0])).toEqual(['a', 'b'])
  })

  it('counts the turns before mine', () => {
    const slots = coming([slot('a', { current: true }), slot('b'), slot('c')], all)
    expect(turnsUntil(slots, ['b'])).toBe(0)
    expect(turnsUntil(slots, ['c', 'a'])).toBe(1)
    expect(turnsUntil(slots, ['x'])).toBeUndefined()
  })
})
