// What moves on the screen, and what does not for those who want it calm.
import { cubicOut } from 'svelte/easing'

/** Reports whether the person wants the screen calm. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** How long a frame takes to come onto the stack or off it, in milliseconds, and another one to make room. */
export const frameMs = 240

/** Changes an element's height step by step as svelte's slide does with those beside it, so that what stands below moves one way only. */
export function resize(node: HTMLElement, from: number, to: number): void {
  const steps = Math.ceil(frameMs / (1000 / 60))
  const at = (part: number): Keyframe => ({ height: `${from + (to - from) * cubicOut(part)}px`, overflow: 'hidden' })
  // A slide begins one frame later.
  const wait = node.animate([at(0), at(0)], { duration: 0, fill: 'forwards' })
  wait.onfinish = () => {
    wait.cancel()
    node.animate(Array.from({ length: steps + 1 }, (_, i) => at(i / steps)), frameMs)
  }
}

/** A duration, or none when the person wants the screen calm. */
export function calm(ms: number): number {
  return isCalm() ? 0 : ms
}

/** What is left of something that runs out, in milliseconds. */
interface Rest {
  left: number
  whole: number
  runs: boolean
  how: 'bar' | 'ring'
}

/** How far a running animation may be from the truth. */
const tolerance = 150

/**
 * Shrinks a bar or a ring as time runs out. It runs by itself, smoothly; told
 * anew each second, it is put right only where it went wrong. Where the screen
 * is to be calm it goes in steps, as it is told.
 */
export function drain(node: Element, rest: Rest) {
  let animation: Animation | undefined
  const frames = (how: Rest['how'], part: number): Keyframe =>
    how === 'bar' ? { transform: `scaleX(${part})` } : { strokeDashoffset: `${(1 - part) * 100}` }

  function show({ left, whole, runs, how }: Rest) {
    if (whole <= 0) return
    const gone = Math.min(whole, Math.max(0, whole - left))
    animation ??= node.animate([frames(how, 1), frames(how, 0)], { duration: whole, fill: 'both' })
    if (animation.effect?.getComputedTiming().duration !== whole) animation.effect?.updateTiming({ duration: whole })
    const moves = runs && !isCalm()
    if (!moves) animation.pause()
    if (!moves || animation.playState !== 'running' || Math.abs(Number(animation.currentTime ?? 0) - gone) > tolerance) animation.currentTime = gone
    if (moves && animation.playState !== 'running' && gone < whole) animation.play()
  }
  show(rest)
  return { update: show, destroy: () => animation?.cancel() }
}
