package starfinder

import (
	"slices"

	"riposte/combat"
)

// CanReact refuses a reaction: one between two of one's own turns, none before
// one has acted, flat-footed or staggered (SF-14). A readied action is no
// reaction: whoever is able may take it (SF-17).
func (y System) CanReact(s *combat.State, c *combat.Combatant, kind string) *combat.Refusal {
	reason := y.Base.CanAct(s, c)
	if reason == "" && s.HasEffect(c.ID, incapacitating...) {
		reason = "incapacitated"
	}
	if reason == "" && kind == kindReadied {
		return nil
	}
	switch {
	case reason != "":
	case c.Surprised:
		reason = "surprised"
	case flatFooted(s, c):
		reason = "flat_footed"
	case c.Marks[markActed] == 0:
		reason = "not_acted_yet"
	case s.HasEffect(c.ID, "staggered"):
		reason = "staggered"
	case s.HasEffect(c.ID, "nauseated"):
		reason = "nauseated"
	case kind == kindOpportunity && s.HasEffect(c.ID, effectDefense):
		reason = "total_defense" // SF-14b
	}
	if reason != "" {
		return combat.Refuse("cannot_react", "reason", reason)
	}
	_, r := y.PayReaction(s, c, nil)
	return r
}

// PayReaction takes the reaction.
func (System) PayReaction(_ *combat.State, c *combat.Combatant, _ *combat.Action) ([]combat.Pool, *combat.Refusal) {
	for _, p := range c.Pools {
		if p.Name == poolReaction && p.Left > 0 {
			p.Left--
			return []combat.Pool{p}, nil
		}
	}
	return nil, combat.Refuse("no_reaction", "pool", poolReaction, "left", 0, "cost", 1)
}

// Asks lists who may answer: an attack of opportunity before whatever provokes
// it (SF-14b), a defensive reaction when an attack hits, any other once it has
// been made (SF-14a); a readied action on the side of its trigger that it
// belongs to (SF-17).
func (System) Asks(s *combat.State, f *combat.Frame, stage string) []combat.Ask {
	a, actor := f.Action, s.Combatant(f.Combatant)
	if a.Mover != "" {
		actor = s.Combatant(a.Mover)
	}
	if actor == nil {
		return nil
	}
	var asks []combat.Ask
	ask := func(c *combat.Combatant, kind string) { asks = append(asks, combat.Ask{Combatant: c.ID, Kind: kind}) }
	switch stage {
	case combat.StageDeclared:
		if a.Kind != "guardedStep" {
			for _, id := range slices.Concat(a.Leaves, a.Provokes) {
				if foe := s.Combatant(id); foe != nil && foe.Side != actor.Side {
					ask(foe, kindOpportunity)
				}
			}
		}
	case combat.StageHit:
		for _, c := range s.Combatants {
			if slices.Contains(c.Answers, kindDefend) && slices.ContainsFunc(a.Targets, func(id combat.ID) bool {
				target := s.Combatant(id)
				return target != nil && target.Side == c.Side && strikes(s, a, target)
			}) {
				ask(c, kindDefend)
			}
		}
	case combat.StageDone:
		for _, id := range a.Targets {
			if target := s.Combatant(id); a.Attack != nil && target != nil && slices.Contains(target.Answers, kindRetaliate) {
				ask(target, kindRetaliate)
			}
		}
	}
	for _, c := range s.Combatants {
		if c.Readied != nil && c.ID != actor.ID && (c.Readied.Action.Defensive && stage == combat.StageDeclared ||
			!c.Readied.Action.Defensive && stage == combat.StageDone) {
			ask(c, kindReadied)
		}
	}
	return asks
}

// strikes reports whether an attack roll hits as things stand.
func strikes(s *combat.State, a *combat.Action, target *combat.Combatant) bool {
	switch {
	case a.Roll == nil:
		return false
	case a.Roll.Hit != nil:
		return *a.Roll.Hit
	}
	hit, _ := System{}.Judge(s, target, a.Roll.Die, a.Roll.Against())
	return hit
}

// Judge hits from the armour class up. A 20 on the die always hits, and is
// critical if the total would hit too; a 1 never does.
func (y System) Judge(s *combat.State, target *combat.Combatant, die, total int) (hit, critical bool) {
	ac := s.CurrentAC(target) + y.AC(s, target)
	switch die {
	case 20:
		return true, total >= ac
	case 1:
		return false, false
	}
	return total >= ac, false
}
