// Who sits where, as the game master sets it, and links that are replaced.

import { testid } from '../src/lib/testids'
import { quartet } from './table'
import { desk, expect, phone, test } from './test'

for (const [size, screen] of [['a desk', desk], ['a phone', phone]] as const) {
  test(`a seat gets a combatant, loses it, and is removed, on ${size}`, async ({ server, somebody }) => {
    const { table, ana, bo, ash, cedar } = await quartet(server)
    const [{ page }, player] = [await somebody(screen), await somebody(phone)]
    await table.open(page, 'gm')
    await table.open(player.page, ana)
    const share = page.getByTestId(testid.share)
    if (screen === phone) await page.getByTestId(testid.openMenu).click()
    await page.getByTestId(testid.openShare).click()
    const seat = share.getByTestId(`seat-${ana.seat}`)
    await expect(seat.getByText('here', { exact: true })).toBeVisible()

    await seat.getByRole('combobox').selectOption({ label: 'Cedar' })
    await expect(seat.getByRole('button', { name: /Cedar/ })).toBeVisible()
    // The list is for the next one again, and no longer has what is given away.
    await expect(seat.getByRole('combobox')).toHaveValue('')
    await expect(seat.getByRole('combobox').getByRole('option', { name: 'Cedar' })).toHaveCount(0)
    await expect(player.page.getByTestId(testid.character(cedar))).toBeVisible()
    await seat.getByRole('button', { name: /Cedar/ }).click()
    await expect(player.page.getByTestId(testid.character(cedar))).toBeHidden()
    await expect(player.page.getByTestId(testid.character(ash))).toBeVisible()

    await seat.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(seat).toBeVisible()
    await seat.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByTestId(testid.confirm).click()
    await expect(seat).toBeHidden()
    await expect(share.getByTestId(`seat-${bo.seat}`)).toBeVisible()
    await expect(player.page.getByTestId(testid.ended)).toBeVisible()
    // Whom it played stays in the fight.
    expect((await table.combatant('Ash')).seat).toBeUndefined()
  })

  test(`a link that is replaced opens nothing any more, and the new one does, on ${size}`, async ({ server, somebody }) => {
    const { table } = await quartet(server)
    const [{ page }, old, late] = [await somebody(screen), await somebody(phone), await somebody(phone)]
    await table.open(page, 'gm')
    await table.open(old.page, 'spectator')
    if (screen === phone) await page.getByTestId(testid.openMenu).click()
    await page.getByTestId(testid.openShare).click()
    await page.getByTestId(testid.replaceLink('spectator')).click()
    await page.getByTestId(testid.confirm).click()
    const link = page.getByTestId(testid.share).getByTestId(testid.linkSpectator)
    await expect(link).toHaveValue(/#/)
    expect(await link.inputValue()).not.toBe(table.link('spectator'))
    await expect(page.getByRole('img', { name: 'QR code: Spectator link' })).toBeVisible()
    await expect(old.page.getByTestId(testid.ended)).toBeVisible()
    await old.page.reload()
    await expect(old.page.getByTestId(testid.ended)).toBeVisible()
    await late.page.goto(await link.inputValue())
    await expect(late.page.getByTestId(testid.spectator)).toBeVisible()
  })
}
