package lightsandshadows

import (
	"slices"

	"riposte/combat"
)

// Do answers declare, withdrawDeclaration, hold, pass and take.
func (y System) Do(d *combat.Draft, command combat.Command) *combat.Refusal {
	switch cmd := command.(type) {
	case combat.Declare:
		return y.declare(d, cmd)
	case combat.WithdrawDeclaration:
		return y.withdraw(d, cmd.Combatant)
	case combat.Hold:
		return y.hold(d, cmd)
	case combat.Pass:
		c, r := d.Mine("combatant", cmd.Combatant)
		if r != nil {
			return r
		}
		f, r := y.mayPass(d, c, cmd.Frame)
		if r == nil {
			d.EndStep(f)
		}
		return r
	case combat.Take:
		return y.take(d, cmd)
	}
	return y.Base.Do(d, command)
}

// mayPass checks that the slot's action has not been done.
func (y System) mayPass(d *combat.Draft, c *combat.Combatant, frame combat.ID) (*combat.Frame, *combat.Refusal) {
	f, r := d.ActingFrame(c, frame)
	if r != nil {
		return nil, r
	}
	slot := slotOf(d.State(), f)
	if f.Kind != combat.FrameTurn || f.Step != combat.StepAct || slot == nil {
		return nil, combat.Refuse("not_acting")
	}
	if c.Marks[markActed] == slot.Part {
		return nil, combat.Refuse("not_enough_budget", "pool", poolActions, "left", 0, "cost", 1)
	}
	return f, nil
}

// mayHold checks that the slot's action can be kept for later (LS-17): not one
// that takes the whole round, one carried over or one that is held already.
func (y System) mayHold(d *combat.Draft, c *combat.Combatant, frame combat.ID) (*combat.Frame, *combat.Refusal) {
	f, r := y.mayPass(d, c, frame)
	if r != nil {
		return nil, r
	}
	if reason := y.CanAct(d.State(), c); reason != "" {
		return nil, combat.Refuse("cannot_act", "reason", reason)
	}
	in, planned := intent(c, slotOf(d.State(), f))
	if option(d.State(), optionDelay) == "off" || !planned || in.Carried || takesRound(in.Kind) || c.Delaying {
		return nil, combat.Refuse("cannot_hold")
	}
	return f, nil
}

// hold puts the action off; what would have followed it waits with it (LS-16).
func (y System) hold(d *combat.Draft, cmd combat.Hold) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	f, r := y.mayHold(d, c, cmd.Frame)
	if r != nil {
		return r
	}
	mark(d, c.ID, map[string]int{markHeld: slotOf(d.State(), f).Part})
	d.Emit(combat.DelaySet{Combatant: c.ID, Delaying: true})
	d.LeaveTurn(f)
	d.SetOrder(y.lift(d.State(), c.ID), d.State().Cursor, "delay")
	if !slices.ContainsFunc(d.State().Order, func(slot combat.Slot) bool { return slot.Count == d.State().Count && open(d.State(), slot) }) {
		fallen(d)
	}
	y.takers(d)
	y.lastChance(d, c.ID)
	d.Advance()
	return nil
}

// lift is the order without the slots that a combatant still has.
func (System) lift(s *combat.State, id combat.ID) []combat.Slot {
	return slices.DeleteFunc(slices.Clone(s.Order), func(slot combat.Slot) bool {
		return slot.Combatant == id && slot.Kind == combat.SlotAction && !slot.Done
	})
}

// mayTake checks that there is a held action, and a slot to follow.
func (y System) mayTake(d *combat.Draft, c *combat.Combatant) *combat.Refusal {
	s := d.State()
	if !c.Delaying || s.Turn() == nil || c.Marks[markTaking] > 0 {
		return combat.Refuse("nothing_held")
	}
	if reason := y.CanAct(s, c); reason != "" {
		return combat.Refuse("cannot_act", "reason", reason)
	}
	return nil
}

// take uses the held action after the slot that was played last, if the one that
// has come up since is untouched, which then waits; else after the one that is
// being played. In the slot given at the end of the round it takes that.
func (y System) take(d *combat.Draft, cmd combat.Take) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if r := y.mayTake(d, c); r != nil {
		return r
	}
	d.Reveal(c.ID)
	s := d.State()
	turn := s.Turn()
	if turn.Combatant == c.ID {
		y.taken(d, turn)
		return nil
	}
	before, after := y.played(s, c.ID, turn)
	if turn.Touched || len(s.Stack) > 1 || turn.Step != combat.StepAct || s.Owes(turn.ID) || before == "" {
		mark(d, c.ID, map[string]int{markTaking: 1})
		return nil
	}
	waiting := turn.Combatant
	d.LeaveTurn(turn)
	order := slices.Clone(d.State().Order)
	order[at(order, turn.Slot)].Done = false
	d.SetOrder(order, before, "delay")
	mark(d, waiting, map[string]int{markWaits: 1})
	y.insert(d, c.ID, before, after)
	d.Advance()
	return nil
}

// played finds the slot of another that was played last before this turn, and
// its count; none if the held slot itself comes between.
func (System) played(s *combat.State, id combat.ID, turn *combat.Frame) (before combat.ID, count combat.Count) {
	for i := at(s.Order, turn.Slot) - 1; i >= 0; i-- {
		slot := s.Order[i]
		c := s.Combatant(slot.Combatant)
		switch {
		case slot.Kind != combat.SlotAction || !slot.Done:
		case slot.Combatant == id:
			return "", 0
		case c.Delaying && c.Marks[markHeld] == slot.Part: // it has not acted there
		default:
			// The cursor stands right before the turn, whatever lies between.
			return s.Order[at(s.Order, turn.Slot)-1].ID, slot.Count
		}
	}
	return "", 0
}

