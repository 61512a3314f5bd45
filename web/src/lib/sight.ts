// Who may see a creature, and what of it: for the game master's signs and forms.
import { t } from './lang.svelte'
import type { CombatantView, Sight } from './wire.gen'

export const audiences = ['players', 'spectators'] as const
export type Audience = (typeof audiences)[number]

/** What may be said apart of a creature, and the choices there are besides what the options say. */
export const sightFields = {
  hp: ['exact', 'band', 'none'],
  ac: ['yes', 'no'],
  conditions: ['yes', 'no'],
  count: ['yes', 'no'],
} as const satisfies Record<keyof Sight, readonly string[]>
export type SightField = keyof typeof sightFields

/** Whether an audience sees that a creature is there. */
export type Presence = 'shown' | 'hidden' | 'untilAct'

export function presenceFor(c: CombatantView, audience: Audience): Presence {
  if (!c.hidden || (c.hiddenFrom && !c.hiddenFrom.includes(audience))) return 'shown'
  return c.showsTo?.includes(audience) ? 'untilAct' : 'hidden'
}

/** What is set apart for an audience. */
export const sightOf = (c: CombatantView, audience: Audience): Sight => c.sight?.[audience] ?? {}
/** One field of it; empty is what the options say. */
export const sightFor = (c: CombatantView, audience: Audience, field: SightField) => sightOf(c, audience)[field] ?? ''

/** What all have in common, or nothing. */
export function common<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined
}

/** Who does not see it, in words; empty when all do. */
export function hiddenText(c: CombatantView): string {
  if (!c.hidden) return ''
  const from = c.hiddenFrom?.length === 1 ? c.hiddenFrom[0] : undefined
  const key = from === 'players' ? 'row.hidden.players' : from === 'spectators' ? 'row.hidden.spectators' : 'row.hidden'
  return t(key)
}

/** What is set apart, in words; empty when all is as the options say. */
export function sightText(c: CombatantView): string {
  return audiences.flatMap((audience) => {
    const set = sightWords(sightOf(c, audience))
    return set ? [`${t(`sight.${audience}`)} – ${set}`] : []
  }).join('; ')
}

/** A value of a field, in words. */
export const sightValue = (value: string | undefined) => t(value ? `sight.value.${value as 'yes' | 'no' | 'exact' | 'band' | 'none'}` : 'sight.options')

/** What is set apart for one audience, in words; empty when nothing is. */
export const sightWords = (sight: Sight): string =>
  (Object.keys(sightFields) as SightField[]).flatMap((field) => (sight[field] ? [`${t(`sight.${field}`)}${t('colon')} ${sightValue(sight[field])}`] : [])).join(', ')
