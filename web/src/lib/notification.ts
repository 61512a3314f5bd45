// One system notification for an encounter, replaced by the next and taken
// back when it is over.

const icon = '/icon-192.png'

export class Notifier {
  private own: Notification | undefined
  /** One after the other: what is taken back while it is about to be shown must not stay. */
  private line: Promise<void> = Promise.resolve()

  constructor(private readonly tag: string) {}

  /** Shows it, in place of the one before. */
  show(title: string, body: string): Promise<void> {
    return this.queue(async () => {
      const options = { tag: this.tag, body, icon, badge: icon, renotify: true, data: { url: location.href } }
      const worker = await registration()
      if (worker) {
        await worker.showNotification(title, options)
        return
      }
      this.own = new Notification(title, options)
      this.own.onclick = () => {
        window.focus()
        this.own?.close()
      }
    })
  }

  /** Takes back what is shown. */
  close(): Promise<void> {
    return this.queue(async () => {
      this.own?.close()
      this.own = undefined
      const shown = await (await registration())?.getNotifications({ tag: this.tag })
      for (const one of shown ?? []) one.close()
    })
  }

  /** Whatever a browser refuses is not shown: some phones have notifications from service workers only, and none on plain http. */
  private queue(step: () => Promise<void>): Promise<void> {
    this.line = this.line.then(step).catch(() => undefined)
    return this.line
  }
}

/** The service worker that can show notifications, where there is one. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  const worker = await navigator.serviceWorker?.getRegistration()
  return worker?.active ? worker : undefined
}
