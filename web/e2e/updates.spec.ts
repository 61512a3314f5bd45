// What an update may do to somebody who is in the middle of something.

import { testid } from '../src/lib/testids'
import { expectTurn, quartet } from './table'
import { expect, phone, test, type Page } from './test'

/** Where the focus is, what stands there, and where in it the caret is. */
function focused(page: Page): Promise<{ id: string | undefined; value: string; caret: number | null }> {
  return page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement
    return { id: field.dataset.testid, value: field.value, caret: field.selectionStart }
  })
}

test('updates leave the focus, the caret and what is typed alone (B81)', async ({ server, somebody }) => {
  const { table, ash, cedar, dune } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByTestId(testid.select(cedar)).check()
  await page.getByTestId(testid.hpInput).focus()
  await page.keyboard.press('1')
  await table.do(
    { type: 'damage', combatants: [ash], amount: 3 },
    { type: 'reorder', order: [dune, cedar] },
    { type: 'damage', combatants: [cedar], amount: 2 },
  )
  await expect(page.getByTestId(testid.orderRow(cedar))).toContainText('28')
  expect(await focused(page)).toEqual({ id: testid.hpInput, value: '1', caret: 1 })
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId(testid.orderRow(cedar))).toContainText('16')
  expect((await table.combatant('Cedar')).hp!.current).toBe(16)
})

test('whose turn it is is read out, wherever the focus is; a hidden one never is (B80)', async ({ server, somebody }) => {
  const { table, ana, bo, ash, birch } = await quartet(server)
  await table.do({ type: 'addCombatant', name: 'Shade', hidden: true, init: 1 })
  const [gm, player, next] = [await somebody(), await somebody(phone), await somebody(phone)]
  await table.open(gm.page, 'gm')
  await table.open(player.page, ana)
  await table.open(next.page, bo)
  const polite = player.page.getByTestId(testid.announcer)
  const now = next.page.getByTestId(testid.announcerNow)
  await expect(polite).toHaveAttribute('aria-live', 'polite')
  await expect(now).toHaveAttribute('aria-live', 'assertive')
  // Readers follow only a region that was there before, so it must stay the same element.
  const region = await polite.elementHandle()
  await player.page.evaluate((node) => {
    const heard: string[] = []
    Object.assign(window, { heard })
    new MutationObserver(() => heard.push(node!.textContent ?? '')).observe(node!, { childList: true, characterData: true, subtree: true })
  }, region)

  const focuses = [
    () => player.page.getByTestId('talk').focus(),
    () => player.page.locator('body').click({ position: { x: 1, y: 1 } }),
  ]
  for (const focus of focuses) {
    await focus()
    await table.do({ type: 'setActive', combatant: birch }, { type: 'damage', combatants: [ash], amount: 1 })
    await expect(polite).toHaveText(/Birch.*round 1/i)
    await expect(now).toContainText('Birch')
    await table.do({ type: 'setActive', combatant: ash })
    await expect(polite).toHaveText(/Ash.*round 1/i)
    await expect(now).toHaveText('')
  }
  const heard = () => player.page.evaluate(() => (window as unknown as { heard: string[] }).heard)
  expect((await heard()).filter((text) => text.includes('Birch'))).toHaveLength(2)

  await table.do({ type: 'setActive', combatant: (await table.combatant('Shade')).id })
  await expect(gm.page.getByTestId(testid.announcer)).toContainText('Shade')
  await table.do({ type: 'setActive', combatant: birch })
  await expectTurn(player.page, birch)
  expect((await heard()).join()).not.toContain('Shade')
  expect(await region!.evaluate((node) => node.isConnected)).toBe(true)
})

test('a newcomer without numbers is shown whatever the display options say (B86)', async ({ server, somebody }) => {
  const { table, ana } = await quartet(server)
  const { page } = await somebody(phone)
  await table.open(page, ana)
  const shown: Record<string, string>[] = [
    { npcHp: 'exact', pcHp: 'exact', npcAc: 'yes' },
    { npcHp: 'band', pcHp: 'band', npcAc: 'no' },
    { npcHp: 'none', pcHp: 'none', npcAc: 'no' },
  ]
  for (const [i, options] of shown.entries()) {
    await table.do({ type: 'setOptions', options }, { type: 'addCombatant', name: `Echo ${i}`, side: 'foes' })
    await expect(page.getByTestId(testid.order).getByText(`Echo ${i}`, { exact: true })).toBeVisible()
  }
  const before = await page.getByTestId(testid.order).innerText()
  await page.reload()
  await expect(page.getByTestId(testid.order).getByText('Echo 2', { exact: true })).toBeVisible()
  await expect.poll(() => page.getByTestId(testid.order).innerText()).toBe(before)
})

test('a reset clears every screen (B84)', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server)
  await table.do({ type: 'addEffect', combatants: [ash], name: 'stunned' })
  const people = [await somebody(), await somebody(phone), await somebody()]
  for (const [i, role] of (['gm', ana, 'spectator'] as const).entries()) {
    await table.open(people[i]!.page, role)
    await expect(people[i]!.page.getByTestId(testid.orderRow(ash))).toContainText('Stunned')
  }
  await table.do({ type: 'resetCombat' })
  for (const { page } of people) {
    await expect(page.getByTestId(testid.orderRow(ash))).not.toContainText('Stunned')
    await expect(page.locator('[data-testid^="order-row-"][data-current="true"]')).toHaveCount(0)
    await expect(page.getByTestId(testid.stack)).toBeHidden()
  }
})
