// The fixtures of every browser test: a server of its own, and people at it.

import { test as base, type BrowserContextOptions, type Page } from '@playwright/test'
import { Server } from './server'
import { Wiretap } from './wiretap'

export { expect } from '@playwright/test'
export type { Page } from '@playwright/test'

/** A phone held upright. */
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
/** A large screen. */
export const desk: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }

/** Somebody in front of a browser of their own. */
export interface Person {
  page: Page
  wire: Wiretap
}

interface Fixtures {
  server: Server
  /** Sits somebody down in front of an empty page; at the end, no page may have had an error nobody caught. */
  somebody: (screen?: BrowserContextOptions) => Promise<Person>
}

export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const server = new Server()
    await server.start()
    await use(server)
    await server.remove()
  },
  somebody: async ({ browser, server }, use) => {
    const people: Person[] = []
    await use(async (screen = desk) => {
      const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block', ...screen })
      const page = await context.newPage()
      const person = { page, wire: new Wiretap(page) }
      people.push(person)
      return person
    })
    for (const { wire, page } of people) {
      wire.expectNoFaults()
      await page.context().close()
    }
  },
})
