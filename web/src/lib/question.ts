// The open question, and who may answer it.
import { isolate } from './bidi'
import { actionLabel } from './labels'
import { list, t } from './lang.svelte'
import type { Offer, WindowView } from './wire.gen'

interface Asked {
  can: readonly Offer[]
  window: WindowView | undefined
}

/** Those for whom this viewer may answer, the one being asked first. */
export function answering({ can, window }: Asked): string[] {
  return can.flatMap((o) => (o.type === 'decline' && o.window === window?.window && o.combatant ? [o.combatant] : []))
    .sort((a, b) => Number(b === window?.asked) - Number(a === window?.asked))
}

/** What is being done, and to whom: “Attack → you (Mira)”. */
export function questionDeed(window: WindowView, mine: readonly string[], nameOf: (id: string) => string): string {
  const targets = (window.targets ?? []).map((id) => (mine.includes(id) ? t('window.you', { who: nameOf(id) }) : isolate(nameOf(id))))
  const what = actionLabel(window.trigger)
  return targets.length ? `${what} → ${list(targets)}` : what
}
