// Texts by language, each language loaded when it is wanted. Both languages
// have the same keys; the compiler and a test say so.
import { isolate } from '../lib/bidi'
import type { en } from './en'
import type { restEn } from './rest.en'

export const languages = ['en', 'fr'] as const
export type Language = (typeof languages)[number]
export type MessageKey = keyof typeof en | keyof typeof restEn
export type Texts = Record<MessageKey, string>
export type Params = Record<string, string | number | undefined>

const sources: Record<Language, () => Promise<Record<keyof typeof en, string>>> = {
  en: () => import('./en').then((module) => module.en),
  fr: () => import('./fr').then((module) => module.fr),
}
const rest: Record<Language, () => Promise<Record<keyof typeof restEn, string>>> = {
  en: () => import('./rest.en').then((module) => module.restEn),
  fr: () => import('./rest.fr').then((module) => module.restFr),
}
const loaded: Partial<Record<Language, Texts>> = {}
const whole = new Set<Language>()

/** Gets the texts of a language to begin with; rejects when they cannot be had. */
export async function load(language: Language): Promise<void> {
  // Whoever asks for one of the rest has waited for them.
  loaded[language] ??= { ...await sources[language]() } as Texts
}

/** Gets all texts of a language; rejects when they cannot be had. */
export async function loadAll(language: Language): Promise<void> {
  const [more] = await Promise.all([rest[language](), load(language)])
  Object.assign(loaded[language]!, more)
  whole.add(language)
}

/** Reports whether a language's texts are there, to begin with or all of them. */
export const isLoaded = (language: Language, all: boolean) => (all ? whole.has(language) : loaded[language] !== undefined)

/** The texts of a language that was loaded. */
export function textsOf(language: Language): Texts {
  const texts = loaded[language]
  if (!texts) throw new Error(`the texts of ${language} are not loaded`)
  return texts
}

/** Reports whether texts have one of that key. */
export const isKey = (texts: Texts, key: string): key is MessageKey => Object.hasOwn(texts, key)

/** “de Bel”, « d’Ana »: French drops the vowel. */
function de(name: string): string {
  const [first = '', second = ''] = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  // A y is a vowel before a consonant: d’Ysengrin, but de Yannick.
  const vowel = first !== '' && ('aeiouœæ'.includes(first) || (first === 'y' && second !== '' && !'aeiouy'.includes(second)))
  return vowel ? `d’${name}` : `de ${name}`
}

/** Fills the places of a text: {name}, {name:de} for a French genitive, {name:s} for the s of a plural. */
export function fill(text: string, params: Params = {}, language: Language = 'en'): string {
  return text.replace(/\{(\w+)(?::(de|s))?\}/g, (_, name: string, form?: string) => {
    const value = String(params[name] ?? '')
    if (form === 's') {
      const n = parseFloat(value)
      return n >= 2 || (language === 'en' && n < 1) ? 's' : ''
    }
    return form ? de(isolate(value)) : isolate(value)
  })
}
