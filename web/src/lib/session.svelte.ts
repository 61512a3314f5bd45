// One encounter as this browser sees it: the view made handy for components,
// and the sending of commands. All state is the server's; nothing is guessed.
import { ApiError, getLog, sendCommand } from './api'
import { Connection, type Outcome, type Seen, type Status } from './connection'
import { learn, type Tokens } from './known'
import { t } from './lang.svelte'
import { openSocket } from './line'
import type { LastView } from './lastview'
import { olderPart } from './loglines'
import { overwrite, type Edit, type Late } from './overwrite'
import { refusalText } from './refusals'
import { drop, keep, unanswered } from './unanswered'
import { resumed, type Resumed } from './unwind'
import { uuid } from './uuid'
import type {
  CombatantView, Command, EffectView, LogEntry, NewLink, Offer, PendingView, Presence, SeatView, SlotView, ViewMap,
} from './wire.gen'

const longestLog = 400
/** As many lines as the server tells anew. */
const wholeLog = 10_000
const noticeMs = 7_000
/** More names than lines of the log to say them in. */
const mostNames = 20_000
/** As long as the two halves of a double click may lie apart. */
export const pressMs = 350

const hasNetwork = () => typeof navigator === 'undefined' || navigator.onLine !== false

/** A short message at the edge of the screen. */
export interface Notice {
  id: number
  tone: 'refusal' | 'info'
  text: string
}

export class Session {
  view = $state.raw<ViewMap>({})
  log = $state.raw<LogEntry[]>([])
  /** The log goes back to its beginning. */
  whole = $state(false)
  presence = $state.raw<Presence>()
  /** How late the server shows it all to this audience, in seconds. */
  late = $state(0)
  status = $state<Status>('connecting')
  endCode = $state<string>()
  /** The device has a network, as far as it knows. */
  online = $state(hasNetwork())
  /** Since when what is shown is not live, in Unix milliseconds of this device. */
  since = $state<number>()
  /** The answer to a new link is still asked for, with the old one. */
  recovering = $state(false)
  notices = $state.raw<Notice[]>([])
  /** The server went back to an older state and lacks what was seen; until it is dismissed. */
  cut = $state(false)
  private cutEpoch = ''
  /** The edit that came after somebody else's, which is being asked about. */
  lateEdit = $state.raw<Late>()
  /** Who goes on, after somebody who had broken in, until it does something. */
  resumed = $state.raw<Resumed>()
  /** Commands on their way, by what they say. */
  private sending = $state.raw<ReadonlyMap<string, Promise<Outcome>>>(new Map())
  /** Nothing has changed since the page came up. */
  untouched = true
  /** Something was pressed just now. */
  resting = $state(false)

  readonly encounter = $derived(this.view.encounter)
  readonly you = $derived(this.view.you)
  readonly history = $derived(this.view.history)
  /** Slots that did not change are the same objects as before. */
  order = $state.raw<SlotView[]>([])
  readonly turn = $derived(this.view.turn)
  readonly stack = $derived(this.view.stack ?? [])
  readonly window = $derived(this.view.window)
  readonly acting = $derived(this.stack.at(-1))
  /** By id, in the order of their names: ids are random and say nothing. */
  combatants = $state.raw<ReadonlyMap<string, CombatantView>>(new Map())
  effects = $state.raw<readonly EffectView[]>([])
  private decisions = $state.raw<readonly PendingView[]>([])
  /** What somebody owes; turns may wait for it. */
  readonly pending = $derived(this.decisions.filter((p) => p.kind !== 'proposal'))
  /** What players ask the game master to apply; nothing waits for it. */
  readonly proposals = $derived(this.decisions.filter((p) => p.kind === 'proposal'))
  seats = $state.raw<readonly SeatView[]>([])
  private effectsByTarget = $state.raw<ReadonlyMap<string, readonly EffectView[]>>(new Map())
  readonly can = $derived(this.you?.can ?? [])
  private readonly canByType = $derived(by(this.can, (o) => o.type))
  readonly inFight = $derived(['rounds', 'surprise', 'declaration'].includes(this.encounter?.phase ?? ''))
  readonly live = $derived(this.status === 'live')
  /** The status, and why there is no line when the device knows it. */
  readonly line = $derived<Status | 'offline'>(
    !this.online && (this.status === 'reconnecting' || this.status === 'connecting') ? 'offline' : this.status,
  )

