// A table set quickly over HTTP, for tests that are about something else.

import { testid } from '../src/lib/testids'
import type { Command, CombatantView, Created, Export, LogEntry, SeatCreated, ViewMap } from '../src/lib/wire.gen'
import { expect, type Page } from './test'
import type { Server } from './server'

export class Table {
  private constructor(
    private readonly server: Server,
    readonly encounter: Created,
  ) {}

  /** Makes an encounter, under the 5e rules unless others are named. */
  static async create(server: Server, options: Record<string, string> = {}, rules = 'dnd5e'): Promise<Table> {
    return new Table(server, await call<Created>(server, '/api/encounters', undefined, { rules, title: 'The bridge', options }))
  }

  /** The address of the page of a role, or of a seat by its token. */
  link(role: 'gm' | 'player' | 'spectator' | { token: string }): string {
    const token = typeof role === 'string' ? this.encounter.tokens[role]! : role.token
    return `${this.server.url}/e/${this.encounter.id}#${token}`
  }

  /** Opens the page of a role or seat and waits until it is live. */
  async open(page: Page, role: Parameters<Table['link']>[0], query = ''): Promise<void> {
    const link = this.link(role)
    await page.goto(query ? link.replace('#', `?${query}#`) : link)
    if (!query.startsWith('overlay')) await expectLive(page)
  }

  /** Takes a seat as a player does. */
  seat(name: string): Promise<SeatCreated> {
    return call(this.server, `/api/encounters/${this.encounter.id}/seats`, this.encounter.tokens.player, { name })
  }

  /** Sends a command, as the game master unless a token says who. Returns the refusal's code, or nothing. */
  async send(command: Command, token = this.encounter.tokens.gm!): Promise<string | undefined> {
    const response = await fetch(`${this.server.url}/api/encounters/${this.encounter.id}/commands`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ id: crypto.randomUUID(), command }),
    })
    if (response.ok) return undefined
    return ((await response.json()) as { code: string }).code
  }

  /** Sends commands as the game master; all must be accepted. */
  async do(...commands: Command[]): Promise<void> {
    for (const command of commands) expect(await this.send(command), JSON.stringify(command)).toBeUndefined()
  }

  /** What the bearer of a token sees, the game master by default. */
  view(token = this.encounter.tokens.gm!): Promise<ViewMap> {
    return call(this.server, `/api/encounters/${this.encounter.id}`, token)
  }

  /** The whole log as the game master may read it. */
  async log(): Promise<LogEntry[]> {
    const all = await call<Export>(this.server, `/api/encounters/${this.encounter.id}/export`, this.encounter.tokens.gm)
    return all.log ?? []
  }

  /** The combatant of that name. */
  async combatant(name: string): Promise<CombatantView> {
    for (const [key, value] of Object.entries(await this.view())) {
      if (key.startsWith('combatants/') && (value as CombatantView).name === name) return value as CombatantView
    }
    throw new Error(`there is no ${name}`)
  }
}

/** Four at the bridge: Ash 18 is Ana's, Birch 15 is Bo's, Cedar 12 and Dune 9 are the game master's. */
export interface Quartet {
  table: Table
  ana: SeatCreated
  bo: SeatCreated
  ash: string
  birch: string
  cedar: string
  dune: string
}

/** Sets the table for four, in round 1 unless start is false. */
export async function quartet(server: Server, options: Record<string, string> = {}, start = true): Promise<Quartet> {
  const table = await Table.create(server, options)
  const ana = await table.seat('Ana')
  const bo = await table.seat('Bo')
  await table.do(
    { type: 'addCombatant', name: 'Ash', side: 'party', kind: 'pc', seat: ana.seat, init: 18, hp: 24, ac: 15, answers: ['shield'] },
    { type: 'addCombatant', name: 'Birch', side: 'party', kind: 'pc', seat: bo.seat, init: 15, hp: 24, ac: 14 },
    { type: 'addCombatant', name: 'Cedar', side: 'foes', init: 12, hp: 30, ac: 13 },
    { type: 'addCombatant', name: 'Dune', side: 'foes', init: 9, hp: 30, ac: 13 },
  )
  if (start) await table.do({ type: 'startCombat' })
  const id = async (name: string) => (await table.combatant(name)).id
  return { table, ana, bo, ash: await id('Ash'), birch: await id('Birch'), cedar: await id('Cedar'), dune: await id('Dune') }
}

/** Waits until the page says that what it shows is live. */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.getByTestId(testid.connection)).toHaveAttribute('data-status', 'live')
}

/** Waits until the page shows whose turn it is. */
export async function expectTurn(page: Page, id: string): Promise<void> {
  // Somebody may have several rows, one for each action.
  await expect(page.locator(`[data-testid="${testid.orderRow(id)}"][data-current="true"]`)).toHaveCount(1)
  await expect(page.locator('[data-testid^="order-row-"][data-current="true"]')).toHaveCount(1)
}

/** Waits until the page shows these places in the order, as "14 Ash". */
export async function expectOrder(page: Page, ...places: string[]): Promise<void> {
  const rows = page.getByTestId(testid.order).locator('ol').first().locator('[data-testid^="order-row-"]')
  await expect
    .poll(() =>
      rows.evaluateAll((all) =>
        all.map((row) => {
          const count = row.querySelector('.count')
          return `${count?.querySelector('input')?.value ?? count?.textContent.trim()} ${row.querySelector('.name')?.textContent}`
        }),
      ),
    )
    .toEqual(places)
}

/** Waits until the page shows these frames, bottom first. */
export async function expectStack(page: Page, ...ids: string[]): Promise<void> {
  await expect
    .poll(() =>
      page
        .getByTestId(testid.stack)
        .locator('[data-testid^="frame-"]')
        .evaluateAll((frames) => frames.map((frame) => (frame as HTMLElement).dataset.combatant)),
    )
    .toEqual(ids)
}

async function call<T>(server: Server, path: string, token?: string, body?: unknown): Promise<T> {
  const response = await fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}
