// Fingers on the glass, as the browser gets them from a touch screen.

import type { CDPSession, Locator } from '@playwright/test'
import type { Page } from './test'

export interface Point {
  x: number
  y: number
}

/** The middle of what is on the page. */
export async function middle(what: Locator): Promise<Point> {
  const box = await what.boundingBox()
  if (!box) throw new Error('it is not on the page')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** One finger. */
export class Finger {
  private constructor(private readonly cdp: CDPSession) {}

  static async of(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page))
  }

  async down(at: Point): Promise<void> {
    await this.send('touchStart', [at])
  }

  /** Slides in small steps, as a hand does. */
  async move(from: Point, to: Point, steps = 8): Promise<void> {
    for (let i = 1; i <= steps; i++) {
      await this.send('touchMove', [{ x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps }])
    }
  }

  async up(): Promise<void> {
    await this.send('touchEnd', [])
  }

  private async send(type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]): Promise<void> {
    await this.cdp.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}
