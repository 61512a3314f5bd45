package starfinder

import (
	"slices"

	"riposte/combat"
)

// Begin plays a surprise round first if some but not all know of their enemies
// (SF-01, SF-12): only those roll, and only those act.
func (y System) Begin(d *combat.Draft) {
	aware := func(c *combat.Combatant) bool { return c.Fights() && !c.Surprised }
	unaware := func(c *combat.Combatant) bool { return c.Fights() && c.Surprised }
	s := d.State()
	if !slices.ContainsFunc(s.Combatants, aware) || !slices.ContainsFunc(s.Combatants, unaware) {
		d.RollMissing(nil)
		d.MakeOrder(1)
		d.PlayRound(combat.PhaseRounds, 1)
		return
	}
	d.RollMissing(aware)
	d.MakeOrder(0)
	d.PlayRound(combat.PhaseSurprise, 0)
}

// NewRound keeps the order; after the surprise round the others roll and come
// into it (SF-01).
func (System) NewRound(d *combat.Draft, round int) {
	if round == 1 {
		d.RollMissing(nil)
		var late []combat.ID
		for _, c := range d.State().Combatants {
			if d.State().SlotOf(c.ID) == nil {
				late = append(late, c.ID)
			}
		}
		d.Join(late, round)
	}
	d.PlayRound(combat.PhaseRounds, round)
}

// Begun notes that somebody has acted on its turn: from then on it may react
// (SF-14), is surprised no longer (SF-13), and may not delay (SF-15).
func (System) Begun(d *combat.Draft, f *combat.Frame, a *combat.Action) {
	if f.Kind == combat.FrameTurn && (a.Kind == combat.ActionMove || spec(a.Kind).Pool != "" || a.Kind == kindReady) {
		d.Marks(f.Combatant, map[string]int{markBegun: 1, markReturned: 0})
		acted(d, f.Combatant)
	}
}

// acted notes the first time that somebody acts in the fight.
func acted(d *combat.Draft, id combat.ID) {
	if d.State().Combatant(id).Marks[markActed] == 0 {
		d.Marks(id, map[string]int{markActed: 1})
	}
	if d.State().Combatant(id).Surprised {
		d.Emit(combat.SurprisedSet{Combatant: id, Surprised: false})
	}
}
