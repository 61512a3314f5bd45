// Every component, and at which moments and through whose eyes its states show.
import { Desk } from '../lib/desk.svelte'
import { usualOverlay } from '../lib/overlay'
import { ServerClock } from '../lib/serverclock'
import { Session } from '../lib/session.svelte'
import type { CombatantView, Offer } from '../lib/wire.gen'
import type { SceneName } from './scenes'

export type Eyes = 'gm' | 'player' | 'spectator'
type Props = Record<string, unknown>

/** Some states of a component. */
export interface Card {
  /** the moments it is shown at; without any it needs no fight */
  at?: SceneName[]
  by?: Eyes[]
  /** all it is given, if not the session alone; undefined where it has nothing to show */
  props?: (session: Session) => Props | undefined
  /** It covers the page: shown one at a time. */
  modal?: true
}

const everything: SceneName[] = ['empty', 'setup', 'waiting', 'next', 'turn', 'unseen', 'two', 'asked', 'interrupted', 'deep', 'down', 'dead', 'dying', 'proposed', 'crowd', 'ended', 'starfinder', 'lights', 'counts']
const fights: SceneName[] = ['turn', 'asked', 'interrupted', 'deep', 'crowd', 'starfinder']
const all: Eyes[] = ['gm', 'player', 'spectator']
const nothing = () => undefined

const ids = (session: Session) => [...session.combatants.keys()]
const mine = (session: Session) => session.you?.combatants ?? []
const one = (session: Session): CombatantView | undefined => session.combatants.get(mine(session)[0] ?? '') ?? [...session.combatants.values()][0]
const desk = (session: Session, selected: number) => {
  const made = new Desk(session)
  for (const id of ids(session).slice(0, selected)) made.toggle(id)
  return made
}
/** An offer that stands, and who may take it. */
function offered(session: Session, fits: (offer: Offer) => boolean): Props | undefined {
  const offer = session.can.find((o) => fits(o) && (o.combatant || o.combatants?.length))
  return offer && { session, offer, combatant: offer.combatant ?? offer.combatants![0], onclose: nothing }
}
const clock = new ServerClock()
const seconds = (left: number) => ({ clock, leftMs: left * 1000, paused: true, whole: 60_000, label: 'Time to answer' })
const closing = (session: Session) => ({ session, onclose: nothing })
const chosen = (session: Session) => ({ session, chosen: [...session.combatants.values()].slice(0, 3) })
const bare = (props: Props): Card => ({ props: () => props })

