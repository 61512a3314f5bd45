// Puts the application on the page.
import { mount } from 'svelte'
import App from './App.svelte'
import type { Language } from './i18n/messages'
import type { Address } from './lib/address'
import { locale } from './lib/lang.svelte'
import { theme } from './lib/theme.svelte'

/** Begins in a language whose texts are loaded. */
export async function begin(target: HTMLElement, address: Address, language: Language): Promise<void> {
  await locale.show(language)
  theme.begin(address.theme)
  mount(App, { target })
}
