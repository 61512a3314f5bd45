package combat

// A Command is something somebody asks for. The concrete types below are the
// whole list; their JSON names are part of the wire contract. A field left out
// has its zero value; a pointer field tells "left out" from zero.
//
// What sets a value of more than two may say in Base which one its sender saw
// there. If another stands there now, it is refused with stale_edit, the field
// and what is there now, and overwrites nothing. What sets several at once says
// in Bases what each of them had, and is told what each of them has. Without a
// base, and in logs of before there was one, the last word holds. A yes or no needs none: whoever
// asks for what somebody else has just asked for changes nothing.
type Command interface{ command() }

// The combatant's own sheet, as added and edited. Pointers in EditCombatant
// tell "leave it" from zero.
type (
	// AddCombatant puts one or several (Times) combatants into the encounter.
	// A player may add only a pc, which is then that seat's.
	AddCombatant struct {
		Name     string         `json:"name"`
		Side     string         `json:"side,omitempty"` // any word; combatants of one side are friends. Default party for pc, foes for npc
		Kind     string         `json:"kind,omitempty"` // pc or npc; default pc when side is party, else npc
		Seat     ID             `json:"seat,omitempty"`
		Group    string         `json:"group,omitempty"` // those of one group share initiative where the rules say so
		Mod      int            `json:"mod,omitempty"`   // total initiative modifier
		Init     *Count         `json:"init,omitempty"`  // typed count
		HP       int            `json:"hp,omitempty"`    // maximum, and current unless Current is given; 0: not tracked
		Current  *int           `json:"current,omitempty"`
		Temp     int            `json:"temp,omitempty"`
		AC       int            `json:"ac,omitempty"`
		Speed    *int           `json:"speed,omitempty"` // feet; default 30
		Hidden   bool           `json:"hidden,omitempty"`
		Notes    string         `json:"notes,omitempty"`    // only the GM sees them
		Answers  []string       `json:"answers,omitempty"`  // kinds of reaction it owns: shield, counterspell, …
		Recharge map[string]int `json:"recharge,omitempty"` // ability name → lowest d6 face that gives it back
		Stats    map[string]int `json:"stats,omitempty"`    // what the rule system reads; see System.Stats
		Times    int            `json:"times,omitempty"`    // 1 to 50; names are numbered when above 1
	}
	// EditCombatant changes what is given and leaves the rest.
	EditCombatant struct {
		Combatant ID             `json:"combatant"`
		Base      *int           `json:"base,omitempty"` // the combatant's rev this edit was made on; another one now refuses it: stale_edit
		Name      *string        `json:"name,omitempty"`
		Side      *string        `json:"side,omitempty"`
		Kind      *string        `json:"kind,omitempty"`
		Group     *string        `json:"group,omitempty"`
		Mod       *int           `json:"mod,omitempty"`
		MaxHP     *int           `json:"maxHp,omitempty"`
		AC        *int           `json:"ac,omitempty"`
		Speed     *int           `json:"speed,omitempty"`
		Notes     *string        `json:"notes,omitempty"`
		Answers   *[]string      `json:"answers,omitempty"`
		Stats     map[string]int `json:"stats,omitempty"` // merged key by key
	}
	// RemoveCombatant takes combatants out; their places stay as invisible
	// markers while something is anchored to them (C-03).
	RemoveCombatant struct {
		Combatants []ID `json:"combatants"`
	}
	// DuplicateCombatant adds a copy with full hit points.
	DuplicateCombatant struct {
		Combatant ID `json:"combatant"`
	}
	// ImportCombatants adds several in one commit, all or none.
	ImportCombatants struct {
		Combatants []AddCombatant `json:"combatants"`
	}
	// SetHidden hides combatants from everybody but the GM and their own seat, or
	// shows them. UntilAct goes with hiding: the first thing that one does shows
	// it.
	SetHidden struct {
		Combatants []ID          `json:"combatants"`
		Hidden     bool          `json:"hidden"`
		From       string        `json:"from,omitempty"` // players or spectators; left out: both
		UntilAct   bool          `json:"untilAct,omitempty"`
		Base       string        `json:"base,omitempty"`  // how its sender saw them: shown, hidden, untilAct
		Bases      map[ID]string `json:"bases,omitempty"` // how its sender saw each of them
	}
	// SetSight says what an audience may see of combatants: a field left out stays
	// as it is, an empty one goes back to what the options say.
	SetSight struct {
		Combatants []ID         `json:"combatants"`
		Audience   string       `json:"audience"`             // players, spectators
		HP         *string      `json:"hp,omitempty"`         // exact, band, none
		AC         *string      `json:"ac,omitempty"`         // yes, no
		Conditions *string      `json:"conditions,omitempty"` // yes, no
		Count      *string      `json:"count,omitempty"`      // of its initiative: yes, no
		Base       *Sight       `json:"base,omitempty"`       // what was set when its sender looked, of the fields that are given
		Bases      map[ID]Sight `json:"bases,omitempty"`      // what was set of each of them, of the fields that are given
	}
	// SetDefeated puts a combatant out of the fight or back into it.
	SetDefeated struct {
		Combatants []ID `json:"combatants"`
		Defeated   bool `json:"defeated"`
	}
	// AssignSeat gives a combatant to a seat; an empty seat takes it back. A
	// player may claim an unowned pc, or let go of its own.
	AssignSeat struct {
		Combatant ID  `json:"combatant"`
		Seat      ID  `json:"seat,omitempty"`
		Base      *ID `json:"base,omitempty"` // the seat that its sender saw; empty: none
	}
	// SetPosition says in a few words where somebody stands.
	SetPosition struct {
		Combatant ID      `json:"combatant"`
		Position  string  `json:"position"`
		Base      *string `json:"base,omitempty"` // the position that its sender saw
	}
)

