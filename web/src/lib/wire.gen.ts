// Generated from the Go types by "make generate"; changes belong there.

/**
 * Ack says that a command is accepted and durable. Seq is this audience's
 * counter once its effects, if it may see any, have been sent.
 */
export interface Ack {
  type: 'ack'
  id: string
  seq: number
  /** replaceLink: a NewLink */
  result?: NewLink
}

/** Act spends something and does it. */
export interface ActCommand {
  type: 'act'
  combatant: ID
  frame?: ID
  /** from the rule system's list */
  kind: string
  name?: string
  targets?: ID[]
  /** pool to pay from, when not the kind's own: action, bonus, … */
  cost?: string
  /** of a spell; 0 is a cantrip */
  level?: number
  provokes?: ID[]
  attack?: Attack
  /** then its frame ends, once nobody is left to be asked */
  done?: boolean
  /** GM: whatever it costs (a ruling, logged) */
  force?: boolean
}

/** Acted begins an action: what it costs is paid. */
export interface ActedEvent {
  type: 'acted'
  frame: ID
  combatant: ID
  action: Action
  /** the frame ends by itself once it is resolved */
  auto?: boolean
  /** the GM overrode a rule */
  ruling?: boolean
}

/**
 * Action is one thing being done. It waits in its frame while others may
 * answer it.
 */
export interface Action {
  /** of the rule system's list, or move */
  kind: string
  name?: string
  targets?: ID[]
  level?: number
  feet?: number
  position?: string
  leaves?: ID[]
  provokes?: ID[]
  /** who is moved, when it is pushed or carried */
  mover?: ID
  defensive?: boolean
  ac?: number
  /** frame it answers */
  to?: ID
  paid?: Pool[]
  attack?: Attack
  roll?: Rolled
  /** the GM overrode a rule */
  ruling?: boolean
  /** declared, hit, done: which questions are behind it */
  stage?: string
}

/** ActionView is something begun and not yet resolved, or just over. */
export interface ActionView {
  kind: string
  name?: string
  targets?: ID[]
  feet?: number
  /** of its attack roll */
  total?: number
}

/**
 * AddCombatant puts one or several (Times) combatants into the encounter.
 * A player may add only a pc, which is then that seat's.
 */
export interface AddCombatant {
  name: string
  /** any word; combatants of one side are friends. Default party for pc, foes for npc */
  side?: string
  /** pc or npc; default pc when side is party, else npc */
  kind?: string
  seat?: ID
  /** those of one group share initiative where the rules say so */
  group?: string
  /** total initiative modifier */
  mod?: number
  /** typed count */
  init?: Count
  /** maximum, and current unless Current is given; 0: not tracked */
  hp?: number
  current?: number
  temp?: number
  ac?: number
  /** feet; default 30 */
  speed?: number
  hidden?: boolean
  /** only the GM sees them */
  notes?: string
  /** kinds of reaction it owns: shield, counterspell, … */
  answers?: string[]
  /** ability name → lowest d6 face that gives it back */
  recharge?: Record<string, number>
  /** what the rule system reads; see System.Stats */
  stats?: Record<string, number>
  /** 1 to 50; names are numbered when above 1 */
  times?: number
}

/**
 * AddCombatant puts one or several (Times) combatants into the encounter.
 * A player may add only a pc, which is then that seat's.
 */
export interface AddCombatantCommand {
  type: 'addCombatant'
  name: string
  /** any word; combatants of one side are friends. Default party for pc, foes for npc */
  side?: string
  /** pc or npc; default pc when side is party, else npc */
  kind?: string
  seat?: ID
  /** those of one group share initiative where the rules say so */
  group?: string
  /** total initiative modifier */
  mod?: number
  /** typed count */
  init?: Count
  /** maximum, and current unless Current is given; 0: not tracked */
  hp?: number
  current?: number
  temp?: number
  ac?: number
  /** feet; default 30 */
  speed?: number
  hidden?: boolean
  /** only the GM sees them */
  notes?: string
  /** kinds of reaction it owns: shield, counterspell, … */
  answers?: string[]
  /** ability name → lowest d6 face that gives it back */
  recharge?: Record<string, number>
  /** what the rule system reads; see System.Stats */
  stats?: Record<string, number>
  /** 1 to 50; names are numbered when above 1 */
  times?: number
}

/** AddEffect puts a condition or another effect on one or several. */
export interface AddEffectCommand {
  type: 'addEffect'
  combatants: ID[]
  name: string
  source?: ID
  until?: Until
  /** added to AC */
  ac?: number
  /** added to maximum HP */
  maxHp?: number
  /** added to speed, feet */
  speed?: number
  /** at the start of each of the target's turns */
  turnDamage?: number
  damageKind?: string
  /** kind of damage that is halved */
  resist?: string
  save?: Save
  /** the source must keep concentrating */
  concentration?: boolean
  /** only the GM sees it */
  hidden?: boolean
}

/**
 * AddSeat makes a seat for somebody who came with the player link. Only the
 * hub sends it; Key is the hash of the seat's token.
 */
export interface AddSeatCommand {
  type: 'addSeat'
  seat: ID
  name: string
  key: string
}

/** Anchor is where an effect ends. A Round of the anchor is absolute. */
export interface Anchor {
  /** count, turnStart, turnEnd, roundEnd, never */
  at: string
  /** whose turn, or whose count */
  of?: ID
  /** absent in the sight of those who may not know it */
  count?: Count
  round?: number
}

/**
 * Answer answers a pending decision. Die is the face of the die; 0 lets the
 * server roll.
 */
export interface AnswerCommand {
  type: 'answer'
  pending: ID
  die?: number
  /** for a tie */
  order?: ID[]
  /** for a proposal: the GM's yes or no; its own player may withdraw it (false) */
  accept?: boolean
}

/** A fact, as the log tells it. */
export type AppEvent = 
  | ActedEvent
  | ChargeSetEvent
  | ClockSetEvent
  | CombatEndedEvent
  | CombatResetEvent
  | CombatStartedEvent
  | CombatantAddedEvent
  | CombatantEditedEvent
  | CombatantRemovedEvent
  | CreatedEvent
  | DamagedEvent
  | DeclinedEvent
  | DefeatedSetEvent
  | DelaySetEvent
  | DiceRolledEvent
  | EffectAddedEvent
  | EffectEndedEvent
  | FramePoppedEvent
  | FramePushedEvent
  | HealedEvent
  | HiddenSetEvent
  | HPSetEvent
  | ImportedEvent
  | InitiativeSetEvent
  | LifeSetEvent
  | LinkReplacedEvent
  | MarksSetEvent
  | MovedEvent
  | NotedEvent
  | OptionsSetEvent
  | OrderedEvent
  | PendingClosedEvent
  | PendingOpenedEvent
  | PlannedEvent
  | PoolsSetEvent
  | PositionSetEvent
  | ProposalClosedEvent
  | ProposedEvent
  | ReadySetEvent
  | RedoneEvent
  | ResolvedEvent
  | RolledOffEvent
  | RoundStartedEvent
  | SaidEvent
  | SavedEvent
  | SeatAddedEvent
  | SeatAssignedEvent
  | SeatEditedEvent
  | SeatRemovedEvent
  | SightSetEvent
  | StagedEvent
  | SteppedEvent
  | SurprisedSetEvent
  | TempHPSetEvent
  | TieSettledEvent
  | TurnEndedEvent
  | TurnStartedEvent
  | UndoneEvent
  | WindowClosedEvent
  | WindowMovedEvent
  | WindowOpenedEvent

