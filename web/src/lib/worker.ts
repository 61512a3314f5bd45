// The service worker, which opens the application without a network and shows
// notifications. Browsers have it on https, and on one's own machine.

/** Starts it, once the page has nothing better to do. */
export function startWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Without it everything works while there is a network.
  navigator.serviceWorker.register('/sw.js').catch(() => undefined)
}
