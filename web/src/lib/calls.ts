// When somebody is called: once for each event, however many pages of theirs
// are open and however often they are loaded, and never for what is over.
import type { FrameView, WindowView } from './wire.gen'

/** What calls for attention, the most urgent first. */
export type CallKind = 'react' | 'turn' | 'next'

export interface Call {
  kind: CallKind
  /** names the event */
  event: string
}

/** What is read of a fight to know whether somebody is called. */
export interface Scene {
  stack: FrameView[]
  window?: WindowView
  inFight: boolean
  /** theirs */
  mine: readonly string[]
  /** They are asked, and may say no. */
  asked: boolean
  /** Their turn has nothing left to it. */
  over: boolean
  /** turns before theirs; 0 is next */
  until: number | undefined
}

/** Who is called, and for what. */
export function callOf({ stack, window, inFight, mine, asked, over, until }: Scene): (Call & { who?: string }) | undefined {
  const turn = stack[0]
  const acting = stack.at(-1)
  if (asked) return { kind: 'react', event: `react ${window?.window}`, who: window?.asked }
  if (acting && mine.includes(acting.combatant) && !over) {
    // What they broke in with themselves calls nobody.
    return acting.kind === 'turn' ? { kind: 'turn', event: `turn ${acting.frame}`, who: acting.combatant } : undefined
  }
  if (!inFight || until !== 0 || !turn) return undefined
  return { kind: 'next', event: `next ${turn.frame}`, ...(mine.length === 1 ? { who: mine[0] } : {}) }
}

/** What a call does to somebody's senses. */
export interface Signals {
  call(kind: CallKind): void
  /** Takes back what is still to be seen of a call. */
  over(): void
}

export class Caller {
  private current: Call | undefined

  /** first says whether nobody has been called for an event yet, and from then on that somebody has. */
  constructor(
    private readonly first: (event: string) => Promise<boolean>,
    private readonly signals: Signals,
  ) {}

  /** Tells what calls now. Only what is live may be told: what was missed is never called for. */
  async see(call: Call | undefined): Promise<void> {
    if (call?.event === this.current?.event) return
    this.current = call
    this.signals.over()
    if (!call || !(await this.first(call.event))) return
    // Over in the meantime.
    if (this.current?.event === call.event) this.signals.call(call.kind)
  }
}

const most = 40

/** A memory of events in this browser, one for an encounter; of the latest only. */
export function memory(encounter: string, locks: LockManager | undefined, storage: Pick<Storage, 'getItem' | 'setItem'> | undefined) {
  const key = `riposte.called.${encounter}`
  // Where nothing can be kept, this page at least calls once.
  let own: string[] = []
  const read = (): string[] => {
    try {
      const all: unknown = JSON.parse(storage?.getItem(key) ?? 'null')
      return Array.isArray(all) ? (all as string[]) : own
    } catch {
      return own
    }
  }
  const first = (event: string): boolean => {
    const before = read()
    if (before.includes(event)) return false
    own = [...before, event].slice(-most)
    try {
      storage?.setItem(key, JSON.stringify(own))
    } catch {
      // Full: own holds it.
    }
    return true
  }
  // Two tabs must not both find that they are the first.
  return async (event: string): Promise<boolean> => (locks ? await locks.request(key, () => first(event)) : first(event))
}
