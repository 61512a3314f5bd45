// Puts the design page in the place of the application.
import { mount } from 'svelte'
import type { Language } from '../i18n/messages'
import { locale } from '../lib/lang.svelte'
import { theme } from '../lib/theme.svelte'
import Design from './Design.svelte'

export async function begin(target: HTMLElement, language: Language): Promise<void> {
  await locale.show(language)
  await locale.whole()
  theme.begin(undefined)
  mount(Design, { target })
}
