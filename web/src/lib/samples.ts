// Heroes and monsters to try a rule system with. They are our own, with plain
// numbers that show what the system has; they stand for no published creature.
import { t } from './lang.svelte'
import type { AddCombatant } from './wire.gen'

interface Samples {
  heroes: AddCombatant[]
  monsters: AddCombatant[]
}

const hero = (name: string, rest: Partial<AddCombatant>): AddCombatant => ({ name, side: 'party', kind: 'pc', ...rest })
const monster = (name: string, rest: Partial<AddCombatant>): AddCombatant => ({ name, side: 'foes', kind: 'npc', ...rest })

const byRules: Record<string, () => Samples> = {
  dnd5e: () => ({
    heroes: [
      hero('Brynn', { hp: 28, ac: 18, mod: 1, stats: { 'save.con': 5 } }),
      hero('Odo', { hp: 24, ac: 16, stats: { 'save.con': 3, 'save.wis': 5 } }),
      hero('Tamsin', { hp: 20, ac: 12, mod: 2, answers: ['shield', 'counterspell'], stats: { 'save.con': 4 } }),
      hero('Wick', { hp: 23, ac: 15, mod: 4, answers: ['uncannyDodge'], stats: { bonus: 1, 'save.dex': 6 } }),
    ],
    monsters: [
      monster(t('sample.imp'), { hp: 7, ac: 13, mod: 2, times: 4 }),
      monster(t('sample.ogre'), { hp: 50, ac: 12, mod: -1, speed: 40 }),
      monster(t('sample.drake'), { hp: 60, ac: 16, mod: 1, recharge: { [t('sample.breath')]: 5 }, stats: { legendary: 2, 'save.con': 5 } }),
      monster(t('sample.lurker'), { hp: 22, ac: 14, mod: 4, hidden: true }),
    ],
  }),
  starfinder: () => ({
    heroes: [
      hero('Sola', { hp: 30, ac: 16, mod: 4, stats: { stamina: 28, resolve: 5 } }),
      hero('Rix', { hp: 32, ac: 17, mod: 2, answers: ['defend'], stats: { stamina: 32, resolve: 4 } }),
      hero('Kimmo', { hp: 26, ac: 14, mod: 1, stats: { stamina: 24, resolve: 5, 'save.will': 5 } }),
      hero('Ada-7', { hp: 28, ac: 15, mod: 3, answers: ['retaliate'], stats: { stamina: 26, resolve: 4 } }),
    ],
    monsters: [
      monster(t('sample.pirate'), { hp: 18, ac: 12, mod: 2, times: 3 }),
      monster(t('sample.drone'), { hp: 14, ac: 13, mod: 3, times: 2 }),
      monster(t('sample.captain'), { hp: 42, ac: 15, mod: 3, answers: ['defend'] }),
      monster(t('sample.lurker'), { hp: 20, ac: 14, mod: 5, hidden: true }),
    ],
  }),
  'lights-and-shadows': () => ({
    heroes: [
      hero('Aldric', { hp: 18, stats: { score: 14, faint: 4, ...weapon('sample.sword', -1, -6) } }),
      hero('Maëlle', { hp: 14, stats: { score: 17, faint: 4, ...weapon('sample.bow', -2, -5) } }),
      hero('Ysore', { hp: 12, stats: { score: 12, faint: 5, ...weapon('sample.dagger', 0, -4) } }),
    ],
    monsters: [
      monster(t('sample.brigand'), { hp: 10, times: 3, stats: { score: 11, faint: 3, ...weapon('sample.axe', -3, -7) } }),
      monster(t('sample.wolf'), { hp: 13, times: 2, stats: { score: 15, ...weapon('sample.fangs', 0, -5) } }),
      monster(t('sample.knight'), { hp: 24, stats: { score: 13, faint: 5, ...weapon('sample.sword', -2, -6) } }),
    ],
  }),
}

/** A weapon's modifiers of its first attack in a round and of the next ones. */
function weapon(name: 'sample.sword' | 'sample.bow' | 'sample.dagger' | 'sample.axe' | 'sample.fangs', first: number, next: number): Record<string, number> {
  return { [`weapon.${t(name)}.first`]: first, [`weapon.${t(name)}.next`]: next }
}

/** The samples of a rule system, named in the language of the page; none for rules that are not known here. */
export const samples = (rules: string | undefined): Samples | undefined => byRules[rules ?? '']?.()
