// A fight under Starfinder as four people have it before them: a surprise round,
// a turn in three parts, a delay and a readied action, both of which move the
// count.

import { testid } from '../src/lib/testids'
import { create, gather, typeInitiative } from './pages'
import { expectOrder, expectStack, expectTurn } from './table'
import { expect, phone, test, type Page } from './test'

/** Waits until one of a player's own has this much left of a turn. */
async function expectLeft(page: Page, id: string, left: { standard: number; move: number; swift: number }): Promise<void> {
  for (const [pool, n] of Object.entries(left)) {
    await expect(page.getByTestId(testid.character(id))).toContainText(`${pool} action: ${n} of 1`, { ignoreCase: true })
  }
}

/** Chooses whom a deed is aimed at. */
async function aim(page: Page, name: string): Promise<void> {
  await page.getByTestId(testid.deedDialog).getByRole('button', { name, exact: true }).click()
}

/** Fills in an attack whose outcome the table knows. */
async function strike(page: Page, mode: 'hit' | 'miss', damage = ''): Promise<void> {
  await page.getByTestId('attack-mode-verdict').click()
  await page.getByTestId(`attack-${mode}`).click()
  if (damage) await page.getByTestId('attack-damage').fill(damage)
  await page.getByTestId(testid.deedSend).click()
  await expect(page.getByTestId(testid.deedDialog)).toBeHidden()
}

