// Quick hands: the second half of a double click lands on nothing that the
// first one made, and over a slow line nothing that can be pressed is lost.

import { testid } from '../src/lib/testids'
import type { CombatantView, PendingView } from '../src/lib/wire.gen'
import { stopTime } from './clockwork'
import { heldBack } from './heldback'
import { expectTurn, quartet, Table } from './table'
import { desk, expect, phone, test, type Page } from './test'

/** A button that has just come up looks as if it could not be pressed, and cannot; a moment later it can. */
async function expectTooSoon(page: Page, button: string, meanwhile: () => Promise<void>): Promise<void> {
  await expect(page.getByTestId(button)).toHaveAttribute('aria-disabled', 'true')
  await page.getByTestId(button).click({ force: true })
  // What is said now would come behind it on the same line.
  await page.getByTestId('talk').fill('after it')
  await page.getByTestId('talk').press('Enter')
  await expect(page.getByTestId('talk')).toHaveValue('')
  await meanwhile()
  await page.clock.runFor(400)
  await expect(page.getByTestId(button)).toBeEnabled()
}

/** Ash and Dune, who declare their rounds. */
async function declaring(server: Parameters<typeof Table.create>[0]) {
  const table = await Table.create(server, {}, 'lights-and-shadows')
  const ana = await table.seat('Ana')
  await table.do(
    { type: 'addCombatant', name: 'Ash', kind: 'pc', seat: ana.seat, stats: { score: 15, 'weapon.sword.first': -1, 'weapon.sword.next': -6 } },
    { type: 'addCombatant', name: 'Dune', side: 'foes', stats: { score: 12, 'weapon.bow.first': -2, 'weapon.bow.next': -5 } },
    { type: 'startCombat' },
  )
  return { table, ana, ash: (await table.combatant('Ash')).id }
}
const said = async (table: Table) => (await table.log()).filter(({ event }) => event.type === 'said').length

test('the second half of a double click takes back no declaration that the first one made', async ({ server, somebody }) => {
  const { table, ana, ash } = await declaring(server)
  const { page } = await somebody(desk)
  await page.clock.install()
  await table.open(page, ana)
  await expect(page.getByTestId(testid.declareSend(ash))).toBeEnabled()
  await stopTime(page)
  await page.getByTestId(testid.declareSend(ash)).click()
  await expectTooSoon(page, testid.withdraw(ash), async () => {
    await expect.poll(() => said(table)).toBe(1)
    expect((await table.combatant('Ash')).declared).toBe(true)
  })
  await page.getByTestId(testid.withdraw(ash)).click()
  await expect(page.getByTestId(testid.declareSend(ash))).toBeVisible()
})

test('a question that comes up under the thumb is not answered at once, and its answer does not end the turn as well', async ({ server, somebody }) => {
  const { table, ana, ash, birch, cedar } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  const { page } = await somebody(phone)
  await page.clock.install()
  await table.open(page, ana)
  await expect(page.getByTestId(testid.endTurn)).toBeEnabled()
  await stopTime(page)
  await table.do({ type: 'react', combatant: cedar, kind: 'opportunityAttack', targets: [ash], attack: { total: 17, damage: '5' }, done: true })
  await expectTooSoon(page, testid.declineButton, async () => {
    await expect.poll(() => said(table)).toBe(1)
    expect((await table.view()).window).toBeDefined()
  })
  await page.getByTestId(testid.declineButton).click()
  await expectTooSoon(page, testid.endTurn, async () => {
    await expect.poll(() => said(table)).toBe(2)
    expect((await table.view()).turn!.combatant).toBe(ash)
  })
  await page.getByTestId(testid.endTurn).click()
  await expectTurn(page, birch)
})

test('a double click on Start does not jump over the first turn', async ({ server, somebody }) => {
  const { table, ash, birch } = await quartet(server, {}, false)
  const { page } = await somebody()
  await page.clock.install()
  await table.open(page, 'gm')
  await expect(page.getByTestId(testid.startCombat)).toBeEnabled()
  await stopTime(page)
  await page.getByTestId(testid.startCombat).click()
  await expectTooSoon(page, testid.next, async () => {
    await expect.poll(() => said(table)).toBe(1)
    expect((await table.view()).turn!.combatant).toBe(ash)
  })
  await page.getByTestId(testid.next).click()
  await expectTurn(page, birch)
})

test('a key that is held down presses a button once, whatever has the focus then', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server, { playersHurt: 'ask' })
  for (let i = 0; i < 3; i++) expect(await table.send({ type: 'damage', combatants: [ash], amount: 5 }, ana.token)).toBeUndefined()
  const { page } = await somebody()
  await table.open(page, 'gm')
  const cards = page.getByTestId(testid.proposals).getByRole('listitem')
  await expect(cards).toHaveCount(3)
  await page.getByTestId(testid.proposals).locator('.accept').first().focus()
  // The first is answered, and the focus goes to the next one, while the key is still down.
  await page.keyboard.down('Enter')
  await expect(cards).toHaveCount(2)
  await expect(page.getByTestId(testid.proposals).locator('.accept').first()).toBeFocused()
  for (let i = 0; i < 30; i++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.getByTestId('talk').fill('held')
  await page.getByTestId('talk').press('Enter')
  await expect.poll(() => said(table)).toBe(1)
  await expect(cards).toHaveCount(2)
  expect((await table.combatant('Ash')).hp!.current).toBe(19)
})

test('over a slow line the game master answers one after the other by keys', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server, { playersHurt: 'ask' })
  for (let i = 0; i < 3; i++) expect(await table.send({ type: 'damage', combatants: [ash], amount: 5 }, ana.token)).toBeUndefined()
  const { page } = await somebody()
  const line = await heldBack(page, 'ack', 'update')
  await table.open(page, 'gm')
  await expect(page.getByTestId(testid.proposals).getByRole('listitem')).toHaveCount(3)
  await line.hold()
  for (const key of ['y', 'y', 'd']) await page.keyboard.press(key)
  const open = async () => Object.values(await table.view()).filter((value) => (value as PendingView).kind === 'proposal').length
  await expect.poll(open).toBe(0)
  expect((await table.combatant('Ash')).hp!.current).toBe(24 - 5 - 5)
  await line.release()
  await expect(page.getByTestId(testid.proposals)).toBeHidden()
})

test('over a slow line a round is declared as quickly as it is pressed', async ({ server, somebody }) => {
  const { table, ana, ash } = await declaring(server)
  const { page } = await somebody(phone)
  const line = await heldBack(page, 'ack', 'update')
  await table.open(page, ana)
  await expect(page.getByTestId(testid.plan(ash))).toBeVisible()
  await line.hold()
  await page.getByTestId(`declare-${ash}-sword`).click()
  await page.getByTestId(`declare-${ash}-other`).selectOption('openDoor')
  await page.getByTestId(`declare-${ash}-sword`).click()
  // That is all there is to spend.
  await expect(page.getByTestId(`declare-${ash}-sword`)).toHaveAttribute('aria-disabled', 'true')
  await page.getByTestId(testid.declareSend(ash)).click()
  const plan = async () => {
    const { declared, plan } = (await table.view())[`combatants/${ash}`] as CombatantView
    return { declared, kinds: plan?.map(({ kind }) => kind) }
  }
  await expect.poll(plan).toEqual({ declared: true, kinds: ['attack', 'openDoor', 'attack'] })
  await line.release()
  await expect(page.getByTestId(testid.withdraw(ash))).toBeVisible()
})
