// Fights at moments worth a look, played on a real server: the design page and
// the pictures show these. Nothing in them is made up by the browser.
import type { CombatantView, Command, SeatCreated, ViewMap } from '../lib/wire.gen'

/** An encounter that is being set up; everything is done by the game master. */
export interface Stage {
  /** Sends commands; all must be accepted. */
  do(...commands: Command[]): Promise<void>
  /** Sends a command for whoever has this token. */
  send(command: Command, token: string): Promise<unknown>
  /** Takes a seat. */
  seat(name: string): Promise<SeatCreated>
  /** The game master's view. */
  view(): Promise<ViewMap>
}

export interface Scene {
  /** what is to be seen */
  title: string
  rules?: string
  options?: Record<string, string>
  /** Plays up to the moment; returns the seat to look from. */
  play(stage: Stage): Promise<SeatCreated>
}

/** Names that a row has to hold: eighty letters, emoji, right to left. */
export const longNames = [
  'Her Serene Highness Theodora Wilhelmina of the Nine Drowned Towers, called Wren',
  '🐉🔥 Smoulder 🔥🐉',
  'الفارس الأسود ذو الدرع',
  'Xxanathraxxilquavoruumbelisarionth',
]

type Add = Omit<Extract<Command, { type: 'addCombatant' }>, 'type'>
const add = (stats: Add): Command => ({ type: 'addCombatant', ...stats })
const pc = (seat: SeatCreated | undefined, stats: Add): Command => add({ side: 'party', kind: 'pc', seat: seat?.seat, ...stats })

/** Ids by name. */
async function cast(stage: Stage): Promise<Record<string, string>> {
  const all = Object.entries(await stage.view()).filter(([key]) => key.startsWith('combatants/'))
  return Object.fromEntries(all.map(([, value]) => [(value as CombatantView).name, (value as CombatantView).id]))
}

/** A party of two and a band of goblins with their shaman. */
async function ford(stage: Stage, start = true): Promise<{ ana: SeatCreated; id: Record<string, string> }> {
  const ana = await stage.seat('Ana')
  await stage.do(
    { type: 'setOptions', title: 'Ambush at the ford' },
    pc(ana, { name: 'Mira', init: start ? 18 : undefined, mod: 3, hp: 22, ac: 14, answers: ['shield', 'counterspell'] }),
    pc(undefined, { name: 'Toran', init: start ? 7 : undefined, mod: 1, hp: 31, ac: 18 }),
    add({ name: 'Goblin', times: 4, group: 'goblins', init: start ? 14 : undefined, mod: 2, hp: 7, ac: 15, side: 'foes' }),
    add({ name: 'Shaman', init: start ? 11 : undefined, mod: 2, hp: 27, ac: 13, side: 'foes', answers: ['counterspell'] }),
  )
  const id = await cast(stage)
  if (start) await stage.do({ type: 'startCombat' })
  return { ana, id }
}

/** Ends turns until somebody's comes. */
async function turnOf(stage: Stage, combatant: string): Promise<void> {
  for (let turns = 0; turns < 9 && (await stage.view()).turn?.combatant !== combatant; turns++) await stage.do({ type: 'endTurn' })
}

/** Two and two on a bridge, each with a weapon in hand, before anybody has declared. */
async function bridge(stage: Stage): Promise<{ ana: SeatCreated; id: Record<string, string> }> {
  const ana = await stage.seat('Ana')
  const armed = (score: number, weapon: string) => ({ score, [`weapon.${weapon}.first`]: -1, [`weapon.${weapon}.next`]: -5 })
  await stage.do(
    { type: 'setOptions', title: 'Le pont des Soupirs' },
    pc(ana, { name: 'Éloïse', hp: 20, stats: armed(15, 'rapière') }),
    pc(undefined, { name: 'Gaspard', hp: 20, stats: armed(11, 'épée') }),
    add({ name: 'Spadassin', times: 2, hp: 12, side: 'foes', stats: armed(12, 'épée') }),
    { type: 'startCombat' },
  )
  return { ana, id: await cast(stage) }
}

const asking = { reactionWindows: 'ask', reactionSeconds: '60' }

