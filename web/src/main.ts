// The first thing that runs, and small: it gets everything else at once, side
// by side, in the language of the reader.
import './app.css'
import { load, type Language } from './i18n/messages'
import { readAddress } from './lib/address'
import { firstLanguage } from './lib/language'
import { knownAs } from './lib/known'
import { openEarly } from './lib/line'
import { watchForUpgrades } from './lib/upgrade'

const failure: Record<Language, string> = {
  en: 'Riposte could not be loaded. Check the connection, then load the page again.',
  fr: 'Riposte n’a pas pu être chargé. Vérifiez la connexion, puis rechargez la page.',
}

/** The face that the address will show, where it is not part of the application itself. */
function face(): Promise<unknown> | undefined {
  if (!address.encounter) return address.demo ? import('./faces/Demo.svelte') : import('./faces/Start.svelte')
  if (knownAs(address.encounter)?.tokens.gm === address.token) return import('./faces/Gm.svelte')
  if (address.overlay) return import('./faces/Overlay.svelte')
  return undefined
}

/** What begins: the application, or in development the page of all components. */
async function beginning(): Promise<void> {
  if (import.meta.env.DEV && location.pathname === '/design') {
    const [{ begin }] = await Promise.all([import('./design/begin'), load(language)])
    return begin(target, language)
  }
  const [{ begin }] = await Promise.all([import('./app'), load(language), face()])
  return begin(target, address, language)
}

watchForUpgrades()
const address = readAddress(new URL(location.href))
if (address.encounter && address.token) openEarly()
const language = firstLanguage(address.lang)
const target = document.getElementById('app')!
// Not awaited here: what is loaded imports from this script, and would wait for it.
beginning().catch(() => { target.textContent = failure[language] })
