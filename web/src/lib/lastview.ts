// The last view of a few encounters, for a page that is opened without a
// server: shown as old, with its time. It is kept with the key that showed it,
// and shown to nobody who comes with another.
import type { Seen } from './connection'
import { recall, remember } from './storage'
import type { LogEntry, ViewMap } from './wire.gen'

export interface LastView {
  token: string
  /** when it was live, in Unix milliseconds */
  at: number
  /** how far that is */
  seen?: Seen
  view: ViewMap
  log: LogEntry[]
}

const most = 6
const mostLog = 60
/** Characters; what is larger is not kept. */
const largest = 400_000

const list = 'views'
const key = (encounter: string) => `view.${encounter}`

function kept(): string[] {
  const all = recall<unknown>(list)
  return Array.isArray(all) ? all.filter((id) => typeof id === 'string') : []
}

/** Keeps what was just seen; only the last few encounters are kept. */
export function keepView(encounter: string, { token, at, seen, view, log }: LastView): void {
  const { history: _, ...rest } = view
  // Nothing can be done with an old view, so nothing is offered.
  const old = { ...rest, ...(view.you ? { you: { ...view.you, can: [] } } : {}) }
  const one: LastView = { token, at, ...(seen ? { seen } : {}), view: old, log: log.slice(-mostLog) }
  const ids = [encounter, ...kept().filter((id) => id !== encounter)]
  for (const id of ids.splice(most)) remember(key(id), undefined)
  remember(key(encounter), JSON.stringify(one).length > largest ? undefined : one)
  remember(list, ids)
}

/** What was seen last with this token. */
export function lastView(encounter: string, token: string): LastView | undefined {
  const one = recall<LastView>(key(encounter))
  return one?.token === token && typeof one.view === 'object' ? one : undefined
}

/** Forgets what was seen of an encounter. */
export function forgetView(encounter: string): void {
  remember(key(encounter), undefined)
  remember(list, kept().filter((id) => id !== encounter))
}