// Seats and links. The tokens themselves never enter the core: only hashes.
type (
	// AddSeat makes a seat for somebody who came with the player link. Only the
	// hub sends it; Key is the hash of the seat's token.
	AddSeat struct {
		Seat ID     `json:"seat"`
		Name string `json:"name"`
		Key  string `json:"key"`
	}
	// RemoveSeat removes a seat; its combatants stay, unowned. GM.
	RemoveSeat struct {
		Seat ID `json:"seat"`
	}
	// EditSeat renames a seat (its player or the GM) or makes it read-only (GM).
	EditSeat struct {
		Seat     ID      `json:"seat"`
		Name     *string `json:"name,omitempty"`
		ReadOnly *bool   `json:"readOnly,omitempty"`
		Base     *string `json:"base,omitempty"` // the name that its sender saw
	}
	// ReplaceLink puts a new key behind one of the three links. The hub fills
	// Key and gives the token to the GM who asked.
	ReplaceLink struct {
		Role string `json:"role"` // gm, player, spectator
		Key  string `json:"key,omitempty"`
	}
)

// Before the first turn.
type (
	// SetSurprised marks who did not notice the enemy (SF-11, 5E-02).
	SetSurprised struct {
		Combatants []ID `json:"combatants"`
		Surprised  bool `json:"surprised"`
	}
	// RollInitiative rolls for the combatants named, or for every npc without a
	// count when none is named. Die is the face a real die shows, for one
	// combatant.
	RollInitiative struct {
		Combatants []ID `json:"combatants,omitempty"`
		Die        int  `json:"die,omitempty"`
	}
	// SetInitiative types a count in. In mid-fight it moves the slot (C-13).
	SetInitiative struct {
		Combatant ID           `json:"combatant"`
		Also      []ID         `json:"also,omitempty"` // others who get the same count
		Count     Count        `json:"count"`
		Base      *Count       `json:"base,omitempty"`  // the count that its sender saw; another one now, of any of them, refuses it: stale_edit
		First     bool         `json:"first,omitempty"` // its sender saw none; any now refuses it: stale_edit
		Bases     map[ID]Count `json:"bases,omitempty"` // the counts that its sender saw; whoever is not in it had none
	}
	// SettleTie orders combatants whose counts are equal, first to act first.
	SettleTie struct {
		Order []ID `json:"order"`
	}
	// RollOff answers a roll-off for one combatant; Die 0 lets the server roll.
	RollOff struct {
		Combatant ID  `json:"combatant"`
		Die       int `json:"die,omitempty"`
	}
	// StartCombat rolls what nobody rolled, makes the order and begins.
	StartCombat struct{}
	// EndCombat ends the fight; the combatants stay.
	EndCombat struct{}
	// ResetCombat goes back to set-up: no counts, no round, no conditions. With
	// Clear, every npc goes and the party stays for the next fight, as it came
	// out of this one: each pc with its hit points, temporary ones, how near
	// death it is and whether it is out of the fight; spent abilities and the
	// pools that only rest refills; the effects that have no end. What was
	// counted in rounds and turns is over, what somebody who is gone kept up by
	// concentrating ends, and nobody stands anywhere.
	ResetCombat struct {
		Clear bool `json:"clear,omitempty"`
	}
)

