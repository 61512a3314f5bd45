// Identical creatures that follow each other in the order are one row.
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
}

export type Item = { key: string; entry: Entry } | { key: string; group: Group }

/** Fewer are shown one by one. */
const fewest = 4

/** Goblin 12 → Goblin */
export const kindName = (name: string) => name.replace(/\s+\d+$/u, '')

function kindOf({ combatant: c, slot }: Entry): string | undefined {
  if (c.kind === 'pc' || (slot && slot.kind !== 'turn')) return undefined
  return JSON.stringify([kindName(c.name), c.side, c.group ?? '', c.hidden === true, slot?.count ?? c.initiative ?? null])
}

/** Makes groups of neighbours of one kind. Those that stand apart have a row of their own after their group, as all have whose group is open. */
export function grouped(entries: Entry[], isOpen: (key: string) => boolean, standsApart: (id: string) => boolean): Item[] {
  const items: Item[] = []
  for (let at = 0; at < entries.length;) {
    const kind = kindOf(entries[at]!)
    let end = at + 1
    while (kind !== undefined && end < entries.length && kindOf(entries[end]!) === kind) end++
    const run = entries.slice(at, end)
    at = end
    let shown = run
    if (kind !== undefined && run.length >= fewest) {
      const key = `group ${kind}`
      items.push({ key, group: { key, name: kindName(run[0]!.combatant.name), entries: run } })
      if (!isOpen(key)) shown = run.filter((e) => standsApart(e.combatant.id))
    }
    items.push(...shown.map((entry) => ({ key: entry.key, entry })))
  }
  return items
}
