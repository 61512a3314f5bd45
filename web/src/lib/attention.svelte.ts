// How this browser calls somebody: with a sound, a vibration, a notification.
// All of it is asked for once, and can be changed at any time.
import type { CallKind } from './calls'
import { recall, remember } from './storage'

interface Choices {
  sound: boolean
  vibration: boolean
  notifications: boolean
  /** was asked */
  asked: boolean
}

const key = 'calls'
/** Told apart with closed eyes: one low, two rising, three high and urgent. */
const patterns: Record<CallKind, { vibrate: number[]; notes: number[]; step: number; volume: number }> = {
  next: { vibrate: [60], notes: [392], step: 0.2, volume: 0.12 },
  turn: { vibrate: [220], notes: [523, 784], step: 0.2, volume: 0.18 },
  react: { vibrate: [90, 60, 90, 60, 90], notes: [988, 1319, 988], step: 0.11, volume: 0.2 },
}

/** A sound that was held back for longer calls for what may be over, in milliseconds. */
const lateMs = 1_000

class Attention {
  private readonly chosen = $state<Choices>({ sound: false, vibration: true, notifications: false, asked: false, ...recall<Partial<Choices>>(key) })
  /** Whether the browser lets notifications through; undefined where there are none. */
  permission = $state<NotificationPermission | undefined>(typeof Notification === 'undefined' ? undefined : Notification.permission)
  private audio: AudioContext | undefined

  get sound(): boolean { return this.chosen.sound }
  get vibration(): boolean { return this.chosen.vibration }
  get notifications(): boolean { return this.chosen.notifications && this.permission === 'granted' }
  get asked(): boolean { return this.chosen.asked }
  readonly canVibrate = typeof navigator !== 'undefined' && typeof navigator.vibrate === 'function'

  /** Call these from a click: browsers want one. */
  setSound(on: boolean): void {
    this.choose({ sound: on })
    if (on) this.play('turn')
  }

  setVibration(on: boolean): void {
    this.choose({ vibration: on })
    if (on) this.vibrate('turn')
  }

  async setNotifications(on: boolean): Promise<void> {
    this.choose({ notifications: on })
    if (on && this.permission === 'default') this.permission = await Notification.requestPermission()
  }

  /** The question is answered. */
  done(): void {
    this.choose({ asked: true })
  }

  /** Lets sounds through again after a load: a browser wants a touch first. */
  readonly touched = (): void => {
    if (this.sound) void this.ready().resume()
  }

  /** Calls by sound and vibration, as chosen. */
  call(kind: CallKind): void {
    if (this.vibration) this.vibrate(kind)
    if (this.sound) this.play(kind)
  }

  /** Plays the sound of a kind of call. */
  play(kind: CallKind): void {
    const audio = this.ready()
    if (audio.state === 'running') return this.tones(audio, kind)
    // Until somebody touches the page a browser holds sounds back, and would let all of them out at once.
    const asked = performance.now()
    audio.resume().then(() => { if (performance.now() - asked < lateMs) this.tones(audio, kind) }, () => undefined)
  }

  private tones(audio: AudioContext, kind: CallKind): void {
    const { notes, step, volume } = patterns[kind]
    notes.forEach((frequency, i) => {
      const at = audio.currentTime + i * step
      const tone = audio.createOscillator()
      const loudness = audio.createGain()
      tone.frequency.value = frequency
      loudness.gain.setValueAtTime(0.0001, at)
      loudness.gain.exponentialRampToValueAtTime(volume, at + 0.02)
      loudness.gain.exponentialRampToValueAtTime(0.0001, at + step)
      tone.connect(loudness).connect(audio.destination)
      tone.start(at)
      tone.stop(at + step + 0.02)
    })
  }

  private vibrate(kind: CallKind): void {
    // Before the first tap a browser refuses, and complains.
    if (this.canVibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate(patterns[kind].vibrate)
  }

  private ready(): AudioContext {
    return (this.audio ??= new AudioContext())
  }

  private choose(choice: Partial<Choices>): void {
    Object.assign(this.chosen, choice)
    // Another page of this browser may have chosen something else meanwhile.
    remember(key, { ...this.chosen, ...recall<Partial<Choices>>(key), ...choice })
  }
}

export const attention = new Attention()
