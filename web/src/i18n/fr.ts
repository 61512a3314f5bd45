import { domainFr } from './domain.fr'
import type { en } from './en'
import { uiFr } from './ui.fr'

/** French keeps its tall punctuation on the line of the word before it. */
export const typeset = <K extends string>(texts: Record<K, string>) => Object.fromEntries(
  Object.entries<string>(texts).map(([key, text]) => [key, text.replace(/ ([:;?!»])/g, '\u00a0$1').replace(/« /g, '«\u00a0')]),
) as Record<K, string>

/** The French texts to begin with. */
export const fr = typeset({ ...uiFr, ...domainFr } satisfies Record<keyof typeof en, string>)
