// A field that is typed in and goes, because its row comes up elsewhere, hands
// what is typed and the focus over to the field that comes in its place.
import { tick } from 'svelte'

export interface Typing {
  /** whose field it is */
  ids: readonly string[]
  text: string
  /** what stood there when typing began, as text and as the counts of those who had one */
  before: string
  seen: Readonly<Record<string, number>>
  caret: readonly [number, number]
}

/** There is one focus, so there is one. */
let held: Typing | undefined

/** Holds it for a field that appears in the same update; without one it is dropped. */
export function handOver(typing: Typing): void {
  held = typing
  void tick().then(() => { if (held === typing) held = undefined })
}

/** Takes what was handed over by the field of somebody, if anything was. */
export function pickUp(ids: readonly string[]): Typing | undefined {
  if (!held?.ids.some((id) => ids.includes(id))) return undefined
  const typing = held
  held = undefined
  return typing
}
