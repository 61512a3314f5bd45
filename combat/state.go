package combat

import (
	"encoding/json"
	"slices"
)

// ID names a combatant, slot, frame, window, effect, decision or seat. Ids are
// drawn from the dice, never counted, so that a gap between two of them gives
// nothing away.
type ID string

// Phases of an encounter.
const (
	PhaseSetup       = "setup"
	PhaseInitiative  = "initiative"
	PhaseDeclaration = "declaration"
	PhaseSurprise    = "surprise"
	PhaseRounds      = "rounds"
	PhaseEnded       = "ended"
)

// State is everything that is known of one encounter. It is a value in the
// functional sense: Apply makes a new one and shares what did not change, so
// any goroutine may read a State it was handed, and nobody may write one.
type State struct {
	ID      ID                `json:"id"`
	Title   string            `json:"title"`
	Rules   string            `json:"rules"`
	Options map[string]string `json:"options,omitempty"`
	Seq     uint64            `json:"seq"` // commits applied, undone ones included
	At      int64             `json:"at"`  // Unix milliseconds of the last commit
	Phase   string            `json:"phase"`
	Round   int               `json:"round"`
	Count   Count             `json:"count"` // being played

	Combatants []*Combatant `json:"combatants"`
	Order      []Slot       `json:"order"`            // acting order, frozen (C-01)
	Cursor     ID           `json:"cursor,omitempty"` // slot last entered; empty before the first of a round
	Stack      []*Frame     `json:"stack"`            // bottom first; the last one acts
	Pending    []*Pending   `json:"pending"`
	Effects    []*Effect    `json:"effects"`
	Clock      Clock        `json:"clock"`
	Last       *LastTurn    `json:"last,omitempty"` // last ended turn that everybody could see
	// LastFor is the same for those who have seen another since: player,
	// spectator, or a seat, as Audience writes itself.
	LastFor map[string]*LastTurn `json:"lastFor,omitempty"`
	Ties    [][]ID               `json:"ties,omitempty"` // undecided when the fight began

	// Seats and Keys stand outside undo: a player who has joined stays joined.
	Seats []*Seat           `json:"seats"`
	Keys  map[string]string `json:"keys,omitempty"` // role → hash of the link's token

	optionsRev int   // grows with each change of Options, for whoever keeps what was made of them
	past       *mark // states to which undo may return; never stored
	future     *mark // states that undo took; never stored
}

// mark is one step of history: a state and the commit that left it.
type mark struct {
	state  *State
	seq    uint64
	label  string // command type of that commit
	parent *mark
	depth  int
	closed []ID // proposals that the commit closed (of an undo: took away); going over it brings them back
	opened []ID // of an undo: proposals that it gave back; redo takes them again
}

// Combatant is one participant. Conditions are effects; see State.Effects.
type Combatant struct {
	ID    ID     `json:"id"`
	Name  string `json:"name"`
	Side  string `json:"side"`
	Kind  string `json:"kind"` // pc or npc
	Seat  ID     `json:"seat,omitempty"`
	Group string `json:"group,omitempty"`
	Notes string `json:"notes,omitempty"`

	Hidden     bool    `json:"hidden,omitempty"`     // from somebody
	HiddenFrom string  `json:"hiddenFrom,omitempty"` // from players or spectators alone; empty: from both
	UntilAct   string  `json:"untilAct,omitempty"`   // its first act shows it to players, spectators or both
	Sight      *Sights `json:"sight,omitempty"`      // what others may see of it, where the options are not followed

	Mod   int    `json:"mod"`
	Init  *Count `json:"init,omitempty"`
	Die   int    `json:"die,omitempty"`     // face rolled for Init
	Rolls []int  `json:"rollOff,omitempty"` // roll-offs, in order
	Rank  int    `json:"rank,omitempty"`    // place in a settled tie, from 1

	HP       int            `json:"hp"`
	MaxHP    int            `json:"maxHp"` // 0: hit points are not tracked
	Temp     int            `json:"temp,omitempty"`
	AC       int            `json:"ac"`
	Speed    int            `json:"speed"`
	Position string         `json:"position,omitempty"`
	Answers  []string       `json:"answers,omitempty"`
	Recharge map[string]int `json:"recharge,omitempty"`
	Spent    []string       `json:"spent,omitempty"` // abilities waiting to recharge
	Stats    map[string]int `json:"stats,omitempty"` // of the sheet
	Marks    map[string]int `json:"marks,omitempty"` // of the fight: what the rule system keeps count of
	Plan     []Intent       `json:"plan,omitempty"`
	Declared bool           `json:"declared,omitempty"` // the plan is said; else it is a draft

	Life      string   `json:"life"` // up, dying, stable, dead
	Defeated  bool     `json:"defeated,omitempty"`
	Surprised bool     `json:"surprised,omitempty"`
	Acted     bool     `json:"acted,omitempty"` // has had a turn in this fight
	Pools     []Pool   `json:"pools,omitempty"`
	Readied   *Readied `json:"readied,omitempty"`
	Delaying  bool     `json:"delaying,omitempty"`
}

