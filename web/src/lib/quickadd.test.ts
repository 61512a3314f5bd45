import { describe, expect, it } from 'vitest'
import { parseQuickAdd } from './quickadd'

describe('a quick-add line', () => {
  it('reads name, number, modifier, hit points and armour class', () => {
    expect(parseQuickAdd('Goblin x4 init+2 hp7 ac15')).toEqual({ name: 'Goblin', times: 4, mod: 2, hp: 7, ac: 15 })
  })

  it('takes the words in any order and a name of several words', () => {
    expect(parseQuickAdd('hp=52 Old Red  Dragon CA:18 ini-1')).toEqual({ name: 'Old Red Dragon', hp: 52, ac: 18, mod: -1 })
  })

  it('tells a typed count from a modifier, and takes the comma', () => {
    expect(parseQuickAdd('Ana init=15,5')).toEqual({ name: 'Ana', init: 15.5 })
    expect(parseQuickAdd('Ana init12')).toEqual({ name: 'Ana', init: 12 })
    expect(parseQuickAdd('Ana init+0')).toEqual({ name: 'Ana', mod: 0 })
  })

  it('reads French, kinds, sides, groups and hidden ones', () => {
    expect(parseQuickAdd('Loup ×2 pv11 ca13 vd40 caché [la meute]')).toEqual(
      { name: 'Loup', times: 2, hp: 11, ac: 13, speed: 40, hidden: true, group: 'la meute' })
    expect(parseQuickAdd('Bel pj')).toEqual({ name: 'Bel', kind: 'pc', side: 'party' })
    expect(parseQuickAdd('Guard npc side=town')).toEqual({ name: 'Guard', kind: 'npc', side: 'town' })
  })

  it('keeps words that only look a little like settings in the name', () => {
    expect(parseQuickAdd('Acolyte Hproth Xavier')).toEqual({ name: 'Acolyte Hproth Xavier' })
  })

  it('says which word it cannot read', () => {
    expect(parseQuickAdd('Goblin hp7x')).toEqual({ problem: 'bad_word', word: 'hp7x' })
    expect(parseQuickAdd('Goblin init+two')).toEqual({ problem: 'bad_word', word: 'init+two' })
    expect(parseQuickAdd('Goblin x51')).toEqual({ problem: 'too_many', word: 'x51' })
    expect(parseQuickAdd('Goblin x0')).toEqual({ problem: 'too_many', word: 'x0' })
  })

  it('wants a name', () => {
    expect(parseQuickAdd('  x4 hp7 ')).toEqual({ problem: 'no_name', word: 'x4 hp7' })
    expect(parseQuickAdd('')).toEqual({ problem: 'no_name', word: '' })
  })
})
