import { testid } from '../src/lib/testids'
import { heldBack } from './heldback'
import { expectTurn, quartet } from './table'
import { expect, phone, test, type Page } from './test'

/** Holds a key down as a hand does, with the repeats of two seconds. */
async function hold(page: Page, key: string): Promise<void> {
  for (let i = 0; i < 60; i++) await page.keyboard.down(key)
  await page.keyboard.up(key)
}

/** Waits until everything the page has sent is answered: what it says now comes behind it on the same socket. */
async function settle(page: Page, words: string): Promise<void> {
  await page.getByTestId('talk').fill(words)
  await page.getByTestId('talk').press('Enter')
  await expect(page.getByTestId(testid.log)).toContainText(words)
}

test('a key held down ends one turn, not one turn after the other (B50)', async ({ server, somebody }) => {
  const { table, ash, birch, cedar } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await expectTurn(page, ash)
  await expect(page.getByTestId(testid.next)).toBeEnabled()
  await page.getByTestId(testid.next).focus()
  await hold(page, 'Enter')
  await expectTurn(page, birch)
  await settle(page, 'held Enter')
  await expectTurn(page, birch)

  // Elsewhere on the page N does the same.
  await page.getByTestId(testid.log).focus()
  await expect(page.getByTestId(testid.next)).not.toHaveAttribute('aria-disabled', 'true')
  await hold(page, 'n')
  await expectTurn(page, cedar)
  await settle(page, 'held N')
  await expectTurn(page, cedar)
})

test("nobody's key ends another's turn (B44)", async ({ server, somebody }) => {
  const { table, ana, bo, birch, cedar } = await quartet(server)
  const idle = await table.seat('Eve')
  await table.do({ type: 'endTurn' })
  const frame = (await table.view()).stack![0]!.frame
  for (const role of [ana, idle, 'spectator'] as const) {
    const { page } = await somebody(role === 'spectator' ? undefined : phone)
    await table.open(page, role)
    await expectTurn(page, birch)
    await expect(page.getByTestId(testid.endTurn)).toBeHidden()
    await expect(page.getByTestId(testid.next)).toBeHidden()
    await page.locator('body').click({ position: { x: 1, y: 1 } })
    for (const key of ['n', 'ArrowRight', 'Enter', 'b', 'r', ' ', 'Escape']) await page.keyboard.press(key)
    const token = role === 'spectator' ? table.encounter.tokens.spectator! : role.token
    expect(await table.send({ type: 'endTurn', combatant: birch, frame }, token)).toMatch(/^(not_yours|not_your_turn|forbidden)$/)
    await expectTurn(page, birch)
  }
  expect((await table.view()).turn!.combatant).toBe(birch)

  const { page } = await somebody(phone)
  await table.open(page, bo)
  await expect(page.getByTestId(testid.endTurn)).toBeEnabled()
  await page.getByTestId(testid.endTurn).focus()
  await page.keyboard.press('Enter')
  await expectTurn(page, cedar)
})

