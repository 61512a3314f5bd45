import { describe, expect, it } from 'vitest'
import { locale } from './lang.svelte'
import { samples } from './samples'

describe('samples', () => {
  for (const rules of ['dnd5e', 'starfinder', 'lights-and-shadows']) {
    for (const language of ['en', 'fr'] as const) {
      it(`of ${rules} in ${language} have names of their own, and heroes on one side`, () => {
        locale.choose(language)
        const { heroes, monsters } = samples(rules)!
        const names = [...heroes, ...monsters].map((c) => c.name)
        expect(new Set(names).size).toBe(names.length)
        expect(names.every((name) => name.trim() !== '')).toBe(true)
        expect(heroes.every((c) => c.kind === 'pc' && c.side === 'party')).toBe(true)
        expect(monsters.every((c) => c.kind === 'npc' && c.side === 'foes')).toBe(true)
      })
    }
  }

  it('are none where the rules are not known', () => {
    expect(samples('other')).toBeUndefined()
    expect(samples(undefined)).toBeUndefined()
  })
})
