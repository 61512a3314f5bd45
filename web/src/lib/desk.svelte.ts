// What the game master has in hand: who is selected, which groups are open,
// what is being moved. It is this page's own and is never sent.
import { grouped, placed, sameEntry, sameItem, unplaced, type Entry, type Group, type Item } from './groups'
import { list, t } from './lang.svelte'
import { changedPart, movable, moved, offsetOf, places } from './reorder'
import type { Session } from './session.svelte'
import { steady } from './steady'
import type { CombatantView } from './wire.gen'

const isOut = (c: CombatantView) => c.defeated === true || c.life === 'dead'

/** The members of a group that are still in it; all, when none is. */
export function standing(group: Group): string[] {
  const left = group.entries.filter((e) => !isOut(e.combatant))
  return (left.length ? left : group.entries).map((e) => e.combatant.id)
}

/** Parts of the selection that open on demand. */
export type Drawer = 'effects' | 'sight'

export class Desk {
  private picked = $state.raw<readonly string[]>([])
  private opened = $state.raw<ReadonlySet<string>>(new Set())
  /** Rows on their way by keyboard: where they would stand, counted among the others. */
  moving = $state.raw<{ block: readonly string[]; at: number }>()
  /** What the page says aloud about a move. */
  said = $state('')
  /** Every pick joins the selection, as with a modifier key held. */
  several = $state(false)
  /** What stands open under the selection. */
  drawer = $state<Drawer>()
  /** Whose sheet is open: for as long as it is, whatever becomes of the selection. */
  editing = $state.raw<CombatantView>()
  /** On a small screen: the rest of what can be done to the selection. */
  more = $state(false)

  private readonly steadyEntries = steady<Entry>(sameEntry)
  private readonly steadyItems = steady<Item>(sameItem)
  private readonly steadyOthers = steady<Item>(sameItem)

  /** Those selected who are still here, in the order they were chosen. */
  readonly selected = $derived(this.picked.filter((id) => this.session.combatants.has(id)))
  private readonly selection = $derived(new Set(this.selected))

  private readonly entries = $derived.by(() => this.steadyEntries(placed(this.session.order, this.session.combatants)))
  /** Whose places can be moved, in their order. */
  readonly ids = $derived(movable(this.entries))
  /** Whoever acts, or waits under an interrupt or for a moment of its own, is not one of many. */
  private readonly apart = $derived.by(() => new Set([
    this.session.turn?.combatant, ...this.session.stack.map((f) => f.combatant),
    ...[...this.session.combatants.values()].filter((c) => c.delaying || c.readied).map((c) => c.id),
  ]))
  /** The rows of the order, as they would be if what is moving were put down. */
  readonly items = $derived(this.steadyItems(this.rows(this.moving ? this.preview(this.moving) : this.entries)))
  /** The rows of those who are in no slot. */
  readonly others = $derived.by(() => this.steadyOthers(this.rows(unplaced(this.entries, this.session.combatants))))

  constructor(readonly session: Session) {}

  isSelected(id: string): boolean {
    return this.selection.has(id)
  }

  isOpen(key: string): boolean {
    return this.opened.has(key)
  }

  /** Opens a group, or closes it. */
  open(key: string): void {
    const next = new Set(this.opened)
    if (!next.delete(key)) next.add(key)
    this.opened = next
  }

  /** Selects one alone, or nobody when it was; with a modifier it joins or leaves, or all up to it join. */
  pick(id: string, event: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): void {
    if (event.shiftKey && this.selected.length) this.pickTo(id)
    else if (event.ctrlKey || event.metaKey || this.several) this.toggle(id)
    else this.picked = this.selected.length === 1 && this.isSelected(id) ? [] : [id]
  }

  toggle(id: string): void {
    this.picked = this.isSelected(id) ? this.selected.filter((p) => p !== id) : [...this.selected, id]
  }

  /** Selects these together with the others, or none of these when all were. */
  toggleAll(ids: readonly string[]): void {
    const rest = this.selected.filter((id) => !ids.includes(id))
    this.picked = ids.every((id) => this.isSelected(id)) ? rest : [...rest, ...ids]
  }

  clear(): void {
    this.picked = []
    this.several = this.more = false
    this.drawer = undefined
  }

  toggleDrawer(drawer: Drawer): void {
    this.drawer = this.drawer === drawer ? undefined : drawer
  }

