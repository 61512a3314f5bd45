import { beforeEach, describe, expect, it } from 'vitest'
import { locale } from './lang.svelte'
import { fold, sentence, toneOf, undone } from './log'
import { stackSentence } from './stack'
import type { AppEvent, Command, FrameView } from './wire.gen'

const people: Record<string, string> = { a: 'Ana', b: 'Bel', c: 'Cid' }
const names = { combatant: (id: string) => people[id] ?? '?', seat: () => 'Mo' }
const say = (event: AppEvent) => sentence(event, names, 'Mo')

beforeEach(() => locale.choose('en'))

describe('a log line', () => {
  const attack: AppEvent = { type: 'resolved', frame: 'f', combatant: 'a', kind: 'attack', outcome: 'hit', target: 'b', total: 17 }

  it('is made in the reader\'s language', () => {
    expect(say(attack)).toBe('Ana hits Bel (17).')
    expect(say({ type: 'turnStarted', frame: 'f', kind: 'turn', slot: 's', combatant: 'a', count: 15, at: 0 })).toBe('Ana’s turn.')
    locale.choose('fr')
    expect(say(attack)).toBe('Ana touche Bel (17).')
    expect(say({ type: 'turnStarted', frame: 'f', kind: 'turn', slot: 's', combatant: 'a', count: 15, at: 0 })).toBe('Tour d’Ana.')
    expect(say({ type: 'initiativeSet', combatant: 'a', count: 15.5 })).toBe('Ana\u00a0: décompte d’initiative 15,5.')
  })

  it('leaves out what is not told', () => {
    expect(say({ type: 'damaged', combatant: 'b', amount: 0, hp: 0, temp: 0 })).toBe('Bel takes damage.')
    expect(say({ type: 'damaged', combatant: 'b', amount: 7, source: 'a', hp: 0, temp: 0 })).toBe('Bel takes 7 damage from Ana.')
  })

  it('names commands that were undone, one or several', () => {
    expect(say({ type: 'undone', to: 3, took: 'endTurn', count: 1 })).toBe('Undone: the end of turn.')
    expect(say({ type: 'undone', to: 3, took: 'endTurn', count: 4 })).toBe('Undone: 4 steps, down to the end of turn.')
  })

  it('says of what is not told only that it was undone', () => {
    expect(say({ type: 'undone', to: 0, took: '', count: 0 })).toBe('The GM takes a step back.')
    expect(say({ type: 'redone', brought: '' })).toBe('The GM brings a step back.')
  })

  it('says what an option became, without what its form explains', () => {
    expect(say({ type: 'optionsSet', options: { reactionSeconds: '20' } })).toBe('Options changed: Seconds to answer → 20.')
    expect(say({ type: 'optionsSet', options: { npcAc: 'no' } })).toBe('Options changed: Players see the AC of NPCs → no.')
  })

  it('counts in French', () => {
    locale.choose('fr')
    expect(say({ type: 'damaged', combatant: 'b', amount: 1, source: 'a', hp: 0, temp: 0 })).toBe('Bel subit 1 dégât d’Ana.')
    expect(say({ type: 'damaged', combatant: 'b', amount: 2, hp: 0, temp: 0 })).toBe('Bel subit 2 dégâts.')
  })

  it('says of a legendary action, which comes between two turns, what it is', () => {
    const frame = { id: 'f', kind: 'legendary', combatant: 'a', action: { kind: 'legendary', name: 'Tail', targets: ['b'] }, startedAt: 0 }
    expect(say({ type: 'framePushed', frame } as AppEvent)).toBe('Ana: Legendary action · Tail → Bel.')
  })

  it('says who threw dice', () => {
    const roll: AppEvent = { type: 'diceRolled', dice: '2d6+3', total: 12, faces: [3, 6] }
    expect(say(roll)).toBe('Mo: 2d6+3 → 12 (3, 6)')
    expect(say({ ...roll, label: 'fire' })).toBe('Mo, fire: 2d6+3 → 12 (3, 6)')
  })

  it('marks rulings', () => {
    expect(say({ type: 'acted', frame: 'f', combatant: 'a', action: { kind: 'dash' }, ruling: true })).toBe('Ana: Dash. (GM’s ruling)')
  })

  it('survives an event that this page does not know', () => {
    expect(say({ type: 'teleported' } as unknown as AppEvent)).toBe('Something happened (teleported).')
    expect(toneOf({ type: 'teleported' } as unknown as AppEvent)).toBe('plain')
  })

  it('keeps machinery for those who ask for details', () => {
    expect(toneOf({ type: 'staged', frame: 'f', stage: 'hit' })).toBe('detail')
    expect(toneOf(attack)).toBe('plain')
    // What was accepted is the next line.
    expect(toneOf({ type: 'proposalClosed', why: 'accepted' } as AppEvent)).toBe('detail')
    expect(toneOf({ type: 'proposalClosed', why: 'dismissed' } as AppEvent)).toBe('plain')
  })
})

