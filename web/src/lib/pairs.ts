// Named numbers in one field: "lair=1, save.con=4". A weapon's two modifiers are
// one of them: "weapon.sword=-1/-6".
const first = '.first'
const next = '.next'

/** Reads them; undefined when one cannot be read. */
export function parsePairs(text: string): Record<string, number> | undefined {
  const pairs: Record<string, number> = {}
  for (const part of text.split(',')) {
    if (!part.trim()) continue
    const found = /^\s*([^=]*[^=\s])\s*=\s*([+-]?\d{1,5})(?:\s*\/\s*([+-]?\d{1,5}))?\s*$/u.exec(part)
    if (!found?.[1]) return undefined
    if (found[3] === undefined) pairs[found[1]] = Number(found[2])
    else Object.assign(pairs, { [found[1] + first]: Number(found[2]), [found[1] + next]: Number(found[3]) })
  }
  return pairs
}

/** Writes them for the same field, in the order of their names. */
export function writePairs(pairs: Record<string, number>): string {
  const both = (key: string) => pairs[key + first] !== undefined && pairs[key + next] !== undefined
  const parts = Object.keys(pairs).sort().flatMap((key) => {
    const weapon = key.replace(/\.(first|next)$/, '')
    if (weapon === key || !both(weapon)) return [`${key}=${pairs[key]}`]
    return key.endsWith(first) ? [`${weapon}=${pairs[key]}/${pairs[weapon + next]}`] : []
  })
  return parts.join(', ')
}

/** What must be sent so that before becomes after: what differs, and zero for what is gone. */
export function changedPairs(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const changed: Record<string, number> = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if ((before[key] ?? 0) !== (after[key] ?? 0)) changed[key] = after[key] ?? 0
  }
  return changed
}
