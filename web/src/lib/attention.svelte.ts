// Seen, heard and felt: the tab's title, a sound, a vibration, a notification.
import { recall, remember } from './storage'

/** What calls for attention, the most urgent first. */
export type Call = 'react' | 'turn' | 'next'

const patterns: Record<Call, { vibrate: number[]; notes: number[] }> = {
  react: { vibrate: [90, 60, 90, 60, 90], notes: [880, 1175, 880] },
  turn: { vibrate: [200], notes: [659, 880] },
  next: { vibrate: [60], notes: [587] },
}

class Attention {
  /** undefined until the person was asked. */
  sound = $state<boolean | undefined>(recall<boolean>('sound'))
  private audio: AudioContext | undefined

  /** Keeps the answer to whether there may be sound. Call it from a click: browsers want one. */
  allow(sound: boolean): void {
    this.sound = sound
    remember('sound', sound)
    if (!sound) return
    this.audio ??= new AudioContext()
    this.play([880])
    if ('Notification' in window && Notification.permission === 'default') void Notification.requestPermission()
  }

  /** Calls once; text is for a notification, shown when the page is not in sight. */
  call(call: Call, text: string): void {
    // Before the first tap a browser refuses, and complains.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(patterns[call].vibrate)
    if (!this.sound) return
    this.play(patterns[call].notes)
    if (document.hidden && call !== 'next' && 'Notification' in window && Notification.permission === 'granted') {
      try {
        new Notification(text, { tag: 'riposte' })
      } catch {
        // Some phones allow notifications from service workers only.
      }
    }
  }

  private play(notes: number[]): void {
    this.audio ??= new AudioContext()
    const { audio } = this
    void audio.resume()
    notes.forEach((frequency, i) => {
      const at = audio.currentTime + i * 0.14
      const tone = audio.createOscillator()
      const volume = audio.createGain()
      tone.frequency.value = frequency
      volume.gain.setValueAtTime(0.0001, at)
      volume.gain.exponentialRampToValueAtTime(0.18, at + 0.02)
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.13)
      tone.connect(volume).connect(audio.destination)
      tone.start(at)
      tone.stop(at + 0.15)
    })
  }
}

export const attention = new Attention()
