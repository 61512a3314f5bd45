package dnd5e

import (
	"riposte/combat"
)

// heldSpell is the effect by which a readied spell is held (5E-16).
const heldSpell = "readied spell"

// Do answers ready, release, legendary and lair actions. There is no delay
// (5E-04).
func (y System) Do(d *combat.Draft, command combat.Command) *combat.Refusal {
	switch cmd := command.(type) {
	case combat.Ready:
		return y.ready(d, cmd)
	case combat.Release:
		return y.release(d, cmd)
	case combat.LegendaryAction:
		return y.legendary(d, cmd)
	case combat.LairAction:
		return y.lair(d, cmd)
	}
	return y.Base.Do(d, command)
}

// mayReady checks everything about Ready but what is typed.
func (y System) mayReady(d *combat.Draft, c *combat.Combatant, frame combat.ID) (*combat.Frame, []combat.Pool, *combat.Refusal) {
	f, r := d.ActingFrame(c, frame)
	if r != nil {
		return nil, nil, r
	}
	if f.Kind != combat.FrameTurn || f.Step != combat.StepAct {
		return nil, nil, combat.Refuse("not_acting")
	}
	if reason := y.CanAct(d.State(), c); reason != "" {
		return nil, nil, combat.Refuse("cannot_act", "reason", reason)
	}
	paid, r := take(c, poolAction, 1)
	return f, paid, r
}

// ready takes the action and waits for a trigger (5E-15); a spell is cast at
// once and held by concentration (5E-16).
func (y System) ready(d *combat.Draft, cmd combat.Ready) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if cmd.Kind != combat.ActionMove && !spec(cmd.Kind).Ready {
		return combat.Refuse("bad_value", "field", "kind")
	}
	if r := d.CheckReady(cmd); r != nil {
		return r
	}
	spell := cmd.Kind == "castSpell"
	if cmd.Cost != "" && cmd.Cost != poolAction {
		return combat.Refuse("bad_value", "field", "cost")
	}
	f, paid, r := y.mayReady(d, c, cmd.Frame)
	if r != nil {
		return r
	}
	if spell && c.Marks[markBonusSpell] > 0 {
		return combat.Refuse("cannot_act", "reason", "bonus_spell")
	}
	d.Emit(combat.Acted{Frame: f.ID, Combatant: c.ID, Action: combat.Action{Kind: combat.ActionReady, Name: cmd.Name, Paid: paid}})
	if spell {
		d.LoseConcentration(c.ID)
		d.AddEffect(combat.Effect{Name: heldSpell, Target: c.ID, Source: c.ID, Concentration: true, Ends: combat.Anchor{At: combat.AtNever}})
		d.Marks(c.ID, map[string]int{markSpell: 1})
	}
	d.Emit(combat.ReadySet{Combatant: c.ID, Readied: &combat.Readied{Trigger: cmd.Trigger, Round: d.State().Round, Spell: spell,
		Action: combat.Action{Kind: cmd.Kind, Name: cmd.Name, Targets: cmd.Targets, Level: cmd.Level, Defensive: cmd.Defensive}}})
	return nil
}

// release spends the reaction and does what was readied (5E-15).
func (y System) release(d *combat.Draft, cmd combat.Release) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if c.Readied == nil {
		return combat.Refuse("nothing_readied")
	}
	if r := d.CheckRelease(cmd); r != nil {
		return r
	}
	paid, r := y.mayRelease(d, c, cmd.Window)
	if r != nil {
		return r
	}
	readied := *c.Readied
	action := readied.Action
	action.Paid, action.Attack = paid, cmd.Attack
	if len(cmd.Targets) > 0 {
		action.Targets = cmd.Targets
	}
	trigger := combat.Trigger{Text: readied.Trigger}
	if f := d.State().Acting(); f != nil {
		action.To = f.ID
		trigger.Frame, trigger.Combatant = f.ID, f.Combatant
	}
	d.Emit(combat.ReadySet{Combatant: c.ID, Why: "released"})
	dropHeldSpell(d, c.ID)
	d.Respond(combat.FrameReadied, c.ID, trigger, action, cmd.Done, false)
	return nil
}

func (y System) mayRelease(d *combat.Draft, c *combat.Combatant, window combat.ID) ([]combat.Pool, *combat.Refusal) {
	if r := d.CheckRespond(c, window); r != nil {
		return nil, r
	}
	if r := y.CanReact(d.State(), c, "readied"); r != nil {
		return nil, r
	}
	return take(c, poolReaction, 1)
}

// dropHeldSpell ends the concentration that held a readied spell.
func dropHeldSpell(d *combat.Draft, id combat.ID) {
	d.EndEffects("removed", func(e *combat.Effect) bool { return e.Target == id && e.Name == heldSpell })
}

