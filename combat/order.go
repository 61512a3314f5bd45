package combat

import (
	"slices"
)

// unit is the slots that stand together in the order: those of a group, or one.
type unit struct {
	key   string
	slots []Slot
}

// first is the slot that stands for the unit in comparisons.
func (u *unit) first() *Slot { return &u.slots[0] }

// Join puts the slots that newcomers have in a round into the order and decides
// the ties that this makes, as MakeOrder does. Places that stand do not change.
func (d *Draft) Join(ids []ID, round int) {
	d.join(ids, round)
	d.partTies()
}

// MakeOrder builds the order of a round from scratch out of every combatant's
// slots: by count, then by the system's rule for ties (C-01). Ties that the
// rules leave open wait for people, or are rolled off now.
func (d *Draft) MakeOrder(round int) {
	d.Emit(Ordered{Slots: d.units(d.collect(round)), Why: "start"})
	d.partTies()
}

// partTies finds the ties that the rules leave open, and rolls them off unless
// people decide them.
func (d *Draft) partTies() {
	d.markTies()
	if !d.System.TiesWait(d.State()) {
		for len(d.State().Ties) > 0 {
			d.rollOffTie(d.State().Ties[0])
		}
	}
}

// collect gathers the slots of all who fight, grouped by unit.
func (d *Draft) collect(round int) []unit {
	var units []unit
	s := d.State()
	for _, c := range s.Combatants {
		for _, slot := range d.System.Slots(s, c, round) {
			slot.ID = d.NewID("s")
			key := ""
			if slot.Kind == SlotTurn && !slot.Once {
				key = d.System.Together(s, c)
			}
			i := slices.IndexFunc(units, func(u unit) bool { return key != "" && u.key == key && u.first().Count == slot.Count })
			if i < 0 {
				units = append(units, unit{key: key})
				i = len(units) - 1
			}
			units[i].slots = append(units[i].slots, slot)
		}
	}
	return units
}

// units puts units in order and lays their slots out in a row.
func (d *Draft) units(units []unit) []Slot {
	slices.SortStableFunc(units, func(a, b unit) int {
		if a.first().Count != b.first().Count {
			return int(b.first().Count) - int(a.first().Count)
		}
		return d.System.Compare(d.State(), a.first(), b.first())
	})
	slots := []Slot{}
	for _, u := range units {
		slots = append(slots, u.slots...)
	}
	return slots
}

// splitUnits is the order seen as units again.
func (d *Draft) splitUnits() []unit {
	var units []unit
	s := d.State()
	for _, slot := range s.Order {
		key := ""
		if c := s.Combatant(slot.Combatant); c != nil && slot.Kind == SlotTurn && !slot.Once {
			key = d.System.Together(s, c)
		}
		if n := len(units); n > 0 && key != "" && units[n-1].key == key && units[n-1].first().Count == slot.Count {
			units[n-1].slots = append(units[n-1].slots, slot)
			continue
		}
		units = append(units, unit{key: key, slots: []Slot{slot}})
	}
	return units
}

// markTies records which neighbours the rules leave undecided.
func (d *Draft) markTies() {
	s := d.State()
	var ties [][]ID
	var tie []unit
	flush := func() {
		if len(tie) > 1 {
			ids := []ID{}
			for _, u := range tie {
				ids = append(ids, u.first().Combatant)
			}
			ties = append(ties, ids)
		}
		tie = nil
	}
	for _, u := range d.splitUnits() {
		if len(tie) > 0 && (tie[0].first().Count != u.first().Count || d.System.Compare(s, tie[len(tie)-1].first(), u.first()) != 0) {
			flush()
		}
		tie = append(tie, u)
	}
	flush()
	if len(ties) > 0 {
		d.Emit(Ordered{Slots: s.Order, Cursor: s.Cursor, Ties: ties, Why: "tie"})
	}
}

