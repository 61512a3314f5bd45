import { describe, expect, it } from 'vitest'
import { locale } from './lang.svelte'
import { proposalText } from './proposal'
import type { Command } from './wire.gen'

const names: Record<string, string> = { a: 'Ash', b: 'Birch', c: 'Cedar' }
const nameOf = (id: string | undefined) => names[id ?? ''] ?? 'somebody'
const says = (command: Command, about = ['a']) => proposalText(command, about, nameOf, (id) => (id === 'e' ? 'prone' : undefined))

describe('a proposal in words', () => {
  it('says what is asked for, and for whom', () => {
    locale.choose('en')
    expect(says({ type: 'damage', combatants: ['a'], amount: 7 })).toBe('7 damage to Ash')
    expect(says({ type: 'damage', combatants: ['a', 'b'], amount: 7, source: 'c' }, ['a', 'b'])).toBe('7 damage to Ash and Birch from Cedar')
    expect(says({ type: 'heal', combatants: ['a'], amount: 3 })).toBe('3 HP of healing for Ash')
    expect(says({ type: 'setTempHp', combatants: ['a'], amount: 5 })).toBe('5 temporary HP for Ash')
    expect(says({ type: 'addEffect', combatants: ['a'], name: 'prone' })).toBe('Prone on Ash')
    expect(says({ type: 'removeEffect', effects: ['e'] })).toBe('Prone on Ash is over')
    expect(says({ type: 'removeEffect', effects: ['gone'] })).toBe('an effect on Ash is over')
  })

  it('in French too', () => {
    locale.choose('fr')
    expect(says({ type: 'damage', combatants: ['a'], amount: 7, source: 'a' })).toBe('7 dégâts d’Ash pour Ash')
    expect(says({ type: 'damage', combatants: ['a'], amount: 1 })).toBe('1 dégât pour Ash')
    expect(says({ type: 'removeEffect', effects: ['e'] })).toBe('fin de l’effet À terre sur Ash')
  })
})
