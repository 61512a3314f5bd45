// Who comes when, read off the order for showing. No rule is applied here.
import type { CombatantView, SlotView } from './wire.gen'

/** Reports whether a combatant's slots come up. */
const comesUp = (c: CombatantView | undefined) => c !== undefined && !c.defeated && c.life !== 'dead'

/** The slots still to come, in the order they come: the rest of this round, then the next one up to and with the current slot. */
export function coming(order: SlotView[], combatants: ReadonlyMap<string, CombatantView>): SlotView[] {
  const at = order.findIndex((s) => s.current)
  const plays = (s: SlotView) => s.kind !== 'marker' && s.combatants.some((id) => comesUp(combatants.get(id)))
  const rest = order.filter((s, i) => i !== at && !s.done && plays(s))
  // Slots of actions are made anew each round.
  const again = order.filter((s, i) => (s.done || i === at) && s.kind !== 'action' && plays(s))
  return [...rest, ...again]
}

/** How many turns come before one of these combatants has theirs; undefined when they have none. 0 is next. */
export function turnsUntil(slots: SlotView[], mine: readonly string[]): number | undefined {
  const found = slots.findIndex((s) => s.combatants.some((id) => mine.includes(id)))
  return found < 0 ? undefined : found
}
