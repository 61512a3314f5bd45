package combat

import "slices"

// PlayRound begins a round whose order stands: pools and marks of the round
// are renewed, and the cursor waits before the first slot.
func (d *Draft) PlayRound(phase string, round int) {
	s := d.State()
	stays := func(slot Slot) bool {
		return !slot.Once && (slot.Kind != SlotMarker || slot.Until >= round || d.anchored(slot.Combatant))
	}
	if round > 1 && slices.ContainsFunc(s.Order, func(slot Slot) bool { return !stays(slot) }) {
		order := []Slot{}
		for _, slot := range s.Order {
			if stays(slot) {
				order = append(order, slot)
			}
		}
		d.SetOrder(order, "", "round")
	}
	d.Emit(RoundStarted{Phase: phase, Round: round})
	for _, c := range d.State().Combatants {
		at := "round"
		if len(c.Pools) == 0 {
			at = "fight"
		}
		if pools := d.System.Refresh(d.State(), c, at); len(pools) > 0 {
			d.Emit(PoolsSet{Combatant: c.ID, Pools: pools, Why: "refresh"})
		}
	}
	// What should have ended while its place was not in the order ends here.
	d.EndEffects("expired", func(e *Effect) bool { return e.Ends.At != AtNever && e.Ends.Round < round })
}

// OpenDeclaration begins the time in which the actions of a round are declared
// (LS-01): the order of the round before is gone, that of this one is made when
// nobody owes a declaration. The turn clock runs for it; at its end the
// system's TimeUp is called.
func (d *Draft) OpenDeclaration(round int) {
	d.SetOrder([]Slot{}, "", "round")
	d.Emit(RoundStarted{Phase: PhaseDeclaration, Round: round})
	if limit := d.seconds(OptionTurnSeconds); limit > 0 {
		d.Emit(ClockSet{Clock: Clock{Frame: d.NewID("f"), Deadline: d.By.Now + limit}})
	}
}

// declared reports whether all declarations are in, and lets the round begin.
// The dead owe none.
func (d *Draft) declared() bool {
	for _, p := range slices.Clone(d.State().Pending) {
		if p.Kind != PendingDeclaration {
			continue
		}
		if c := d.State().Combatant(p.Combatants[0]); c != nil && c.Fights() {
			return false
		}
		d.Emit(PendingClosed{Pending: p.ID})
	}
	if d.empty++; d.empty > len(d.State().Combatants)+2 {
		return false
	}
	d.Emit(ClockSet{})
	d.System.Declared(d)
	return true
}

// SetOrder replaces the order. The cursor is the slot after which the round
// goes on; empty is before the first.
func (d *Draft) SetOrder(slots []Slot, cursor ID, why string) {
	d.Emit(Ordered{Slots: slots, Cursor: cursor, Ties: d.State().Ties, Why: why})
}

// anchored reports whether an effect ends at a turn of this combatant.
func (d *Draft) anchored(id ID) bool {
	return id != "" && slices.ContainsFunc(d.State().Effects, func(e *Effect) bool { return e.Ends.Of == id && e.Ends.At != AtCount })
}

// Advance goes to the next slot whose combatant fights and begins its turn
// (C-02), over markers and round ends. With nobody left to act it stays
// between turns.
func (d *Draft) Advance() {
	if s := d.State(); !s.InFight() || s.Phase == PhaseDeclaration {
		return
	}
	at := d.State().Cursor
	ends := 0
	for {
		s := d.State()
		i := -1
		if at != "" {
			i = s.slotIndex(at)
		}
		if i+1 >= len(s.Order) {
			if ends++; ends > 2 || !d.goesOn() {
				return
			}
			d.EndEffects("expired", func(e *Effect) bool {
				return e.Ends.Round <= s.Round && (e.Ends.At == AtRoundEnd || e.Ends.At == AtCount)
			})
			d.System.NewRound(d, s.Round+1)
			if d.State().Phase == PhaseDeclaration {
				return
			}
			at = ""
			continue
		}
		slot := s.Order[i+1]
		d.crossCount(slot.Count)
		c := s.Combatant(slot.Combatant)
		switch {
		case slot.Done && slot.Kind != SlotMarker:
			at = slot.ID
		case slot.Kind == SlotMarker || c == nil || !c.Fights():
			d.passPlace(slot)
			at = slot.ID
		default:
			if tie := d.tieAt(slot.Combatant); tie != nil {
				d.rollOffTie(tie)
				continue
			}
			d.System.Enter(d, slot)
			if len(d.State().Stack) > 0 || !d.State().InFight() {
				return
			}
			at = slot.ID
		}
	}
}

