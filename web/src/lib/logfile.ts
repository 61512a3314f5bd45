// The log as a file to keep: sentences in the reader's language, or the
// server's own lines.
import { num, t, tx } from './lang.svelte'
import { fold, past, sentence, toneOf, type Names } from './log'
import type { LogEntry } from './wire.gen'

/** The log as text, a heading for each round; what was taken back is marked. */
export function logText(title: string, log: readonly LogEntry[], names: Names): string {
  const { gone } = past(log)
  const lines = [title, '']
  for (const { entry, who } of fold(log.filter((e) => toneOf(e.event) !== 'detail'))) {
    const { event, commit, seat, by } = entry
    if (event.type === 'roundStarted') {
      lines.push('', `== ${event.phase === 'surprise' ? t('phase.surprise') : t('round', { n: num(event.round) })} ==`)
      continue
    }
    const text = sentence(event, names, seat ? names.seat(seat) : tx(`role.${by}`, ''), who)
    lines.push(commit && gone.has(commit) ? `(${t('log.takenBack')}) ${text}` : text)
  }
  return lines.join('\n') + '\n'
}

/** Hands a file to the person. */
export function download(name: string, type: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** A file's name out of a title: letters and digits of any script. */
export const fileName = (title: string, ending: string) =>
  `${title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60) || 'riposte'}.${ending}`
