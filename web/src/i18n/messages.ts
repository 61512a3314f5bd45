// All texts, by language. Both languages have the same keys; the compiler and
// a test say so.
import { domainEn } from './domain.en'
import { domainFr } from './domain.fr'
import { uiEn } from './ui.en'
import { uiFr } from './ui.fr'

export const languages = ['en', 'fr'] as const
export type Language = (typeof languages)[number]

const en = { ...uiEn, ...domainEn }
type Texts = Record<keyof typeof en, string>

/** French keeps its tall punctuation on the line of the word before it. */
const typeset = (text: string) => text.replace(/ ([:;!?»])/g, '\u00a0$1').replace(/« /g, '«\u00a0')
const fr = Object.fromEntries(
  Object.entries({ ...uiFr, ...domainFr } satisfies Texts).map(([key, text]) => [key, typeset(text)]),
) as Texts

export type MessageKey = keyof typeof en
export type Params = Record<string, string | number | undefined>

export const messages: Record<Language, Record<MessageKey, string>> = { en, fr }

/** Reports whether there is a text of that key. */
export const isKey = (key: string): key is MessageKey => Object.hasOwn(en, key)

/** “de Bel”, « d’Ana »: French drops the vowel. */
function de(name: string): string {
  const [first = '', second = ''] = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  // A y is a vowel before a consonant: d’Ysengrin, but de Yannick.
  const vowel = first !== '' && ('aeiouœæ'.includes(first) || (first === 'y' && second !== '' && !'aeiouy'.includes(second)))
  return vowel ? `d’${name}` : `de ${name}`
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Keeps a name of another direction from turning the sentence round it. */
const isolate = (text: string) => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

/** Fills the places of a text: {name}, or {name:de} for a French genitive. */
export function fill(text: string, params: Params = {}): string {
  return text.replace(/\{(\w+)(:de)?\}/g, (_, name: string, genitive?: string) => {
    const value = isolate(String(params[name] ?? ''))
    return genitive ? de(value) : value
  })
}
