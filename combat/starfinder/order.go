package starfinder

import (
	"riposte/combat"
)

// Together is the group, where identical creatures share one check (SF-07).
func (System) Together(s *combat.State, c *combat.Combatant) string {
	if c.Group == "" || option(s, optionGroup) != "identical" {
		return ""
	}
	return c.Group
}

// TiesWait reports whether the tied players choose (SF-03).
func (System) TiesWait(s *combat.State) bool { return option(s, optionTies) == "yes" }

// Slots gives one turn at the initiative count, and none to the surprised in the
// surprise round (SF-06, SF-12).
func (System) Slots(_ *combat.State, c *combat.Combatant, round int) []combat.Slot {
	if c.Init == nil || round == 0 && c.Surprised {
		return nil
	}
	return []combat.Slot{{Kind: combat.SlotTurn, Combatant: c.ID, Count: *c.Init}}
}

// Compare lets the higher modifier act first, then the roll-off decides
// (SF-03). Players who choose come before both; dice are for when they do not.
// A place that delay, ready or the GM made stays as it is.
func (System) Compare(s *combat.State, a, b *combat.Slot) int {
	x, y := s.Combatant(a.Combatant), s.Combatant(b.Combatant)
	switch {
	case x == nil || y == nil || a.Moved || b.Moved:
		return -1
	case x.Rank > 0 && y.Rank > 0 && x.Rank != y.Rank:
		return x.Rank - y.Rank
	case option(s, optionTies) == "yes" && (len(x.Rolls) == 0 || len(y.Rolls) == 0):
		return 0
	case x.Mod != y.Mod:
		return y.Mod - x.Mod
	}
	return combat.CompareSettled(x, y)
}

// indexOf returns where a slot stands in an order, or -1.
func indexOf(order []combat.Slot, id combat.ID) int {
	for i := range order {
		if order[i].ID == id {
			return i
		}
	}
	return -1
}
