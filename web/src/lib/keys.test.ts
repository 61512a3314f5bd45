import { describe, expect, it } from 'vitest'
import { isKey, textsOf } from '../i18n/messages'
import { beginsNumber, deedOf, deskKeys } from './keys'

const press = (key: string, more: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) =>
  ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more })

const [en, fr] = [textsOf('en'), textsOf('fr')]

describe('the keys of the desk', () => {
  it('do what the list says, with and without shift', () => {
    expect(deedOf(press('n'))).toBe('next')
    expect(deedOf(press('N', { shiftKey: true }))).toBeUndefined()
    expect(deedOf(press('ArrowDown'))).toBe('down')
    expect(deedOf(press('J', { shiftKey: true }))).toBe('downToo')
    expect(deedOf(press('V', { shiftKey: true }))).toBe('sight')
    expect(deedOf(press('?', { shiftKey: true }))).toBe('help')
    expect(deedOf(press('?'))).toBe('help')
    expect(deedOf(press('Escape'))).toBe('clear')
  })

  it('leave the browser its own', () => {
    expect(deedOf(press('r', { ctrlKey: true }))).toBeUndefined()
    expect(deedOf(press('d', { metaKey: true }))).toBeUndefined()
    expect(beginsNumber(press('1', { altKey: true }))).toBe(false)
  })

  it('have one meaning each, and words in the list', () => {
    const meanings = deskKeys.flatMap(({ keys }) => keys.flatMap((k) => k.on.map((on) => `${on}${k.shift ? ' shift' : ''}`)))
    expect(new Set(meanings).size).toBe(meanings.length)
    for (const { about, keys } of deskKeys) {
      expect(isKey(en, `keys.about.${about}`)).toBe(true)
      for (const { deed } of keys) expect(isKey(en, `keys.${deed}`) && isKey(en, `keys.${deed}.keys`), deed).toBe(true)
    }
  })

  it('are in the list, each of them and no other, in both languages', () => {
    const caps: Record<string, string> = { '↓': 'arrowdown', '↑': 'arrowup', Esc: 'escape', Échap: 'escape' }
    for (const words of [en, fr] as Record<string, string>[]) {
      for (const { deed, on, shift } of deskKeys.flatMap(({ keys }) => keys)) {
        const shown = words[`keys.${deed}.keys`]!.split(' ')
        const held = ['Shift', 'Maj'].includes(shown[0]!)
        expect(held, deed).toBe(shift ?? false)
        const named = shown.slice(held ? 1 : 0).map((cap) => caps[cap] ?? cap.toLowerCase())
        expect(named, deed).toEqual(on)
        for (const key of named) expect(deedOf(press(key, { shiftKey: held })), key).toBe(deed)
      }
    }
  })

  it('take a digit or a plus for hit points', () => {
    expect(beginsNumber(press('7'))).toBe(true)
    expect(beginsNumber(press('+', { shiftKey: true }))).toBe(true)
    expect(beginsNumber(press('t'))).toBe(false)
  })
})
