package combat_test

import (
	"encoding/json"
	"slices"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
)

// table is one fight of a known fault: the core with a clock and dice that the
// test holds, and what every audience was sent.
type table struct {
	t      *testing.T
	engine *combat.Engine
	state  *combat.State
	now    int64
	faces  []int // to come; then always 10
	events []combat.Event
	views  *combat.Views
	sent   map[combat.Audience][]combat.Change
	seats  map[string]combat.ID
	ids    map[string]combat.ID
	seq    uint64
	hash   string
	fresh  int
}

// Roll gives the faces the test put there. Ids are drawn from dice as well:
// those get numbers of their own.
func (b *table) Roll(sides int) int {
	if sides > 100 {
		b.fresh++
		return (b.fresh*7919)%sides + 1
	}
	if len(b.faces) > 0 {
		face := b.faces[0]
		b.faces = b.faces[1:]
		return min(face, sides)
	}
	return min(10, sides)
}

// newTable makes a fight with the options given.
func newTable(t *testing.T, options map[string]string) *table {
	return newTableUnder(t, dnd5e.System{}, options)
}

func newTableUnder(t *testing.T, system combat.System, options map[string]string) *table {
	t.Helper()
	b := &table{t: t, engine: combat.New(system), now: 1_000_000, sent: map[combat.Audience][]combat.Change{},
		seats: map[string]combat.ID{}, ids: map[string]combat.ID{}}
	by := combat.By{Role: combat.RoleGM, Now: b.now, Dice: b}
	events, state, refusal := b.engine.Create("e", system.Name(), "", options, map[string]string{"gm": "g", "player": "p", "spectator": "s"}, by)
	if refusal != nil {
		t.Fatal(refusal)
	}
	b.views = b.engine.NewViews(state)
	b.commit("created", by, events, state)
	return b
}

func (b *table) commit(kind string, by combat.By, events []combat.Event, state *combat.State) {
	b.t.Helper()
	b.seq++
	c := &combat.Commit{Seq: b.seq, ID: "c", Type: kind, Role: by.Role, Seat: by.Seat, At: by.Now, Events: events}
	if err := c.Seal(b.hash); err != nil {
		b.t.Fatal(err)
	}
	b.hash, b.state, b.events = c.Hash, state, append(b.events, events...)
	for _, change := range b.views.Move(state, c) {
		b.sent[change.Audience] = append(b.sent[change.Audience], change)
	}
}

// by is the owner of a name: its seat, else the GM.
func (b *table) by(name string) combat.By {
	if seat, has := b.seats[name]; has {
		return combat.By{Role: combat.RoleSeat, Seat: seat, Now: b.now, Dice: b}
	}
	return combat.By{Role: combat.RoleGM, Now: b.now, Dice: b}
}

// try sends a command and returns its refusal.
func (b *table) try(by combat.By, c combat.Command) *combat.Refusal {
	b.t.Helper()
	events, state, refusal := b.engine.Decide(b.state, c, by)
	if refusal == nil {
		b.commit(combat.CommandName(c), by, events, state)
	}
	return refusal
}

// do sends a command that must be accepted, as the owner of name.
func (b *table) do(name string, c combat.Command) {
	b.t.Helper()
	if refusal := b.try(b.by(name), c); refusal != nil {
		b.t.Fatalf("%T of %q: %s %v", c, name, refusal.Code, refusal.Params)
	}
}

// refused sends a command that must get this code and change nothing.
func (b *table) refused(by combat.By, c combat.Command, code string) {
	b.t.Helper()
	before := b.encoded()
	refusal := b.try(by, c)
	if refusal == nil || refusal.Code != code {
		b.t.Fatalf("%T: got %v, want %s", c, refusal, code)
	}
	if b.encoded() != before {
		b.t.Fatalf("%T was refused and changed the state", c)
	}
}

func (b *table) encoded() string {
	b.t.Helper()
	out, err := json.Marshal(b.state)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(out)
}

// add adds a combatant: a pc with a seat of its own, or an npc.
func (b *table) add(a combat.AddCombatant, count int) combat.ID {
	b.t.Helper()
	c := combat.Whole(count)
	a.Init = &c
	if a.Kind == "pc" {
		seat := combat.ID("seat" + a.Name)
		b.seats[a.Name] = seat
		by := combat.By{Role: combat.RolePlayer, Now: b.now, Dice: b}
		if refusal := b.try(by, combat.AddSeat{Seat: seat, Name: a.Name, Key: a.Name}); refusal != nil {
			b.t.Fatal(refusal)
		}
		a.Seat = seat
	}
	b.do("", a)
	for _, c := range b.state.Combatants {
		if c.Name == a.Name {
			b.ids[a.Name] = c.ID
		}
	}
	return b.ids[a.Name]
}

// quartet is the fixture of the fault list: Ash 18 and Birch 15 of the
// players, Cedar 12 and Dune 9 of the GM.
func quartet(t *testing.T, options map[string]string) *table {
	b := newTable(t, options)
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc", HP: 24}, 18)
	b.add(combat.AddCombatant{Name: "Birch", Kind: "pc", HP: 24, AC: 12, Answers: []string{"shield"}}, 15)
	b.add(combat.AddCombatant{Name: "Cedar", Kind: "npc", HP: 30}, 12)
	b.add(combat.AddCombatant{Name: "Dune", Kind: "npc", HP: 30}, 9)
	return b
}

// begin starts the fight and ends that many turns.
func (b *table) begin(turns int) {
	b.t.Helper()
	b.do("", combat.StartCombat{})
	for range turns {
		b.do("", combat.EndTurn{})
	}
}

// turn is the name of whoever has the turn.
func (b *table) turn() string {
	if f := b.state.Turn(); f != nil {
		return b.state.Combatant(f.Combatant).Name
	}
	return ""
}

// isTurn fails unless it is that one's turn.
func (b *table) isTurn(name string) {
	b.t.Helper()
	if b.turn() != name {
		b.t.Fatalf("it is %q's turn, not %s's", b.turn(), name)
	}
}

// countEvents counts the recorded events of a type for which is says yes.
func countEvents[E combat.Event](b *table, is func(E) bool) int {
	n := 0
	for _, event := range b.events {
		if e, ok := event.(E); ok && is(e) {
			n++
		}
	}
	return n
}

// seen decodes one key of what an audience sees now.
func seen[T any](b *table, a combat.Audience, key string) (value T, there bool) {
	b.t.Helper()
	raw, there := b.views.Whole(a)[key]
	if there {
		if err := json.Unmarshal(raw, &value); err != nil {
			b.t.Fatal(err)
		}
	}
	return value, there
}

// audiences are everybody but the GM.
func (b *table) audiences() []combat.Audience {
	return slices.DeleteFunc(b.views.Audiences(), func(a combat.Audience) bool { return a.Role == combat.RoleGM })
}
