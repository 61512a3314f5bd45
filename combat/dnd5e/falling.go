package dnd5e

import (
	"slices"

	"riposte/combat"
)

// Hurt follows damage: falling and dying (5E-18), concentration (5E-19).
func (y System) Hurt(d *combat.Draft, id combat.ID, hit combat.Hit, before int) {
	c := d.State().Combatant(id)
	switch {
	case c.Life == combat.Dead || c.MaxHP == 0:
	case before == 0 && c.Life != combat.Up:
		if hit.Amount >= d.State().CurrentMaxHP(c) {
			d.SetLife(id, combat.Dead, 0)
			return
		}
		failures := 1
		if hit.Critical || hit.Melee {
			failures = 2
		}
		if c.Life == combat.Stable {
			d.SetLife(id, combat.Dying, 0)
		}
		y.fail(d, id, failures)
	case c.HP == 0:
		y.fall(d, id, hit.Over)
	case d.State().Concentrates(id):
		y.oweConcentration(d, combat.Pending{Kind: "concentration", Combatants: []combat.ID{id}, DC: max(10, hit.Amount/2), Ability: "con", Source: hit.Source})
	}
}

// oweConcentration asks for a save for each hit (5E-19); of very many, those with
// the highest difficulty.
func (System) oweConcentration(d *combat.Draft, owed combat.Pending) {
	const most = 10
	var lowest *combat.Pending
	n := 0
	for _, p := range d.State().Pending {
		if p.Kind == owed.Kind && p.Combatants[0] == owed.Combatants[0] {
			if n++; lowest == nil || p.DC < lowest.DC {
				lowest = p
			}
		}
	}
	if n >= most {
		if lowest.DC >= owed.DC {
			return
		}
		d.Emit(combat.PendingClosed{Pending: lowest.ID})
	}
	d.Owe(owed)
}

// fall brings somebody to 0 HP. Monsters die, and so does whoever is hurt for
// its whole maximum more; others are dying, unconscious and prone.
func (System) fall(d *combat.Draft, id combat.ID, over int) {
	s := d.State()
	c := s.Combatant(id)
	dies := c.Kind == "npc" && option(s, optionMonsters) == "yes" && c.Stats[statDeathSaves] == 0
	if dies || over >= s.CurrentMaxHP(c) {
		d.SetLife(id, combat.Dead, 0)
	} else {
		d.SetLife(id, combat.Dying, 0)
		if !d.State().HasEffect(id, "prone") {
			d.AddEffect(combat.Effect{Name: "prone", Target: id, Ends: combat.Anchor{At: combat.AtNever}})
		}
	}
	incapacitate(d, id)
}

// incapacitate ends at once what needs a clear head: concentration, dodging, a
// readied action (5E-17).
func incapacitate(d *combat.Draft, id combat.ID) {
	d.LoseConcentration(id)
	d.EndEffects("gone", func(e *combat.Effect) bool { return e.Target == id && e.Name == "dodging" })
}

// fail adds failed death saves; the third is death.
func (System) fail(d *combat.Draft, id combat.ID, n int) {
	failures := min(d.State().Combatant(id).Marks[markFailure]+n, 3)
	d.Marks(id, map[string]int{markFailure: failures})
	if failures >= 3 {
		d.SetLife(id, combat.Dead, 0)
	}
}

// Healed puts somebody back on its feet and clears the marks (5E-18).
func (y System) Healed(d *combat.Draft, id combat.ID) {
	d.SetLife(id, combat.Up, d.State().Combatant(id).HP)
	d.Marks(id, map[string]int{markSuccess: 0, markFailure: 0})
	d.EndEffects("gone", func(e *combat.Effect) bool { return e.Target == id && e.Name == combat.Stable })
	for _, p := range slices.Clone(d.State().Pending) {
		if p.Kind == "death" && p.Combatants[0] == id {
			d.Emit(combat.PendingClosed{Pending: p.ID})
		}
	}
	// In the middle of its own turn it has that turn to play.
	if f := d.State().Turn(); f != nil && f.Combatant == id && f.Kind == combat.FrameTurn && f.Step == combat.StepStart {
		if pools := y.Refresh(d.State(), d.State().Combatant(id), "turn"); len(pools) > 0 {
			d.Emit(combat.PoolsSet{Combatant: id, Pools: pools, Why: "refresh"})
		}
	}
}

// DeathSaves counts the marks that decide between life and death (5E-18).
func (System) DeathSaves(c *combat.Combatant) *combat.DeathSavesView {
	if c.Life != combat.Dying && c.Marks[markSuccess]+c.Marks[markFailure] == 0 {
		return nil
	}
	return &combat.DeathSavesView{Successes: c.Marks[markSuccess], Failures: c.Marks[markFailure]}
}

// Outlasts keeps the death saves of one who still lies dying (5E-18).
func (System) Outlasts(c *combat.Combatant) ([]combat.Pool, map[string]int) {
	marks := map[string]int{}
	for _, name := range []string{markSuccess, markFailure} {
		if n := c.Marks[name]; n > 0 && c.Life == combat.Dying {
			marks[name] = n
		}
	}
	return nil, marks
}

// Resolve answers a death save (5E-18).
func (y System) Resolve(d *combat.Draft, p *combat.Pending, die int) *combat.Refusal {
	if p.Kind != "death" {
		return y.Base.Resolve(d, p, die)
	}
	id := p.Combatants[0]
	d.Emit(combat.Saved{Combatant: id, Kind: p.Kind, Die: die, Total: die, DC: 10, Success: die >= 10})
	switch {
	case die == 20:
		one := 1
		d.Emit(combat.Healed{Combatant: id, Amount: 1, HP: &one})
		y.Healed(d, id)
	case die == 1:
		y.fail(d, id, 2)
	case die >= 10:
		successes := d.State().Combatant(id).Marks[markSuccess] + 1
		d.Marks(id, map[string]int{markSuccess: successes})
		if successes >= 3 {
			d.SetLife(id, combat.Stable, 0)
			d.Marks(id, map[string]int{markSuccess: 0, markFailure: 0})
		}
	default:
		y.fail(d, id, 1)
	}
	return nil
}

// EffectChanged keeps the ties between conditions: incapacity ends
// concentration and dodging (5E-17), no speed ends dodging (5E-11), a held spell
// goes with the concentration that held it (5E-16).
func (System) EffectChanged(d *combat.Draft, e *combat.Effect, added bool) {
	changeSpeed(d, e, added)
	switch {
	case added && slices.Contains(incapacitating, e.Name):
		incapacitate(d, e.Target)
	case added && slices.Contains(immobilizing, e.Name):
		d.EndEffects("gone", func(x *combat.Effect) bool { return x.Target == e.Target && x.Name == "dodging" })
	case added && e.Name == combat.Stable && d.State().Combatant(e.Target).Life == combat.Dying:
		d.SetLife(e.Target, combat.Stable, 0)
		d.Marks(e.Target, map[string]int{markSuccess: 0, markFailure: 0})
	case !added && e.Name == heldSpell:
		if c := d.State().Combatant(e.Target); c.Readied != nil && c.Readied.Spell {
			d.Emit(combat.ReadySet{Combatant: c.ID, Why: "lost"})
		}
	}
}