test('Y and D answer the open question first, and then what players propose', async ({ server, somebody }) => {
  const { table, ana, ash, birch } = await quartet(server, { playersHurt: 'ask', reactionWindows: 'ask', reactionSeconds: '0' })
  const { page } = await somebody()
  await table.open(page, 'gm')
  for (const amount of [5, 2]) expect(await table.send({ type: 'damage', combatants: [ash], amount }, ana.token)).toBeUndefined()
  await table.do({ type: 'endTurn' }, { type: 'act', combatant: birch, kind: 'attack', targets: [ash], attack: { total: 16, damage: '9' } })
  await expect(page.getByTestId(testid.proposals).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByTestId(testid.window)).toBeVisible()

  await page.keyboard.press('y')
  await expect(page.getByTestId(testid.window)).toBeHidden()
  await expect(page.getByTestId(testid.log)).toContainText('Shield')
  await expect(page.getByTestId(testid.proposals).getByRole('listitem')).toHaveCount(2)
  const before = (await table.combatant('Ash')).hp!.current!
  await page.keyboard.press('y')
  await expect(page.getByTestId(testid.proposals).getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('d')
  await expect(page.getByTestId(testid.proposals)).toBeHidden()
  expect((await table.combatant('Ash')).hp!.current).toBe(before - 5)
})

test('S opens what others see; from there to another and back by keys', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await expectTurn(page, ash)
  const choose = async (as: string) => {
    await page.keyboard.press('s')
    await expect(page.getByTestId(testid.seeAs)).toBeVisible()
    // The cross, then the choices.
    const all = await page.getByTestId(testid.seeAs).locator('button').evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset.testid))
    for (let i = 0; i <= all.indexOf(testid.seeAsChoice(as)); i++) await page.keyboard.press('Tab')
    await expect(page.getByTestId(testid.seeAsChoice(as))).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await choose(`seat:${ana.seat}`)
  await expect(page.getByTestId(testid.seen).getByTestId(testid.player)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId(testid.seen)).toBeHidden()
  // The desk has the keys again once it has the focus.
  await expect(page.getByTestId(testid.openSeeAs)).toBeFocused()
  await choose('spectator')
  await expect(page.getByTestId(testid.seen).getByTestId(testid.spectator)).toBeVisible()
  await expect(page.getByTestId(testid.seenBack)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId(testid.seen)).toBeHidden()
  await expect(page.getByTestId(testid.openSeeAs)).toBeFocused()
  // The desk's keys work again.
  await page.keyboard.press('?')
  await expect(page.getByTestId(testid.keys)).toBeVisible()
})

test('on a slow line nothing pressed is lost: what is sent next does not wait for the answer to what was sent before', async ({ server, somebody }) => {
  const { table, ash, birch } = await quartet(server)
  const { page } = await somebody()
  const line = await heldBack(page, 'ack', 'update')
  await table.open(page, 'gm')
  await expectTurn(page, ash)
  await page.keyboard.press('j')
  await line.hold()
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  // Pressed twice, it ends one turn: it means the one that is seen.
  await page.keyboard.press('n')
  await expect.poll(async () => (await table.view()).turn!.combatant).toBe(birch)
  await page.keyboard.press('b')
  await expect.poll(async () => (await table.view()).turn!.combatant).toBe(ash)
  expect((await table.combatant('Ash')).hp!.current).toBe(17)
  await line.release()
  await expect(page.getByTestId(testid.orderRow(ash))).toContainText('17')
  await expectTurn(page, ash)
})

test('what is typed after Enter is new, however late the answer to what was sent comes', async ({ server, somebody }) => {
  const { table, cedar, dune } = await quartet(server)
  const { page } = await somebody()
  const line = await heldBack(page, 'ack', 'update')
  await table.open(page, 'gm')
  await page.getByTestId(testid.select(cedar)).check()
  await line.hold()
  const field = page.getByTestId(testid.hpInput)
  await field.focus()
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('')
  await page.keyboard.press('ArrowDown')
  for (let hits = 0; hits < 2; hits++) {
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
  }
  await page.getByTestId('talk').focus()
  for (const words of ['Run', 'Now', 'Now']) {
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
  }
  const hp = async (name: string) => (await table.combatant(name)).hp!.current
  await expect.poll(() => hp('Cedar')).toBe(23)
  await expect.poll(() => hp('Dune')).toBe(20)
  await expect.poll(async () => (await table.log()).flatMap(({ event }) => (event.type === 'said' ? [event.text] : []))).toEqual(['Run', 'Now', 'Now'])
  await line.release()
  await expect(page.getByTestId(testid.orderRow(dune))).toContainText('20')
})

test('a dialog has the keys, also when what had the focus in it is gone', async ({ server, somebody }) => {
  const { table, ash } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByTestId(testid.openSeats).click()
  const seats = page.getByTestId(testid.seats)
  await seats.getByRole('button', { name: 'Remove' }).last().click()
  await page.getByTestId(testid.confirm).click()
  await expect(seats.getByRole('button', { name: 'Remove' })).toHaveCount(1)
  // Nothing under it is meant.
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  await expect(seats).toBeHidden()
  await settle(page, 'no turn ended')
  await expectTurn(page, ash)
})
