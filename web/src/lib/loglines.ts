// The log as it is read: which lines there are, under which round, and which
// of them somebody wants to see.
import type { AppEvent, LogEntry } from './wire.gen'
import { at, fold, toneOf, type Line } from './log'
import { steady } from './steady'

/** What lines are about, to choose by. */
export const logKinds = ['interrupts', 'damage', 'rolls', 'talk'] as const
export type LogKind = (typeof logKinds)[number]

const kinds: Record<LogKind, ReadonlySet<AppEvent['type']>> = {
  interrupts: new Set(['framePushed', 'framePopped', 'windowOpened', 'windowMoved', 'windowClosed', 'declined', 'readySet', 'delaySet']),
  damage: new Set(['damaged', 'healed', 'tempHpSet', 'hpSet', 'lifeSet', 'defeatedSet']),
  rolls: new Set(['initiativeSet', 'rolledOff', 'saved', 'diceRolled', 'chargeSet', 'resolved']),
  talk: new Set(['said', 'noted', 'diceRolled']),
}

/** What of the log is shown. */
export interface LogFilter {
  combatant?: string
  kind?: LogKind
  /** machinery as well */
  details?: boolean
}

/** Where an event names whom it is about. Whose turn an effect ends with, or who else stands in an order, is no matter of theirs. */
const naming = new Set(['combatant', 'combatants', 'target', 'targets', 'source', 'mover', 'leaves', 'provokes', 'eligible', 'order', 'id'])
const holding = new Set(['combatant', 'effect', 'frame', 'trigger', 'action', 'pending', 'window', 'readied', 'command'])

/** The combatants that an event is about, by their ids. */
export function concerned(event: AppEvent): Set<string> {
  const ids = new Set<string>()
  const add = (value: unknown) => {
    if (typeof value === 'string') ids.add(value)
    else if (Array.isArray(value)) value.forEach(add)
  }
  const look = (value: object) => {
    for (const [key, inner] of Object.entries(value)) {
      if (naming.has(key)) add(inner)
      if (holding.has(key) && inner && typeof inner === 'object' && !Array.isArray(inner)) look(inner)
    }
  }
  look(event)
  return ids
}

/** Reports whether an entry is to be shown. */
export function passes({ event }: LogEntry, { combatant, kind, details }: LogFilter): boolean {
  if (kind ? !kinds[kind].has(event.type) : !details && toneOf(event) === 'detail') return false
  if (kind && !details && toneOf(event) === 'detail' && event.type !== 'declined') return false
  if (kind === 'rolls' && !rolled(event)) return false
  return !combatant || concerned(event).has(combatant)
}

/** A die has fallen, or a total was said. */
function rolled(event: AppEvent): boolean {
  switch (event.type) {
    case 'initiativeSet':
    case 'chargeSet': return !!event.die
    case 'resolved': return event.total !== undefined
    default: return true
  }
}

/** A row of the list: the heading of a round, or a line. */
export interface LogRow {
  key: string
  /** of a heading: its round; 0 is before the first, undefined the surprise round */
  round?: number
  heading: boolean
  line?: Line
  /** what the line says was taken back */
  gone: boolean
  /** the newest line of its commit: from here one can go back to it */
  back: boolean
}

const keys = new WeakMap<LogEntry, string>()
let made = 0
function keyOf(entry: LogEntry): string {
  let key = keys.get(entry)
  if (!key) keys.set(entry, (key = String(++made)))
  return key
}

const sameRow = (a: LogRow, b: LogRow) =>
  a.heading === b.heading && a.round === b.round && a.line?.entry === b.line?.entry && a.line?.who.length === b.line?.who.length && a.gone === b.gone && a.back === b.back

/** Makes the rows of a log, newest first, in the objects of the last time where nothing changed. */
export function rowMaker(): (log: readonly LogEntry[], filter: LogFilter, most: number, gone: ReadonlySet<number>, now: number) => { rows: readonly LogRow[]; more: boolean } {
  const same = steady(sameRow)
  return (log, filter, most, gone, now) => {
    const { entries, more } = last(log, filter, most)
    const rows: LogRow[] = []
    let part: LogRow[] = []
    let opened: LogEntry | undefined
    const close = (round: number | undefined) => {
      if (!part.length) return
      rows.unshift({ key: `round ${opened ? keyOf(opened) : 'first'}`, round, heading: true, gone: false, back: false }, ...part.reverse())
      part = []
    }
    let round = before(log, entries[0], now)
    let commit: number | undefined
    const lines = fold(entries)
    for (const [i, line] of lines.entries()) {
      const { entry } = line
      if (entry.event.type === 'roundStarted') {
        close(round)
        opened = entry
        round = entry.event.phase === 'surprise' ? undefined : entry.event.round
        // The heading says it; alone in its commit it is the line by which one comes back here.
        if (lines[i + 1] && at(lines[i + 1]!.entry) === at(entry)) continue
      }
      part.push({ key: keyOf(entry), heading: false, line, gone: entry.commit !== undefined && gone.has(entry.commit), back: false })
    }
    close(round)
    for (const row of rows) {
      const here = row.line?.entry.commit
      if (row.heading || here === undefined) continue
      row.back = here !== commit && !row.gone
      commit = here
    }
    return { rows: same(rows), more }
  }
}

/** The newest entries that pass, and whether there are older ones. */
function last(log: readonly LogEntry[], filter: LogFilter, most: number): { entries: LogEntry[]; more: boolean } {
  const entries: LogEntry[] = []
  for (let i = log.length - 1; i >= 0; i--) {
    const entry = log[i]!
    if (!passes(entry, filter)) continue
    if (entries.length === most) return { entries, more: true }
    entries.unshift(entry)
  }
  return { entries, more: false }
}

/** The round in which an entry stands: of the last beginning before it, else one before the next, else the one of now. */
function before(log: readonly LogEntry[], entry: LogEntry | undefined, now: number): number | undefined {
  const at = entry ? log.indexOf(entry) : -1
  for (let i = at; i >= 0; i--) {
    const { event } = log[i]!
    if (event.type === 'roundStarted') return event.phase === 'surprise' ? undefined : event.round
    if (event.type === 'combatReset' || event.type === 'created') return 0
  }
  for (let i = Math.max(at, 0); i < log.length; i++) {
    const { event } = log[i]!
    if (event.type === 'roundStarted') return event.phase === 'surprise' ? 0 : Math.max(0, event.round - 1)
  }
  return now
}

/** Reports whether there is nothing older: an encounter's first line says how it came to be. */
export const fromBeginning = ([first]: readonly LogEntry[]): boolean => first?.event.type === 'created' || first?.event.type === 'imported'

/** The lines that came before those one has; undefined when the two do not belong together. */
export function olderPart(whole: readonly LogEntry[], have: readonly LogEntry[]): LogEntry[] | undefined {
  if (!have.length) return []
  const text = whole.map((entry) => JSON.stringify(entry))
  const mine = have.map((entry) => JSON.stringify(entry))
  for (let i = text.length - 1; i >= 0; i--) {
    const overlap = Math.min(mine.length, text.length - i)
    if (text[i] === mine[0] && mine.slice(0, overlap).every((line, n) => line === text[i + n])) return whole.slice(0, i)
  }
  return undefined
}
