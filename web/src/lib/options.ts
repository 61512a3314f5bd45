// What rule systems there are and how their options are asked for: the server
// says it, once for each page.
import { getSystems } from './api'
import type { EffectSpec, Option, SystemView } from './wire.gen'

let asked: Promise<SystemView[]> | undefined

/** The rule systems that the server offers; asked for again after a failure. */
export function systems(): Promise<SystemView[]> {
  asked ??= getSystems().catch((error: unknown) => {
    asked = undefined
    throw error
  })
  return asked
}

/** The effects to offer by name under these rules. */
export const effectsOffered = async (rules: string | undefined): Promise<readonly EffectSpec[]> =>
  (await systems()).find((s) => s.rules === rules)?.effects ?? []

/** How one option is asked for. */
export interface OptionInput {
  key: string
  value: string
  /** what can be chosen; absent for a number or a key the server does not describe */
  values?: string[]
  number: boolean
  /** the source text leaves this open: the choice is ours */
  ruling: boolean
}

/** The inputs for an encounter's options, in the server's order; keys that it does not describe come last, as text. */
export function optionInputs(described: readonly Option[], options: Readonly<Record<string, string>>): OptionInput[] {
  const known = described.filter((o) => o.key in options)
  const inputs = known.map((o): OptionInput => {
    const value = options[o.key]!
    const values = o.values?.includes(value) === false ? [...o.values, value] : o.values
    return { key: o.key, value, number: !o.values, ruling: o.ruling === true, ...(values ? { values } : {}) }
  })
  const rest = Object.keys(options).filter((key) => !known.some((o) => o.key === key)).sort()
  return [...inputs, ...rest.map((key): OptionInput => ({ key, value: options[key]!, number: false, ruling: false }))]
}

/** What options are about, in the order to show them. */
export type OptionAbout = 'table' | 'players' | 'spectators' | 'rules'

/** Puts inputs together by what they are about; a group without any is left out. */
export function optionGroups(inputs: readonly OptionInput[]): { about: OptionAbout; inputs: OptionInput[] }[] {
  const about = ({ key }: OptionInput): OptionAbout => {
    if (key.startsWith('spectator')) return 'spectators'
    if (/^(pc|npc)[A-Z]/.test(key)) return 'players'
    return key.includes('.') ? 'rules' : 'table'
  }
  return (['table', 'players', 'spectators', 'rules'] as const)
    .map((one) => ({ about: one, inputs: inputs.filter((input) => about(input) === one) }))
    .filter((group) => group.inputs.length > 0)
}
