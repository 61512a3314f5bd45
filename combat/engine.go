package combat

import "maps"

// Roles of those who send commands. Server is the hub itself, for time that
// runs out; Player holds the player link and has no seat yet.
const (
	RoleGM        = "gm"
	RolePlayer    = "player"
	RoleSeat      = "seat"
	RoleSpectator = "spectator"
	RoleServer    = "server"
)

// Dice are an input of every decision (C-12). Roll returns a face from 1 to
// sides; sides is at least 1 and at most 1<<30. The hub gives real chance, a
// test a list.
type Dice interface{ Roll(sides int) int }

// By says who sends a command, when, and with which dice.
type By struct {
	Role string
	Seat ID    // for RoleSeat
	Now  int64 // Unix milliseconds
	Dice Dice
}

// Audience is a class of viewers that sees the same. Seat is set for RoleSeat.
type Audience struct {
	Role string
	Seat ID
}

// String names the audience: gm, player, spectator, seat:<id>.
func (a Audience) String() string {
	if a.Role == RoleSeat {
		return RoleSeat + ":" + string(a.Seat)
	}
	return a.Role
}

// Engine decides commands under the rule systems it was made with. It has no
// state of its own: any number of goroutines may use one.
type Engine struct {
	systems map[string]System
	names   []string
}

// New makes an engine that knows these rule systems.
func New(systems ...System) *Engine {
	e := &Engine{systems: map[string]System{}}
	for _, system := range systems {
		e.systems[system.Name()] = system
		e.names = append(e.names, system.Name())
	}
	return e
}

// SystemView describes a rule system to those who choose one.
type SystemView struct {
	Rules   string       `json:"rules"`
	Options []Option     `json:"options"` // the core's first
	Effects []EffectSpec `json:"effects"` // to offer by name, in the order to show them
}

// Systems describes the rule systems, in the order given to New.
func (e *Engine) Systems() []SystemView {
	all := make([]SystemView, len(e.names))
	for i, name := range e.names {
		all[i] = SystemView{Rules: name, Options: allOptions(e.systems[name]), Effects: append([]EffectSpec{}, e.systems[name].Effects()...)}
	}
	return all
}

// System returns the rule system of that name.
func (e *Engine) System(name string) (System, bool) {
	system, known := e.systems[name]
	return system, known
}

// Create decides the making of an encounter. Keys holds the hash of each
// link's token under gm, player and spectator. Refusals: bad_value (rules,
// options, title), too_long.
func (e *Engine) Create(id ID, rules, title string, options, keys map[string]string, by By) ([]Event, *State, *Refusal) {
	system, known := e.systems[rules]
	if !known {
		return nil, nil, refuse("bad_value", "field", "rules")
	}
	if r := checkText("title", title, MaxTitle, false); r != nil {
		return nil, nil, r
	}
	if r := checkOptions(system, options); r != nil {
		return nil, nil, r
	}
	d := e.draft(&State{Phase: PhaseSetup}, system, by)
	d.Emit(Created{ID: id, Title: title, Rules: rules, Options: maps.Clone(options), Keys: keys})
	return d.finish("created")
}

// Decide answers a command: the events that it causes and the state after
// them, or a refusal. The state given is not changed. A panic is a fault of
// the rules; the caller refuses that command and goes on.
func (e *Engine) Decide(s *State, command Command, by By) ([]Event, *State, *Refusal) {
	system, known := e.systems[s.Rules]
	if !known {
		return nil, nil, refuse("not_in_this_system", "rules", s.Rules)
	}
	d := e.draft(s, system, by)
	if r := d.decide(command); r != nil {
		return nil, nil, r
	}
	return d.finish(CommandName(command))
}

// Deadline is a moment the hub must wake the encounter for, and the command to
// send it then (as RoleServer).
type Deadline struct {
	At      int64 // Unix milliseconds
	Command Command
}

// Next returns the earliest deadline of a state, or false when time cannot
// change anything.
func Next(s *State) (Deadline, bool) {
	if w := s.Window(); w != nil && w.Deadline > 0 && len(w.Eligible) > 0 {
		return Deadline{At: w.Deadline, Command: WindowExpired{Window: w.ID, Asked: w.Eligible[0]}}, true
	}
	if s.Clock.Deadline > 0 {
		return Deadline{At: s.Clock.Deadline, Command: TurnExpired{Frame: s.Clock.Frame}}, true
	}
	return Deadline{}, false
}
