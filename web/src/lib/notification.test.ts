import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Notifier } from './notification'

/** What the device shows, by tag. */
let shown: { tag: string; title: string; close: () => void }[]
/** Lets a notification appear that is about to. */
let appear: (() => void)[]

beforeEach(() => {
  shown = []
  appear = []
  const worker = {
    active: {},
    showNotification: (title: string, { tag }: { tag: string }) => new Promise<void>((resolve) => appear.push(() => {
      const one = { tag, title, close: () => { shown = shown.filter((other) => other !== one) } }
      shown = [...shown.filter((other) => other.tag !== tag), one]
      resolve()
    })),
    getNotifications: async ({ tag }: { tag: string }) => shown.filter((one) => one.tag === tag),
  }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => worker } })
  vi.stubGlobal('location', { href: 'http://riposte.test/e/1#token' })
})
afterEach(() => { vi.unstubAllGlobals() })

it('takes back what was still about to be shown', async () => {
  const notifier = new Notifier('riposte-1')
  const showing = notifier.show('Your turn', 'Birch')
  const closing = notifier.close()
  await vi.waitFor(() => expect(appear).toHaveLength(1))
  appear[0]!()
  await Promise.all([showing, closing])
  expect(shown).toEqual([])
})

it('goes on after a browser has refused', async () => {
  const notifier = new Notifier('riposte-1')
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.reject(new Error('no')) } })
  await notifier.show('Your turn', 'Birch')
  vi.stubGlobal('navigator', {})
  const made: string[] = []
  vi.stubGlobal('Notification', class {
    constructor(title: string) { made.push(title) }
    close() { made.push('closed') }
  })
  await notifier.show('You may react', 'Birch')
  await notifier.close()
  expect(made).toEqual(['You may react', 'closed'])
})
