// Named numbers in one field: "lair=1, save.con=4".

/** Reads them; undefined when one cannot be read. */
export function parsePairs(text: string): Record<string, number> | undefined {
  const pairs: Record<string, number> = {}
  for (const part of text.split(',')) {
    if (!part.trim()) continue
    const found = /^\s*([^=]*[^=\s])\s*=\s*([+-]?\d{1,5})\s*$/u.exec(part)
    if (!found?.[1]) return undefined
    pairs[found[1]] = Number(found[2])
  }
  return pairs
}

/** Writes them for the same field, in the order of their names. */
export function writePairs(pairs: Record<string, number>): string {
  return Object.keys(pairs).sort().map((key) => `${key}=${pairs[key]}`).join(', ')
}

/** What must be sent so that before becomes after: what differs, and zero for what is gone. */
export function changedPairs(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const changed: Record<string, number> = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if ((before[key] ?? 0) !== (after[key] ?? 0)) changed[key] = after[key] ?? 0
  }
  return changed
}
