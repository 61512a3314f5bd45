// The GM sees what the others see, and does nothing there.

import { testid } from '../src/lib/testids'
import { expectLive, expectTurn, quartet } from './table'
import { desk, expect, phone, test, type Page } from './test'

const layer = (page: Page) => page.getByTestId(testid.seen)

async function seeAs(page: Page, as: string): Promise<void> {
  await page.getByTestId(testid.openSeeAs).click()
  await page.getByTestId(testid.seeAsChoice(as)).click()
  await expect(layer(page).getByTestId(testid.connection)).toHaveAttribute('data-status', 'live')
}

for (const [name, screen] of Object.entries({ phone, desk })) {
  test(`the GM sees a seat’s own page, live, with nothing to do on it (${name})`, async ({ server, somebody }) => {
    const { table, ana, ash, birch, cedar } = await quartet(server)
    await table.do({ type: 'addCombatant', name: 'Shade', hidden: true, init: 1 })
    const [gm, player] = [await somebody(screen), await somebody(screen)]
    await table.open(gm.page, 'gm')
    await table.open(player.page, ana)
    await seeAs(gm.page, `seat:${ana.seat}`)
    const seen = layer(gm.page)
    await expect(seen).toContainText('You are seeing what Ana sees.')
    await expect(seen.getByTestId(testid.player)).toBeVisible()
    await expect(seen.getByTestId(testid.character(ash))).toBeVisible()
    const theirs = await player.page.getByTestId(testid.order).innerText()
    await expect(seen.getByTestId(testid.order)).toHaveText(await player.page.getByTestId(testid.order).textContent() ?? '')
    expect(theirs).not.toContain('Shade')

    // All its controls stand there, and none can be used.
    const end = seen.getByTestId(testid.endTurn)
    await expect(end).toBeVisible()
    await expect(end).toBeDisabled()
    expect(await seen.locator('fieldset').locator('button, input, select, textarea').evaluateAll((all) => all.filter((one) => !one.matches(':disabled')).length)).toBe(0)
    await end.click({ force: true })

    // It follows.
    await table.do({ type: 'endTurn', combatant: ash })
    await expect(seen.locator(`[data-testid="${testid.orderRow(birch)}"][data-current="true"]`)).toHaveCount(1)
    await expect(end).toBeHidden()

    // Back to where one was.
    await seen.getByTestId(testid.seenBack).click()
    await expect(seen).toBeHidden()
    await expect(gm.page.getByTestId(testid.openSeeAs)).toBeFocused()
    await expectTurn(gm.page, birch)
    await expect(gm.page.getByTestId(testid.select(cedar))).toBeVisible()
  })
}

test('by keyboard: choose, scroll, and Esc gives the focus back', async ({ server, somebody }) => {
  const { table, ash } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByTestId(testid.openSeeAs).focus()
  await page.keyboard.press('Enter')
  await page.getByTestId(testid.seeAsChoice('spectator')).focus()
  await page.keyboard.press('Enter')
  const seen = layer(page)
  await expect(seen.getByTestId(testid.spectator)).toBeVisible()
  await expect(seen.getByTestId(testid.seenBack)).toBeFocused()
  // The dashboard’s keys are dead under it.
  await page.keyboard.press('n')
  await page.keyboard.press('Tab')
  await expect(seen.getByRole('region', { name: 'What a spectator sees' })).toBeFocused()
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  await expect(seen).toBeHidden()
  await expect(page.getByTestId(testid.openSeeAs)).toBeFocused()
  await expectTurn(page, ash)
})

test('nobody sees that the GM looks; the player link shows the door', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  const [gm, spectator] = [await somebody(), await somebody()]
  await table.open(gm.page, 'gm')
  await table.open(spectator.page, 'spectator')
  await seeAs(gm.page, 'player')
  await expect(layer(gm.page).getByTestId(testid.seatName)).toBeDisabled()
  await expect(layer(gm.page).getByTestId(testid.takeSeat)).toBeDisabled()
  await layer(gm.page).getByTestId(testid.seenBack).click()
  await seeAs(gm.page, 'spectator')
  await layer(gm.page).getByTestId(testid.seenBack).click()
  await gm.page.getByTestId(testid.openSeats).click()
  await expect(gm.page.getByTestId(testid.seats)).toContainText('spectators: 1')
})

test('a seat that is removed meanwhile ends the look', async ({ server, somebody }) => {
  const { table, ana } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await seeAs(page, `seat:${ana.seat}`)
  await table.do({ type: 'removeSeat', seat: ana.seat })
  await expect(layer(page)).toBeHidden()
  await expect(page.getByTestId(testid.notices)).toContainText('Ana is not there any more.')
  await expectLive(page)
})
