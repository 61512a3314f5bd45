// What is said about a file: the code chooses the sentence, its params fill it.
import { list, t, tx } from './lang.svelte'
import type { Fault, Place } from './importing'
import type { FileFault, FileWarning } from './wire.gen'

/** The formats that are looked for, by the names people know them by. */
const formats = ['improved-initiative', 'foundry-dnd5e', 'foundry-starfinder', 'open5e-v2', '5e-srd-api', '5etools', 'csv', 'riposte-creatures'] as const

export const formatLabel = (format: string) => tx(`format.${format}`, format)
export const formatList = () => list(formats.map((format) => t(`format.${format}`)))

/** A field of a creature in words; the rules' own numbers keep their names. */
export const fieldLabel = (field: string) =>
  tx(`field.${field}`, tx(`sheet.${field}`, field === 'ac' ? t('ac') : field))

const filled = (params: Record<string, unknown> = {}, field?: string) => ({
  ...Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)])),
  formats: formatList(),
  field: fieldLabel(field ?? String(params.field ?? '')),
})

/** Why something is not offered. */
export function faultText({ code, params }: FileFault): string {
  const which = params?.what ? `${code}.what` : params?.max !== undefined ? `${code}.range` : code
  return tx(`fault.${which}`, tx(`fault.${code}`, t('code.unknown', { code })), filled(params))
}

/** What is not as in the file. */
export const warningText = ({ field, code, params }: FileWarning) =>
  tx(`warning.${code}`, t('code.unknown', { code }), filled(params, field))

/** Where it stands in which file. */
export const placeText = ({ file, line, where }: Place) =>
  [file, line ? t('import.line', { n: line }) : '', where].filter(Boolean).join(' · ')

/** A whole fault in a line: where, who, why. */
export const faultLine = (fault: Fault) => [placeText(fault), fault.name].filter(Boolean).join(' – ')
