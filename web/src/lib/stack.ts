// The interrupt stack in words.
import type { FrameView } from './wire.gen'
import { t, tx } from './lang.svelte'

type NameOf = (id: string) => string

function side(role: 'subject' | 'object', frame: FrameView, nameOf: NameOf): string {
  const who = nameOf(frame.combatant)
  return tx(`stack.${role}.${frame.kind}`, who, { who })
}

/** “Bel’s reaction interrupts Ana’s turn”, however deep; whose turn it is when nothing interrupts; empty between turns. Frames are bottom first. */
export function stackSentence(stack: FrameView[], nameOf: NameOf): string {
  const [top, ...below] = [...stack].reverse()
  if (!top) return ''
  let text = side('subject', top, nameOf)
  below.forEach((frame, i) => {
    text += `${i === 0 ? ` ${t('stack.interrupts')}` : t('stack.whichInterrupts')} ${side('object', frame, nameOf)}`
  })
  return text
}
