// Everything a page is sent, and everything that goes wrong in it.

import { expect, type Page } from '@playwright/test'
import type { ServerMessage } from '../src/lib/wire.gen'

export class Wiretap {
  private readonly received: string[] = []
  private readonly frames: string[] = []
  private readonly bodies: Promise<void>[] = []
  private readonly faults: string[] = []

  /** Listens from now on; call before the page is opened. */
  constructor(private readonly page: Page) {
    page.on('websocket', (socket) => socket.on('framereceived', (frame) => this.frames.push(String(frame.payload))))
    page.on('response', (response) => {
      this.received.push(response.url(), JSON.stringify(response.headers()))
      if (!new URL(response.url()).pathname.startsWith('/api/')) return
      // The body of a request that a reload cut off cannot be read.
      this.bodies.push(response.text().then((text) => void this.received.push(text), () => undefined))
    })
    page.on('pageerror', (error) => this.faults.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource|WebSocket/.test(message.text())) this.faults.push(message.text())
    })
  }

  /** All socket frames and API answers so far. */
  async bytes(): Promise<string> {
    await Promise.all(this.bodies)
    return [...this.received, ...this.frames].join('\n')
  }

  /** All that came over sockets so far, message by message. */
  messages(): ServerMessage[] {
    return this.frames.flatMap((frame) => JSON.parse(frame) as ServerMessage | ServerMessage[])
  }

  /** Fails when one of the words was in anything that the page got, or is in what it made of it. */
  async expectNever(...words: string[]): Promise<void> {
    const everything = (await this.bytes()) + (await this.page.content())
    for (const word of words) expect(whole(word).test(everything), `${word} reached the page`).toBe(false)
  }

  /** Fails unless each of the words was in something that the page got. */
  async expectSeen(...words: string[]): Promise<void> {
    const everything = await this.bytes()
    for (const word of words) expect(whole(word).test(everything), `${word} reached the page`).toBe(true)
  }

  /** Fails when the page had an error that nobody caught. */
  expectNoFaults(): void {
    expect(this.faults).toEqual([])
  }
}

/** Matches a word where it is not part of a longer one, such as a number inside a time stamp. */
function whole(word: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])${word}(?![A-Za-z0-9])`)
}
