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
