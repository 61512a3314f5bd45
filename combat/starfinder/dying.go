package starfinder

import (
	"slices"

	"riposte/combat"
)

// Soak takes Stamina Points before hit points (SF-23).
func (System) Soak(d *combat.Draft, id combat.ID, amount int) int {
	c := d.State().Combatant(id)
	p := full(poolStamina, c.Stats[statStamina])
	for _, has := range c.Pools {
		if has.Name == poolStamina {
			p = has
		}
	}
	taken := min(p.Left, amount)
	if taken > 0 {
		p.Left -= taken
		d.Emit(combat.PoolsSet{Combatant: id, Pools: []combat.Pool{p}})
	}
	return amount - taken
}

// Hurt follows damage: a caster hit in the middle of casting loses the spell
// (SF-14b); at 0 HP a creature falls, and one that lies there loses Resolve
// (SF-23).
func (y System) Hurt(d *combat.Draft, id combat.ID, hit combat.Hit, _ int) {
	for _, f := range slices.Clone(d.State().Stack) {
		if f.Combatant == id && f.Before() && f.Action.Kind == "castSpell" {
			d.Emit(combat.Staged{Frame: f.ID, Stage: combat.StageCountered})
		}
	}
	c := d.State().Combatant(id)
	switch {
	case c.MaxHP == 0 || c.Life == combat.Dead || hit.Over == 0 && c.HP > 0:
	case c.Life == combat.Stable && hit.Over > 0:
		d.SetLife(id, combat.Dying, 0)
	case c.Life == combat.Dying:
		if round := d.State().Round + 1; hit.Over > 0 && c.Marks[markHurt] != round {
			d.Marks(id, map[string]int{markHurt: round})
			bleed(d, id)
		}
	case c.Life == combat.Up && c.HP == 0:
		fall(d, id)
	}
}

// fall brings somebody to 0 HP. Monsters die; others lie unconscious and dying
// (SF-23).
func fall(d *combat.Draft, id combat.ID) {
	s := d.State()
	c := s.Combatant(id)
	if c.Kind == "npc" && option(s, optionNPCs) == "yes" {
		d.SetLife(id, combat.Dead, 0)
	} else {
		d.SetLife(id, combat.Dying, 0)
		marks := map[string]int{markChoice: 0}
		if turn := s.Turn(); turn != nil && turn.Combatant == id && turn.Step != combat.StepEnd {
			marks[markFell] = 1
		}
		if left, tracked := c.Pool(poolResolve); tracked && left == 0 {
			marks[markBroke] = s.Round + 1
		}
		d.Marks(id, marks)
	}
	d.LoseConcentration(id)
	if c := d.State().Combatant(id); c.Delaying {
		d.Emit(combat.DelaySet{Combatant: id})
		d.LoseTurn(id, c.Marks[markDelayed]-1)
	}
}

// bleed takes one Resolve Point from somebody dying; without one it dies
// (SF-23). Where Resolve is not tracked, the table knows.
func bleed(d *combat.Draft, id combat.ID) {
	for _, p := range d.State().Combatant(id).Pools {
		switch {
		case p.Name != poolResolve:
		case p.Left == 0:
			d.SetLife(id, combat.Dead, 0)
		default:
			p.Left--
			d.Emit(combat.PoolsSet{Combatant: id, Pools: []combat.Pool{p}})
		}
	}
}

// bleedAtTurnEnd is the loss at the end of each turn of somebody dying: not of
// the turn in which it fell, and with no Resolve at all not in the round in
// which it fell either (SF-23).
func bleedAtTurnEnd(d *combat.Draft, id combat.ID) {
	c := d.State().Combatant(id)
	if c.Life != combat.Dying || c.Marks[markFell] > 0 || c.Marks[markBroke] == d.State().Round+1 {
		return
	}
	bleed(d, id)
}

