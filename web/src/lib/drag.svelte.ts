// A row that is dragged to another place: at once by its handle, or, by touch,
// after it has been held for a moment, so that a finger can still scroll.

/** Where what is dragged would go: beside this row. */
export interface Drop {
  key: string
  after: boolean
}

const holdMs = 400
/** A finger never holds quite still. */
const stillPx = 8
/** So near to an edge the list scrolls by itself, and so far in a frame. */
const edgePx = 56
const scrollPx = 12

export class RowDrag {
  /** The row that is in hand. */
  key = $state<string>()
  /** How far it is from its place, in pixels. */
  by = $state(0)
  drop = $state.raw<Drop>()

  private list: HTMLElement | undefined
  private scroller: Element | undefined
  private pointer: number | undefined
  private held: { x: number; y: number; key: string } | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private frame = 0
  private startY = 0
  private y = 0
  private startScroll = 0

  /** dropped is told where a row was let go; nothing is told when it is put back. */
  constructor(private readonly dropped: (key: string, drop: Drop) => void) {}

  /** Watches the list whose rows carry data-key. */
  readonly attach = (list: HTMLElement) => {
    this.list = list
    // What is in hand moves, and the page under it does not.
    const hold = (event: TouchEvent) => { if (this.key !== undefined && event.cancelable) event.preventDefault() }
    const menu = (event: Event) => { if (this.key !== undefined || this.held) event.preventDefault() }
    list.addEventListener('touchmove', hold, { passive: false })
    list.addEventListener('touchend', hold, { passive: false })
    list.addEventListener('contextmenu', menu)
    return () => {
      list.removeEventListener('touchmove', hold)
      list.removeEventListener('touchend', hold)
      list.removeEventListener('contextmenu', menu)
      this.cancel()
    }
  }

  /** The handle of a row is taken. */
  grip(event: PointerEvent, key: string): void {
    if (event.button !== 0) return
    event.preventDefault()
    this.begin(event.pointerId, event.clientY, key)
  }

  /** A row is touched: held still, it comes into the hand. */
  press(event: PointerEvent, key: string): void {
    if (event.pointerType !== 'touch' || !event.isPrimary || this.key !== undefined) return
    if ((event.target as Element).closest('input, select, textarea')) return
    this.held = { x: event.clientX, y: event.clientY, key }
    this.listen(event.pointerId)
    this.timer = setTimeout(() => {
      const held = this.held
      if (!held) return
      this.begin(event.pointerId, held.y, held.key)
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(15)
    }, holdMs)
  }

  /** Puts the row back. */
  readonly cancel = (): void => {
    clearTimeout(this.timer)
    cancelAnimationFrame(this.frame)
    this.held = undefined
    this.key = undefined
    this.drop = undefined
    this.by = 0
    this.pointer = undefined
    window.removeEventListener('pointermove', this.move)
    window.removeEventListener('pointerup', this.up)
    window.removeEventListener('pointercancel', this.lost)
    window.removeEventListener('keydown', this.escape, true)
  }

  private listen(pointer: number): void {
    this.pointer = pointer
    window.addEventListener('pointermove', this.move)
    window.addEventListener('pointerup', this.up)
    window.addEventListener('pointercancel', this.lost)
    window.addEventListener('keydown', this.escape, true)
  }

  private begin(pointer: number, y: number, key: string): void {
    this.held = undefined
    this.listen(pointer)
    this.key = key
    this.startY = this.y = y
    this.scroller = scrollerOf(this.list)
    this.startScroll = this.scroller?.scrollTop ?? 0
    this.frame = requestAnimationFrame(this.scroll)
  }

  private readonly move = (event: PointerEvent) => {
    if (event.pointerId !== this.pointer) return
    if (this.held && Math.hypot(event.clientX - this.held.x, event.clientY - this.held.y) > stillPx) return this.cancel()
    if (this.key === undefined) return
    this.y = event.clientY
    this.follow()
  }

  private readonly up = (event: PointerEvent) => {
    if (event.pointerId !== this.pointer) return
    const { key, drop } = this
    this.cancel()
    if (key !== undefined && drop) this.dropped(key, drop)
  }

  private readonly lost = (event: PointerEvent) => {
    if (event.pointerId === this.pointer) this.cancel()
  }

  private readonly escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || this.key === undefined) return
    event.preventDefault()
    event.stopPropagation()
    this.cancel()
  }

  private follow(): void {
    this.by = this.y - this.startY + (this.scroller?.scrollTop ?? 0) - this.startScroll
    let drop: Drop | undefined
    for (const row of this.list?.querySelectorAll<HTMLElement>(':scope > [data-key]') ?? []) {
      const key = row.dataset.key ?? ''
      if (key === this.key) continue
      const { top, height } = row.getBoundingClientRect()
      drop ??= { key, after: false }
      if (this.y < top + height / 2) break
      drop = { key, after: true }
    }
    if (drop?.key !== this.drop?.key || drop?.after !== this.drop?.after) this.drop = drop
  }

  private readonly scroll = () => {
    const { scroller } = this
    if (scroller) {
      const { top, bottom } = scroller === document.scrollingElement ? open() : scroller.getBoundingClientRect()
      const step = this.y < top + edgePx ? -scrollPx : this.y > bottom - edgePx ? scrollPx : 0
      if (step) {
        scroller.scrollTop += step
        this.follow()
      }
    }
    this.frame = requestAnimationFrame(this.scroll)
  }
}

/** The part of the window over which nothing hovers. */
function open(): { top: number; bottom: number } {
  const over = (end: string) => [...document.querySelectorAll(`[data-over="${end}"]`)].map((node) => node.getBoundingClientRect())
  return { top: Math.max(0, ...over('top').map((box) => box.bottom)), bottom: Math.min(innerHeight, ...over('bottom').map((box) => box.top)) }
}

function scrollerOf(node: HTMLElement | undefined): Element | undefined {
  for (let at: Element | null | undefined = node?.parentElement; at; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  }
  return document.scrollingElement ?? undefined
}
