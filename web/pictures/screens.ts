// What the pictures are taken on.
import type { BrowserContextOptions } from '@playwright/test'

/** A phone, a tablet and a desk, in both themes and languages. */
export function screens(): { name: string; lang: string; narrow: boolean; context: BrowserContextOptions }[] {
  return [320, 768, 1280].flatMap((width) => {
    const narrow = width < 500
    return (['light', 'dark'] as const).flatMap((colorScheme) => ['en', 'fr'].map((lang) => ({
      name: `${lang}-${colorScheme}-${width}`, lang, narrow,
      context: { viewport: { width, height: narrow ? 700 : 860 }, colorScheme, isMobile: narrow, hasTouch: narrow },
    })))
  })
}