/**
 * AssignSeat gives a combatant to a seat; an empty seat takes it back. A
 * player may claim an unowned pc, or let go of its own.
 */
export interface AssignSeatCommand {
  type: 'assignSeat'
  combatant: ID
  seat?: ID
  /** the seat that its sender saw; empty: none */
  base?: ID
}

/**
 * Attack is what is known of an attack roll: either the bonus ToHit and the
 * damage expression for the server to roll, or what the table's own dice said.
 */
export interface Attack {
  toHit?: number
  /** dice expression such as 2d6+3, or a plain number */
  damage?: string
  /** the attack total as rolled at the table */
  total?: number
  /** the table's verdict, when no total is given */
  hit?: boolean
  critical?: boolean
  /** from within 5 ft */
  melee?: boolean
  /** of damage: fire, cold, … */
  kind?: string
}

/**
 * Bye comes before the server closes a socket. A client comes back after
 * RetryAfterMs, or not at all when it is absent.
 */
export interface Bye {
  type: 'bye'
  code: string
  retryAfterMs?: number
}

/** ChargeSet says that an ability is spent or back; Die is the recharge roll. */
export interface ChargeSetEvent {
  type: 'chargeSet'
  combatant: ID
  name: string
  charged: boolean
  die?: number
}

/** What a client may send; the first message is a hello. */
export type ClientMessage = 
  | Hello
  | Do
  | Ping

/**
 * Clock is the turn clock (option turnSeconds). While it runs, Deadline says
 * when the turn is over; while it is held, Left says what remains. Both in
 * milliseconds.
 */
export interface Clock {
  frame?: ID
  deadline?: number
  left?: number
  /** by the GM */
  paused?: boolean
}

export interface ClockSetEvent {
  type: 'clockSet'
  clock: Clock
  /** pause, resume */
  why?: string
}

/** CloseWindow declines for everybody still to be asked. GM. */
export interface CloseWindowCommand {
  type: 'closeWindow'
  window?: ID
}

/** CodeCreated answers it. */
export interface CodeCreated {
  /** two groups of four letters and digits, with a dash */
  code: string
  /** RFC 3339, milliseconds, UTC */
  expiresAt: string
}

/** CodeOpened is the link that a code opens. */
export interface CodeOpened {
  id: ID
  role: string
  link: string
  token: string
}

/**
 * CodeRequest asks for a short code that opens a link: whose role, and its
 * token.
 */
export interface CodeRequest {
  /** player, spectator */
  role: string
  token: string
}

export interface CombatEndedEvent {
  type: 'combatEnded'
}

/**
 * CombatReset: with Clear only the party is left, and of the effects those
 * on it that have no end.
 */
export interface CombatResetEvent {
  type: 'combatReset'
  clear?: boolean
}

export interface CombatStartedEvent {
  type: 'combatStarted'
}

/** Combatant is one participant. Conditions are effects; see State.Effects. */
export interface Combatant {
  id: ID
  name: string
  side: string
  /** pc or npc */
  kind: string
  seat?: ID
  group?: string
  notes?: string
  /** from somebody */
  hidden?: boolean
  /** from players or spectators alone; empty: from both */
  hiddenFrom?: string
  /** its first act shows it to players, spectators or both */
  untilAct?: string
  /** what others may see of it, where the options are not followed */
  sight?: Sights
  mod: number
  init?: Count
  /** face rolled for Init */
  die?: number
  /** roll-offs, in order */
  rollOff?: number[]
  /** place in a settled tie, from 1 */
  rank?: number
  hp: number
  /** 0: hit points are not tracked */
  maxHp: number
  temp?: number
  ac: number
  speed: number
  position?: string
  answers?: string[]
  recharge?: Record<string, number>
  /** abilities waiting to recharge */
  spent?: string[]
  /** of the sheet */
  stats?: Record<string, number>
  /** of the fight: what the rule system keeps count of */
  marks?: Record<string, number>
  plan?: Intent[]
  /** the plan is said; else it is a draft */
  declared?: boolean
  /** up, dying, stable, dead */
  life: string
  defeated?: boolean
  surprised?: boolean
  /** has had a turn in this fight */
  acted?: boolean
  pools?: Pool[]
  readied?: Readied
  delaying?: boolean
}

/** The roster. */
export interface CombatantAddedEvent {
  type: 'combatantAdded'
  combatant: Combatant
}

/** CombatantEdited carries the whole sheet as it is now. */
export interface CombatantEditedEvent {
  type: 'combatantEdited'
  combatant: ID
  name: string
  /** its name before, when that changed */
  was?: string
  side: string
  kind: string
  group?: string
  mod: number
  hp: number
  maxHp: number
  ac: number
  speed: number
  notes?: string
  answers?: string[]
  stats?: Record<string, number>
}

export interface CombatantRemovedEvent {
  type: 'combatantRemoved'
  combatant: ID
  name: string
}

/** CombatantView is the value of "combatants/{id}". */
export interface CombatantView {
  id: ID
  /** names the contents of its sheet, for those who may edit it: what an edit is based on */
  rev?: number
  name: string
  side: string
  kind: string
  seat?: ID
  group?: string
  /** from anybody; gm, and its own seat */
  hidden?: boolean
  /** gm: players, spectators */
  hiddenFrom?: string[]
  /** gm: its first act will show it */
  untilAct?: boolean
  /** gm: players, spectators: to whom that is */
  showsTo?: string[]
  /** gm: what others may see of it, where that is not as the options say */
  sight?: Sights
  defeated?: boolean
  /** up, dying, stable, dead */
  life: string
  initiative?: Count
  mod?: number
  hp?: HPView
  ac?: number
  speed?: number
  surprised?: boolean
  /** it could react now */
  reaction: boolean
  /** in display order; its own seat, and the GM */
  budget?: Pool[]
  conditions?: string[]
  position?: string
  readied?: ReadiedView
  delaying?: boolean
  /** it has said what it will do, or has nothing to say */
  declared?: boolean
  /** what; secret until all are in */
  plan?: IntentView[]
  deathSaves?: DeathSavesView
  answers?: string[]
  /** ability → charged */
  recharge?: Record<string, boolean>
  /** ability → lowest d6 face that gives it back; gm, and its own seat */
  rechargeAt?: Record<string, number>
  /** gm, and its own seat: where effects lend or take something */
  sheet?: SheetView
  /** gm, and its own seat */
  stats?: Record<string, number>
  /** gm */
  notes?: string
}

