import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { locale } from './lang.svelte'
import { isFor, Session } from './session.svelte'
import type { ViewMap } from './wire.gen'

class FakeSocket {
  static last: FakeSocket
  readyState = 0
  sent: any[] = []
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: () => void
  constructor() { FakeSocket.last = this }
  send(text: string) { this.sent.push(JSON.parse(text)) }
  close() {}
  say(message: object) { this.onmessage?.({ data: JSON.stringify(message) }) }
  get commands() { return this.sent.filter((m) => m.type === 'do') }
}

const combatant = (id: string, name: string) => ({ id, name, rev: 1, side: 'party', kind: 'pc', life: 'up', reaction: true })
let session: Session

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', { href: 'http://riposte.example/e/e1' })
  locale.choose('en')
  session = new Session('e1', 'secret')
  session.connection.start()
  FakeSocket.last.readyState = 1
  FakeSocket.last.onopen?.()
  FakeSocket.last.say({
    type: 'welcome', seq: 1, epoch: 'a', now: new Date(0).toISOString(), log: [], presence: { type: 'presence', seats: [], gms: 1, spectators: 0 },
    view: {
      'combatants/c10': combatant('c10', 'Goblin 10'), 'combatants/c2': combatant('c2', 'Goblin 2'),
      you: { role: 'gm', combatants: [], can: [{ type: 'damage' }, { type: 'act', combatant: 'c2', kind: 'dash' }, { type: 'heal', combatants: ['c2'] }] },
    },
  })
})
afterEach(() => {
  session.connection.stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a session', () => {
  it('lists combatants by name, as people count', () => {
    expect([...session.combatants.keys()]).toEqual(['c2', 'c10'])
    FakeSocket.last.say({ type: 'update', seq: 2, set: { 'combatants/c1': combatant('c1', 'Ana') }, del: ['combatants/c2'] })
    expect([...session.combatants.keys()]).toEqual(['c1', 'c10'])
  })

  it('goes on knowing the names of those who have left', () => {
    FakeSocket.last.say({ type: 'update', seq: 2, del: ['combatants/c2'] })
    expect(session.nameOf('c2')).toBe('Goblin 2')
    expect(session.nameOf('nobody')).toBe('someone')
  })

  it('answers what may be done from the offers alone', () => {
    expect(session.may('damage', 'c10')).toBe(true)
    expect(session.may('act', 'c10')).toBe(false)
    expect(session.may('heal', 'c2')).toBe(true)
    expect(session.may('endTurn')).toBe(false)
    expect(isFor({ type: 'heal', combatants: [] }, 'c2')).toBe(false)
  })

  it('makes one command of a double click, and a new one afterwards', async () => {
    const command = { type: 'endTurn', frame: 'f1' } as const
    const first = session.do(command)
    expect(session.do({ ...command })).toBe(first)
    expect(session.isSending(command)).toBe(true)
    expect(FakeSocket.last.commands).toHaveLength(1)
    FakeSocket.last.say({ type: 'ack', id: FakeSocket.last.commands[0].id, seq: 1 })
    expect(await first).toMatchObject({ ok: true })
    expect(session.isSending(command)).toBe(false)
    void session.do(command)
    expect(new Set(FakeSocket.last.commands.map((m) => m.id)).size).toBe(2)
  })

  it('shows why the server said no', async () => {
    const done = session.do({ type: 'endTurn', frame: 'f1' })
    FakeSocket.last.say({ type: 'reject', id: FakeSocket.last.commands[0].id, code: 'not_acting', params: { acting: 'c2' } })
    await done
    expect(session.notices.map((n) => n.text)).toEqual(['This turn is interrupted: Goblin 2 acts first.'])
    vi.advanceTimersByTime(7_000)
    expect(session.notices).toEqual([])
  })

  it('is ready for the next press once the one before is answered and a double click is over', async () => {
    expect(session.ready).toBe(true)
    const done = session.do({ type: 'endTurn', frame: 'f1' })
    vi.advanceTimersByTime(1_000)
    expect([session.ready, session.resting]).toEqual([false, false])
    FakeSocket.last.say({ type: 'ack', id: FakeSocket.last.commands[0].id, seq: 1 })
    await done
    expect(session.ready).toBe(true)

    const quick = session.do({ type: 'endTurn', frame: 'f2' })
    FakeSocket.last.say({ type: 'ack', id: FakeSocket.last.commands[1].id, seq: 1 })
    await quick
    expect([session.ready, session.resting]).toEqual([false, true])
    vi.advanceTimersByTime(349)
    expect(session.ready).toBe(false)
    vi.advanceTimersByTime(1)
    expect(session.ready).toBe(true)
    FakeSocket.last.onclose?.()
    expect(session.ready).toBe(false)
  })

  it('leaves nothing running when it stops, and nobody waiting for an answer', async () => {
    session.say('info', 'one')
    session.say('info', 'two')
    const edit = session.set({ what: 'title', mine: 'mine', shown: String, on: () => ({ type: 'setOptions', title: 'mine', baseTitle: '' }) })
    FakeSocket.last.say({ type: 'reject', id: FakeSocket.last.commands[0].id, code: 'stale_edit', params: { now: 'theirs' } })
    await vi.waitFor(() => expect(session.lateEdit).toBeDefined())
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('document', new EventTarget())
    session.stop()
    expect(await edit).toMatchObject({ ok: false, code: 'stale_edit' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('bounds the names that it goes on knowing', () => {
    const log = Array.from({ length: 20_001 }, (_, i) => ({ event: { type: 'combatantRemoved', combatant: `gone${i}`, name: `Gone ${i}` } }))
    FakeSocket.last.say({ type: 'update', seq: 2, log })
    expect([session.nameOf('gone0'), session.nameOf('gone20000')]).toEqual(['someone', 'Gone 20000'])
    expect(session.nameOf('c2')).toBe('Goblin 2')
  })

  it('sends again after a reload what was not answered, once and under its id', async () => {
    const tab = new Map<string, string>()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => tab.get(key) ?? null,
      setItem: (key: string, value: string) => void tab.set(key, value),
      removeItem: (key: string) => void tab.delete(key),
    })
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('document', new EventTarget())
    void session.do({ type: 'endTurn', frame: 'f1' })
    const [sent] = FakeSocket.last.commands
    const again = (token: string) => {
      const page = new Session('e1', token)
      page.start()
      FakeSocket.last.readyState = 1
      FakeSocket.last.onopen?.()
      return page
    }
    // Whoever comes with another key has not sent it, nor has a game master who only looks.
    again('other').stop()
    expect(FakeSocket.last.commands).toEqual([])
    const look = new Session('e1', 'secret', 'spectator')
    look.start()
    FakeSocket.last.readyState = 1
    FakeSocket.last.onopen?.()
    look.stop()
    expect(FakeSocket.last.commands).toEqual([])
    const reloaded = again('secret')
    expect(FakeSocket.last.commands).toEqual([sent])
    expect(reloaded.busy).toBe(true)
    FakeSocket.last.say({ type: 'welcome', seq: 2, epoch: 'a', now: new Date(0).toISOString(), view: {}, log: [] })
    FakeSocket.last.say({ type: 'ack', id: sent.id, seq: 2 })
    await vi.waitFor(() => expect(reloaded.busy).toBe(false))
    reloaded.stop()
    again('secret').stop()
    expect(FakeSocket.last.commands).toEqual([])
  })

  it('asks with the old link for a new one whose answer was lost', async () => {
    const asked: [string, RequestInit][] = []
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      asked.push([path, init])
      return new Response(JSON.stringify({ seq: 9, result: { role: 'gm', link: '/e/e1#new', token: 'new' } }))
    })
    const done = session.do({ type: 'replaceLink', role: 'gm' })
    const { id, command } = FakeSocket.last.commands[0]
    FakeSocket.last.say({ type: 'bye', code: 'unauthorized' })
    expect(await done).toMatchObject({ ok: true, result: { token: 'new' } })
    expect(asked.map(([path, init]) => [path, JSON.parse(String(init.body)), (init.headers as Record<string, string>).Authorization]))
      .toEqual([['/api/encounters/e1/commands', { id, command }, 'Bearer secret']])
    expect((globalThis.location as Location).hash).toBe('new')
    expect(session.recovering).toBe(false)
  })

  it('shows what was seen before until there is something newer, and says since when', () => {
    const page = new Session('e1', 'secret')
    const last = { token: 'secret', at: 5, view: { you: { role: 'seat', combatants: [], can: [] }, 'combatants/c1': combatant('c1', 'Ana') } as unknown as ViewMap, log: [] }
    page.showLast(last)
    expect([page.you?.role, page.live, page.since]).toEqual(['seat', false, 5])
    expect(page.nameOf('c1')).toBe('Ana')
    session.showLast(last)
    expect(session.you?.role).toBe('gm')
    expect(session.since).toBeUndefined()
  })

  it('says once of each history that it was cut short, until that is dismissed', () => {
    const whole = (epoch: string, cut: boolean) =>
      FakeSocket.last.say({ type: 'welcome', seq: 1, epoch, ...(cut ? { cut } : {}), now: new Date(0).toISOString(), view: {}, log: [] })
    whole('b', false)
    expect(session.cut).toBe(false)
    whole('c', true)
    expect(session.cut).toBe(true)
    session.cut = false
    whole('c', true)
    expect(session.cut).toBe(false)
    whole('d', true)
    expect(session.cut).toBe(true)
    whole('e', false)
    expect(session.cut).toBe(true)
  })

  it('says how far it was seen before the page was opened, and wants it whole', () => {
    const page = new Session('e1', 'secret', undefined, { since: 4, epoch: 'a' })
    page.connection.start()
    const opened = FakeSocket.last
    opened.readyState = 1
    opened.onopen?.()
    expect(opened.sent[0]).toMatchObject({ type: 'hello', since: 4, epoch: 'a', whole: true })
    opened.say({ type: 'welcome', seq: 6, epoch: 'b', now: new Date(0).toISOString(), view: {}, log: [] })
    expect(page.connection.last).toEqual({ since: 6, epoch: 'b' })
    page.connection.stop()
  })

  it('sends nothing while it is not live', async () => {
    FakeSocket.last.onclose?.()
    expect(session.live).toBe(false)
    expect(await session.do({ type: 'endTurn' })).toMatchObject({ ok: false, code: 'offline' })
    expect(FakeSocket.last.commands).toEqual([])
  })
})
