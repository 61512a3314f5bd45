// The addresses of the application: /, and /e/{id}#{token} with ?overlay.

export interface Address {
  encounter?: string
  token: string
  overlay: boolean
  lang?: string
  /** overlay: how many lines to show */
  lines?: number
  theme?: string
}

/** Reads where we are. */
export function readAddress(url: URL): Address {
  const match = /^\/e\/([^/]+)\/?$/.exec(url.pathname)
  const query = url.searchParams
  const lines = Number(query.get('lines'))
  return {
    encounter: match?.[1] && decodeURIComponent(match[1]),
    token: url.hash.slice(1),
    overlay: query.has('overlay'),
    lang: query.get('lang') ?? undefined,
    lines: Number.isInteger(lines) && lines > 0 ? lines : undefined,
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
