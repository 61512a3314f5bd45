// Setting a value that somebody else may have set meanwhile: it is asked about,
// never overwritten unseen.
import type { Outcome } from './connection'
import type { Command } from './wire.gen'

/** A value that is being set in place of one that was seen. */
export interface Edit {
  /** what it is called */
  what: string
  /** what is to stand there */
  mine: string
  /** what stands there now, in words; empty: nothing */
  shown: (now: unknown) => string
  /** the command, made on what was found there now; without it, on what was seen first */
  on: (now?: { is: unknown }) => Command
}

/** What somebody is asked whose edit came too late. */
export interface Late {
  what: string
  mine: string
  now: string
  answer: (overwrite: boolean) => void
}

/** What stands there now where it is not what was seen, in words; of several with their names, unless all have the same. */
export function changed<T>(now: Readonly<Record<string, T>>, seen: Readonly<Record<string, T>>, say: (value: T) => string, nameOf: (id: string) => string): string[] {
  const all = Object.entries(now)
  const other = all.filter(([id, value]) => !(id in seen) || say(seen[id]!) !== say(value))
  const words = new Set(other.map(([, value]) => say(value)))
  if (other.length === all.length && words.size === 1) return [...words]
  return other.map(([id, value]) => `${nameOf(id)} ${say(value)}`)
}

/** Sends an edit. As long as another value stands there than it was made on, it asks; a no leaves what is there. */
export async function overwrite(edit: Edit, send: (command: Command) => Promise<Outcome>, ask: (late: Omit<Late, 'answer'>) => Promise<boolean>): Promise<Outcome> {
  let outcome = await send(edit.on())
  while (!outcome.ok && outcome.code === 'stale_edit') {
    const is = outcome.params?.now
    if (!(await ask({ what: edit.what, mine: edit.mine, now: edit.shown(is) }))) break
    outcome = await send(edit.on({ is }))
  }
  return outcome
}
