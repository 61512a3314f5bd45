// What people do on the pages, in the tests of whole fights.

import { testid } from '../src/lib/testids'
import { expectLive } from './table'
import { expect, type Page, type Person } from './test'

/** The game master makes an encounter on the start page and opens it. Returns the links for the others. */
export async function create(page: Page, title: string, rules = 'dnd5e'): Promise<{ player: string; spectator: string }> {
  await page.goto('/')
  await page.getByTestId(testid.createTitle).fill(title)
  await page.getByTestId(testid.createRules).selectOption(rules)
  await page.getByTestId(testid.create).click()
  const links = { player: await page.getByTestId(testid.linkPlayer).inputValue(), spectator: await page.getByTestId(testid.linkSpectator).inputValue() }
  await page.getByTestId(testid.openDashboard).click()
  await expectLive(page)
  return links
}

/** The game master sets options. */
export async function setOptions(page: Page, options: Record<string, string>): Promise<void> {
  await page.getByTestId(testid.openOptions).click()
  for (const [key, value] of Object.entries(options)) {
    const field = page.getByTestId(testid.option(key))
    // Words are chosen from a list, numbers typed.
    if (!/^\d+$/.test(value)) await field.selectOption(value)
    else {
      await field.fill(value)
      await field.press('Tab')
    }
  }
  await page.keyboard.press('Escape')
  await expect(page.getByTestId(testid.options)).toBeHidden()
}

/** Fills in the form of a combatant, by the fields' names, and sends it. */
export async function fillSheet(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [field, value] of Object.entries(fields)) {
    const input = page.getByTestId(`sheet-${field}`)
    if (field === 'kind') await input.selectOption(value)
    else await input.fill(value)
  }
  await page.getByTestId('sheet-send').click()
  await expect(page.getByTestId(testid.addForm)).toBeHidden()
}

/** The id of the creature of that name, off a page's order. */
export async function idOf(page: Page, name: string): Promise<string> {
  const row = page.locator('[data-testid^="order-row-"]').filter({ has: page.getByText(name, { exact: true }) })
  await expect(row).toHaveCount(1)
  return (await row.getAttribute('data-testid'))!.slice(testid.orderRow('').length)
}

/** The game master adds one typed line. */
export async function quickAdd(page: Page, line: string): Promise<void> {
  const field = page.getByTestId(testid.quickAdd)
  await field.fill(line)
  await field.press('Enter')
  await expect(page.getByTestId(testid.sending)).toHaveCount(0)
  // What is refused would be there again.
  await expect(field).toHaveValue('')
}

/** A player takes a seat. */
export async function sit(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByTestId(testid.seatName).fill(name)
  await page.getByTestId(testid.takeSeat).click()
  await expect(page.getByTestId(testid.player)).toBeVisible()
}

/** A player types what the die on the table shows. */
export async function typeDie(page: Page, id: string, die: string): Promise<void> {
  const field = page.getByTestId(testid.character(id)).getByTestId(testid.initiativeDie)
  await field.fill(die)
  await field.press('Enter')
  await expect(field).toBeHidden()
}

/** The game master types a count over. */
export async function typeInitiative(page: Page, id: string, count: string): Promise<void> {
  const field = page.getByTestId(testid.initiative(id))
  await field.fill(count)
  await field.press('Enter')
  await expect(field).toHaveValue(count)
}

/** Ash is Ana's and Birch is Bo's, Cedar and Dune are the game master's, Eve watches: everybody comes, with the fields of their sheets. Returns ids. */
export async function gather(
  links: { player: string; spectator: string },
  { gm, ana, bo, eve }: Record<'gm' | 'ana' | 'bo' | 'eve', Person>,
  sheets: Record<'Ash' | 'Birch' | 'Cedar' | 'Dune', Record<string, string>>,
): Promise<Record<'ash' | 'birch' | 'cedar' | 'dune', string>> {
  for (const name of ['Cedar', 'Dune'] as const) {
    await gm.page.getByTestId(testid.openAddForm).click()
    await fillSheet(gm.page, { name, ...sheets[name] })
  }
  await sit(ana.page, links.player, 'Ana')
  await sit(bo.page, links.player, 'Bo')
  await eve.page.goto(links.spectator)
  await expectLive(eve.page)
  for (const [person, name] of [[ana, 'Ash'], [bo, 'Birch']] as const) {
    await person.page.getByTestId('add-character').click()
    await fillSheet(person.page, { name, ...sheets[name] })
  }
  const id = (name: string) => idOf(gm.page, name)
  return { ash: await id('Ash'), birch: await id('Birch'), cedar: await id('Cedar'), dune: await id('Dune') }
}
