// The service worker, as a browser that has it installed.

import type { Page } from './test'

/** Waits until the worker serves the page. */
export async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller) await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

/** What a worker did with a click: the addresses of the pages that it brought to the front, and of those that it opened. */
export interface Clicked {
  focused: string[]
  opened: string[]
}

interface Notice {
  close(): void
}

/** What is used here of where a worker runs. */
interface WorkerScope {
  registration: { getNotifications(): Promise<Notice[]> }
  clients: { openWindow(url: string): Promise<null> }
  dispatchEvent(event: Event): boolean
  WindowClient: { prototype: { url: string; focus(): Promise<unknown> } }
  NotificationEvent: new (type: string, init: { notification: Notice }) => Event
}

/** Clicks the one notification that is shown. A browser obeys a worker after a real click only, so it is told what the worker asks for. */
export async function clickNotification(page: Page): Promise<Clicked> {
  const worker = page.context().serviceWorkers()[0]
  if (!worker) throw new Error('there is no worker')
  return worker.evaluate(async () => {
    const scope = globalThis as unknown as WorkerScope
    const clicked: Clicked = { focused: [], opened: [] }
    scope.WindowClient.prototype.focus = async function (this: { url: string }) { clicked.focused.push(this.url) }
    scope.clients.openWindow = async (url) => { clicked.opened.push(url); return null }
    const [notification, ...more] = await scope.registration.getNotifications()
    if (!notification || more.length > 0) throw new Error('there is not one notification')
    let done: Promise<unknown> | undefined
    const click = new scope.NotificationEvent('notificationclick', { notification })
    Object.defineProperty(click, 'waitUntil', { value: (work: Promise<unknown>) => { done = work } })
    scope.dispatchEvent(click)
    await done
    return clicked
  })
}
