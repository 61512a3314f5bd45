import { describe, expect, it } from 'vitest'
import { faultLine, faultText, placeText, warningText } from './importtext'

describe('what is said about a file', () => {
  it('names the field and repeats the value as it is', () => {
    expect(faultText({ code: 'bad_value', params: { field: 'hp', value: '<b>{field}' } })).toBe('Hit points: “<b>{field}” cannot be read.')
    expect(faultText({ code: 'bad_value', params: { field: 'stats.dex', min: 0, max: 50 } })).toBe('stats.dex: must be from 0 to 50.')
    expect(warningText({ field: 'ac', code: 'left_out', params: { value: 'high' } })).toBe('AC: “high” cannot be read and is left out.')
    expect(warningText({ field: 'legendary', code: 'assumed', params: { value: 3 } })).toBe('Legendary actions: 3, a guess.')
    expect(warningText({ field: 'save.con', code: 'left_out', params: { value: 'x' } })).toBe('save.con: “x” cannot be read and is left out.')
  })

  it('says what else it knows, where it knows it', () => {
    expect(faultText({ code: 'no_creature' })).toBe('This is no creature.')
    expect(faultText({ code: 'no_creature', params: { what: 'weapon' } })).toBe('This is no creature (weapon).')
    expect(faultText({ code: 'unknown_format' })).toContain('Improved Initiative, Foundry (D&D 5e)')
    expect(faultText({ code: 'something_new' })).toContain('something_new')
  })

  it('says where: the file, the line or path, the creature', () => {
    expect(placeText({ file: 'a.csv', line: 3 })).toBe('a.csv · line 3')
    expect(faultLine({ code: 'no_name', where: 'results[3]' })).toBe('results[3]')
    expect(faultLine({ code: 'bad_value', file: 'a.json', where: '[0].hp', name: 'Ash' })).toBe('a.json · [0].hp – Ash')
    expect(faultLine({ code: 'empty' })).toBe('')
  })
})
