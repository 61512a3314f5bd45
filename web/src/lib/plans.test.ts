import { describe, expect, it } from 'vitest'
import { actionsOf, endsWithDeed, initiativeDie, intentLabel, weaponsOf } from './plans'
import type { CombatantView } from './wire.gen'

const knight = {
  id: 'k', rev: 0, name: 'K', side: 'party', kind: 'pc', life: 'up', reaction: true,
  stats: { score: 15, 'weapon.sword.first': -1, 'weapon.sword.next': -6, 'weapon.axe.first': -4, 'weapon.axe.next': -9 },
  plan: [
    { kind: 'attack', weapon: 'axe', count: 7, carried: true },
    { kind: 'attack', weapon: 'sword', count: 14, hasten: 2 },
    { kind: 'openDoor', count: -1, lost: true },
  ],
} satisfies CombatantView

describe('a plan', () => {
  it('names an attack by its weapon and the rest by its kind', () => {
    expect(knight.plan.map(intentLabel)).toEqual(['axe', 'sword', 'Open a door'])
  })

  it('leaves out what was carried over, and what the server reckons', () => {
    expect(actionsOf(knight)).toEqual([{ kind: 'attack', weapon: 'sword', hasten: 2 }, { kind: 'openDoor', weapon: undefined, hasten: undefined }])
    expect(actionsOf({ ...knight, plan: undefined })).toEqual([])
  })

  it('finds the weapons of the sheet', () => {
    expect(weaponsOf(knight)).toEqual(['axe', 'sword'])
    expect(weaponsOf({ ...knight, stats: undefined })).toEqual([])
  })
})

describe('one thing to do', () => {
  const slot = (kind: string, current = true) => ({ slot: 's', combatants: ['k'], count: 14, kind, current })
  const frame = (kind: string) => ({ frame: 'f', kind, combatant: 'k' })

  it('is all there is in the place of an action, and in a response, but not in a turn', () => {
    expect(endsWithDeed({ order: [slot('action')], acting: frame('turn') })).toBe(true)
    expect(endsWithDeed({ order: [slot('turn')], acting: frame('turn') })).toBe(false)
    expect(endsWithDeed({ order: [slot('turn')], acting: frame('readied') })).toBe(true)
    expect(endsWithDeed({ order: [slot('action', false)], acting: frame('turn') })).toBe(false)
    expect(endsWithDeed({ order: [slot('action')], acting: undefined })).toBe(false)
  })
})

it('the die for initiative is a d20, what the option says, or none', () => {
  const options: (Record<string, string> | undefined)[] = [undefined, {}, { 'ls.initRoll': 'none' }, { 'ls.initRoll': 'd6' }]
  expect(options.map(initiativeDie)).toEqual([20, 20, 0, 6])
})
