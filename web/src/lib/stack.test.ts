import { beforeEach, describe, expect, it } from 'vitest'
import { locale } from './lang.svelte'
import { between, deedText, leftText, mainLeftText, stackSentence, triggerText } from './stack'
import type { FrameView } from './wire.gen'

const names: Record<string, string> = { m: 'Mira', g: 'Goblin 1', r: 'محارب' }
const nameOf = (id: string) => names[id] ?? id
const turn: FrameView = { frame: 'f1', kind: 'turn', combatant: 'm' }
const reaction: FrameView = { frame: 'f2', kind: 'reaction', combatant: 'g', trigger: { frame: 'f1', combatant: 'm', kind: 'move' } }

beforeEach(() => locale.choose('en'))

describe('the stack in words', () => {
  it('says who interrupts whom, however deep', () => {
    expect(stackSentence([], nameOf)).toBe('')
    expect(stackSentence([turn], nameOf)).toBe('Mira’s turn')
    expect(stackSentence([turn, reaction, { ...turn, frame: 'f3', kind: 'reaction' }], nameOf))
      .toBe('Mira’s reaction interrupts Goblin 1’s reaction, which interrupts Mira’s turn')
  })

  it('says what is done, to whom, how far and with what roll', () => {
    expect(deedText({ kind: 'move', feet: 20 }, nameOf)).toBe('Move 20 ft')
    locale.choose('fr')
    expect(deedText({ kind: 'move', feet: 20 }, nameOf)).toBe('Se déplacer de 20 pieds')
    locale.choose('en')
    expect(deedText({ kind: 'opportunityAttack', targets: ['m', 'g'], total: 17 }, nameOf)).toBe('Opportunity attack → Mira and Goblin 1 (17)')
    expect(deedText({ kind: 'attack', targets: ['r'] }, nameOf)).toBe('Attack → \u2068محارب\u2069')
  })

  it('names whose deed a response answers only where it is not the one right below', () => {
    const trigger = { combatant: 'm', kind: 'move' }
    expect(triggerText(trigger, turn, nameOf)).toBe('Move')
    expect(triggerText(trigger, reaction, nameOf)).toBe('Mira · Move')
    expect(triggerText({ text: 'the door opens' }, turn, nameOf)).toBe('“the door opens”')
    expect(triggerText({ combatant: 'm' }, reaction, nameOf)).toBe('Mira')
  })

  it('counts as left what the turn can still spend', () => {
    const pool = (name: string, left: number) => ({ name, left, max: 1 })
    expect(leftText([pool('action', 1), pool('movement', 10), pool('reaction', 1), pool('stamina', 6), pool('defences', 2), pool('penalty', 4)])).toBe('1 action and 10 ft')
    expect(mainLeftText([pool('action', 1), pool('object', 1)])).toBe('1 action')
    expect(leftText([pool('action', 0), pool('reaction', 1)])).toBe('nothing')
  })

  it('puts those between the turn and the last who waits together, where there are two or more', () => {
    expect([0, 1, 2, 3].map(between)).toEqual([undefined, undefined, undefined, undefined])
    expect(between(4)).toEqual({ from: 1, to: 3 })
    expect(between(15)).toEqual({ from: 1, to: 14 })
  })
})
