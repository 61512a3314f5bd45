import { beforeEach, describe, expect, it } from 'vitest'
import { byCost, costText, inParts, isCounter, priceKey } from './costs'
import { locale } from './lang.svelte'
import type { Offer } from './wire.gen'

const offer = (kind: string, ...pools: string[]): Offer => ({ type: 'act', kind, cost: pools.map((pool) => ({ pool, cost: 1, left: 1 })) })
const pool = (name: string, max = 1) => ({ name, left: max, max })
const budget = [pool('standard'), pool('move'), pool('swift'), pool('movement', 30)]

describe('buttons by what they cost', () => {
  it('come in the order of the budget, then what takes several parts, then what is free', () => {
    const offers = [offer('talk'), offer('charge', 'standard', 'move', 'swift'), offer('reload', 'move'), offer('attack', 'standard'), offer('crawl', 'move')]
    expect(byCost(offers, budget).map((g) => [g.key, g.offers.map((o) => o.kind)])).toEqual([
      ['standard', ['attack']], ['move', ['reload', 'crawl']], ['standard+move+swift', ['charge']], ['', ['talk']],
    ])
  })

  it('do not count a pool that this one does not touch', () => {
    expect(priceKey({ type: 'act', cost: [{ pool: 'standard', cost: 0, left: 1 }, { pool: 'move', cost: 1, left: 1 }] })).toBe('move')
  })

  it('do not count the feet that are lost with another part of the turn', () => {
    const walked: Offer = { type: 'act', cost: [{ pool: 'standard', cost: 1, left: 1 }, { pool: 'movement', cost: 10, left: 10 }] }
    expect(priceKey(walked)).toBe('standard')
    expect(priceKey({ type: 'move', cost: [{ pool: 'movement', cost: 1, left: 10 }] })).toBe('movement')
  })

  it('are put together where a turn has more than two parts', () => {
    expect(inParts(budget)).toBe(true)
    expect(inParts([pool('action'), pool('bonus'), pool('object'), pool('movement', 30)])).toBe(false)
    expect(inParts([pool('action'), pool('bonus', 0), pool('haste')])).toBe(false)
  })
})

describe('what an offer costs', () => {
  beforeEach(() => locale.choose('en'))

  it('is said in words, and so is that it is free', () => {
    expect(costText(offer('shield', 'reaction'))).toBe('1 reaction')
    expect(costText({ type: 'move', cost: [{ pool: 'movement', cost: 20, left: 10 }, { pool: 'action', cost: 0, left: 1 }] })).toBe('20 ft')
    expect(costText({ type: 'react', kind: 'parry' })).toBe('free')
    expect(costText({ type: 'legendaryAction', cost: [{ pool: 'legendary', cost: 2, left: 3 }] })).toBe('2 legendary actions')
    locale.choose('fr')
    expect(costText({ type: 'legendaryAction', cost: [{ pool: 'legendary', cost: 2, left: 3 }] })).toBe('2 actions légendaires')
    expect(costText(offer('shield', 'reaction'))).toBe('1 réaction')
  })

  it('is never a pool that only counts what was done', () => {
    expect(['defences', 'penalty', 'ar', 'action'].map(isCounter)).toEqual([true, true, false, false])
  })
})