// rollOffTie rolls for those tied until all differ, rerolling only among those
// still equal (C-12), and puts them in that order.
func (d *Draft) rollOffTie(tie []ID) {
	present := slices.DeleteFunc(slices.Clone(tie), func(id ID) bool { return d.State().Combatant(id) == nil })
	d.rollApart(present, 0)
	d.reTie(tie)
}

// rollApart gives those in the list one more die each and then parts those
// whose dice are still equal.
func (d *Draft) rollApart(ids []ID, depth int) {
	const enough = 50 // chance cannot tie this often; a broken source of dice could
	s := d.State()
	for _, id := range ids {
		if c := s.Combatant(id); len(ids) > 1 && len(c.Rolls) <= depth {
			d.Emit(RolledOff{Combatant: id, Die: d.Roll(20), With: without(ids, id)})
		}
	}
	for i, id := range ids {
		same := []ID{id}
		for _, other := range ids[i+1:] {
			if depth < enough && CompareSettled(d.State().Combatant(id), d.State().Combatant(other)) == 0 {
				same = append(same, other)
			}
		}
		if len(same) > 1 {
			d.rollApart(same, depth+1)
		}
	}
}

// reTie sorts the units of a tie that has been decided and forgets it.
func (d *Draft) reTie(tie []ID) {
	s := d.State()
	units := d.splitUnits()
	// Wherever they stand side by side at one count: with several slots each,
	// that may be in several places.
	for first := 0; first < len(units); first++ {
		last := first
		for last < len(units) && units[last].first().Count == units[first].first().Count && slices.Contains(tie, units[last].first().Combatant) {
			last++
		}
		if last-first > 1 {
			slices.SortStableFunc(units[first:last], func(a, b unit) int { return d.System.Compare(s, a.first(), b.first()) })
			first = last - 1
		}
	}
	slots := []Slot{}
	for _, u := range units {
		slots = append(slots, u.slots...)
	}
	ties := slices.DeleteFunc(slices.Clone(s.Ties), func(t []ID) bool { return slices.Equal(t, tie) })
	if len(ties) == 0 {
		ties = nil
	}
	d.Emit(Ordered{Slots: slots, Cursor: s.Cursor, Ties: ties, Why: "tie"})
}

// tieOf returns the undecided tie that a combatant is in, before the fight
// (from the counts) or in it (as recorded).
func (d *Draft) tieOf(id ID) []ID {
	for _, tie := range d.openTies() {
		if slices.Contains(tie, id) {
			return tie
		}
	}
	return nil
}

// openTies lists the ties nobody has decided.
func (d *Draft) openTies() [][]ID { return openTies(d.System, d.State()) }

func openTies(system System, s *State) [][]ID {
	if s.InFight() || s.Phase == PhaseEnded {
		return s.Ties
	}
	var ties [][]ID
	for i, a := range s.Combatants {
		if a.Init == nil || slices.ContainsFunc(ties, func(t []ID) bool { return slices.Contains(t, a.ID) }) {
			continue
		}
		tie := []ID{a.ID}
		group := system.Together(s, a)
		for _, b := range s.Combatants[i+1:] {
			if b.Init == nil || *b.Init != *a.Init || group != "" && system.Together(s, b) == group {
				continue
			}
			other := system.Together(s, b)
			if other != "" && slices.ContainsFunc(tie, func(id ID) bool { return system.Together(s, s.Combatant(id)) == other }) {
				continue
			}
			if system.Compare(s, &Slot{Kind: SlotTurn, Combatant: a.ID, Count: *a.Init}, &Slot{Kind: SlotTurn, Combatant: b.ID, Count: *b.Init}) == 0 {
				tie = append(tie, b.ID)
			}
		}
		if len(tie) > 1 {
			ties = append(ties, tie)
		}
	}
	return ties
}

// without is a list but for one.
func without(ids []ID, id ID) []ID {
	return slices.DeleteFunc(slices.Clone(ids), func(x ID) bool { return x == id })
}

