package starfinder

import (
	"riposte/combat"
)

// kindReady is the action of readying one.
const kindReady = combat.ActionReady

// Do answers delay and ready. There is nothing else of the system's own.
func (y System) Do(d *combat.Draft, command combat.Command) *combat.Refusal {
	switch cmd := command.(type) {
	case combat.Delay:
		return y.delay(d, cmd)
	case combat.ReturnFromDelay:
		return y.comeOut(d, cmd)
	case combat.Ready:
		return y.ready(d, cmd)
	case combat.Release:
		return y.release(d, cmd)
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
	if reason := y.able(d.State(), c); reason != "" {
		return nil, nil, combat.Refuse("cannot_act", "reason", reason)
	}
	p := &purse{s: d.State(), c: c}
	if r := p.spend(poolStandard, ""); r != nil {
		return nil, nil, r
	}
	if p.left(poolMovement) > 0 {
		p.set(poolMovement, 0)
	}
	return f, p.changed, nil
}

// ready takes the standard action and waits for a trigger (SF-17): a standard,
// move or swift action may be readied, a full one may not.
func (y System) ready(d *combat.Draft, cmd combat.Ready) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if cmd.Kind != combat.ActionMove && !spec(cmd.Kind).Ready {
		return combat.Refuse("bad_value", "field", "kind")
	}
	if cmd.Cost != "" && cmd.Cost != poolStandard {
		return combat.Refuse("bad_value", "field", "cost")
	}
	if r := d.CheckReady(cmd); r != nil {
		return r
	}
	f, paid, r := y.mayReady(d, c, cmd.Frame)
	if r != nil {
		return r
	}
	action := combat.Action{Kind: kindReady, Name: cmd.Name, Paid: paid}
	d.Emit(combat.Acted{Frame: f.ID, Combatant: c.ID, Action: action})
	y.Begun(d, f, &action)
	d.Emit(combat.ReadySet{Combatant: c.ID, Readied: &combat.Readied{Trigger: cmd.Trigger, Round: d.State().Round,
		Action: combat.Action{Kind: cmd.Kind, Name: cmd.Name, Targets: cmd.Targets, Level: cmd.Level, Defensive: cmd.Defensive}}})
	return nil
}

// mayRelease checks everything about Release but what is typed. What is not
// purely defensive waits until its trigger has happened (SF-17).
func (y System) mayRelease(d *combat.Draft, c *combat.Combatant, window combat.ID) *combat.Refusal {
	if c.Readied == nil {
		return combat.Refuse("nothing_readied")
	}
	if r := d.CheckRespond(c, window); r != nil {
		return r
	}
	if !c.Readied.Action.Defensive && d.Before(d.State().Acting()) {
		return combat.Refuse("cannot_react", "reason", "not_before")
	}
	return y.CanReact(d.State(), c, kindReadied)
}

// release does what was readied, without the reaction, and moves the count to
// the one being played (SF-17): next to the one whose turn it is, with no other
// turn in this round (SF-18).
func (y System) release(d *combat.Draft, cmd combat.Release) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if r := d.CheckRelease(cmd); r != nil {
		return r
	}
	if r := y.mayRelease(d, c, cmd.Window); r != nil {
		return r
	}
	readied, f, turn := *c.Readied, d.State().Acting(), d.State().Turn()
	action := readied.Action
	action.To, action.Attack = f.ID, cmd.Attack
	if len(cmd.Targets) > 0 {
		action.Targets = cmd.Targets
	}
	d.Emit(combat.ReadySet{Combatant: c.ID, Why: "released"})
	if turn.Combatant != c.ID && d.State().SlotOf(c.ID) != nil {
		relocate(d, move{id: c.ID, beside: turn.Slot, behind: option(d.State(), optionReadyPlace) == "after", count: d.State().Count, done: true})
	}
	d.Respond(combat.FrameReadied, c.ID, combat.Trigger{Frame: f.ID, Combatant: f.Combatant, Text: readied.Trigger}, action, cmd.Done, false)
	return nil
}

// Offers adds delay, coming out, ready and release.
func (y System) Offers(d *combat.Draft, c *combat.Combatant) []combat.Offer {
	var offers []combat.Offer
	if f := d.State().Acting(); f != nil && f.Combatant == c.ID {
		if _, paid, r := y.mayReady(d, c, ""); r == nil {
			offers = append(offers, combat.ReadyOffers(y, c, f, paid)...)
		}
		if _, r := y.mayDelay(d, c, ""); r == nil {
			offers = append(offers, combat.Offer{Type: "delay", Combatant: c.ID, Frame: f.ID})
		}
	}
	if c.Delaying && y.mayReturn(d, c) == nil {
		offers = append(offers, combat.Offer{Type: "returnFromDelay", Combatant: c.ID})
	}
	if c.Readied != nil && y.mayRelease(d, c, "") == nil {
		offers = append(offers, combat.Offer{Type: "release", Combatant: c.ID})
	}
	return offers
}
