// What a person can fill in for an action: which fields a form shows. This is
// about forms, not rules; the server decides what is allowed.
import type { ActCommand, Attack, Command, Offer } from './wire.gen'

export type DeedType = 'act' | 'react' | 'ready' | 'release' | 'legendaryAction' | 'lairAction'

/** The parts of the form. */
export interface DeedFields {
  name: boolean
  targets: boolean
  attack: boolean
  level: boolean
  trigger: boolean
  ac: boolean
  points: boolean
}

/** Reactions that add to armour class, and what their form starts from. */
export const acBonus: Readonly<Record<string, number>> = { shield: 5, defend: 2 }

const spells = new Set(['castSpell', 'counterspell', 'hellishRebuke', 'spell'])
const attacks = /attack|rebuke|strike|shot|retaliate|charge|maneuver|coupDeGrace|fightDefensively/i
/** Kinds that are complete as they are: one tap does them. */
const oneTap = new Set(['dash', 'disengage', 'dodge', 'hide', 'search', 'standUp', 'dropProne', 'drawWeapon', 'interact', 'uncannyDodge', 'featherFall', 'parry', 'shield', 'counterspell',
  'sheathe', 'reload', 'changeGrip', 'guardedStep', 'crawl', 'totalDefense', 'run', 'withdraw', 'talk', 'dropItem', 'stabilize', 'stayInTheFight',
  'otherMove', 'otherSwift', 'loadSling', 'openDoor', 'putOnHelmet', 'sizeUp', 'dress', 'donArmor', 'aim', 'mount'])

const defends = (type: DeedType, kind: string) => type === 'react' && kind in acBonus

/** Which fields the form of an offer has. */
export function fieldsOf(type: DeedType, kind: string): DeedFields {
  const spell = spells.has(kind)
  const bare = oneTap.has(kind) && type !== 'ready'
  const plain = type === 'release' && kind === '' // what was readied says the rest
  const attack = type !== 'ready' && type !== 'lairAction' && (attacks.test(kind) || spell || plain)
  return {
    name: !bare && !plain && kind !== 'move',
    targets: !bare && !defends(type, kind),
    attack: attack && !bare,
    level: spell && !bare,
    trigger: type === 'ready',
    ac: defends(type, kind),
    points: type === 'legendaryAction',
  }
}

/** Reports whether an offer needs nothing more from the person. */
export function isOneTap(offer: Offer): boolean {
  return (offer.type === 'act' || offer.type === 'react') && oneTap.has(offer.kind ?? '')
}

/** The command of an offer that needs nothing more. last says that its frame ends with it; a reaction always does. */
export function plainDeed(offer: Offer, combatant: string, last = false): Command {
  if (offer.type === 'react') {
    return {
      type: 'react', combatant, kind: offer.kind ?? 'other', done: true,
      window: offer.window,
      ...(offer.kind === 'shield' ? { ac: acBonus.shield } : {}),
      ...(offer.kind === 'shield' || offer.defensive ? { defensive: true } : {}),
    }
  }
  return { type: 'act', combatant, frame: offer.frame, kind: offer.kind ?? '', ...(last ? { done: true } : {}) } satisfies ActCommand
}

/** An attack as the form has it, all text. */
export interface AttackDraft {
  mode: 'roll' | 'total' | 'verdict' | 'none'
  toHit: string
  total: string
  hit: boolean
  damage: string
  critical: boolean
  melee: boolean
}

export const emptyAttack = (): AttackDraft =>
  ({ mode: 'roll', toHit: '', total: '', hit: true, damage: '', critical: false, melee: true })

const dice = /^\s*\d{0,3}(?:d\d{1,4})?(?:\s*[+-]\s*\d{0,3}(?:d\d{1,4})?)*\s*$/i

/** The attack of a draft, null when there is none, or undefined when it cannot be read. */
export function readAttack(draft: AttackDraft): Attack | null | undefined {
  if (draft.mode === 'none') return null
  const damage = draft.damage.replace(/\s+/g, '')
  if (!dice.test(damage)) return undefined
  const common: Attack = {
    ...(damage ? { damage } : {}),
    ...(draft.melee ? { melee: true } : {}),
  }
  if (draft.mode === 'verdict') return { ...common, hit: draft.hit, ...(draft.hit && draft.critical ? { critical: true } : {}) }
  const text = draft.mode === 'roll' ? draft.toHit : draft.total
  const found = /^\s*([+-]?\d{1,3})\s*$/.exec(text)
  if (!found) return undefined
  const n = Number(found[1])
  return draft.mode === 'roll' ? { ...common, toHit: n } : { ...common, total: n, ...(draft.critical ? { critical: true } : {}) }
}

/** One line about an attack that is remembered: “+5, 1d8+3”. */
export function attackSummary(draft: AttackDraft): string {
  const hit = /^[+-]/.test(draft.toHit.trim()) ? draft.toHit.trim() : `+${draft.toHit.trim()}`
  return draft.damage ? `${hit}, ${draft.damage}` : hit
}
