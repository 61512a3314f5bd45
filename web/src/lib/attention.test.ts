import { beforeEach, describe, expect, it, vi } from 'vitest'

/** Lets the sounds through that a browser holds back until it is touched. */
let touch: () => void
let tones: number[]
let now: number
const stored = new Map<string, string>()

class FakeAudio {
  state = 'suspended'
  currentTime = 0
  destination = {}
  resume = () => new Promise<void>((resolve) => {
    const before = touch
    touch = () => {
      before()
      this.state = 'running'
      resolve()
    }
    if (this.state === 'running') resolve()
  })
  createOscillator() {
    const tone = { frequency: { value: 0 }, connect: <T>(to: T) => to, start: () => tones.push(tone.frequency.value), stop: () => undefined }
    return tone
  }
  createGain() {
    const ramp = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined }
    return { gain: ramp, connect: <T>(to: T) => to }
  }
}

beforeEach(() => {
  touch = () => undefined
  tones = []
  now = 0
  stored.clear()
  vi.resetModules()
  vi.stubGlobal('AudioContext', FakeAudio)
  vi.stubGlobal('performance', { now: () => now })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})
const fresh = async () => (await import('./attention.svelte')).attention
const soon = () => new Promise((resolve) => setTimeout(resolve))

describe('a call by sound', () => {
  it('is heard once the browser lets it through', async () => {
    const attention = await fresh()
    attention.play('turn')
    touch()
    await soon()
    expect(tones).toEqual([523, 784])
    attention.play('next')
    expect(tones).toEqual([523, 784, 392])
  })

  it('is not heard any more when the page is touched long after', async () => {
    const attention = await fresh()
    attention.play('next')
    attention.play('turn')
    now = 60_000
    attention.play('react')
    touch()
    await soon()
    expect(tones).toEqual([988, 1319, 988])
  })
})

it('keeps what another page of this browser has chosen meanwhile', async () => {
  const one = await fresh()
  vi.resetModules()
  const two = await fresh()
  one.setSound(true)
  two.setVibration(false)
  expect(JSON.parse(stored.get('riposte.calls')!)).toMatchObject({ sound: true, vibration: false })
})
