// The addresses of the application: / with ?demo, /j/{code}, and /e/{id}#{token}
// with ?overlay.
import { readOverlay, type OverlaySettings } from './overlay'

export interface Address {
  encounter?: string
  token: string
  /** what to show for streaming software, and nothing else */
  overlay?: OverlaySettings
  /** a short code to join by */
  code?: string
  /** the fight that plays itself */
  demo: boolean
  lang?: string
  theme?: string
}

/** Reads where we are. */
export function readAddress(url: URL): Address {
  const match = /^\/e\/([^/]+)\/?$/.exec(url.pathname)
  const query = url.searchParams
  return {
    encounter: match?.[1] && decodeURIComponent(match[1]),
    token: url.hash.slice(1),
    code: /^\/j\/([^/]+)\/?$/.exec(url.pathname)?.[1],
    overlay: readOverlay(query),
    demo: !match && query.has('demo'),
    lang: query.get('lang') ?? undefined,
    theme: query.get('theme') ?? undefined,
  }
}

/** The whole link for a token. */
export function linkTo(origin: string, encounter: string, token: string): string {
  return `${origin}/e/${encodeURIComponent(encounter)}#${token}`
}

/** Reads a link that somebody pasted; undefined when it is none of ours. */
export function readLink(text: string, origin: string): { encounter: string; token: string } | undefined {
  let url: URL
  try {
    url = new URL(text.trim(), origin)
  } catch {
    return undefined
  }
  const { encounter, token } = readAddress(url)
  return encounter && token ? { encounter, token } : undefined
}

/** Reads a short code that somebody typed, however it is spaced; undefined when it can be none. */
export function readCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z0-9]{8}$/.test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : undefined
}
