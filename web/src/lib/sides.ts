import type { CombatantView } from './wire.gen'

/** Reports whether the fight seems over: of two sides or more, one at most has anybody who can fight on (SF-01, 5E-01). */
export function decided(combatants: Iterable<CombatantView>): boolean {
  const able = new Map<string, boolean>()
  for (const c of combatants) able.set(c.side, able.get(c.side) || (!c.defeated && c.life === 'up'))
  return able.size > 1 && [...able.values()].filter(Boolean).length < 2
}