// Attack is what is known of an attack roll: either the bonus ToHit and the
// damage expression for the server to roll, or what the table's own dice said.
type Attack struct {
	ToHit    *int   `json:"toHit,omitempty"`
	Damage   string `json:"damage,omitempty"` // dice expression such as 2d6+3, or a plain number
	Total    *int   `json:"total,omitempty"`  // the attack total as rolled at the table
	Hit      *bool  `json:"hit,omitempty"`    // the table's verdict, when no total is given
	Critical bool   `json:"critical,omitempty"`
	Melee    bool   `json:"melee,omitempty"` // from within 5 ft
	Kind     string `json:"kind,omitempty"`  // of damage: fire, cold, …
}

// On one's turn. Frame names the frame the sender means; empty means whichever
// frame of that combatant is acting, which only test programs should use.
type (
	// Act spends something and does it.
	Act struct {
		Combatant ID      `json:"combatant"`
		Frame     ID      `json:"frame,omitempty"`
		Kind      string  `json:"kind"` // from the rule system's list
		Name      string  `json:"name,omitempty"`
		Targets   []ID    `json:"targets,omitempty"`
		Cost      string  `json:"cost,omitempty"`  // pool to pay from, when not the kind's own: action, bonus, …
		Level     int     `json:"level,omitempty"` // of a spell; 0 is a cantrip
		Provokes  []ID    `json:"provokes,omitempty"`
		Attack    *Attack `json:"attack,omitempty"`
		Done      bool    `json:"done,omitempty"`  // then its frame ends, once nobody is left to be asked
		Force     bool    `json:"force,omitempty"` // GM: whatever it costs (a ruling, logged)
	}
	// Move spends movement. Difficult ground and crawling cost double; Stand
	// costs half the speed and ends prone.
	Move struct {
		Combatant     ID     `json:"combatant"`
		Frame         ID     `json:"frame,omitempty"`
		Feet          int    `json:"feet"`
		Difficult     bool   `json:"difficult,omitempty"`
		Crawl         bool   `json:"crawl,omitempty"`
		Stand         bool   `json:"stand,omitempty"`
		Forced        bool   `json:"forced,omitempty"` // pushed or teleported: costs nothing
		LeavesReachOf []ID   `json:"leavesReachOf,omitempty"`
		Position      string `json:"position,omitempty"`
		Force         bool   `json:"force,omitempty"`
	}
	// EndTurn ends the acting frame: a turn, or a reaction that broke into one.
	EndTurn struct {
		Combatant ID `json:"combatant,omitempty"`
		Frame     ID `json:"frame,omitempty"`
	}
	// Delay puts the whole turn off.
	Delay struct {
		Combatant ID `json:"combatant"`
		Frame     ID `json:"frame,omitempty"`
	}
	// ReturnFromDelay takes a delayed turn.
	ReturnFromDelay struct {
		Combatant ID `json:"combatant"`
	}
	// Ready prepares an action for a trigger put in the player's own words.
	Ready struct {
		Combatant ID     `json:"combatant"`
		Frame     ID     `json:"frame,omitempty"`
		Kind      string `json:"kind"`
		Name      string `json:"name,omitempty"`
		Targets   []ID   `json:"targets,omitempty"`
		Level     int    `json:"level,omitempty"`
		Trigger   string `json:"trigger"`
		Defensive bool   `json:"defensive,omitempty"`
		Cost      string `json:"cost,omitempty"`
	}
)

