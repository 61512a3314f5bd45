// One typed line that adds combatants: Goblin x4 init+2 hp7 ac15 [group]
import type { AddCombatant } from './wire.gen'

/** Why a line could not be read: which word, or that there is no name. */
export interface QuickAddError {
  problem: 'no_name' | 'bad_word' | 'too_many'
  word: string
}

const mostTimes = 50

/** init+2 and init-1 are modifiers, init=15 or init15 a typed count. */
const word = {
  times: /^[x×](\d+)$/iu,
  mod: /^(?:init|ini|mod)([+-]\d+)$/iu,
  init: /^(?:init|ini)[=:]?(\d+(?:[.,]\d{1,2})?)$/iu,
  hp: /^(?:hp|pv)[=:]?(\d+)$/iu,
  ac: /^(?:ac|ca)[=:]?(\d+)$/iu,
  speed: /^(?:speed|spd|vd|vitesse)[=:]?(\d+)$/iu,
  side: /^(?:side|camp)[=:](\S+)$/iu,
  /** A word that starts like a setting and is none: a typing error, not a name. */
  almost: /^(?:hp|pv|ac|ca|init|ini|mod|speed|spd|vd)(?:[=:+-]|\d)/iu,
}

/** Reads a line. Words may come in any order; the rest is the name. */
export function parseQuickAdd(line: string): AddCombatant | QuickAddError {
  const add: AddCombatant = { name: '' }
  const name: string[] = []
  let rest = line

  const group = /\[([^\]]*)\]/u.exec(rest)
  if (group) {
    const text = (group[1] ?? '').trim()
    rest = rest.replace(group[0], ' ')
    if (text) add.group = text
  }
  for (const part of rest.split(/\s+/u).filter(Boolean)) {
    const error = read(part, add, name)
    if (error) return error
  }
  add.name = name.join(' ')
  if (!add.name) return { problem: 'no_name', word: line.trim() }
  return add
}

function read(part: string, add: AddCombatant, name: string[]): QuickAddError | undefined {
  let found: RegExpExecArray | null
  if ((found = word.times.exec(part))) {
    add.times = Number(found[1])
    if (add.times < 1 || add.times > mostTimes) return { problem: 'too_many', word: part }
  } else if ((found = word.mod.exec(part))) add.mod = Number(found[1])
  else if ((found = word.init.exec(part))) add.init = Number((found[1] ?? '').replace(',', '.'))
  else if ((found = word.hp.exec(part))) add.hp = Number(found[1])
  else if ((found = word.ac.exec(part))) add.ac = Number(found[1])
  else if ((found = word.speed.exec(part))) add.speed = Number(found[1])
  else if ((found = word.side.exec(part))) add.side = found[1]
  else if (/^(?:pc|pj)$/iu.test(part)) {
    add.kind = 'pc'
    add.side ??= 'party'
  } else if (/^(?:npc|pnj)$/iu.test(part)) add.kind = 'npc'
  else if (/^(?:hidden|caché|cache|masqué)$/iu.test(part)) add.hidden = true
  else if (word.almost.test(part)) return { problem: 'bad_word', word: part }
  else name.push(part)
  return undefined
}

export const isQuickAddError = (value: AddCombatant | QuickAddError): value is QuickAddError => 'problem' in value
