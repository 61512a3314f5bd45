package lightsandshadows

import (
	"cmp"
	"slices"

	"riposte/combat"
)

// Slots gives one slot for each action of the plan that has a count (LS-05,
// LS-09). Who is surprised loses the first of the first round, or all of it
// (LS-26).
func (System) Slots(s *combat.State, c *combat.Combatant, round int) []combat.Slot {
	if !c.Fights() {
		return nil
	}
	var slots []combat.Slot
	for i, in := range c.Plan {
		if !in.Lost {
			slots = append(slots, combat.Slot{Kind: combat.SlotAction, Combatant: c.ID, Count: in.Count, Part: i + 1})
		}
	}
	if !c.Surprised || round != 1 || len(slots) == 0 {
		return slots
	}
	switch option(s, optionSurprise) {
	case "round":
		return nil
	case "firstSlot":
		first := 0
		for i := range slots {
			if slots[i].Count > slots[first].Count {
				first = i
			}
		}
		return slices.Delete(slots, first, first+1)
	}
	return slots
}

// Compare orders equal counts: what takes the whole round comes last (LS-23),
// then the higher score, then the roll-off (LS-15). One combatant's own follow
// its plan, what was carried over first (LS-20).
func (System) Compare(s *combat.State, a, b *combat.Slot) int {
	x, y := s.Combatant(a.Combatant), s.Combatant(b.Combatant)
	if x == nil || y == nil {
		return 0
	}
	if late := boolean(ofRound(x, a)) - boolean(ofRound(y, b)); late != 0 {
		return late
	}
	if x.ID == y.ID {
		return cmp.Compare(a.Part, b.Part)
	}
	ties := option(s, optionTies)
	if ties != "rolloff" && roundScore(x) != roundScore(y) {
		return cmp.Compare(roundScore(y), roundScore(x))
	}
	if by := combat.CompareSettled(x, y); by != 0 || ties != "simultaneous" {
		return by
	}
	return place(s, x) - place(s, y)
}

// place is where a combatant stands in the roster.
func place(s *combat.State, c *combat.Combatant) int {
	return slices.IndexFunc(s.Combatants, func(x *combat.Combatant) bool { return x.ID == c.ID })
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// intent is the action of the plan that a slot is for.
func intent(c *combat.Combatant, slot *combat.Slot) (combat.Intent, bool) {
	if slot == nil || slot.Part < 1 || slot.Part > len(c.Plan) {
		return combat.Intent{}, false
	}
	return c.Plan[slot.Part-1], true
}

// ofRound reports whether a slot is for an action that takes the whole round.
func ofRound(c *combat.Combatant, slot *combat.Slot) bool {
	in, has := intent(c, slot)
	return has && takesRound(in.Kind)
}

// slotOf returns the slot that a turn is played in, or nil.
func slotOf(s *combat.State, f *combat.Frame) *combat.Slot {
	for i := range s.Order {
		if s.Order[i].ID == f.Slot {
			return &s.Order[i]
		}
	}
	return nil
}

// at is where a slot stands in the order, or -1.
func at(order []combat.Slot, id combat.ID) int {
	return slices.IndexFunc(order, func(slot combat.Slot) bool { return slot.ID == id })
}

// Enter begins a slot: a turn that had begun goes on without its first steps.
func (y System) Enter(d *combat.Draft, slot combat.Slot) {
	if slot.Count != d.State().Count {
		fallen(d)
	}
	c := d.State().Combatant(slot.Combatant)
	switch {
	case !c.Fights():
	case c.Marks[markWaits] > 0:
		mark(d, c.ID, map[string]int{markWaits: 0})
		d.ReenterTurn(slot)
	default:
		d.BeginTurn(slot)
	}
}

// TurnOver follows the end of a slot: those who fell at this count fall (LS-15),
// and held actions come up (LS-17).
func (y System) TurnOver(d *combat.Draft, f *combat.Frame) {
	s := d.State()
	if !slices.ContainsFunc(s.Order, func(slot combat.Slot) bool { return open(s, slot) && slot.Count == s.Count }) {
		fallen(d)
	}
	y.takers(d)
	y.lastChance(d, "")
}

// open reports whether a slot is still to come.
func open(s *combat.State, slot combat.Slot) bool {
	c := s.Combatant(slot.Combatant)
	return slot.Kind == combat.SlotAction && !slot.Done && c != nil && c.Fights()
}

// falls reports whether the fall of a combatant waits until everybody at the
// count being played has acted (LS-15): its own blow there is still to come.
func falls(s *combat.State, id combat.ID) bool {
	return option(s, optionTies) == "simultaneous" && slices.ContainsFunc(s.Order, func(slot combat.Slot) bool {
		return slot.Combatant == id && open(s, slot) && slot.Count == s.Count
	})
}

// fallen lets those fall who have waited for it.
func fallen(d *combat.Draft) {
	for _, c := range slices.Clone(d.State().Combatants) {
		if c.Marks[markFalls] == 0 {
			continue
		}
		mark(d, c.ID, map[string]int{markFalls: 0})
		if c.Fights() {
			fall(d, c.ID)
		}
	}
}