  readonly connection: Connection
  /** Names outlive their combatants: the log goes on speaking of them. */
  private readonly known = new Map<string, string>()
  private notice = 0
  private rest: ReturnType<typeof setTimeout> | undefined
  private readonly fading = new Map<number, ReturnType<typeof setTimeout>>()

  /** as: for a GM who sees what another audience sees, and does nothing there. */
  constructor(readonly id: string, readonly token: string, readonly as?: string, seen?: Seen) {
    this.connection = new Connection(id, token, {
      welcome: (message) => {
        this.show(message.view, message.log ?? [])
        // Said once of each history, however often its whole view comes.
        if (message.cut && message.epoch !== this.cutEpoch) [this.cut, this.cutEpoch] = [true, message.epoch]
      },
      update: (message) => {
        this.untouched = false
        this.learn(message.set ?? {}, message.log ?? [])
        const before = this.stack
        if (message.set || message.del) {
          const next = { ...this.view, ...message.set }
          for (const key of message.del ?? []) delete next[key as keyof ViewMap]
          this.take(next, [...Object.keys(message.set ?? {}), ...(message.del ?? [])])
        }
        this.resumed = resumed(before, this.stack, message.log ?? [], this.resumed)
        if (message.log?.length) this.log = [...this.log, ...message.log].slice(this.whole ? -wholeLog : -longestLog)
      },
      presence: (presence) => { this.presence = presence },
      late: (seconds) => { this.late = seconds },
      status: (status, code) => {
        if (status === 'live') this.since = undefined
        else this.since ??= this.you ? Date.now() - this.connection.age : undefined
        this.status = status
        this.endCode = code
      },
      refused: (code, params) => this.say('refusal', refusalText(code, params, this)),
    }, {
      open: openSocket,
      steady: () => performance.now(),
      date: () => Date.now(),
      random: Math.random,
      after: (ms, run) => setTimeout(run, ms),
      cancel: (timer) => clearTimeout(timer as number),
    }, as, seen)
  }

  start(): void {
    this.connection.start()
    this.listen('addEventListener')
    // What the game master has said itself is not this one's, which only looks.
    if (this.as) return
    for (const { id, command } of unanswered(this.id, this.token, Date.now())) void this.send(id, command, false)
  }

  stop(): void {
    this.listen('removeEventListener')
    this.connection.stop()
    this.lateEdit?.answer(false)
    clearTimeout(this.rest)
    for (const timer of this.fading.values()) clearTimeout(timer)
  }

  /** To whatever may mean that the line was lost unseen, or can be had again. */
  private listen(how: 'addEventListener' | 'removeEventListener'): void {
    for (const event of ['online', 'offline', 'pageshow', 'focus']) window[how](event, this.wake)
    for (const event of ['visibilitychange', 'resume']) document[how](event, this.wake)
  }
  private readonly wake = () => {
    this.online = hasNetwork()
    if (document.visibilityState !== 'hidden') this.connection.check()
  }

  /** Shows what was seen before, until there is something newer. */
  showLast(last: LastView): void {
    if (this.you) return
    this.learn(last.view, last.log)
    this.take(last.view)
    this.log = last.log
    this.since = last.at
  }

  /** Sends a command once: the same again while it is under way is the same one. Refusals are shown unless quiet. */
  do(command: Command, quiet = false): Promise<Outcome> {
    return this.sending.get(JSON.stringify(command)) ?? this.doAgain(command, quiet)
  }

  /** Sends a command that was typed anew: it is another one, also while the same is under way. */
  doAgain(command: Command, quiet = false): Promise<Outcome> {
    if (!this.live) {
      this.say('refusal', t('code.offline'))
      return Promise.resolve({ ok: false, code: 'offline', params: {} })
    }
    this.resting = true
    clearTimeout(this.rest)
    this.rest = setTimeout(() => { this.resting = false }, pressMs)
    return this.send(uuid(), command, quiet)
  }

