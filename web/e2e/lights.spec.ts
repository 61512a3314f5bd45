// A fight under Lights & Shadows as four people have it before them: what one
// declares is nobody else's to see before all have, and then every action has a
// place of its own.

import { testid } from '../src/lib/testids'
import { expectAccessible } from './axe'
import { create, gather, setOptions } from './pages'
import { expectOrder, expectTurn, Table } from './table'
import { expect, phone, test, type Page } from './test'
import type { Wiretap } from './wiretap'

/** Whose plans, by id, a page was ever shown. */
function plansSeen(wire: Wiretap): Set<string> {
  const seen = new Set<string>()
  for (const message of wire.messages()) {
    if (message.type !== 'welcome' && message.type !== 'update') continue
    for (const [key, value] of Object.entries((message.type === 'welcome' ? message.view : message.set) ?? {})) {
      if (key.startsWith('combatants/') && value && 'plan' in value && value.plan) seen.add(key.slice('combatants/'.length))
    }
    for (const { event } of message.log ?? []) if (event.type === 'planned' && event.plan) seen.add(event.combatant)
  }
  return seen
}

/** How many updates a page was sent. */
const updates = (wire: Wiretap) => wire.messages().filter((message) => message.type === 'update').length

test('a fight at four screens: a secret declared, a parry, an action held and taken, and a clock that declares', async ({ somebody }) => {
  const [gm, ana, bo, eve] = [await somebody(), await somebody(phone), await somebody(phone), await somebody()]
  const pages = [gm.page, ana.page, bo.page, eve.page]
  const everybody = (check: (page: Page) => Promise<void>) => Promise.all(pages.map(check))
  const expectDeclared = (id: string) => everybody((page) => expect(page.getByTestId(testid.orderRow(id))).toContainText('has declared'))
  let ash = '', birch = '', cedar = '', dune = ''

  await test.step('everybody comes with the numbers of their own', async () => {
    const links = await create(gm.page, 'The ford', 'lights-and-shadows')
    await setOptions(gm.page, { reactionWindows: 'ask', reactionSeconds: '0' })
    ;({ ash, birch, cedar, dune } = await gather(links, { gm, ana, bo, eve }, {
      Dune: { hp: '20', numbers: 'score=12, weapon.arbalest=-2/-5' },
      Cedar: { hp: '20', numbers: 'score=5, weapon.maul=-1/-5' },
      Ash: { hp: '24', numbers: 'score=15, weapon.kopis=-1/-6' },
      Birch: { hp: '24', numbers: 'score=10, weapon.falx=-2/-5' },
    }))
    await gm.page.getByTestId(testid.startCombat).click()
    await everybody((page) => expect(page.getByTestId(testid.orderRow(ash))).toContainText('has not declared yet'))
  })

  await test.step('Ash declares: its player sees the counts, the others that it has', async () => {
    const before = updates(eve.wire)
    const counts = ana.page.getByTestId(testid.plan(ash)).locator('.count')
    await ana.page.getByTestId(`declare-${ash}-kopis`).click()
    await expect(counts).toHaveText(['14'])
    await ana.page.getByTestId(`declare-${ash}-other`).selectOption('openDoor')
    await expect(counts).toHaveText(['14', '9'])
    await ana.page.getByTestId(`declare-${ash}-kopis`).click()
    await expect(counts).toHaveText(['14', '9', '3'])
    await ana.page.getByTestId(testid.declareSend(ash)).click()
    await expectDeclared(ash)
    // Trying things out before did not even move the others' counters.
    expect(updates(eve.wire) - before).toBe(1)
  })

  await test.step('Birch declares, the game master for two, and nobody has seen anything so far', async () => {
    const counts = bo.page.getByTestId(testid.plan(birch)).locator('.count')
    await bo.page.getByTestId(`declare-${birch}-falx`).click()
    await expect(counts).toHaveText(['8'])
    await bo.page.getByTestId(`declare-${birch}-falx`).click()
    await expect(counts).toHaveText(['8', '3'])
    await bo.page.getByTestId(testid.declareSend(birch)).click()
    await expectDeclared(birch)
    await gm.page.getByTestId(`declare-${dune}-arbalest`).click()
    await expect(gm.page.getByTestId(testid.plan(dune)).locator('.count')).toHaveText(['10'])
    await gm.page.getByTestId(`declare-${dune}-arbalest`).click()
    await expect(gm.page.getByTestId(testid.plan(dune)).locator('.count')).toHaveText(['10', '5'])
    await gm.page.getByTestId(testid.declareSend(dune)).click()
    await expectDeclared(dune)
    await everybody((page) => expect(page.getByTestId(testid.orderRow(cedar))).toContainText('has not declared yet'))

    expect([...plansSeen(ana.wire)]).toEqual([ash])
    await ana.wire.expectNever('falx', 'arbalest', 'maul')
    expect([...plansSeen(bo.wire)]).toEqual([birch])
    await bo.wire.expectNever('kopis', 'arbalest', 'maul')
    expect([...plansSeen(eve.wire)]).toEqual([])
    await eve.wire.expectNever('kopis', 'falx', 'arbalest', 'maul')
  })

  await test.step('all are in: every action has its place', async () => {
    await gm.page.getByTestId(`declare-${cedar}-maul`).click()
    await expect(gm.page.getByTestId(testid.plan(cedar)).locator('.count')).toHaveText(['4'])
    await gm.page.getByTestId(testid.declareSend(cedar)).click()
    await everybody((page) => expectOrder(page, '14 Ash', '10 Dune', '9 Ash', '8 Birch', '5 Dune', '4 Cedar', '3 Ash', '3 Birch'))
    await everybody((page) => expectTurn(page, ash))
    await eve.wire.expectSeen('kopis', 'falx', 'arbalest', 'maul')
  })

  await test.step('Ash strikes, and Dune does not defend itself', async () => {
    await ana.page.getByTestId(testid.action('attack')).click()
    await ana.page.getByTestId(testid.target(dune)).click()
    await ana.page.getByTestId('attack-mode-verdict').click()
    await ana.page.getByTestId('attack-damage').fill('5')
    await ana.page.getByTestId(testid.deedSend).click()
    await gm.page.locator(`[data-testid="${testid.reactPrompt}"][data-combatant="${dune}"]`).getByTestId(testid.declineButton).click()
    await everybody((page) => expect(page.getByTestId(testid.window)).toBeHidden())
    await expect(gm.page.getByTestId(testid.orderRow(dune)).first()).toContainText('15/20')
    // The place of one action is over with it, once whoever was hit has answered.
    await everybody((page) => expectTurn(page, dune))
  })

  await test.step('Dune shoots, and Ash’s parry breaks in: it costs no action', async () => {
    await gm.page.getByTestId(testid.action('attack')).click()
    await gm.page.getByTestId(testid.target(ash)).click()
    await gm.page.getByTestId('attack-mode-verdict').click()
    await gm.page.getByTestId('attack-damage').fill('6')
    await gm.page.getByTestId(testid.deedSend).click()
    const prompt = ana.page.getByTestId(testid.reactPrompt)
    await expect(prompt.getByTestId(testid.reactButton)).toContainText('Parry')
    await prompt.getByTestId(testid.reactButton).click()
    await everybody((page) => expect(page.getByTestId(testid.window)).toBeHidden())
    const card = ana.page.getByTestId(testid.character(ash))
    await expect(card).toContainText('24/24')
    await expect(card).toContainText('A/R: 2 of 3')
    // What only counts up is said in words, not as a stock.
    await expect(card).toContainText('1 defence this round')
    await everybody((page) => expectTurn(page, ash))
  })

  await test.step('Ash holds; Birch passes; what was held comes at the count of what it follows', async () => {
    await ana.page.getByTestId(testid.hold).click()
    await everybody((page) => expectTurn(page, birch))
    await everybody((page) => expect(page.getByTestId(testid.orderRow(ash)).first()).toContainText('delays'))
    await bo.page.getByTestId(testid.pass).click()
    await everybody((page) => expectTurn(page, dune))
    await ana.page.getByTestId(testid.take).click()
    await everybody((page) => expectTurn(page, ash))
    await everybody((page) => expectOrder(page, '14 Ash', '10 Dune', '8 Birch', '8 Ash', '5 Dune', '4 Cedar', '3 Birch', '2 Ash'))
    await ana.page.getByTestId(testid.action('openDoor')).click()
    for (const [page, who] of [[gm.page, dune], [gm.page, cedar], [bo.page, birch]] as const) {
      await everybody((each) => expectTurn(each, who))
      await page.getByTestId(testid.pass).click()
    }
    await everybody((page) => expectTurn(page, ash))
  })

  await test.step('the next round is declared against a clock', async () => {
    await setOptions(gm.page, { turnSeconds: '3600' })
    await ana.page.getByTestId(testid.pass).click()
    for (const page of [gm.page, ana.page, bo.page]) await expect(page.getByTestId(testid.declare).getByTestId(testid.clock)).toBeVisible()
    await gm.page.getByTestId('declare-all').click()
    await expectDeclared(cedar)
    await expectDeclared(dune)
    await ana.page.getByTestId(`declare-${ash}-kopis`).click()
    await expect(ana.page.getByTestId(testid.plan(ash)).locator('.count')).toHaveText(['14'])
    await ana.page.getByTestId(testid.declareSend(ash)).click()
    await expectDeclared(ash)
    await bo.page.getByTestId(`declare-${birch}-other`).selectOption('castSpell')
    await bo.page.getByTestId(testid.declareSend(birch)).click()
    await everybody((page) => expectOrder(page, '14 Ash', '10 Dune', '5 Dune', '4 Cedar', '0 Birch'))
  })

  await test.step('whoever says nothing until it has run out attacks with what is in hand', async () => {
    for (const [page, who] of [[ana.page, ash], [gm.page, dune], [gm.page, dune], [gm.page, cedar]] as const) {
      await everybody((each) => expectTurn(each, who))
      await page.getByTestId(testid.pass).click()
    }
    await everybody((page) => expectTurn(page, birch))
    await setOptions(gm.page, { turnSeconds: '3' })
    await bo.page.getByTestId(testid.pass).click()
    // The rounds run on by themselves meanwhile: what was sent stays.
    const byTheClock = (wire: Wiretap) => {
      let round = 0
      const plans: Record<string, number[]> = {}
      for (const message of wire.messages()) {
        for (const { event } of (message.type === 'update' && message.log) || []) {
          if (event.type === 'roundStarted') round = event.round
          if (event.type === 'planned' && round === 3) plans[event.combatant] = (event.plan ?? []).map((intent) => intent.count)
        }
      }
      return plans
    }
    await expect.poll(() => byTheClock(gm.wire)).toEqual({ [ash]: [14, 8, 2], [birch]: [8, 3], [cedar]: [4], [dune]: [10, 5] })
    await expect.poll(() => Object.keys(byTheClock(eve.wire)).length).toBe(4)
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the form of declaration is for everybody, in ${colorScheme} colours`, async ({ server, somebody }) => {
    const table = await Table.create(server, { turnSeconds: '3600', 'ls.hasten': 'on' }, 'lights-and-shadows')
    const ana = await table.seat('Ana')
    await table.do(
      { type: 'addCombatant', name: 'Ash', kind: 'pc', seat: ana.seat, stats: { score: 15, 'weapon.kopis.first': -1, 'weapon.kopis.next': -8 } },
      { type: 'addCombatant', name: 'Cedar', side: 'foes', stats: { score: 5, 'weapon.maul.first': -1, 'weapon.maul.next': -5 } },
      { type: 'addCombatant', name: 'Dune', side: 'foes', stats: { score: 12, 'weapon.bow.first': -2, 'weapon.bow.next': -5 } },
      { type: 'startCombat' },
    )
    const [ash, cedar] = [(await table.combatant('Ash')).id, (await table.combatant('Cedar')).id]
    // One after another, below zero at last, and one is in already.
    const kopis = { kind: 'attack', weapon: 'kopis' }
    await table.do({ type: 'declare', combatant: ash, draft: true, actions: [kopis, { ...kopis, hasten: 2 }, kopis] }, { type: 'declare', combatant: cedar, actions: [] })
    const [player, gm] = [await somebody({ ...phone, colorScheme }), await somebody({ colorScheme })]
    await table.open(player.page, ana)
    await expect(player.page.getByTestId(testid.plan(ash))).toContainText('lost: below zero')
    await expectAccessible(player.page, 'player')
    await player.page.getByTestId(testid.declareSend(ash)).click()
    await expect(player.page.getByTestId(testid.withdraw(ash))).toBeVisible()
    await expectAccessible(player.page, 'declared')
    await table.open(gm.page, 'gm')
    await expect(gm.page.getByTestId(testid.declare)).toBeVisible()
    await expectAccessible(gm.page, 'game master')
  })
}
