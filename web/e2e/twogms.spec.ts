// Two game masters at one table: nobody's edit is lost, nobody's is overwritten unasked.

import { testid } from '../src/lib/testids'
import { heldBack } from './heldback'
import { quartet, Table, type Quartet } from './table'
import { desk, expect, phone, test, type Page } from './test'

/** Opens the sheet of a combatant. */
async function openSheet(page: Page, id: string): Promise<void> {
  await page.getByTestId(testid.select(id)).check()
  if (page.viewportSize()!.width < 720) await page.getByTestId(testid.moreTools).click()
  await page.getByTestId(testid.edit).click()
  await expect(page.getByTestId(testid.addForm)).toBeVisible()
}

async function save(page: Page): Promise<void> {
  await page.getByTestId('sheet-send').click()
  await expect(page.getByTestId(testid.addForm)).toBeHidden()
}

/** Two pages of game masters, both with Cedar's sheet open. */
async function both(q: Quartet, one: Page, two: Page): Promise<void> {
  for (const page of [one, two]) {
    await q.table.open(page, 'gm')
    await openSheet(page, q.cedar)
  }
}

for (const [size, screen] of [['phones', phone], ['desks', desk]] as const) {
  test(`what only one of them changes, both keep, on ${size}`, async ({ server, somebody }) => {
    const q = await quartet(server)
    const [one, two] = [(await somebody(screen)).page, (await somebody(screen)).page]
    await both(q, one, two)
    await one.getByTestId('sheet-ac').fill('16')
    await two.getByTestId('sheet-hp').fill('44')
    await two.getByTestId('sheet-notes').fill('flees at 10')
    await save(two)
    // The form follows where nothing was typed, and says so; what was typed stays, focus and all.
    await expect(one.getByTestId('sheet-hp')).toHaveValue('44')
    await expect(one.getByTestId(testid.addForm)).toContainText('Changed by somebody else meanwhile: Hit points and Notes')
    await expect(one.getByTestId('sheet-ac')).toHaveValue('16')
    await expect(one.getByTestId('sheet-ac')).toBeFocused()
    await save(one)
    const cedar = await q.table.combatant('Cedar')
    expect([cedar.ac, cedar.hp!.max, cedar.notes]).toEqual([16, 44, 'flees at 10'])
  })

  test(`what both change is asked for, on ${size}`, async ({ server, somebody }) => {
    const q = await quartet(server)
    const [one, two] = [(await somebody(screen)).page, (await somebody(screen)).page]
    await both(q, one, two)
    await one.getByTestId('sheet-ac').fill('16')
    await one.getByTestId('sheet-name').fill('Cedar the Old')
    await two.getByTestId('sheet-ac').fill('18')
    await two.getByTestId('sheet-name').fill('Cedric')
    await save(two)

    const clash = (field: string) => one.getByTestId(testid.clash(field))
    await expect(clash('ac')).toContainText('mine: 16')
    await expect(clash('ac')).toContainText('theirs: 18')
    await one.getByTestId('sheet-send').click({ force: true })
    expect((await q.table.combatant('Cedric')).ac).toBe(18)
    await clash('ac').getByTestId('clash-mine').click()
    await expect(clash('ac')).toBeHidden()
    await clash('name').getByTestId('clash-theirs').click()
    await expect(one.getByTestId('sheet-name')).toHaveValue('Cedric')
    await expect(one.getByTestId('sheet-send')).toBeFocused()
    await save(one)
    expect((await q.table.combatant('Cedric')).ac).toBe(16)
    await expect(two.getByTestId(testid.orderRow(q.cedar))).toContainText('Cedric')
  })
}

test('an edit that the server refuses as late goes through on what is there now, or asks', async ({ server, somebody }) => {
  const { table, cedar } = await quartet(server)
  const { page } = await somebody()
  const { hold, release } = await heldBack(page, 'update')
  await table.open(page, 'gm')
  await openSheet(page, cedar)
  await page.getByTestId('sheet-ac').fill('16')
  await hold()
  await table.do({ type: 'editCombatant', combatant: cedar, speed: 40 })
  await page.getByTestId('sheet-send').click()
  await expect(page.getByTestId(testid.addForm)).toBeVisible()
  await release()
  await expect(page.getByTestId(testid.addForm)).toBeHidden()
  expect(await table.combatant('Cedar')).toMatchObject({ ac: 16, speed: 40 })

  await openSheet(page, cedar)
  await page.getByTestId('sheet-ac').fill('12')
  await hold()
  await table.do({ type: 'editCombatant', combatant: cedar, ac: 20 })
  await page.getByTestId('sheet-send').click()
  await release()
  await expect(page.getByTestId(testid.clash('ac'))).toContainText('theirs: 20')
  expect((await table.combatant('Cedar')).ac).toBe(20)
  await page.getByTestId(testid.clash('ac')).getByTestId('clash-mine').click()
  await save(page)
  expect((await table.combatant('Cedar')).ac).toBe(12)
})

