// What is declared for a round, made handy for showing.
import { kindLabel } from './labels'
import type { CombatantView, Declared, FrameView, IntentView, SlotView } from './wire.gen'

/** An action of a plan in words: the weapon of an attack, else the kind. */
export function intentLabel(intent: IntentView): string {
  return intent.kind === 'attack' && intent.weapon ? intent.weapon : kindLabel(intent.kind)
}

/** The actions of a plan that are its player's to change: not what was carried over. */
export function actionsOf(c: CombatantView): Declared[] {
  return (c.plan ?? []).filter((p) => !p.carried).map(({ kind, weapon, hasten }) => ({ kind, weapon, hasten }))
}

/** The weapons of a sheet, by the names of their pairs of modifiers. */
export function weaponsOf(c: CombatantView): string[] {
  return Object.keys(c.stats ?? {}).flatMap((key) => /^weapon\.(.+)\.first$/.exec(key)?.[1] ?? []).sort()
}

/** What the slot that a combatant plays now was declared for. */
export function intentOf(session: { order: SlotView[]; combatants: ReadonlyMap<string, CombatantView> }, combatant: string): IntentView | undefined {
  const slot = session.order.find((s) => s.current && s.combatants.includes(combatant))
  return slot?.part ? session.combatants.get(combatant)?.plan?.[slot.part - 1] : undefined
}

/** The sides of the die that is rolled for initiative; 0 where the scores alone give it. */
export function initiativeDie(options: Readonly<Record<string, string>> | undefined): number {
  const die = options?.['ls.initRoll']
  return die === undefined ? 20 : Number(/^d(\d+)$/.exec(die)?.[1] ?? 0)
}

/** Reports whether who acts has one thing to do and is through: in a place for one action, or in a response. */
export function endsWithDeed(session: { order: readonly SlotView[]; acting: FrameView | undefined }): boolean {
  if (!session.acting) return false
  return session.acting.kind !== 'turn' || session.order.some((s) => s.current && s.kind === 'action')
}
