// The encounters that this browser has run, joined or watched, and the keys it
// has to them.
import { forgetView, lastView } from './lastview'
import { forgetAll, recall, remember } from './storage'
import { giveUp } from './unanswered'

/** The links' tokens as far as this browser knows them. */
export interface Tokens {
  gm?: string
  player?: string
  spectator?: string
}

/** A seat that this browser holds. */
export interface KeptSeat {
  seat: string
  token: string
  name: string
}

export interface Known {
  id: string
  title: string
  rules: string
  tokens: Tokens
  seat?: KeptSeat
  /** when it was last opened here, in Unix milliseconds */
  at: number
}

const most = 50
const key = 'known'

/** All of them, the latest first. */
export function known(): Known[] {
  const all = recall<unknown>(key)
  return Array.isArray(all) ? all.filter(isKnown) : []
}

function isKnown(one: unknown): one is Known {
  const { id, at, tokens } = (one ?? {}) as Partial<Known>
  return typeof id === 'string' && typeof at === 'number' && typeof tokens === 'object' && tokens !== null
}

export const knownAs = (id: string): Known | undefined => known().find((one) => one.id === id)

/** Keeps what is known of an encounter, on top of what was known of it before. */
export function learn(id: string, news: Partial<Omit<Known, 'id'>>): void {
  const before = knownAs(id)
  const one: Known = { title: '', rules: '', at: 0, ...before, ...news, id, tokens: { ...before?.tokens, ...news.tokens } }
  const all = [one, ...known().filter((other) => other.id !== id)]
  for (const { id } of all.splice(most)) forgetTraces(id)
  remember(key, all)
}

/** Forgets what else this browser keeps of an encounter. */
function forgetTraces(id: string): void {
  forgetView(id)
  giveUp(id)
  remember(`called.${id}`, undefined)
  forgetAll(`attack.${id}.`)
}

/** Takes an encounter off the list, with its keys and what was seen of it; the encounter itself stays. */
export function forget(id: string): void {
  forgetTraces(id)
  remember(key, known().filter((one) => one.id !== id))
}

/** Forgets a key that opens nothing any more, and the encounter when it was the last one. */
export function forgetToken(id: string, token: string): void {
  if (lastView(id, token)) forgetView(id)
  giveUp(id, token)
  const one = knownAs(id)
  if (!one) return
  const tokens = Object.fromEntries(Object.entries(one.tokens).filter(([, mine]) => mine !== token))
  const seat = one.seat?.token === token ? undefined : one.seat
  if (!seat && !Object.keys(tokens).length) forget(id)
  else remember(key, known().map((other) => (other.id === id ? { ...one, tokens, seat } : other)))
}

/** As whom this browser opens an encounter, and with which token: by the key that does most. */
export function wayIn({ tokens, seat }: Known): { role: 'gm' | 'seat' | 'player' | 'spectator'; token: string } | undefined {
  if (tokens.gm) return { role: 'gm', token: tokens.gm }
  if (seat) return { role: 'seat', token: seat.token }
  if (tokens.player) return { role: 'player', token: tokens.player }
  return tokens.spectator ? { role: 'spectator', token: tokens.spectator } : undefined
}