// legendary acts at the end of another creature's turn, which is while the next
// turn is still untouched (5E-21).
func (y System) legendary(d *combat.Draft, cmd combat.LegendaryAction) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	cost := max(cmd.Cost, 1)
	if cmd.Cost < 0 || cost > 3 {
		return combat.Refuse("bad_value", "field", "cost", "min", 1, "max", 3)
	}
	if r := d.CheckLegendary(cmd); r != nil {
		return r
	}
	paid, marks, r := y.mayLegendary(d, c, cost)
	if r != nil {
		return r
	}
	turn := d.State().Turn()
	action := combat.Action{Kind: "legendaryAction", Name: cmd.Name, Targets: cmd.Targets, Attack: cmd.Attack, Paid: paid, To: turn.ID}
	d.Marks(c.ID, marks)
	d.Respond(combat.FrameLegendary, c.ID, combat.Trigger{Frame: turn.ID, Combatant: turn.Combatant, Kind: "turnEnd"}, action, cmd.Done, false)
	return nil
}

func (y System) mayLegendary(d *combat.Draft, c *combat.Combatant, cost int) ([]combat.Pool, map[string]int, *combat.Refusal) {
	s := d.State()
	if c.Stats[statLegendary] == 0 {
		return nil, nil, combat.Refuse("cannot_react", "reason", "not_legendary")
	}
	if r := d.CheckRespond(c, ""); r != nil {
		return nil, nil, r
	}
	if reason := y.CanAct(s, c); reason != "" {
		return nil, nil, combat.Refuse("cannot_react", "reason", reason)
	}
	turn := s.Turn()
	if len(s.Stack) != 1 || turn.Touched || turn.Step != combat.StepAct || c.Marks[markChance] == 0 {
		return nil, nil, combat.Refuse("cannot_react", "reason", "not_turn_end")
	}
	if c.Marks[markLegendary] > 0 {
		return nil, nil, combat.Refuse("cannot_react", "reason", "one_at_a_time")
	}
	marks := map[string]int{markLegendary: 1}
	if turn.Combatant == c.ID && turn.Kind == combat.FrameTurn {
		// Its own turn has just refilled the pool: what was left before pays.
		left := c.Marks[markBefore] - 1
		if left < cost {
			return nil, nil, combat.Refuse("not_enough_budget", "pool", poolLegendary, "left", max(left, 0), "cost", cost)
		}
		marks[markBefore] = left - cost + 1
		return nil, marks, nil
	}
	paid, r := take(c, poolLegendary, cost)
	return paid, marks, r
}

// lair acts on the lair's own slot (5E-22).
func (y System) lair(d *combat.Draft, cmd combat.LairAction) *combat.Refusal {
	f := d.State().Acting()
	if f == nil || f.Kind != combat.FrameLair || !d.Knows(f.Combatant) {
		return combat.Refuse("not_your_turn")
	}
	if cmd.Frame != "" && f.ID != cmd.Frame {
		return combat.Refuse("stale_frame", "frame", cmd.Frame)
	}
	if r := d.CheckLair(cmd); r != nil {
		return r
	}
	c, r := d.Mine("combatant", f.Combatant)
	if r != nil {
		return r
	}
	if f.Touched {
		return combat.Refuse("not_enough_budget", "pool", combat.FrameLair, "left", 0, "cost", 1)
	}
	d.Emit(combat.Acted{Frame: f.ID, Combatant: c.ID, Action: combat.Action{Kind: "lairAction", Name: cmd.Name, Targets: cmd.Targets}})
	return nil
}

// Offers adds ready, release, legendary and lair actions.
func (y System) Offers(d *combat.Draft, c *combat.Combatant) []combat.Offer {
	var offers []combat.Offer
	if f := d.State().Acting(); f == nil || f.Combatant != c.ID {
		// only who acts can ready
	} else if f, paid, r := y.mayReady(d, c, ""); r == nil {
		spell := "castSpell"
		if c.Marks[markBonusSpell] == 0 {
			spell = ""
		}
		offers = append(offers, combat.ReadyOffers(y, c, f, paid, spell)...)
	}
	if c.Readied != nil {
		if paid, r := y.mayRelease(d, c, ""); r == nil {
			offers = append(offers, combat.Offer{Type: "release", Combatant: c.ID, Cost: combat.Prices(c, paid)})
		}
	}
	if c.Stats[statLegendary] > 0 {
		if paid, _, r := y.mayLegendary(d, c, 1); r == nil {
			offers = append(offers, combat.Offer{Type: "legendaryAction", Combatant: c.ID, Cost: combat.Prices(c, paid)})
		}
	}
	if f := d.State().Acting(); f != nil && f.Kind == combat.FrameLair && f.Combatant == c.ID && !f.Touched && f.Action == nil {
		offers = append(offers, combat.Offer{Type: "lairAction", Frame: f.ID})
	}
	return offers
}
