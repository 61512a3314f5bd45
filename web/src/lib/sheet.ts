// The form of a sheet: what stands on it as text, what typed text says, and what
// becomes of it when somebody else edits the same sheet meanwhile.
import { parseCount, parseWhole } from './numbers'
import { textsOf } from '../i18n/messages'
import { locale, tx } from './lang.svelte'
import { changedPairs, parsePairs, writePairs } from './pairs'
import { suggestions } from './suggestions'
import type { AddCombatant, CombatantView, EditCombatantCommand } from './wire.gen'

/** The fields of a form by their names; those of the rules' own numbers begin with "stat.". A box that is ticked holds "yes". */
export type SheetForm = Record<string, string>

const text = (n: number | undefined) => (n === undefined ? '' : String(n))
const yes = (on: boolean) => (on ? 'yes' : '')

/** The form of a combatant's sheet; of a new one when there is none. */
export function formOf(c: CombatantView | undefined, rules: string | undefined, player = false): SheetForm {
  const { numbers, bonus } = suggestions(rules)
  const stats = c?.stats ?? {}
  const own = [...Object.keys(numbers), ...(bonus ? ['bonus', 'legendary'] : [])]
  return {
    name: c?.name ?? '',
    kind: c?.kind ?? (player ? 'pc' : 'npc'),
    side: c?.side ?? '',
    group: c?.group ?? '',
    mod: text(c?.mod),
    init: '',
    // What effects lend is not on the sheet.
    hp: text(c?.sheet?.maxHp ?? c?.hp?.max),
    ac: text(c?.sheet?.ac ?? c?.ac),
    speed: text(c?.speed ?? 30),
    times: '1',
    hidden: '',
    bonus: yes((stats.bonus ?? 0) > 0),
    legendary: text(stats.legendary),
    ...Object.fromEntries(Object.keys(numbers).map((key) => [`stat.${key}`, text(stats[key])])),
    numbers: writePairs(Object.fromEntries(Object.entries(stats).filter(([key]) => !own.includes(key)))),
    recharge: writePairs(c?.rechargeAt ?? {}),
    answers: (c?.answers ?? []).map((kind) => tx(`kind.${kind}`, kind)).join(', '),
    notes: c?.notes ?? '',
  }
}

/** What the texts of a form say; undefined for what cannot be read. */
export interface SheetRead {
  mod: number | undefined
  hp: number | undefined
  ac: number | undefined
  speed: number | undefined
  times: number | undefined
  /** null when none is typed */
  init: number | null | undefined
  legendary: number | undefined
  numbers: Record<string, number> | undefined
  recharge: Record<string, number> | undefined
  /** the rules' own numbers that are given: an empty field keeps no count */
  counted: Record<string, number | undefined>
}

/** Reads the texts of a form. */
export function readSheet(form: SheetForm, rules: string | undefined): SheetRead {
  const typed = (field: string) => (form[field] ?? '').trim()
  const number = (field: string, min: number, max: number) => (typed(field) === '' ? 0 : parseWhole(typed(field), min, max))
  const counted = Object.entries(suggestions(rules).numbers).filter(([key]) => typed(`stat.${key}`) !== '')
  return {
    mod: number('mod', -1000, 1000), hp: number('hp', 0, 1_000_000), ac: number('ac', 0, 1000), speed: number('speed', 0, 1000),
    times: number('times', 1, 50), init: typed('init') === '' ? null : parseCount(typed('init')), legendary: number('legendary', 0, 20),
    numbers: parsePairs(typed('numbers')), recharge: parsePairs(typed('recharge')),
    counted: Object.fromEntries(counted.map(([key, most]) => [key, parseWhole(typed(`stat.${key}`), 0, most)])),
  }
}

/** Reports whether everything on a form can be sent. */
export function soundSheet(form: SheetForm, read: SheetRead): boolean {
  const { counted, ...rest } = read
  return (form.name ?? '').trim() !== '' && Object.values(rest).every((v) => v !== undefined) && Object.values(counted).every((v) => v !== undefined)
}

/** The kind that goes by a label; a word that is none stays as it is. */
function kindOf(label: string): string {
  const same = (text: string) => text.toLowerCase() === label.toLowerCase()
  return Object.entries(textsOf(locale.current)).find(([key, text]) => key.startsWith('kind.') && same(text))?.[0].slice('kind.'.length) ?? label
}

