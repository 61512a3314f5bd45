import { testid } from '../src/lib/testids'
import { expectAccessible } from './axe'
import { quartet, type Quartet } from './table'
import { expect, phone, test } from './test'

/** Three frames stand, and the next question is open. */
async function interrupted({ table, ash, cedar }: Quartet): Promise<void> {
  await table.do(
    { type: 'addEffect', combatants: [ash], name: 'poisoned', until: { at: 'rounds', rounds: 3 } },
    { type: 'move', combatant: ash, feet: 10, leavesReachOf: [cedar] },
    { type: 'react', combatant: cedar, kind: 'opportunityAttack', targets: [ash], attack: { total: 17, damage: '5' } },
  )
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test('the start page and the way in', async ({ server, somebody }) => {
      const { page } = await somebody({ colorScheme })
      await page.goto('/')
      await expectAccessible(page, 'start')
      await page.getByTestId(testid.create).click()
      await expect(page.getByTestId(testid.openDashboard)).toBeVisible()
      await expectAccessible(page, 'created')
      const { table } = await quartet(server)
      await table.open(page, 'player')
      await expect(page.getByTestId(testid.seatForm)).toBeVisible()
      await expectAccessible(page, 'join')
    })

    test('the game master’s page and its dialogs', async ({ server, somebody }) => {
      const four = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' }, false)
      const { page } = await somebody({ colorScheme, viewport: { width: 1440, height: 900 } })
      await four.table.open(page, 'gm')
      await expectAccessible(page, 'set-up')
      for (const [button, dialog] of [
        [testid.openShare, testid.share],
        [testid.openSeats, testid.seats],
        [testid.openOptions, testid.options],
        [testid.openKeys, testid.keys],
        [testid.openAddForm, testid.addForm],
      ] as const) {
        await page.getByTestId(button).click()
        await expect(page.getByTestId(dialog)).toBeVisible()
        await expectAccessible(page, dialog)
        await page.keyboard.press('Escape')
        await expect(page.getByTestId(dialog)).toBeHidden()
      }
      await four.table.do({ type: 'startCombat' })
      await interrupted(four)
      await expect(page.getByTestId(testid.window)).toBeVisible()
      await page.getByTestId(testid.select(four.cedar)).check()
      await expectAccessible(page, 'fight')
    })

    test('a player’s, a spectator’s and the overlay', async ({ server, somebody }) => {
      const four = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0', turnSeconds: '600' })
      const player = await somebody({ ...phone, colorScheme })
      await four.table.open(player.page, four.ana)
      await expectAccessible(player.page, 'turn')
      await player.page.getByTestId(testid.move).click()
      await expect(player.page.getByTestId('move-dialog')).toBeVisible()
      await expectAccessible(player.page, 'move')
      await player.page.keyboard.press('Escape')
      await expect(player.page.getByTestId('move-dialog')).toBeHidden()
      await interrupted(four)
      await expect(player.page.getByTestId(testid.reactPrompt)).toBeVisible()
      await expectAccessible(player.page, 'prompt')
      const spectator = await somebody({ colorScheme })
      await four.table.open(spectator.page, 'spectator')
      await expect(spectator.page.getByTestId(testid.stack)).toBeVisible()
      await expectAccessible(spectator.page, 'spectator')
      await four.table.open(spectator.page, 'spectator', 'overlay')
      await expect(spectator.page.getByTestId(testid.overlay)).toContainText('Ash')
      await expectAccessible(spectator.page, 'overlay')
    })
  })
}
