package lightsandshadows

import (
	"slices"

	"riposte/combat"
)

// NewRound opens the declaration (LS-01). Who has nothing to say is not asked:
// who rests after half an action, who cannot act. Nor is who is hidden, or the
// wait would tell that somebody is there: it attacks with what it has in hand,
// until the GM declares something else for it.
func (y System) NewRound(d *combat.Draft, round int) {
	fallen(d)
	if round > 1 {
		for _, c := range slices.Clone(d.State().Combatants) {
			if c.Surprised {
				d.Emit(combat.SurprisedSet{Combatant: c.ID})
			}
		}
	}
	for _, c := range slices.Clone(d.State().Combatants) {
		if c.Delaying {
			d.Emit(combat.DelaySet{Combatant: c.ID})
		}
	}
	newScores(d, round)
	d.OpenDeclaration(round)
	able := func(c *combat.Combatant) bool { return c.Fights() && y.CanAct(d.State(), c) == "" }
	anybody := slices.ContainsFunc(d.State().Combatants, able)
	for _, c := range slices.Clone(d.State().Combatants) {
		y.ask(d, c.ID, able(c) || !anybody && c.Fights())
	}
}

// ask owes a combatant's declaration, or says at once that there is none.
func (y System) ask(d *combat.Draft, id combat.ID, asked bool) {
	c := d.State().Combatant(id)
	plan := carriedOver(d.State(), c)
	able := y.CanAct(d.State(), c) == ""
	switch {
	case !asked || able && perRound(c) == 0:
		asked = false
	case c.Hidden:
		asked = false
		plan = append(plan, y.habit(d.State(), c)...)
	}
	plan = reckon(d.State(), c, plan)
	if len(plan) > 0 || len(c.Plan) > 0 || c.Declared == asked {
		d.Emit(combat.Planned{Combatant: id, Declared: !asked, Plan: plan})
	}
	if pools := y.Refresh(d.State(), d.State().Combatant(id), "round"); len(pools) > 0 {
		d.Emit(combat.PoolsSet{Combatant: id, Pools: pools, Why: "refresh"})
	}
	if asked {
		d.Owe(combat.Pending{Kind: combat.PendingDeclaration, Combatants: []combat.ID{id}})
	}
}

// habit is what somebody does who has said nothing: attacks with the weapon in
// hand (LS-24).
func (y System) habit(s *combat.State, c *combat.Combatant) []combat.Intent {
	if y.CanAct(s, c) != "" {
		return nil
	}
	var plan []combat.Intent
	for range perRound(c) {
		plan = append(plan, combat.Intent{Kind: attack, Weapon: hand(c)})
	}
	return plan
}

// carried is the head of the plan that is not for its combatant to change.
func carried(c *combat.Combatant) []combat.Intent {
	if len(c.Plan) > 0 && c.Plan[0].Carried {
		return slices.Clone(c.Plan[:1])
	}
	return nil
}

// TimeUp declares for the silent (LS-24).
func (y System) TimeUp(d *combat.Draft) {
	for _, p := range slices.Clone(d.State().Pending) {
		if c := d.State().Combatant(p.Combatants[0]); p.Kind == combat.PendingDeclaration && c.Fights() {
			y.settle(d, c.ID, append(carried(c), y.habit(d.State(), c)...), true)
		}
	}
}

// settle records a plan; said, nothing is owed any more.
func (y System) settle(d *combat.Draft, id combat.ID, plan []combat.Intent, said bool) {
	d.Emit(combat.Planned{Combatant: id, Declared: said, Plan: reckon(d.State(), d.State().Combatant(id), plan)})
	for _, p := range slices.Clone(d.State().Pending) {
		if said && p.Kind == combat.PendingDeclaration && p.Combatants[0] == id {
			d.Emit(combat.PendingClosed{Pending: p.ID})
		}
	}
}

// Declared makes the order of the round: all are in. Counts are reckoned once
// more, for a die that was typed in meanwhile.
func (y System) Declared(d *combat.Draft) {
	for _, c := range slices.Clone(d.State().Combatants) {
		if plan := reckon(d.State(), c, slices.Clone(c.Plan)); !slices.Equal(plan, c.Plan) {
			d.Emit(combat.Planned{Combatant: c.ID, Declared: true, Plan: plan})
		}
	}
	round := d.State().Round
	d.MakeOrder(round)
	d.PlayRound(combat.PhaseRounds, round)
}

