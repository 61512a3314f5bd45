import { describe, expect, it } from 'vitest'
import type { Outcome } from './connection'
import { overwrite, type Edit } from './overwrite'
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
