import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { locale } from './lang.svelte'
import { addedBy, editedBy, formOf, mergeSheet, readSheet, soundSheet } from './sheet'
import type { CombatantView } from './wire.gen'

const cedar: CombatantView = {
  id: 'c', rev: 7, name: 'Cedar', side: 'foes', kind: 'npc', life: 'up', reaction: false, mod: 2, hp: { current: 12, max: 35, temp: 0 },
  ac: 15, speed: 30, sheet: { ac: 13, maxHp: 30 }, answers: ['parry'], stats: { bonus: 1, 'save.con': 4 }, rechargeAt: { Breath: 5 }, notes: 'flees at 5',
}
const form = formOf(cedar, 'dnd5e')

describe('the form of a sheet', () => {
  it('shows what stands on the sheet, not what effects make of it', () => {
    expect(form).toMatchObject({ name: 'Cedar', hp: '30', ac: '13', bonus: 'yes', numbers: 'save.con=4', answers: 'Parry', recharge: 'Breath=5' })
  })

  it('sends only what differs, and what it was made on', () => {
    expect(editedBy(form, cedar, 'dnd5e')).toEqual({ type: 'editCombatant', combatant: 'c', base: 7 })
    expect(editedBy({ ...form, ac: '14', bonus: '', numbers: 'save.con=5', answers: '', notes: ' flees at 5 ' }, cedar, 'dnd5e')).toEqual({
      type: 'editCombatant', combatant: 'c', base: 7, ac: 14, answers: [], stats: { bonus: 0, 'save.con': 5 },
    })
  })

  describe('in French', () => {
    beforeAll(() => locale.choose('fr'))
    afterAll(() => locale.choose('en'))

    it('calls reactions what people call them, and takes the server’s own names as well', () => {
      const own = { ...cedar, answers: ['shield', 'counterspell', 'taunt'] }
      const shown = formOf(own, 'dnd5e')
      expect(shown.answers).toBe('Bouclier, Contresort, taunt')
      expect(editedBy(shown, own, 'dnd5e')).not.toHaveProperty('answers')
      expect(editedBy({ ...shown, answers: 'contresort, shield' }, own, 'dnd5e').answers).toEqual(['counterspell', 'shield'])
    })
  })

  it('makes a new combatant', () => {
    const empty = formOf(undefined, 'starfinder')
    expect(addedBy({ ...empty, name: ' Fox ', hp: '7', 'stat.resolve': '3', times: '2', init: '12,5', hidden: 'yes' }, 'starfinder')).toEqual({
      name: 'Fox', kind: 'npc', mod: 0, hp: 7, ac: 0, speed: 30, times: 2, init: 12.5, hidden: true, stats: { resolve: 3 },
    })
    expect(formOf(undefined, 'dnd5e', true).kind).toBe('pc')
  })

  it('says what cannot be read', () => {
    const sound = (change: Record<string, string>, rules = 'dnd5e') => {
      const changed = { ...formOf(cedar, rules), ...change }
      return soundSheet(changed, readSheet(changed, rules))
    }
    expect(sound({})).toBe(true)
    const unsound: Record<string, string>[] = [{ name: ' ' }, { ac: 'x' }, { ac: '-1' }, { init: '1.234' }, { numbers: 'con' }, { times: '51' }]
    for (const change of unsound) expect(sound(change), JSON.stringify(change)).toBe(false)
    expect(sound({ 'stat.resolve': 'many' }, 'starfinder')).toBe(false)
    expect(sound({ 'stat.resolve': '' }, 'starfinder')).toBe(true)
  })
})

describe('two who edit one sheet', () => {
  const now = { ...form, ac: '16', name: 'Cedar the Old' }

  it('follow each other where only one has changed something', () => {
    const merged = mergeSheet({ ...form, hp: '40' }, form, now)
    expect(merged.form).toMatchObject({ ac: '16', name: 'Cedar the Old', hp: '40' })
    expect(merged.followed.sort()).toEqual(['ac', 'name'])
    expect(merged.clashes).toEqual([])
  })

  it('are asked where both have', () => {
    const merged = mergeSheet({ ...form, ac: '18' }, form, now)
    expect(merged.form.ac).toBe('18')
    expect(merged.clashes).toEqual([{ field: 'ac', mine: '18', theirs: '16' }])
    // Asked again as long as nobody has chosen; not once it is known.
    expect(mergeSheet(merged.form, merged.base, now).clashes).toHaveLength(1)
    expect(mergeSheet(merged.form, { ...merged.base, ac: '16' }, now).clashes).toEqual([])
  })

  it('need not choose between the same', () => {
    expect(mergeSheet({ ...form, ac: ' 16' }, form, now).clashes).toEqual([])
  })

  it('keep what is under their hands', () => {
    const merged = mergeSheet(form, form, now, 'ac')
    expect(merged.form).toMatchObject({ ac: '13', name: 'Cedar the Old' })
    expect(mergeSheet({ ...merged.form, ac: '1' }, merged.base, now, 'ac').clashes).toEqual([{ field: 'ac', mine: '1', theirs: '16' }])
  })
})
