import { beforeEach, describe, expect, it } from 'vitest'
import { creatureOf, fileName, forgetSet, keepSet, mostBytes, mostSets, preparedSets, readFile, toAdd, writeFile, type PreparedSet, type Shelf } from './prepared'
import type { CombatantView } from './wire.gen'

/** A browser's storage, with as much room as the test says. */
class Box implements Shelf {
  private readonly kept = new Map<string, string>()
  constructor(public room = Infinity) {}
  get length() { return this.kept.size }
  key(i: number) { return [...this.kept.keys()][i] ?? null }
  getItem(key: string) { return this.kept.get(key) ?? null }
  removeItem(key: string) { this.kept.delete(key) }
  setItem(key: string, value: string) {
    const used = [...this.kept].filter(([k]) => k !== key).reduce((sum, [, v]) => sum + v.length, 0)
    if (used + value.length > this.room) throw new DOMException('full', 'QuotaExceededError')
    this.kept.set(key, value)
  }
}

const wolf = { name: 'Wolf', hp: 11 }
let box: Box
const shelf = () => box
const keep = (name: string, id?: string, creatures = [wolf]) => keepSet({ name, creatures, ...(id ? { id } : {}) }, 5, shelf)
beforeEach(() => { box = new Box() })

describe('a creature of a fight', () => {
  it('is kept fresh, as its sheet says', () => {
    const view: CombatantView = {
      id: 'c1', rev: 4, name: 'Goblin 2', side: 'foes', kind: 'npc', group: 'Goblin', hidden: true, life: 'dead', defeated: true, reaction: false,
      initiative: 12, mod: 2, hp: { current: 0, max: 12, temp: 3 }, ac: 17, sheet: { ac: 15, maxHp: 7 }, speed: 25, notes: 'has the key', answers: ['parry'],
      recharge: { Breath: false }, rechargeAt: { Breath: 5 }, stats: { 'save.dex': 2 }, conditions: ['prone'], seat: 's1', position: 'on the roof',
    }
    expect(creatureOf(view)).toEqual({
      name: 'Goblin 2', side: 'foes', kind: 'npc', group: 'Goblin', mod: 2, hp: 7, ac: 15, speed: 25, notes: 'has the key', answers: ['parry'],
      recharge: { Breath: 5 }, stats: { 'save.dex': 2 },
    })
  })

  it('may have next to nothing on it', () => {
    expect(creatureOf({ id: 'c', name: 'Fog', side: 'foes', kind: 'npc', life: 'up', reaction: false })).toEqual({ name: 'Fog', side: 'foes', kind: 'npc', hp: 0, ac: 0, mod: 0 })
  })
})

describe('adding a set', () => {
  const set: PreparedSet = { id: 'x', name: 'Pack', rules: 'dnd5e', at: 0, creatures: [{ ...wolf, stats: { bonus: 1 }, answers: ['parry'] }, { ...wolf, hidden: true }] }

  it('hides them if wanted, and leaves hidden who was', () => {
    expect(toAdd(set, 'dnd5e', false)).toEqual([{ ...wolf, stats: { bonus: 1 }, answers: ['parry'] }, { ...wolf, hidden: true }])
    expect(toAdd(set, 'dnd5e', true).map((c) => c.hidden)).toEqual([true, true])
  })

  it('leaves out the numbers of other rules', () => {
    expect(toAdd(set, 'starfinder', false)[0]).toEqual(wolf)
  })
})

describe('the kept sets', () => {
  it('come back by name', () => {
    expect([keep('Wolves 10'), keep('Wolves 2'), keep('Ambush')]).toEqual([undefined, undefined, undefined])
    expect(preparedSets(shelf).map((s) => [s.name, s.at, s.creatures])).toEqual([['Ambush', 5, [wolf]], ['Wolves 2', 5, [wolf]], ['Wolves 10', 5, [wolf]]])
  })

  it('are renamed and forgotten', () => {
    keep('Pack', 'a')
    keep('Wolves', 'a')
    expect(preparedSets(shelf).map((s) => s.name)).toEqual(['Wolves'])
    forgetSet('a', shelf)
    expect(preparedSets(shelf)).toEqual([])
  })

  it('are bounded in number and size', () => {
    for (let i = 0; i < mostSets; i++) expect(keep(`Set ${i}`, `s${i}`)).toBeUndefined()
    expect(keep('One more')).toBe('too_many')
    expect(keep('Again', 's7')).toBeUndefined()
    expect(keep('Long', 's8', [{ ...wolf, notes: 'é'.repeat(mostBytes / 2) }] as never)).toBe('too_large')
    expect(preparedSets(shelf)).toHaveLength(mostSets)
  })

  it('say when the browser has no room, or keeps nothing', () => {
    box = new Box(150)
    expect(keep('Pack')).toBeUndefined()
    expect(keep('Another')).toBe('full')
    box = new Box(0)
    expect(keep('Pack')).toBe('blocked')
    const denied = () => { throw new DOMException('denied', 'SecurityError') }
    expect(keepSet({ name: 'Pack', creatures: [wolf] }, 5, denied)).toBe('blocked')
    expect(preparedSets(denied)).toEqual([])
    forgetSet('a', denied)
  })

  it('leave out what somebody else has written there', () => {
    box.setItem('riposte.prepared.x', '{')
    box.setItem('riposte.prepared.y', '{"format":"riposte-creatures/1","name":3,"creatures":[{"name":"Wolf"}]}')
    box.setItem('riposte.theme', '"dark"')
    expect(preparedSets(shelf)).toEqual([{ id: 'y', name: '', at: 0, creatures: [{ name: 'Wolf' }] }])
  })
})

describe('a file', () => {
  it('holds a set', () => {
    const set = { name: 'Pack', rules: 'dnd5e', creatures: [wolf] }
    expect(JSON.parse(writeFile(set))).toEqual({ format: 'riposte-creatures/1', ...set })
    expect(readFile(writeFile(set))).toEqual(set)
    expect(readFile(writeFile({ name: 'x'.repeat(90), creatures: [wolf] }))).toEqual({ name: 'x'.repeat(80), creatures: [wolf] })
  })

  it('that is none is refused with the reason', () => {
    expect(readFile('{')).toBe('not_json')
    for (const other of ['[]', 'null', '{"format":"riposte/1"}']) expect(readFile(other)).toBe('other_format')
    for (const creatures of ['[]', '{}', '[3]', '[{"hp":3}]', `[${'{"name":"x"},'.repeat(200)}{"name":"x"}]`]) {
      expect(readFile(`{"format":"riposte-creatures/1","creatures":${creatures}}`)).toBe('no_creatures')
    }
    expect(readFile(' '.repeat(mostBytes + 1))).toBe('too_large')
  })

  it('has a name that every system takes', () => {
    expect([fileName('Les loups : nuit/2'), fileName('../..'), fileName('')]).toEqual(['Les-loups-nuit2.json', 'creatures.json', 'creatures.json'])
  })
})