/** Something somebody asks for. */
export type Command = 
  | ActCommand
  | AddCombatantCommand
  | AddEffectCommand
  | AddSeatCommand
  | AnswerCommand
  | AssignSeatCommand
  | CloseWindowCommand
  | DamageCommand
  | DeclareCommand
  | DeclineCommand
  | DelayCommand
  | DuplicateCombatantCommand
  | EditCombatantCommand
  | EditSeatCommand
  | EndCombatCommand
  | EndTurnCommand
  | GrantCommand
  | HealCommand
  | HoldCommand
  | ImportCombatantsCommand
  | LairActionCommand
  | LegendaryActionCommand
  | MoveCommand
  | NoteCommand
  | PassCommand
  | PauseClockCommand
  | ReactCommand
  | ReadyCommand
  | RedoCommand
  | ReleaseCommand
  | RemoveCombatantCommand
  | RemoveEffectCommand
  | RemoveSeatCommand
  | ReorderCommand
  | ReplaceLinkCommand
  | ResetCombatCommand
  | ResumeClockCommand
  | ReturnFromDelayCommand
  | RollCommand
  | RollInitiativeCommand
  | RollOffCommand
  | SayCommand
  | SetActiveCommand
  | SetChargedCommand
  | SetDefeatedCommand
  | SetHiddenCommand
  | SetInitiativeCommand
  | SetOptionsCommand
  | SetPositionCommand
  | SetSightCommand
  | SetSurprisedCommand
  | SetTempHPCommand
  | SettleTieCommand
  | StartCombatCommand
  | TakeCommand
  | TurnExpiredCommand
  | UndoCommand
  | WindowExpiredCommand
  | WithdrawDeclarationCommand

/** CommandDone answers it. */
export interface CommandDone {
  seq: number
  result?: NewLink
}

/** CommandRequest is a command over HTTP. */
export interface CommandRequest {
  id: string
  command: Command
}

/** A place on the initiative scale, with at most two decimals. */
export type Count = number

/** CreateRequest makes an encounter. */
export interface CreateRequest {
  rules: string
  title?: string
  options?: Record<string, string>
}

/** Created answers it: the paths of the three links and their bare tokens. */
export interface Created {
  id: ID
  links: Record<string, string>
  tokens: Record<string, string>
}

/** Created is the first event of every encounter. */
export interface CreatedEvent {
  type: 'created'
  id: ID
  title?: string
  rules: string
  options?: Record<string, string>
}

/**
 * CreatureFile is what was found in a file: the sound creatures, each whole,
 * and what was wrong where.
 */
export interface CreatureFile {
  /** empty when it was not recognised */
  format: string
  creatures: FileCreature[]
  faults: FileFault[]
  /** about the file as a whole */
  warnings?: FileWarning[]
}

/** Damage hurts one or several. */
export interface DamageCommand {
  type: 'damage'
  combatants: ID[]
  amount: number
  /** those of them who take half of it, rounded down: their save succeeded */
  half?: ID[]
  source?: ID
  kind?: string
  /** matters at 0 HP */
  critical?: boolean
  melee?: boolean
}

/** Health, effects, decisions. */
export interface DamagedEvent {
  type: 'damaged'
  combatant: ID
  source?: ID
  /** after resistance */
  amount: number
  kind?: string
  dice?: number[]
  critical?: boolean
  /** afterwards; absent in the log of those who may not know */
  hp?: number
  /** the same */
  temp?: number
  /** that did it */
  effect?: string
}

/** DeathSavesView counts marks at 0 HP. */
export interface DeathSavesView {
  successes: number
  failures: number
}

/**
 * Declarable is one kind of action that may be declared, and how many of the
 * round's actions it takes.
 */
export interface Declarable {
  kind: string
  cost: number
  /** takes the whole round */
  round?: boolean
  /** made with a weapon */
  weapon?: boolean
}

/**
 * Declare states the actions of the coming round. A draft is not said yet:
 * its own side sees at which counts the actions would fall.
 */
export interface DeclareCommand {
  type: 'declare'
  combatant: ID
  actions: Declared[]
  draft?: boolean
}

/** Declared is one intended action. */
export interface Declared {
  /** attack, drawWeapon, … */
  kind: string
  /** names a pair of modifiers */
  weapon?: string
  hasten?: number
}

/** Decline answers a window with no. */
export interface DeclineCommand {
  type: 'decline'
  combatant: ID
  window?: ID
}

/** Declined says that somebody let it pass. Why: declined, expired, closed. */
export interface DeclinedEvent {
  type: 'declined'
  combatant: ID
  window: ID
  why: string
}

export interface DefeatedSetEvent {
  type: 'defeatedSet'
  combatant: ID
  defeated: boolean
}

/** Delay puts the whole turn off. */
export interface DelayCommand {
  type: 'delay'
  combatant: ID
  frame?: ID
}

export interface DelaySetEvent {
  type: 'delaySet'
  combatant: ID
  delaying: boolean
}

export interface DiceRolledEvent {
  type: 'diceRolled'
  dice: string
  label?: string
  faces: number[]
  total: number
  secret?: boolean
}

/**
 * Do asks for a command. ID is a UUID of the client's choice; the same one
 * again is answered with the first outcome.
 */
export interface Do {
  type: 'do'
  id: string
  command: Command
}

/** DuplicateCombatant adds a copy with full hit points. */
export interface DuplicateCombatantCommand {
  type: 'duplicateCombatant'
  combatant: ID
}

/** EditCombatant changes what is given and leaves the rest. */
export interface EditCombatantCommand {
  type: 'editCombatant'
  combatant: ID
  /** the combatant's rev this edit was made on; another one now refuses it: stale_edit */
  base?: number
  name?: string
  side?: string
  kind?: string
  group?: string
  mod?: number
  maxHp?: number
  ac?: number
  speed?: number
  notes?: string
  answers?: string[]
  /** merged key by key */
  stats?: Record<string, number>
}

/** EditSeat renames a seat (its player or the GM) or makes it read-only (GM). */
export interface EditSeatCommand {
  type: 'editSeat'
  seat: ID
  name?: string
  readOnly?: boolean
  /** the name that its sender saw */
  base?: string
}

