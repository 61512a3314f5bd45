// Moving rows of the order: where they may go, and what is asked of the server.
import type { Entry, Item } from './groups'

/** The combatants whose places can be moved, in their order: the first turn of each. */
export function movable(entries: readonly Entry[]): string[] {
  return [...new Set(entries.filter((e) => e.slot?.kind === 'turn').map((e) => e.combatant.id))]
}

/** The ids with the block put together at an offset, counted among the others. */
export function moved(ids: readonly string[], block: readonly string[], to: number): string[] {
  const rest = ids.filter((id) => !block.includes(id))
  return [...rest.slice(0, to), ...ids.filter((id) => block.includes(id)), ...rest.slice(to)]
}

/** What a reorder has to name: from the first place that changes to the last; undefined when none does. */
export function changedPart(before: readonly string[], after: readonly string[]): string[] | undefined {
  const first = after.findIndex((id, i) => id !== before[i])
  if (first < 0) return undefined
  const last = after.findLastIndex((id, i) => id !== before[i])
  return after.slice(first, last + 1)
}

/** Where a block may stand among the others: before the first row, and after each. A closed group is one row. */
export function places(items: readonly Item[], ids: readonly string[], block: readonly string[]): number[] {
  const counted = new Set(block)
  const offsets = [0]
  let offset = 0
  for (const item of items) {
    const members = membersOf(item).filter((id) => ids.includes(id) && !counted.has(id))
    for (const id of members) counted.add(id)
    offset += members.length
    if (members.length) offsets.push(offset)
  }
  return offsets
}

/** The offset right before or after a row. */
export function offsetAt(items: readonly Item[], ids: readonly string[], block: readonly string[], key: string, after: boolean): number {
  const at = items.findIndex((item) => item.key === key)
  return places(items.slice(0, at < 0 ? items.length : after ? at + 1 : at), ids, block).at(-1) ?? 0
}

/** Where the block stands now. */
export function offsetOf(ids: readonly string[], block: readonly string[]): number {
  const first = ids.findIndex((id) => block.includes(id))
  return first < 0 ? 0 : first
}

function membersOf(item: Item): string[] {
  if ('entry' in item) return [item.entry.combatant.id]
  // The rows of an open group follow by themselves.
  return item.open ? [] : item.group.entries.map((e) => e.combatant.id)
}
