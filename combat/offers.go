package combat

import "slices"

// asking is a draft that only answers questions: what is offered comes from the
// very checks that Decide makes.
type asking struct {
	draft   Draft
	mutator mutator
}

// of asks for one audience; nil if it may send nothing. The draft is good until
// the next call.
func (q *asking) of(v *viewer) *Draft {
	if v.a.Role == RoleSpectator || v.a.Role == RolePlayer {
		return nil
	}
	if v.a.Role == RoleSeat {
		if seat := v.s.Seat(v.a.Seat); seat == nil || seat.ReadOnly {
			return nil
		}
	}
	q.mutator = mutator{s: v.s}
	q.draft = Draft{System: v.system, engine: v.e, policy: v.policy, m: &q.mutator, By: By{Role: v.a.Role, Seat: v.a.Seat}}
	return &q.draft
}

// offers lists the commands this audience may send now (you.can).
func (v *viewer) offers() []Offer {
	can := make([]Offer, 0, 32)
	d := (&asking{}).of(v)
	if d == nil {
		return can
	}
	if v.gm() {
		can = d.gmOffers(can)
	} else {
		can = d.seatOffers(can)
	}
	for _, c := range v.s.Combatants {
		if v.gm() || v.owns(c) {
			can = d.combatantOffers(can, c)
		}
	}
	return d.decisionOffers(can)
}

// gmOffers are the commands that are about nobody in particular.
func (d *Draft) gmOffers(can []Offer) []Offer {
	s := d.State()
	add := func(types ...string) {
		for _, name := range types {
			can = append(can, Offer{Type: name})
		}
	}
	if len(s.Combatants) < MaxCombatants {
		add("addCombatant", "importCombatants")
	}
	add("setOptions", "replaceLink", "note", "roll", "say", "resetCombat")
	if len(s.Combatants) > 0 {
		add("editCombatant", "removeCombatant", "setHidden", "setSight", "setDefeated", "assignSeat", "setPosition", "setSurprised", "setInitiative",
			"rollInitiative", "damage", "heal", "setTempHp", "addEffect")
		if len(s.Combatants) < MaxCombatants {
			add("duplicateCombatant")
		}
	}
	if len(s.Effects) > 0 {
		add("removeEffect")
	}
	if len(s.Seats) > 0 {
		add("removeSeat", "editSeat")
	}
	if s.past != nil {
		add("undo")
	}
	if s.future != nil {
		add("redo")
	}
	if slices.ContainsFunc(s.Combatants, func(c *Combatant) bool { return len(c.Pools) > 0 }) {
		add("grant")
	}
	if !s.InFight() {
		if anyFights(s) {
			add("startCombat")
		}
		return can
	}
	add("endCombat")
	if len(s.Combatants) > 0 {
		add("reorder")
	}
	for i := range s.Order {
		if c := s.Combatant(s.Order[i].Combatant); c != nil && c.Fights() && (s.Order[i].Kind == SlotTurn || s.Order[i].Kind == SlotAction) {
			add("setActive")
			break
		}
	}
	for _, c := range s.Combatants {
		if len(c.Recharge) > 0 {
			add("setCharged")
			break
		}
	}
	if clock := s.Clock; clock.Frame != "" && (clock.Deadline > 0 || clock.Left > 0) {
		if clock.Paused {
			add("resumeClock")
		} else {
			add("pauseClock")
		}
	}
	if f := s.Acting(); f != nil && f.Window != nil {
		can = append(can, Offer{Type: "closeWindow", Window: f.Window.ID})
	} else if f != nil && s.Owes(f.ID) {
		can = append(can, Offer{Type: "endTurn", Combatant: f.Combatant, Frame: f.ID})
	}
	return can
}

func anyFights(s *State) bool {
	for _, c := range s.Combatants {
		if c.Fights() {
			return true
		}
	}
	return false
}

// seatOffers are a player's commands that are not about acting.
func (d *Draft) seatOffers(can []Offer) []Offer {
	s := d.State()
	if seen, _ := d.crowd(); seen < MaxPlayersAdd {
		can = append(can, Offer{Type: "addCombatant", Kind: "pc"})
	}
	can = append(can, Offer{Type: "say"}, Offer{Type: "roll"}, Offer{Type: "editSeat", Seat: d.By.Seat})
	var own []ID
	for _, c := range s.Combatants {
		switch {
		case d.owns(c):
			own = append(own, c.ID)
			can = append(can, Offer{Type: "assignSeat", Combatant: c.ID})
			if c.Init == nil {
				can = append(can, Offer{Type: "rollInitiative", Combatants: []ID{c.ID}}, Offer{Type: "setInitiative", Combatant: c.ID})
			}
		case c.Seat == "" && c.Kind == "pc" && d.Knows(c.ID):
			can = append(can, Offer{Type: "assignSeat", Combatant: c.ID, Seat: d.By.Seat})
		}
	}
	if len(own) == 0 {
		return can
	}
	can = append(can, Offer{Type: "editCombatant", Combatants: own}, Offer{Type: "setPosition", Combatants: own})
	asks := d.asks()
	if d.Option(OptionPlayersHurt) == "no" || asks && !d.mayPropose() {
		return can
	}
	for _, kind := range []string{"damage", "heal", "setTempHp", "addEffect"} {
		can = append(can, Offer{Type: kind, Combatants: own, Asks: asks})
	}
	for _, e := range s.Effects {
		if !e.Hidden && d.owns(s.Combatant(e.Target)) {
			can = append(can, Offer{Type: "removeEffect", Effect: e.ID, Asks: asks})
		}
	}
	return can
}

