import { describe, expect, it } from 'vitest'
import type { Outcome } from './connection'
import { Draft } from './draft.svelte'

function sent(text: string, meant?: () => boolean) {
  const draft = new Draft()
  let answer: (outcome: Outcome) => void = () => undefined
  draft.text = text
  const held = draft.hold(new Promise<Outcome>((resolve) => { answer = resolve }), meant)
  return { draft, answered: (outcome: Outcome) => { answer(outcome); return held } }
}
const refused: Outcome = { ok: false, code: 'bad_value', params: {} }

describe('what is typed and sent', () => {
  it('leaves its field free for the next at once', async () => {
    const { draft, answered } = sent('7')
    expect(draft.text).toBe('')
    draft.text += '5'
    await answered({ ok: true, seq: 1 })
    expect(draft.text).toBe('5')
  })
  it('comes back when it is refused', async () => {
    const { draft, answered } = sent('7')
    await answered(refused)
    expect(draft.text).toBe('7')
  })
  it('does not come back over what was typed since', async () => {
    const { draft, answered } = sent('7')
    draft.text = '5'
    await answered(refused)
    expect(draft.text).toBe('5')
  })
  it('does not come back when it would mean somebody else', async () => {
    const { draft, answered } = sent('7', () => false)
    await answered(refused)
    expect(draft.text).toBe('')
  })
})
