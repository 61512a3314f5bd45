package combat

import "encoding/json"

// An Event is a fact: something that happened, complete with every die that
// was rolled and every number that came of it, so that applying it needs no
// rules. The concrete types below are the whole list.
type Event interface{ event() }

// The encounter and who sits at it.
type (
	// Created is the first event of every encounter.
	Created struct {
		ID      ID                `json:"id"`
		Title   string            `json:"title,omitempty"`
		Rules   string            `json:"rules"`
		Options map[string]string `json:"options,omitempty"`
		Keys    map[string]string `json:"keys,omitempty"`
	}
	// Imported is the first event of an encounter made from an export.
	Imported struct {
		ID    ID                `json:"id"`
		Keys  map[string]string `json:"keys,omitempty"`
		State *State            `json:"state"`
	}
	OptionsSet struct {
		Title   *string           `json:"title,omitempty"`
		Options map[string]string `json:"options,omitempty"`
	}
	SeatAdded struct {
		Seat ID     `json:"seat"`
		Name string `json:"name"`
		Key  string `json:"key,omitempty"`
	}
	SeatRemoved struct {
		Seat ID     `json:"seat"`
		Name string `json:"name"`
	}
	SeatEdited struct {
		Seat     ID     `json:"seat"`
		Name     string `json:"name"`
		ReadOnly bool   `json:"readOnly,omitempty"`
	}
	LinkReplaced struct {
		Role string `json:"role"`
		Key  string `json:"key,omitempty"`
	}
)

// The roster.
type (
	CombatantAdded struct {
		Combatant Combatant `json:"combatant"`
	}
	// CombatantEdited carries the whole sheet as it is now.
	CombatantEdited struct {
		Combatant ID             `json:"combatant"`
		Name      string         `json:"name"`
		Was       string         `json:"was,omitempty"` // its name before, when that changed
		Side      string         `json:"side"`
		Kind      string         `json:"kind"`
		Group     string         `json:"group,omitempty"`
		Mod       int            `json:"mod"`
		HP        int            `json:"hp"`
		MaxHP     int            `json:"maxHp"`
		AC        int            `json:"ac"`
		Speed     int            `json:"speed"`
		Notes     string         `json:"notes,omitempty"`
		Answers   []string       `json:"answers,omitempty"`
		Stats     map[string]int `json:"stats,omitempty"`
	}
	CombatantRemoved struct {
		Combatant ID     `json:"combatant"`
		Name      string `json:"name"`
	}
	// HiddenSet says that somebody appears, or that the GM hides it: from players,
	// from spectators, or (From empty) from both. UntilAct: its first act will
	// show it.
	HiddenSet struct {
		Combatant ID     `json:"combatant"`
		Hidden    bool   `json:"hidden"`
		From      string `json:"from,omitempty"`
		UntilAct  bool   `json:"untilAct,omitempty"`
	}
	// SightSet carries all that is set for one audience, as it is now.
	SightSet struct {
		Combatant ID     `json:"combatant"`
		Audience  string `json:"audience"`
		Sight     Sight  `json:"sight"`
	}
	DefeatedSet struct {
		Combatant ID   `json:"combatant"`
		Defeated  bool `json:"defeated"`
	}
	SeatAssigned struct {
		Combatant ID `json:"combatant"`
		Seat      ID `json:"seat,omitempty"`
	}
	PositionSet struct {
		Combatant ID     `json:"combatant"`
		Position  string `json:"position"`
	}
	// ChargeSet says that an ability is spent or back; Die is the recharge roll.
	ChargeSet struct {
		Combatant ID     `json:"combatant"`
		Name      string `json:"name"`
		Charged   bool   `json:"charged"`
		Die       int    `json:"die,omitempty"`
	}
	// MarksSet records what the rule system keeps count of: zero deletes.
	MarksSet struct {
		Combatant ID             `json:"combatant"`
		Marks     map[string]int `json:"marks"`
		Why       string         `json:"why,omitempty"`
	}
	// Planned records what a combatant will do in the round: said, or a draft.
	Planned struct {
		Combatant ID       `json:"combatant"`
		Declared  bool     `json:"declared,omitempty"`
		Plan      []Intent `json:"plan,omitempty"`
	}
)