// insert gives a held action its slot, right behind the cursor at the count that
// was played there, and reckons from it what follows (LS-16, LS-17).
func (y System) insert(d *combat.Draft, id, cursor combat.ID, count combat.Count) {
	s := d.State()
	c := s.Combatant(id)
	held := c.Marks[markHeld]
	plan := resume(s, c, held, count)
	order := slices.DeleteFunc(y.lift(s, id), func(slot combat.Slot) bool {
		return slot.Combatant == id && slot.Part == held && slot.ID != cursor
	})
	d.Emit(combat.DelaySet{Combatant: id})
	mark(d, id, map[string]int{markHeld: 0, markTaking: 0})
	d.Emit(combat.Planned{Combatant: id, Declared: true, Plan: plan})
	now := combat.Slot{ID: d.NewID("s"), Kind: combat.SlotAction, Combatant: id, Count: count, Moved: true, Part: held}
	order = slices.Insert(order, at(order, cursor)+1, now)
	d.SetOrder(y.follow(d, order, id, now.ID, held), cursor, "delay")
}

// follow puts what is still to come of a plan behind one of its slots.
func (y System) follow(d *combat.Draft, order []combat.Slot, id, behind combat.ID, held int) []combat.Slot {
	s := d.State()
	c := s.Combatant(id)
	was := c.Plan[held-1]
	for i, in := range c.Plan {
		part := i + 1
		if part == held || in.Lost || later(was, held-1, in, i) <= 0 || slices.ContainsFunc(order, func(slot combat.Slot) bool { return slot.Combatant == id && slot.Part == part }) {
			continue
		}
		slot := combat.Slot{ID: d.NewID("s"), Kind: combat.SlotAction, Combatant: id, Count: in.Count, Part: part}
		to := at(order, behind) + 1
		for to < len(order) && (order[to].Count > slot.Count || order[to].Count == slot.Count && (order[to].Moved || y.Compare(s, &slot, &order[to]) >= 0)) {
			to++
		}
		order = slices.Insert(order, to, slot)
	}
	return order
}

// takers lets those act who said so in the turn that has just ended, at its
// count: the higher score first.
func (y System) takers(d *combat.Draft) {
	s := d.State()
	var ids []combat.ID
	for _, c := range s.Combatants {
		if c.Marks[markTaking] > 0 && c.Delaying && c.Fights() {
			ids = append(ids, c.ID)
		}
	}
	slices.SortStableFunc(ids, func(a, b combat.ID) int {
		return y.Compare(s, &combat.Slot{Combatant: a}, &combat.Slot{Combatant: b})
	})
	count := s.Count
	for _, id := range slices.Backward(ids) {
		y.insert(d, id, d.State().Cursor, count)
	}
}

// lastChance gives those who still hold an action a slot behind the last one of
// the round: there is no pause in which they could have said so. Not taken there
// it is lost. Who has held its own just now had no slot of another to follow.
func (y System) lastChance(d *combat.Draft, but combat.ID) {
	s := d.State()
	from := at(s.Order, s.Cursor) + 1
	if slices.ContainsFunc(s.Order[from:], func(slot combat.Slot) bool { return open(s, slot) }) {
		return
	}
	order := slices.Clone(s.Order)
	for _, c := range s.Combatants {
		if c.Delaying && c.ID != but && c.Fights() && y.CanAct(s, c) == "" {
			slot := combat.Slot{ID: d.NewID("s"), Kind: combat.SlotAction, Combatant: c.ID, Count: s.Count, Moved: true, Part: c.Marks[markHeld]}
			order = slices.Insert(order, from, slot)
			from++
		}
	}
	if len(order) > len(s.Order) {
		d.SetOrder(order, s.Cursor, "delay")
	}
}

// taken ends the waiting of somebody whose held action is in its last slot.
func (y System) taken(d *combat.Draft, f *combat.Frame) {
	s := d.State()
	c, slot := s.Combatant(f.Combatant), slotOf(s, f)
	if !c.Delaying {
		return
	}
	plan := resume(s, c, slot.Part, slot.Count)
	d.Emit(combat.DelaySet{Combatant: c.ID})
	mark(d, c.ID, map[string]int{markHeld: 0, markTaking: 0})
	d.Emit(combat.Planned{Combatant: c.ID, Declared: true, Plan: plan})
	old := slices.DeleteFunc(slices.Clone(s.Order), func(x combat.Slot) bool { return x.Combatant == c.ID && x.Part == slot.Part && x.ID != slot.ID })
	d.SetOrder(y.follow(d, old, c.ID, slot.ID, slot.Part), d.State().Cursor, "delay")
}

// Offers adds what can be declared, held, passed and taken.
func (y System) Offers(d *combat.Draft, c *combat.Combatant) []combat.Offer {
	var offers []combat.Offer
	add := func(name string, frame combat.ID) {
		offers = append(offers, combat.Offer{Type: name, Combatant: c.ID, Frame: frame})
	}
	if d.State().Phase == combat.PhaseDeclaration {
		if _, r := y.mayDeclare(d, c.ID); r == nil {
			add("declare", "")
		}
		if _, r := y.mayWithdraw(d, c.ID); r == nil {
			add("withdrawDeclaration", "")
		}
		return offers
	}
	if f := d.State().Acting(); f != nil && f.Combatant == c.ID {
		if f, r := y.mayPass(d, c, ""); r == nil {
			add("pass", f.ID)
		}
		if f, r := y.mayHold(d, c, ""); r == nil {
			add("hold", f.ID)
		}
	}
	if c.Delaying && y.mayTake(d, c) == nil {
		add("take", "")
	}
	return offers
}
