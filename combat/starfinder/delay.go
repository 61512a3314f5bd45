package starfinder

import (
	"slices"

	"riposte/combat"
)

// mayDelay checks everything about Delay.
func (y System) mayDelay(d *combat.Draft, c *combat.Combatant, frame combat.ID) (*combat.Frame, *combat.Refusal) {
	if c.Delaying {
		return nil, combat.Refuse("already_delayed")
	}
	f, r := d.ActingFrame(c, frame)
	if r != nil {
		return nil, r
	}
	if f.Kind != combat.FrameTurn || f.Step != combat.StepAct {
		return nil, combat.Refuse("not_acting")
	}
	if reason := y.able(d.State(), c); reason != "" {
		return nil, combat.Refuse("cannot_act", "reason", reason)
	}
	if c.Marks[markBegun] > 0 {
		return nil, combat.Refuse("turn_already_begun")
	}
	return f, nil
}

// delay puts the turn off before anything is done in it (SF-15). Its place
// stays where it is until the delayer comes out.
func (y System) delay(d *combat.Draft, cmd combat.Delay) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	f, r := y.mayDelay(d, c, cmd.Frame)
	if r != nil {
		return r
	}
	d.Emit(combat.DelaySet{Combatant: c.ID, Delaying: true})
	d.Marks(c.ID, map[string]int{markDelayed: d.State().Round + 1, markReturned: 0})
	d.LeaveTurn(f)
	d.Advance()
	return nil
}

// mayReturn checks everything about ReturnFromDelay.
func (y System) mayReturn(d *combat.Draft, c *combat.Combatant) *combat.Refusal {
	s := d.State()
	switch reason := y.able(s, c); {
	case !c.Delaying:
		return combat.Refuse("not_delayed")
	case !s.InFight() || len(s.Stack) == 0:
		return combat.Refuse("not_started", "phase", s.Phase)
	case reason != "":
		return combat.Refuse("cannot_act", "reason", reason)
	}
	return nil
}

// comeOut takes the delayed turn (SF-15): at once, if the turn that goes on is
// untouched (SF-15a), else when it ends.
func (y System) comeOut(d *combat.Draft, cmd combat.ReturnFromDelay) *combat.Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if r := y.mayReturn(d, c); r != nil {
		return r
	}
	if d.State().SlotOf(c.ID) == nil {
		return combat.Refuse("not_delayed")
	}
	turn := d.State().Turn()
	now := untouched(d.State())
	if now && d.State().Combatant(turn.Combatant).Marks[markReturned] > 0 {
		now = first(d, c.ID, turn.Combatant) // two come out together
	}
	d.Emit(combat.DelaySet{Combatant: c.ID})
	d.Marks(c.ID, map[string]int{markDelayed: 0, markWaits: d.State().Round + 1, markReturned: 1})
	if !now {
		queue(d, c.ID, turn)
		return nil
	}
	id, slot := turn.Combatant, turn.Slot
	d.LeaveTurn(turn)
	d.Marks(id, map[string]int{markWaits: d.State().Round + 1})
	relocate(d, move{id: c.ID, beside: slot, count: finished(d.State(), slot)})
	d.Advance()
	return nil
}

// untouched reports whether nothing has been spent or interrupted in the turn
// that goes on.
func untouched(s *combat.State) bool {
	turn := s.Turn()
	at := indexOf(s.Order, turn.Slot)
	return !turn.Touched && len(s.Stack) == 1 && turn.Step == combat.StepAct && !s.Owes(turn.ID) && at >= 0 && s.Order[at].Kind == combat.SlotTurn
}

// finished is the count of the creature that finished before a slot came up;
// at the start of a round, that of the slot.
func finished(s *combat.State, slot combat.ID) combat.Count {
	at := indexOf(s.Order, slot)
	for i := at - 1; i >= 0; i-- {
		if s.Order[i].Done {
			return min(s.Order[i].Count, s.Order[at-1].Count)
		}
	}
	return s.Order[at].Count
}

