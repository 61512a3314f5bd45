// Identical creatures that follow each other in the order are one row.
import { sameItems } from './steady'
import type { CombatantView, SlotView } from './wire.gen'

/** One place of one combatant in the list. */
export interface Entry {
  key: string
  combatant: CombatantView
  slot?: SlotView
}

/** Many of a kind, in the order they come. */
export interface Group {
  key: string
  name: string
  entries: Entry[]
  /** those of them who have a row of their own besides, while the group is closed */
  apart: string[]
}

export type Item = { key: string; entry: Entry } | { key: string; group: Group; open: boolean }

/** Fewer are shown one by one. */
const fewest = 4

/** Goblin 12 → Goblin */
export const kindName = (name: string) => name.replace(/\s+\d+$/u, '')

function kindOf({ combatant: c, slot }: Entry): string | undefined {
  if (c.kind === 'pc' || (slot && slot.kind !== 'turn')) return undefined
  return JSON.stringify([kindName(c.name), c.side, c.group ?? '', c.hidden === true, c.hiddenFrom ?? [], c.showsTo ?? [], slot?.count ?? c.initiative ?? null])
}

/** Reports whether two rows show the same. */
export function sameItem(a: Item, b: Item): boolean {
  if ('entry' in a) return 'entry' in b && a.entry === b.entry
  return 'group' in b && a.open === b.open && sameItems(a.group.entries, b.group.entries) && a.group.apart.join() === b.group.apart.join()
}

/** The entries of the order, one for each place of each combatant. */
export function placed(order: readonly SlotView[], combatants: ReadonlyMap<string, CombatantView>): Entry[] {
  return order.flatMap((slot) => slot.combatants.flatMap((id) => {
    const combatant = combatants.get(id)
    return combatant ? [{ key: `${slot.slot}-${id}`, combatant, slot }] : []
  }))
}

/** Those who are in no slot: by count, then player characters, then by side. */
export function unplaced(entries: readonly Entry[], combatants: ReadonlyMap<string, CombatantView>): Entry[] {
  const known = new Set(entries.map((e) => e.combatant.id))
  return [...combatants.values()]
    .filter((c) => !known.has(c.id))
    .sort((a, b) => (b.initiative ?? -1e9) - (a.initiative ?? -1e9) || Number(a.kind !== 'pc') - Number(b.kind !== 'pc') || a.side.localeCompare(b.side))
    .map((combatant) => ({ key: combatant.id, combatant }))
}

/** Reports whether two entries show the same. */
export const sameEntry = (a: Entry, b: Entry) => a.combatant === b.combatant && a.slot === b.slot

/** Makes groups of neighbours of one kind. Those that stand apart have a row of their own after their group, as all have whose group is open. */
export function grouped(entries: readonly Entry[], isOpen: (key: string) => boolean, standsApart: (id: string) => boolean): Item[] {
  const items: Item[] = []
  const runs = new Map<string, number>()
  for (let at = 0; at < entries.length;) {
    const kind = kindOf(entries[at]!)
    let end = at + 1
    while (kind !== undefined && end < entries.length && kindOf(entries[end]!) === kind) end++
    const run = entries.slice(at, end)
    at = end
    let shown = run
    if (kind !== undefined && run.length >= fewest) {
      // Somebody may have been put between those of a kind: then they are several rows.
      const before = runs.get(kind) ?? 0
      runs.set(kind, before + 1)
      const key = `group ${kind}${before ? ` ${before + 1}` : ''}`
      const open = isOpen(key)
      if (!open) shown = run.filter((e) => standsApart(e.combatant.id))
      items.push({ key, group: { key, name: kindName(run[0]!.combatant.name), entries: run, apart: open ? [] : shown.map((e) => e.combatant.id) }, open })
    }
    items.push(...shown.map((entry) => ({ key: entry.key, entry })))
  }
  return items
}