// Joined gives somebody who arrives in mid-round a plan: attacks, of which only
// those at the count being played or below it are left (LS-25).
func (y System) Joined(d *combat.Draft, id combat.ID) {
	c := d.State().Combatant(id)
	if c.Init == nil {
		return // it rolls at the start of the next round (LS-21)
	}
	mark(d, id, map[string]int{markSheet: sheetScore(c), markScore: int(scoreNow(c))})
	if d.State().Phase == combat.PhaseDeclaration {
		y.ask(d, id, c.Fights())
		return
	}
	c = d.State().Combatant(id)
	plan := reckon(d.State(), c, y.habit(d.State(), c))
	for i := range plan {
		plan[i].Lost = plan[i].Lost || d.State().Cursor != "" && plan[i].Count > d.State().Count
	}
	d.Emit(combat.Planned{Combatant: id, Declared: true, Plan: plan})
}

// declare says, or drafts, what a combatant will do.
func (y System) declare(d *combat.Draft, cmd combat.Declare) *combat.Refusal {
	c, r := y.mayDeclare(d, cmd.Combatant)
	if r != nil {
		return r
	}
	if cmd.Draft && c.Declared {
		return combat.Refuse("already_declared")
	}
	plan, r := y.plan(d.State(), c, cmd.Actions)
	if r != nil {
		return r
	}
	y.settle(d, c.ID, append(carried(c), plan...), !cmd.Draft)
	return nil
}

// mayDeclare checks what does not hang on the actions.
func (y System) mayDeclare(d *combat.Draft, id combat.ID) (*combat.Combatant, *combat.Refusal) {
	c, r := d.Mine("combatant", id)
	if r != nil {
		return nil, r
	}
	if d.State().Phase != combat.PhaseDeclaration {
		return nil, combat.Refuse("not_declaring", "phase", d.State().Phase)
	}
	if !c.Fights() {
		return nil, combat.Refuse("cannot_act", "reason", combat.Dead)
	}
	return c, nil
}

// plan checks declared actions: kinds, weapons, hastening (LS-18), and the price
// of all (LS-05, LS-11, LS-23).
func (y System) plan(s *combat.State, c *combat.Combatant, declared []combat.Declared) ([]combat.Intent, *combat.Refusal) {
	if len(declared) > combat.MaxPlan-1 {
		return nil, combat.Refuse("too_many", "field", "actions", "limit", combat.MaxPlan-1)
	}
	if reason := y.CanAct(s, c); reason != "" && len(declared) > 0 {
		return nil, combat.Refuse("cannot_act", "reason", reason)
	}
	left, total := perRound(c), 0
	var plan []combat.Intent
	for _, a := range declared {
		n, known := cost(s, a.Kind)
		if !known {
			return nil, combat.Refuse("bad_value", "field", "actions.kind")
		}
		if takesRound(a.Kind) {
			n = max(left, 1)
		}
		total += n
		if a.Kind == attack && a.Weapon == "" {
			a.Weapon = hand(c)
		}
		if a.Weapon != "" && (a.Kind != attack && a.Kind != draw || !slices.Contains(weapons(c), a.Weapon)) {
			return nil, combat.Refuse("bad_value", "field", "actions.weapon")
		}
		if a.Hasten != 0 {
			if option(s, optionHasten) != "on" || a.Kind != attack || a.Hasten < 0 || a.Hasten > 5 {
				return nil, combat.Refuse("bad_value", "field", "actions.hasten")
			}
		}
		plan = append(plan, combat.Intent{Kind: a.Kind, Weapon: a.Weapon, Hasten: a.Hasten})
	}
	if total > left {
		return nil, combat.Refuse("not_enough_budget", "pool", poolActions, "left", left, "cost", total)
	}
	return plan, nil
}

// mayWithdraw checks that a declaration can be taken back: not all are in.
func (y System) mayWithdraw(d *combat.Draft, id combat.ID) (*combat.Combatant, *combat.Refusal) {
	c, r := y.mayDeclare(d, id)
	if r != nil {
		return nil, r
	}
	if !c.Declared || c.Hidden || perRound(c) == 0 || y.CanAct(d.State(), c) != "" {
		return nil, combat.Refuse("not_declared")
	}
	return c, nil
}

// withdraw takes a declaration back; it stays as a draft.
func (y System) withdraw(d *combat.Draft, id combat.ID) *combat.Refusal {
	c, r := y.mayWithdraw(d, id)
	if r != nil {
		return r
	}
	d.Emit(combat.Planned{Combatant: c.ID, Plan: c.Plan})
	d.Owe(combat.Pending{Kind: combat.PendingDeclaration, Combatants: []combat.ID{c.ID}})
	return nil
}
