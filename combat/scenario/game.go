package scenario

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"riposte/combat"
)

// View is what an audience sees: the flat map of the wire contract.
type View map[string]json.RawMessage

// Table is where a scenario is played: a rules core in memory, or a server.
type Table interface {
	// Seat makes a seat of that name for a player who has just come.
	Seat(name string) (combat.ID, error)
	// Do sends a command as somebody. A refusal is an answer; an error means
	// that there was none.
	Do(as combat.Audience, command combat.Command) (*combat.Refusal, error)
	// View is what the audience sees now. The caller does not write to it.
	View(as combat.Audience) (View, error)
	// Sent is what the audience can have learned: at least the bytes of its
	// view, and all it was sent before if the table keeps that.
	Sent(as combat.Audience) ([]byte, error)
	// Fingerprint is the whole state, or as much as can be had: equal bytes
	// mean that nothing has changed.
	Fingerprint() ([]byte, error)
	// Close checks what the table can check about its history, and leaves it.
	Close() error
}

// Opener makes an encounter for a scenario.
type Opener func(s *Scenario) (Table, error)

// game is a scenario being played.
type game struct {
	table  Table
	handle map[combat.ID]string // the scenario's names
	known  map[string]combat.ID // and back
	seats  map[string]combat.ID // by handle, of those who have one
	gm     View                 // before the step that is being played
}

var gmAudience = combat.Audience{Role: combat.RoleGM}

// load takes a fresh view of the GM.
func (g *game) load() error {
	view, err := g.table.View(gmAudience)
	g.gm = view
	return err
}

// id is the id behind a name; empty for none, and the name itself for somebody
// who never came into the fight.
func (g *game) id(name string) combat.ID {
	if id, known := g.known[name]; known || name == "" {
		return id
	}
	return combat.ID(name)
}

func (g *game) ids(names []string) []combat.ID {
	var all []combat.ID
	for _, name := range names {
		all = append(all, g.id(name))
	}
	return all
}

// name is the scenario's name of an id.
func (g *game) name(id combat.ID) string {
	if name, known := g.handle[id]; known {
		return name
	}
	return string(id)
}

func (g *game) list(ids []combat.ID) string {
	if len(ids) == 0 {
		return none
	}
	var all []string
	for _, id := range ids {
		all = append(all, g.name(id))
	}
	return strings.Join(all, " ")
}

// audience is who sends for a name: its seat, or the GM.
func (g *game) audience(speaker string) combat.Audience {
	if speaker == speakerSpectator {
		return combat.Audience{Role: combat.RoleSpectator}
	}
	if seat, has := g.seats[speaker]; has {
		return combat.Audience{Role: combat.RoleSeat, Seat: seat}
	}
	return gmAudience
}

// value decodes one key of a view; an absent one is the zero value.
func value[T any](v View, key string) T {
	var out T
	if raw, has := v[key]; has {
		// A value that does not decode shows as zero and fails the expectation.
		_ = json.Unmarshal(raw, &out)
	}
	return out
}

// each decodes every key under a prefix, in the order of the keys.
func each[T any](v View, prefix string) []T {
	var keys []string
	for key := range v {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	all := make([]T, len(keys))
	for i, key := range keys {
		all[i] = value[T](v, key)
	}
	return all
}

func (g *game) encounter() combat.EncounterView {
	return value[combat.EncounterView](g.gm, "encounter")
}
func (g *game) order() []combat.SlotView  { return value[[]combat.SlotView](g.gm, "order") }
func (g *game) stack() []combat.FrameView { return value[[]combat.FrameView](g.gm, "stack") }
func (g *game) turn() combat.TurnView     { return value[combat.TurnView](g.gm, "turn") }
func (g *game) window() combat.WindowView { return value[combat.WindowView](g.gm, "window") }

func (g *game) combatant(name string) combat.CombatantView {
	return value[combat.CombatantView](g.gm, "combatants/"+string(g.id(name)))
}

// asks returns the open question if it is this one's to answer.
func (g *game) asks(name string) combat.ID {
	w := g.window()
	if slices.Contains(w.Eligible, g.id(name)) {
		return w.Window
	}
	return ""
}

// frameOf is the topmost frame of somebody; empty for nobody.
func (g *game) frameOf(name string) combat.ID {
	for _, frame := range slices.Backward(g.stack()) {
		if frame.Combatant == g.id(name) {
			return frame.Frame
		}
	}
	return ""
}

// owes returns the decision that somebody owes: one of that kind, or a saving
// throw with that ability.
func (g *game) owes(name, kind string) combat.ID {
	for _, p := range each[combat.PendingView](g.gm, "pending/") {
		if slices.Contains(p.Combatants, g.id(name)) && (p.Kind == kind || p.Kind == "save" && p.Ability == kind) {
			return p.ID
		}
	}
	return combat.ID(kind)
}

// effects returns the effects of that name on somebody, or the name itself
// when there is none.
func (g *game) effects(name, target string) []combat.ID {
	var all []combat.ID
	for _, e := range each[combat.EffectView](g.gm, "effects/") {
		if e.Name == name && e.Target == g.id(target) {
			all = append(all, e.ID)
		}
	}
	if all == nil {
		return []combat.ID{combat.ID(name)}
	}
	return all
}

// slotNames writes the name of whoever acts in a slot; the lair's own slot is
// the lair.
func (g *game) slotNames(slot combat.SlotView) []string {
	if slot.Kind == combat.SlotLair {
		return []string{lair}
	}
	var all []string
	for _, id := range slot.Combatants {
		all = append(all, g.name(id))
	}
	return all
}

// turnName is who has the turn, under any interrupts.
func (g *game) turnName() string {
	turn := g.turn()
	if turn.Combatant == "" && turn.Slot == "" {
		return none
	}
	for _, slot := range g.order() {
		if slot.Slot == turn.Slot && slot.Kind == combat.SlotLair {
			return lair
		}
	}
	return g.name(turn.Combatant)
}

// orderText writes the order the way "expect order" does.
func (g *game) orderText() string {
	var all []string
	for _, slot := range g.order() {
		for _, name := range g.slotNames(slot) {
			all = append(all, name+slot.Count.String())
		}
	}
	if all == nil {
		return none
	}
	return strings.Join(all, " ")
}

// stackText writes the stack, bottom first.
func (g *game) stackText() string {
	stack := g.stack()
	if len(stack) == 0 {
		return none
	}
	var all []string
	for _, frame := range stack {
		text := fmt.Sprintf("%s (%s)", g.name(frame.Combatant), frame.Kind)
		if frame.Action != nil {
			text += " waiting with " + frame.Action.Kind
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}