// Order, rounds and turns.
type (
	SurprisedSet struct {
		Combatant ID   `json:"combatant"`
		Surprised bool `json:"surprised"`
	}
	InitiativeSet struct {
		Combatant ID    `json:"combatant"`
		Count     Count `json:"count"`
		Die       int   `json:"die,omitempty"` // 0: typed
		Mod       int   `json:"mod,omitempty"`
	}
	// RolledOff is one die of a roll-off with others, who stand in With.
	RolledOff struct {
		Combatant ID   `json:"combatant"`
		Die       int  `json:"die"`
		With      []ID `json:"with,omitempty"`
	}
	TieSettled struct {
		Order []ID `json:"order"`
	}
	// Ordered replaces the order: slots with their places, cursor and ties.
	Ordered struct {
		Slots  []Slot `json:"slots"`
		Cursor ID     `json:"cursor,omitempty"`
		Ties   [][]ID `json:"ties,omitempty"`
		Why    string `json:"why,omitempty"` // start, round, joined, count, gm, tie, delay, ready
	}
	CombatStarted struct{}
	RoundStarted  struct {
		Phase string `json:"phase"`
		Round int    `json:"round"`
	}
	CombatEnded struct{}
	// CombatReset: with Clear only the party is left, and of the effects those
	// on it that have no end.
	CombatReset struct {
		Clear bool `json:"clear,omitempty"`
	}
	// TurnStarted pushes the bottom frame. Pools are those it refreshes.
	TurnStarted struct {
		Frame     ID     `json:"frame"`
		Kind      string `json:"kind"`
		Slot      ID     `json:"slot"`
		Combatant ID     `json:"combatant"`
		Count     *Count `json:"count,omitempty"` // absent in the log of those who may not know it
		Pools     []Pool `json:"pools,omitempty"`
		Empty     string `json:"empty,omitempty"` // why nothing can be done in it
		At        int64  `json:"at"`
		TurnMs    int64  `json:"turnMs,omitempty"` // on the clock
	}
	// Stepped moves a turn along its pipeline.
	Stepped struct {
		Frame ID     `json:"frame"`
		Step  string `json:"step"`
		Empty string `json:"empty,omitempty"`
	}
	// TurnEnded pops the bottom frame.
	TurnEnded struct {
		Frame     ID   `json:"frame"`
		Combatant ID   `json:"combatant"`
		Expired   bool `json:"expired,omitempty"` // by the clock
	}
	// PoolsSet records budgets after spending, granting or refreshing.
	PoolsSet struct {
		Combatant ID     `json:"combatant"`
		Pools     []Pool `json:"pools"`
		Why       string `json:"why,omitempty"` // grant, refresh
	}
	DelaySet struct {
		Combatant ID   `json:"combatant"`
		Delaying  bool `json:"delaying"`
	}
	ClockSet struct {
		Clock Clock  `json:"clock"`
		Why   string `json:"why,omitempty"` // pause, resume
	}
)

// Acting and answering.
type (
	// Acted begins an action: what it costs is paid.
	Acted struct {
		Frame     ID     `json:"frame"`
		Combatant ID     `json:"combatant"`
		Action    Action `json:"action"`
		Auto      bool   `json:"auto,omitempty"`   // the frame ends by itself once it is resolved
		Ruling    bool   `json:"ruling,omitempty"` // the GM overrode a rule
	}
	// Resolved ends the action of a frame. Outcome: done, hit, miss, countered,
	// lost.
	Resolved struct {
		Frame     ID     `json:"frame"`
		Combatant ID     `json:"combatant"`
		Kind      string `json:"kind"`
		Name      string `json:"name,omitempty"`
		Outcome   string `json:"outcome"`
		Why       string `json:"why,omitempty"`
		Target    ID     `json:"target,omitempty"`
		Total     *int   `json:"total,omitempty"`
		AC        *int   `json:"ac,omitempty"`
		Over      bool   `json:"over,omitempty"` // nobody is asked afterwards
	}
	// Staged says how far the questions about an action have got: declared, hit,
	// countered, over.
	Staged struct {
		Frame ID      `json:"frame"`
		Stage string  `json:"stage"`
		Roll  *Rolled `json:"roll,omitempty"`
	}
	// WindowOpened asks who may answer an action, at a stage of it.
	WindowOpened struct {
		Frame  ID     `json:"frame"`
		Stage  string `json:"stage"`
		Window Window `json:"window"`
	}
	// WindowMoved asks the next one, or suspends or re-arms the question.
	WindowMoved struct {
		Frame    ID    `json:"frame"`
		Window   ID    `json:"window"`
		Eligible []ID  `json:"eligible"`
		Deadline int64 `json:"deadline,omitempty"`
	}
	// Declined says that somebody let it pass. Why: declined, expired, closed.
	Declined struct {
		Combatant ID     `json:"combatant"`
		Window    ID     `json:"window"`
		Why       string `json:"why"`
	}
	WindowClosed struct {
		Frame  ID     `json:"frame"`
		Window ID     `json:"window"`
		Why    string `json:"why"` // answered, gone, closed
	}
	// FramePushed is a response breaking in. Pools are the responder's after
	// paying.
	FramePushed struct {
		Frame  Frame  `json:"frame"`
		Pools  []Pool `json:"pools,omitempty"`
		Ruling bool   `json:"ruling,omitempty"`
	}
	// FramePopped is the end of a response: the frame under it resumes.
	FramePopped struct {
		Frame     ID     `json:"frame"`
		Kind      string `json:"kind"`
		Combatant ID     `json:"combatant"`
	}
	ReadySet struct {
		Combatant ID       `json:"combatant"`
		Readied   *Readied `json:"readied,omitempty"` // absent: no longer
		Why       string   `json:"why,omitempty"`     // lapsed, released, lost
	}
	// Moved ends a move.
	Moved struct {
		Frame     ID     `json:"frame,omitempty"`
		Combatant ID     `json:"combatant"`
		Feet      int    `json:"feet"`
		Position  string `json:"position,omitempty"`
		Forced    bool   `json:"forced,omitempty"`
	}
)