// What Life may say.
const (
	Up     = "up"
	Dying  = "dying"
	Stable = "stable"
	Dead   = "dead"
)

// Pool is one named part of a budget.
type Pool struct {
	Name string `json:"name"`
	Left int    `json:"left"`
	Max  int    `json:"max"`
}

// Slot is one scheduled chance to act.
type Slot struct {
	ID        ID     `json:"id"`
	Kind      string `json:"kind"` // turn, lair, action, marker
	Combatant ID     `json:"combatant"`
	Count     Count  `json:"count"`
	Done      bool   `json:"done,omitempty"`
	Moved     bool   `json:"moved,omitempty"` // by delay, ready or the GM (C-05)
	Once      bool   `json:"once,omitempty"`  // gone when the round is over
	Until     int    `json:"until,omitempty"` // a marker stays through this round
	Part      int    `json:"part,omitempty"`  // of its combatant's plan, from 1
}

// Intent is one action of a combatant's plan for the round, with what the
// rules make of it.
type Intent struct {
	Kind    string `json:"kind"`
	Weapon  string `json:"weapon,omitempty"`
	Hasten  int    `json:"hasten,omitempty"`
	Count   Count  `json:"count"`             // at which it falls
	Lost    bool   `json:"lost,omitempty"`    // that count gives no slot
	Carried bool   `json:"carried,omitempty"` // from the round before, on top of this one's
}

// Kinds of slot. A marker is a place without a turn: where a removed combatant
// stood, where the cursor waits. Upkeep is the place of one whose turn of this
// round was taken elsewhere: all of the pipeline but acting runs there. Neither
// is shown in the order.
const (
	SlotTurn   = "turn"
	SlotLair   = "lair"
	SlotAction = "action"
	SlotMarker = "marker"
	SlotUpkeep = "upkeep"
)

// shown reports whether a slot is more than a place.
func (slot *Slot) shown() bool { return slot.Kind != SlotMarker && slot.Kind != SlotUpkeep }

// Frame is a turn, or a response that broke into the frame under it.
type Frame struct {
	ID        ID       `json:"id"`
	Kind      string   `json:"kind"` // turn, reaction, readied, legendary, lair, defence
	Slot      ID       `json:"slot,omitempty"`
	Combatant ID       `json:"combatant"`
	Trigger   *Trigger `json:"trigger,omitempty"`
	Step      string   `json:"step,omitempty"`  // start, act, end: how far the pipeline is (C-09)
	Empty     string   `json:"empty,omitempty"` // why step 5 is empty
	Touched   bool     `json:"touched,omitempty"`
	StartedAt int64    `json:"startedAt"`
	Action    *Action  `json:"action,omitempty"` // begun and not yet resolved
	Did       *Action  `json:"did,omitempty"`    // the last one that is over
	Window    *Window  `json:"window,omitempty"` // open question about Action
	Auto      bool     `json:"auto,omitempty"`   // ends by itself once its action is resolved
}

// Before reports whether the frame is about to do something that has not
// happened yet.
func (f *Frame) Before() bool {
	return f.Action != nil && slices.Contains([]string{"", StageDeclared, StageHit}, f.Action.Stage)
}

// Kinds of frame and steps of a turn.
const (
	FrameTurn      = "turn"
	FrameReaction  = "reaction"
	FrameReadied   = "readied"
	FrameLegendary = "legendary"
	FrameLair      = "lair"
	FrameDefence   = "defence"

	StepStart = "start"
	StepAct   = "act"
	StepEnd   = "end"
)

// Trigger says what a response answers: whose frame, and what was being done.
type Trigger struct {
	Frame     ID     `json:"frame,omitempty"`
	Combatant ID     `json:"combatant"`
	Kind      string `json:"kind,omitempty"`
	Name      string `json:"name,omitempty"`
	Text      string `json:"text,omitempty"` // a readied trigger in the player's words
}

// Action is one thing being done. It waits in its frame while others may
// answer it.
type Action struct {
	Kind      string  `json:"kind"` // of the rule system's list, or move
	Name      string  `json:"name,omitempty"`
	Targets   []ID    `json:"targets,omitempty"`
	Level     int     `json:"level,omitempty"`
	Feet      int     `json:"feet,omitempty"`
	Position  string  `json:"position,omitempty"`
	Leaves    []ID    `json:"leaves,omitempty"`
	Provokes  []ID    `json:"provokes,omitempty"`
	Mover     ID      `json:"mover,omitempty"` // who is moved, when it is pushed or carried
	Defensive bool    `json:"defensive,omitempty"`
	AC        int     `json:"ac,omitempty"`
	To        ID      `json:"to,omitempty"` // frame it answers
	Paid      []Pool  `json:"paid,omitempty"`
	Attack    *Attack `json:"attack,omitempty"`
	Roll      *Rolled `json:"roll,omitempty"`
	Ruling    bool    `json:"ruling,omitempty"` // the GM overrode a rule
	Stage     string  `json:"stage,omitempty"`  // declared, hit, done: which questions are behind it
}

