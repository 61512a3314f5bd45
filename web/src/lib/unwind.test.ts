import { describe, expect, it } from 'vitest'
import { resumed } from './unwind'
import type { FrameView, LogEntry } from './wire.gen'

const turn: FrameView = { frame: 'f1', kind: 'turn', combatant: 'm', action: { kind: 'move', feet: 20 } }
const blow: FrameView = { frame: 'f2', kind: 'reaction', combatant: 'g', did: { kind: 'opportunityAttack', targets: ['m'], total: 17 } }
const shield: FrameView = { frame: 'f3', kind: 'reaction', combatant: 'm', did: { kind: 'shield' } }
const entry = (event: object) => ({ seq: 1, commit: 1, at: '', by: 'gm', event }) as unknown as LogEntry
const pushed = (frame: string, combatant: string, kind: string) => entry({ type: 'framePushed', frame: { id: frame, kind: 'reaction', combatant, action: { kind } } })
const popped = (frame: string, combatant: string) => entry({ type: 'framePopped', frame, kind: 'reaction', combatant })

describe('who goes on', () => {
  it('is the one under a frame that ended', () => {
    expect(resumed([turn, blow, shield], [turn, blow], [popped('f3', 'm')], undefined)).toMatchObject({ frame: 'f2', by: 'm', deed: { kind: 'shield' } })
    expect(resumed([turn, blow, shield], [turn], [], undefined)).toMatchObject({ frame: 'f1', by: 'g', deed: { kind: 'opportunityAttack', total: 17 } })
  })

  it('is the one who was answered in passing, by a response that never stood', () => {
    const now = resumed([turn, blow], [turn, blow], [pushed('f9', 'm', 'shield'), popped('f9', 'm')], undefined)
    expect(now).toMatchObject({ frame: 'f2', by: 'm', deed: { kind: 'shield' } })
  })

  it('goes on until it does something, or is interrupted', () => {
    const done: FrameView = { frame: 'f1', kind: 'turn', combatant: 'm', did: { kind: 'move', feet: 20 } }
    const now = resumed([turn, blow], [done], [], undefined)
    expect(resumed([done], [done], [], now)).toEqual(now)
    expect(resumed([done], [{ ...done, did: { kind: 'dash' } }], [], now)).toBeUndefined()
    expect(resumed([done], [done, { ...blow, frame: 'f4' }], [pushed('f4', 'g', 'opportunityAttack')], now)).toBeUndefined()
  })

  it('is nobody at a new turn, after nothing, or between turns', () => {
    const next: FrameView = { frame: 'f5', kind: 'turn', combatant: 'g' }
    expect(resumed([turn, blow], [next], [popped('f2', 'g')], undefined)).toBeUndefined()
    expect(resumed([turn], [turn], [], undefined)).toBeUndefined()
    expect(resumed([turn, blow], [], [], undefined)).toBeUndefined()
  })
})