  /** Sets a value in place of the one that was seen. If somebody else has set another one, it asks. */
  async set(edit: Edit): Promise<Outcome> {
    const outcome = await overwrite(edit, (command) => this.do(command, true), (late) => new Promise<boolean>((resolve) => {
      this.lateEdit?.answer(false)
      this.lateEdit = { ...late, answer: (yes) => { this.lateEdit = undefined; resolve(yes) } }
    }))
    if (!outcome.ok && outcome.code !== 'closed' && outcome.code !== 'offline' && outcome.code !== 'stale_edit') {
      this.say('refusal', refusalText(outcome.code, outcome.params, this))
    }
    return outcome
  }

  private send(id: string, command: Command, quiet: boolean): Promise<Outcome> {
    const text = JSON.stringify(command)
    const key = this.sending.has(text) ? id : text
    keep(this.id, { id, command, token: this.token, at: Date.now() })
    const result = this.outcome(id, command).then((outcome) => {
      // A page that is closed has not been answered.
      if (outcome.ok || outcome.code !== 'closed') drop(this.id, id)
      const rest = new Map(this.sending)
      rest.delete(key)
      this.sending = rest
      if (outcome.ok && command.type === 'replaceLink') this.takeLink(outcome.result as NewLink)
      if (!outcome.ok && outcome.code !== 'closed' && !quiet) this.say('refusal', refusalText(outcome.code, outcome.params, this))
      return outcome
    })
    this.sending = new Map(this.sending).set(key, result)
    return result
  }

  private async outcome(id: string, command: Command): Promise<Outcome> {
    const outcome = await this.connection.send(id, command)
    // A new link may have closed the very line on which its answer was to come.
    // The old one is still good for that answer.
    if (outcome.ok || outcome.code !== 'unauthorized' || command.type !== 'replaceLink') return outcome
    this.recovering = true
    try {
      const { seq, result } = await sendCommand(this.id, this.token, id, command)
      return { ok: true, seq, result }
    } catch (error) {
      return error instanceof ApiError && error.code === 'offline' ? { ok: false, code: 'closed', params: {} } : outcome
    } finally {
      this.recovering = false
    }
  }

  /** Keeps a new link; a GM's own page goes on with it. */
  private takeLink({ role, token }: NewLink): void {
    learn(this.id, { tokens: { [role]: token } as Tokens })
    if (role === 'gm') location.hash = token
  }

  /** Reports whether this very command is under way. */
  isSending(command: Command): boolean {
    return this.sending.has(JSON.stringify(command))
  }

  /** Reports whether any command is under way. */
  get busy(): boolean {
    return this.sending.size > 0
  }

  /** Reports whether a button that does something at once may be pressed: the second half of a double click must not land on what the first one made. */
  get ready(): boolean {
    return this.live && !this.busy && !this.resting
  }

  /** The offers of a type, for one combatant when it is given. */
  offers(type: string, combatant?: string): Offer[] {
    const all = this.canByType.get(type) ?? []
    return combatant === undefined ? all : all.filter((o) => isFor(o, combatant))
  }

  /** Whether a command of this type may be sent now, for this combatant when given. */
  may(type: string, combatant?: string): boolean {
    return (this.canByType.get(type) ?? []).some((o) => combatant === undefined || isFor(o, combatant))
  }

  /** Gets what came before the lines that are here. Reports whether it could be had. */
  async loadLog(): Promise<boolean> {
    try {
      const { log } = await getLog(this.id, this.token, this.as)
      const older = olderPart(log, this.log)
      // Nothing in common: a fresh start came between, and it will be asked for again.
      if (!older) return false
      this.learn({}, older)
      this.log = [...older, ...this.log]
      this.whole = true
      return true
    } catch (error) {
      this.say('refusal', error instanceof ApiError ? refusalText(error.code, error.params, this) : t('code.unavailable'))
      return false
    }
  }

  /** What is on somebody; the same array as long as nothing of it changes. */
  effectsOn(combatant: string): readonly EffectView[] {
    return this.effectsByTarget.get(combatant) ?? nothing
  }

  /** What somebody is called; also after they have left. */
  readonly nameOf = (id: string): string => this.combatants.get(id)?.name ?? this.known.get(id) ?? t('someone')

