// What the address of an overlay says it shows, for streaming software.

export const overlayFields = ['title', 'round', 'clock', 'order', 'next', 'count', 'hp', 'ac', 'conditions', 'stack'] as const
export type OverlayField = (typeof overlayFields)[number]

/** dark and light have plates under the text; bare is nothing but text. */
export const overlayThemes = ['dark', 'light', 'bare'] as const
export type OverlayTheme = (typeof overlayThemes)[number]

export interface OverlaySettings {
  fields: readonly OverlayField[]
  theme: OverlayTheme
  /** rows of the order, from 1 to mostLines */
  lines: number
}

export const mostLines = 40

export const usualOverlay: OverlaySettings = { fields: ['round', 'clock', 'order', 'stack'], theme: 'dark', lines: 8 }

/** Reads the query; undefined when it asks for no overlay. What it does not say, or says wrongly, is as usual. */
export function readOverlay(query: URLSearchParams): OverlaySettings | undefined {
  if (!query.has('overlay')) return undefined
  const words = (query.get('fields') ?? '').split(',').map((word) => word.trim().toLowerCase())
  const fields = overlayFields.filter((field) => words.includes(field))
  const lines = Number(query.get('lines'))
  return {
    fields: fields.length ? fields : usualOverlay.fields,
    theme: overlayThemes.find((theme) => theme === query.get('theme')) ?? usualOverlay.theme,
    lines: Number.isInteger(lines) && lines > 0 ? Math.min(lines, mostLines) : usualOverlay.lines,
  }
}

/** The overlay's address, made from the spectator link. Only what is not as usual is written out. */
export function overlayLink(link: string, { fields, theme, lines }: OverlaySettings): string {
  const [page = '', token = ''] = link.split('#')
  const usual = overlayFields.every((field) => fields.includes(field) === usualOverlay.fields.includes(field))
  const query = [
    'overlay',
    ...(usual || !fields.length ? [] : [`fields=${overlayFields.filter((field) => fields.includes(field)).join(',')}`]),
    ...(theme === usualOverlay.theme ? [] : [`theme=${theme}`]),
    ...(lines === usualOverlay.lines ? [] : [`lines=${lines}`]),
  ]
  return `${page}?${query.join('&')}#${token}`
}
