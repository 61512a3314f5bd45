// The one socket to the server. It keeps the view whole and in order, keeps
// every command until it is answered, and says honestly whether what is shown
// is live. It knows nothing of the page; see session.svelte.ts for that.

import { ServerClock } from './serverclock'
import { Sleep } from './sleep'
import type { Ack, Bye, Command, Head, Presence, Reject, Update, Welcome } from './wire.gen'

/**
 * connecting: nothing has been shown yet. live: heard from within the last
 * seconds. behind: what was missed is still coming. stale: the socket is open,
 * and nobody says any more that what is shown is the last. reconnecting: there is no socket. ended: there will be none
 * again, see endCode.
 */
export type Status = 'connecting' | 'live' | 'behind' | 'stale' | 'reconnecting' | 'ended'

/** What became of a command. */
export type Outcome =
  | { ok: true; seq: number; result?: unknown }
  | { ok: false; code: string; params: Record<string, unknown> }

/** How far something was seen: an update of a history. */
export interface Seen {
  since: number
  epoch: string
}

/** The part of WebSocket that is used, so that tests can stand in for it. */
export interface Socket {
  readonly readyState: number
  send(data: string): void
  close(code?: number): void
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: (() => void) | null
  onerror: (() => void) | null
}

/** Everything the connection needs from outside. */
export interface Surroundings {
  open(): Socket
  steady(): number
  /** the device's own date in Unix milliseconds, right or wrong */
  date(): number
  random(): number
  after(ms: number, run: () => void): unknown
  cancel(timer: unknown): void
}

/** Who wants to know. */
export interface Listener {
  welcome(message: Welcome): void
  update(message: Update): void
  presence(presence: Presence): void
  /** How late what is shown is by the GM's wish, in seconds. */
  late(seconds: number): void
  status(status: Status, endCode: string | undefined): void
  /** A refusal that belongs to no command. */
  refused(code: string, params: Record<string, unknown>): void
}

interface Waiting {
  id: string
  command: Command
  tries: number
  answered?: Outcome & { ok: true }
  settle(outcome: Outcome): void
}

// The server speaks at least every two seconds (head).
const staleAfter = 5_000
const deadAfter = 10_000
/** A server that answers and cannot say what is the last is left for another one. */
const leaveAfter = 20_000
const pingEvery = 4_000
const tickEvery = 1_000
const firstBackoff = 250
const longestBackoff = 8_000
const transportTries = 8
/** How long a page that wakes up waits for a sign of life, at least; where it is not known how long answers take, as long as until stale. */
const probeMs = 1_000

/** Codes that say "not now" and leave a command undecided. */
const notNow = new Set(['unavailable', 'draining', 'rate_limited'])
/** Codes after which coming back is useless. */
const final = new Set(['unauthorized', 'not_found', 'forbidden', 'removed'])

export class Connection {
  readonly clock: ServerClock
  status: Status = 'connecting'
  endCode: string | undefined

  private socket: Socket | undefined
  private greeted = false
  /** Resumed, and not told yet that nothing is missing. */
  private behind = false
  private epoch = ''
  private seq = 0
  private helloAt = 0
  private roundTrip: number | undefined
  private heardAt = 0
  /** When the server last said what is the last: an answer alone does not. */
  private shownAt = 0
  private pingedAt = 0
  private attempts = 0
  private droppedAt = -Infinity
  private retry: unknown
  private probe: unknown
  private heard = 0
  private ticker: unknown
  private tickedAt = 0
  /** The last tick came late. */
  private held = false
  private readonly waiting = new Map<string, Waiting>()
  private readonly sleep: Sleep

  constructor(
    private readonly encounter: string,
    private readonly token: string,
    private readonly listener: Listener,
    private readonly around: Surroundings,
    /** for a GM: the audience whose view it is, instead of its own */
    private readonly as?: string,
    /** what was seen before this page was opened */
    private readonly seen?: Seen,
  ) {
    this.clock = new ServerClock(() => around.steady())
    this.sleep = new Sleep(() => around.steady(), () => around.date())
  }

  /** Opens the socket; call once. */
  start(): void {
    this.connect()
    this.tickedAt = this.around.steady()
    this.tick()
  }

  /** Closes for good. Commands without an answer are given up. */
  stop(code = 'closed'): void {
    this.end(code)
  }

  /** The last update that was seen, and of which history. */
  get last(): Seen {
    return { since: this.seq, epoch: this.epoch }
  }

  /** How many commands wait for their answer. */
  get inFlight(): number {
    return this.waiting.size
  }