// goesOn reports whether another round has anybody to act in it. Where actions
// are declared, whoever fights may declare some.
func (d *Draft) goesOn() bool {
	s := d.State()
	if len(d.System.Declarable(s)) > 0 {
		return slices.ContainsFunc(s.Combatants, (*Combatant).Fights)
	}
	return slices.ContainsFunc(s.Order, func(slot Slot) bool {
		c := s.Combatant(slot.Combatant)
		return slot.Kind != SlotMarker && c != nil && c.Fights()
	})
}

// tieAt returns the undecided tie whose first slot is coming up now.
func (d *Draft) tieAt(id ID) []ID {
	for _, tie := range d.State().Ties {
		if slices.Contains(tie, id) {
			return tie
		}
	}
	return nil
}

// crossCount ends what ends just before a count (C-04, SF-21).
func (d *Draft) crossCount(count Count) {
	round := d.State().Round
	d.EndEffects("expired", func(e *Effect) bool {
		return e.Ends.At == AtCount && (e.Ends.Round < round || e.Ends.Round == round && value(e.Ends.Count) >= count)
	})
}

// passPlace runs over a place in which nobody acts: what is anchored to it
// ends there all the same (C-03).
func (d *Draft) passPlace(slot Slot) {
	if slot.Combatant != "" && slot.Kind != SlotLair && !slot.Once {
		d.expire(AtTurnStart, slot.Combatant)
		d.expire(AtTurnEnd, slot.Combatant)
	}
	d.System.PassPlace(d, slot)
}

// expire ends the effects that end at the start or end of a combatant's turn
// in this round (C-09, steps 1 and 7).
func (d *Draft) expire(at string, of ID) {
	round := d.State().Round
	d.EndEffects("expired", func(e *Effect) bool { return e.Ends.At == at && e.Ends.Of == of && e.Ends.Round <= round })
}

// ReenterTurn gives the turn back to somebody whose steps 1 to 4 have been run
// in this round already (SF-15a).
func (d *Draft) ReenterTurn(slot Slot) {
	d.Emit(TurnStarted{Frame: d.NewID("f"), Kind: FrameTurn, Slot: slot.ID, Combatant: slot.Combatant, Count: &slot.Count,
		At: d.By.Now, TurnMs: d.seconds(OptionTurnSeconds)})
}

// LeaveTurn puts a turn off: its frame goes, steps 6 to 8 are not run. The
// caller says in the order what becomes of its slot, and advances.
func (d *Draft) LeaveTurn(f *Frame) {
	d.closePending(f.ID)
	d.Emit(TurnEnded{Frame: f.ID, Combatant: f.Combatant})
}

// LoseTurn ends a turn of an earlier round that was put off and never taken:
// what lasts until its end is over, and the saves at its end are owed (C-09,
// steps 6 and 7).
func (d *Draft) LoseTurn(id ID, round int) {
	d.oweSaves(id, "")
	d.EndEffects("expired", func(e *Effect) bool { return e.Ends.At == AtTurnEnd && e.Ends.Of == id && e.Ends.Round <= round })
}

