// A page that is open while the server is upgraded knows parts by names that
// are gone. It then loads itself anew, once.

const key = 'riposte.replaced'

/** The script that this page was made of. */
const own = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src') ?? ''

/** Reports whether the server's page is another one than this. */
export async function replaced(): Promise<boolean> {
  try {
    const response = await fetch('/', { cache: 'no-store' })
    return response.ok && !(await response.text()).includes(own())
  } catch {
    return false
  }
}

/** Loads the page anew if it has been replaced, unless that was tried before. */
async function renew(): Promise<void> {
  try {
    if (sessionStorage.getItem(key) === own() || !(await replaced())) return
    sessionStorage.setItem(key, own())
  } catch {
    // Without a memory this could go round and round.
    return
  }
  location.reload()
}

/** Renews the page when one of its parts cannot be loaded. */
export function watchForUpgrades(): void {
  window.addEventListener('vite:preloadError', () => void renew())
}
