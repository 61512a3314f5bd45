// One whole fight as four people have it before them: the game master, two
// players on their phones and a spectator. Everything is done on the pages.

import { testid } from '../src/lib/testids'
import { create, idOf, quickAdd, setOptions, sit, typeDie, typeInitiative } from './pages'
import { expectLive, expectStack, expectTurn } from './table'
import { expect, phone, test, type Page } from './test'

test('a fight at four screens: surprise, an interrupt of an interrupt, a crash, an undo, and a secret kept', async ({ server, somebody }) => {
  const [gm, ana, bo, eve] = [await somebody(), await somebody(phone), await somebody(phone), await somebody()]
  const pages = [gm.page, ana.page, bo.page, eve.page]
  const everybody = (check: (page: Page) => Promise<void>) => Promise.all(pages.map(check))
  let ash = '', birch = '', goblin1 = '', goblin2 = '', shade = ''

  await test.step('the game master makes the encounter and sets it up', async () => {
    const links = await create(gm.page, 'The bridge')
    await setOptions(gm.page, { reactionWindows: 'ask', reactionSeconds: '0' })

    await quickAdd(gm.page, 'Goblin x2 init+2 hp7 ac15')
    await quickAdd(gm.page, 'Shade hidden hp4417')
    await quickAdd(gm.page, 'Birch pc init+1 hp24 ac14')
    goblin1 = await idOf(gm.page, 'Goblin 1')
    goblin2 = await idOf(gm.page, 'Goblin 2')
    shade = await idOf(gm.page, 'Shade')

    await sit(ana.page, links.player, 'Ana')
    await sit(bo.page, links.player, 'Bo')
    await eve.page.goto(links.spectator)
    await expectLive(eve.page)
  })

  await test.step('the players add and claim their characters', async () => {
    await ana.page.getByTestId('add-character').click()
    await ana.page.getByTestId('sheet-name').fill('Ash')
    await ana.page.getByTestId('sheet-hp').fill('24')
    await ana.page.getByTestId('sheet-ac').fill('15')
    await ana.page.getByPlaceholder('shield, counterspell').fill('shield')
    await ana.page.getByTestId('sheet-send').click()
    await expect(ana.page.getByTestId(testid.addForm)).toBeHidden()
    ash = await idOf(gm.page, 'Ash')
    birch = await idOf(gm.page, 'Birch')
    await bo.page.getByTestId(testid.claim(birch)).click()
    await expect(bo.page.getByTestId(testid.character(birch))).toBeVisible()
  })

  await test.step('one side is surprised, and everybody has initiative', async () => {
    await gm.page.getByTestId(testid.select(goblin1)).check()
    await gm.page.getByTestId(testid.select(goblin2)).check()
    await gm.page.getByTestId(testid.surprise).click()
    await everybody((page) => expect(page.getByTestId(testid.orderRow(goblin2))).toContainText('surprised'))
    await gm.page.keyboard.press('Escape')
    await typeDie(ana.page, ash, '18')
    await typeDie(bo.page, birch, '14')
    await gm.page.getByTestId(testid.rollNPCs).click()
    await expect(gm.page.getByTestId(testid.initiative(shade))).not.toHaveValue('')
    await typeInitiative(gm.page, goblin1, '12') // both goblins: those of one kind share a count
    await typeInitiative(gm.page, shade, '1')
    await expect(gm.page.getByTestId(testid.initiative(goblin2))).toHaveValue('12')
    await gm.page.getByTestId(testid.startCombat).click()
    await everybody((page) => expectTurn(page, ash))
  })

  await test.step('round 1: each ends their own turns, and the surprised cannot act in theirs', async () => {
    await expect(gm.page.getByTestId(testid.orderRow(goblin1))).toContainText('surprised')
    await ana.page.getByTestId(testid.endTurn).click()
    await everybody((page) => expectTurn(page, birch))
    await bo.page.getByTestId(testid.endTurn).click()
    // The turns of the surprised pass with nothing done in them.
    await expectTurn(gm.page, shade)
    await gm.page.getByTestId(testid.next).click()
    await everybody((page) => expectTurn(page, ash))
    await everybody((page) => expect(page.getByTestId(testid.orderRow(goblin1))).not.toContainText('surprised'))
  })

  await test.step('Ash moves, a goblin breaks in, Ash answers it: three frames stand', async () => {
    await ana.page.getByTestId(testid.move).click()
    await ana.page.getByTestId(testid.target(goblin1)).click()
    await ana.page.getByTestId('move-send').click()
    await everybody((page) => expect(page.getByTestId(testid.window)).toBeVisible())

    const asked = gm.page.locator(`[data-testid="${testid.reactPrompt}"][data-combatant="${goblin1}"]`)
    await asked.getByTestId(testid.reactButton).click()
    await gm.page.getByTestId('attack-mode-total').click()
    await gm.page.getByTestId('attack-total').fill('17')
    await gm.page.getByTestId('attack-damage').fill('5')
    await gm.page.getByTestId('deed-done').uncheck()
    await gm.page.getByTestId(testid.deedSend).click()
    await everybody((page) => expectStack(page, ash, goblin1))

    await ana.page.getByRole('button', { name: 'Another reaction' }).click()
    await ana.page.getByTestId('deed-kind').selectOption('shield')
    await ana.page.getByTestId('deed-done').uncheck()
    await ana.page.getByTestId(testid.deedSend).click()
    await everybody((page) => expectStack(page, ash, goblin1, ash))
  })

  await test.step('a reload in the middle of it changes nothing', async () => {
    for (const page of pages) await page.reload()
    await everybody(expectLive)
    await everybody((page) => expectStack(page, ash, goblin1, ash))
  })

  await test.step('the server dies in the middle of it, comes back, and so does every page by itself', async () => {
    await server.kill()
    await everybody((page) => expect(page.getByTestId(testid.connection)).not.toHaveAttribute('data-status', 'live'))
    await server.start()
    await everybody(expectLive)
    await everybody((page) => expectStack(page, ash, goblin1, ash))
  })

  await test.step('each frame ends, and what was under it goes on', async () => {
    await ana.page.getByTestId(testid.endTurn).click()
    await everybody((page) => expectStack(page, ash, goblin1))
    await gm.page.getByTestId(testid.next).click()
    await everybody((page) => expectStack(page, ash))
    // The shield counted against the very attack it answered.
    await expect(ana.page.getByTestId(testid.character(ash))).toContainText('24/24')
    await expect(ana.page.getByTestId(testid.orderRow(ash))).toContainText('Shield')
  })

  await test.step('the whole exchange is taken back, step by step', async () => {
    for (const frames of [[ash, goblin1], [ash, goblin1, ash], [ash, goblin1], [ash]]) {
      await gm.page.getByTestId(testid.undo).click()
      await everybody((page) => expectStack(page, ...frames))
    }
    await everybody((page) => expect(page.getByTestId(testid.window)).toBeVisible())
    await gm.page.getByTestId(testid.undo).click()
    await everybody((page) => expect(page.getByTestId(testid.window)).toBeHidden())
    await everybody((page) => expectStack(page, ash))
    await expect(ana.page.getByTestId(testid.orderRow(ash))).not.toContainText('Shield')
    // The move is back as well: Ash goes, and this time the goblin lets it pass.
    await ana.page.getByTestId(testid.move).click()
    await ana.page.getByTestId(testid.target(goblin1)).click()
    await ana.page.getByTestId('move-send').click()
    await gm.page.locator(`[data-testid="${testid.reactPrompt}"][data-combatant="${goblin1}"]`).getByTestId(testid.declineButton).click()
    await everybody((page) => expect(page.getByTestId(testid.window)).toBeHidden())
    await ana.page.getByTestId(testid.endTurn).click()
    await everybody((page) => expectTurn(page, birch))
  })

  await test.step('the game master ends the fight, and is asked first', async () => {
    await gm.page.getByTestId(testid.endCombat).click()
    await gm.page.getByTestId(testid.confirm).click()
    await everybody((page) => expect(page.getByTestId(testid.stack)).toBeHidden())
  })

  await test.step('nobody but the game master was ever sent a trace of the hidden one', async () => {
    await gm.wire.expectSeen('Shade', shade, '4417')
    for (const { wire } of [ana, bo, eve]) await wire.expectNever('Shade', shade, '4417')
  })
})