  readonly seatName = (id: string): string => this.seats.find((s) => s.id === id)?.name ?? this.known.get(id) ?? t('someone')

  /** What an effect that lasts is called. */
  readonly effectName = (id: string): string | undefined => this.view[`effects/${id}`]?.name

  /** Shows a short message. */
  say(tone: Notice['tone'], text: string): void {
    const one = { id: ++this.notice, tone, text }
    this.notices = [...this.notices.filter((n) => n.text !== text), one].slice(-4)
    this.fading.set(one.id, setTimeout(() => this.dismiss(one.id), noticeMs))
  }

  dismiss(id: number): void {
    clearTimeout(this.fading.get(id))
    this.fading.delete(id)
    this.notices = this.notices.filter((n) => n.id !== id)
  }

  /** Shows a whole view, with the last lines of its log, and nothing of before. */
  show(view: ViewMap, log: LogEntry[]): void {
    this.learn(view, log)
    this.take(view)
    this.whole = false
    this.resumed = undefined
    this.log = log.slice(-longestLog)
  }

  /** Shows another view. Only what hangs on the changed keys is made anew, all of it when they are not known. */
  private take(view: ViewMap, changed?: string[]): void {
    const touched = (prefix: string) => !changed || changed.some((key) => key.startsWith(prefix))
    const values = <T>(prefix: string) => Object.entries(view).filter(([key]) => key.startsWith(prefix)).map(([, value]) => value as T)
    this.view = view
    if (touched('order')) this.order = sameAsBefore(this.order, view.order ?? [])
    if (touched('combatants/')) this.combatants = new Map(values<CombatantView>('combatants/').sort(byName).map((c) => [c.id, c]))
    if (touched('effects/')) {
      this.effects = values<EffectView>('effects/')
      const before = this.effectsByTarget
      this.effectsByTarget = new Map([...by(this.effects, (e) => e.target)].map(([target, now]) => {
        const was = before.get(target)
        return [target, was?.length === now.length && was.every((e, i) => e === now[i]) ? was : now]
      }))
    }
    if (touched('pending/')) this.decisions = values('pending/')
    if (touched('seats/')) this.seats = values<SeatView>('seats/').sort(byName)
  }

  private learn(set: ViewMap, log: LogEntry[]): void {
    for (const [key, value] of Object.entries(set)) {
      if (key.startsWith('combatants/') || key.startsWith('seats/')) {
        const { id, name } = value as { id: string; name: string }
        this.call(id, name)
      }
    }
    for (const { event } of log) {
      if (event.type === 'combatantAdded') this.call(event.combatant.id, event.combatant.name)
      else if (event.type === 'combatantRemoved') this.call(event.combatant, event.name)
      else if (event.type === 'seatAdded' || event.type === 'seatRemoved') this.call(event.seat, event.name)
    }
  }

  /** Remembers a name; the one that was heard longest ago gives way. */
  private call(id: string, name: string): void {
    this.known.delete(id)
    this.known.set(id, name)
    if (this.known.size > mostNames) this.known.delete(this.known.keys().next().value!)
  }
}

const nothing: readonly EffectView[] = []

/** The values under what they have in common, in their order. */
function by<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(key(value))
    if (group) group.push(value)
    else groups.set(key(value), [value])
  }
  return groups
}

/** The slots as they are now, in the objects of before where nothing changed. */
function sameAsBefore(before: readonly SlotView[], now: SlotView[]): SlotView[] {
  const known = new Map(before.map((slot) => [slot.slot, slot]))
  return now.map((slot) => {
    const was = known.get(slot.slot)
    return was && JSON.stringify(was) === JSON.stringify(slot) ? was : slot
  })
}

const names = new Intl.Collator(undefined, { numeric: true })
/** Goblin 2 before Goblin 10. */
const byName = (a: { name: string }, b: { name: string }) => names.compare(a.name, b.name)

/** Reports whether an offer may be taken for this combatant. */
export function isFor(offer: Offer, combatant: string): boolean {
  if (offer.combatant) return offer.combatant === combatant
  return !offer.combatants || offer.combatants.includes(combatant)
}