test('a player and a game master edit one character', async ({ server, somebody }) => {
  const { table, ana, ash } = await quartet(server)
  const [player, gm] = [(await somebody(phone)).page, (await somebody()).page]
  await table.open(player, ana)
  await table.open(gm, 'gm')
  await player.getByTestId(testid.character(ash)).getByRole('button', { name: 'Edit Ash' }).click()
  await player.getByTestId('sheet-ac').fill('17')
  await openSheet(gm, ash)
  await gm.getByTestId('sheet-notes').fill('is a spy')
  await gm.getByTestId('sheet-ac').fill('19')
  await save(gm)
  await expect(player.getByTestId(testid.clash('ac'))).toContainText('theirs: 19')
  await player.getByTestId(testid.clash('ac')).getByTestId('clash-theirs').click()
  await save(player)
  expect(await table.combatant('Ash')).toMatchObject({ ac: 19, notes: 'is a spy' })
})

test('a sheet whose combatant has left says so', async ({ server, somebody }) => {
  const { table, cedar } = await quartet(server)
  const { page } = await somebody(phone)
  await table.open(page, 'gm')
  await openSheet(page, cedar)
  await page.getByTestId('sheet-ac').fill('16')
  await table.do({ type: 'removeCombatant', combatants: [cedar] })
  await expect(page.getByTestId(testid.addForm)).toContainText('Cedar is no longer here')
  await expect(page.getByTestId('sheet-ac')).toHaveValue('16')
  await expect(page.getByTestId('sheet-send')).toHaveAttribute('aria-disabled', 'true')
})

for (const [size, screen] of [['a phone', phone], ['a desk', desk]] as const) {
  test(`a count typed over another new one asks, on ${size}`, async ({ server, somebody }) => {
    const { table, cedar } = await quartet(server)
    const [one, two] = [(await somebody(screen)).page, (await somebody()).page]
    await table.open(one, 'gm')
    await table.open(two, 'gm')
    const field = one.getByTestId(testid.initiative(cedar))
    const type = async (count: string, other: string) => {
      await field.focus()
      await field.fill(count)
      await two.getByTestId(testid.initiative(cedar)).fill(other)
      await two.keyboard.press('Enter')
      await two.keyboard.press('Tab')
      await expect.poll(async () => (await table.combatant('Cedar')).initiative).toBe(Number(other))
      // What is typed stays under the hands of whoever types it.
      await expect(field).toHaveValue(count)
      await one.keyboard.press('Enter')
      await expect(one.getByText(`Somebody else set ${other} meanwhile. You chose ${count}.`)).toBeVisible()
      expect((await table.combatant('Cedar')).initiative).toBe(Number(other))
    }
    await type('14', '16')
    await one.getByTestId(testid.confirm).click()
    await expect.poll(async () => (await table.combatant('Cedar')).initiative).toBe(14)
    // Whoever types next has seen it, or would be asked as well.
    await expect(two.getByTestId(testid.initiative(cedar))).toHaveValue('14')

    await type('3', '17')
    await one.keyboard.press('Escape')
    await expect(one.getByTestId(testid.confirm)).toBeHidden()
    await one.keyboard.press('Tab')
    await expect(field).toHaveValue('17')
    expect((await table.combatant('Cedar')).initiative).toBe(17)
  })
}