// Rolled is an attack roll or a damage roll with all its dice.
type Rolled struct {
	Die      int   `json:"die,omitempty"`
	Total    *int  `json:"total,omitempty"`
	Hit      *bool `json:"hit,omitempty"`
	Dice     []int `json:"dice,omitempty"`
	Damage   int   `json:"damage,omitempty"`
	Critical bool  `json:"critical,omitempty"`
	Cover    int   `json:"cover,omitempty"` // what defences against it alone add to the armour class it has to reach
}

// Against is the total as it counts against the armour class that stands on a
// sheet: less what defences against this roll alone have added.
func (r *Rolled) Against() int { return *r.Total - r.Cover }

// Window is an open question: may somebody answer what is happening?
type Window struct {
	ID       ID      `json:"id"`
	Trigger  Trigger `json:"trigger"`
	Timing   string  `json:"timing"`             // before or after
	Eligible []ID    `json:"eligible"`           // still to be asked, in order; the first is being asked
	Deadline int64   `json:"deadline,omitempty"` // Unix milliseconds for the one being asked; 0 while suspended or without limit
}

// Anchor is where an effect ends. A Round of the anchor is absolute.
type Anchor struct {
	At    string `json:"at"`              // count, turnStart, turnEnd, roundEnd, never
	Of    ID     `json:"of,omitempty"`    // whose turn, or whose count
	Count *Count `json:"count,omitempty"` // absent in the sight of those who may not know it
	Round int    `json:"round,omitempty"`
}

// Where effects may end.
const (
	AtCount     = "count"
	AtTurnStart = "turnStart"
	AtTurnEnd   = "turnEnd"
	AtRoundEnd  = "roundEnd"
	AtNever     = "never"
)

// Effect is a condition, a spell's hold, a bonus: anything that lasts.
type Effect struct {
	ID            ID     `json:"id"`
	Name          string `json:"name"`
	Target        ID     `json:"target"`
	Source        ID     `json:"source,omitempty"`
	Ends          Anchor `json:"ends"`
	AC            int    `json:"ac,omitempty"`
	MaxHP         int    `json:"maxHp,omitempty"`
	Speed         int    `json:"speed,omitempty"`
	TurnDamage    int    `json:"turnDamage,omitempty"`
	DamageKind    string `json:"damageKind,omitempty"`
	Resist        string `json:"resist,omitempty"`
	Save          *Save  `json:"save,omitempty"`
	Concentration bool   `json:"concentration,omitempty"`
	Hidden        bool   `json:"hidden,omitempty"`
}

// PendingDeclaration is the kind of decision that says what one will do in the
// round.
const PendingDeclaration = "declaration"

// Pending is a decision somebody owes. A frame that waits for it is named.
type Pending struct {
	ID         ID     `json:"id"`
	Kind       string `json:"kind"` // tie, roll-off, death, concentration, save, declaration, proposal
	Combatants []ID   `json:"combatants"`
	Frame      ID     `json:"frame,omitempty"`
	DC         int    `json:"dc,omitempty"`
	ByHP       bool   `json:"byHp,omitempty"` // the DC is its hit points
	Ability    string `json:"ability,omitempty"`
	Effect     ID     `json:"effect,omitempty"`
	Source     ID     `json:"source,omitempty"`
	// Of a proposal: who makes it, the command with its type, and the
	// combatants and effects that the command names besides its targets.
	Seat     ID              `json:"seat,omitempty"`
	Command  json.RawMessage `json:"command,omitempty"`
	Mentions []ID            `json:"mentions,omitempty"`
}

// Readied is an action waiting for its trigger.
type Readied struct {
	Action  Action `json:"action"`
	Trigger string `json:"trigger"`
	Round   int    `json:"round"` // in which it was readied
	Spell   bool   `json:"spell,omitempty"`
}

// Clock is the turn clock (option turnSeconds). While it runs, Deadline says
// when the turn is over; while it is held, Left says what remains. Both in
// milliseconds.
type Clock struct {
	Frame    ID    `json:"frame,omitempty"`
	Deadline int64 `json:"deadline,omitempty"`
	Left     int64 `json:"left,omitempty"`
	Paused   bool  `json:"paused,omitempty"` // by the GM
}

// LastTurn is what those see who may not see whose turn it is now (K11).
type LastTurn struct {
	Phase     string `json:"phase"`
	Round     int    `json:"round"`
	Count     Count  `json:"count"`
	Slot      ID     `json:"slot"`
	Combatant ID     `json:"combatant"`
	Frame     ID     `json:"frame"`
	StartedAt int64  `json:"startedAt"`
	Clock     Clock  `json:"clock"`
	// The slots of the order as it was then, those behind and those to come:
	// where the turn stood among them must not hang on what happens since.
	Passed []ID `json:"passed,omitempty"`
	Open   []ID `json:"open,omitempty"`
}

// Seat is one player at the table.
type Seat struct {
	ID       ID     `json:"id"`
	Name     string `json:"name"`
	Key      string `json:"key,omitempty"` // hash of the seat's token
	ReadOnly bool   `json:"readOnly,omitempty"`
}