/** Effect is a condition, a spell's hold, a bonus: anything that lasts. */
export interface Effect {
  id: ID
  name: string
  target: ID
  source?: ID
  ends: Anchor
  ac?: number
  maxHp?: number
  speed?: number
  turnDamage?: number
  damageKind?: string
  resist?: string
  save?: Save
  concentration?: boolean
  hidden?: boolean
}

export interface EffectAddedEvent {
  type: 'effectAdded'
  effect: Effect
}

/** EffectEnded: Why is expired, removed, saved, concentration, replaced, gone. */
export interface EffectEndedEvent {
  type: 'effectEnded'
  effect: ID
  name: string
  target: ID
  why: string
  /** only the GM knew of it */
  hidden?: boolean
}

/**
 * EffectSpec is an effect to put on somebody with one tap: its name, and what
 * AddEffect is to say besides. What a name does by itself is the rules'.
 */
export interface EffectSpec {
  name: string
  /** added to AC */
  ac?: number
  /** added to speed, feet */
  speed?: number
}

/** EffectView is the value of "effects/{id}". */
export interface EffectView {
  id: ID
  name: string
  target: ID
  source?: ID
  ends: Anchor
  /** 0: in this round */
  roundsLeft?: number
  ac?: number
  speed?: number
  turnDamage?: number
  concentration?: boolean
  hidden?: boolean
}

/** EncounterView is the value of "encounter". */
export interface EncounterView {
  id: ID
  title: string
  rules: string
  phase: string
  /** 0 is the surprise round, or before the first */
  round: number
  count?: Count
  /** every key, with its value in force */
  options: Record<string, string>
  /** What may be declared for a round; absent where nothing is declared. */
  declarable?: Declarable[]
}

/** EndCombat ends the fight; the combatants stay. */
export interface EndCombatCommand {
  type: 'endCombat'
}

/** EndTurn ends the acting frame: a turn, or a reaction that broke into one. */
export interface EndTurnCommand {
  type: 'endTurn'
  combatant?: ID
  frame?: ID
}

/**
 * Export is a whole encounter, for the GM to keep or to import. It holds
 * no token and no hash of one.
 */
export interface Export {
  /** ExportFormat */
  format: string
  exportedAt: string
  state: unknown
  /** combat.LogEntry, oldest first; for reading only */
  log?: LogEntry[]
}

/** FileCreature is a sound creature of a file, ready to be added. */
export interface FileCreature {
  creature: AddCombatant
  /** path in a JSON file */
  where?: string
  /** in a table, from 1 */
  line?: number
  source?: string
  warnings?: FileWarning[]
}

/** FileFault is why a creature, or a whole file, is not offered. */
export interface FileFault {
  /** path in a JSON file */
  where?: string
  /** from 1 */
  line?: number
  /** of the creature */
  name?: string
  code: string
  params?: Record<string, unknown>
}

/**
 * FileWarning says what a creature lacks of what the file says, or has
 * beyond it.
 */
export interface FileWarning {
  /** of the creature, as AddCombatant names it */
  field?: string
  code: string
  params?: Record<string, unknown>
}

/** Frame is a turn, or a response that broke into the frame under it. */
export interface Frame {
  id: ID
  /** turn, reaction, readied, legendary, lair, defence */
  kind: string
  slot?: ID
  combatant: ID
  trigger?: Trigger
  /** start, act, end: how far the pipeline is (C-09) */
  step?: string
  /** why step 5 is empty */
  empty?: string
  touched?: boolean
  startedAt: number
  /** begun and not yet resolved */
  action?: Action
  /** the last one that is over */
  did?: Action
  /** open question about Action */
  window?: Window
  /** ends by itself once its action is resolved */
  auto?: boolean
}

/** FramePopped is the end of a response: the frame under it resumes. */
export interface FramePoppedEvent {
  type: 'framePopped'
  frame: ID
  kind: string
  combatant: ID
}

/**
 * FramePushed is a response breaking in. Pools are the responder's after
 * paying.
 */
export interface FramePushedEvent {
  type: 'framePushed'
  frame: Frame
  pools?: Pool[]
  ruling?: boolean
}

/** FrameView is one element of "stack", bottom first. */
export interface FrameView {
  frame: ID
  kind: string
  combatant: ID
  trigger?: TriggerView
  budget?: Pool[]
  /** begun, waiting for answers */
  action?: ActionView
  /** the last one that is over */
  did?: ActionView
  step?: string
  /** why there is nothing it can do */
  empty?: string
}

/** Grant gives (or, below zero, takes) a part of a budget. */
export interface GrantCommand {
  type: 'grant'
  combatant: ID
  pool: string
  amount: number
}

/** HPSet corrects hit points when a maximum falls below them. */
export interface HPSetEvent {
  type: 'hpSet'
  combatant: ID
  hp: number
}

/** HPView is either exact or a band. */
export interface HPView {
  current?: number
  max?: number
  temp?: number
  /** unhurt, hurt, bloodied, critical, down; then the numbers are absent */
  band?: string
}

/**
 * Head says which update is the last one, every two seconds, and by how
 * many seconds what it tells is late.
 */
export interface Head {
  type: 'head'
  seq: number
  behind?: number
}

/** Heal gives hit points back, up to the maximum in force. */
export interface HealCommand {
  type: 'heal'
  combatants: ID[]
  amount: number
}

export interface HealedEvent {
  type: 'healed'
  combatant: ID
  amount: number
  /** afterwards; absent in the log of those who may not know */
  hp?: number
}

/**
 * Hello opens a socket onto one encounter. Since and Epoch are the last
 * update seen, for a resume; without Since it begins anew. With Whole it does
 * so too, and they only say what was seen, so that Welcome.Cut can be told. As
 * is for the GM: spectator, player or seat:<id>, whose view the socket then has,
 * read-only and unseen.
 */
export interface Hello {
  type: 'hello'
  encounter: ID
  token: string
  since?: number
  epoch?: string
  whole?: boolean
  as?: string
}

/**
 * HiddenSet says that somebody appears, or that the GM hides it: from players,
 * from spectators, or (From empty) from both. UntilAct: its first act will
 * show it.
 */
export interface HiddenSetEvent {
  type: 'hiddenSet'
  combatant: ID
  hidden: boolean
  from?: string
  untilAct?: boolean
}

/**
 * HistoryView is the value of "history", which only the GM has: the types of
 * the commands that undo and redo are about. It stands apart from "you",
 * which is large and seldom changes.
 */
export interface HistoryView {
  /** would be taken back */
  undo?: string
  /** would be brought back */
  redo?: string
}