for (const [size, screen] of [['a phone', phone], ['a desk', desk]] as const) {
  test(`a count half typed when another starts the fight is typed on in its row, on ${size}`, async ({ server, somebody }) => {
    const table = await Table.create(server)
    await table.do(
      { type: 'addCombatant', name: 'Ash', side: 'party', kind: 'pc', init: 18, hp: 24 },
      { type: 'addCombatant', name: 'Cedar', side: 'foes', hp: 30 },
      { type: 'addCombatant', name: 'Goblin', times: 4, init: 12, hp: 7 },
    )
    const cedar = (await table.combatant('Cedar')).id
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    const field = page.getByTestId(testid.initiative(cedar))
    await field.click()
    await page.keyboard.type('325')
    await page.keyboard.press('ArrowLeft')
    await table.do({ type: 'startCombat' })
    await expect(page.getByTestId(testid.orderRow(cedar)).locator('xpath=ancestor::ol')).toHaveCount(1)
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('325')
    // The caret is where it was, nothing half typed was sent.
    await page.keyboard.press('Backspace')
    await expect(field).toHaveValue('35')
    // No die shows 35 or 31.
    const rolled = (await table.combatant('Cedar')).initiative
    expect(rolled).not.toBe(325)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`Somebody else set ${rolled} meanwhile. You chose 35.`)).toBeVisible()
    await page.getByTestId(testid.confirm).click()
    await expect.poll(async () => (await table.combatant('Cedar')).initiative).toBe(35)

    // A group's count too.
    await table.do({ type: 'resetCombat' })
    await expect(page.getByTestId(testid.groupRow).locator('xpath=ancestor::ol')).toHaveCount(0)
    const group = page.getByTestId(testid.groupRow).getByTestId(/^initiative-/)
    await group.click()
    await page.keyboard.type('3')
    await table.do({ type: 'startCombat' })
    await expect(page.getByTestId(testid.groupRow).locator('xpath=ancestor::ol')).toHaveCount(1)
    await expect(group).toBeFocused()
    await expect(group).toHaveValue('3')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await page.getByTestId(testid.confirm).click()
    await expect.poll(async () => (await table.combatant('Goblin 1')).initiative).toBe(31)
    expect((await table.combatant('Goblin 4')).initiative).toBe(31)
  })
}

test('temporary hit points typed over other new ones ask', async ({ server, somebody }) => {
  const { table, cedar } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByTestId(testid.select(cedar)).check()
  const field = page.getByTestId(testid.hpInput).first()
  const temp = async () => (await table.combatant('Cedar')).hp!.temp ?? 0
  await field.fill('5t')
  await table.do({ type: 'setTempHp', combatants: [cedar], amount: 9 })
  await expect(page.getByTestId(testid.orderRow(cedar))).toContainText('9')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Somebody else set 9 meanwhile. You chose 5.')).toBeVisible()
  expect(await temp()).toBe(9)
  await page.keyboard.press('Escape')
  await expect(page.getByTestId(testid.confirm)).toBeHidden()
  // What was typed is still there, and a second look asks again.
  await expect(field).toHaveValue('5t')
  await field.press('Enter')
  await page.getByTestId(testid.confirm).click()
  await expect.poll(temp).toBe(5)
  await expect(field).toHaveValue('')
  // Typed on what is seen, it is just set.
  await field.fill('3t')
  await field.press('Enter')
  await expect.poll(temp).toBe(3)
  await expect(field).toHaveValue('')
})

for (const [size, screen] of [['a phone', phone], ['a desk', desk]] as const) {
  test(`what several that differ show is set for all of them, and over another new one asks, on ${size}`, async ({ server, somebody }) => {
    const { table, birch, cedar, dune } = await quartet(server)
    await table.do({ type: 'setSight', combatants: [cedar], audience: 'players', hp: 'exact' }, { type: 'setHidden', combatants: [dune], hidden: true, from: 'spectators' })
    const { page } = await somebody(screen)
    const { hold, release } = await heldBack(page, 'update')
    await table.open(page, 'gm')
    for (const id of [cedar, dune, birch]) await page.getByTestId(testid.select(id)).check()
    if (screen === phone) await page.getByTestId(testid.moreTools).click()
    await page.getByTestId(testid.openSight).click()
    const sees = async () => [(await table.combatant('Cedar')).sight, (await table.combatant('Dune')).sight, (await table.combatant('Birch')).sight].map((one) => one?.players?.hp)
    const hp = page.getByTestId(testid.sight('players', 'hp'))
    await expect(hp).toHaveValue('mixed')
    await hold()
    await table.do({ type: 'setSight', combatants: [dune], audience: 'players', hp: 'none' })
    await hp.selectOption('band')
    await expect(page.getByText('Somebody else set Dune nothing meanwhile. You chose in words.')).toBeVisible()
    expect(await sees()).toEqual(['exact', 'none', undefined])
    await release()
    await page.keyboard.press('Escape')
    await expect(page.getByTestId(testid.confirm)).toBeHidden()
    // What was not set does not stand there; on what is seen now it is set for all, in one step.
    await expect(hp).toHaveValue('mixed')
    await hp.selectOption('band')
    await expect.poll(sees).toEqual(['band', 'band', 'band'])
    await page.getByTestId(testid.undo).click()
    await expect.poll(sees).toEqual(['exact', 'none', undefined])

    const presence = page.getByTestId(testid.sight('spectators', 'presence'))
    await expect(presence).toHaveValue('mixed')
    const hidden = async () => [(await table.combatant('Cedar')), (await table.combatant('Dune')), (await table.combatant('Birch'))].map((c) => [c.hiddenFrom, c.showsTo])
    await hold()
    await table.do({ type: 'setHidden', combatants: [cedar], hidden: true, from: 'spectators', untilAct: true })
    await presence.selectOption('hidden')
    await expect(page.getByText('Somebody else set Cedar if it acts meanwhile. You chose no.')).toBeVisible()
    await release()
    await page.getByTestId(testid.confirm).click()
    await expect.poll(hidden).toEqual([[['spectators'], undefined], [['spectators'], undefined], [['spectators'], undefined]])
    // For each audience its own: the one's first act shows it, from the other it stays hidden.
    await page.getByTestId(testid.sight('players', 'presence')).selectOption('untilAct')
    await expect.poll(async () => (await hidden())[0]).toEqual([['players', 'spectators'], ['players']])
    await expect(presence).toHaveValue('hidden')

    // All as the options say, over what somebody has set meanwhile.
    await expect(page.getByTestId(testid.sightReset)).not.toHaveAttribute('aria-disabled', 'true')
    await hold()
    await table.do({ type: 'setSight', combatants: [cedar], audience: 'players', ac: 'yes' })
    await page.getByTestId(testid.sightReset).click()
    await expect(page.getByText('Somebody else set Cedar HP: numbers, AC: yes meanwhile. You chose default.')).toBeVisible()
    await release()
    await page.keyboard.press('Escape')
    await expect(page.getByTestId(testid.confirm)).toBeHidden()
    expect((await table.combatant('Cedar')).sight).toEqual({ players: { hp: 'exact', ac: 'yes' } })
  })
}

