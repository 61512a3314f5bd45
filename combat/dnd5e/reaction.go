package dnd5e

import (
	"slices"

	"riposte/combat"
)

// CanReact refuses a reaction: one between two of one's own turns (5E-14), none
// while surprised (5E-03), incapacitated (5E-17) or slowed (5E-13).
func (y System) CanReact(s *combat.State, c *combat.Combatant, kind string) *combat.Refusal {
	if reason := y.CanAct(s, c); reason != "" {
		return combat.Refuse("cannot_react", "reason", reason)
	}
	if s.HasEffect(c.ID, "slowed") {
		return combat.Refuse("cannot_react", "reason", "slowed")
	}
	if slices.Contains(spells, kind) && c.Marks[markBonusSpell] > 0 {
		return combat.Refuse("cannot_react", "reason", "bonus_spell")
	}
	if left, _ := c.Pool(poolReaction); left > 0 {
		return nil
	}
	_, r := y.PayReaction(s, c, &combat.Action{Kind: kind})
	return r
}

// Kinds of reaction that are spells.
var spells = []string{"shield", "counterspell", "hellishRebuke", "castSpell"}

// PayReaction takes the reaction, or one of a hydra's extra ones (5E-13).
func (System) PayReaction(_ *combat.State, c *combat.Combatant, a *combat.Action) ([]combat.Pool, *combat.Refusal) {
	if a.Kind == "opportunityAttack" {
		if extra, _ := c.Pool(poolHydra); extra > 0 {
			return take(c, poolHydra, 1)
		}
	}
	return take(c, poolReaction, 1)
}

// Asks lists who may answer: an opportunity attack before somebody leaves reach
// by its own movement (5E-14b), counterspell while a spell is cast, shield and
// its like when an attack hits, a rebuke once it has hurt (5E-14a).
func (System) Asks(s *combat.State, f *combat.Frame, stage string) []combat.Ask {
	a := f.Action
	actor := s.Combatant(f.Combatant)
	if actor == nil {
		return nil
	}
	var asks []combat.Ask
	switch stage {
	case combat.StageDeclared:
		if a.Kind == combat.ActionMove && a.Mover == "" && actor.Marks[markDisengaged] == 0 {
			for _, id := range a.Leaves {
				if foe := s.Combatant(id); foe == nil || foe.Side == actor.Side {
					continue
				}
				asks = append(asks, combat.Ask{Combatant: id, Kind: "opportunityAttack"})
			}
		}
		for _, id := range a.Provokes {
			asks = append(asks, combat.Ask{Combatant: id, Kind: "other"})
		}
		for _, c := range s.Combatants {
			if c.Side == actor.Side {
				continue
			}
			if (a.Kind == "castSpell" || a.Kind == "counterspell") && slices.Contains(c.Answers, "counterspell") {
				asks = append(asks, combat.Ask{Combatant: c.ID, Kind: "counterspell"})
			}
			if a.Attack != nil && slices.Contains(c.Answers, "protection") && !slices.Contains(a.Targets, c.ID) {
				asks = append(asks, combat.Ask{Combatant: c.ID, Kind: "protection"})
			}
		}
	case combat.StageHit:
		asks = answersOf(s, a, asks, "shield", "parry", "uncannyDodge")
	case combat.StageDone:
		if a.Attack != nil {
			asks = answersOf(s, a, asks, "hellishRebuke")
		}
	}
	return asks
}

// answersOf adds the targets that were hit and own one of these reactions.
func answersOf(s *combat.State, a *combat.Action, asks []combat.Ask, kinds ...string) []combat.Ask {
	for _, id := range a.Targets {
		target := s.Combatant(id)
		if target == nil || !strikes(s, a, target) {
			continue
		}
		for _, kind := range kinds {
			if slices.Contains(target.Answers, kind) {
				asks = append(asks, combat.Ask{Combatant: id, Kind: kind})
			}
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

// Judge hits from the armour class up; a 20 on the die always does, a 1 never.
func (System) Judge(s *combat.State, target *combat.Combatant, die, total int) (hit, critical bool) {
	switch die {
	case 20:
		return true, true
	case 1:
		return false, false
	}
	return total >= s.CurrentAC(target), false
}

// Perform does what an action does to turn order, budgets and other actions
// (5E-11, 5E-14a).
func (y System) Perform(d *combat.Draft, f *combat.Frame, a *combat.Action) {
	s := d.State()
	c := s.Combatant(f.Combatant)
	next := func(id combat.ID) combat.Anchor {
		return combat.TurnAnchor(d.State(), &combat.Until{At: combat.AtTurnStart, Of: c.ID}, c.ID, id)
	}
	switch a.Kind {
	case "dash":
		for _, p := range c.Pools {
			if p.Name == poolMovement {
				p.Left += speed(s, c)
				p.Max += speed(s, c)
				d.Emit(combat.PoolsSet{Combatant: c.ID, Pools: []combat.Pool{p}})
			}
		}
	case "disengage":
		d.Marks(c.ID, map[string]int{markDisengaged: 1})
	case "dodge":
		d.AddEffect(combat.Effect{Name: "dodging", Target: c.ID, Source: c.ID, Ends: next(c.ID)})
	case "help":
		for _, id := range a.Targets {
			if s.Combatant(id) != nil {
				d.AddEffect(combat.Effect{Name: "helped", Target: id, Source: c.ID, Ends: next(id)})
			}
		}
	case "shield":
		bonus := a.AC
		if bonus == 0 {
			bonus = 5
		}
		d.AddEffect(combat.Effect{Name: "shield", Target: c.ID, Source: c.ID, Ends: next(c.ID), AC: bonus})
	case "counterspell":
		if to := s.Frame(a.To); to != nil && to.Action != nil && (to.Action.Kind == "castSpell" || to.Action.Kind == "counterspell") {
			d.Emit(combat.Staged{Frame: to.ID, Stage: combat.StageCountered})
		}
	default:
		soften(d, a)
	}
}

// soften is a reaction that blunts the very attack it answers: a bonus to
// armour class against it alone, or half its damage.
func soften(d *combat.Draft, a *combat.Action) {
	to := d.State().Frame(a.To)
	if to == nil || to.Action == nil || to.Action.Roll == nil || to.Action.Stage != combat.StageHit {
		return
	}
	roll := *to.Action.Roll
	switch {
	case a.Kind == "uncannyDodge":
		roll.Damage /= 2
	case a.AC != 0 && roll.Total != nil:
		total := *roll.Total - a.AC
		roll.Total = &total
	default:
		return
	}
	d.Emit(combat.Staged{Frame: to.ID, Stage: combat.StageHit, Roll: &roll})
}
