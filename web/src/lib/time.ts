// Moments of this device's own time, for people.
import { locale } from './lang.svelte'

const day = 86_400_000

/** “14:05”, with the date when it is not of the last day. */
export function moment(at: number): string {
  const old = Date.now() - at > day
  return new Intl.DateTimeFormat(locale.current, { timeStyle: 'short', ...(old ? { dateStyle: 'medium' } : {}) }).format(at)
}
