// Package popcorn is popcorn initiative, the smallest rule system: nobody
// rolls, everybody has one turn a round, and whoever ends a turn names the
// next; the last of a round names who begins the one after. It is here to show
// that a rule system needs nothing but a package of its own: tests play it in
// the core, in the hub and in the browser, and no release offers it.
package popcorn

import (
	"slices"

	"riposte/combat"
)

// System is the rule system; it has no state.
type System struct{ combat.Base }

// handOver is the kind of action that ends a turn and names the next; its one
// target is who is named.
const handOver = "handOver"

// markFirst is on whoever was named to begin the next round.
const markFirst = "first"

// Name is the system's name on the wire.
func (System) Name() string { return "popcorn" }

// Actions are an attack, and naming the next.
func (System) Actions() []combat.ActionSpec {
	return []combat.ActionSpec{{Kind: "attack", Turn: true, Reaction: true}, {Kind: handOver, Turn: true}}
}

// Initiative rolls nothing: all have the same count.
func (System) Initiative(*combat.State, *combat.Combatant) (sides, mod int) { return 0, 0 }

// Compare leaves everybody where the GM put them.
func (System) Compare(s *combat.State, a, b *combat.Slot) int {
	place := func(id combat.ID) int {
		return slices.IndexFunc(s.Combatants, func(c *combat.Combatant) bool { return c.ID == id })
	}
	return place(a.Combatant) - place(b.Combatant)
}

// Pay lets an attack be made for nothing, and the turn be handed over to one
// other who fights.
func (System) Pay(s *combat.State, c *combat.Combatant, f *combat.Frame, a *combat.Action, _ string) ([]combat.Pool, *combat.Refusal) {
	if a.Kind == handOver && f.Kind != combat.FrameTurn {
		return nil, combat.Refuse("not_acting")
	}
	return nil, nil
}

// Perform names the next and ends the turn.
func (System) Perform(d *combat.Draft, f *combat.Frame, a *combat.Action) {
	if a.Kind != handOver {
		return
	}
	s := d.State()
	if len(a.Targets) > 0 {
		if slot := s.SlotOf(a.Targets[0]); slot != nil && !slot.Done {
			d.SetOrder(behind(s.Order, s.Cursor, *slot), s.Cursor, "gm")
		} else if slot != nil {
			d.Marks(slot.Combatant, map[string]int{markFirst: 1})
		}
	}
	d.EndStep(d.State().Frame(f.ID))
}

// behind moves a slot to right after another.
func behind(order []combat.Slot, after combat.ID, slot combat.Slot) []combat.Slot {
	rest := slices.DeleteFunc(slices.Clone(order), func(x combat.Slot) bool { return x.ID == slot.ID })
	at := slices.IndexFunc(rest, func(x combat.Slot) bool { return x.ID == after }) + 1
	return slices.Insert(rest, at, slot)
}

// NewRound begins with whoever was named.
func (y System) NewRound(d *combat.Draft, round int) {
	if round == 1 {
		y.Base.NewRound(d, round)
		return
	}
	for _, c := range d.State().Combatants {
		if slot := d.State().SlotOf(c.ID); c.Marks[markFirst] > 0 && slot != nil {
			d.SetOrder(behind(d.State().Order, "", *slot), "", "gm")
			d.Marks(c.ID, map[string]int{markFirst: 0})
			break
		}
	}
	d.PlayRound(combat.PhaseRounds, round)
}
