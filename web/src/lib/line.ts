// The way to the server's socket. The first one is opened before the rest of
// the application is there, so that it is ready when it is wanted.
import type { Socket } from './connection'

let early: WebSocket | undefined

function open(): WebSocket {
  const address = new URL('/ws', location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return new WebSocket(address, 'riposte.v1')
}

/** Opens the first socket; for a page that is going to want one. */
export function openEarly(): void {
  early = open()
}

/** A socket of one's own: the early one, unless it is gone. */
export function openSocket(): Socket {
  const first = early
  early = undefined
  return (first && first.readyState <= WebSocket.OPEN ? first : open()) as unknown as Socket
}
