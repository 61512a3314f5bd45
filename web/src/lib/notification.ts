// One system notification for an encounter, replaced by the next and taken
// back when it is over.

const icon = '/icon-192.png'

export class Notifier {
  private own: Notification | undefined

  constructor(private readonly tag: string) {}

  /** Shows it, in place of the one before. */
  async show(title: string, body: string): Promise<void> {
    const options = { tag: this.tag, body, icon, badge: icon, renotify: true, data: { url: location.href } }
    const worker = await registration()
    if (worker) {
      await worker.showNotification(title, options)
      return
    }
    try {
      this.own = new Notification(title, options)
    } catch {
      // Some phones have them from service workers only, and there is none on plain http.
      return
    }
    this.own.onclick = () => {
      window.focus()
      this.own?.close()
    }
  }

  /** Takes back what is shown. */
  async close(): Promise<void> {
    this.own?.close()
    this.own = undefined
    const shown = await (await registration())?.getNotifications({ tag: this.tag })
    for (const one of shown ?? []) one.close()
  }
}

/** The service worker that can show notifications, where there is one. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  const worker = await navigator.serviceWorker?.getRegistration()
  return worker?.active ? worker : undefined
}
