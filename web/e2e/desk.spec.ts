// Who sees what, the keys of the whole desk, and how little an update draws.

import { testid } from '../src/lib/testids'
import { expectLive, expectTurn, quartet, Table } from './table'
import { expect, phone, test } from './test'

for (const [name, screen] of [['a desk', undefined], ['a phone', phone]] as const) {
  test(`what players and spectators see of a creature is set apart, on ${name}`, async ({ server, somebody }) => {
    const { table, cedar } = await quartet(server)
    const [gm, spectator] = [await somebody(screen), await somebody()]
    await table.open(gm.page, 'gm')
    await table.open(spectator.page, 'spectator')
    await gm.page.getByTestId(testid.select(cedar)).check()
    if (screen) await gm.page.getByTestId(testid.moreTools).click()
    await gm.page.getByTestId(testid.openSight).click()
    await gm.page.getByTestId(testid.sight('spectators', 'hp')).selectOption('exact')
    await expect(spectator.page.getByTestId(testid.orderRow(cedar))).toContainText('30')
    expect((await table.combatant('Cedar')).sight).toEqual({ spectators: { hp: 'exact' } })
    await expect(gm.page.getByTestId(testid.orderRow(cedar))).toContainText('shown differently')
    await gm.page.getByTestId(testid.sight('spectators', 'presence')).selectOption('hidden')
    await expect(gm.page.getByTestId(testid.orderRow(cedar))).toContainText('hidden from spectators')
    await expect(spectator.page.getByTestId(testid.orderRow(cedar))).toBeHidden()
    await gm.page.getByTestId(testid.sight('spectators', 'presence')).selectOption('untilAct')
    await expect(gm.page.getByTestId(testid.orderRow(cedar))).toContainText('until it acts')
    await table.do({ type: 'react', combatant: cedar, kind: 'other', done: true })
    await expect(spectator.page.getByTestId(testid.orderRow(cedar))).toBeVisible()
  })
}

test('a fight is run by keys alone', async ({ server, somebody }) => {
  const { table, ash, birch, cedar, dune } = await quartet(server, { reactionWindows: 'ask', reactionSeconds: '0' })
  const { page } = await somebody()
  // While nothing is live the page refuses what is pressed, and says so: a slow machine is not live at every moment.
  const press = async (key: string) => {
    await expectLive(page)
    await page.keyboard.press(key)
  }
  await table.open(page, 'gm')
  await expectTurn(page, ash)
  await expect(page.getByTestId(testid.next)).toBeEnabled()
  await press('n')
  await expectTurn(page, birch)
  await press('b')
  await expectTurn(page, ash)
  await press('r')
  await expectTurn(page, birch)
  // A number goes to whoever is selected.
  await press('j')
  await press('j')
  await page.keyboard.type('7')
  await press('Enter')
  await expect.poll(async () => (await table.combatant('Cedar')).hp!.current).toBe(23)
  // From the field, the arrows go on to the next.
  await press('ArrowDown')
  await page.keyboard.type('5')
  await press('Enter')
  await expect.poll(async () => (await table.combatant('Dune')).hp!.current).toBe(25)
  await press('Escape')
  await press('v')
  await expect(page.getByTestId(testid.orderRow(dune))).toContainText('hidden')
  await press('x')
  await expect(page.getByTestId(testid.orderRow(dune))).toContainText('out')
  await press('e')
  await expect(page.getByTestId(testid.effectPanel)).toBeVisible()
  await press('Shift+V')
  await expect(page.getByTestId(testid.sightPanel)).toBeVisible()
  await table.do({ type: 'move', combatant: birch, feet: 10, leavesReachOf: [cedar] })
  await expect(page.getByTestId(testid.window)).toBeVisible()
  await press('d')
  await expect(page.getByTestId(testid.window)).toBeHidden()
  await press('?')
  await expect(page.getByTestId(testid.keys)).toBeVisible()
  await press('Escape')
  await expect(page.getByTestId(testid.keys)).toBeHidden()
})

test('an update draws the row that it is about, among forty, and one line of the log', async ({ server, somebody }) => {
  const table = await Table.create(server)
  await table.do({ type: 'importCombatants', combatants: Array.from({ length: 40 }, (_, i) => ({ name: `Rook ${String.fromCharCode(65 + (i % 26))}${i < 26 ? '' : 'x'}`, side: 'foes', init: 40 - i, hp: 20, ac: 12 })) }, { type: 'startCombat' })
  const third = (await table.combatant('Rook C')).id
  const { page } = await somebody()
  await table.open(page, 'gm')
  await expect(page.locator('[data-testid^="order-row-"]')).toHaveCount(40)
  await table.do({ type: 'damage', combatants: [third], amount: 1 })
  await expect(page.getByTestId(testid.orderRow(third))).toContainText('19')
  await page.evaluate(([order, log]) => {
    const rows = new Set<string>()
    const lines = { added: 0, other: 0 }
    Object.assign(window, { rows, lines })
    const watch = { subtree: true, childList: true, attributes: true, characterData: true }
    new MutationObserver((all) => all.forEach(({ target }) => {
      const row = (target instanceof Element ? target : target.parentElement)?.closest<HTMLElement>('[data-testid^="order-row-"]')
      rows.add(row?.dataset.testid ?? 'the list')
    })).observe(document.querySelector(`[data-testid="${order}"]`)!, watch)
    new MutationObserver((all) => all.forEach((m) => {
      if (m.type === 'childList' && m.target === document.querySelector(`[data-testid="${log}"]`)) lines.added += m.addedNodes.length
      else lines.other++
    })).observe(document.querySelector(`[data-testid="${log}"]`)!, watch)
  }, [testid.order, testid.log] as const)
  await table.do({ type: 'damage', combatants: [third], amount: 1 })
  await expect(page.getByTestId(testid.orderRow(third))).toContainText('18')
  const seen = await page.evaluate(() => {
    const { rows, lines } = window as unknown as { rows: Set<string>; lines: { added: number; other: number } }
    return { rows: [...rows], ...lines }
  })
  expect(seen.rows).toEqual([testid.orderRow(third)])
  expect(seen.added).toBeLessThan(4)
  expect(seen.other).toBeLessThan(4)
})

