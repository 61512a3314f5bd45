// The parts of the application that are loaded when they are wanted.

const shownMs = 7_000

class Parts {
  /** A part that was wanted a moment ago could not be had. */
  failed = $state(false)
  private timer: ReturnType<typeof setTimeout> | undefined

  /** Says so for a while. */
  missing(): void {
    this.failed = true
    clearTimeout(this.timer)
    this.timer = setTimeout(() => { this.failed = false }, shownMs)
  }
}

export const parts = new Parts()

/** Loads parts once the browser has nothing better to do, so that they open at once and without a network. */
export function beforehand(...loads: (() => Promise<unknown>)[]): void {
  const start = () => {
    // What cannot be had now is asked for again when it is wanted.
    for (const load of loads) load().catch(() => undefined)
  }
  // Some browsers have no idle times to tell of.
  if ('requestIdleCallback' in window) requestIdleCallback(start)
  else setTimeout(start, 1000)
}