// oweSaves asks for the saves at the end of a turn.
func (d *Draft) oweSaves(id, frame ID) {
	for _, e := range slices.Clone(d.State().Effects) {
		if e.Target == id && e.Save != nil {
			d.Owe(Pending{Kind: "save", Combatants: []ID{id}, Frame: frame, DC: e.Save.DC, Ability: e.Save.Ability, Effect: e.ID, Source: e.Source})
		}
	}
}

// BeginTurn starts the pipeline of a turn (C-09): steps 1 to 4. What the frame
// then waits for, settle knows.
func (d *Draft) BeginTurn(slot Slot) {
	id := slot.Combatant
	kind := FrameTurn
	if slot.Kind == SlotLair {
		kind = FrameLair
	} else {
		d.expire(AtTurnStart, id)
	}
	for _, c := range d.State().Combatants {
		if pools := d.System.Refresh(d.State(), c, "anyTurn"); len(pools) > 0 && c.ID != id {
			d.Emit(PoolsSet{Combatant: c.ID, Pools: pools, Why: "refresh"})
		}
	}
	s := d.State()
	started := TurnStarted{Frame: d.NewID("f"), Kind: kind, Slot: slot.ID, Combatant: id, Count: &slot.Count,
		At: d.By.Now, TurnMs: d.seconds(OptionTurnSeconds)}
	if kind == FrameTurn {
		started.Pools = d.System.Refresh(s, s.Combatant(id), "turn")
		started.Empty = d.System.CanAct(s, s.Combatant(id))
	}
	// An action's slot is a part of a turn only: what comes at the start of a
	// turn comes at the first of them.
	first := !d.plays(slot, true)
	d.Emit(started)
	if kind == FrameTurn && first {
		d.turnDamage(id)
		d.recharge(id)
	}
	if f := d.State().Frame(started.Frame); f != nil {
		d.System.TurnStart(d, f)
	}
}

// plays reports whether a combatant has other slots for actions in this round
// that are done, or still to come.
func (d *Draft) plays(slot Slot, done bool) bool {
	return slot.Kind == SlotAction && slices.ContainsFunc(d.State().Order, func(other Slot) bool {
		return other.ID != slot.ID && other.Combatant == slot.Combatant && other.Kind == SlotAction && other.Done == done
	})
}

// turnDamage is step 3: damage that comes at the start of each turn.
func (d *Draft) turnDamage(id ID) {
	for _, e := range slices.Clone(d.State().Effects) {
		if e.Target == id && e.TurnDamage > 0 && d.State().Effect(e.ID) != nil {
			d.Hurt(id, Hit{Source: e.Source, Amount: e.TurnDamage, Kind: e.DamageKind, Effect: e.Name})
		}
	}
}

// recharge is step 3 too: a d6 may give a spent ability back (5E-23).
func (d *Draft) recharge(id ID) {
	for _, name := range slices.Clone(d.State().Combatant(id).Spent) {
		if least := d.State().Combatant(id).Recharge[name]; least > 0 {
			die := d.Roll(6)
			d.Emit(ChargeSet{Combatant: id, Name: name, Charged: die >= least, Die: die})
		}
	}
}

// Owes reports whether a frame waits for a decision.
func (s *State) Owes(frame ID) bool {
	return slices.ContainsFunc(s.Pending, func(p *Pending) bool { return p.Frame == frame })
}