// queue puts a delayer behind the turn that goes on, among those who wait there
// already: higher modifier first, then a roll-off (SF-15).
func queue(d *combat.Draft, id combat.ID, turn *combat.Frame) {
	s := d.State()
	at := indexOf(s.Order, turn.Slot)
	behind, count := turn.Slot, s.Count
	for i := at + 1; at >= 0 && i < len(s.Order); i++ {
		slot := s.Order[i]
		c := s.Combatant(slot.Combatant)
		if c == nil || slot.Kind != combat.SlotTurn || slot.Done || c.ID == id || c.Marks[markReturned] == 0 || c.Marks[markWaits] != s.Round+1 || first(d, id, c.ID) {
			break
		}
		behind = slot.ID
	}
	relocate(d, move{id: id, beside: behind, behind: true, count: count})
}

// first reports whether a comes out before b when both do at once: the higher
// modifier, then a roll-off (SF-15).
func first(d *combat.Draft, a, b combat.ID) bool {
	const enough = 50 // chance cannot tie this often; a broken source of dice could
	if x, y := d.State().Combatant(a).Mod, d.State().Combatant(b).Mod; x != y {
		return x > y
	}
	for range enough {
		x, y := d.Roll(20), d.Roll(20)
		d.Emit(combat.RolledOff{Combatant: a, Die: x, With: []combat.ID{b}})
		d.Emit(combat.RolledOff{Combatant: b, Die: y, With: []combat.ID{a}})
		if x != y {
			return x > y
		}
	}
	return false
}

// move says where a slot goes: next to another, whose turn is done or not.
type move struct {
	id, beside combat.ID // whose slot; next to which
	behind     bool
	count      combat.Count
	done       bool // no turn in it in this round
}

// relocate moves the slot of a combatant to a count, which is its own for the
// rest of the fight. If its old place is still to come in this round, an upkeep
// stays there (SF-16, SF-19, SF-20).
func relocate(d *combat.Draft, m move) {
	s := d.State()
	order, cursor := slices.Clone(s.Order), s.Cursor
	from := indexOf(order, s.SlotOf(m.id).ID)
	own := order[from]
	place := combat.Slot{ID: d.NewID("s"), Kind: combat.SlotUpkeep, Combatant: m.id, Count: own.Count, Once: true}
	if own.Done || from < indexOf(order, cursor) {
		place.Kind, place.Combatant, place.Done = combat.SlotMarker, "", true
	}
	if cursor == own.ID {
		cursor = place.ID
	}
	order[from] = place
	own.Count, own.Moved, own.Done = m.count, true, m.done
	at := indexOf(order, m.beside)
	if at < 0 {
		at = indexOf(order, cursor) // the turn's own place has gone
	}
	if m.behind {
		at++
	}
	at = max(at, 0)
	order = slices.Insert(order, at, own)
	if !m.behind && !m.done {
		// The turn that is put off comes up again, after this one.
		order[at+1].Done = false
		cursor = ""
		if at > 0 {
			cursor = order[at-1].ID
		}
	}
	d.SetOrder(order, cursor, "delay")
	if c := d.State().Combatant(m.id); c.Init == nil || *c.Init != m.count {
		d.Emit(combat.InitiativeSet{Combatant: m.id, Count: m.count})
	}
}

// Enter begins a turn, or goes on with one that has begun already: a delayed
// one (SF-15), or one that was put off for it (SF-15a). A delayer whose place
// comes up again has lost the turn it delayed (SF-16).
func (System) Enter(d *combat.Draft, slot combat.Slot) {
	c := d.State().Combatant(slot.Combatant)
	if used := slot.Kind == combat.SlotUpkeep; used != (c.Marks[markUsed] > 0) {
		d.Marks(c.ID, map[string]int{markUsed: one(used)})
	}
	switch {
	case slot.Kind == combat.SlotUpkeep:
	case c.Marks[markWaits] == d.State().Round+1:
		d.Marks(c.ID, map[string]int{markWaits: 0})
		d.ReenterTurn(slot)
		return
	case c.Delaying:
		d.Emit(combat.DelaySet{Combatant: c.ID})
		d.LoseTurn(c.ID, c.Marks[markDelayed]-1)
		d.Marks(c.ID, map[string]int{markDelayed: 0})
	}
	d.BeginTurn(slot)
}

// PassPlace gives the reaction back at the place of an upkeep that is jumped
// over (SF-19).
func (System) PassPlace(d *combat.Draft, slot combat.Slot) {
	if slot.Kind == combat.SlotUpkeep && d.State().Combatant(slot.Combatant) != nil {
		d.Emit(combat.PoolsSet{Combatant: slot.Combatant, Pools: []combat.Pool{full(poolReaction, 1)}, Why: "refresh"})
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