/** A spell, and each of four casters countering the one before: five frames. */
async function duel(stage: Stage): Promise<SeatCreated> {
  const ana = await stage.seat('Ana')
  const names = ['Ilse', longNames[0]!, 'Nox', longNames[1]!, 'Mira']
  await stage.do(...names.map((name, i) => add({
    name, side: i % 2 ? 'foes' : 'party', kind: i % 2 ? 'npc' : 'pc', init: 20 - i, hp: 30, ac: 12,
    seat: name === 'Mira' ? ana.seat : undefined, answers: ['counterspell'],
  })), { type: 'startCombat' })
  const id = await cast(stage)
  const at = (i: number) => id[names[i]!]!
  await stage.do({ type: 'act', combatant: at(0), kind: 'castSpell', name: 'fireball', level: 3, targets: [at(1)] })
  for (let i = 1; i < names.length; i++) {
    const { window } = await stage.view()
    // Whoever is asked before the one whose turn it is to answer lets it pass.
    const before = (window?.eligible ?? []).slice(0, (window?.eligible ?? []).indexOf(at(i)))
    for (const combatant of before) await stage.do({ type: 'decline', combatant, window: window!.window })
    await stage.do({ type: 'react', combatant: at(i), kind: 'counterspell', level: 3, ...(window ? { window: window.window } : {}) })
  }
  return ana
}

