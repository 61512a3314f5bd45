package lightsandshadows

import (
	"slices"

	"riposte/combat"
)

// pendingFaint is the kind of decision of who may faint (LS-14).
const pendingFaint = "faint"

// unconscious is the effect of having fainted.
const unconscious = "unconscious"

// Conditions in which nothing can be done, defences included.
var incapacitating = []string{unconscious, "incapacitated", "paralyzed", "petrified", "stunned"}

// A minute is ten rounds (LS-14).
const roundsPerMinute = 10

// CanAct is why a slot is empty.
func (y System) CanAct(s *combat.State, c *combat.Combatant) string {
	if reason := y.Base.CanAct(s, c); reason != "" {
		return reason
	}
	if s.HasEffect(c.ID, incapacitating...) {
		return "incapacitated"
	}
	return ""
}

// weakness is how many hit points somebody on its feet is under the fainting
// threshold.
func weakness(c *combat.Combatant) int {
	if c.MaxHP == 0 || c.HP == 0 {
		return 0
	}
	return max(c.Stats[statFaint]-c.HP, 0)
}

// Hurt follows damage: death at 0 hit points, perhaps fainting before that
// (LS-14). Where blows of one count are simultaneous, who has its own still to
// strike falls after it (LS-15).
func (y System) Hurt(d *combat.Draft, id combat.ID, _ combat.Hit, _ int) {
	c := d.State().Combatant(id)
	if c.Life == combat.Dead || c.HP > 0 && weakness(c) == 0 {
		return
	}
	if falls(d.State(), id) {
		mark(d, id, map[string]int{markFalls: 1})
		return
	}
	fall(d, id)
}

// fall lets somebody die, or asks whether it faints.
func fall(d *combat.Draft, id combat.ID) {
	s := d.State()
	c := s.Combatant(id)
	for _, p := range slices.Clone(s.Pending) {
		if p.Kind == pendingFaint && p.Combatants[0] == id {
			d.Emit(combat.PendingClosed{Pending: p.ID})
		}
	}
	switch {
	case c.MaxHP > 0 && c.HP == 0:
		d.SetLife(id, combat.Dead, 0)
	case weakness(c) > 0 && !s.HasEffect(id, unconscious):
		owed := combat.Pending{Kind: pendingFaint, Combatants: []combat.ID{id}, DC: c.HP, ByHP: true}
		if turn := s.Turn(); turn != nil {
			owed.Frame = turn.ID
		}
		d.Owe(owed)
	}
	showPenalty(d, id)
}

// Resolve decides whether somebody faints: a d20 above its hit points puts it
// out for as many minutes as it missed by (LS-14).
func (y System) Resolve(d *combat.Draft, p *combat.Pending, die int) *combat.Refusal {
	if p.Kind != pendingFaint {
		return y.Base.Resolve(d, p, die)
	}
	id := p.Combatants[0]
	c := d.State().Combatant(id)
	d.Emit(combat.Saved{Combatant: id, Kind: pendingFaint, Die: die, Total: die, DC: c.HP, ByHP: true, Success: die <= c.HP})
	if die > c.HP {
		d.AddEffect(combat.Effect{Name: unconscious, Target: id, Ends: after(d.State(), (die-c.HP)*roundsPerMinute)})
	}
	return nil
}

// after is the moment so many rounds from now: the same count. In a declaration
// nothing has a count yet, and they end with a round.
func after(s *combat.State, rounds int) combat.Anchor {
	if s.Phase != combat.PhaseRounds {
		return combat.Anchor{At: combat.AtRoundEnd, Round: max(s.Round, 1) + rounds - 1}
	}
	count := s.Count
	anchor := combat.Anchor{At: combat.AtCount, Count: &count, Round: s.Round + rounds}
	if turn := s.Turn(); turn != nil {
		anchor.Of = turn.Combatant
	}
	return anchor
}

// Anchor turns what people say about an end into a place. Rounds run from count
// to count. "Until the start of its next turn" is the next slot that it has,
// in this round or a later one.
func (System) Anchor(s *combat.State, until *combat.Until, source, target combat.ID) combat.Anchor {
	anchor := combat.TurnAnchor(s, until, source, target)
	switch {
	case until != nil && until.At == "rounds":
		return after(s, max(until.Rounds, 1))
	case anchor.At != combat.AtTurnStart && anchor.At != combat.AtTurnEnd || s.Phase != combat.PhaseRounds:
		return anchor
	}
	anchor.Round = s.Round + max(until.Rounds, 1) - 1
	if !slices.ContainsFunc(s.Order, func(slot combat.Slot) bool { return slot.Combatant == anchor.Of && open(s, slot) }) {
		anchor.Round++
	}
	return anchor
}