  /** The row above or below the selected one becomes it, or joins it. Returns its key. */
  step(by: -1 | 1, extend = false): string | undefined {
    const stops = this.stops()
    const last = this.selected.at(-1)
    const from = last === undefined ? -1 : stops.findLastIndex((s) => s.ids.includes(last))
    const to = from < 0 ? (by > 0 ? this.current(stops) : stops.length - 1) : Math.max(0, Math.min(stops.length - 1, from + by))
    const stop = stops[to]
    if (!stop) return undefined
    this.picked = extend ? [...this.selected.filter((id) => !stop.ids.includes(id)), ...stop.ids] : stop.ids
    return stop.key
  }

  /** The selected rows are taken up, to be moved by keys. */
  takeUp(): void {
    const block = this.selected.filter((id) => this.ids.includes(id))
    if (!block.length || !this.session.may('reorder')) return
    this.moving = { block, at: offsetOf(this.ids, block) }
    this.say()
  }

  /** What was taken up goes one place up or down, or to an end; past the whole of a closed group. */
  shift(by: -1 | 1 | 'first' | 'last'): void {
    if (!this.moving) return
    const { block, at } = this.moving
    this.moving = { block, at: next(places(this.rows(this.entries), this.ids, block), at, by) }
    this.say()
  }

  /** Puts it down where it stands. */
  putDown(): void {
    const { moving } = this
    if (!moving) return
    this.moving = undefined
    this.said = t('move.put', { who: moving.block.map(this.session.nameOf).join(', ') })
    this.moveTo(moving.block, moving.at)
  }

  /** Puts it back. */
  putBack(): void {
    this.moving = undefined
    this.said = t('move.back')
  }

  /** Moves rows to an offset among the others. */
  moveTo(block: readonly string[], at: number): void {
    const order = changedPart(this.ids, moved(this.ids, block, at))
    if (!order) return
    const base = this.ids.filter((id) => order.includes(id))
    const names = (ids: readonly string[]) => list(ids.map(this.session.nameOf))
    void this.session.set({
      what: t('late.order'), mine: names(order), shown: (now) => names(now as string[]),
      on: (now) => ({ type: 'reorder', order, base: now ? (now.is as string[]) : base }),
    })
  }

  /** Moves rows one place; undefined where there is none. */
  mover(block: readonly string[], by: -1 | 1): (() => void) | undefined {
    const own = block.filter((id) => this.ids.includes(id))
    if (!own.length || !this.session.may('reorder')) return undefined
    const at = offsetOf(this.ids, own)
    const to = next(places(this.items, this.ids, own), at, by)
    return to === at ? undefined : () => this.moveTo(own, to)
  }

  private rows(entries: readonly Entry[]): Item[] {
    return grouped(entries, (key) => this.opened.has(key), (id) => this.apart.has(id))
  }

  private preview({ block, at }: { block: readonly string[]; at: number }): Entry[] {
    const order = moved(this.ids, block, at)
    const first = new Map<string, Entry>()
    for (const e of this.entries) if (e.slot?.kind === 'turn' && !first.has(e.combatant.id)) first.set(e.combatant.id, e)
    const queue = order.flatMap((id) => first.get(id) ?? [])
    return this.entries.map((e) => (first.get(e.combatant.id) === e ? (queue.shift() ?? e) : e))
  }

  /** Where keys stop: every row; a closed group is one, of all who stand. */
  private stops(): { key: string; ids: string[] }[] {
    return [...this.items, ...this.others].flatMap((item) =>
      'entry' in item ? [{ key: item.key, ids: [item.entry.combatant.id] }] : item.open ? [] : [{ key: item.key, ids: standing(item.group) }])
  }

  private current(stops: { ids: string[] }[]): number {
    return Math.max(0, stops.findLastIndex((s) => s.ids.includes(this.session.acting?.combatant ?? '')))
  }

  private pickTo(id: string): void {
    const stops = this.stops()
    const from = stops.findLastIndex((s) => s.ids.includes(this.selected.at(-1) ?? ''))
    const to = stops.findLastIndex((s) => s.ids.includes(id))
    if (from < 0 || to < 0) return this.toggle(id)
    const between = stops.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((s) => s.ids)
    this.picked = [...new Set([...this.selected, ...between])]
  }

  private say(): void {
    if (!this.moving) return
    const { block, at } = this.moving
    const who = block.map(this.session.nameOf).join(', ')
    this.said = t('move.said', { who, place: at + 1, of: this.ids.length - block.length + 1 })
  }
}

function next(offsets: readonly number[], at: number, by: -1 | 1 | 'first' | 'last'): number {
  switch (by) {
    case 'first': return offsets[0] ?? at
    case 'last': return offsets.at(-1) ?? at
    case 1: return offsets.find((o) => o > at) ?? at
    case -1: return offsets.findLast((o) => o < at) ?? at
  }
}