export const scenes = {
  empty: { title: 'An empty encounter', play: (stage) => stage.seat('Ana') },
  setup: { title: 'Before the fight: a hidden one, somebody without a count', async play(stage) {
    const { ana, id } = await ford(stage, false)
    await stage.do(
      { type: 'setHidden', combatants: [id.Shaman!], hidden: true, untilAct: true },
      { type: 'rollInitiative', combatants: [id['Goblin 1']!], die: 11 },
    )
    return ana
  } },
  turn: { title: 'My turn, with a clock', options: { turnSeconds: '600' }, async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do(
      { type: 'addEffect', combatants: [id.Toran!], name: 'restrained', source: id.Shaman!, until: { at: 'rounds', rounds: 2 } },
      { type: 'addEffect', combatants: [id.Mira!], name: 'blessed', source: id.Toran!, until: { at: 'rounds', rounds: 10 }, concentration: true },
      { type: 'damage', combatants: [id['Goblin 2']!, id['Goblin 3']!], amount: 4 },
      { type: 'move', combatant: id.Mira!, feet: 10 },
    )
    return ana
  } },
  waiting: { title: 'The turn of another; some come before mine', async play(stage) {
    const { ana } = await ford(stage)
    await stage.do({ type: 'endTurn' })
    return ana
  } },
  next: { title: 'I am next', async play(stage) {
    const { ana, id } = await ford(stage)
    await turnOf(stage, id.Toran!)
    return ana
  } },
  unseen: { title: 'My turn is over; a hidden one acts', async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do({ type: 'setHidden', combatants: ['Goblin 1', 'Goblin 2', 'Goblin 3', 'Goblin 4'].map((name) => id[name]!), hidden: true }, { type: 'endTurn' })
    return ana
  } },
  two: { title: 'Two characters in one hand', async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do(
      { type: 'assignSeat', combatant: id.Toran!, seat: ana.seat },
      { type: 'addEffect', combatants: [id.Toran!], name: 'restrained', source: id.Shaman!, until: { at: 'rounds', rounds: 2 } },
    )
    return ana
  } },
  asked: { title: 'I am asked: the deep end of three frames', options: asking, async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do(
      { type: 'move', combatant: id.Mira!, feet: 20, leavesReachOf: [id['Goblin 1']!] },
      { type: 'react', combatant: id['Goblin 1']!, kind: 'opportunityAttack', targets: [id.Mira!], attack: { total: 17, damage: '6' } },
    )
    return ana
  } },
  interrupted: { title: 'A reaction in a reaction', async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do(
      { type: 'move', combatant: id.Mira!, feet: 20, leavesReachOf: [id['Goblin 1']!] },
      { type: 'react', combatant: id['Goblin 1']!, kind: 'opportunityAttack', targets: [id.Mira!], attack: { total: 17, damage: '6' } },
    )
    return ana
  } },
  deep: { title: 'Five frames, with long names', options: asking, play: duel },
  down: { title: 'At 0 hit points, while others act', async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do({ type: 'endTurn' }, { type: 'damage', combatants: [id.Mira!], amount: 25 })
    return ana
  } },
  dead: { title: 'Dead', async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do({ type: 'endTurn' }, { type: 'damage', combatants: [id.Mira!], amount: 60 })
    return ana
  } },
  dying: { title: 'At 0 hit points, a death save owed', async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do({ type: 'endTurn' }, { type: 'damage', combatants: [id.Mira!], amount: 25 })
    for (let turns = 0; turns < 8 && !Object.keys(await stage.view()).some((key) => key.startsWith('pending/')); turns++) await stage.do({ type: 'endTurn' })
    return ana
  } },
  proposed: { title: 'A player asks to take 7', options: { playersHurt: 'ask' }, async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.send({ type: 'damage', combatants: [id.Mira!], amount: 7 }, ana.token)
    return ana
  } },
  crowd: { title: 'Forty of them, with long names and conditions', async play(stage) {
    const ana = await stage.seat('Ana')
    await stage.do(
      pc(ana, { name: longNames[0]!, init: 20, hp: 40, ac: 15 }),
      ...longNames.slice(1).map((name, i) => add({ name, init: 19 - i, hp: 30 + i, ac: 13, side: i ? 'foes' : 'party', kind: i ? 'npc' : 'pc' })),
      add({ name: 'Skeleton', times: 24, group: 'skeletons', init: 12, hp: 13, ac: 13 }),
      add({ name: 'Cultist', times: 12, init: 9, hp: 9, ac: 12 }),
      { type: 'startCombat' },
    )
    const id = await cast(stage)
    for (const name of ['poisoned', 'prone', 'restrained', 'frightened']) {
      await stage.do({ type: 'addEffect', combatants: [id[longNames[0]!]!, id['Skeleton 3']!, id['Cultist 2']!], name, until: { at: 'rounds', rounds: 3 } })
    }
    await stage.do({ type: 'damage', combatants: [id['Skeleton 3']!, id['Skeleton 7']!], amount: 9 })
    return ana
  } },
  ended: { title: 'After the fight', async play(stage) {
    const { ana, id } = await ford(stage)
    await stage.do({ type: 'damage', combatants: [id['Goblin 1']!], amount: 9 }, { type: 'endCombat' })
    return ana
  } },
  starfinder: { title: 'Starfinder: one delays, one has readied', rules: 'starfinder', async play(stage) {
    const ana = await stage.seat('Ana')
    await stage.do(
      { type: 'setOptions', title: 'The docking bay' },
      pc(undefined, { name: 'Obozaya', init: 21, hp: 24, ac: 15 }),
      pc(ana, { name: 'Keskodai', init: 17, hp: 20, ac: 13, stats: { stamina: 18, resolve: 4 } }),
      add({ name: 'Drone', times: 3, init: 12, hp: 14, ac: 12 }),
      pc(undefined, { name: 'Raia', init: 15, hp: 18, ac: 14 }),
      { type: 'startCombat' },
    )
    const id = await cast(stage)
    await stage.do(
      { type: 'delay', combatant: id.Obozaya! },
      { type: 'ready', combatant: id.Keskodai!, kind: 'attack', trigger: 'the hatch opens' },
      { type: 'endTurn' },
    )
    return ana
  } },
  lights: { title: 'Lights & Shadows: everybody declares', rules: 'lights-and-shadows', async play(stage) {
    const { ana, id } = await bridge(stage)
    await stage.send({ type: 'declare', combatant: id.Éloïse!, draft: true, actions: [{ kind: 'attack', weapon: 'rapière' }, { kind: 'openDoor' }] }, ana.token)
    await stage.do({ type: 'declare', combatant: id['Spadassin 1']!, actions: [{ kind: 'attack', weapon: 'épée' }] })
    return ana
  } },
  counts: { title: 'Lights & Shadows: a place for every action', rules: 'lights-and-shadows', async play(stage) {
    const { ana, id } = await bridge(stage)
    const attack = (name: string, weapon: string, times: number): Command => ({ type: 'declare', combatant: id[name]!, actions: Array.from({ length: times }, () => ({ kind: 'attack', weapon })) })
    await stage.do(attack('Éloïse', 'rapière', 2), attack('Gaspard', 'épée', 2), attack('Spadassin 1', 'épée', 2), attack('Spadassin 2', 'épée', 1))
    return ana
  } },
} satisfies Record<string, Scene>

export type SceneName = keyof typeof scenes
