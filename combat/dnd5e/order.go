package dnd5e

import (
	"slices"

	"riposte/combat"
)

// Together is the group: one roll and one place for identical creatures
// (5E-05).
func (System) Together(s *combat.State, c *combat.Combatant) string {
	if c.Group == "" || option(s, optionGroup) != "block" {
		return ""
	}
	return c.Kind + " " + c.Group
}

// TiesWait reports whether people decide ties (5E-06).
func (System) TiesWait(s *combat.State) bool { return option(s, optionTies) == "people" }

// Slots gives a turn at the rolled count, the lair its slot at 20 (5E-22), and
// a thief a second turn in round 1 unless surprised (5E-13).
func (System) Slots(_ *combat.State, c *combat.Combatant, round int) []combat.Slot {
	if c.Init == nil {
		return nil
	}
	slots := []combat.Slot{{Kind: combat.SlotTurn, Combatant: c.ID, Count: *c.Init}}
	if c.Stats[statSecondTurn] > 0 && round == 1 && !c.Surprised {
		slots = append(slots, combat.Slot{Kind: combat.SlotTurn, Combatant: c.ID, Count: *c.Init - combat.Whole(10), Once: true})
	}
	if c.Stats[statLair] > 0 {
		slots = append(slots, combat.Slot{Kind: combat.SlotLair, Combatant: c.ID, Count: combat.Whole(20)})
	}
	return slots
}

// Compare lets a lair lose every tie (5E-22); creatures that share a place keep
// the GM's order; otherwise people or dice decide (5E-06).
func (System) Compare(s *combat.State, a, b *combat.Slot) int {
	aLair, bLair := a.Kind == combat.SlotLair, b.Kind == combat.SlotLair
	switch {
	case aLair && bLair:
		return place(s, a) - place(s, b)
	case aLair:
		return 1
	case bLair:
		return -1
	}
	x, y := s.Combatant(a.Combatant), s.Combatant(b.Combatant)
	if x == nil || y == nil {
		return 0
	}
	if option(s, optionTies) == "dex" && x.Stats[statDexterity] != y.Stats[statDexterity] {
		return y.Stats[statDexterity] - x.Stats[statDexterity]
	}
	return combat.CompareSettled(x, y)
}

// place is where a slot's combatant stands in the roster.
func place(s *combat.State, slot *combat.Slot) int {
	return slices.IndexFunc(s.Combatants, func(c *combat.Combatant) bool { return c.ID == slot.Combatant })
}

// Enter begins a turn; a lair whose creature cannot act is passed over (5E-22).
func (y System) Enter(d *combat.Draft, slot combat.Slot) {
	if slot.Kind == combat.SlotLair && y.CanAct(d.State(), d.State().Combatant(slot.Combatant)) != "" {
		return
	}
	d.BeginTurn(slot)
}
