import { describe, expect, it } from 'vitest'
import { commands, heads, notesOf, refused, rowsOf, toAdd, wrong, type Row } from './importing'
import type { AddCombatant } from './wire.gen'

const row = (creature: Partial<AddCombatant>, typed: Partial<Row> = {}): Row => ({
  ...rowsOf({ format: 'csv', creatures: [{ creature: { name: 'Ash', kind: 'npc', side: 'foes', times: 1, ...creature } }], faults: [] }, 0)[0]!,
  ...typed,
})
const all = { notes: true, counts: true }

describe('a row', () => {
  it('shows what was found', () => {
    expect(row({ hp: 7, mod: 2, times: 3 })).toMatchObject({ name: 'Ash', times: '3', hp: '7', ac: '', mod: '+2', role: 'foe', hidden: false })
    expect(row({ mod: -1, kind: 'npc', side: 'party', hidden: true })).toMatchObject({ mod: '-1', role: 'ally', hidden: true })
    expect(row({ kind: 'pc', side: 'party' }).role).toBe('pc')
    expect(row({ side: 'neutral' }).role).toBe('own')
  })

  it('adds what is typed over what was found', () => {
    const found = { hp: 20, current: 12, init: 15.5, notes: 'n', answers: ['parry'], stats: { dex: 12 }, side: 'neutral' }
    expect(toAdd(row(found), all)).toEqual({ name: 'Ash', kind: 'npc', side: 'neutral', times: 1, hp: 20, current: 12, init: 15.5, notes: 'n', ac: 0, mod: 0, hidden: false, answers: ['parry'], stats: { dex: 12 } })
    const edited = row(found, { name: ' Elm ', hp: '8', ac: ' 13 ', mod: '+3', times: '4', role: 'pc', hidden: true })
    expect(toAdd(edited, { notes: false, counts: false })).toEqual({ name: 'Elm', kind: 'pc', side: 'party', times: 4, hp: 8, current: 8, ac: 13, mod: 3, hidden: true, answers: ['parry'], stats: { dex: 12 } })
    // Whose hit points are not counted has none left either.
    expect(toAdd(row(found, { hp: '' }), all)).not.toHaveProperty('current')
    expect(toAdd(row({ init: 0 }), all).init).toBe(0)
  })

  it('says which fields are wrong', () => {
    expect([...wrong(row({}))]).toEqual([])
    expect([...wrong(row({}, { name: ' ', times: '0', hp: '2d6', ac: '-1', mod: 'x' }))]).toEqual(['name', 'times', 'hp', 'ac', 'mod'])
    expect([...wrong(row({}, { times: '' }))]).toEqual(['times'])
    expect([...wrong(row({}, { times: '51', hp: '1000001', ac: '1001', mod: '12,5' }))]).toEqual(['times', 'hp', 'ac', 'mod'])
  })

  it('counts heads and notes', () => {
    const rows = [row({ notes: 'é' }, { times: '3' }), row({ notes: 'abc' }), row({}, { times: 'x' })]
    expect(heads(rows)).toBe(4)
    expect(notesOf(rows)).toBe(9)
  })
})

describe('the commands', () => {
  it('are one, while it fits', () => {
    const list = Array.from({ length: 50 }, (_, i) => ({ name: `Ant ${i}` }))
    expect(commands(list)).toEqual([{ type: 'importCombatants', combatants: list }])
    expect(commands([])).toEqual([])
  })

  it('split between creatures, none lost', () => {
    const list = Array.from({ length: 150 }, (_, i) => ({ name: `Ant ${i}`, notes: 'é'.repeat(1200) }))
    const split = commands(list)
    expect(split.length).toBeGreaterThan(1)
    expect(split.flatMap((c) => c.combatants)).toEqual(list)
    for (const command of split) expect(new TextEncoder().encode(JSON.stringify(command)).length).toBeLessThan(256 << 10)
  })

  it('are refused for one creature of theirs', () => {
    expect(refused({ field: 'combatants.3.stats.dex' })).toEqual({ index: 3, field: 'stats.dex' })
    expect(refused({ field: 'notes' })).toBeUndefined()
    expect(refused({})).toBeUndefined()
  })
})
