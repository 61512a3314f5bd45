// A line whose news come late, as over a slow network, for as long as a test
// wants. No time passes for the page meanwhile: it does not give the line up.

import { stopTime } from './clockwork'
import type { Page } from './test'

/**
 * Keeps the messages of some types from a page while they are held, and what
 * would tell it that it misses something; all others come through. Call
 * before the page is opened.
 */
export async function heldBack(page: Page, ...types: string[]): Promise<{ hold: () => Promise<void>; release: () => Promise<void> }> {
  const kept: (string | Buffer)[] = []
  let keep = false
  let deliver: (message: string | Buffer) => void = () => undefined
  await page.clock.install()
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const upstream = socket.connectToServer()
    deliver = (message) => socket.send(message)
    upstream.onMessage((message) => {
      if (keep && ['head', ...types].some((type) => String(message).includes(`"type":"${type}"`))) kept.push(message)
      else socket.send(message)
    })
  })
  return {
    hold: async () => {
      await stopTime(page)
      keep = true
    },
    release: async () => {
      keep = false
      for (const message of kept.splice(0)) deliver(message)
      await page.clock.resume()
    },
  }
}
