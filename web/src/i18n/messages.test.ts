import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { en } from './en'
import { fr } from './fr'
import { restEn } from './rest.en'
import { restFr } from './rest.fr'
import { fill, isKey, languages, type MessageKey } from './messages'

const messages = { en: { ...en, ...restEn }, fr: { ...fr, ...restFr } }

// The Go sources are what the texts must keep up with.
const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

function goFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go') && !name.includes('testdata'))
    .map((name) => `${folder}/${name}`)
}
const sources = ['combat', 'hub', 'server'].flatMap(goFiles).map(read).join('\n')

/** The wire names in one of the registries of combat/codec.go. */
function registry(name: string): string[] {
  const list = new RegExp(`var ${name} = newRegistry\\(([^]*?)\\n\\)`).exec(read('combat/codec.go'))?.[1] ?? ''
  return [...list.matchAll(/(\w+)\{\}/g)].map(([, type]) => {
    const wire = type!.replaceAll('HP', 'Hp')
    return wire.charAt(0).toLowerCase() + wire.slice(1)
  })
}
const all = (pattern: RegExp) => [...new Set([...sources.matchAll(pattern)].map((m) => m[1]!))]

/** Keys without a text. */
const without = (prefix: string, names: string[]) => names.filter((name) => !isKey(messages.en, `${prefix}.${name}`))

describe('both languages', () => {
  it('have the same keys', () => {
    expect(Object.keys(messages.fr).sort()).toEqual(Object.keys(messages.en).sort())
  })

  it('have no empty text', () => {
    for (const language of languages) {
      expect(Object.entries(messages[language]).filter(([, text]) => !text.trim())).toEqual([])
    }
  })

  it('fill the same places', () => {
    const places = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map((m) => m[1]))].sort().join()
    const keys = Object.keys(messages.en) as MessageKey[]
    expect(keys.filter((key) => places(messages.en[key]) !== places(messages.fr[key]))).toEqual([])
  })
})

describe('every name of the server has a text', () => {
  it('commands', () => {
    const names = registry('commands')
    expect(names.length).toBeGreaterThan(40)
    expect(without('cmd', names)).toEqual([])
  })

  it('events', () => {
    const names = registry('events')
    expect(names.length).toBeGreaterThan(40)
    // Some have a text for every case they know, and none besides.
    expect(names.filter((n) => !Object.keys(messages.en).some((k) => k === `log.${n}` || k.startsWith(`log.${n}.`)))).toEqual([])
  })

  it('refusals', () => {
    const codes = all(/\b[rR]efuse\("([a-z_]+)"/g)
    expect(codes.length).toBeGreaterThan(15)
    expect(without('code', codes)).toEqual([])
  })

  it('reasons', () => {
    expect(without('reason', all(/"reason", "([a-z_]+)"/g))).toEqual([])
  })

  it('formats, faults and warnings of imported files', () => {
    const names = read('hub/statblock/file.go')
    for (const [prefix, constants] of [['format', 'Format'], ['fault', 'Fault'], ['warning', 'Warn']] as const) {
      const codes = [...names.matchAll(new RegExp(`\\t${constants}\\w+ += "([\\w-]+)"`, 'g'))].map((m) => m[1]!)
      expect(codes.length).toBeGreaterThan(8)
      expect(without(prefix, codes)).toEqual([])
    }
    // What the core says about a sheet is said of a creature in a file too.
    expect(without('fault', ['bad_value', 'bad_value.range', 'too_long', 'too_many', 'unknown_field'])).toEqual([])
  })

  it('kinds of action', () => {
    const kinds = all(/\{Kind: "(\w+)", Pool/g)
    expect(kinds.length).toBeGreaterThan(10)
    expect(without('kind', kinds)).toEqual([])
  })

  it('pools', () => {
    expect(without('pool', all(/\bpool\w+ += "(\w+)"/g))).toEqual([])
  })

  it('options, and a sentence for each that is our ruling', () => {
    // Constants have their names within one package only.
    const keys: string[] = []
    const rulings: string[] = []
    for (const folder of ['combat', 'combat/dnd5e', 'combat/starfinder', 'combat/lightsandshadows']) {
      const text = goFiles(folder).filter((path) => path.split('/').length === folder.split('/').length + 1).map(read).join('\n')
      const constants = new Map([...text.matchAll(/\b([oO]ption\w+) += "([\w.]+)"/g)].map((m) => [m[1]!, m[2]!]))
      keys.push(...constants.values())
      for (const [, name] of text.matchAll(/\{Key: (option\w+),[^\n]*Ruling: true\}/g)) rulings.push(constants.get(name!) ?? name!)
    }
    expect(keys.length).toBeGreaterThan(20)
    expect(without('option', keys)).toEqual([])
    expect(rulings.length).toBeGreaterThan(5)
    expect(without('ruling', rulings)).toEqual([])
  })
})

describe('filling a text', () => {
  it('puts names in, as they are', () => {
    expect(fill('{who} hits {target}', { who: '<b>', target: '{who}' })).toBe('<b> hits {who}')
    expect(fill('{missing}!')).toBe('!')
  })

  it('isolates names that are written from right to left', () => {
    expect(fill('{who} moves', { who: 'مرتزق' })).toBe('\u2068مرتزق\u2069 moves')
  })

  it('puts the s of a plural: of two and more in French, of all but one in English', () => {
    const says = (n: string | number) => fill('{n} dégât{n:s}', { n }, 'fr')
    expect([0, 1, 2].map((n) => fill('{n} point{n:s}', { n }, 'en'))).toEqual(['0 points', '1 point', '2 points'])
    expect([0, 1, '1,5', 2, '2,5', 12].map(says)).toEqual(['0 dégât', '1 dégât', '1,5 dégât', '2 dégâts', '2,5 dégâts', '12 dégâts'])
    expect(fill('action{n:s}')).toBe('action')
  })

  it('drops the vowel of the French genitive', () => {
    expect(fill('tour {who:de}', { who: 'Ana' })).toBe('tour d’Ana')
    expect(fill('tour {who:de}', { who: 'Élise' })).toBe('tour d’Élise')
    expect(fill('tour {who:de}', { who: 'Bel' })).toBe('tour de Bel')
    expect(fill('tour {who:de}', { who: 'Young Red Dragon' })).toBe('tour de Young Red Dragon')
    expect(fill('tour {who:de}', { who: 'Ysengrin' })).toBe('tour d’Ysengrin')
    expect(fill('tour {who:de}', { who: '' })).toBe('tour de ')
  })
})
