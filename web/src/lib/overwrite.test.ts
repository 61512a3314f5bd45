import { describe, expect, it } from 'vitest'
import type { Outcome } from './connection'
import { changed, overwrite, type Edit } from './overwrite'
import type { Command } from './wire.gen'

const stale = (now?: unknown): Outcome => ({ ok: false, code: 'stale_edit', params: now === undefined ? {} : { now } })
const accepted: Outcome = { ok: true, seq: 1, result: undefined }

/** An edit of a title that stood empty, what it sends and what it asks. */
function title(answers: Outcome[], says: boolean[]) {
  const edit: Edit = {
    what: 'Title', mine: 'Ford', shown: (now) => String(now ?? ''),
    on: (now) => ({ type: 'setOptions', title: 'Ford', baseTitle: now ? String(now.is ?? '') : '' }),
  }
  const sent: Command[] = []
  const asked: string[] = []
  const outcome = overwrite(edit, async (command) => { sent.push(command); return answers.shift()! }, async (late) => { asked.push(late.now); return says.shift()! })
  return { outcome, sent, asked }
}

describe('an edit', () => {
  it('that nobody was before with is just sent', async () => {
    const { outcome, sent, asked } = title([accepted], [])
    expect(await outcome).toBe(accepted)
    expect(sent).toEqual([{ type: 'setOptions', title: 'Ford', baseTitle: '' }])
    expect(asked).toEqual([])
  })

  it('that came too late asks, and is sent on what the question showed', async () => {
    const { outcome, sent, asked } = title([stale('Bridge'), stale('Gate'), accepted], [true, true])
    expect(await outcome).toBe(accepted)
    expect(asked).toEqual(['Bridge', 'Gate'])
    expect(sent.map((c) => (c.type === 'setOptions' ? c.baseTitle : undefined))).toEqual(['', 'Bridge', 'Gate'])
  })

  it('that is given up overwrites nothing', async () => {
    const { outcome, sent } = title([stale('Bridge')], [false])
    expect((await outcome).ok).toBe(false)
    expect(sent).toHaveLength(1)
  })

  it('that is refused for something else does not ask', async () => {
    const refused: Outcome = { ok: false, code: 'too_long', params: {} }
    const { outcome, asked } = title([refused], [])
    expect(await outcome).toBe(refused)
    expect(asked).toEqual([])
  })
})

describe('what several have now', () => {
  const say = (now: Record<string, number>, seen: Record<string, number>) => changed(now, seen, String, (id) => id.toUpperCase())

  it('is told of those who have another one than was seen', () => {
    expect(say({ a: 1, b: 2, c: 5 }, { a: 1, b: 3 })).toEqual(['B 2', 'C 5'])
  })

  it('needs no names where all have the same', () => {
    expect(say({ a: 4, b: 4 }, { a: 1, b: 3 })).toEqual(['4'])
    expect(say({ a: 4 }, {})).toEqual(['4'])
    expect(say({ a: 4, b: 4 }, { a: 4, b: 3 })).toEqual(['B 4'])
  })

  it('is nothing where nobody has any', () => {
    expect(say({}, { a: 1 })).toEqual([])
  })
})
