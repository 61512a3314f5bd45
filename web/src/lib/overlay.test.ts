import { describe, expect, it } from 'vitest'
import { mostLines, overlayLink, readOverlay, usualOverlay, type OverlaySettings } from './overlay'

const read = (query: string) => readOverlay(new URLSearchParams(query))
const link = 'https://riposte.example/e/e1#token'

describe('the address of an overlay', () => {
  it('is one only when it says so, and then shows the usual', () => {
    expect(read('lines=3')).toBeUndefined()
    expect(read('overlay')).toEqual(usualOverlay)
  })

  it('chooses fields, a theme and lines', () => {
    expect(read('overlay&fields=hp,count,%20Stack&theme=bare&lines=3')).toEqual({ fields: ['count', 'hp', 'stack'], theme: 'bare', lines: 3 })
  })

  it('takes what it cannot read for the usual, and no more lines than are ever there', () => {
    for (const query of ['fields=,', 'fields=secrets', 'theme=auto', 'lines=0', 'lines=-2', 'lines=2.5', 'lines=many']) expect(read(`overlay&${query}`), query).toEqual(usualOverlay)
    expect(read('overlay&lines=9999')?.lines).toBe(mostLines)
  })

  it('is built before the token and read back as it was', () => {
    expect(overlayLink(link, usualOverlay)).toBe('https://riposte.example/e/e1?overlay#token')
    const settings: OverlaySettings = { fields: ['count', 'hp'], theme: 'light', lines: 12 }
    const built = overlayLink(link, settings)
    expect(built).toBe('https://riposte.example/e/e1?overlay&fields=count,hp&theme=light&lines=12#token')
    expect(readOverlay(new URL(built).searchParams)).toEqual(settings)
  })
})
