package combat

import "slices"

// Combatant returns the combatant of that id, or nil.
func (s *State) Combatant(id ID) *Combatant {
	for _, c := range s.Combatants {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Seat returns the seat of that id, or nil.
func (s *State) Seat(id ID) *Seat {
	for _, seat := range s.Seats {
		if seat.ID == id {
			return seat
		}
	}
	return nil
}

// Acting returns the frame that acts: the top of the stack, or nil.
func (s *State) Acting() *Frame {
	if len(s.Stack) == 0 {
		return nil
	}
	return s.Stack[len(s.Stack)-1]
}

// Turn returns the bottom of the stack: the turn, under any interrupts, or nil.
func (s *State) Turn() *Frame {
	if len(s.Stack) == 0 {
		return nil
	}
	return s.Stack[0]
}

// Frame returns the frame of that id, or nil.
func (s *State) Frame(id ID) *Frame {
	for _, f := range s.Stack {
		if f.ID == id {
			return f
		}
	}
	return nil
}

// Window returns the question that is being asked now: that of the acting
// frame, or nil. Questions of frames further down wait.
func (s *State) Window() *Window {
	if f := s.Acting(); f != nil {
		return f.Window
	}
	return nil
}

// PendingByID returns the decision of that id, or nil.
func (s *State) PendingByID(id ID) *Pending {
	for _, p := range s.Pending {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// Effect returns the effect of that id, or nil.
func (s *State) Effect(id ID) *Effect {
	for _, e := range s.Effects {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// HasEffect reports whether the target is under an effect of one of these
// names.
func (s *State) HasEffect(target ID, names ...string) bool {
	for _, e := range s.Effects {
		if e.Target == target && slices.Contains(names, e.Name) {
			return true
		}
	}
	return false
}

// slotIndex returns the index of the slot in the order, or -1.
func (s *State) slotIndex(id ID) int {
	for i := range s.Order {
		if s.Order[i].ID == id {
			return i
		}
	}
	return -1
}

// SlotOf returns the combatant's own turn slot, or nil. The pointer is into
// the order: read only.
func (s *State) SlotOf(id ID) *Slot {
	for i := range s.Order {
		if s.Order[i].Combatant == id && s.Order[i].shown() && s.Order[i].Kind != SlotLair && !s.Order[i].Once {
			return &s.Order[i]
		}
	}
	return nil
}

// nextSlotOf returns the first of a combatant's own slots that is not done, else
// its first.
func (s *State) nextSlotOf(id ID) *Slot {
	for i := range s.Order {
		slot := &s.Order[i]
		if slot.Combatant == id && (slot.Kind == SlotTurn || slot.Kind == SlotAction) && !slot.Once && !slot.Done {
			return slot
		}
	}
	return s.SlotOf(id)
}

// InFight reports whether turns are being played.
func (s *State) InFight() bool {
	return s.Phase == PhaseRounds || s.Phase == PhaseSurprise || s.Phase == PhaseDeclaration
}

// Pool returns what is left in a pool of the combatant, and whether it has one.
func (c *Combatant) Pool(name string) (left int, has bool) {
	for _, p := range c.Pools {
		if p.Name == name {
			return p.Left, true
		}
	}
	return 0, false
}

// CurrentAC is the armour class with all effects.
func (s *State) CurrentAC(c *Combatant) int {
	ac := c.AC
	for _, e := range s.Effects {
		if e.Target == c.ID {
			ac += e.AC
		}
	}
	return ac
}

// CurrentMaxHP is the hit point maximum in force.
func (s *State) CurrentMaxHP(c *Combatant) int {
	if c.MaxHP == 0 {
		return 0
	}
	most := c.MaxHP
	for _, e := range s.Effects {
		if e.Target == c.ID {
			most += e.MaxHP
		}
	}
	return max(most, 1)
}

// Fights reports whether the combatant is still in the fight: its slots come
// up. One who lies dying does; one who is dead or defeated does not.
func (c *Combatant) Fights() bool { return !c.Defeated && c.Life != Dead }

// Prices says what paying changes: each pool with what it takes.
func Prices(c *Combatant, paid []Pool) []Price {
	var prices []Price
	for _, p := range paid {
		left, _ := c.Pool(p.Name)
		if p.Left > left {
			continue // bought, not paid
		}
		prices = append(prices, Price{Pool: p.Name, Cost: left - p.Left, Left: p.Left})
	}
	return prices
}