// combatantOffers are what one combatant may do now, whoever plays it.
func (d *Draft) combatantOffers(can []Offer, c *Combatant) []Offer {
	if !d.State().InFight() {
		return can
	}
	can = append(d.turnOffers(can, c), d.System.Offers(d, c)...)
	if d.CheckRespond(c, "") == nil {
		can = d.reactOffers(can, c, d.Before(d.State().Acting()))
	}
	return can
}

// turnOffers are those of whoever acts or is asked.
func (d *Draft) turnOffers(can []Offer, c *Combatant) []Offer {
	f := d.State().Acting()
	if f == nil {
		return can
	}
	if f.Combatant == c.ID {
		if _, r := d.ActingFrame(c, ""); r == nil {
			can = d.actingOffers(can, c, f)
		}
	}
	if f.Window != nil && contains(f.Window.Eligible, c.ID) {
		can = append(can, Offer{Type: "decline", Combatant: c.ID, Window: f.Window.ID})
	}
	return can
}

// reactOffers are the responses a combatant could give, if there is anything
// to respond to: before it has happened, or after. They depend on nothing but
// that, the combatant, its effects and the options.
func (d *Draft) reactOffers(can []Offer, c *Combatant, before bool) []Offer {
	s, action, tag := d.State(), &Action{}, priceTag{}
	for _, spec := range d.System.Actions() {
		if !spec.Reaction || d.System.CanReact(s, c, spec.Kind) != nil {
			continue
		}
		action.Kind = spec.Kind
		if paid, r := d.System.PayReaction(s, c, action); r == nil {
			can = append(can, Offer{Type: "react", Combatant: c.ID, Kind: spec.Kind, Defensive: before && spec.After, Cost: tag.of(c, paid)})
		}
	}
	return can
}

func (d *Draft) actingOffers(can []Offer, c *Combatant, f *Frame) []Offer {
	s := d.State()
	turn := f.Kind == FrameTurn || f.Kind == FrameLair
	if !turn || f.Step == StepAct {
		can = append(can, Offer{Type: "endTurn", Combatant: c.ID, Frame: f.ID})
	}
	if f.Kind == FrameTurn && f.Step != StepAct || d.System.CanAct(s, c) != "" {
		return can
	}
	action, tag := &Action{}, priceTag{}
	for _, spec := range d.System.Actions() {
		if !spec.Turn {
			continue
		}
		action.Kind = spec.Kind
		if paid, r := d.System.Pay(s, c, f, action, ""); r == nil {
			can = append(can, Offer{Type: "act", Combatant: c.ID, Frame: f.ID, Kind: spec.Kind, Cost: tag.of(c, paid)})
		} else if paid, r := d.System.Pay(s, c, f, action, "bonus"); r == nil {
			can = append(can, Offer{Type: "act", Combatant: c.ID, Frame: f.ID, Kind: spec.Kind, Cost: tag.of(c, paid)})
		}
	}
	if paid, r := d.System.Pay(s, c, f, &Action{Kind: ActionMove, Feet: 1}, ""); r == nil {
		can = append(can, Offer{Type: "move", Combatant: c.ID, Frame: f.ID, Cost: Prices(c, paid)})
	}
	return can
}

// decisionOffers are the decisions that the sender may answer.
func (d *Draft) decisionOffers(can []Offer) []Offer {
	s := d.State()
	for _, whole := range d.openTies() {
		tie := d.tied(whole)
		if !stillTied(s, tie) {
			continue
		}
		if d.gm() || maySettle(s, d.By, tie) {
			can = append(can, Offer{Type: "settleTie", Combatants: tie}, Offer{Type: "answer", Pending: tieID(tie)})
		}
		for _, id := range tie {
			if c := s.Combatant(id); c != nil && (d.gm() || d.owns(c)) && d.mayRollOff(c, tie) {
				can = append(can, Offer{Type: "rollOff", Combatant: id})
			}
		}
	}
	for _, p := range s.Pending {
		if p.Kind == PendingProposal {
			if d.knowsPending(p) {
				can = append(can, Offer{Type: "answer", Pending: p.ID, Accept: d.mayAccept()})
			}
			continue
		}
		if c := s.Combatant(p.Combatants[0]); c != nil && p.Kind != PendingDeclaration && d.knowsPending(p) && (d.gm() || d.owns(c)) {
			can = append(can, Offer{Type: "answer", Pending: p.ID})
		}
	}
	return can
}

func contains(ids []ID, id ID) bool {
	for _, x := range ids {
		if x == id {
			return true
		}
	}
	return false
}

// ReadyOffers offers to ready each kind of action that may be readied, and a
// move, at one price; but leaves out those that may not be now.
func ReadyOffers(system System, c *Combatant, f *Frame, paid []Pool, but ...string) []Offer {
	prices := Prices(c, paid)
	var offers []Offer
	for _, spec := range system.Actions() {
		if spec.Ready && !slices.Contains(but, spec.Kind) {
			offers = append(offers, Offer{Type: "ready", Combatant: c.ID, Frame: f.ID, Kind: spec.Kind, Cost: prices})
		}
	}
	return append(offers, Offer{Type: "ready", Combatant: c.ID, Frame: f.ID, Kind: ActionMove, Cost: prices})
}

// priceTag makes the same price once: most kinds of action cost the same.
type priceTag struct {
	paid   []Pool
	prices []Price
}

func (t *priceTag) of(c *Combatant, paid []Pool) []Price {
	if t.prices == nil || !slices.Equal(t.paid, paid) {
		t.paid, t.prices = paid, Prices(c, paid)
	}
	return t.prices
}
