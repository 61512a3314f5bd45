import { describe, expect, it } from 'vitest'
import { decided } from './sides'
import type { CombatantView } from './wire.gen'

const one = (side: string, rest: Partial<CombatantView> = {}): CombatantView => ({ id: side, name: side, side, kind: 'npc', life: 'up', reaction: true, ...rest })
const foes = one('foes')

describe('a fight', () => {
  it.each<[string, boolean, CombatantView[]]>([
    ['goes on while both sides have somebody', false, [one('party'), foes, one('foes', { life: 'dead' })]],
    ['seems over when all of one side are dead or taken out', true, [one('party'), one('foes', { life: 'dead' }), one('foes', { defeated: true })]],
    ['seems over when the party is down', true, [one('party', { life: 'dying' }), one('party', { life: 'stable' }), foes]],
    ['seems over when nobody is left', true, [one('party', { life: 'dead' }), one('foes', { life: 'dead' })]],
    ['goes on while two of three sides have somebody', false, [one('party'), foes, one('beasts', { life: 'dead' })]],
    ['of one side only is not decided', false, [one('party')]],
    ['goes on with somebody who is hidden or waits', false, [one('party', { delaying: true }), one('foes', { hidden: true })]],
  ])('%s', (_, over, combatants) => {
    expect(decided(combatants)).toBe(over)
  })
})
