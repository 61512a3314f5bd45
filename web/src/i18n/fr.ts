import { domainFr } from './domain.fr'
import type { en } from './en'
import { uiFr } from './ui.fr'

/** French keeps its tall punctuation on the line of the word before it. */
const typeset = (text: string) => text.replace(/ ([:;!?»])/g, '\u00a0$1').replace(/« /g, '«\u00a0')

/** All French texts. */
export const fr = Object.fromEntries(
  Object.entries({ ...uiFr, ...domainFr } satisfies Record<keyof typeof en, string>).map(([key, text]) => [key, typeset(text)]),
) as Record<keyof typeof en, string>