/** Hold keeps the slot's action for later in the round. */
export interface HoldCommand {
  type: 'hold'
  combatant: ID
  frame?: ID
}

/** Names a combatant, slot, frame, window, effect, decision or seat. */
export type ID = string

/** ImportCombatants adds several in one commit, all or none. */
export interface ImportCombatantsCommand {
  type: 'importCombatants'
  combatants: AddCombatant[]
}

/** Imported is the first event of an encounter made from an export. */
export interface ImportedEvent {
  type: 'imported'
  id: ID
}

export interface InitiativeSetEvent {
  type: 'initiativeSet'
  combatant: ID
  count: Count
  /** 0: typed */
  die?: number
  mod?: number
}

/**
 * Intent is one action of a combatant's plan for the round, with what the
 * rules make of it.
 */
export interface Intent {
  kind: string
  weapon?: string
  hasten?: number
  /** at which it falls */
  count: Count
  /** that count gives no slot */
  lost?: boolean
  /** from the round before, on top of this one's */
  carried?: boolean
}

/**
 * IntentView is one action of a plan. Where the count is not to be seen, so is
 * nothing that hangs on it.
 */
export interface IntentView {
  kind: string
  weapon?: string
  hasten?: number
  /** at which it falls */
  count?: Count
  /** that count gives no slot */
  lost?: boolean
  /** from the round before, on top of this one's */
  carried?: boolean
}

/** LairAction acts on the lair's own slot (5E-22). */
export interface LairActionCommand {
  type: 'lairAction'
  frame?: ID
  name?: string
  targets?: ID[]
}

/** LegendaryAction acts at the end of another's turn (5E-21). */
export interface LegendaryActionCommand {
  type: 'legendaryAction'
  combatant: ID
  name?: string
  /** 1 to 3; default 1 */
  cost?: number
  targets?: ID[]
  attack?: Attack
  done?: boolean
}

/** LifeSet says that somebody falls, dies, is stable or is up again. */
export interface LifeSetEvent {
  type: 'lifeSet'
  combatant: ID
  life: string
  hp: number
  defeated?: boolean
}

export interface LinkReplacedEvent {
  type: 'linkReplaced'
  role: string
}

/** Log is what somebody has been told, the last 10,000 lines. */
export interface Log {
  /** combat.LogEntry, oldest first */
  log: LogEntry[]
}

/**
 * LogEntry is one line of the log as one audience may read it: the event's own
 * fields, with its type, and who caused it. Text is made by the reader.
 */
export interface LogEntry {
  at: Millis
  by?: string
  seat?: ID
  commit?: number
  /** an Event with its type */
  event: AppEvent
}

/** MarksSet records what the rule system keeps count of: zero deletes. */
export interface MarksSetEvent {
  type: 'marksSet'
  combatant: ID
  marks: Record<string, number>
  why?: string
}

/** A moment in Unix milliseconds. */
export type Millis = number

/**
 * Move spends movement. Difficult ground and crawling cost double; Stand
 * costs half the speed and ends prone.
 */
export interface MoveCommand {
  type: 'move'
  combatant: ID
  frame?: ID
  feet: number
  difficult?: boolean
  crawl?: boolean
  stand?: boolean
  /** pushed or teleported: costs nothing */
  forced?: boolean
  leavesReachOf?: ID[]
  position?: string
  force?: boolean
}

/** Moved ends a move. */
export interface MovedEvent {
  type: 'moved'
  frame?: ID
  combatant: ID
  feet: number
  position?: string
  forced?: boolean
}

/** NewLink is the result of replaceLink. */
export interface NewLink {
  role: string
  link: string
  token: string
}

/** Note writes a line only GMs see into the log. */
export interface NoteCommand {
  type: 'note'
  text: string
}

/** History and talk. */
export interface NotedEvent {
  type: 'noted'
  text: string
}

/**
 * Offer is a command this viewer may send now, with its fixed fields filled
 * in; the other fields of that command are the sender's to choose. An offer
 * with neither combatant nor combatants is open to any.
 */
export interface Offer {
  type: string
  combatant?: ID
  /** one of these */
  combatants?: ID[]
  frame?: ID
  window?: ID
  pending?: ID
  effect?: ID
  seat?: ID
  kind?: string
  /** only as a purely defensive one */
  defensive?: boolean
  /** false: only to withdraw one's own proposal */
  accept?: boolean
  /** it waits for the GM's yes */
  asks?: boolean
  cost?: Price[]
}

/** Option is one configuration key. */
export interface Option {
  key: string
  default: string
  /** absent: a whole number from Min to Max */
  values?: string[]
  min?: number
  max?: number
  /** about a point where our ruling stands for the source text's */
  ruling?: boolean
}

/** The encounter and who sits at it. */
export interface OptionsSetEvent {
  type: 'optionsSet'
  title?: string
  options?: Record<string, string>
}

/** Ordered replaces the order: slots with their places, cursor and ties. */
export interface OrderedEvent {
  type: 'ordered'
  slots: Slot[]
  cursor?: ID
  ties?: ID[][]
  /** start, round, joined, count, gm, tie, delay, ready */
  why?: string
}

/** Pass lets the slot go. */
export interface PassCommand {
  type: 'pass'
  combatant: ID
  frame?: ID
}

/** PauseClock holds the turn clock; ResumeClock lets it run. */
export interface PauseClockCommand {
  type: 'pauseClock'
}

/** Pending is a decision somebody owes. A frame that waits for it is named. */
export interface Pending {
  id: ID
  /** tie, roll-off, death, concentration, save, declaration, proposal */
  kind: string
  combatants: ID[]
  frame?: ID
  dc?: number
  /** the DC is its hit points */
  byHp?: boolean
  ability?: string
  effect?: ID
  source?: ID
  /**
   * Of a proposal: who makes it, the command with its type, and the
   * combatants and effects that the command names besides its targets.
   */
  seat?: ID
  command?: Command
  mentions?: ID[]
}

export interface PendingClosedEvent {
  type: 'pendingClosed'
  pending: ID
}

export interface PendingOpenedEvent {
  type: 'pendingOpened'
  pending: Pending
}

/** PendingView is the value of "pending/{id}". */
export interface PendingView {
  id: ID
  kind: string
  combatants: ID[]
  dc?: number
  ability?: string
  /** its name */
  effect?: string
  /** to declare by */
  deadline?: Millis
  /** Of a proposal: the player who makes it, and the command that the GM's yes applies. */
  seat?: ID
  command?: Command
}

/** Ping asks for a Pong with the server's time; T comes back as it is. */
export interface Ping {
  type: 'ping'
  t: number
}

/** Planned records what a combatant will do in the round: said, or a draft. */
export interface PlannedEvent {
  type: 'planned'
  combatant: ID
  declared?: boolean
  plan?: Intent[]
}

