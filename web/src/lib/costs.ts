// What offers cost, and buttons put together by it: for showing only.
import { poolAmount, priceLabel } from './labels'
import { list } from './lang.svelte'
import type { Offer, Pool } from './wire.gen'

/** Pools of points, which last longer than a turn. */
const points = new Set(['stamina', 'resolve'])
/** Pools each of which is a part of a turn. */
const parts = new Set(['action', 'bonus', 'haste', 'standard', 'move', 'swift'])

/** Pools that only count what was done or suffered: nothing of them is left to use. */
const counters = new Set(['defences', 'penalty'])

/** Reports whether a pool counts up: a number to read, not a stock to spend. */
export const isCounter = (pool: string) => counters.has(pool)

/** Reports whether a pool holds points: a number to read, not marks to count. */
export const isPoints = (pool: string) => points.has(pool)

/** Reports whether a turn has so many parts that its actions are found by what they cost. */
export const inParts = (budget: readonly Pool[]) => budget.filter((p) => parts.has(p.name) && p.max > 0).length > 2

/** What an offer costs. Feet that are lost with another part of the turn are no price of their own. */
function prices(offer: Offer) {
  const all = (offer.cost ?? []).filter((p) => p.cost > 0)
  const main = all.filter((p) => p.pool !== 'movement')
  return main.length ? main : all
}

/** The pools an offer takes from, as one word: “standard”, “standard+move+swift”; empty when it is free. */
export const priceKey = (offer: Offer) => prices(offer).map((p) => p.pool).join('+')

/** Those that cost the same. */
export interface CostGroup {
  key: string
  offers: Offer[]
}

/** Puts offers together that take from the same pools: single pools in the budget's order, then several at once, then what is free. */
export function byCost(offers: readonly Offer[], budget: readonly Pool[]): CostGroup[] {
  const groups = new Map<string, Offer[]>()
  for (const offer of offers) groups.set(priceKey(offer), [...(groups.get(priceKey(offer)) ?? []), offer])
  const rank = (key: string) => {
    if (key === '') return 200
    const at = budget.findIndex((p) => p.name === key)
    return at < 0 ? 100 : at
  }
  return [...groups].map(([key, members]) => ({ key, offers: members })).sort((a, b) => rank(a.key) - rank(b.key))
}

/** What an offer takes, in words: “1 reaction”, “20 ft”, “free”. */
export function costText(offer: Offer): string {
  const all = prices(offer)
  return all.length ? list(all.map((p) => poolAmount(p.pool, p.cost))) : priceLabel('')
}