// Off one's turn.
type (
	// React breaks into whatever is happening.
	React struct {
		Combatant ID      `json:"combatant"`
		Window    ID      `json:"window,omitempty"` // when it answers a question
		To        ID      `json:"to,omitempty"`     // frame it answers; default the acting one
		Kind      string  `json:"kind"`
		Name      string  `json:"name,omitempty"`
		Targets   []ID    `json:"targets,omitempty"`
		Level     int     `json:"level,omitempty"`
		Defensive bool    `json:"defensive,omitempty"`
		AC        int     `json:"ac,omitempty"` // bonus to its AC until the start of its next turn
		Provokes  []ID    `json:"provokes,omitempty"`
		Attack    *Attack `json:"attack,omitempty"`
		Done      bool    `json:"done,omitempty"` // resume at once, unless somebody must be asked
		Force     bool    `json:"force,omitempty"`
	}
	// Release lets a readied action happen.
	Release struct {
		Combatant ID      `json:"combatant"`
		Window    ID      `json:"window,omitempty"`
		Targets   []ID    `json:"targets,omitempty"`
		Attack    *Attack `json:"attack,omitempty"`
		Done      bool    `json:"done,omitempty"`
	}
	// Decline answers a window with no.
	Decline struct {
		Combatant ID `json:"combatant"`
		Window    ID `json:"window,omitempty"`
	}
	// LegendaryAction acts at the end of another's turn (5E-21).
	LegendaryAction struct {
		Combatant ID      `json:"combatant"`
		Name      string  `json:"name,omitempty"`
		Cost      int     `json:"cost,omitempty"` // 1 to 3; default 1
		Targets   []ID    `json:"targets,omitempty"`
		Attack    *Attack `json:"attack,omitempty"`
		Done      bool    `json:"done,omitempty"`
	}
	// LairAction acts on the lair's own slot (5E-22).
	LairAction struct {
		Frame   ID     `json:"frame,omitempty"`
		Name    string `json:"name,omitempty"`
		Targets []ID   `json:"targets,omitempty"`
	}
)

// Declared actions, for systems with a declaration phase (LS-01).
type (
	// Declared is one intended action.
	Declared struct {
		Kind   string `json:"kind"`             // attack, drawWeapon, …
		Weapon string `json:"weapon,omitempty"` // names a pair of modifiers
		Hasten int    `json:"hasten,omitempty"`
	}
	// Declare states the actions of the coming round. A draft is not said yet:
	// its own side sees at which counts the actions would fall.
	Declare struct {
		Combatant ID         `json:"combatant"`
		Actions   []Declared `json:"actions"`
		Draft     bool       `json:"draft,omitempty"`
	}
	// WithdrawDeclaration takes it back before all are in.
	WithdrawDeclaration struct {
		Combatant ID `json:"combatant"`
	}
	// Hold keeps the slot's action for later in the round.
	Hold struct {
		Combatant ID `json:"combatant"`
		Frame     ID `json:"frame,omitempty"`
	}
	// Pass lets the slot go.
	Pass struct {
		Combatant ID `json:"combatant"`
		Frame     ID `json:"frame,omitempty"`
	}
	// Take uses a held action now.
	Take struct {
		Combatant ID `json:"combatant"`
	}
)

// Decisions.
type (
	// Answer answers a pending decision. Die is the face of the die; 0 lets the
	// server roll.
	Answer struct {
		Pending ID    `json:"pending"`
		Die     int   `json:"die,omitempty"`
		Order   []ID  `json:"order,omitempty"`  // for a tie
		Accept  *bool `json:"accept,omitempty"` // for a proposal: the GM's yes or no; its own player may withdraw it (false)
	}
	// CloseWindow declines for everybody still to be asked. GM.
	CloseWindow struct {
		Window ID `json:"window,omitempty"`
	}
	// WindowExpired is the hub's word that the time to answer is over; Asked
	// names whose time it was, so that it cannot expire twice.
	WindowExpired struct {
		Window ID `json:"window"`
		Asked  ID `json:"asked"`
	}
	// TurnExpired is the hub's word that the turn's time is over.
	TurnExpired struct {
		Frame ID `json:"frame"`
	}
)

