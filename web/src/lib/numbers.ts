// Numbers as people type them.

/** A change of hit points: 7 hurts, +5 heals, 5t is temporary. */
export interface HPChange {
  type: 'damage' | 'heal' | 'setTempHp'
  amount: number
}

/** Reads what was typed into a hit point field; undefined when it is no change. */
export function parseHP(text: string): HPChange | undefined {
  const found = /^\s*([+-]?)\s*(\d{1,6})\s*(t?)\s*$/iu.exec(text)
  if (!found) return undefined
  const [, sign, digits, temporary] = found
  const amount = Number(digits)
  if (temporary) return sign === '-' ? undefined : { type: 'setTempHp', amount }
  if (amount === 0) return undefined
  return { type: sign === '+' ? 'heal' : 'damage', amount }
}

/** Reads a count: up to two decimals, with a point or a comma. */
export function parseCount(text: string): number | undefined {
  const found = /^\s*([+-]?\d{1,4})(?:[.,](\d{1,2}))?\s*$/u.exec(text)
  if (!found) return undefined
  return Number(found[2] === undefined ? found[1] : `${found[1]}.${found[2]}`)
}

/** Reads a whole number within bounds. */
export function parseWhole(text: string, min: number, max: number): number | undefined {
  const found = /^\s*([+-]?\d{1,7})\s*$/u.exec(text)
  const n = Number(found?.[1])
  return found && n >= min && n <= max ? n : undefined
}
