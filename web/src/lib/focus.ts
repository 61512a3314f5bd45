// Focus is never lost by an update: when what had it is taken away or put
// elsewhere, it comes back to it, or goes to what stands nearest.
const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'
const visible = (node: HTMLElement) => node.checkVisibility({ visibilityProperty: true }) && node.tabIndex >= 0 && !node.matches(':disabled')

/** Holds the focus inside a part of the page for as long as that part is there. */
export function holdFocus(root: HTMLElement): () => void {
  /** What had it, and everything around that, inner first. */
  let path: HTMLElement[] = []

  function remember(event: FocusEvent) {
    path = []
    for (let node = event.target as HTMLElement | null; node && node !== root.parentElement; node = node.parentElement) path.push(node)
  }
  /** The person let go of it. */
  const forget = () => { path = [] }
  const left = (event: KeyboardEvent) => { if (event.key === 'Escape' && document.activeElement === document.body) forget() }

  const observer = new MutationObserver(() => {
    if (!path.length || document.activeElement !== document.body || !document.hasFocus() || document.querySelector(':modal')) return
    for (const [i, node] of path.entries()) {
      if (!node.isConnected) continue
      const to = i === 0 ? node : [...node.querySelectorAll<HTMLElement>('[data-home]'), ...node.querySelectorAll<HTMLElement>(focusable)].find(visible)
      if (!to) continue
      to.focus({ preventScroll: true })
      if (document.activeElement === to) return
    }
  })
  observer.observe(root, { childList: true, subtree: true })
  root.addEventListener('focusin', remember)
  root.addEventListener('pointerdown', forget)
  window.addEventListener('keyup', left)
  return () => {
    observer.disconnect()
    root.removeEventListener('focusin', remember)
    root.removeEventListener('pointerdown', forget)
    window.removeEventListener('keyup', left)
  }
}
