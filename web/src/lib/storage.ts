// What this browser remembers. Storage may be forbidden or full; then it
// remembers nothing and everything else still works.

/** Reads a value, or undefined when there is none that can be read. */
export function recall<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(`riposte.${key}`)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/** Forgets everything whose key begins so. */
export function forgetAll(prefix: string): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(`riposte.${prefix}`)) localStorage.removeItem(key)
  } catch {
    // There is nothing to forget.
  }
}

/** Keeps a value, or forgets it when it is undefined. */
export function remember(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`riposte.${key}`)
    else localStorage.setItem(`riposte.${key}`, JSON.stringify(value))
  } catch {
    // Nothing to do: the value lives until the page is closed.
  }
}
