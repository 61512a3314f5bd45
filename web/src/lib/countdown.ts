// What a clock shows of the time that is left.

/** Near its end a clock is urgent: in the last quarter, at most this many seconds. */
const mostUrgent = 10
const leastUrgent = 3

export interface Countdown {
  /** started seconds, so that 0 is shown when it is over and not before */
  seconds: number
  urgent: boolean
  /** milliseconds until it shows something else; undefined once it is over */
  next: number | undefined
}

/** Reads what is left; whole is how long it was in all, where that is known. All in milliseconds. */
export function countdown(left: number, whole?: number): Countdown {
  const seconds = Math.max(0, Math.ceil(left / 1000))
  const few = whole ? Math.min(mostUrgent, Math.max(leastUrgent, Math.round(whole / 4000))) : mostUrgent
  return { seconds, urgent: seconds <= few, next: seconds > 0 ? left - (seconds - 1) * 1000 : undefined }
}
