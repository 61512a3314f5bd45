// When an effect ends, as a form asks for it.
import type { Until } from './wire.gen'

export interface End {
  at: 'never' | 'turnStart' | 'turnEnd' | 'roundEnd' | 'rounds'
  /** whose turn */
  of: string
  /** how many; undefined while it cannot be read */
  rounds: number | undefined
}

/** The end of a form, for the server; undefined while it cannot be read. */
export function untilOf({ at, of, rounds }: End): Until | undefined {
  switch (at) {
    case 'turnStart':
    case 'turnEnd': return { at, of, rounds: 1 }
    case 'rounds': return rounds === undefined ? undefined : { at, rounds }
    default: return { at }
  }
}
