package combat

import "encoding/json"

// The view is a flat map from key to value (see View). These are its values,
// as they go over the wire.
type (
	// EncounterView is the value of "encounter".
	EncounterView struct {
		ID      ID                `json:"id"`
		Title   string            `json:"title"`
		Rules   string            `json:"rules"`
		Phase   string            `json:"phase"`
		Round   int               `json:"round"` // 0 is the surprise round, or before the first
		Count   *Count            `json:"count,omitempty"`
		Options map[string]string `json:"options"` // every key, with its value in force
		// What may be declared for a round; absent where nothing is declared.
		Declarable []Declarable `json:"declarable,omitempty"`
	}
	// CombatantView is the value of "combatants/{id}".
	CombatantView struct {
		ID         ID              `json:"id"`
		Rev        int             `json:"rev,omitempty"` // names the contents of its sheet, for those who may edit it: what an edit is based on
		Name       string          `json:"name"`
		Side       string          `json:"side"`
		Kind       string          `json:"kind"`
		Seat       ID              `json:"seat,omitempty"`
		Group      string          `json:"group,omitempty"`
		Hidden     bool            `json:"hidden,omitempty"`     // from anybody; gm, and its own seat
		HiddenFrom []string        `json:"hiddenFrom,omitempty"` // gm: players, spectators
		UntilAct   bool            `json:"untilAct,omitempty"`   // gm: its first act will show it
		ShowsTo    []string        `json:"showsTo,omitempty"`    // gm: players, spectators: to whom that is
		Sight      *Sights         `json:"sight,omitempty"`      // gm: what others may see of it, where that is not as the options say
		Defeated   bool            `json:"defeated,omitempty"`
		Life       string          `json:"life"` // up, dying, stable, dead
		Initiative *Count          `json:"initiative,omitempty"`
		Mod        *int            `json:"mod,omitempty"`
		HP         *HPView         `json:"hp,omitempty"`
		AC         *int            `json:"ac,omitempty"`
		Speed      *int            `json:"speed,omitempty"`
		Surprised  bool            `json:"surprised,omitempty"`
		Reaction   bool            `json:"reaction"`         // it could react now
		Budget     []Pool          `json:"budget,omitempty"` // in display order; its own seat, and the GM
		Conditions []string        `json:"conditions,omitempty"`
		Position   string          `json:"position,omitempty"`
		Readied    *ReadiedView    `json:"readied,omitempty"`
		Delaying   bool            `json:"delaying,omitempty"`
		Declared   bool            `json:"declared,omitempty"` // it has said what it will do, or has nothing to say
		Plan       []IntentView    `json:"plan,omitempty"`     // what; secret until all are in
		Saves      *DeathSavesView `json:"deathSaves,omitempty"`
		Answers    []string        `json:"answers,omitempty"`
		Recharge   map[string]bool `json:"recharge,omitempty"`   // ability → charged
		RechargeAt map[string]int  `json:"rechargeAt,omitempty"` // ability → lowest d6 face that gives it back; gm, and its own seat
		Sheet      *SheetView      `json:"sheet,omitempty"`      // gm, and its own seat: where effects lend or take something
		Stats      map[string]int  `json:"stats,omitempty"`      // gm, and its own seat
		Notes      string          `json:"notes,omitempty"`      // gm
	}
	// IntentView is one action of a plan. Where the count is not to be seen, so is
	// nothing that hangs on it.
	IntentView struct {
		Kind    string `json:"kind"`
		Weapon  string `json:"weapon,omitempty"`
		Hasten  int    `json:"hasten,omitempty"`
		Count   *Count `json:"count,omitempty"`   // at which it falls
		Lost    bool   `json:"lost,omitempty"`    // that count gives no slot
		Carried bool   `json:"carried,omitempty"` // from the round before, on top of this one's
	}
	// SheetView is the numbers as they stand on the sheet, for those who edit it:
	// without what effects and the rules lend.
	SheetView struct {
		AC    int `json:"ac"`
		MaxHP int `json:"maxHp"`
	}
	// HPView is either exact or a band.
	HPView struct {
		Current *int   `json:"current,omitempty"`
		Max     int    `json:"max,omitempty"`
		Temp    int    `json:"temp,omitempty"`
		Band    string `json:"band,omitempty"` // unhurt, hurt, bloodied, critical, down; then the numbers are absent
	}
	// ReadiedView says that somebody waits, and for what.
	ReadiedView struct {
		Trigger string `json:"trigger"`
		Kind    string `json:"kind"`
		Name    string `json:"name,omitempty"`
	}
	// DeathSavesView counts marks at 0 HP.
	DeathSavesView struct {
		Successes int `json:"successes"`
		Failures  int `json:"failures"`
	}
	// SlotView is one element of "order".
	SlotView struct {
		Slot       ID     `json:"slot"`
		Combatants []ID   `json:"combatants"`
		Count      *Count `json:"count,omitempty"` // absent: not for this audience
		Kind       string `json:"kind"`            // turn, lair, action
		Done       bool   `json:"done,omitempty"`
		Current    bool   `json:"current,omitempty"`
		Tied       bool   `json:"tied,omitempty"` // with others, and not settled yet
		Part       int    `json:"part,omitempty"` // of its combatant's plan, from 1
	}
	// TurnView is the value of "turn"; the key is absent between turns.
	TurnView struct {
		Slot      ID     `json:"slot"`
		Combatant ID     `json:"combatant"`
		Round     int    `json:"round"`
		StartedAt Millis `json:"startedAt"`
		Deadline  Millis `json:"deadline,omitempty"` // the clock runs
		LeftMs    int64  `json:"leftMs,omitempty"`   // the clock is held with this much left
		Paused    bool   `json:"paused,omitempty"`   // by the GM
	}
	// FrameView is one element of "stack", bottom first.
	FrameView struct {
		Frame     ID           `json:"frame"`
		Kind      string       `json:"kind"`
		Combatant ID           `json:"combatant"`
		Trigger   *TriggerView `json:"trigger,omitempty"`
		Budget    []Pool       `json:"budget,omitempty"`
		Action    *ActionView  `json:"action,omitempty"` // begun, waiting for answers
		Did       *ActionView  `json:"did,omitempty"`    // the last one that is over
		Step      string       `json:"step,omitempty"`
		Empty     string       `json:"empty,omitempty"` // why there is nothing it can do
	}
	// TriggerView says what a response answers. Who is not visible is left out.
	TriggerView struct {
		Frame     ID     `json:"frame,omitempty"`
		Combatant ID     `json:"combatant,omitempty"`
		Kind      string `json:"kind,omitempty"`
		Name      string `json:"name,omitempty"`
		Text      string `json:"text,omitempty"`
	}
	// ActionView is something begun and not yet resolved, or just over.
	ActionView struct {
		Kind    string `json:"kind"`
		Name    string `json:"name,omitempty"`
		Targets []ID   `json:"targets,omitempty"`
		Feet    int    `json:"feet,omitempty"`
		Total   *int   `json:"total,omitempty"` // of its attack roll
	}
	// WindowView is the value of "window".
	WindowView struct {
		Window   ID          `json:"window"`
		Frame    ID          `json:"frame"`
		Trigger  TriggerView `json:"trigger"`
		Timing   string      `json:"timing"`
		Asked    ID          `json:"asked,omitempty"` // absent: somebody you do not see
		Eligible []ID        `json:"eligible"`        // asked first
		Targets  []ID        `json:"targets,omitempty"`
		Total    *int        `json:"total,omitempty"`
		Deadline Millis      `json:"deadline,omitempty"`
	}
	// PendingView is the value of "pending/{id}".
	PendingView struct {
		ID         ID     `json:"id"`
		Kind       string `json:"kind"`
		Combatants []ID   `json:"combatants"`
		DC         int    `json:"dc,omitempty"`
		Ability    string `json:"ability,omitempty"`
		Effect     string `json:"effect,omitempty"`   // its name
		Deadline   Millis `json:"deadline,omitempty"` // to declare by
		// Of a proposal: the player who makes it, and the command that the GM's yes applies.
		Seat    ID              `json:"seat,omitempty"`
		Command json.RawMessage `json:"command,omitempty"`
	}
	// EffectView is the value of "effects/{id}".
	EffectView struct {
		ID            ID     `json:"id"`
		Name          string `json:"name"`
		Target        ID     `json:"target"`
		Source        ID     `json:"source,omitempty"`
		Ends          Anchor `json:"ends"`
		RoundsLeft    *int   `json:"roundsLeft,omitempty"` // 0: in this round
		AC            int    `json:"ac,omitempty"`
		Speed         int    `json:"speed,omitempty"`
		TurnDamage    int    `json:"turnDamage,omitempty"`
		Concentration bool   `json:"concentration,omitempty"`
		Hidden        bool   `json:"hidden,omitempty"`
	}
	// SeatView is the value of "seats/{id}". Who is online travels as presence.
	SeatView struct {
		ID         ID     `json:"id"`
		Name       string `json:"name"`
		Combatants []ID   `json:"combatants"`
		ReadOnly   bool   `json:"readOnly,omitempty"`
	}
	// YouView is the value of "you".
	YouView struct {
		Role       string  `json:"role"` // gm, player, seat, spectator
		Seat       ID      `json:"seat,omitempty"`
		Name       string  `json:"name,omitempty"`
		Combatants []ID    `json:"combatants"`
		Can        []Offer `json:"can"`
	}
	// HistoryView is the value of "history", which only the GM has: the types of
	// the commands that undo and redo are about. It stands apart from "you",
	// which is large and seldom changes.
	HistoryView struct {
		Undo string `json:"undo,omitempty"` // would be taken back
		Redo string `json:"redo,omitempty"` // would be brought back
	}
	// Offer is a command this viewer may send now, with its fixed fields filled
	// in; the other fields of that command are the sender's to choose. An offer
	// with neither combatant nor combatants is open to any.
	Offer struct {
		Type       string  `json:"type"`
		Combatant  ID      `json:"combatant,omitempty"`
		Combatants []ID    `json:"combatants,omitempty"` // one of these
		Frame      ID      `json:"frame,omitempty"`
		Window     ID      `json:"window,omitempty"`
		Pending    ID      `json:"pending,omitempty"`
		Effect     ID      `json:"effect,omitempty"`
		Seat       ID      `json:"seat,omitempty"`
		Kind       string  `json:"kind,omitempty"`
		Defensive  bool    `json:"defensive,omitempty"` // only as a purely defensive one
		Accept     *bool   `json:"accept,omitempty"`    // false: only to withdraw one's own proposal
		Asks       bool    `json:"asks,omitempty"`      // it waits for the GM's yes
		Cost       []Price `json:"cost,omitempty"`
	}
	// Price is what an offer takes from a pool, and what then remains.
	Price struct {
		Pool string `json:"pool"`
		Cost int    `json:"cost"`
		Left int    `json:"left"`
	}
)

// Millis is a moment in Unix milliseconds.
type Millis int64

// LogEntry is one line of the log as one audience may read it: the event's own
// fields, with its type, and who caused it. Text is made by the reader.
type LogEntry struct {
	At     Millis
	By     string // gm, seat, server
	Seat   ID     // when a player did it
	Commit uint64 // for the GM alone: to go back to
	Event  Event
}

// MarshalJSON writes the event with its type.
func (l LogEntry) MarshalJSON() ([]byte, error) {
	event, err := EncodeEvent(l.Event)
	if err != nil {
		return nil, err
	}
	return json.Marshal(LogLine{At: l.At, By: l.By, Seat: l.Seat, Commit: l.Commit, Event: event})
}

// LogLine is a LogEntry on the wire.
type LogLine struct {
	At     Millis          `json:"at"`
	By     string          `json:"by,omitempty"`
	Seat   ID              `json:"seat,omitempty"`
	Commit uint64          `json:"commit,omitempty"`
	Event  json.RawMessage `json:"event"` // an Event with its type
}
