package starfinder

import (
	"riposte/combat"
)

// Names of the effects that actions put on whoever takes them (SF-10, SF-22).
const (
	effectDefense   = "total defense"        // +4 AC, no attacks of opportunity
	effectDefensive = "fighting defensively" // +2 AC
	effectCharging  = "charging"             // −2 AC
	effectRunning   = "running"              // flat-footed
	effectProne     = "prone"
)

// untilTurn are the effects that last until the start of one's next turn, and
// what they add to AC.
var untilTurn = map[string]combat.Effect{
	"totalDefense":     {Name: effectDefense, AC: 4},
	"fightDefensively": {Name: effectDefensive, AC: 2},
	"charge":           {Name: effectCharging, AC: -2},
	"run":              {Name: effectRunning},
}

// ToHit is the penalty of attacks that trade it for something (SF-10).
func (System) ToHit(_ *combat.State, _ *combat.Frame, a *combat.Action) int {
	switch a.Kind {
	case "fullAttack", "fightDefensively":
		return -4
	case "charge":
		return -2
	}
	return 0
}

// Perform does what an action does to effects, Resolve and other actions.
func (y System) Perform(d *combat.Draft, f *combat.Frame, a *combat.Action) {
	id := f.Combatant
	if e, lasts := untilTurn[a.Kind]; lasts {
		e.Target, e.Source = id, id
		e.Ends = combat.TurnAnchor(d.State(), &combat.Until{At: combat.AtTurnStart, Of: id}, id, id)
		d.EndEffects("replaced", func(old *combat.Effect) bool { return old.Target == id && old.Name == e.Name })
		d.AddEffect(e)
		return
	}
	switch a.Kind {
	case "standUp":
		d.EndEffects("removed", func(e *combat.Effect) bool { return e.Target == id && e.Name == effectProne })
	case "dropProne":
		if !d.State().HasEffect(id, effectProne) {
			d.AddEffect(combat.Effect{Name: effectProne, Target: id, Ends: combat.Anchor{At: combat.AtNever}})
		}
	case kindStabilize, kindStay:
		y.recover(d, id, a.Kind)
	default:
		soften(d, a)
	}
}

// soften is a defensive reaction: a bonus to armour class against the attack it
// answers, and no other (SF-14a).
func soften(d *combat.Draft, a *combat.Action) {
	to := d.State().Frame(a.To)
	if a.AC == 0 || to == nil || to.Action == nil || to.Action.Roll == nil || to.Action.Roll.Total == nil || to.Action.Stage != combat.StageHit {
		return
	}
	roll := *to.Action.Roll
	roll.Cover += a.AC
	d.Emit(combat.Staged{Frame: to.ID, Stage: combat.StageHit, Roll: &roll})
}

// Anchor turns "N rounds" into a count: the effect ends just before the count on
// which it began, whoever is there then (SF-21). With sf.anchor=place, it ends
// where the turn in which it began comes up. Ends that follow a creature's turn
// follow it wherever it goes (SF-22).
func (System) Anchor(s *combat.State, until *combat.Until, source, target combat.ID) combat.Anchor {
	if until == nil || until.At != "rounds" {
		return turnAnchor(s, until, source, target)
	}
	rounds := max(until.Rounds, 1)
	turn := s.Turn()
	switch {
	case !s.InFight(): // the fight has still to begin: whole rounds of it
		return combat.Anchor{At: combat.AtRoundEnd, Round: rounds}
	case turn != nil && option(s, optionAnchor) == "place":
		return combat.Anchor{At: combat.AtTurnStart, Of: turn.Combatant, Round: s.Round + rounds}
	}
	count := s.Count
	anchor := combat.Anchor{At: combat.AtCount, Count: &count, Round: s.Round + rounds}
	if turn != nil {
		anchor.Of = turn.Combatant
	}
	return anchor
}

// turnAnchor is combat.TurnAnchor, save that the turn of a delayer is not behind
// it: it may still come in this round (SF-20).
func turnAnchor(s *combat.State, until *combat.Until, source, target combat.ID) combat.Anchor {
	anchor := combat.TurnAnchor(s, until, source, target)
	c := s.Combatant(anchor.Of)
	if anchor.At == combat.AtTurnEnd && c != nil && s.SlotOf(c.ID) != nil && s.SlotOf(c.ID).Done && (c.Delaying || c.Marks[markWaits] == s.Round+1) {
		anchor.Round--
	}
	return anchor
}