  /** How long nothing has been heard, in milliseconds. */
  private get silence(): number {
    return this.around.steady() - this.heardAt
  }

  /** How old what is shown may be, in milliseconds. */
  get age(): number {
    return this.around.steady() - this.shownAt
  }

  /** Looks at once whether the line still lives; for a page that wakes up. */
  check(): void {
    if (this.status === 'ended') return
    const slept = this.sleep.ended()
    if (!this.socket) {
      this.attempts = 0
      this.connect()
    } else if (slept || this.silence > staleAfter) {
      this.renew()
    } else {
      // A socket that looks open may be dead: what counts is an answer.
      const { socket, heard } = this
      if (this.greeted) this.ping()
      this.around.cancel(this.probe)
      this.probe = this.around.after(this.roundTrip === undefined ? staleAfter : Math.max(probeMs, 4 * this.roundTrip), () => {
        if (this.socket === socket && this.heard === heard) this.drop()
      })
    }
  }

  /** Sends a command under an id of ours, and again until it is answered. */
  send(id: string, command: Command): Promise<Outcome> {
    return new Promise((settle) => {
      if (this.status === 'ended') {
        settle({ ok: false, code: this.endCode ?? 'unavailable', params: {} })
        return
      }
      const one: Waiting = { id, command, tries: 0, settle }
      this.waiting.set(id, one)
      if (this.greeted) this.transmit(one)
    })
  }

  private connect(): void {
    this.around.cancel(this.retry)
    this.retry = undefined
    const socket = this.around.open()
    this.socket = socket
    this.greeted = false
    this.heardAt = this.around.steady()
    socket.onopen = () => {
      if (this.socket === socket) this.greet()
    }
    socket.onmessage = (event) => {
      if (this.socket === socket) this.read(event.data)
    }
    socket.onclose = () => {
      if (this.socket === socket) this.lost()
    }
    socket.onerror = null
    // It may have been opened before it was wanted.
    if (socket.readyState === 1) this.greet()
  }

  private greet(): void {
    this.helloAt = this.around.steady()
    this.clock.reset()
    this.behind = this.epoch !== ''
    const resume = this.epoch ? this.last : this.seen ? { ...this.seen, whole: true } : {}
    this.write({ type: 'hello', encounter: this.encounter, token: this.token, ...(this.as ? { as: this.as } : {}), ...resume })
    this.greeted = true
    for (const one of this.waiting.values()) {
      if (!one.answered) this.transmit(one)
    }
    this.ping()
  }

  private transmit(one: Waiting): void {
    this.write({ type: 'do', id: one.id, command: one.command })
  }

