// What this browser remembers. Storage may be forbidden or full; then it
// remembers nothing and everything else still works.

/** Reads a value, or undefined when there is none that can be read. */
export function recall<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(`riposte.${key}`)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/** Keeps a value, or forgets it when it is undefined. */
export function remember(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`riposte.${key}`)
    else localStorage.setItem(`riposte.${key}`, JSON.stringify(value))
  } catch {
    // Nothing to do: the value lives until the page is closed.
  }
}

/** The links' tokens as far as this browser knows them. */
export interface Tokens {
  gm?: string
  player?: string
  spectator?: string
}

/** An encounter that this browser has run as the GM. */
export interface Run {
  id: string
  title: string
  rules: string
  tokens: Tokens
  at: number
}

const mostRuns = 50

/** The encounters this browser has run, the latest first. */
export function runs(): Run[] {
  const all = recall<Run[]>('runs')
  return Array.isArray(all) ? all : []
}

/** Keeps what is known of an encounter, on top of what was known of it. */
export function rememberRun(run: Run): void {
  const before = runs().find((r) => r.id === run.id)
  const merged = { ...run, tokens: { ...before?.tokens, ...run.tokens } }
  remember('runs', [merged, ...runs().filter((r) => r.id !== run.id)].slice(0, mostRuns))
}

/** Takes an encounter off the list; the encounter itself stays. */
export function forgetRun(id: string): void {
  remember('runs', runs().filter((r) => r.id !== id))
}

/** A seat that this browser holds. */
export interface KeptSeat {
  seat: string
  token: string
  name: string
}

export const keptSeat = (encounter: string) => recall<KeptSeat>(`seat.${encounter}`)
export const keepSeat = (encounter: string, seat: KeptSeat | undefined) => remember(`seat.${encounter}`, seat)