// Health, effects, decisions.
type (
	Damaged struct {
		Combatant ID     `json:"combatant"`
		Source    ID     `json:"source,omitempty"`
		Amount    int    `json:"amount"` // after resistance
		Kind      string `json:"kind,omitempty"`
		Dice      []int  `json:"dice,omitempty"`
		Critical  bool   `json:"critical,omitempty"`
		HP        *int   `json:"hp,omitempty"`     // afterwards; absent in the log of those who may not know
		Temp      *int   `json:"temp,omitempty"`   // the same
		Effect    string `json:"effect,omitempty"` // that did it
	}
	Healed struct {
		Combatant ID   `json:"combatant"`
		Amount    int  `json:"amount"`
		HP        *int `json:"hp,omitempty"` // afterwards; absent in the log of those who may not know
	}
	TempHPSet struct {
		Combatant ID  `json:"combatant"`
		Temp      int `json:"temp"`
	}
	// LifeSet says that somebody falls, dies, is stable or is up again.
	LifeSet struct {
		Combatant ID     `json:"combatant"`
		Life      string `json:"life"`
		HP        int    `json:"hp"`
		Defeated  bool   `json:"defeated,omitempty"`
	}
	// Saved is a saving throw or death save. Its numbers are absent in the log of
	// those who may not know them.
	Saved struct {
		Combatant ID     `json:"combatant"`
		Kind      string `json:"kind"` // death, concentration, save
		Die       int    `json:"die,omitempty"`
		Total     int    `json:"total,omitempty"`
		DC        int    `json:"dc,omitempty"`
		ByHP      bool   `json:"byHp,omitempty"` // the DC is its hit points
		Success   bool   `json:"success"`
		Effect    string `json:"effect,omitempty"`
	}
	EffectAdded struct {
		Effect Effect `json:"effect"`
	}
	// EffectEnded: Why is expired, removed, saved, concentration, replaced, gone.
	EffectEnded struct {
		Effect ID     `json:"effect"`
		Name   string `json:"name"`
		Target ID     `json:"target"`
		Why    string `json:"why"`
		Hidden bool   `json:"hidden,omitempty"` // only the GM knew of it
	}
	PendingOpened struct {
		Pending Pending `json:"pending"`
	}
	PendingClosed struct {
		Pending ID `json:"pending"`
	}
	// Proposed puts before the GM what a player wants done to its own.
	Proposed struct {
		Pending Pending `json:"pending"`
	}
	// ProposalClosed says what became of it: accepted (then what follows in this
	// commit is what was proposed), dismissed, withdrawn, gone.
	ProposalClosed struct {
		Pending    ID              `json:"pending"`
		Seat       ID              `json:"seat"`
		Combatants []ID            `json:"combatants"`
		Command    json.RawMessage `json:"command"`
		Why        string          `json:"why"`
	}
	// HPSet corrects hit points when a maximum falls below them.
	HPSet struct {
		Combatant ID  `json:"combatant"`
		HP        int `json:"hp"`
	}
)

// History and talk.
type (
	// Undone returns to the state after commit To. The state itself stands in
	// the event, so that a log can be folded from any snapshot.
	Undone struct {
		To    uint64 `json:"to"`
		Took  string `json:"took"` // command type that is taken back
		Count int    `json:"count"`
		State *State `json:"state,omitempty"`
	}
	// Redone brings back what the last undo took.
	Redone struct {
		Brought string `json:"brought"`
		State   *State `json:"state,omitempty"`
	}
	Noted struct {
		Text string `json:"text"`
	}
	DiceRolled struct {
		Dice   string `json:"dice"`
		Label  string `json:"label,omitempty"`
		Faces  []int  `json:"faces"`
		Total  int    `json:"total"`
		Secret bool   `json:"secret,omitempty"`
	}
	Said struct {
		Text string `json:"text"`
	}
)
