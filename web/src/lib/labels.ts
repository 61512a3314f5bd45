// Words for what the server names by a code. What it names and we do not know
// is shown as it is, made readable.
import type { CombatantView, EffectView, Pool } from './wire.gen'
import { list, num, t, tn, tx } from './lang.svelte'

/** useObject → Use object */
function readable(code: string): string {
  const words = code.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const kindLabel = (kind: string) => tx(`kind.${kind}`, readable(kind))
export const poolLabel = (pool: string, n = 1) => tx(`pool.${pool}`, readable(pool).toLowerCase(), { n })
export const phaseLabel = (phase: string) => tx(`phase.${phase}`, readable(phase))
export const lifeLabel = (life: string) => tx(`life.${life}`, life)
export const bandLabel = (band: string) => tx(`band.${band}`, band)
export const frameLabel = (kind: string) => tx(`frame.${kind}`, readable(kind))
export const rulesLabel = (rules: string) => tx(`rules.${rules}`, readable(rules))
export const pendingLabel = (kind: string) => tx(`pending.${kind}`, readable(kind))
export const reasonLabel = (reason: string) => tx(`reason.${reason}`, readable(reason).toLowerCase())
export const commandLabel = (type: string) => tx(`cmd.${type}`, readable(type).toLowerCase())
export const abilityLabel = (ability: string) => tx(`ability.${ability.slice(0, 3).toLowerCase()}`, ability)

/** A condition the rules know by name is translated; any other is the GM's own word. */
export const effectLabel = (name: string) => tx(`cond.${name.toLowerCase()}`, name)

/** What is being done: its name where it has one, with its kind. */
export function actionLabel(action: { kind?: string; name?: string }): string {
  const kind = action.kind ? kindLabel(action.kind) : ''
  if (!action.name) return kind
  return kind && action.kind !== 'other' && action.kind !== 'custom' ? `${kind} · ${action.name}` : action.name
}

/** What several buttons cost: “standard action”; pools that are spent together may have a name of their own. */
export const priceLabel = (pools: string) => tx(`price.${pools || 'free'}`, list(pools.split('+').map((pool) => poolLabel(pool))))

/** How somebody at 0 hit points lies there, with what is left of the points that keep it alive. */
export function lifeState(c: CombatantView): string {
  const resolve = c.budget?.find((p) => p.name === 'resolve')
  if (!resolve || c.life === 'up' || c.life === 'dead') return lifeLabel(c.life)
  return `${lifeLabel(c.life)} · ${poolAmount('resolve', resolve.left)}`
}

/** “20 ft”, “1 action”: one part of a budget. */
export function poolAmount(name: string, amount: number): string {
  if (name === 'movement') return t('feet', { n: num(amount) })
  return `${num(amount)} ${poolLabel(name, amount)}`
}

/** Everything that is left of a budget. */
export function budgetLeft(budget: Pool[]): string {
  const left = budget.filter((p) => p.left > 0).map((p) => poolAmount(p.name, p.left))
  return left.length ? list(left) : t('budget.nothing')
}

/** How long an effect still lasts. */
export function effectEnd(effect: EffectView, nameOf: (id: string) => string): string {
  const of = effect.ends.of ? nameOf(effect.ends.of) : ''
  switch (effect.ends.at) {
    case 'never': return ''
    case 'turnStart':
    case 'turnEnd': {
      const end = t(`until.${effect.ends.at}`, { of })
      const rounds = effect.roundsLeft ?? 0
      return rounds > 0 ? tn('until.in', rounds, { end }) : end
    }
    case 'roundEnd': return t('until.roundEnd')
    case 'count': return effect.ends.count === undefined ? '' : t('until.count', { count: num(effect.ends.count) })
  }
  return ''
}
