// What was found in files, on its way into the encounter: rows that can be
// chosen and edited, and the commands that add them.
import { parseWhole } from './numbers'
import type { AddCombatant, CreatureFile, FileFault, FileWarning, ImportCombatantsCommand } from './wire.gen'

/** The largest file that the server reads. */
export const mostBytes = 8 << 20
/** Files read in one go. */
export const mostFiles = 20
/** What an encounter can hold; the server decides. */
export const mostCombatants = 200
export const mostNotes = 200_000
/** One command is one message, which is bounded. */
const mostMessage = 200_000

/** Somebody who may be added, as the form shows it: texts as they are typed. */
export interface Row {
  id: number
  chosen: boolean
  name: string
  times: string
  hp: string
  ac: string
  mod: string
  role: Role
  hidden: boolean
  /** as it was in the file */
  readonly found: AddCombatant
  readonly source: string
  readonly place: Place
  readonly warnings: readonly FileWarning[]
}

/** Where something stands. */
export interface Place {
  file?: string
  line?: number
  where?: string
}

/** Who somebody is for the players: its kind and side in one. `own` is what the file says where it is none of these. */
export type Role = 'pc' | 'ally' | 'foe' | 'own'
export const roles = ['foe', 'ally', 'pc'] as const

export interface Fault extends FileFault {
  file?: string
}

export function roleOf({ kind, side }: AddCombatant): Role {
  if (kind === 'pc' && side === 'party') return 'pc'
  if (kind === 'npc' && side === 'party') return 'ally'
  return kind === 'npc' && side === 'foes' ? 'foe' : 'own'
}

const sides: Record<Exclude<Role, 'own'>, Pick<AddCombatant, 'kind' | 'side'>> = {
  pc: { kind: 'pc', side: 'party' }, ally: { kind: 'npc', side: 'party' }, foe: { kind: 'npc', side: 'foes' },
}

const text = (n: number | undefined) => (n ? String(n) : '')

/** The rows of a file; file is its name, where there are several. */
export function rowsOf(found: CreatureFile, first: number, file?: string): Row[] {
  return found.creatures.map(({ creature, where, line, source, warnings }, i) => ({
    id: first + i, chosen: true, name: creature.name, times: String(creature.times ?? 1), hp: text(creature.hp), ac: text(creature.ac),
    mod: creature.mod ? (creature.mod > 0 ? `+${creature.mod}` : String(creature.mod)) : '', role: roleOf(creature), hidden: creature.hidden ?? false,
    found: creature, source: source ?? '', place: { file, line, where }, warnings: warnings ?? [],
  }))
}

/** The fields of a row that hold what no creature can have. */
export function wrong(row: Row): ReadonlySet<keyof Row> {
  const bad = new Set<keyof Row>()
  if (!row.name.trim()) bad.add('name')
  const number = (field: 'times' | 'hp' | 'ac' | 'mod', min: number, max: number, must = false) => {
    if (row[field].trim() === '' ? must : parseWhole(row[field], min, max) === undefined) bad.add(field)
  }
  number('times', 1, 50, true)
  number('hp', 0, 1_000_000)
  number('ac', 0, 1000)
  number('mod', -1000, 1000)
  return bad
}

/** What goes along with the creatures of a file, if wanted. */
export interface Along {
  notes: boolean
  counts: boolean
}

const whole = (typed: string) => Number(typed.trim().replace('+', '')) || 0

/** What adds a row, in which nothing is wrong. */
export function toAdd(row: Row, along: Along): AddCombatant {
  const { init, notes, current, ...rest } = row.found
  const hp = whole(row.hp)
  const add: AddCombatant = {
    ...rest, name: row.name.trim(), times: whole(row.times), hp, ac: whole(row.ac), mod: whole(row.mod), hidden: row.hidden,
    ...(row.role === 'own' ? {} : sides[row.role]),
  }
  if (along.counts && init !== undefined) add.init = init
  if (along.notes && notes) add.notes = notes
  if (current !== undefined && hp > 0) add.current = Math.min(current, hp)
  return add
}

/** How many combatants these are. */
export const heads = (rows: readonly Row[]) => rows.reduce((n, row) => n + (wrong(row).has('times') ? 0 : whole(row.times)), 0)

const utf8 = new TextEncoder()
const bytes = (value: string) => utf8.encode(value).length

/** The bytes that their notes take. */
export const notesOf = (rows: readonly Row[]) => rows.reduce((n, row) => n + bytes(row.found.notes ?? '') * (wrong(row).has('times') ? 0 : whole(row.times)), 0)

/** The commands that add them: as few as fit into a message each, whole creatures in each. */
export function commands(list: readonly AddCombatant[]): ImportCombatantsCommand[] {
  const all: ImportCombatantsCommand[] = []
  let size = 0
  for (const add of list) {
    const own = bytes(JSON.stringify(add)) + 1
    const last = all.at(-1)
    if (!last || size + own > mostMessage) {
      all.push({ type: 'importCombatants', combatants: [add] })
      size = own
    } else {
      last.combatants.push(add)
      size += own
    }
  }
  return all
}

/** Which of the creatures of a command a refusal is about, and which field: combatants.3.name. */
export function refused(params: Record<string, unknown>): { index: number; field: string } | undefined {
  const found = /^combatants\.(\d+)\.(.+)$/.exec(String(params.field ?? ''))
  return found ? { index: Number(found[1]), field: found[2]! } : undefined
}
