// The HTTP side of the wire contract, for setting a table quickly.

import type { Command, CombatantView, Created, SeatCreated, ViewMap } from '../src/lib/wire.gen'
import type { Server } from './server'

export class Table {
  private constructor(
    private readonly server: Server,
    readonly encounter: Created,
  ) {}

  /** Makes an encounter under the 5e rules. */
  static async create(server: Server, options: Record<string, string> = {}): Promise<Table> {
    return new Table(server, await call<Created>(server, '/api/encounters', undefined, { rules: 'dnd5e', title: 'The bridge', options }))
  }

  /** The address of the page of a role, or of a seat by its token. */
  link(role: 'gm' | 'player' | 'spectator' | { token: string }): string {
    const token = typeof role === 'string' ? this.encounter.tokens[role]! : role.token
    return `${this.server.url}/e/${this.encounter.id}#${token}`
  }

  /** Takes a seat as a player does. */
  seat(name: string): Promise<SeatCreated> {
    return call(this.server, `/api/encounters/${this.encounter.id}/seats`, this.encounter.tokens.player, { name })
  }

  /** Sends a command, as the game master unless a token says who; fails when it is refused. */
  async send(command: Command, token = this.encounter.tokens.gm!): Promise<void> {
    await call(this.server, `/api/encounters/${this.encounter.id}/commands`, token, { id: crypto.randomUUID(), command })
  }

  /** What the bearer of a token sees, the game master by default. */
  async view(token = this.encounter.tokens.gm!): Promise<ViewMap> {
    const answer = await call<{ view: ViewMap }>(this.server, `/api/encounters/${this.encounter.id}`, token)
    return answer.view
  }

  /** The combatant of that name. */
  async combatant(name: string): Promise<CombatantView> {
    const view = await this.view()
    for (const [key, value] of Object.entries(view)) {
      if (key.startsWith('combatants/') && (value as CombatantView).name === name) return value as CombatantView
    }
    throw new Error(`there is no ${name}`)
  }
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