/**
 * Pong answers a Ping. For delayed spectators, Now is the moment of what
 * they see.
 */
export interface Pong {
  type: 'pong'
  t: number
  now: string
}

/** Pool is one named part of a budget. */
export interface Pool {
  name: string
  left: number
  max: number
}

/** PoolsSet records budgets after spending, granting or refreshing. */
export interface PoolsSetEvent {
  type: 'poolsSet'
  combatant: ID
  pools: Pool[]
  /** grant, refresh */
  why?: string
}

export interface PositionSetEvent {
  type: 'positionSet'
  combatant: ID
  position: string
}

/** Presence says who is here. It is not numbered: the last one counts. */
export interface Presence {
  type: 'presence'
  /** online */
  seats: ID[]
  gms: number
  spectators: number
}

/** Price is what an offer takes from a pool, and what then remains. */
export interface Price {
  pool: string
  cost: number
  left: number
}

/** Problem is an error over HTTP (RFC 9457). */
export interface Problem {
  type: string
  title: string
  status: number
  code: string
  detail?: string
  params?: Record<string, unknown>
}

/**
 * ProposalClosed says what became of it: accepted (then what follows in this
 * commit is what was proposed), dismissed, withdrawn, gone.
 */
export interface ProposalClosedEvent {
  type: 'proposalClosed'
  pending: ID
  seat: ID
  combatants: ID[]
  command: Command
  why: string
}

/** Proposed puts before the GM what a player wants done to its own. */
export interface ProposedEvent {
  type: 'proposed'
  pending: Pending
}

/** React breaks into whatever is happening. */
export interface ReactCommand {
  type: 'react'
  combatant: ID
  /** when it answers a question */
  window?: ID
  /** frame it answers; default the acting one */
  to?: ID
  kind: string
  name?: string
  targets?: ID[]
  level?: number
  defensive?: boolean
  /** bonus to its AC until the start of its next turn */
  ac?: number
  provokes?: ID[]
  attack?: Attack
  /** resume at once, unless somebody must be asked */
  done?: boolean
  force?: boolean
}

/** Readied is an action waiting for its trigger. */
export interface Readied {
  action: Action
  trigger: string
  /** in which it was readied */
  round: number
  spell?: boolean
}

/** ReadiedView says that somebody waits, and for what. */
export interface ReadiedView {
  trigger: string
  kind: string
  name?: string
}

/** Ready prepares an action for a trigger put in the player's own words. */
export interface ReadyCommand {
  type: 'ready'
  combatant: ID
  frame?: ID
  kind: string
  name?: string
  targets?: ID[]
  level?: number
  trigger: string
  defensive?: boolean
  cost?: string
}

export interface ReadySetEvent {
  type: 'readySet'
  combatant: ID
  /** absent: no longer */
  readied?: Readied
  /** lapsed, released, lost */
  why?: string
}

/** Redo brings back what the last undo took. */
export interface RedoCommand {
  type: 'redo'
}

/** Redone brings back what the last undo took. */
export interface RedoneEvent {
  type: 'redone'
  brought: string
}

/** Reject says no to a command, or to a message (then without id). */
export interface Reject {
  type: 'reject'
  id?: string
  code: string
  params?: Record<string, unknown>
}

/** Release lets a readied action happen. */
export interface ReleaseCommand {
  type: 'release'
  combatant: ID
  window?: ID
  targets?: ID[]
  attack?: Attack
  done?: boolean
}

/**
 * RemoveCombatant takes combatants out; their places stay as invisible
 * markers while something is anchored to them (C-03).
 */
export interface RemoveCombatantCommand {
  type: 'removeCombatant'
  combatants: ID[]
}

/** RemoveEffect ends effects before their time. */
export interface RemoveEffectCommand {
  type: 'removeEffect'
  effects: ID[]
}

/** RemoveSeat removes a seat; its combatants stay, unowned. GM. */
export interface RemoveSeatCommand {
  type: 'removeSeat'
  seat: ID
}

/**
 * Reorder puts these combatants' slots in this order, in the places that
 * they hold together (C-13).
 */
export interface ReorderCommand {
  type: 'reorder'
  order: ID[]
  /** who stood from the first of these places to the last when its sender looked */
  base?: ID[]
}

/**
 * ReplaceLink puts a new key behind one of the three links. The hub fills
 * Key and gives the token to the GM who asked.
 */
export interface ReplaceLinkCommand {
  type: 'replaceLink'
  /** gm, player, spectator */
  role: string
  key?: string
}

/**
 * ResetCombat goes back to set-up: no counts, no round, no conditions. With
 * Clear, every npc goes and the party stays for the next fight, as it came
 * out of this one: each pc with its hit points, temporary ones, how near
 * death it is and whether it is out of the fight; spent abilities and the
 * pools that only rest refills; the effects that have no end. What was
 * counted in rounds and turns is over, what somebody who is gone kept up by
 * concentrating ends, and nobody stands anywhere.
 */
export interface ResetCombatCommand {
  type: 'resetCombat'
  clear?: boolean
}

/**
 * Resolved ends the action of a frame. Outcome: done, hit, miss, countered,
 * lost.
 */
export interface ResolvedEvent {
  type: 'resolved'
  frame: ID
  combatant: ID
  kind: string
  name?: string
  outcome: string
  why?: string
  target?: ID
  total?: number
  ac?: number
  /** nobody is asked afterwards */
  over?: boolean
}

/** The GM's own. */
export interface ResumeClockCommand {
  type: 'resumeClock'
}

/** ReturnFromDelay takes a delayed turn. */
export interface ReturnFromDelayCommand {
  type: 'returnFromDelay'
  combatant: ID
}

/** Roll throws dice for all to see, or for the GM alone. */
export interface RollCommand {
  type: 'roll'
  dice: string
  label?: string
  secret?: boolean
}

/**
 * RollInitiative rolls for the combatants named, or for every npc without a
 * count when none is named. Die is the face a real die shows, for one
 * combatant.
 */
export interface RollInitiativeCommand {
  type: 'rollInitiative'
  combatants?: ID[]
  die?: number
}

/** RollOff answers a roll-off for one combatant; Die 0 lets the server roll. */
export interface RollOffCommand {
  type: 'rollOff'
  combatant: ID
  die?: number
}

/** Rolled is an attack roll or a damage roll with all its dice. */
export interface Rolled {
  die?: number
  total?: number
  hit?: boolean
  dice?: number[]
  damage?: number
  critical?: boolean
  /** what defences against it alone add to the armour class it has to reach */
  cover?: number
}

