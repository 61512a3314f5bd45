import { describe, expect, it } from 'vitest'
import { optionGroups, optionInputs } from './options'

const described = [
  { key: 'turnSeconds', default: '0', max: 3600 },
  { key: 'ls.ties', default: 'score', values: ['score', 'rolloff'], ruling: true },
  { key: 'not.here', default: 'x', values: ['x'] },
]

describe('the inputs for options', () => {
  it('come in the order of the server and say which are rulings', () => {
    const inputs = optionInputs(described, { 'ls.ties': 'rolloff', turnSeconds: '30', zeta: 'z', alpha: 'a' })
    expect(inputs.map((i) => i.key)).toEqual(['turnSeconds', 'ls.ties', 'alpha', 'zeta'])
    expect(inputs.map((i) => i.ruling)).toEqual([false, true, false, false])
    expect(inputs[0]).toEqual({ key: 'turnSeconds', value: '30', number: true, ruling: false })
    expect(inputs[2]).toEqual({ key: 'alpha', value: 'a', number: false, ruling: false })
  })

  it('offer the value in force though it is not among those known', () => {
    expect(optionInputs(described, { 'ls.ties': 'odd' })[0]?.values).toEqual(['score', 'rolloff', 'odd'])
  })
})

describe('groups of options', () => {
  it('tell players, spectators and the rule system apart', () => {
    const options = { turnSeconds: '0', npcHp: 'band', pcHp: 'exact', spectatorNpcHp: 'same', spectatorDelay: '0', 'ls.ties': 'score' }
    expect(optionGroups(optionInputs([], options)).map(({ about, inputs }) => [about, inputs.map((i) => i.key)])).toEqual([
      ['table', ['turnSeconds']], ['players', ['npcHp', 'pcHp']], ['spectators', ['spectatorDelay', 'spectatorNpcHp']], ['rules', ['ls.ties']],
    ])
    expect(optionGroups([])).toEqual([])
  })
})
