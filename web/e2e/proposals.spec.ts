// “I take 7”: proposed with one tap, applied after the game master's.

import { testid } from '../src/lib/testids'
import type { PendingView } from '../src/lib/wire.gen'
import { quartet, type Table } from './table'
import { desk, expect, phone, test, type Page } from './test'

/** The proposals that are open, the oldest first. */
async function proposals(table: Table): Promise<PendingView[]> {
  const view = await table.view()
  return Object.entries(view).filter(([key]) => key.startsWith('pending/')).map(([, value]) => value as PendingView).filter((p) => p.kind === 'proposal')
}

async function take(page: Page, combatant: string, amount: string): Promise<void> {
  const card = page.getByTestId(testid.character(combatant))
  await card.getByTestId(testid.hpInput).fill(amount)
  await card.getByTestId('hp-hurt').click()
  await expect(page.getByTestId(testid.sending)).toHaveCount(0)
  await expect(card.getByTestId(testid.hpInput)).toHaveValue('')
}

for (const [size, screen] of [['a phone', phone], ['a desk', desk]] as const) {
  test(`a player proposes, the game master accepts on ${size}`, async ({ server, somebody }) => {
    const { table, ana, bo, ash } = await quartet(server, { playersHurt: 'ask' })
    const [gm, player, other] = [await somebody(screen), await somebody(phone), await somebody(phone)]
    await table.open(gm.page, 'gm')
    await table.open(player.page, ana)
    await table.open(other.page, bo)

    await take(player.page, ash, '7')
    const [asked] = await proposals(table)
    const id = asked!.id
    await expect(player.page.getByTestId(testid.proposal(id))).toContainText('7 damage to Ash')
    await expect(player.page.getByTestId(testid.proposal(id))).toContainText('waiting for the GM')
    expect((await table.combatant('Ash')).hp!.current).toBe(24)
    await expect(gm.page.getByTestId(testid.proposal(id))).toContainText('Ana')
    await expect(gm.page.getByTestId(testid.proposal(id))).toContainText('7 damage to Ash')
    await gm.page.getByTestId(testid.proposalAccept(id)).click()
    await expect(gm.page.getByTestId(testid.proposals)).toBeHidden()
    await expect(player.page.getByTestId(testid.proposal(id))).toBeHidden()
    await expect(player.page.getByTestId(testid.character(ash))).toContainText('17')
    await expect(other.page.getByTestId(testid.player)).toBeVisible()
    await expect(other.page.getByText('waiting for the GM')).toBeHidden()

    // The step back has a name, and gives the question back.
    await gm.page.getByTestId(testid.undo).click()
    await expect(gm.page.getByTestId(testid.proposal(id))).toBeVisible()
    await expect(player.page.getByTestId(testid.proposal(id))).toBeVisible()
    expect((await table.combatant('Ash')).hp!.current).toBe(24)
    await gm.page.getByTestId(testid.proposalDismiss(id)).click()
    await expect(player.page.getByTestId(testid.proposal(id))).toBeHidden()
  })
}

test('the player takes it back, and turns go on meanwhile', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server, { playersHurt: 'ask' })
  const { page } = await somebody(phone)
  await table.open(page, ana)
  await take(page, ash, '3')
  const [asked] = await proposals(table)
  await page.getByTestId(testid.endTurn).click()
  await expect(page.getByTestId(testid.endTurn)).toBeHidden()
  await page.getByTestId(testid.proposalWithdraw(asked!.id)).click()
  await expect(page.getByTestId(testid.proposal(asked!.id))).toBeHidden()
  expect(await proposals(table)).toEqual([])
})

test('two game masters answer; all at once is one tap; the focus stays on the page', async ({ server, somebody }) => {
  const { table, ana, bo, ash, birch } = await quartet(server, { playersHurt: 'ask' })
  const [one, two] = [await somebody(), await somebody(phone)]
  await table.open(one.page, 'gm')
  await table.open(two.page, 'gm')
  await table.send({ type: 'damage', combatants: [ash], amount: 5 }, ana.token)
  await table.send({ type: 'heal', combatants: [ash], amount: 2 }, ana.token)
  await table.send({ type: 'addEffect', combatants: [birch], name: 'prone' }, bo.token)
  const open = await proposals(table)
  const first = open.find((p) => p.command?.type === 'damage')!
  await one.page.getByTestId(testid.proposalAccept(first.id)).focus()
  await two.page.getByTestId(testid.proposalAccept(first.id)).click()
  await expect(one.page.getByTestId(testid.proposal(first.id))).toBeHidden()
  await expect(one.page.getByTestId(testid.proposals).locator('.accept').first()).toBeFocused()
  await one.page.getByTestId(testid.proposalAcceptAll).click()
  await expect(one.page.getByTestId(testid.proposals)).toBeHidden()
  await expect(two.page.getByTestId(testid.proposals)).toBeHidden()
  expect((await table.combatant('Ash')).hp!.current).toBe(21)
  expect((await table.combatant('Birch')).conditions).toEqual(['prone'])
})

test('a ninth is not offered until one is answered', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server, { playersHurt: 'ask' })
  const { page } = await somebody(phone)
  await table.open(page, ana)
  for (let n = 0; n < 8; n++) expect(await table.send({ type: 'heal', combatants: [ash], amount: 1 + n }, ana.token)).toBeUndefined()
  const card = page.getByTestId(testid.character(ash))
  await card.getByTestId(testid.hpInput).fill('9')
  await expect(card.getByTestId('hp-hurt')).toHaveAttribute('aria-disabled', 'true')
  await page.getByTestId(testid.proposalWithdraw((await proposals(table))[0]!.id)).click()
  await expect(card.getByTestId('hp-hurt')).toHaveAttribute('aria-disabled', 'false')
  await expect(card.getByTestId(testid.hpInput)).toHaveValue('9')
})
