// What the pictures are taken on.
import type { BrowserContextOptions } from '@playwright/test'

/** A size of screen. */
export const sizes = {
  '320': { width: 320, height: 640 },
  '390': { width: 390, height: 844 },
  '768': { width: 768, height: 1024 },
  '1280': { width: 1280, height: 860 },
  /** A desk of 1280 by 800 whose owner reads at 200 %. */
  'zoomed': { width: 640, height: 400 },
} as const
export type Size = keyof typeof sizes

/** What pictures are taken on: how large, in which theme and language. */
export interface Screen {
  /** as in the picture's file name */
  name: string
  size: Size
  lang: 'en' | 'fr'
  /** what a desk has side by side is one at a time */
  narrow: boolean
  context: BrowserContextOptions
}

/** Screens of these sizes, or of all, in both themes and languages. */
export function screens(...which: Size[]): Screen[] {
  return (which.length ? which : (Object.keys(sizes) as Size[])).flatMap((size) => {
    const viewport = sizes[size]
    const hand = size === '320' || size === '390' || size === '768'
    return (['light', 'dark'] as const).flatMap((colorScheme) => (['en', 'fr'] as const).map((lang) => ({
      name: `${lang}-${colorScheme}-${size}`, size, lang, narrow: viewport.width < 720,
      context: { viewport, colorScheme, hasTouch: hand, isMobile: hand, ...(size === 'zoomed' ? { deviceScaleFactor: 2 } : {}) },
    })))
  })
}
