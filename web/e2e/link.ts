// A stretch of network between a browser and the server that can go silent or
// break, as Wi-Fi does.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server as Listener, type Socket } from 'node:net'
import type { Server } from './server'

export class Link {
  private readonly sockets = new Set<Socket>()
  private silent = false

  private constructor(private readonly listener: Listener) {}

  /** Opens a way to the server. */
  static async to(server: Server): Promise<Link> {
    const far = new URL(server.url)
    const listener = createServer()
    const link = new Link(listener)
    listener.on('connection', (near) => {
      const there = connect(Number(far.port), far.hostname)
      near.pipe(there)
      there.pipe(near)
      for (const [one, other] of [[near, there], [there, near]] as const) {
        link.sockets.add(one)
        if (link.silent) one.pause()
        one.on('error', () => other.destroy())
        one.on('close', () => {
          link.sockets.delete(one)
          other.destroy()
        })
      }
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    return link
  }

  /** What the server is called on this side. */
  get url(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`
  }

  /** Nothing passes any more, in either direction, and nobody is told. */
  silence(): void {
    this.silent = true
    for (const socket of this.sockets) socket.pause()
  }

  /** Whoever is connected hears nothing more, and is not told; new connections work. */
  strand(): void {
    for (const socket of this.sockets) socket.pause()
  }

  /** The network is back: what was under way is lost, new connections work. */
  restore(): void {
    this.silent = false
    for (const socket of this.sockets) socket.destroy()
  }

  /** The network is back for new connections; those from before stay dead, and look open. */
  revive(): void {
    this.silent = false
  }

  /** Closes for good. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.listener.close()
    await once(this.listener, 'close')
  }
}
