import { describe, expect, it } from 'vitest'
import { grouped, sameItem, type Entry } from './groups'
import type { CombatantView } from './wire.gen'

const entry = (name: string, count = 12, more: Partial<CombatantView> = {}): Entry => ({
  key: name,
  combatant: { id: name, name, side: 'foes', kind: 'npc', life: 'up', reaction: true, ...more },
  slot: { slot: name, combatants: [name], count, kind: 'turn' },
})
const goblins = (n: number) => Array.from({ length: n }, (_, i) => entry(`Goblin ${i + 1}`))
const rows = (entries: Entry[], open = false, apart: string[] = []) =>
  grouped(entries, () => open, (id) => apart.includes(id)).map((item) => ('group' in item ? `${item.group.name} ×${item.group.entries.length}` : item.key))

describe('identical creatures', () => {
  it('are one row when they are many', () => {
    expect(rows([entry('Ogre', 15), ...goblins(4), entry('Wolf', 9)])).toEqual(['Ogre', 'Goblin ×4', 'Wolf'])
    expect(rows(goblins(3))).toEqual(['Goblin 1', 'Goblin 2', 'Goblin 3'])
  })

  it('are several rows when something comes between them or they differ', () => {
    expect(rows([...goblins(2), entry('Ash'), ...goblins(4).slice(2)])).toHaveLength(5)
    expect(rows([...goblins(3), entry('Goblin 4', 12, { hidden: true })])).toHaveLength(4)
    expect(rows([...goblins(3), entry('Goblin 4', 11)])).toHaveLength(4)
  })

  it('can be opened, and whoever acts stands apart', () => {
    expect(rows(goblins(4), true)).toEqual(['Goblin ×4', 'Goblin 1', 'Goblin 2', 'Goblin 3', 'Goblin 4'])
    expect(rows(goblins(5), false, ['Goblin 2'])).toEqual(['Goblin ×5', 'Goblin 2'])
  })

  it('are as many rows as there are places, and none is listed where it does not stand', () => {
    const [first, second] = [goblins(4), goblins(8).slice(4)]
    const items = grouped([...first, entry('Ash', 12, { kind: 'pc' }), ...second], () => false, () => false)
    expect(new Set(items.map((item) => item.key)).size).toBe(3)
    expect(items.map((item) => ('group' in item ? item.group.entries.map((e) => e.key) : item.key))).toEqual([
      ['Goblin 1', 'Goblin 2', 'Goblin 3', 'Goblin 4'], 'Ash', ['Goblin 5', 'Goblin 6', 'Goblin 7', 'Goblin 8'],
    ])
  })

  it('say which of them has a row of its own, as long as they are closed', () => {
    const apart = (open: boolean) => grouped(goblins(5), () => open, (id) => id === 'Goblin 2').flatMap((item) => ('group' in item ? [item.group.apart] : []))
    expect(apart(false)).toEqual([['Goblin 2']])
    expect(apart(true)).toEqual([[]])
    const [was, is] = [grouped(goblins(4), () => false, () => false), grouped(goblins(4), () => false, (id) => id === 'Goblin 2')]
    expect(sameItem(was[0]!, is[0]!)).toBe(false)
  })

  it('are never player characters', () => {
    expect(rows(goblins(4).map((e) => ({ ...e, combatant: { ...e.combatant, kind: 'pc' } })))).toHaveLength(4)
  })
})
