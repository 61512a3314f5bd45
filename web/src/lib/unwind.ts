// Frames that have ended, and who goes on. A response that is over as soon as
// it is given never stands on the stack: only the log tells of it.
import type { Action, ActionView, FrameView, LogEntry } from './wire.gen'

/** Somebody goes on. */
export interface Resumed {
  /** the frame that goes on */
  frame: string
  /** who had broken in, and with what */
  by: string
  deed?: ActionView | Action
  /** what it was doing or did last at that moment, as one word: with something new it goes on no longer, it acts */
  at: string
}

const doing = (frame: FrameView) => JSON.stringify([frame.action ?? null, frame.did ?? null])

/** Who goes on after an update: because something on top of it ended in the update, or still, since nothing has happened since. */
export function resumed(before: readonly FrameView[], after: readonly FrameView[], log: readonly LogEntry[], was: Resumed | undefined): Resumed | undefined {
  const top = after.at(-1)
  if (!top || !before.some((f) => f.frame === top.frame)) return undefined
  let ended: { by: string; deed?: ActionView | Action } | undefined
  for (const f of before) {
    if (!after.some((other) => other.frame === f.frame)) ended ??= { by: f.combatant, deed: f.did ?? f.action }
  }
  for (const { event } of log) {
    if (event.type === 'framePushed' && !after.some((f) => f.frame === event.frame.id)) ended = { by: event.frame.combatant, deed: event.frame.action }
  }
  if (ended) return { frame: top.frame, ...ended, at: doing(top) }
  return was?.frame === top.frame && was.at === doing(top) ? was : undefined
}
