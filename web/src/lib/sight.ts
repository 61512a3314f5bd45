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
  return c.untilAct ? 'untilAct' : 'hidden'
}

/** What is set apart for an audience; empty is what the options say. */
export const sightFor = (c: CombatantView, audience: Audience, field: SightField) => c.sight?.[audience]?.[field] ?? ''

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
    const set = (Object.keys(sightFields) as SightField[]).flatMap((field) => {
      const value = sightFor(c, audience, field)
      return value ? [`${t(`sight.${field}`)}${t('colon')} ${t(`sight.value.${value as 'yes' | 'no' | 'exact' | 'band' | 'none'}`)}`] : []
    })
    return set.length ? [`${t(`sight.${audience}`)} – ${set.join(', ')}`] : []
  }).join('; ')
}
