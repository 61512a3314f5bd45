// Sets of creatures that a game master keeps in this browser, to put them into
// another encounter with one click; and their files.
import { uuid } from './uuid'
import type { AddCombatant, CombatantView } from './wire.gen'

/** What the first line of a file says. */
export const fileFormat = 'riposte-creatures/1'

/** How many sets are kept, how long one is, in bytes as a file, and how many creatures it has. */
export const mostSets = 100
export const mostBytes = 256 * 1024
export const mostCreatures = 200
export const longestName = 80

const prefix = 'riposte.prepared.'

/** A set that is kept. */
export interface PreparedSet {
  id: string
  name: string
  /** the rule system it was saved under; other systems have other numbers */
  rules?: string
  /** when it was kept, in Unix milliseconds */
  at: number
  creatures: AddCombatant[]
}

/** Why a set could not be kept: there are as many as fit, it is too large, the browser has no room left, or keeps nothing at all. */
export type KeepProblem = 'too_many' | 'too_large' | 'full' | 'blocked'

/** Why a file could not be read. */
export type FileProblem = 'too_large' | 'not_json' | 'other_format' | 'no_creatures'

/** Where sets are kept: the browser's storage, or one of a test. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const browserShelf = (): Shelf => localStorage

/** The creature as it would be added: fresh and unhurt, as its sheet says, without a count or a seat. */
export function creatureOf(c: CombatantView): AddCombatant {
  const maxHp = c.sheet?.maxHp ?? c.hp?.max ?? 0
  return {
    name: c.name, side: c.side, kind: c.kind, hp: maxHp, ac: c.sheet?.ac ?? c.ac ?? 0, mod: c.mod ?? 0,
    ...(c.speed === undefined ? {} : { speed: c.speed }),
    ...(c.group ? { group: c.group } : {}), ...(c.notes ? { notes: c.notes } : {}),
    ...(c.answers?.length ? { answers: [...c.answers] } : {}),
    ...(c.rechargeAt && Object.keys(c.rechargeAt).length ? { recharge: { ...c.rechargeAt } } : {}),
    ...(c.stats && Object.keys(c.stats).length ? { stats: { ...c.stats } } : {}),
  }
}

/** What puts a set into an encounter: all at once, hidden if wanted, and without the numbers of other rules. */
export function toAdd(set: PreparedSet, rules: string | undefined, hidden: boolean): AddCombatant[] {
  const foreign = set.rules !== undefined && set.rules !== rules
  return set.creatures.map((creature) => {
    const { stats, answers, hidden: was, ...rest } = creature
    return {
      ...rest, ...(hidden || was ? { hidden: true } : {}),
      ...(!foreign && stats ? { stats } : {}), ...(!foreign && answers ? { answers } : {}),
    }
  })
}

/** The text of a set's file. */
export function writeFile(set: Pick<PreparedSet, 'name' | 'rules' | 'creatures'>): string {
  return JSON.stringify({ format: fileFormat, name: set.name, ...(set.rules ? { rules: set.rules } : {}), creatures: set.creatures }, null, 2)
}

const bytes = (text: string) => new TextEncoder().encode(text).length
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the text of a file. What its creatures say is for the server to judge. */
export function readFile(text: string): Pick<PreparedSet, 'name' | 'rules' | 'creatures'> | FileProblem {
  if (bytes(text) > mostBytes) return 'too_large'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'not_json'
  }
  if (!isObject(value) || value.format !== fileFormat) return 'other_format'
  const creatures = value.creatures
  if (!Array.isArray(creatures) || creatures.length === 0 || creatures.length > mostCreatures) return 'no_creatures'
  if (!creatures.every((one): one is AddCombatant => isObject(one) && typeof one.name === 'string')) return 'no_creatures'
  return {
    name: typeof value.name === 'string' ? [...value.name.trim()].slice(0, longestName).join('') : '',
    ...(typeof value.rules === 'string' ? { rules: value.rules } : {}),
    creatures,
  }
}

/** The sets that are kept, by name; those that cannot be read are left out. */
export function preparedSets(shelf = browserShelf): PreparedSet[] {
  const sets: PreparedSet[] = []
  try {
    const store = shelf()
    for (const id of idsOn(store)) {
      const set = read(store, id)
      if (set) sets.push(set)
    }
  } catch {
    return [] // nothing is kept here
  }
  return sets.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }) || a.at - b.at)
}

function idsOn(store: Shelf): string[] {
  return Array.from({ length: store.length }, (_, i) => store.key(i) ?? '').filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
}

function read(store: Shelf, id: string): PreparedSet | undefined {
  const text = store.getItem(prefix + id) ?? ''
  let kept: unknown
  try {
    kept = JSON.parse(text)
  } catch {
    return undefined
  }
  const set = readFile(text)
  if (typeof set === 'string') return undefined
  return { ...set, id, at: isObject(kept) && typeof kept.at === 'number' ? kept.at : 0 }
}

/** Keeps a set under its id, a new one when it has none. Returns what hinders it, or nothing. */
export function keepSet(set: Omit<PreparedSet, 'id' | 'at'> & { id?: string }, at: number, shelf = browserShelf): KeepProblem | undefined {
  const { id = uuid(), ...rest } = set
  const text = JSON.stringify({ format: fileFormat, at, ...rest })
  if (bytes(text) > mostBytes || set.creatures.length > mostCreatures) return 'too_large'
  let store: Shelf
  try {
    store = shelf()
    const ids = idsOn(store)
    if (!ids.includes(id) && ids.length >= mostSets) return 'too_many'
  } catch {
    return 'blocked'
  }
  try {
    store.setItem(prefix + id, text)
    return undefined
  } catch {
    return takesAnything(store) ? 'full' : 'blocked'
  }
}

/** Reports whether a single letter could be kept. */
function takesAnything(store: Shelf): boolean {
  const key = `${prefix}probe`
  try {
    store.setItem(key, '1')
    store.removeItem(key)
    return true
  } catch {
    return false
  }
}

/** Forgets a set. */
export function forgetSet(id: string, shelf = browserShelf): void {
  try {
    shelf().removeItem(prefix + id)
  } catch {
    // Where nothing is kept, nothing is to be forgotten.
  }
}

/** A file name that every system takes. */
export const fileName = (name: string) => `${name.normalize('NFC').replace(/[^\p{L}\p{N} _-]+/gu, '').trim().replace(/\s+/g, '-').slice(0, 60) || 'creatures'}.json`
