// What time the server has, whatever this device's own clock says: only the
// steady time since the page was opened is used, never the date.

interface Sample { offset: number; roundTrip: number }

const kept = 8
/** how far two answers may differ without the server's time having moved, in milliseconds */
const slack = 250

export class ServerClock {
  private samples: Sample[] = []
  private readonly watchers = new Set<() => void>()
  private readonly steady: () => number

  /** steady gives milliseconds that only ever grow, from any origin. */
  constructor(steady: () => number = () => performance.now()) {
    this.steady = steady
  }

  /** Forgets what it learned; for a new connection, since a sleeping device may have stopped the steady time. */
  reset(): void {
    this.samples = []
    this.tell()
  }

  /** Calls back when it knows the time better, or no longer. Returns what ends that. */
  watch(run: () => void): () => void {
    this.watchers.add(run)
    return () => { this.watchers.delete(run) }
  }

  private tell(): void {
    for (const run of this.watchers) run()
  }

  /** Learns from one answer: when the question left (steady ms) and what the server's time was (RFC 3339). */
  learn(sentAt: number, serverNow: string): void {
    const at = Date.parse(serverNow)
    if (Number.isNaN(at)) return
    const received = this.steady()
    const roundTrip = Math.max(0, received - sentAt)
    const sample = { offset: at + roundTrip / 2 - received, roundTrip }
    // What no delay on the way explains: the server's time has moved, as a delayed spectator's does when the delay changes.
    const moved = (old: Sample) => Math.abs(old.offset - sample.offset) > (old.roundTrip + roundTrip) / 2 + slack
    if (this.samples.some(moved)) this.samples = []
    this.samples.push(sample)
    if (this.samples.length > kept) this.samples.shift()
    this.tell()
  }

  /** The server's time in Unix milliseconds, or undefined before the first answer. */
  now(): number | undefined {
    // The quickest answer bounds the error best.
    let best: Sample | undefined
    for (const sample of this.samples) {
      if (!best || sample.roundTrip <= best.roundTrip) best = sample
    }
    return best && this.steady() + best.offset
  }
}
