// What is made anew from every update, in the objects of before where nothing
// changed: then the page draws only what did.

/** Reports whether two lists hold the same objects. */
export const sameItems = <T>(a: readonly T[], b: readonly T[]) => a.length === b.length && a.every((value, i) => value === b[i])

/** Keeps what it gave the last time for what is the same now, the whole list when all is. */
export function steady<T extends { key: string }>(same: (a: T, b: T) => boolean): (now: readonly T[]) => readonly T[] {
  let before: readonly T[] = []
  return (now) => {
    const known = new Map(before.map((value) => [value.key, value]))
    const next = now.map((value) => {
      const was = known.get(value.key)
      return was && same(was, value) ? was : value
    })
    if (!sameItems(before, next)) before = next
    return before
  }
}