// settleTie puts a tie in the order given: all of it that the sender may know
// of. Anybody else in it is rolled for when its first slot comes up.
func (d *Draft) settleTie(order []ID) *Refusal {
	whole := d.tieOf(order[0])
	tie := d.tied(whole)
	if !stillTied(d.State(), tie) || !slices.Contains(tie, order[0]) {
		return refuse("stale_pending", "field", "order")
	}
	if len(order) != len(tie) || slices.ContainsFunc(order, func(id ID) bool { return !slices.Contains(tie, id) }) {
		return refuse("bad_value", "field", "order")
	}
	if !d.gm() && !maySettle(d.State(), d.By, tie) {
		return refuse("forbidden")
	}
	d.Emit(TieSettled{Order: order})
	if d.State().InFight() && !stillTied(d.State(), whole) {
		d.reTie(whole)
	}
	return nil
}

// stillTied reports whether any two of a tie are still to be told apart.
func stillTied(s *State, tie []ID) bool {
	for i, a := range tie {
		for _, b := range tie[i+1:] {
			if CompareSettled(s.Combatant(a), s.Combatant(b)) == 0 {
				return true
			}
		}
	}
	return false
}

// seen keeps those whom the sender may know of.
func (d *Draft) seen(ids []ID) []ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id ID) bool { return !d.Knows(id) })
}

// tied keeps those of a tie whose counts the sender may know: a tie tells them.
func (d *Draft) tied(tie []ID) []ID {
	if d.gm() {
		return tie
	}
	s, options := d.State(), d.policy
	return slices.DeleteFunc(slices.Clone(tie), func(id ID) bool {
		if !d.Knows(id) {
			return true
		}
		c := s.Combatant(id)
		if d.owns(c) {
			return false
		}
		if options == nil {
			options = policyOf(d.System, s)
		}
		return options.of(Players, c).Count != "yes"
	})
}

// maySettle reports whether a player may order a tie: only characters are in
// it, and one of them is its own (5E-06).
func maySettle(s *State, by By, tie []ID) bool {
	own := false
	for _, id := range tie {
		c := s.Combatant(id)
		if c == nil || c.Kind != "pc" {
			return false
		}
		own = own || c.Seat == by.Seat && by.Seat != ""
	}
	return own
}

// join puts the slots of newcomers into the order: by count and tie rule, never
// before somebody it does not beat (C-05). A unit that is already there gets
// them at its end.
func (d *Draft) join(ids []ID, round int) {
	for _, id := range ids {
		s := d.State()
		c := s.Combatant(id)
		order, cursor := slices.Clone(s.Order), s.Cursor
		for _, slot := range d.System.Slots(s, c, round) {
			slot.ID = d.NewID("s")
			order = slices.Insert(order, d.placeFor(order, &slot, c), slot)
		}
		d.Emit(Ordered{Slots: order, Cursor: cursor, Ties: s.Ties, Why: "joined"})
	}
}

// placeFor finds where a slot goes in an order.
func (d *Draft) placeFor(order []Slot, slot *Slot, c *Combatant) int {
	s := d.State()
	if key := d.System.Together(s, c); key != "" && slot.Kind == SlotTurn && !slot.Once {
		for i := len(order) - 1; i >= 0; i-- {
			mate := s.Combatant(order[i].Combatant)
			if mate != nil && mate.ID != c.ID && order[i].Kind == SlotTurn && order[i].Count == slot.Count && d.System.Together(s, mate) == key {
				return i + 1
			}
		}
	}
	for i := range order {
		other := &order[i]
		if other.Count < slot.Count {
			return i
		}
		if other.Count == slot.Count && !other.Moved && other.shown() && d.System.Compare(s, slot, other) < 0 {
			return i
		}
	}
	return len(order)
}