// payRecovery takes the Resolve that a way out of dying costs (SF-24).
func payRecovery(c *combat.Combatant, kind string) ([]combat.Pool, *combat.Refusal) {
	fits := map[string]string{kindStabilize: combat.Dying, kindStay: combat.Stable}
	if c.Life != fits[kind] || c.Marks[markChoice] == 0 {
		return nil, combat.Refuse("cannot_act", "reason", c.Life)
	}
	for _, p := range c.Pools {
		if p.Name == poolResolve && p.Left >= price(c, kind) {
			p.Left -= price(c, kind)
			return []combat.Pool{p}, nil
		}
	}
	left, _ := c.Pool(poolResolve)
	return nil, combat.Refuse("not_enough_budget", "pool", poolResolve, "left", left, "cost", price(c, kind))
}

// price is in Resolve Points: a quarter of the maximum, 1 to 3, to be stable; 1
// to get up.
func price(c *combat.Combatant, kind string) int {
	if kind == kindStay {
		return 1
	}
	return min(max(c.Stats[statResolve]/4, 1), 3)
}

// offerRecovery lets somebody at 0 HP spend Resolve in its turn: dying, or
// stable since an earlier turn; not twice in a round (SF-24).
func offerRecovery(d *combat.Draft, c *combat.Combatant) {
	kind := map[string]string{combat.Dying: kindStabilize, combat.Stable: kindStay}[c.Life]
	left, tracked := c.Pool(poolResolve)
	if kind == "" || !tracked || left < price(c, kind) || c.Marks[markStabilized] == d.State().Round+1 {
		return
	}
	d.Marks(c.ID, map[string]int{markChoice: 1})
}

// recover is what the Resolve buys (SF-24): to be stable, or to be up with 1 HP
// and the whole turn to play.
func (y System) recover(d *combat.Draft, id combat.ID, kind string) {
	d.Marks(id, map[string]int{markChoice: 0, markStabilized: d.State().Round + 1, markBroke: 0})
	if kind == kindStabilize {
		d.SetLife(id, combat.Stable, 0)
		return
	}
	hp := 1
	d.Emit(combat.Healed{Combatant: id, Amount: 1, HP: &hp})
	y.Healed(d, id)
	y.wholeTurn(d, id)
}

// wholeTurn gives somebody who is up again in its own turn that turn to play.
func (y System) wholeTurn(d *combat.Draft, id combat.ID) {
	c := d.State().Combatant(id)
	d.Emit(combat.PoolsSet{Combatant: id, Pools: y.turnPools(d.State(), c)[:4], Why: "refresh"})
}

// Healed puts somebody back on its feet (SF-24); in its own turn, as long as it
// could have spent Resolve in it, with that turn to play.
func (y System) Healed(d *combat.Draft, id combat.ID) {
	c := d.State().Combatant(id)
	chose := c.Marks[markChoice] > 0
	d.SetLife(id, combat.Up, c.HP)
	d.Marks(id, map[string]int{markChoice: 0, markBroke: 0})
	d.EndEffects("gone", func(e *combat.Effect) bool { return e.Target == id && e.Name == combat.Stable })
	if chose {
		y.wholeTurn(d, id)
	}
}

// Outlasts keeps the Stamina and Resolve that are left: rest gives them back,
// the end of a fight does not.
func (System) Outlasts(c *combat.Combatant) ([]combat.Pool, map[string]int) {
	var pools []combat.Pool
	for _, p := range c.Pools {
		if p.Name == poolStamina || p.Name == poolResolve {
			pools = append(pools, p)
		}
	}
	return pools, nil
}

// EffectChanged lets an effect of that name stop the dying.
func (System) EffectChanged(d *combat.Draft, e *combat.Effect, added bool) {
	switch {
	case added && e.Name == combat.Stable && d.State().Combatant(e.Target).Life == combat.Dying:
		d.SetLife(e.Target, combat.Stable, 0)
		d.Marks(e.Target, map[string]int{markChoice: 0})
	case added && slices.Contains(incapacitating, e.Name):
		d.LoseConcentration(e.Target)
	}
}
