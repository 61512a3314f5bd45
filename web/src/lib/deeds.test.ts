import { describe, expect, it } from 'vitest'
import { attackSummary, emptyAttack, fieldsOf, isOneTap, plainDeed, readAttack } from './deeds'

describe('an attack as typed', () => {
  const draft = (more: object) => ({ ...emptyAttack(), melee: false, ...more })

  it('is a bonus and dice for the server to roll', () => {
    expect(readAttack(draft({ toHit: '+5', damage: '2d6 + 3' }))).toEqual({ toHit: 5, damage: '2d6+3' })
    expect(readAttack(draft({ toHit: '0', damage: '' }))).toEqual({ toHit: 0 })
  })

  it('is what the table\'s dice said', () => {
    expect(readAttack(draft({ mode: 'total', total: '17', damage: '7', critical: true }))).toEqual({ total: 17, damage: '7', critical: true })
    expect(readAttack(draft({ mode: 'verdict', hit: false, damage: '7', critical: true }))).toEqual({ hit: false, damage: '7' })
    expect(readAttack(draft({ mode: 'verdict', hit: true, damage: '7', melee: true }))).toEqual({ hit: true, damage: '7', melee: true })
  })

  it('may be none at all', () => {
    expect(readAttack(draft({ mode: 'none', toHit: 'x' }))).toBeNull()
  })

  it.each([{ toHit: '' }, { toHit: 'five' }, { toHit: '5', damage: 'lots' }, { mode: 'total', total: '' }])('%o cannot be read', (more) =>
    expect(readAttack(draft(more))).toBeUndefined())

  it('is summed up in a line', () => {
    expect(attackSummary(draft({ toHit: '5', damage: '1d8+3' }))).toBe('+5, 1d8+3')
    expect(attackSummary(draft({ toHit: '-1' }))).toBe('-1')
  })
})

describe('offers', () => {
  it('that are complete are taken with one tap', () => {
    expect(isOneTap({ type: 'act', kind: 'dodge', combatant: 'a' })).toBe(true)
    expect(isOneTap({ type: 'act', kind: 'attack', combatant: 'a' })).toBe(false)
    expect(isOneTap({ type: 'ready', kind: 'dodge', combatant: 'a' })).toBe(false)
    expect(plainDeed({ type: 'act', kind: 'dodge', combatant: 'a', frame: 'f1' }, 'a', true)).toHaveProperty('done', true)
    expect(plainDeed({ type: 'act', kind: 'dodge', combatant: 'a', frame: 'f1' }, 'a')).toEqual(
      { type: 'act', combatant: 'a', frame: 'f1', kind: 'dodge' })
  })

  it('carry the window they answer', () => {
    expect(plainDeed({ type: 'react', kind: 'counterspell', window: 'w1' }, 'b')).toMatchObject(
      { type: 'react', combatant: 'b', kind: 'counterspell', window: 'w1', done: true })
  })

  it('that may only be defensive are sent so', () => {
    expect(plainDeed({ type: 'react', kind: 'parry', defensive: true }, 'b')).toMatchObject({ kind: 'parry', defensive: true })
    expect(plainDeed({ type: 'react', kind: 'parry' }, 'b')).not.toHaveProperty('defensive')
    expect(plainDeed({ type: 'react', kind: 'shield' }, 'b')).toMatchObject({ ac: 5, defensive: true })
  })

  it('ask for a bonus to armour class where that is what they give', () => {
    expect(fieldsOf('react', 'defend')).toMatchObject({ ac: true, targets: false, attack: false })
    expect(fieldsOf('react', 'retaliate')).toMatchObject({ ac: false, targets: true, attack: true })
    expect(isOneTap({ type: 'react', kind: 'defend' })).toBe(false)
  })

  it('ask for a trigger only when readying', () => {
    expect(fieldsOf('ready', 'attack')).toMatchObject({ trigger: true, attack: false, targets: true })
    expect(fieldsOf('act', 'attack')).toMatchObject({ trigger: false, attack: true })
    expect(fieldsOf('act', 'castSpell')).toMatchObject({ level: true, name: true })
  })
})
