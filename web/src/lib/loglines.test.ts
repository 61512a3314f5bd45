import { describe, expect, it } from 'vitest'
import { concerned, olderPart, passes, rowMaker } from './loglines'
import type { AppEvent, LogEntry } from './wire.gen'

let at = 0
const entry = (event: object, commit?: number): LogEntry => ({ at: ++at, by: 'gm', event: event as AppEvent, ...(commit ? { commit } : {}) })
const hurt = (combatant: string, commit?: number) => entry({ type: 'damaged', combatant, amount: 3 }, commit)
const round = (n: number, commit?: number) => entry({ type: 'roundStarted', phase: 'rounds', round: n }, commit)
const nothing: ReadonlySet<number> = new Set()

describe('whom a line is about', () => {
  it('is read off the event, wherever it names somebody', () => {
    expect(concerned(hurt('c1').event)).toContain('c1')
    expect(concerned({ type: 'acted', frame: 'f1', combatant: 'c1', action: { kind: 'attack', targets: ['c2'] } } as AppEvent)).toContain('c2')
    expect(concerned({ type: 'framePushed', frame: { id: 'f2', kind: 'reaction', combatant: 'c3', trigger: { combatant: 'c1' }, startedAt: 0 } } as AppEvent)).toContain('c3')
    expect(concerned({ type: 'combatantAdded', combatant: { id: 'c4', name: 'Ash' } } as unknown as AppEvent)).toContain('c4')
  })

  it('is nobody who only ends an effect or stands in the order', () => {
    const effect = { type: 'effectAdded', effect: { id: 'e1', name: 'prone', target: 'c1', ends: { at: 'turnEnd', of: 'c2' } } } as AppEvent
    expect(concerned(effect)).toContain('c1')
    expect(concerned(effect)).not.toContain('c2')
    expect(concerned({ type: 'ordered', slots: [{ id: 's1', kind: 'turn', combatant: 'c1', count: 1 }] } as AppEvent).size).toBe(0)
  })
})

describe('what is shown', () => {
  it('follows the kind and the combatant', () => {
    expect(passes(hurt('c1'), { kind: 'damage', combatant: 'c1' })).toBe(true)
    expect(passes(hurt('c1'), { kind: 'damage', combatant: 'c2' })).toBe(false)
    expect(passes(hurt('c1'), { kind: 'talk' })).toBe(false)
    expect(passes(entry({ type: 'said', text: 'c1' }), { kind: 'talk' })).toBe(true)
    expect(passes(entry({ type: 'initiativeSet', combatant: 'c1', count: 4 }), { kind: 'rolls' })).toBe(false)
    expect(passes(entry({ type: 'initiativeSet', combatant: 'c1', count: 4, die: 4 }), { kind: 'rolls' })).toBe(true)
    expect(passes(entry({ type: 'stepped', frame: 'f1', step: 'act' }), {})).toBe(false)
    expect(passes(entry({ type: 'stepped', frame: 'f1', step: 'act' }), { details: true })).toBe(true)
  })

  it('stands under its round, the newest first, and what did not change stays the same', () => {
    const make = rowMaker()
    const log = [hurt('c0', 1), round(1, 2), hurt('c1', 3), round(2, 4), hurt('c2', 5)]
    const told = (rows: ReturnType<typeof make>['rows']) => rows.map((r) => (r.heading ? `round ${r.round}` : r.line!.entry.event.type))
    const first = make(log, {}, 100, nothing, 2)
    expect(told(first.rows)).toEqual(['round 2', 'damaged', 'roundStarted', 'round 1', 'damaged', 'roundStarted', 'round 0', 'damaged'])
    const second = make([...log, hurt('c3', 6)], {}, 100, nothing, 2)
    expect(second.rows.slice(2)).toEqual(first.rows.slice(1))
    expect(second.rows.slice(2).every((row, i) => row === first.rows[i + 1])).toBe(true)
    const few = make(log, {}, 2, nothing, 2)
    expect(few.more).toBe(true)
    expect(told(few.rows)).toEqual(['round 2', 'damaged', 'roundStarted'])
  })

  it('has no line for the round that its heading names, unless one comes back to it there', () => {
    const turn = entry({ type: 'turnStarted', combatant: 'c1' }, 2)
    const told = (log: LogEntry[]) => rowMaker()(log, {}, 100, nothing, 1).rows.map((r) => (r.heading ? `round ${r.round}` : r.line!.entry.event.type))
    expect(told([round(1, 2), turn])).toEqual(['round 1', 'turnStarted'])
    expect(told([round(1, 2), hurt('c1', 3)])).toEqual(['round 1', 'damaged', 'roundStarted'])
  })

  it('can be gone back to from the newest line of a commit that stands', () => {
    const rows = rowMaker()([round(1, 2), hurt('c1', 3), hurt('c2', 3), hurt('c3', 4)], {}, 100, new Set([4]), 1).rows
    expect(rows.filter((r) => !r.heading).map((r) => [r.line!.entry.commit, r.back, r.gone])).toEqual([[4, false, true], [3, true, false], [3, false, false], [2, true, false]])
  })
})

describe('older lines', () => {
  it('are those before the first that one has', () => {
    const whole = [hurt('a'), hurt('b'), hurt('c'), hurt('d')]
    expect(olderPart(whole, whole.slice(2))).toEqual(whole.slice(0, 2))
    // The page may be ahead of what was fetched, or behind it.
    expect(olderPart(whole, [...whole.slice(3), hurt('e')])).toEqual(whole.slice(0, 3))
    expect(olderPart(whole, whole.slice(1, 3))).toEqual(whole.slice(0, 1))
    expect(olderPart(whole, [])).toEqual([])
    expect(olderPart(whole, [hurt('other')])).toBeUndefined()
  })
})
