// The language on the screen. Reading it inside a component makes that
// component follow a change of language.
import { fill, isKey, isLoaded, languages, load, loadAll, textsOf, type Language, type MessageKey, type Params } from '../i18n/messages'
import { parts } from './parts.svelte'
import { remember } from './storage'

class Locale {
  current = $state<Language>('en')
  /** What was asked for last: an earlier answer that comes late must not win. */
  private wanted: Language = 'en'
  /** Something is shown whose texts are not among the first. */
  private all = false

  /** Shows a language; its texts are loaded first where they are not there yet. */
  async show(language: Language): Promise<void> {
    this.wanted = language
    if (!isLoaded(language, this.all)) {
      await (this.all ? loadAll : load)(language)
      if (this.wanted !== language) return
    }
    this.current = language
    if (typeof document !== 'undefined') document.documentElement.lang = language
  }

  /** Gets the texts of what is not shown at first, in this language and in any that is chosen later. */
  async whole(): Promise<void> {
    this.all = true
    await loadAll(this.current)
  }

  /** Changes the language and keeps the choice. Without its texts the one on the screen stays. */
  choose(language: Language): void {
    remember('lang', language)
    this.show(language).catch(() => parts.missing())
  }
}

export const locale = new Locale()

/** Formatters take long to make: there is one of each kind for a language. */
const formatters = Object.fromEntries(languages.map((l) => [l, {
  plural: new Intl.PluralRules(l),
  number: new Intl.NumberFormat(l, { maximumFractionDigits: 2, useGrouping: false }),
  signed: new Intl.NumberFormat(l, { signDisplay: 'always', useGrouping: false }),
  list: new Intl.ListFormat(l, { style: 'long', type: 'conjunction' }),
}])) as Record<Language, { plural: Intl.PluralRules; number: Intl.NumberFormat; signed: Intl.NumberFormat; list: Intl.ListFormat }>

/** The text of a key in the language on the screen. */
export function t(key: MessageKey, params?: Params): string {
  return fill(textsOf(locale.current)[key], params, locale.current)
}

/** The text of a key with a number: key.one or key.other. */
export function tn<K extends string>(
  key: `${K}.one` extends MessageKey ? (`${K}.other` extends MessageKey ? K : never) : never,
  n: number,
  params?: Params,
): string {
  const form = formatters[locale.current].plural.select(n) === 'one' ? 'one' : 'other'
  return t(`${key}.${form}` as MessageKey, { ...params, n: num(n) })
}

/** The text of a key that is made from data, or the fallback. */
export function tx(key: string, fallback: string, params?: Params): string {
  return isKey(textsOf(locale.current), key) ? t(key, params) : fallback
}

/** A number as this language writes it. */
export function num(n: number): string {
  return formatters[locale.current].number.format(n)
}

/** A number with its sign. */
export function signed(n: number): string {
  return formatters[locale.current].signed.format(n)
}

/** Names in a row: “A, B and C”. */
export function list(items: string[]): string {
  return formatters[locale.current].list.format(items)
}
