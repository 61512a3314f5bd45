// Which language to start with, before anything is shown.
import { languages, type Language } from '../i18n/messages'
import { recall } from './storage'

const known = (value: unknown): Language | undefined => languages.find((l) => l === value)

/** The language to start with: what the address asks for, what was chosen before, the browser's. */
export function firstLanguage(asked: string | undefined): Language {
  return (
    known(asked) ?? known(recall('lang')) ??
    navigator.languages.map((l) => known(l.slice(0, 2).toLowerCase())).find((l) => l !== undefined) ?? 'en'
  )
}