export const catalogue: Record<string, Card[]> = {
  // Whole faces.
  Start: [bare({})],
  Join: [{ at: ['turn'], by: ['player'], props: (session) => ({ session, removed: false, onseat: nothing }) }, { at: ['turn'], by: ['player'], props: (session) => ({ session, removed: true, onseat: nothing }) }],
  Gm: [{ at: everything, by: ['gm'] }],
  Player: [{ at: everything, by: ['player'], props: (session) => ({ session, onleave: nothing }) }],
  Spectator: [{ at: everything, by: ['spectator'] }],
  Overlay: [{ at: fights, by: ['spectator'], props: (session) => ({ session, settings: usualOverlay }) }],
  Ended: ['unauthorized', 'not_found', 'unavailable'].map((code) => bare({ code })),
  // Whose turn it is, and who has broken in.
  Stack: [{ at: [...fights, 'dying'], by: all }],
  Window: [{ at: ['asked', 'deep'], by: all }, { at: ['asked'], by: ['player'], props: (session) => ({ session, big: true }) }],
  TurnBanner: [{ at: fights, by: ['player'], props: (session) => ({ session, mine: mine(session) }) }],
  TurnClock: [{ at: ['turn'], by: ['gm'] }],
  Clock: [60, 30, 9, 0].map((left) => bare(seconds(left))),
  NextButton: [{ at: ['turn', 'asked', 'interrupted', 'deep', 'lights'], by: ['gm'] }],
  // The order.
  Order: [{ at: ['setup', 'turn', 'crowd', 'starfinder'], by: ['player', 'spectator'] }],
  DeskOrder: [{ at: ['setup', 'turn', 'interrupted', 'crowd'], by: ['gm'], props: (session) => ({ desk: desk(session, 2) }) }],
  Hp: [bare({ hp: { current: 18, max: 27, temp: 5 } }), bare({ hp: { current: 0, max: 27 } }), bare({ hp: { current: 7, max: 27 }, large: true }),
    ...['unhurt', 'hurt', 'bloodied', 'critical', 'down'].map((band) => bare({ hp: { band } }))],
  SightSigns: [{ at: ['setup'], by: ['gm'], props: (session) => ({ combatant: [...session.combatants.values()].find((c) => c.hidden) }) }],
  InitField: [{ at: ['setup', 'turn'], by: ['gm'], props: (session) => ({ session, combatant: one(session) }) }],
  // What somebody may do.
  Actions: [{ at: ['turn', 'interrupted', 'starfinder', 'dying'], by: ['player', 'gm'], props: (session) => ({ session, combatant: mine(session)[0] ?? session.acting?.combatant ?? '' }) }],
  Budget: [bare({ budget: [{ name: 'action', left: 1, max: 1 }, { name: 'bonus', left: 0, max: 1 }, { name: 'movement', left: 20, max: 30 }, { name: 'reaction', left: 1, max: 1 }] })],
  CharacterCard: [{ at: ['setup', 'turn', 'dying', 'proposed', 'starfinder', 'lights'], by: ['player'], props: (session) => ({ session, combatant: one(session) }) }],
  Declare: [{ at: ['lights'], by: ['player'], props: (session) => ({ session, combatants: [one(session)] }) }, { at: ['lights'], by: ['gm'], props: (session) => ({ session, combatants: [...session.combatants.values()] }) }],
  DeedDialog: [{ at: ['turn'], by: ['player'], modal: true, props: (session) => offered(session, (o) => o.type === 'act' && o.kind === 'attack') }],
  MoveDialog: [{ at: ['turn'], by: ['player'], modal: true, props: (session) => offered(session, (o) => o.type === 'move') }],
  // What is owed and asked.
  Pending: [{ at: ['dying'], by: ['gm', 'player'] }],
  Decided: [bare({ onend: nothing })],
  FightOver: [{ at: ['ended'], by: ['gm'], props: (session) => ({ session, onprepared: nothing }) }],
  BreakIn: [{ at: ['turn', 'interrupted'], by: ['gm'] }],
  Proposals: [{ at: ['proposed'], by: ['gm', 'player'] }],
  // The game master's hands.
  QuickAdd: [{ at: ['empty'], by: ['gm'], props: (session) => ({ session, onform: nothing, onimport: nothing }) }],
  Samples: [{ at: ['empty'], by: ['gm'] }],
  PreparedDialog: [{ at: ['turn', 'empty'], by: ['gm'], modal: true, props: closing }],
  SelectionBar: [{ at: ['turn', 'crowd'], by: ['gm'], props: (session) => ({ desk: desk(session, 3), onstep: nothing }) }],
  HpEdit: [{ at: ['turn'], by: ['gm'], props: (session) => ({ session, targets: ids(session).slice(0, 3), saves: true }) }],
  EffectPanel: [{ at: ['turn', 'starfinder'], by: ['gm'], props: (session) => ({ session, targets: ids(session).slice(0, 1), onmore: nothing }) }],
  SightPanel: [{ at: ['setup'], by: ['gm'], props: chosen }],
  DeskFooter: [{ at: ['setup', 'turn', 'interrupted'], by: ['gm'], props: (session) => ({ session, taken: 'Mira moves 10 ft', brought: undefined }) }],
  DeskTools: [{ at: ['turn'], by: ['gm'], props: (session) => ({ session, narrow: false }) }, { at: ['turn'], by: ['gm'], props: (session) => ({ session, narrow: true }) }],
  SeeAs: [{ at: ['turn'], by: ['gm'] }],
  EffectDialog: [{ at: ['turn'], by: ['gm'], modal: true, props: (session) => ({ ...closing(session), targets: ids(session).slice(0, 2), ending: { at: 'never', of: '', rounds: 1 } }) }],
  SheetDialog: [{ at: ['turn'], by: ['gm'], modal: true, props: (session) => ({ ...closing(session), combatant: one(session) }) }, { at: ['turn'], by: ['player'], modal: true, props: (session) => ({ ...closing(session), player: true }) }],
  ImportDialog: [{ at: ['empty'], by: ['gm'], modal: true, props: (session) => ({ ...closing(session), dropped: [] }) }],
  OptionsDialog: [{ at: ['turn', 'starfinder', 'lights'], by: ['gm'], modal: true, props: closing }],
  SeatsDialog: [{ at: ['turn'], by: ['gm'], modal: true, props: closing }],
  ShareDialog: [{ at: ['turn'], by: ['gm'], modal: true, props: closing }],
  KeysDialog: [{ modal: true, props: () => ({ onclose: nothing }) }],
  Confirm: [{ modal: true, props: () => ({ title: 'End the fight?', text: 'Everybody stays. This can be undone.', action: 'End combat', onconfirm: nothing, onclose: nothing }) }],
  // What is said.
  Header: [{ at: ['turn', 'crowd'], by: all }],
  ConnectionBadge: [{ at: ['turn'], by: ['spectator'] }, ...(['connecting', 'stale', 'reconnecting', 'ended'] as const).map((status): Card => ({
    at: ['turn'], by: ['spectator'], props: (session) => ({ session: at(session, status) }),
  }))],
  Log: [{ at: ['turn', 'interrupted', 'deep'], by: ['gm', 'spectator'] }],
  Talk: [{ at: ['turn'], by: ['player'] }],
  LinkCard: [bare({ role: 'spectator', link: 'https://riposte.example/e/01890000-0000-7000-8000-000000000000#token' })],
  SeatMenu: [{ at: ['turn'], by: ['player'], modal: true, props: (session) => ({ ...closing(session), onleave: nothing }) }],
  QrCode: [bare({ text: 'https://riposte.example/e/01890000', label: 'Link for spectators' })],
  Icon: ['bolt', 'pause', 'play', 'undo', 'redo', 'share', 'people', 'gear', 'help', 'die', 'up', 'down'].map((name) => bare({ name, size: 24 })),
}

