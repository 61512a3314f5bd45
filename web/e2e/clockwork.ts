// Time as the page has it, which a test may stop: then nothing in it depends on
// how fast the machine is.

import type { Page } from './test'

/** Stops the time of a page on which it was installed, a moment from now, however long it takes to say so. */
export async function stopTime(page: Page): Promise<void> {
  for (let ahead = 1_000; ; ahead *= 2) {
    try {
      await page.clock.pauseAt(Date.now() + ahead)
      return
    } catch (error) {
      // The moment was over before the page heard of it.
      if (!/past/.test(String(error)) || ahead > 60_000) throw error
    }
  }
}
