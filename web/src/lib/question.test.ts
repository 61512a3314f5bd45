import { beforeEach, describe, expect, it } from 'vitest'
import { locale } from './lang.svelte'
import { answering, questionDeed } from './question'
import type { WindowView } from './wire.gen'

const window: WindowView = { window: 'w1', frame: 'f1', trigger: { combatant: 'g', kind: 'attack' }, timing: 'before', asked: 'b', eligible: ['b', 'a'], targets: ['a', 'b'] }
const decline = (combatant: string, w = 'w1') => ({ type: 'decline', combatant, window: w })

beforeEach(() => locale.choose('en'))

describe('an open question', () => {
  it('is answered for those who may decline it, the one being asked first', () => {
    expect(answering({ can: [decline('a'), decline('b'), decline('c', 'w0'), { type: 'react', combatant: 'd' }], window })).toEqual(['b', 'a'])
    expect(answering({ can: [decline('a')], window: undefined })).toEqual([])
  })

  it('says to whom it is done, and which of them is the reader', () => {
    const nameOf = (id: string) => ({ a: 'Ana', b: 'Bel' })[id] ?? id
    expect(questionDeed(window, ['b'], nameOf)).toBe('Attack → Ana and you (Bel)')
    expect(questionDeed({ ...window, targets: undefined }, [], nameOf)).toBe('Attack')
  })
})
