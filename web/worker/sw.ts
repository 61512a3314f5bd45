// Lets the application open without a network. The page comes from the server
// while there is one; files, which never change under their names, from here.
// What is of a fight, /api and /ws, is none of its business.
export {}
declare const self: ServiceWorkerGlobalScope
/** Put in by the build: its files, and a name for all of them. */
declare const __FILES__: string[]
declare const __VERSION__: string

const prefix = 'riposte-'
const current = prefix + __VERSION__
/** A page that is open knows the files of the build before. */
const kept = 2
const patienceMs = 4_000

const isPage = (path: string) => path === '/' || /^\/e\/[^/]+\/?$/.test(path)
const isFile = (path: string) => __FILES__.includes(path) || path.startsWith('/assets/')

self.addEventListener('install', (event) => {
  event.waitUntil(install())
  // Open pages go on as they are: they only get their files from another place.
  void self.skipWaiting()
})

async function install(): Promise<void> {
  const page = await fetch('/', { cache: 'reload' })
  const script = __FILES__.find((file) => file.startsWith('/assets/main-') && file.endsWith('.js'))
  // Two servers of different builds may stand behind one address for a while.
  if (!page.ok || !script || !(await page.clone().text()).includes(script)) throw new Error('the page is of another build')
  const cache = await caches.open(current)
  await cache.put('/', page)
  await cache.addAll(__FILES__)
}

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    const ours = (await caches.keys()).filter((name) => name.startsWith(prefix))
    await Promise.all(ours.slice(0, -kept).map((name) => caches.delete(name)))
    await self.clients.claim()
  })())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(page(request))
  } else if (isFile(pathname)) {
    event.respondWith(file(request))
  }
})

/** The server's page; the one from here when there is no server, or none that answers. */
async function page(request: Request): Promise<Response> {
  const here = () => caches.open(current).then((cache) => cache.match('/'))
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs))
  try {
    const there = fetch(request)
    // It may fail after the page from here has been shown.
    there.catch(() => undefined)
    const first = await Promise.race([there, late])
    if (first && first.status < 500) return first
    return (await here()) ?? (await there)
  } catch {
    return (await here()) ?? Response.error()
  }
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = (event.notification.data as { url?: string } | undefined)?.url
  event.waitUntil((async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const open = pages.find((one) => one.url === url)
    if (open) await open.focus()
    else if (url) await self.clients.openWindow(url)
  })())
})
