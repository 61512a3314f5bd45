// All that the game master's desk opens: dialogs, drawers, menus, questions,
// notices, by the moment of the fight, and how to get there.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenes, type SceneName } from '../src/design/scenes'
import { testid } from '../src/lib/testids'
import type { Table } from '../e2e/table'
import { expect, type Page } from '../e2e/test'

/** A page of the game master's, and what a picture needs to get where it wants. */
export interface Desk {
  page: Page
  table: Table
  narrow: boolean
}
export type Way = (desk: Desk) => Promise<void>

const id = (testid: string): Way => async ({ page }) => { await page.getByTestId(testid).click() }
/** Through a door of the header, which on a phone is in the menu. */
const door = (which: string): Way => async ({ page, narrow }) => {
  if (narrow) await page.getByTestId(testid.openMenu).click()
  await page.getByTestId(which).click()
  await expect(page.getByRole('dialog').last()).toBeVisible()
}
/** Selects rows, the first ones there are. */
const select = (count: number, from = 0): Way => async ({ page }) => {
  const boxes = page.locator('[data-testid^="select-"]')
  for (let i = from; i < from + count; i++) {
    // By keyboard: on a phone what is done to the first ones lies over the others.
    await boxes.nth(i).focus()
    await page.keyboard.press('Space')
  }
}
const more: Way = async ({ page, narrow }) => {
  if (narrow) await page.getByTestId(testid.moreTools).click()
}
const paste = (text: string): Way => async ({ page }) => {
  await page.getByTestId(testid.openImport).click()
  await page.getByTestId(testid.importPaste).evaluate((field, text) => {
    const carried = new DataTransfer()
    carried.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true }))
  }, text)
  await expect(page.getByTestId(testid.importFaults).or(page.getByTestId(testid.importRow).first()).first()).toBeVisible()
}
const fill = (testid: string, text: string): Way => async ({ page }) => { await page.getByTestId(testid).fill(text) }
const tab = (which: string): Way => async ({ page }) => {
  const button = page.getByTestId(testid.tab(which))
  if (await button.isVisible()) await button.click()
}
const key = (name: string): Way => async ({ page }) => { await page.keyboard.press(name) }
/** Opens the sheet of the first one, types, and has another game master change the same. */
const clash: Way = async (desk) => {
  for (const way of [select(1), more, id(testid.edit), fill('sheet-ac', '16'), fill('sheet-name', 'Mira the Swift')]) await way(desk)
  const mira = await desk.table.combatant('Mira')
  await desk.table.do({ type: 'editCombatant', combatant: mira.id, ac: mira.ac === 18 ? 19 : 18, name: 'Mirabel' }, { type: 'editCombatant', combatant: mira.id, name: 'Mira' })
  await expect(desk.page.getByTestId(testid.clash('ac'))).toBeVisible()
}
/** An edit that the rules refuse. */
const refused: Way = async ({ page }) => {
  await page.getByTestId(testid.quickAdd).fill('Rat x99')
  await page.getByTestId(testid.quickAddButton).click()
}
const keep: Way = async ({ page }) => {
  await page.getByTestId(testid.openPrepared).click()
  for (const name of ['The bridge at dawn', scenes.empty.title]) {
    await page.getByTestId('prepared-name').fill(name)
    await page.getByTestId('prepared-save').click()
    await expect(page.locator('[data-testid^="prepared-set-"]').filter({ hasText: name })).toHaveCount(1)
  }
}

const sample = (file: string) => readFileSync(join(import.meta.dirname, '../../hub/statblock/testdata', file), 'utf8')
const faulty = 'name,hp,ac\n"A caravan guard whose name somebody wrote out in full, with his titles",7,12\nTorn,12;5,10\n,3,3\nSound,8,high\n'
const addLater: Way = async ({ page }) => { await page.locator('details.later summary').click() }

/** By the name of the moment, and of what is opened there: what to do one after the other. */
export const sights: Partial<Record<SceneName, Record<string, Way[]>>> = {
  empty: {
    'quick-fault': [refused],
    'import': [id(testid.openImport)],
    'import-preview': [paste(sample('riposte-creatures.json'))],
    'import-faults': [paste(faulty)],
    'prepared-none': [id(testid.openPrepared)],
    'sheet-new': [id(testid.openAddForm)],
    'share': [door(testid.openShare)],
  },
  setup: {
    'prepared': [keep],
    'selected': [select(1, 2)],
    'selected-all': [select(3), more],
    'sight': [select(1, 2), more, id(testid.openSight)],
  },
  turn: {
    'selected': [select(1)],
    'selected-more': [select(1), more],
    'several': [select(3), fill(testid.hpInput, '12'), more],
    'effects': [select(1), id(testid.openEffects)],
    'sight': [select(1), more, id(testid.openSight)],
    'group-open': [id(testid.openGroup)],
    'moving': [select(1), key('m'), key('j')],
    'remove': [select(1), more, id(testid.remove)],
    'sheet': [select(1), more, id(testid.edit)],
    'clash': [clash],
    'add-later': [addLater],
    'log-filter': [tab('log'), id(testid.logTools)],
    'back-to': [tab('log'), async ({ page }) => { await page.getByTestId(testid.log).locator('button.line, button').last().hover() }],
    'end': [door(testid.endCombat)],
    'options': [door(testid.openOptions)],
    'seats': [door(testid.openSeats)],
    'share': [door(testid.openShare)],
    'share-replace': [door(testid.openShare), id(testid.replaceLink('player'))],
    'keys': [door(testid.openKeys)],
    'menu': [async (desk) => { if (desk.narrow) await desk.page.getByTestId(testid.openMenu).click() }],
    'see-as': [id(testid.openSeeAs)],
    'seen': [id(testid.openSeeAs), id(testid.seeAsChoice('spectator'))],
    'now': [tab('now')],
    'deed': [tab('now'), id(testid.action('attack'))],
    'move': [tab('now'), id(testid.move)],
    'break-in': [tab('now'), id(testid.breakIn)],
  },
  asked: { 'now': [tab('now')], 'selected': [select(1)] },
  deep: { 'now': [tab('now')] },
  proposed: { 'selected': [select(1)] },
  crowd: {
    'sheet': [select(1), more, id(testid.edit)],
    'selected': [select(4), more],
    'seats': [door(testid.openSeats)],
    'see-as': [id(testid.openSeeAs)],
    'groups-open': [async ({ page }) => { for (const one of await page.getByTestId(testid.openGroup).all()) await one.click() }],
  },
  starfinder: { 'options': [door(testid.openOptions)], 'effects': [select(1), id(testid.openEffects)], 'now': [tab('now')] },
  lights: { 'options': [door(testid.openOptions)], 'now': [tab('now')] },
}
