// Refusals in words: the code chooses the sentence, its params fill it.
import { t, tx } from './lang.svelte'
import { poolLabel, reasonLabel } from './labels'

/** Who is called what. */
interface NameSource {
  nameOf(id: string): string
}

/** The sentence for a refusal. */
export function refusalText(code: string, params: Record<string, unknown>, names: NameSource): string {
  const text = (key: string) => (params[key] === undefined ? '' : String(params[key]))
  const name = (key: string) => (params[key] ? names.nameOf(text(key)) : t('someone'))
  return tx(`code.${code}`, t('code.unknown', { code }), {
    turn: name('turn'),
    acting: name('acting'),
    reason: reasonLabel(text('reason')),
    pool: poolLabel(text('pool')),
    left: text('left'),
    cost: text('cost'),
    field: text('field'),
    limit: text('limit'),
  })
}
