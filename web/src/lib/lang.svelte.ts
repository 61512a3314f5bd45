// The language on the screen. Reading it inside a component makes that
// component follow a change of language.
import { fill, isKey, languages, messages, type Language, type MessageKey, type Params } from '../i18n/messages'
import { recall, remember } from './storage'

function known(value: unknown): Language | undefined {
  return languages.find((l) => l === value)
}

/** The language to start with: the address, what was chosen, the browser's. */
function first(asked: string | undefined): Language {
  const browser = typeof navigator === 'undefined' ? [] : navigator.languages
  return (
    known(asked) ?? known(recall('lang')) ??
    browser.map((l) => known(l.slice(0, 2).toLowerCase())).find((l) => l !== undefined) ?? 'en'
  )
}

class Locale {
  current = $state<Language>('en')

  /** Chooses the language at start; asked is what the address says. */
  begin(asked: string | undefined): void {
    this.show(first(asked))
  }

  /** Changes the language and keeps the choice. */
  choose(language: Language): void {
    remember('lang', language)
    this.show(language)
  }

  private show(language: Language): void {
    this.current = language
    if (typeof document !== 'undefined') document.documentElement.lang = language
  }
}

export const locale = new Locale()

/** The text of a key in the language on the screen. */
export function t(key: MessageKey, params?: Params): string {
  return fill(messages[locale.current][key], params)
}

/** The text of a key with a number: key.one or key.other. */
export function tn<K extends string>(
  key: `${K}.one` extends MessageKey ? (`${K}.other` extends MessageKey ? K : never) : never,
  n: number,
  params?: Params,
): string {
  const form = new Intl.PluralRules(locale.current).select(n) === 'one' ? 'one' : 'other'
  return t(`${key}.${form}` as MessageKey, { ...params, n: num(n) })
}

/** The text of a key that is made from data, or the fallback. */
export function tx(key: string, fallback: string, params?: Params): string {
  return isKey(key) ? t(key, params) : fallback
}

/** A number as this language writes it. */
export function num(n: number): string {
  return new Intl.NumberFormat(locale.current, { maximumFractionDigits: 2, useGrouping: false }).format(n)
}

/** A number with its sign. */
export function signed(n: number): string {
  return new Intl.NumberFormat(locale.current, { signDisplay: 'always', useGrouping: false }).format(n)
}

/** Names in a row: “A, B and C”. */
export function list(items: string[]): string {
  return new Intl.ListFormat(locale.current, { style: 'long', type: 'conjunction' }).format(items)
}