test('a title and an option typed over other new ones ask', async ({ server, somebody }) => {
  const { table } = await quartet(server)
  const { page } = await somebody()
  await table.open(page, 'gm')
  await page.getByTestId(testid.openOptions).click()
  const title = page.getByTestId('option-title')
  await title.fill('The ford')
  await table.do({ type: 'setOptions', title: 'The gate' })
  await expect(title).toHaveValue('The ford')
  await title.press('Tab')
  await expect(page.getByText('Somebody else set The gate meanwhile. You chose The ford.')).toBeVisible()
  await page.getByTestId(testid.confirm).click()
  await expect.poll(async () => (await table.view()).encounter!.title).toBe('The ford')
  // Where nobody types, what others set stands.
  await table.do({ type: 'setOptions', title: 'The gate' })
  await expect(title).toHaveValue('The gate')

  const seconds = page.getByTestId(testid.option('turnSeconds'))
  await seconds.fill('60')
  await table.do({ type: 'setOptions', options: { turnSeconds: '90', npcCount: 'no' } })
  await expect(page.getByTestId(testid.option('npcCount'))).toHaveValue('no')
  await seconds.press('Enter')
  await expect(page.getByText('Somebody else set 90 meanwhile. You chose 60.')).toBeVisible()
  await page.getByText('Cancel').last().click()
  await expect(seconds).toHaveValue('90')
  expect((await table.view()).encounter!.options.turnSeconds).toBe('90')
  await expect(page.getByTestId(testid.options)).toContainText('its place in the order still shows')
})

test('a row that is moved over another new order asks', async ({ server, somebody }) => {
  const { table, ash, birch, cedar, dune } = await quartet(server)
  const { page } = await somebody()
  const { hold, release } = await heldBack(page, 'update')
  await table.open(page, 'gm')
  await page.getByTestId(testid.select(dune)).check()
  const order = async () => (await table.view()).order!.map((slot) => slot.combatants[0])
  await hold()
  await table.do({ type: 'reorder', order: [cedar, birch] })
  await page.getByTestId(testid.moveUp).click()
  await expect(page.getByText('Somebody else set Cedar, Birch, and Dune meanwhile. You chose Dune and Cedar.')).toBeVisible()
  expect(await order()).toEqual([ash, cedar, birch, dune])
  await release()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId(testid.confirm)).toBeHidden()
  expect(await order()).toEqual([ash, cedar, birch, dune])
  // On what is there now it goes through.
  await expect(page.getByTestId(testid.orderRow(birch)).locator('xpath=preceding::*[@data-testid="' + testid.orderRow(cedar) + '"]')).toHaveCount(1)
  await page.getByTestId(testid.moveUp).click()
  await expect.poll(order).toEqual([ash, cedar, dune, birch])
})
