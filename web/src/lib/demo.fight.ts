// The demo fight, as commands to the server and a sentence for each: a spell
// that is countered, a blow at somebody who walks away, and a shield against
// it. The dice are said, so that it goes the same way each time.
import type { MessageKey } from '../i18n/messages'
import type { Command } from './wire.gen'

export type Role = 'mira' | 'toran' | 'goblin' | 'shaman'

/** What a step may need to know of the fight as it stands. */
export interface Moment {
  id: Record<Role, string>
  /** of the question that is open */
  window?: string
  /** of the frame that acts */
  frame?: string
  t(key: MessageKey): string
}

export interface Step {
  /** what is said while it is seen */
  say: MessageKey
  does(now: Moment): Command
}

/** Everybody, with their initiative given. */
export function cast(t: Moment['t']): Command[] {
  const add = (role: Role, stats: Omit<Extract<Command, { type: 'addCombatant' }>, 'type' | 'name'>): Command =>
    ({ type: 'addCombatant', name: t(`demo.name.${role}`), ...stats })
  return [
    add('shaman', { side: 'foes', kind: 'npc', init: 17, hp: 27, ac: 13, answers: ['counterspell'] }),
    add('mira', { side: 'party', kind: 'pc', init: 15, hp: 22, ac: 14, answers: ['shield', 'counterspell'] }),
    add('goblin', { side: 'foes', kind: 'npc', init: 12, hp: 7, ac: 15 }),
    add('toran', { side: 'party', kind: 'pc', init: 7, hp: 31, ac: 18 }),
  ]
}

export const fight: Step[] = [
  { say: 'demo.start', does: () => ({ type: 'startCombat' }) },
  { say: 'demo.hold', does: ({ id, frame, t }) => ({ type: 'act', combatant: id.shaman, frame, kind: 'castSpell', name: t('demo.holdPerson'), level: 2, targets: [id.toran] }) },
  { say: 'demo.counter', does: ({ id, window }) => ({ type: 'react', combatant: id.mira, window, kind: 'counterspell', level: 3, done: true }) },
  { say: 'demo.pass', does: ({ id, window }) => ({ type: 'decline', combatant: id.shaman, window: window ?? '' }) },
  { say: 'demo.next', does: ({ id, frame }) => ({ type: 'endTurn', combatant: id.shaman, frame }) },
  { say: 'demo.walk', does: ({ id, frame }) => ({ type: 'move', combatant: id.mira, frame, feet: 20, leavesReachOf: [id.goblin] }) },
  { say: 'demo.strike', does: ({ id, window }) => ({ type: 'react', combatant: id.goblin, window, kind: 'opportunityAttack', targets: [id.mira], attack: { total: 16, damage: '6' } }) },
  { say: 'demo.shield', does: ({ id, window }) => ({ type: 'react', combatant: id.mira, window, kind: 'shield', ac: 5 }) },
  { say: 'demo.miss', does: ({ id, frame }) => ({ type: 'endTurn', combatant: id.mira, frame }) },
  { say: 'demo.unwind', does: ({ id, frame }) => ({ type: 'endTurn', combatant: id.goblin, frame }) },
  { say: 'demo.bolt', does: ({ id, frame, t }) => ({ type: 'act', combatant: id.mira, frame, kind: 'attack', name: t('demo.crossbow'), targets: [id.goblin], attack: { total: 18, damage: '7' } }) },
  { say: 'demo.toran', does: ({ id, frame }) => ({ type: 'endTurn', combatant: id.mira, frame }) },
  { say: 'demo.axe', does: ({ id, frame, t }) => ({ type: 'act', combatant: id.toran, frame, kind: 'attack', name: t('demo.greataxe'), targets: [id.shaman], attack: { total: 22, damage: '15' } }) },
  { say: 'demo.round', does: ({ id, frame }) => ({ type: 'endTurn', combatant: id.toran, frame }) },
  { say: 'demo.flee', does: ({ id, frame }) => ({ type: 'move', combatant: id.shaman, frame, feet: 30, leavesReachOf: [id.toran] }) },
  { say: 'demo.last', does: ({ id, window, t }) => ({ type: 'react', combatant: id.toran, window, kind: 'opportunityAttack', name: t('demo.greataxe'), targets: [id.shaman], attack: { total: 21, damage: '14' }, done: true }) },
  { say: 'demo.end', does: () => ({ type: 'endCombat' }) },
]