/** RolledOff is one die of a roll-off with others, who stand in With. */
export interface RolledOffEvent {
  type: 'rolledOff'
  combatant: ID
  die: number
  with?: ID[]
}

export interface RoundStartedEvent {
  type: 'roundStarted'
  phase: string
  round: number
}

export interface SaidEvent {
  type: 'said'
  text: string
}

/** Save is a saving throw an effect allows at the end of its target's turns. */
export interface Save {
  ability: string
  dc: number
}

/**
 * Saved is a saving throw or death save. Its numbers are absent in the log of
 * those who may not know them.
 */
export interface SavedEvent {
  type: 'saved'
  combatant: ID
  /** death, concentration, save */
  kind: string
  die?: number
  total?: number
  dc?: number
  /** the DC is its hit points */
  byHp?: boolean
  success: boolean
  effect?: string
}

/** Say writes a line into the log. */
export interface SayCommand {
  type: 'say'
  text: string
}

export interface SeatAddedEvent {
  type: 'seatAdded'
  seat: ID
  name: string
}

export interface SeatAssignedEvent {
  type: 'seatAssigned'
  combatant: ID
  seat?: ID
}

/** SeatCreated answers it. */
export interface SeatCreated {
  seat: ID
  token: string
}

export interface SeatEditedEvent {
  type: 'seatEdited'
  seat: ID
  name: string
  readOnly?: boolean
}

export interface SeatRemovedEvent {
  type: 'seatRemoved'
  seat: ID
  name: string
}

/** SeatRequest asks for a seat. */
export interface SeatRequest {
  name: string
}

/** SeatView is the value of "seats/{id}". Who is online travels as presence. */
export interface SeatView {
  id: ID
  name: string
  combatants: ID[]
  readOnly?: boolean
}

/** What the server sends. A text frame holds one, or an array of them. */
export type ServerMessage = 
  | Welcome
  | Update
  | Ack
  | Reject
  | Presence
  | Head
  | Pong
  | Bye

/** SetActive makes it this combatant's turn now; done marks stay. */
export interface SetActiveCommand {
  type: 'setActive'
  combatant: ID
  /** the turn that went on when its sender looked; another one now refuses it: stale_frame */
  frame?: ID
}

/** SetCharged marks a rechargeable ability as used, or gives it back. */
export interface SetChargedCommand {
  type: 'setCharged'
  combatant: ID
  name: string
  charged: boolean
}

/** SetDefeated puts a combatant out of the fight or back into it. */
export interface SetDefeatedCommand {
  type: 'setDefeated'
  combatants: ID[]
  defeated: boolean
}

/**
 * SetHidden hides combatants from everybody but the GM and their own seat, or
 * shows them. UntilAct goes with hiding: the first thing that one does shows
 * it.
 */
export interface SetHiddenCommand {
  type: 'setHidden'
  combatants: ID[]
  hidden: boolean
  /** players or spectators; left out: both */
  from?: string
  untilAct?: boolean
  /** how its sender saw them: shown, hidden, untilAct */
  base?: string
  /** how its sender saw each of them */
  bases?: Record<string, string>
}

/** SetInitiative types a count in. In mid-fight it moves the slot (C-13). */
export interface SetInitiativeCommand {
  type: 'setInitiative'
  combatant: ID
  /** others who get the same count */
  also?: ID[]
  count: Count
  /** the count that its sender saw; another one now, of any of them, refuses it: stale_edit */
  base?: Count
  /** its sender saw none; any now refuses it: stale_edit */
  first?: boolean
  /** the counts that its sender saw; whoever is not in it had none */
  bases?: Record<string, Count>
}

/** SetOptions changes configuration keys; see Options. */
export interface SetOptionsCommand {
  type: 'setOptions'
  title?: string
  options?: Record<string, string>
  /** the title that its sender saw */
  baseTitle?: string
  /** the values in force that its sender saw */
  baseOptions?: Record<string, string>
}

/** SetPosition says in a few words where somebody stands. */
export interface SetPositionCommand {
  type: 'setPosition'
  combatant: ID
  position: string
  /** the position that its sender saw */
  base?: string
}

/**
 * SetSight says what an audience may see of combatants: a field left out stays
 * as it is, an empty one goes back to what the options say.
 */
export interface SetSightCommand {
  type: 'setSight'
  combatants: ID[]
  /** players, spectators */
  audience: string
  /** exact, band, none */
  hp?: string
  /** yes, no */
  ac?: string
  /** yes, no */
  conditions?: string
  /** of its initiative: yes, no */
  count?: string
  /** what was set when its sender looked, of the fields that are given */
  base?: Sight
  /** what was set of each of them, of the fields that are given */
  bases?: Record<string, Sight>
}

/** SetSurprised marks who did not notice the enemy (SF-11, 5E-02). */
export interface SetSurprisedCommand {
  type: 'setSurprised'
  combatants: ID[]
  surprised: boolean
}

/** SetTempHP sets temporary hit points, which do not add up. */
export interface SetTempHPCommand {
  type: 'setTempHp'
  combatants: ID[]
  amount: number
  /** what its sender saw that each of them had */
  base?: Record<string, number>
}

/** SettleTie orders combatants whose counts are equal, first to act first. */
export interface SettleTieCommand {
  type: 'settleTie'
  order: ID[]
}

/**
 * SheetView is the numbers as they stand on the sheet, for those who edit it:
 * without what effects and the rules lend.
 */
export interface SheetView {
  ac: number
  maxHp: number
}

/**
 * Sight is what one class of audiences may see of a combatant, as the GM has
 * set it. A field left empty is as the options have it.
 */
export interface Sight {
  /** exact, band, none */
  hp?: string
  /** yes, no */
  ac?: string
  /** yes, no */
  conditions?: string
  /** of its initiative: yes, no */
  count?: string
}

/** SightSet carries all that is set for one audience, as it is now. */
export interface SightSetEvent {
  type: 'sightSet'
  combatant: ID
  audience: string
  sight: Sight
}

/**
 * Sights are those of one combatant. An absent one is all as the options have
 * it.
 */
export interface Sights {
  players?: Sight
  spectators?: Sight
}

/** Slot is one scheduled chance to act. */
export interface Slot {
  id: ID
  /** turn, lair, action, marker */
  kind: string
  combatant: ID
  count: Count
  done?: boolean
  /** by delay, ready or the GM (C-05) */
  moved?: boolean
  /** gone when the round is over */
  once?: boolean
  /** a marker stays through this round */
  until?: number
  /** of its combatant's plan, from 1 */
  part?: number
}

/** SlotView is one element of "order". */
export interface SlotView {
  slot: ID
  combatants: ID[]
  /** absent: not for this audience */
  count?: Count
  /** turn, lair, action */
  kind: string
  done?: boolean
  current?: boolean
  /** with others, and not settled yet */
  tied?: boolean
  /** of its combatant's plan, from 1 */
  part?: number
}

