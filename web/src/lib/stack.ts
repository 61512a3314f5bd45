// The interrupt stack in words. Frames are bottom first: the turn, then who
// broke in, one on top of the other; the last one acts.
import { isolate } from './bidi'
import { isCounter, isPoints } from './costs'
import { actionLabel, budgetLeft } from './labels'
import { list, num, t, tx } from './lang.svelte'
import type { Action, ActionView, FrameView, Pool, TriggerView } from './wire.gen'

type NameOf = (id: string) => string

function side(role: 'subject' | 'object', frame: FrameView, nameOf: NameOf): string {
  const who = nameOf(frame.combatant)
  return tx(`stack.${role}.${frame.kind}`, who, { who })
}

/** “Bel’s reaction interrupts Ana’s turn”, however deep; whose turn it is when nothing interrupts; empty between turns. */
export function stackSentence(stack: FrameView[], nameOf: NameOf): string {
  const [top, ...below] = [...stack].reverse()
  if (!top) return ''
  let text = side('subject', top, nameOf)
  below.forEach((frame, i) => {
    text += `${i === 0 ? ` ${t('stack.interrupts')}` : t('stack.whichInterrupts')} ${side('object', frame, nameOf)}`
  })
  return text
}

/** “Opportunity attack → Mira (17)”, “Move 20 ft”. */
export function deedText(action: ActionView | Action, nameOf: NameOf): string {
  const feet = action.feet ? ` ${t('deed.feet', { n: num(action.feet) })}` : ''
  const targets = action.targets?.length ? ` → ${list(action.targets.map((id) => isolate(nameOf(id))))}` : ''
  const total = 'total' in action && action.total !== undefined ? ` (${num(action.total)})` : ''
  return actionLabel(action) + feet + targets + total
}

/** What a response answers. Whose frame that is goes without saying where it lies right below. */
export function triggerText(trigger: TriggerView, below: FrameView | undefined, nameOf: NameOf): string {
  if (trigger.text) return t('quoted', { text: trigger.text })
  const what = actionLabel(trigger)
  const who = trigger.combatant && trigger.combatant !== below?.combatant ? isolate(nameOf(trigger.combatant)) : ''
  return [who, what].filter(Boolean).join(' · ')
}

/** What is left of a turn: no points that outlast it, nothing that only counts up, and the reaction is seen in the order. */
export function leftOfTurn(budget: readonly Pool[]): Pool[] {
  return budget.filter((p) => !isPoints(p.name) && !isCounter(p.name) && p.name !== 'reaction')
}

/** “1 action and 10 ft”, or “nothing”. */
export const leftText = (budget: readonly Pool[]): string => budgetLeft(leftOfTurn(budget))

/** The same on a line that has no room for what is worth least. */
export const mainLeftText = (budget: readonly Pool[]): string => leftText(budget.filter((p) => p.name !== 'object'))

/** Of that many who wait, which lines are put together into one: those between the turn and who waits last. */
export function between(waiting: number): { from: number; to: number } | undefined {
  return waiting > 3 ? { from: 1, to: waiting - 1 } : undefined
}
