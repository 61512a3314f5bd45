// Commands without an answer, kept by this tab over a reload: sent again under
// their ids they apply once, and their answer comes after all.
import type { Command } from './wire.gen'

export interface Unanswered {
  id: string
  command: Command
  token: string
  /** when it was first sent, in Unix milliseconds */
  at: number
}

const most = 32
/** What was meant then may not be meant any more. */
const oldest = 2 * 60_000

const key = (encounter: string) => `riposte.unanswered.${encounter}`

function read(encounter: string): Unanswered[] {
  try {
    const all: unknown = JSON.parse(sessionStorage.getItem(key(encounter)) ?? '[]')
    return Array.isArray(all) ? (all as Unanswered[]) : []
  } catch {
    return []
  }
}

function write(encounter: string, all: Unanswered[]): void {
  try {
    if (all.length) sessionStorage.setItem(key(encounter), JSON.stringify(all.slice(-most)))
    else sessionStorage.removeItem(key(encounter))
  } catch {
    // Full or forbidden: they live as long as the page.
  }
}

/** Keeps a command until it is answered. */
export function keep(encounter: string, one: Unanswered): void {
  write(encounter, [...read(encounter).filter((other) => other.id !== one.id), one])
}

/** Drops a command that was answered. */
export function drop(encounter: string, id: string): void {
  write(encounter, read(encounter).filter((one) => one.id !== id))
}

/** Gives up what a key has sent, or whoever sent it; a new link is asked for with the old one until it is there. */
export function giveUp(encounter: string, token?: string): void {
  write(encounter, token === undefined ? [] : read(encounter).filter((one) => one.token !== token || one.command.type === 'replaceLink'))
}

/** What a token has sent a short while ago and nobody has answered; a new link is waited for longer. */
export function unanswered(encounter: string, token: string, now: number): Unanswered[] {
  const all = read(encounter).filter((one) => one.command.type === 'replaceLink' || now - one.at < oldest)
  write(encounter, all)
  return all.filter((one) => one.token === token)
}