  private write(message: unknown): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message))
  }

  private ping(): void {
    this.pingedAt = this.around.steady()
    this.write({ type: 'ping', t: this.pingedAt })
  }

  private read(data: unknown): void {
    let parsed: unknown
    try {
      parsed = JSON.parse(String(data))
    } catch {
      this.drop()
      return
    }
    const socket = this.socket
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
      // A message may have ended this socket; what follows it is then void.
      if (this.socket !== socket) return
      this.take(message as { type?: string })
    }
  }

  private take(message: { type?: string }): void {
    this.heardAt = this.around.steady()
    this.heard++
    switch (message.type) {
      case 'welcome': return this.welcomed(message as Welcome)
      case 'update': return this.updated(message as Update)
      case 'ack': return this.acked(message as Ack)
      case 'reject': return this.rejected(message as Reject)
      case 'presence': return this.listener.presence(message as Presence)
      case 'head': return this.headed(message as Head)
      case 'pong': return this.ponged(message as { t: number; now: string })
      case 'bye': return this.bye(message as Bye)
    }
  }

  /** What is shown is the last, or will be in a moment. */
  private alive(): void {
    this.attempts = 0
    this.shownAt = this.heardAt
    this.say(this.behind ? 'behind' : 'live')
  }

  private welcomed(message: Welcome): void {
    this.epoch = message.epoch
    this.seq = message.seq
    this.behind = false
    this.clock.learn(this.helloAt, message.now)
    this.roundTrip ??= this.heardAt - this.helloAt
    this.listener.welcome(message)
    this.listener.late(message.behind ?? 0)
    if (message.presence) this.listener.presence(message.presence)
    this.alive()
    // A whole view holds everything that was acknowledged, in whatever numbers.
    for (const one of [...this.waiting.values()]) {
      if (one.answered) this.settle(one, one.answered)
    }
  }

  private updated(message: Update): void {
    if (!this.epoch || message.seq <= this.seq) return
    if (message.seq !== this.seq + 1) {
      // A hole. The server fills it when told what was seen last.
      this.drop()
      return
    }
    this.seq = message.seq
    this.listener.update(message)
    this.alive()
    this.release()
  }

  private headed({ seq, behind }: Head): void {
    if (!this.epoch) return
    this.listener.late(behind ?? 0)
    if (seq > this.seq) {
      this.drop()
      return
    }
    this.behind = false
    this.alive()
  }

  private ponged(message: { t: number; now: string }): void {
    this.clock.learn(message.t, message.now)
    this.roundTrip = this.heardAt - message.t
  }

  private acked(message: Ack): void {
    const one = this.waiting.get(message.id)
    if (!one) return
    one.answered = { ok: true, seq: message.seq, result: message.result }
    this.release()
  }

  /** Settles the acknowledged commands whose effects are on the screen. */
  private release(): void {
    for (const one of [...this.waiting.values()]) {
      if (one.answered && one.answered.seq <= this.seq) this.settle(one, one.answered)
    }
  }

  private settle(one: Waiting, outcome: Outcome): void {
    this.waiting.delete(one.id)
    one.settle(outcome)
  }

  private rejected(message: Reject): void {
    const params = message.params ?? {}
    if (!message.id) {
      if (final.has(message.code) && !this.epoch) this.end(message.code)
      else this.listener.refused(message.code, params)
      return
    }
    const one = this.waiting.get(message.id)
    if (!one) return
    if (notNow.has(message.code) && ++one.tries < transportTries) {
      const wait = typeof params.retryAfterMs === 'number' ? params.retryAfterMs : 1000
      this.around.after(wait, () => {
        if (this.waiting.has(one.id) && this.greeted) this.transmit(one)
      })
      return
    }
    this.settle(one, { ok: false, code: message.code, params })
  }

  private bye(message: Bye): void {
    if (message.retryAfterMs === undefined) {
      this.end(message.code)
      return
    }
    this.detach()
    this.say(this.epoch ? 'reconnecting' : 'connecting')
    this.later(message.retryAfterMs)
  }

  /** Gives this socket up and opens another now. What was learned about the time may be of before a sleep. */
  private renew(): void {
    this.clock.reset()
    this.attempts = 0
    this.droppedAt = this.around.steady()
    this.detach()
    this.say(this.epoch ? 'reconnecting' : 'connecting')
    this.connect()
  }

  /** Gives this socket up and comes back: at once, unless it was just tried. */
  private drop(): void {
    const now = this.around.steady()
    const atOnce = this.attempts === 0 && now - this.droppedAt > staleAfter
    this.droppedAt = now
    this.detach()
    this.say(this.epoch ? 'reconnecting' : 'connecting')
    this.later(atOnce ? 0 : this.backoff())
    this.attempts++
  }

  /** The socket closed by itself. */
  private lost(): void {
    this.detach()
    this.say(this.epoch ? 'reconnecting' : 'connecting')
    this.later(this.backoff())
    this.attempts++
  }

  private detach(): void {
    const socket = this.socket
    this.socket = undefined
    this.greeted = false
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null
    socket.close()
  }

  private backoff(): number {
    const most = Math.min(longestBackoff, firstBackoff * 2 ** Math.min(this.attempts, 10))
    return most * (0.5 + this.around.random() / 2)
  }

  private later(ms: number): void {
    this.around.cancel(this.retry)
    this.retry = this.around.after(ms, () => this.connect())
  }

  private end(code: string): void {
    this.endCode = code
    this.detach()
    this.around.cancel(this.retry)
    this.around.cancel(this.ticker)
    this.around.cancel(this.probe)
    this.say('ended')
    for (const one of [...this.waiting.values()]) {
      this.settle(one, one.answered ?? { ok: false, code, params: {} })
    }
  }

  private tick(): void {
    this.ticker = this.around.after(tickEvery, () => this.tick())
    const slept = this.sleep.ended()
    const now = this.around.steady()
    // A page that was busy, or held back, has not read yet what came meanwhile: it is judged a tick later.
    const held = !this.held && now - this.tickedAt > 2 * tickEvery
    this.held = held
    this.tickedAt = now
    if (!this.socket || (held && !slept)) return
    if (slept) this.renew()
    else if (this.silence > deadAfter || (this.status === 'stale' && this.age > leaveAfter)) this.drop()
    else if (this.age > staleAfter && (this.status === 'live' || this.status === 'behind')) this.say('stale')
    if (this.greeted && now - this.pingedAt >= pingEvery) this.ping()
  }

  private say(status: Status): void {
    if (this.status === status) return
    this.status = status
    this.listener.status(status, this.endCode)
  }
}