test('a fight at four screens: a surprise round, a turn in parts, a delay, a readied shot', async ({ somebody }) => {
  const [gm, ana, bo, eve] = [await somebody(), await somebody(phone), await somebody(phone), await somebody()]
  const pages = [gm.page, ana.page, bo.page, eve.page]
  const everybody = (check: (page: Page) => Promise<void>) => Promise.all(pages.map(check))
  const expectRound = (round: string) => everybody((page) => expect(page.getByTestId(testid.round)).toHaveText(round))
  let ash = '', birch = '', cedar = '', dune = ''

  await test.step('Birch and Dune are surprised', async () => {
    const links = await create(gm.page, 'The airlock', 'starfinder')
    ;({ ash, birch, cedar, dune } = await gather(links, { gm, ana, bo, eve }, {
      Cedar: { hp: '30', ac: '13' },
      Dune: { hp: '30', ac: '13' },
      Ash: { hp: '24', ac: '15' },
      Birch: { hp: '24', ac: '14' },
    }))
    for (const [id, count] of [[ash, '18'], [birch, '15'], [cedar, '12'], [dune, '9']] as const) await typeInitiative(gm.page, id, count)
    await gm.page.getByTestId(testid.select(birch)).check()
    await gm.page.getByTestId(testid.select(dune)).check()
    await gm.page.getByTestId(testid.surprise).click()
    await everybody((page) => expect(page.getByTestId(testid.orderRow(dune))).toContainText('surprised'))
    await gm.page.keyboard.press('Escape')
    await gm.page.getByTestId(testid.startCombat).click()
  })

  await test.step('the surprise round: the others, and less of a turn', async () => {
    await expectRound('Surprise round')
    await everybody((page) => expectOrder(page, '18 Ash', '12 Cedar'))
    await everybody((page) => expectTurn(page, ash))
    await expect(ana.page.getByTestId(testid.action('fullAttack'))).toHaveCount(0)
    // The surprised are flat-footed, two easier to hit: 12 is enough against 13.
    await expect(bo.page.getByTestId(testid.character(birch))).toContainText('AC 12')
    await ana.page.getByTestId(testid.action('attack')).click()
    await aim(ana.page, 'Dune')
    await ana.page.getByTestId('attack-mode-total').click()
    await ana.page.getByTestId('attack-total').fill('12')
    await ana.page.getByTestId('attack-damage').fill('3')
    await ana.page.getByTestId(testid.deedSend).click()
    await expect(gm.page.getByTestId(testid.orderRow(dune))).toContainText('27/30')
    // A standard action or a move action, not both.
    await expectLeft(ana.page, ash, { standard: 0, move: 0, swift: 1 })
    await ana.page.getByTestId(testid.endTurn).click()
    await everybody((page) => expectTurn(page, cedar))
    await gm.page.getByTestId(testid.next).click()
    await expectRound('Round 1')
    await everybody((page) => expectOrder(page, '18 Ash', '15 Birch', '12 Cedar', '9 Dune'))
  })

  await test.step('Ash delays; Birch acts, and is not flat-footed any more', async () => {
    await everybody((page) => expectTurn(page, ash))
    await expectLeft(ana.page, ash, { standard: 1, move: 1, swift: 1 })
    await ana.page.getByTestId(testid.delay).click()
    await everybody((page) => expectTurn(page, birch))
    await everybody((page) => expect(page.getByTestId(testid.orderRow(ash))).toContainText('delays'))
    await expect(bo.page.getByTestId(testid.character(birch))).toContainText('AC 12')
    await bo.page.getByTestId(testid.action('drawWeapon')).click()
    await expectLeft(bo.page, birch, { standard: 1, move: 0, swift: 1 })
    await expect(bo.page.getByTestId(testid.character(birch))).toContainText('AC 14')
    await everybody((page) => expect(page.getByTestId(testid.orderRow(birch))).not.toContainText('surprised'))
  })

  await test.step('Birch readies a shot; Ash comes back after its turn, at its count', async () => {
    await bo.page.getByTestId(testid.ready).click()
    await bo.page.getByTestId('deed-kind').selectOption('attack')
    await bo.page.getByTestId('deed-trigger').fill('Cedar shoots')
    await aim(bo.page, 'Cedar')
    await bo.page.getByTestId(testid.deedSend).click()
    await expectLeft(bo.page, birch, { standard: 0, move: 0, swift: 1 })
    // The way back is under the thumb, and nowhere else.
    await expect(ana.page.getByTestId(testid.character(ash)).getByTestId(testid.returnFromDelay)).toHaveCount(0)
    const back = ana.page.locator('footer').getByTestId(testid.returnFromDelay)
    await expect(back).toBeInViewport({ ratio: 1 })
    await back.click()
    // It has said so before Birch's turn is over.
    await expect(back).toBeHidden()
    await bo.page.getByTestId(testid.endTurn).click()
    await everybody((page) => expectTurn(page, ash))
    await everybody((page) => expectOrder(page, '15 Birch', '15 Ash', '12 Cedar', '9 Dune'))
  })

  await test.step('a full attack takes the whole turn', async () => {
    await ana.page.getByTestId(testid.action('fullAttack')).click()
    await aim(ana.page, 'Cedar')
    await strike(ana.page, 'hit', '4')
    await expectLeft(ana.page, ash, { standard: 0, move: 0, swift: 0 })
    await expect(gm.page.getByTestId(testid.orderRow(cedar))).toContainText('26/30')
    await ana.page.getByTestId(testid.endTurn).click()
    await everybody((page) => expectTurn(page, cedar))
  })

  await test.step('Cedar shoots, the readied shot breaks in, and its count is Cedar’s from now on', async () => {
    await gm.page.getByTestId(testid.action('attack')).click()
    await aim(gm.page, 'Birch')
    await strike(gm.page, 'miss')
    const happen = bo.page.locator('footer').getByTestId(testid.release)
    await expect(happen).toBeInViewport({ ratio: 1 })
    await expect(happen).toContainText('Attack')
    await happen.click()
    await bo.page.getByTestId('deed-done').uncheck()
    await strike(bo.page, 'hit', '5')
    await everybody((page) => expectStack(page, cedar, birch))
    await expect(gm.page.getByTestId(testid.orderRow(cedar))).toContainText('21/30')
    await bo.page.getByTestId(testid.endTurn).click()
    await everybody((page) => expectStack(page, cedar))
    await everybody((page) => expectOrder(page, '15 Ash', '12 Birch', '12 Cedar', '9 Dune'))
    await gm.page.getByTestId(testid.next).click()
    await everybody((page) => expectTurn(page, dune))
    await gm.page.getByTestId(testid.next).click()
    await expectRound('Round 2')
    await everybody((page) => expectTurn(page, ash))
  })

  await test.step('flat-footed by the game master’s word: shown, and counted', async () => {
    await gm.page.getByTestId(testid.select(birch)).check()
    await gm.page.getByTestId(testid.openEffects).click()
    await gm.page.getByTestId('put-flat-footed').click()
    await everybody((page) => expect(page.getByTestId(testid.orderRow(birch))).toContainText('Flat-footed'))
    await expect(bo.page.getByTestId(testid.character(birch))).toContainText('AC 12')
  })
})