/** A session that sees the same, and whose connection stands otherwise. */
function at(session: Session, status: Session['status']): Session {
  const other = new Session(session.id, session.token)
  other.show(session.view, session.log)
  other.status = status
  return other
}

/** Components that are shown inside another one, which is. */
export const inside: Record<string, string> = {
  Announcer: 'Gm', AttackFields: 'DeedDialog', CallCard: 'Player', CallChoices: 'SeatMenu', Calls: 'Player', Clashes: 'SheetDialog', DemoDoor: 'Start', Dialog: 'Confirm', DropFiles: 'Gm', EffectEnd: 'EffectPanel', Follow: 'Spectator', GroupRow: 'DeskOrder',
  ImportRow: 'ImportDialog', ImportSource: 'ImportDialog', JoinForm: 'Start', KnownList: 'Start', LateEdit: 'Gm', Later: 'Gm', LinkField: 'LinkCard', Notices: 'Gm', OrderRow: 'Order', OverlayBuilder: 'ShareDialog', PlayerFoot: 'Player', Prompt: 'Window', Question: 'Stack', Rung: 'Stack', SeatList: 'ShareDialog', Seen: 'SeeAs',
  SelectionMore: 'SelectionBar', ShortCode: 'ShareDialog', Switches: 'Header', TargetPicker: 'DeedDialog', Waiting: 'Stack',
}
