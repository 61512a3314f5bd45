package combat

import (
	"maps"
	"slices"
)

// maxHistory bounds how many steps of undo are kept in memory; at twice as
// many, the older half is let go.
const maxHistory = 1000

// mutator builds the state after a commit: a copy that shares with the state
// before it whatever no event touched. What it has copied once it changes in
// place.
type mutator struct {
	before *State
	s      *State

	combatants []*Combatant // already copied
	frames     []*Frame     // already copied
	own        struct{ combatants, order, stack, pending, effects, seats bool }
	lasting    bool // something happened that undo should take back
	closed     []ID // proposals
	undo, redo bool
}

func mutate(s *State) *mutator {
	m := &mutator{before: s, s: &State{}}
	if s != nil {
		*m.s = *s
	}
	return m
}

// commit numbers the new state and gives it its place in history.
func (m *mutator) commit(label string, at int64) *State {
	m.s.Seq++
	m.s.At = at
	switch {
	case m.undo, m.redo, !m.lasting, m.before == nil:
	default:
		m.s.past = &mark{state: m.before, seq: m.s.Seq, label: label, parent: m.before.past, closed: m.closed}
		if m.before.past != nil {
			m.s.past.depth = m.before.past.depth + 1
		}
		if m.s.past.depth >= 2*maxHistory {
			m.s.past = trim(m.s.past)
		}
		m.s.future = nil
	}
	return m.s
}

// trim keeps the newest steps of history and lets the others go.
func trim(newest *mark) *mark {
	kept := make([]mark, maxHistory)
	for i := maxHistory - 1; i >= 0; i-- {
		bare := *newest.state
		bare.past, bare.future = nil, nil
		kept[i] = mark{state: &bare, seq: newest.seq, label: newest.label, depth: i, closed: newest.closed}
		if i < maxHistory-1 {
			kept[i+1].parent = &kept[i]
		}
		newest = newest.parent
	}
	return &kept[maxHistory-1]
}

// combatant returns a combatant that may be changed, or nil.
func (m *mutator) combatant(id ID) *Combatant {
	i := slices.IndexFunc(m.s.Combatants, func(c *Combatant) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	c := m.s.Combatants[i]
	if slices.Contains(m.combatants, c) {
		return c
	}
	fresh := *c
	m.ownCombatants()
	m.s.Combatants[i] = &fresh
	m.combatants = append(m.combatants, &fresh)
	return &fresh
}

func (m *mutator) ownCombatants() {
	if !m.own.combatants {
		m.s.Combatants, m.own.combatants = slices.Clone(m.s.Combatants), true
	}
}

// frame returns a frame that may be changed, or nil.
func (m *mutator) frame(id ID) *Frame {
	i := slices.IndexFunc(m.s.Stack, func(f *Frame) bool { return f.ID == id })
	if i < 0 {
		return nil
	}
	f := m.s.Stack[i]
	if slices.Contains(m.frames, f) {
		return f
	}
	fresh := *f
	m.ownStack()
	m.s.Stack[i] = &fresh
	m.frames = append(m.frames, &fresh)
	return &fresh
}

func (m *mutator) ownStack() {
	if !m.own.stack {
		m.s.Stack, m.own.stack = slices.Clone(m.s.Stack), true
	}
}

func (m *mutator) push(f Frame) {
	m.ownStack()
	m.s.Stack = append(m.s.Stack, &f)
	m.frames = append(m.frames, &f)
}

func (m *mutator) pop(id ID) {
	m.ownStack()
	m.s.Stack = slices.DeleteFunc(m.s.Stack, func(f *Frame) bool { return f.ID == id })
}

func (m *mutator) ownOrder() {
	if !m.own.order {
		m.s.Order, m.own.order = slices.Clone(m.s.Order), true
	}
}

func (m *mutator) ownEffects() {
	if !m.own.effects {
		m.s.Effects, m.own.effects = slices.Clone(m.s.Effects), true
	}
}

func (m *mutator) ownPending() {
	if !m.own.pending {
		m.s.Pending, m.own.pending = slices.Clone(m.s.Pending), true
	}
}

func (m *mutator) ownSeats() {
	if !m.own.seats {
		m.s.Seats, m.own.seats = slices.Clone(m.s.Seats), true
	}
}

// seat returns a seat that may be changed, or nil.
func (m *mutator) seat(id ID) *Seat {
	i := slices.IndexFunc(m.s.Seats, func(s *Seat) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	m.ownSeats()
	fresh := *m.s.Seats[i]
	m.s.Seats[i] = &fresh
	return &fresh
}

// setPools writes new values over the pools of the same names.
func (c *Combatant) setPools(pools []Pool) {
	c.Pools = slices.Clone(c.Pools)
	for _, p := range pools {
		if i := slices.IndexFunc(c.Pools, func(old Pool) bool { return old.Name == p.Name }); i >= 0 {
			c.Pools[i] = p
		} else {
			c.Pools = append(c.Pools, p)
		}
	}
}

// setMarks merges marks; zero deletes.
func (c *Combatant) setMarks(marks map[string]int) {
	merged := maps.Clone(c.Marks)
	if merged == nil {
		merged = map[string]int{}
	}
	for key, n := range marks {
		if n == 0 {
			delete(merged, key)
		} else {
			merged[key] = n
		}
	}
	if len(merged) == 0 {
		merged = nil
	}
	c.Marks = merged
}

// forgetFight clears what a combatant has only while a fight is on.
func (c *Combatant) forgetFight() {
	c.Init, c.Die, c.Rolls, c.Rank = nil, 0, nil, 0
	c.Surprised, c.Acted, c.Delaying = false, false, false
	c.Pools, c.Readied, c.Plan, c.Declared, c.Marks = nil, nil, nil, false, nil
}