// settle runs everything that happens by itself after a command: windows with
// nobody left to ask close, actions resolve, finished responses pop, turns in
// which nothing can be done pass, until somebody has something to say. A turn
// that has been resting empty since before this command passes only when it is
// ended.
func (d *Draft) settle(resting ID) {
	for d.State().InFight() {
		s := d.State()
		f := s.Acting()
		switch {
		case f == nil && s.Phase == PhaseDeclaration:
			if !d.declared() {
				return
			}
		case f == nil:
			// Nobody was left to act; somebody may be now.
			d.Advance()
			if len(d.State().Stack) == 0 && d.State().Phase != PhaseDeclaration {
				return
			}
		case f.Window != nil:
			if d.waitForWindow(f) {
				return
			}
		case f.Action != nil:
			d.progress(f)
		case f.Kind != FrameTurn && f.Kind != FrameLair:
			if c := s.Combatant(f.Combatant); !f.Auto && c != nil && c.Fights() && c.Life == Up {
				return
			}
			d.pop(f)
		case s.Owes(f.ID):
			return
		case f.Step == StepStart:
			d.Emit(Stepped{Frame: f.ID, Step: StepAct, Empty: d.emptyReason(f)})
		case f.Step == StepAct:
			reason := d.emptyReason(f)
			if reason != f.Empty {
				d.Emit(Stepped{Frame: f.ID, Step: StepAct, Empty: reason})
				f = d.State().Frame(f.ID)
			}
			if reason == "" && f.Auto {
				d.EndStep(f)
				continue
			}
			if reason == "" {
				return
			}
			// A table on which nobody can act must not spin: then it waits.
			if d.empty++; f.ID == resting && reason != Dead || d.empty > 2*len(s.Order)+2 {
				return
			}
			d.EndStep(f)
		default: // StepEnd, all saves answered
			d.endTurn(f, false)
		}
	}
}

// emptyReason is why step 5 of a turn has nothing in it, or "".
func (d *Draft) emptyReason(f *Frame) string {
	s := d.State()
	c := s.Combatant(f.Combatant)
	if c == nil || !c.Fights() {
		return Dead
	}
	return d.System.CanAct(s, c)
}

// EndStep goes from acting to step 6, as EndTurn does: end-of-turn saves are owed
// from now.
func (d *Draft) EndStep(f *Frame) {
	d.Emit(Stepped{Frame: f.ID, Step: StepEnd, Empty: f.Empty})
	s := d.State()
	c := s.Combatant(f.Combatant)
	if c == nil || !c.Fights() || f.Kind != FrameTurn {
		return
	}
	if i := s.slotIndex(f.Slot); i < 0 || !d.plays(s.Order[i], false) {
		d.oweSaves(c.ID, f.ID)
	}
	d.System.TurnEnd(d, d.State().Frame(f.ID))
}

// endTurn is steps 7 and 8, and the next turn.
func (d *Draft) endTurn(f *Frame, expired bool) {
	if f.Kind == FrameTurn {
		d.expire(AtTurnEnd, f.Combatant)
	}
	d.closePending(f.ID)
	ended := *f
	d.Emit(TurnEnded{Frame: f.ID, Combatant: f.Combatant, Expired: expired})
	d.System.TurnOver(d, &ended)
	d.Advance()
}

// pop ends a response; the frame under it resumes.
func (d *Draft) pop(f *Frame) {
	d.Emit(FramePopped{Frame: f.ID, Kind: f.Kind, Combatant: f.Combatant})
}

// Owe opens a decision, up to a bound that no table reaches.
func (d *Draft) Owe(p Pending) {
	if s := d.State(); len(s.Pending)-len(proposals(s.Pending)) >= maxPending {
		return
	}
	p.ID = d.NewID("p")
	d.Emit(PendingOpened{Pending: p})
}

// keepClock starts or holds the turn clock: it runs only while the one whose
// turn it is may use it.
func (d *Draft) keepClock() {
	s := d.State()
	clock := s.Clock
	if clock.Frame == "" {
		return
	}
	f := s.Acting()
	runs := s.Phase == PhaseDeclaration || f != nil && f.ID == clock.Frame && f.Step == StepAct && f.Window == nil && !s.Owes(f.ID)
	runs = runs && !clock.Paused
	switch {
	case runs && clock.Deadline == 0 && clock.Left > 0:
		clock.Deadline, clock.Left = d.By.Now+clock.Left, 0
	case !runs && clock.Deadline > 0:
		clock.Left, clock.Deadline = max(clock.Deadline-d.By.Now, 1), 0
	default:
		return
	}
	d.Emit(ClockSet{Clock: clock})
}