for (const lang of ['en', 'fr']) {
  for (const [width, height] of [[320, 568], [390, 844], [1280, 800]] as const) {
    test(`what is chosen of who sees somebody can be read, in ${lang} at ${width} px`, async ({ server, somebody }) => {
      const { table, cedar } = await quartet(server)
      const { page } = await somebody({ viewport: { width, height } })
      await table.open(page, 'gm', `lang=${lang}`)
      await page.getByTestId(testid.select(cedar)).check()
      if (width < 720) await page.getByTestId(testid.moreTools).click()
      await page.getByTestId(testid.openSight).click()
      await expect(page.getByTestId(testid.sightPanel)).toBeVisible()
      // A list that has nothing but one choice is as wide as that needs.
      const cut = await page.getByTestId(testid.sightPanel).locator('select').evaluateAll((all) => all.flatMap((one) => {
        const { width } = one.getBoundingClientRect()
        return [...(one as HTMLSelectElement).options].flatMap((option) => {
          const alone = one.cloneNode() as HTMLSelectElement
          alone.style.width = 'auto'
          alone.append(option.cloneNode(true))
          one.parentElement!.append(alone)
          const needs = alone.getBoundingClientRect().width
          alone.remove()
          return needs > width + 0.5 ? [`${option.text}: ${Math.round(needs)} of ${Math.round(width)}`] : []
        })
      }))
      expect(cut).toEqual([])
    })
  }
}

for (const dir of ['ltr', 'rtl'] as const) {
  test(`the pips of many stand in columns, the last line too, ${dir}`, async ({ server, somebody }) => {
    const table = await Table.create(server)
    await table.do({ type: 'addCombatant', name: 'Skeleton of the drowned legion', times: 17, init: 12, hp: 13 }, { type: 'startCombat' })
    const { page } = await somebody({ viewport: { width: 1280, height: 800 } })
    await table.open(page, 'gm')
    await page.evaluate((dir) => { document.documentElement.dir = dir }, dir)
    const pips = await page.getByTestId(testid.groupRow).locator('[data-testid^="pip-"]').evaluateAll((all) => all.map((pip) => pip.getBoundingClientRect()).map(({ left, right, top }) => ({ left, right, top })))
    const lines = [...new Set(pips.map((pip) => pip.top))].map((top) => pips.filter((pip) => pip.top === top))
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.at(-1)!.length).toBeLessThan(lines[0]!.length)
    const begins = ({ left, right }: { left: number; right: number }) => Math.round(dir === 'ltr' ? left : right)
    for (const line of lines) expect(begins(line[0]!)).toBe(begins(pips[0]!))
  })
}

for (const [name, screen] of [['a desk', undefined], ['a phone', phone]] as const) {
  test(`the end is proposed once one side has nobody left who can fight, on ${name}`, async ({ server, somebody }) => {
    const { table, cedar, dune } = await quartet(server)
    const { page } = await somebody(screen)
    await table.open(page, 'gm')
    await table.do({ type: 'damage', combatants: [cedar], amount: 30 })
    await expect(page.getByTestId(testid.orderRow(cedar))).toContainText('dead')
    await expect(page.getByTestId(testid.decided)).toBeHidden()
    await table.do({ type: 'setDefeated', combatants: [dune], defeated: true })
    if (screen) {
      await expect(page.getByTestId(testid.tab('now'))).toHaveAccessibleName('Now 1 to decide')
      await page.getByTestId(testid.tab('now')).click()
    }
    await expect(page.getByTestId(testid.decided)).toHaveText(/On one side nobody can fight on\.\s*End combat/)
    // It is up to the game master: the fight goes on, and back takes the cause away.
    await page.getByTestId(testid.undo).click()
    await expect(page.getByTestId(testid.decided)).toBeHidden()
    await page.getByTestId(testid.redo).click()
    await page.getByTestId(testid.decidedEnd).click()
    await page.getByTestId(testid.confirm).click()
    await expect.poll(async () => (await table.view()).encounter!.phase).toBe('ended')
  })
}