/** The reactions of a form, as the server calls them. */
const answersOf = (form: SheetForm) => (form.answers ?? '').split(',').map((word) => word.trim()).filter(Boolean).map(kindOf)

function statsOf(form: SheetForm, read: SheetRead, rules: string | undefined): Record<string, number> {
  const counted = Object.fromEntries(Object.entries(read.counted).map(([key, n]) => [key, n ?? 0]))
  return { ...read.numbers, ...counted, ...(suggestions(rules).bonus ? { bonus: form.bonus ? 1 : 0, legendary: read.legendary ?? 0 } : {}) }
}

/** The combatant that a form describes. */
export function addedBy(form: SheetForm, rules: string | undefined): AddCombatant {
  const read = readSheet(form, rules)
  const typed = (field: string) => (form[field] ?? '').trim()
  const stats = changedPairs({}, statsOf(form, read, rules))
  const answers = answersOf(form)
  return {
    name: typed('name'), kind: form.kind, mod: read.mod, hp: read.hp, ac: read.ac, speed: read.speed,
    ...(typed('side') ? { side: typed('side') } : {}), ...(typed('group') ? { group: typed('group') } : {}),
    ...(read.init != null ? { init: read.init } : {}), ...(form.hidden ? { hidden: true } : {}),
    ...(read.times && read.times > 1 ? { times: read.times } : {}), ...(answers.length ? { answers } : {}),
    ...(typed('notes') ? { notes: typed('notes') } : {}), ...(Object.keys(stats).length ? { stats } : {}),
    ...(Object.keys(read.recharge ?? {}).length ? { recharge: read.recharge } : {}),
  }
}

/** The edit that makes a combatant's sheet what a form says. Only what differs is sent, and what it was made on. */
export function editedBy(form: SheetForm, now: CombatantView, rules: string | undefined): EditCombatantCommand {
  const read = readSheet(form, rules)
  const was = formOf(now, rules)
  const typed = (field: string) => (form[field] ?? '').trim()
  const differs = (field: string) => typed(field) !== (was[field] ?? '').trim()
  const command: EditCombatantCommand = { type: 'editCombatant', combatant: now.id, base: now.rev }
  if (differs('name')) command.name = typed('name')
  if (differs('kind')) command.kind = form.kind
  if (differs('side') && typed('side')) command.side = typed('side')
  if (differs('group')) command.group = typed('group')
  if (differs('mod')) command.mod = read.mod
  if (differs('hp')) command.maxHp = read.hp
  if (differs('ac')) command.ac = read.ac
  if (differs('speed')) command.speed = read.speed
  if (differs('notes')) command.notes = typed('notes')
  const answers = answersOf(form)
  if (answers.join() !== (now.answers ?? []).join()) command.answers = answers
  const stats = changedPairs(now.stats ?? {}, statsOf(form, read, rules))
  if (Object.keys(stats).length) command.stats = stats
  return command
}

/** A field that two people have changed to different things. */
export interface Clash {
  field: string
  mine: string
  theirs: string
}

/** What a form is after the sheet has changed under it. */
export interface Merged {
  form: SheetForm
  /** what the form was made on, field by field */
  base: SheetForm
  /** fields that followed the change */
  followed: string[]
  clashes: Clash[]
}

/**
 * Brings a form up to a sheet that has changed: what nobody has typed over follows, what was typed stays, and where
 * both have changed the same field, somebody must choose. hold is the field under somebody's hands: it does not change.
 */
export function mergeSheet(form: SheetForm, base: SheetForm, now: SheetForm, hold?: string): Merged {
  const merged: Merged = { form: { ...form }, base: { ...base }, followed: [], clashes: [] }
  for (const [field, theirs] of Object.entries(now)) {
    const mine = form[field] ?? ''
    const was = base[field] ?? ''
    const same = (a: string, b: string) => a.trim() === b.trim()
    if (same(theirs, was)) continue
    if (same(mine, theirs)) merged.base[field] = theirs
    else if (!same(mine, was)) merged.clashes.push({ field, mine, theirs })
    else if (field !== hold) {
      merged.form[field] = merged.base[field] = theirs
      merged.followed.push(field)
    }
  }
  return merged
}
