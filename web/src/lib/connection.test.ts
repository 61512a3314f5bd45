import { beforeEach, describe, expect, it } from 'vitest'
import { Connection, type Outcome, type Socket, type Status } from './connection'

class FakeSocket implements Socket {
  readyState = 0
  sent: any[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: (() => void) | null = null
  onerror: (() => void) | null = null
  send(data: string) { this.sent.push(JSON.parse(data)) }
  close() { this.readyState = 3 }
  accept() { this.readyState = 1; this.onopen?.() }
  say(...messages: unknown[]) {
    this.onmessage?.({ data: JSON.stringify(messages.length === 1 ? messages[0] : messages) })
  }
  cut() { this.readyState = 3; this.onclose?.() }
  commands() { return this.sent.filter((m) => m.type === 'do') }
  hello() { return this.sent.find((m) => m.type === 'hello') }
}

let now: number
/** how far the device's date is ahead of its steady time */
let ahead: number
let timers: { at: number; run: () => void }[]
let sockets: FakeSocket[]
let statuses: (Status | string)[]
let lates: number[]
let view: Record<string, unknown>
let refusals: string[]

/** Lets the test's own time pass, running what falls due. */
function pass(ms: number) {
  const until = now + ms
  for (;;) {
    const due = timers.filter((t) => t.at <= until).sort((a, b) => a.at - b.at)[0]
    if (!due) break
    timers.splice(timers.indexOf(due), 1)
    now = Math.max(now, due.at)
    due.run()
  }
  now = until
}

function connect(as?: string) {
  const connection = new Connection('e1', 'secret', {
    welcome: (m) => { view = { ...m.view } },
    update: (m) => {
      Object.assign(view, m.set)
      for (const key of m.del ?? []) delete view[key]
    },
    presence: () => {},
    late: (seconds) => lates.push(seconds),
    status: (s, code) => statuses.push(code ? `${s}:${code}` : s),
    refused: (code) => refusals.push(code),
  }, {
    open: () => { const s = new FakeSocket(); sockets.push(s); return s },
    steady: () => now,
    date: () => now + ahead,
    random: () => 1,
    after: (ms, run) => { const t = { at: now + ms, run }; timers.push(t); return t },
    cancel: (t) => { const i = timers.indexOf(t as any); if (i >= 0) timers.splice(i, 1) },
  }, as)
  connection.start()
  return connection
}

const last = () => sockets[sockets.length - 1]!
const welcome = (seq: number, values: Record<string, unknown> = {}, epoch = 'a') =>
  ({ type: 'welcome', seq, epoch, now: new Date(1_000_000 + now).toISOString(), view: values, log: [], you: {} })

/** A connection that is live at update 5. */
function live() {
  const connection = connect()
  last().accept()
  last().say(welcome(5, { turn: 'Ana' }))
  return connection
}

async function outcomeNow(promise: Promise<Outcome>) {
  return Promise.race([promise, Promise.resolve('waiting' as const)])
}

beforeEach(() => {
  now = 1000
  ahead = 1_700_000_000_000
  timers = []
  sockets = []
  statuses = []
  lates = []
  view = {}
  refusals = []
})

describe('the view', () => {
  it('is whole after the welcome and follows updates in order', () => {
    const connection = live()
    expect(last().hello()).toEqual({ type: 'hello', encounter: 'e1', token: 'secret' })
    last().say({ type: 'update', seq: 6, set: { turn: 'Bel' } }, { type: 'update', seq: 7, set: { round: 2 }, del: ['turn'] })
    expect(view).toEqual({ round: 2 })
    expect(connection.status).toBe('live')
  })

  it('takes an update once', () => {
    live()
    last().say({ type: 'update', seq: 6, set: { turn: 'Bel' } })
    last().say({ type: 'update', seq: 6, set: { turn: 'wrong' } })
    expect(view.turn).toBe('Bel')
  })

  it('says how late the server shows things, from its beacons', () => {
    live()
    last().say({ type: 'head', seq: 5, behind: 7 })
    last().say({ type: 'head', seq: 5 })
    expect(lates).toEqual([0, 7, 0])
  })

  it('asks for what is missing when a number is skipped, and takes nothing after the hole', () => {
    live()
    const old = last()
    old.say({ type: 'update', seq: 7, set: { turn: 'later' } }, { type: 'update', seq: 6, set: { turn: 'void' } })
    expect(view.turn).toBe('Ana')
    expect(statuses.at(-1)).toBe('reconnecting')
    pass(0)
    expect(last()).not.toBe(old)
    last().accept()
    expect(last().hello()).toMatchObject({ since: 5, epoch: 'a' })
    last().say({ type: 'update', seq: 6, set: { turn: 'Bel' } }, { type: 'update', seq: 7, set: { turn: 'Cid' } })
    expect(view.turn).toBe('Cid')
    // Until the server says that this was all.
    expect(statuses.at(-1)).toBe('behind')
    last().say({ type: 'head', seq: 7 })
    expect(statuses.at(-1)).toBe('live')
  })

  it('notices from the head that the last update was lost', () => {
    live()
    last().say({ type: 'head', seq: 5 })
    expect(sockets).toHaveLength(1)
    last().say({ type: 'head', seq: 6 })
    pass(0)
    expect(sockets).toHaveLength(2)
  })

  it('does not hammer a server whose numbers never fit', () => {
    live()
    last().say({ type: 'update', seq: 9 })
    pass(0)
    last().accept()
    last().say(welcome(5))
    last().say({ type: 'update', seq: 9 })
    pass(0)
    expect(sockets).toHaveLength(2)
    pass(250)
    expect(sockets).toHaveLength(3)
  })

  it('is asked for as another audience, on every line', () => {
    connect('seat:s1')
    last().accept()
    expect(last().hello()).toMatchObject({ token: 'secret', as: 'seat:s1' })
    last().say(welcome(5))
    last().cut()
    pass(10_000)
    last().accept()
    expect(last().hello()).toMatchObject({ as: 'seat:s1', since: 5 })
  })

  it('starts anew when the history is another one', () => {
    live()
    last().say(welcome(2, { turn: 'New' }, 'b'))
    expect(view).toEqual({ turn: 'New' })
    last().say({ type: 'update', seq: 3, set: { turn: 'Next' } })
    expect(view.turn).toBe('Next')
  })

  it('drops a line that speaks nonsense', () => {
    live()
    last().onmessage?.({ data: '{' })
    pass(0)
    expect(sockets).toHaveLength(2)
  })
})

describe('commands', () => {
  it('are settled once their effect is on the screen', async () => {
    const connection = live()
    const done = connection.send('u1', { type: 'endTurn', frame: 'f1' })
    expect(last().commands()).toEqual([{ type: 'do', id: 'u1', command: { type: 'endTurn', frame: 'f1' } }])
    last().say({ type: 'ack', id: 'u1', seq: 6 })
    expect(await outcomeNow(done)).toBe('waiting')
    last().say({ type: 'update', seq: 6, set: { turn: 'Bel' } })
    expect(await done).toMatchObject({ ok: true, seq: 6 })
    expect(connection.inFlight).toBe(0)
  })

  it('bring the reason back when refused', async () => {
    const connection = live()
    const done = connection.send('u1', { type: 'endTurn' })
    last().say({ type: 'reject', id: 'u1', code: 'not_your_turn', params: { turn: 'c1' } })
    expect(await done).toEqual({ ok: false, code: 'not_your_turn', params: { turn: 'c1' } })
  })

  it('are sent again under the same id after a lost answer', async () => {
    const connection = live()
    const done = connection.send('u1', { type: 'endTurn' })
    last().cut()
    pass(250)
    last().accept()
    expect(last().commands().map((m) => m.id)).toEqual(['u1'])
    last().say({ type: 'ack', id: 'u1', seq: 6 }, { type: 'update', seq: 6 })
    expect(await done).toMatchObject({ ok: true })
    last().cut()
    pass(250)
    last().accept()
    expect(last().commands()).toEqual([])
  })

  it('wait for the line when there is none', () => {
    const connection = connect()
    void connection.send('u1', { type: 'startCombat' })
    expect(last().sent).toEqual([])
    last().accept()
    expect(last().sent.map((m) => m.type)).toEqual(['hello', 'do', 'ping'])
  })

  it('are repeated when the server says not now', async () => {
    const connection = live()
    const done = connection.send('u1', { type: 'endTurn' })
    last().say({ type: 'reject', id: 'u1', code: 'unavailable', params: { retryAfterMs: 300 } })
    expect(last().commands()).toHaveLength(1)
    pass(300)
    expect(last().commands().map((m) => m.id)).toEqual(['u1', 'u1'])
    last().say({ type: 'ack', id: 'u1', seq: 5 })
    expect(await done).toMatchObject({ ok: true })
  })

  it('are given up after many times not now', async () => {
    const connection = live()
    const done = connection.send('u1', { type: 'endTurn' })
    for (let i = 0; i < 8; i++) {
      last().say({ type: 'reject', id: 'u1', code: 'rate_limited', params: { retryAfterMs: 10 } }, { type: 'head', seq: 5 })
      pass(10)
    }
    expect(await done).toMatchObject({ ok: false, code: 'rate_limited' })
  })

  it('acknowledged before a fresh view count as shown by it', async () => {
    const connection = live()
    const done = connection.send('u1', { type: 'endTurn' })
    last().say({ type: 'ack', id: 'u1', seq: 40 }, welcome(1, {}, 'b'))
    expect(await done).toMatchObject({ ok: true })
  })
})

describe('the line', () => {
  it('is called stale after five silent seconds and given up after ten', () => {
    const connection = live()
    pass(4500)
    expect(connection.status).toBe('live')
    pass(1500)
    expect(connection.status).toBe('stale')
    last().say({ type: 'head', seq: 5 })
    expect(connection.status).toBe('live')
    pass(11_500)
    expect(connection.status).toBe('reconnecting')
    expect(sockets).toHaveLength(2)
  })

  it('is called stale when the server answers and cannot say what is the last, and left for another in the end', () => {
    const connection = live()
    const answers = (seconds: number) => {
      for (let i = 0; i < seconds; i++) {
        last().say({ type: 'pong', t: now, now: new Date(1_000_000 + now).toISOString() })
        pass(1000)
      }
    }
    answers(6)
    expect(connection.status).toBe('stale')
    expect(connection.age).toBe(6000)
    answers(10)
    expect(sockets).toHaveLength(1)
    last().say({ type: 'head', seq: 5 })
    expect(connection.status).toBe('live')
    answers(22)
    expect(connection.status).toBe('reconnecting')
    expect(sockets).toHaveLength(2)
  })

  it('is not given up by a page that was busy and has not read yet what came meanwhile', () => {
    const connection = live()
    now += 12_000
    pass(0)
    expect(connection.status).toBe('live')
    last().say({ type: 'head', seq: 5 })
    pass(1000)
    expect([connection.status, sockets.length]).toEqual(['live', 1])
    // When there was nothing, it is seen a tick later, however late that comes.
    now += 12_000
    pass(0)
    now += 12_000
    pass(0)
    expect(connection.status).toBe('reconnecting')
  })

  it('asks for signs of life', () => {
    live()
    pass(4200)
    expect(last().sent.filter((m) => m.type === 'ping')).toHaveLength(2)
  })

  it('waits longer after each failure, up to a bound', () => {
    connect()
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      const from = now
      const count = sockets.length
      last().cut()
      while (sockets.length === count) pass(10)
      waits.push(now - from)
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  it('comes back when and only when told to', () => {
    const connection = live()
    last().say({ type: 'bye', code: 'draining', retryAfterMs: 800 })
    pass(799)
    expect(sockets).toHaveLength(1)
    pass(1)
    expect(sockets).toHaveLength(2)
    last().accept()
    last().say({ type: 'bye', code: 'unauthorized' })
    pass(60_000)
    expect(sockets).toHaveLength(2)
    expect(connection.status).toBe('ended')
    expect(statuses.at(-1)).toBe('ended:unauthorized')
  })

  it('ends when the link is refused, and then refuses commands', async () => {
    const connection = connect()
    last().accept()
    last().say({ type: 'reject', code: 'not_found' })
    expect(statuses).toEqual(['ended:not_found'])
    expect(await connection.send('u1', { type: 'endTurn' })).toMatchObject({ ok: false, code: 'not_found' })
  })

  it('tells of a refusal that belongs to no command', () => {
    live()
    last().say({ type: 'reject', code: 'too_large' })
    expect(refusals).toEqual(['too_large'])
  })

  it('that looks open but is dead is given up a second after the page wakes up', () => {
    const connection = live()
    // The device slept, and its steady time with it.
    connection.check()
    pass(999)
    expect(sockets).toHaveLength(1)
    pass(1)
    pass(0)
    expect(sockets).toHaveLength(2)
    expect(connection.status).toBe('reconnecting')
    last().accept()
    expect(last().hello()).toMatchObject({ since: 5 })
  })

  it('that answers the page that wakes up is kept, however many times it wakes', () => {
    const connection = live()
    for (let i = 0; i < 3; i++) connection.check()
    last().say({ type: 'pong', t: now, now: new Date(1_000_000).toISOString() })
    pass(4000)
    expect(sockets).toHaveLength(1)
    expect(connection.status).toBe('live')
  })

  it('that does not open is tried anew when the page wakes up, and not before a slow one could have opened', () => {
    const connection = connect()
    connection.check()
    pass(4999)
    expect(sockets).toHaveLength(1)
    pass(1)
    pass(0)
    expect(sockets).toHaveLength(2)
  })

  it('that is slow to greet is not given up for a page that comes to the front meanwhile', () => {
    const connection = connect()
    pass(700)
    last().accept()
    connection.check()
    pass(1500)
    last().say(welcome(5))
    pass(3000)
    expect(sockets).toHaveLength(1)
    expect(connection.status).toBe('live')
    // From then on it is known how long answers take.
    connection.check()
    pass(4 * 1500)
    pass(0)
    expect(sockets).toHaveLength(2)
  })

  it('is looked at when the page wakes up', () => {
    const connection = live()
    now += 60_000 // the device slept: no timer ran
    connection.check()
    pass(0)
    expect(sockets).toHaveLength(2)
    last().cut()
    connection.check()
    expect(sockets).toHaveLength(3)
  })

  it('is made anew at once by a device whose steady time stood still while it slept', () => {
    const connection = live()
    expect(connection.clock.now()).toBe(1_000_000 + now)
    ahead += 60_000
    connection.check()
    expect(sockets).toHaveLength(2)
    expect(statuses.at(-1)).toBe('reconnecting')
    // Nothing may be shown from before the sleep.
    expect(connection.clock.now()).toBeUndefined()
    last().accept()
    last().say({ type: 'pong', t: now, now: new Date(1_060_000 + now).toISOString() })
    expect(connection.clock.now()).toBe(1_060_000 + now)
    connection.check()
    expect(sockets).toHaveLength(2)
  })

  it('is made anew after a sleep that nobody told the page of', () => {
    live()
    ahead += 60_000
    pass(1000)
    expect(sockets).toHaveLength(2)
  })
})
