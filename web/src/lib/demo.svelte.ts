// Plays the demo fight on the server, as a game master would: step by step,
// to its end, and never again by itself.
import type { MessageKey } from '../i18n/messages'
import { ApiError, createEncounter, getView, sendCommand } from './api'
import { cast, fight, type Moment, type Role } from './demo.fight'
import { t } from './lang.svelte'
import { uuid } from './uuid'
import type { CombatantView, Command, Created, ViewMap } from './wire.gen'

const roles: Role[] = ['mira', 'toran', 'goblin', 'shaman']
const options = { reactionWindows: 'ask', reactionSeconds: '60' }
/** Time to look, and to read. */
const readingMs = (text: string) => 2_000 + 32 * text.length

export class Demo {
  state = $state<'setting' | 'playing' | 'paused' | 'over' | 'failed'>('setting')
  /** how many steps have been played */
  played = $state(0)
  /** A step is under way. */
  busy = $state(false)
  /** refusal code, when it failed */
  code = $state('')
  encounter = $state.raw<Created>()
  readonly steps = fight.length
  readonly saying = $derived<MessageKey | undefined>(this.played ? fight[this.played - 1]?.say : undefined)

  private readonly names = new Map<string, Role>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private closed = false

  /** Sets the table and begins to play. */
  async start(): Promise<void> {
    await this.trying(async () => {
      const encounter = await createEncounter({ rules: 'dnd5e', title: t('demo.title'), options })
      for (const role of roles) this.names.set(t(`demo.name.${role}`), role)
      for (const command of cast(t)) await sendCommand(encounter.id, encounter.tokens.gm!, uuid(), command)
      this.encounter = encounter
    })
    if (this.state !== 'failed') this.play()
  }

  /** Goes on by itself from here. */
  play(): void {
    if (this.closed) return
    this.state = 'playing'
    void this.holdClock('resumeClock').then(() => this.step())
  }

  /** Stands still, and the question's clock with it. */
  pause(): void {
    if (this.state !== 'playing') return
    this.state = 'paused'
    clearTimeout(this.timer)
    void this.holdClock('pauseClock')
  }

  /** Plays one step. */
  async step(): Promise<void> {
    clearTimeout(this.timer)
    const step = fight[this.played]
    if (this.closed || this.busy || !step || !this.encounter) return
    this.busy = true
    await this.trying(async () => {
      await this.send(step.does(await this.moment()))
      this.played++
    })
    this.busy = false
    if (this.closed || this.state === 'failed') return
    if (this.played === fight.length) this.state = 'over'
    else if (this.state === 'playing') this.timer = setTimeout(() => void this.step(), readingMs(t(step.say)))
  }

  /** Stops for good; nothing is sent from now on. */
  close(): void {
    this.closed = true
    clearTimeout(this.timer)
  }

  private async moment(): Promise<Moment> {
    const view: ViewMap = await getView(this.encounter!.id, this.encounter!.tokens.gm!)
    const id = {} as Record<Role, string>
    for (const [key, value] of Object.entries(view)) {
      const role = key.startsWith('combatants/') && this.names.get((value as CombatantView).name)
      if (role) id[role] = (value as CombatantView).id
    }
    return { id, window: view.window?.window, frame: view.stack?.at(-1)?.frame, t }
  }

  private send(command: Command): Promise<unknown> {
    return sendCommand(this.encounter!.id, this.encounter!.tokens.gm!, uuid(), command)
  }

  /** There is a clock only while a question is open. */
  private async holdClock(type: 'pauseClock' | 'resumeClock'): Promise<void> {
    if (!this.encounter) return
    const view = await getView(this.encounter.id, this.encounter.tokens.gm!).catch(() => undefined)
    if (!this.closed && view?.you?.can?.some((offer) => offer.type === type)) await this.send({ type }).catch(() => undefined)
  }

  private async trying(what: () => Promise<void>): Promise<void> {
    try {
      await what()
    } catch (error) {
      if (this.closed) return
      clearTimeout(this.timer)
      this.state = 'failed'
      this.code = error instanceof ApiError ? error.code : 'unavailable'
    }
  }
}