describe('neighbours in the log', () => {
  const entry = (commit: number, event: AppEvent) => ({ commit, at: 0, by: 'gm', event })
  const set = (combatant: string, count: number): AppEvent => ({ type: 'initiativeSet', combatant, count })
  const lines = (...entries: ReturnType<typeof entry>[]) => fold(entries).map(({ entry, who }) => sentence(entry.event, names, '', who))

  it('that say the same of several in one commit are one line', () => {
    expect(lines(entry(1, set('a', 12)), entry(1, set('b', 12)), entry(1, set('c', 9)))).toEqual(['Ana and Bel: initiative 12.', 'Cid: initiative 9.'])
    expect(lines(entry(1, { type: 'surprisedSet', combatant: 'a', surprised: true }), entry(1, { type: 'surprisedSet', combatant: 'b', surprised: true }))).toEqual(['Ana and Bel are surprised.'])
  })

  it('and so are those who get the same effect, or lose it', () => {
    const gets = (target: string): AppEvent => ({ type: 'effectAdded', effect: { id: target, name: 'shield', target, ends: { at: 'never' } } } as AppEvent)
    const loses = (target: string, why = ''): AppEvent => ({ type: 'effectEnded', effect: target, name: 'shield', target, why } as AppEvent)
    expect(lines(entry(1, gets('a')), entry(1, gets('b')), entry(2, loses('a')), entry(2, loses('b')), entry(2, loses('c', 'saved')))).toEqual([
      'Effect on Ana and Bel: Shield.', 'Effect over for Ana and Bel: Shield.', 'Cid saves against Shield.',
    ])
  })

  it('do not say that an interruption is over which was begun in the same commit', () => {
    const begins = { type: 'framePushed', frame: { id: 'f2', kind: 'reaction', combatant: 'b' } } as AppEvent
    const ends = { type: 'framePopped', frame: 'f2', combatant: 'b' } as AppEvent
    expect(lines(entry(1, begins), entry(1, ends))).toEqual(['Bel interrupts: Reaction.'])
    expect(lines(entry(1, begins), entry(2, ends))).toEqual(['Bel interrupts: Reaction.', 'Bel’s interruption is over.'])
  })

  it('of different commits stay apart', () => {
    expect(lines(entry(1, set('a', 12)), entry(2, set('b', 12)))).toEqual(['Ana: initiative 12.', 'Bel: initiative 12.'])
  })
})

describe('what was undone', () => {
  const entry = (commit: number, event: AppEvent) => ({ commit, at: 0, by: 'gm', event })
  const line = (commit: number) => entry(commit, { type: 'initiativeSet', combatant: 'a', count: commit })
  const undo = (commit: number, to: number) => entry(commit, { type: 'undone', to, took: 'setInitiative', count: 1 })
  const redo = (commit: number) => entry(commit, { type: 'redone', brought: 'setInitiative' })
  const gone = (...entries: ReturnType<typeof entry>[]) => [...undone(entries)].sort()

  it('no longer holds until it is brought back', () => {
    expect(gone(line(1), line(2), line(3), undo(4, 2))).toEqual([3])
    expect(gone(line(1), line(2), line(3), undo(4, 2), undo(5, 1))).toEqual([2, 3])
    expect(gone(line(1), line(2), line(3), undo(4, 2), undo(5, 1), redo(6))).toEqual([3])
  })

  it('is not what was said', () => {
    expect(gone(line(1), entry(2, { type: 'said', text: 'Ha!' }), line(3), undo(4, 0))).toEqual([1, 3])
  })

  it('is not what a player asked for, but what the game master made of it', () => {
    const damage: Command = { type: 'damage', combatants: ['a'], amount: 7 }
    const closed = (why: string): AppEvent => ({ type: 'proposalClosed', pending: 'p', seat: 's', combatants: ['a'], command: damage, why })
    const asked: AppEvent = { type: 'proposed', pending: { id: 'p', kind: 'proposal', combatants: ['a'], seat: 's', command: damage } }
    expect(gone(entry(1, asked), entry(2, closed('accepted')), undo(3, 1))).toEqual([2])
    expect(gone(entry(1, asked), line(2), undo(3, 1), entry(4, closed('withdrawn')), redo(5))).toEqual([])
  })

  it('stays gone when something new is done', () => {
    expect(gone(line(1), line(2), undo(3, 1), line(4), redo(5))).toEqual([2])
  })
})

describe('the stack in words', () => {
  const frame = (combatant: string, kind = 'reaction'): FrameView => ({ frame: `f${combatant}`, kind, combatant })

  it('says whose turn it is', () => {
    expect(stackSentence([frame('a', 'turn')], names.combatant)).toBe('Ana’s turn')
    expect(stackSentence([], names.combatant)).toBe('')
  })

  it('nests', () => {
    const stack = [frame('a', 'turn'), frame('b'), frame('c', 'readied')]
    expect(stackSentence(stack.slice(0, 2), names.combatant)).toBe('Bel’s reaction interrupts Ana’s turn')
    expect(stackSentence(stack, names.combatant)).toBe('Cid’s readied action interrupts Bel’s reaction, which interrupts Ana’s turn')
    locale.choose('fr')
    expect(stackSentence(stack, names.combatant)).toBe('L’action préparée de Cid interrompt la réaction de Bel, qui interrompt le tour d’Ana')
  })
})
