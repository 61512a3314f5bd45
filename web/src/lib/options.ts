// How the options that are known are asked for. The server lists the keys and
// their values; a key that is not here gets a plain text field.
import type { MessageKey } from '../i18n/messages'

export type OptionInput =
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'text' }

const choice = (...values: string[]): OptionInput => ({ kind: 'choice', values })

const inputs: Record<string, OptionInput> = {
  reactionWindows: choice('off', 'ask'),
  reactionSeconds: { kind: 'number', min: 0, max: 600 },
  turnSeconds: { kind: 'number', min: 0, max: 3600 },
  npcHp: choice('exact', 'band', 'none'),
  pcHp: choice('exact', 'band', 'none'),
  npcAc: choice('no', 'yes'),
  playersHurt: choice('own', 'no'),
  '5e.group': choice('block', 'individual'),
  '5e.ties': choice('people', 'rolloff', 'dex'),
  '5e.monstersDieAtZero': choice('yes', 'no'),
  'sf.group': choice('individual', 'identical'),
  'sf.readyPlace': choice('before', 'after'),
  'sf.anchor': choice('count', 'place'),
  'sf.tiedPlayersChoose': choice('no', 'yes'),
  'sf.npcDieAtZero': choice('yes', 'no'),
  'ls.declare': choice('sequence', 'free'),
  'ls.ties': choice('score', 'rolloff', 'simultaneous'),
  'ls.delay': choice('on', 'off'),
  'ls.hasten': choice('off', 'on'),
  'ls.mixedWeapons': choice('chain', 'perWeapon'),
  'ls.negative': choice('lost', 'carry'),
  'ls.initRoll': choice('none', 'd6', 'd10', 'd20'),
  'ls.defencePenalty': { kind: 'number', min: 0, max: 20 },
  'ls.variableCost': { kind: 'number', min: 0, max: 20 },
  'ls.surprise': choice('firstSlot', 'round', 'none'),
}

/** What input a key has; the value in force is always one of a choice. */
export function optionInput(key: string, value: string): OptionInput {
  const input = inputs[key] ?? { kind: 'text' as const }
  if (input.kind === 'choice' && !input.values.includes(value)) return { kind: 'choice', values: [...input.values, value] }
  return input
}

/** Where a key stands in the list; unknown ones come last. */
export function optionRank(key: string): number {
  const at = Object.keys(inputs).indexOf(key)
  return at < 0 ? Object.keys(inputs).length : at
}

/** Keys that have a label of their own. */
export const labelled = Object.keys(inputs).map((key) => `option.${key}` as MessageKey)
