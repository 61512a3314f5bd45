import { describe, expect, it } from 'vitest'
import { grouped, type Entry } from './groups'
import { changedPart, movable, moved, offsetAt, offsetOf, places } from './reorder'

const entry = (name: string, kind = 'turn'): Entry => ({
  key: name,
  combatant: { id: name, name, side: 'foes', kind: 'npc', life: 'up', reaction: true },
  slot: { slot: name, combatants: [name], count: 12, kind },
})
const entries = [entry('Ash'), entry('Goblin 1'), entry('Goblin 2'), entry('Goblin 3'), entry('Goblin 4'), entry('Cedar'), entry('Dune')]
const ids = movable(entries)
const rows = (open: boolean, apart: string[] = []) => grouped(entries, () => open, (id) => apart.includes(id))

describe('moving rows', () => {
  it('names only what changes places', () => {
    expect(changedPart(['a', 'b', 'c', 'd'], moved(['a', 'b', 'c', 'd'], ['c'], 1))).toEqual(['c', 'b'])
    expect(changedPart(['a', 'b', 'c', 'd'], moved(['a', 'b', 'c', 'd'], ['a', 'b'], 2))).toEqual(['c', 'd', 'a', 'b'])
    expect(changedPart(['a', 'b'], moved(['a', 'b'], ['b'], 1))).toBeUndefined()
  })

  it('steps over a closed group at once, and into an open one', () => {
    expect(places(rows(false), ids, ['Cedar'])).toEqual([0, 1, 5, 6])
    expect(places(rows(true), ids, ['Cedar'])).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(places(rows(false), ids, ['Goblin 1', 'Goblin 2', 'Goblin 3', 'Goblin 4'])).toEqual([0, 1, 2, 3])
  })

  it('counts whoever stands apart from a closed group once', () => {
    expect(places(rows(false, ['Goblin 2']), ids, ['Dune'])).toEqual([0, 1, 5, 6])
    expect(places(rows(false, ['Goblin 2']), ids, ['Goblin 2'])).toEqual([0, 1, 4, 5, 6])
  })

  it('finds the offset beside a row', () => {
    expect(offsetAt(rows(false), ids, ['Dune'], 'Ash', false)).toBe(0)
    expect(offsetAt(rows(false), ids, ['Dune'], 'Ash', true)).toBe(1)
    expect(offsetAt(rows(false), ids, ['Ash'], 'Cedar', true)).toBe(5)
    expect(offsetAt(rows(false), ids, ['Ash'], 'gone', false)).toBe(6)
    expect(offsetOf(ids, ['Cedar'])).toBe(5)
    expect(offsetOf(ids, ['nobody'])).toBe(0)
  })

  it('leaves lairs where they are', () => {
    expect(movable([entry('Ash'), entry('Lair', 'lair'), entry('Ash'), entry('Cedar')])).toEqual(['Ash', 'Cedar'])
  })
})