/**
 * Staged says how far the questions about an action have got: declared, hit,
 * countered, over.
 */
export interface StagedEvent {
  type: 'staged'
  frame: ID
  stage: string
  roll?: Rolled
}

/** StartCombat rolls what nobody rolled, makes the order and begins. */
export interface StartCombatCommand {
  type: 'startCombat'
}

/** Stepped moves a turn along its pipeline. */
export interface SteppedEvent {
  type: 'stepped'
  frame: ID
  step: string
  empty?: string
}

/** Order, rounds and turns. */
export interface SurprisedSetEvent {
  type: 'surprisedSet'
  combatant: ID
  surprised: boolean
}

/** SystemView describes a rule system to those who choose one. */
export interface SystemView {
  rules: string
  /** the core's first */
  options: Option[]
  /** to offer by name, in the order to show them */
  effects: EffectSpec[]
}

/** Take uses a held action now. */
export interface TakeCommand {
  type: 'take'
  combatant: ID
}

export interface TempHPSetEvent {
  type: 'tempHpSet'
  combatant: ID
  temp: number
}

export interface TieSettledEvent {
  type: 'tieSettled'
  order: ID[]
}

/** Trigger says what a response answers: whose frame, and what was being done. */
export interface Trigger {
  frame?: ID
  combatant: ID
  kind?: string
  name?: string
  /** a readied trigger in the player's words */
  text?: string
}

/** TriggerView says what a response answers. Who is not visible is left out. */
export interface TriggerView {
  frame?: ID
  combatant?: ID
  kind?: string
  name?: string
  text?: string
}

/** TurnEnded pops the bottom frame. */
export interface TurnEndedEvent {
  type: 'turnEnded'
  frame: ID
  combatant: ID
  /** by the clock */
  expired?: boolean
}

/** TurnExpired is the hub's word that the turn's time is over. */
export interface TurnExpiredCommand {
  type: 'turnExpired'
  frame: ID
}

/** TurnStarted pushes the bottom frame. Pools are those it refreshes. */
export interface TurnStartedEvent {
  type: 'turnStarted'
  frame: ID
  kind: string
  slot: ID
  combatant: ID
  /** absent in the log of those who may not know it */
  count?: Count
  pools?: Pool[]
  /** why nothing can be done in it */
  empty?: string
  at: number
  /** on the clock */
  turnMs?: number
}

/** TurnView is the value of "turn"; the key is absent between turns. */
export interface TurnView {
  slot: ID
  combatant: ID
  round: number
  startedAt: Millis
  /** the clock runs */
  deadline?: Millis
  /** the clock is held with this much left */
  leftMs?: number
  /** by the GM */
  paused?: boolean
}

/**
 * Undo takes back the last commit that still stands, or all down to and
 * without To.
 */
export interface UndoCommand {
  type: 'undo'
  to?: number
}

/**
 * Undone returns to the state after commit To. The state itself stands in
 * the event, so that a log can be folded from any snapshot.
 */
export interface UndoneEvent {
  type: 'undone'
  to: number
  /** command type that is taken back */
  took: string
  count: number
}

/**
 * Until says when an effect ends, as people say it; the rule system turns
 * it into an anchor.
 */
export interface Until {
  /** turnStart, turnEnd, roundEnd, rounds, never (default) */
  at?: string
  /** whose turn; default the source, else the target */
  of?: ID
  /** for rounds: how many; for turnStart and turnEnd: 1 is "next" (default 1) */
  rounds?: number
}

/**
 * Update sets and deletes whole keys of the view. Seq is one more than the
 * last.
 */
export interface Update {
  type: 'update'
  seq: number
  set?: ViewMap
  del?: string[]
  log?: LogEntry[]
}

/** What one audience sees, key by key; an update sets or deletes whole keys. */
export interface ViewMap {
  encounter?: EncounterView
  history?: HistoryView
  order?: SlotView[]
  stack?: FrameView[]
  turn?: TurnView
  window?: WindowView
  you?: YouView
  [key: `combatants/${string}`]: CombatantView
  [key: `effects/${string}`]: EffectView
  [key: `pending/${string}`]: PendingView
  [key: `seats/${string}`]: SeatView
}

/** Welcome is a whole view. A client drops all it had. */
export interface Welcome {
  type: 'welcome'
  seq: number
  epoch: string
  /** the history lacks what this viewer had been told: its store went back to an older state */
  cut?: boolean
  /** RFC 3339, milliseconds, UTC; for delayed spectators, the moment of what they see */
  now: string
  /** seconds that the view is late */
  behind?: number
  /** combat.YouView; view["you"] is the same and is what updates change */
  you: YouView
  view: ViewMap
  /** combat.LogEntry, the last lines, oldest first */
  log: LogEntry[]
  presence: Presence
}

/** Window is an open question: may somebody answer what is happening? */
export interface Window {
  id: ID
  trigger: Trigger
  /** before or after */
  timing: string
  /** still to be asked, in order; the first is being asked */
  eligible: ID[]
  /** Unix milliseconds for the one being asked; 0 while suspended or without limit */
  deadline?: number
}

/** Acting and answering. */
export interface WindowClosedEvent {
  type: 'windowClosed'
  frame: ID
  window: ID
  /** answered, gone, closed */
  why: string
}

/**
 * WindowExpired is the hub's word that the time to answer is over; Asked
 * names whose time it was, so that it cannot expire twice.
 */
export interface WindowExpiredCommand {
  type: 'windowExpired'
  window: ID
  asked: ID
}

/** WindowMoved asks the next one, or suspends or re-arms the question. */
export interface WindowMovedEvent {
  type: 'windowMoved'
  frame: ID
  window: ID
  eligible: ID[]
  deadline?: number
}

/** WindowOpened asks who may answer an action, at a stage of it. */
export interface WindowOpenedEvent {
  type: 'windowOpened'
  frame: ID
  stage: string
  window: Window
}

/** WindowView is the value of "window". */
export interface WindowView {
  window: ID
  frame: ID
  trigger: TriggerView
  timing: string
  /** absent: somebody you do not see */
  asked?: ID
  /** asked first */
  eligible: ID[]
  targets?: ID[]
  total?: number
  deadline?: Millis
}

/** WithdrawDeclaration takes it back before all are in. */
export interface WithdrawDeclarationCommand {
  type: 'withdrawDeclaration'
  combatant: ID
}

/** YouView is the value of "you". */
export interface YouView {
  /** gm, player, seat, spectator */
  role: string
  seat?: ID
  name?: string
  combatants: ID[]
  can: Offer[]
}