// lift takes slots out of an order. Where the cursor stood on one, a marker
// keeps its place (C-02 counts from there).
func (d *Draft) lift(order []Slot, cursor ID, out func(*Slot) bool) ([]Slot, ID) {
	kept := make([]Slot, 0, len(order)+1)
	for i := range order {
		slot := order[i]
		if !out(&slot) {
			kept = append(kept, slot)
			continue
		}
		if slot.ID == cursor {
			cursor = d.NewID("s")
			kept = append(kept, Slot{ID: cursor, Kind: SlotMarker, Count: slot.Count, Done: true, Once: true})
		}
	}
	return kept, cursor
}

// recount moves the slots of a combatant to where its new count puts them.
func (d *Draft) recount(id ID) {
	s := d.State()
	c := s.Combatant(id)
	var own []Slot
	order, cursor := d.lift(s.Order, s.Cursor, func(slot *Slot) bool {
		mine := slot.Combatant == id && slot.Kind == SlotTurn
		if mine {
			own = append(own, *slot)
		}
		return mine
	})
	slots := slices.DeleteFunc(slices.Clone(d.System.Slots(s, c, s.Round)), func(slot Slot) bool { return slot.Kind != SlotTurn })
	if len(slots) == 0 { // surprised since: what it has in this round it keeps
		slots = slices.Clone(own)
		for i := range slots {
			slots[i].Count = *c.Init
		}
	}
	for i, slot := range slots {
		slot.ID = d.NewID("s")
		if i < len(own) {
			slot.ID, slot.Done = own[i].ID, own[i].Done
		}
		order = slices.Insert(order, d.placeFor(order, &slot, c), slot)
	}
	d.Emit(Ordered{Slots: order, Cursor: cursor, Ties: s.Ties, Why: "count"})
}

// reorder puts the slots of these combatants in the order given, in the places
// that they hold together. Of one with several, it is the next.
func (d *Draft) reorder(cmd Reorder) *Refusal {
	s, ids := d.State(), cmd.Order
	order := slices.Clone(s.Order)
	var slots []*Slot
	var places []int
	for _, id := range ids {
		slot := s.SlotOf(id)
		if slot != nil && slot.Kind == SlotAction {
			slot = s.nextSlotOf(id)
		}
		if slot != nil && (slot.Kind != SlotAction || !slot.Done) {
			slots, places = append(slots, slot), append(places, s.slotIndex(slot.ID))
		}
	}
	slices.Sort(places)
	if len(cmd.Base) > 0 && len(places) > 0 {
		if now := s.standing(places[0], places[len(places)-1]); !slices.Equal(now, cmd.Base) {
			return stale("order", now)
		}
	}
	cursor := s.Cursor
	for n, slot := range slots {
		order[places[n]] = *slot
		order[places[n]].Moved = true
	}
	// The cursor is a place: if its slot has moved away, a marker holds it.
	if i := s.slotIndex(cursor); i >= 0 && order[i].ID != cursor {
		marker := Slot{ID: d.NewID("s"), Kind: SlotMarker, Count: order[i].Count, Done: true, Once: true}
		at := i
		// Who now stands in the cursor's place has its turn still to come.
		order = slices.Insert(order, at, marker)
		cursor = marker.ID
	}
	ties := slices.DeleteFunc(slices.Clone(s.Ties), func(tie []ID) bool {
		return slices.ContainsFunc(tie, func(id ID) bool { return slices.Contains(ids, id) })
	})
	if len(ties) == 0 {
		ties = nil
	}
	d.Emit(Ordered{Slots: order, Cursor: cursor, Ties: ties, Why: "gm"})
	return nil
}

// standing lists who stands from one place in the order to another, each once.
func (s *State) standing(from, to int) []ID {
	ids := []ID{}
	for _, slot := range s.Order[from : to+1] {
		if (slot.Kind == SlotTurn && !slot.Once || slot.Kind == SlotAction) && !slices.Contains(ids, slot.Combatant) {
			ids = append(ids, slot.Combatant)
		}
	}
	return ids
}
