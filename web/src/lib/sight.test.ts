import { beforeEach, describe, expect, it } from 'vitest'
import { locale } from './lang.svelte'
import { common, hiddenText, presenceFor, sightFor, sightText } from './sight'
import type { CombatantView } from './wire.gen'

const shade = (more: Partial<CombatantView> = {}): CombatantView =>
  ({ id: 'c1', name: 'Shade', side: 'foes', kind: 'npc', life: 'up', reaction: true, ...more })

beforeEach(() => locale.show('en'))

describe('who sees a creature', () => {
  it('is told apart by audience', () => {
    expect(presenceFor(shade(), 'players')).toBe('shown')
    const both = shade({ hidden: true, hiddenFrom: ['players', 'spectators'], untilAct: true, showsTo: ['spectators'] })
    expect(presenceFor(both, 'spectators')).toBe('untilAct')
    expect(presenceFor(both, 'players')).toBe('hidden')
    const one = shade({ hidden: true, hiddenFrom: ['spectators'] })
    expect(presenceFor(one, 'players')).toBe('shown')
    expect(presenceFor(one, 'spectators')).toBe('hidden')
    expect([shade(), one, both].map(hiddenText)).toEqual(['', 'hidden from spectators', 'hidden'])
    // A player knows only that its own creature is hidden.
    expect(hiddenText(shade({ hidden: true }))).toBe('hidden')
  })

  it('is said in words where it differs from the options', () => {
    const set = shade({ sight: { players: { hp: 'exact' }, spectators: { hp: 'none', ac: 'yes' } } })
    expect(sightFor(set, 'players', 'hp')).toBe('exact')
    expect(sightFor(set, 'players', 'ac')).toBe('')
    expect(sightText(set)).toBe('Players – HP: numbers; Spectators – HP: nothing, AC: yes')
    expect(sightText(shade())).toBe('')
  })

  it('is common to several, or not', () => {
    expect(common(['a', 'a'])).toBe('a')
    expect(common(['a', 'b'])).toBeUndefined()
  })
})
