// What a page does to call somebody, noted instead of done.

import type { Page } from './test'

interface Senses {
  /** notifications of the page's own, and that one was taken back, as text */
  shown: string[]
  hiddenNow: boolean
  vibrated: number
  tones: number
}

/** Notes from now on what the page does to call somebody; call before it is opened. */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const senses: Senses = { shown: [], hiddenNow: false, vibrated: 0, tones: 0 }
    Object.assign(window, { senses })
    Object.defineProperty(Document.prototype, 'visibilityState', { get: () => (senses.hiddenNow ? 'hidden' : 'visible') })
    navigator.vibrate = () => { senses.vibrated++; return true }
    class Shown {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      onclick = null
      constructor(readonly title: string, readonly options: NotificationOptions) { senses.shown.push(`${title} · ${options.body} [${options.tag?.slice(0, 8)}]`) }
      close() { senses.shown.push('closed') }
    }
    Object.assign(window, { Notification: Shown })
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (when) { senses.tones++; start.call(this, when) }
  })
}

/** What was noted so far. */
export const noted = (page: Page) => page.evaluate(() => (window as unknown as { senses: Senses }).senses)

/** Puts the page out of sight, or back. */
export const hide = (page: Page, hidden: boolean) => page.evaluate((hidden) => {
  (window as unknown as { senses: Senses }).senses.hiddenNow = hidden
  document.dispatchEvent(new Event('visibilitychange'))
}, hidden)

/** Waits until a page that shows what calls somebody has called, or found that it was done before: it asks in the same queue. */
export const decided = (page: Page, encounter: string) =>
  page.evaluate((name) => navigator.locks.request(name, () => undefined), `riposte.called.${encounter}`)