// Health and effects.
type (
	// Damage hurts one or several.
	Damage struct {
		Combatants []ID   `json:"combatants"`
		Amount     int    `json:"amount"`
		Half       []ID   `json:"half,omitempty"` // those of them who take half of it, rounded down: their save succeeded
		Source     ID     `json:"source,omitempty"`
		Kind       string `json:"kind,omitempty"`
		Critical   bool   `json:"critical,omitempty"` // matters at 0 HP
		Melee      bool   `json:"melee,omitempty"`
	}
	// Heal gives hit points back, up to the maximum in force.
	Heal struct {
		Combatants []ID `json:"combatants"`
		Amount     int  `json:"amount"`
	}
	// SetTempHP sets temporary hit points, which do not add up.
	SetTempHP struct {
		Combatants []ID       `json:"combatants"`
		Amount     int        `json:"amount"`
		Base       map[ID]int `json:"base,omitempty"` // what its sender saw that each of them had
	}
	// Until says when an effect ends, as people say it; the rule system turns
	// it into an anchor.
	Until struct {
		At     string `json:"at,omitempty"`     // turnStart, turnEnd, roundEnd, rounds, never (default)
		Of     ID     `json:"of,omitempty"`     // whose turn; default the source, else the target
		Rounds int    `json:"rounds,omitempty"` // for rounds: how many; for turnStart and turnEnd: 1 is "next" (default 1)
	}
	// Save is a saving throw an effect allows at the end of its target's turns.
	Save struct {
		Ability string `json:"ability"`
		DC      int    `json:"dc"`
	}
	// AddEffect puts a condition or another effect on one or several.
	AddEffect struct {
		Combatants    []ID   `json:"combatants"`
		Name          string `json:"name"`
		Source        ID     `json:"source,omitempty"`
		Until         *Until `json:"until,omitempty"`
		AC            int    `json:"ac,omitempty"`         // added to AC
		MaxHP         int    `json:"maxHp,omitempty"`      // added to maximum HP
		Speed         int    `json:"speed,omitempty"`      // added to speed, feet
		TurnDamage    int    `json:"turnDamage,omitempty"` // at the start of each of the target's turns
		DamageKind    string `json:"damageKind,omitempty"`
		Resist        string `json:"resist,omitempty"` // kind of damage that is halved
		Save          *Save  `json:"save,omitempty"`
		Concentration bool   `json:"concentration,omitempty"` // the source must keep concentrating
		Hidden        bool   `json:"hidden,omitempty"`        // only the GM sees it
	}
	// RemoveEffect ends effects before their time.
	RemoveEffect struct {
		Effects []ID `json:"effects"`
	}
)

// The GM's own.
type (
	// SetOptions changes configuration keys; see Options.
	SetOptions struct {
		Title       *string           `json:"title,omitempty"`
		Options     map[string]string `json:"options,omitempty"`
		BaseTitle   *string           `json:"baseTitle,omitempty"`   // the title that its sender saw
		BaseOptions map[string]string `json:"baseOptions,omitempty"` // the values in force that its sender saw
	}
	// Reorder puts these combatants' slots in this order, in the places that
	// they hold together (C-13).
	Reorder struct {
		Order []ID `json:"order"`
		Base  []ID `json:"base,omitempty"` // who stood from the first of these places to the last when its sender looked
	}
	// SetActive makes it this combatant's turn now; done marks stay.
	SetActive struct {
		Combatant ID `json:"combatant"`
		Frame     ID `json:"frame,omitempty"` // the turn that went on when its sender looked; another one now refuses it: stale_frame
	}
	// Grant gives (or, below zero, takes) a part of a budget.
	Grant struct {
		Combatant ID     `json:"combatant"`
		Pool      string `json:"pool"`
		Amount    int    `json:"amount"`
	}
	// SetCharged marks a rechargeable ability as used, or gives it back.
	SetCharged struct {
		Combatant ID     `json:"combatant"`
		Name      string `json:"name"`
		Charged   bool   `json:"charged"`
	}
	// PauseClock holds the turn clock; ResumeClock lets it run.
	PauseClock  struct{}
	ResumeClock struct{}
	// Undo takes back the last commit that still stands, or all down to and
	// without To.
	Undo struct {
		To uint64 `json:"to,omitempty"`
	}
	// Redo brings back what the last undo took.
	Redo struct{}
	// Note writes a line only GMs see into the log.
	Note struct {
		Text string `json:"text"`
	}
	// Roll throws dice for all to see, or for the GM alone.
	Roll struct {
		Dice   string `json:"dice"`
		Label  string `json:"label,omitempty"`
		Secret bool   `json:"secret,omitempty"`
	}
	// Say writes a line into the log.
	Say struct {
		Text string `json:"text"`
	}
)
