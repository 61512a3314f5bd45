package combat

import "slices"

// Undo and redo are commits like any other: nothing is ever deleted. The state
// to return to comes out of history; the event carries it, so that a log can be
// folded from a snapshot that has no history.

// undo decides how far back to go: one step, or until no commit after to
// stands (or history ends).
func (d *Draft) undo(to uint64) *Refusal {
	s := d.State()
	at := s.past
	if at == nil || to > 0 && at.seq <= to {
		return refuse("nothing_to_undo", "phase", s.Phase)
	}
	count, back := 1, at.closed
	for to > 0 && at.parent != nil && at.parent.seq > to {
		at, count = at.parent, count+1
		back = append(slices.Clone(back), at.closed...)
	}
	d.Emit(Undone{To: at.seq - 1, Took: at.label, Count: count, State: d.rebase(at.state, back, nil)})
	return nil
}

// redo decides to bring back what the last undo took.
func (d *Draft) redo() *Refusal {
	s := d.State()
	if s.future == nil {
		return refuse("nothing_to_redo", "phase", s.Phase)
	}
	d.Emit(Redone{Brought: s.future.label, State: d.rebase(s.future.state, s.future.closed, s.future.opened)})
	return nil
}

// rebase copies a state of the past for use now: what was left on every clock
// then is left on it again. What players ask for is not taken from them: the
// proposals that are open stay open, but for those of taken; of those that were
// open then, the ones of back are open again.
func (d *Draft) rebase(old *State, back, taken []ID) *State {
	s := *old
	s.past, s.future = nil, nil
	s.shiftClocks(d.By.Now - old.At)
	s.keepProposals(d.State(), back, taken)
	s.Seats, s.Keys = nil, nil
	return &s
}

// shiftClocks moves every moment in a state that is being built.
func (s *State) shiftClocks(by int64) {
	if s.Clock.Deadline > 0 {
		s.Clock.Deadline += by
	}
	s.Stack = slices.Clone(s.Stack)
	for i, f := range s.Stack {
		fresh := *f
		fresh.StartedAt += by
		if f.Window != nil && f.Window.Deadline > 0 {
			w := *f.Window
			w.Deadline += by
			fresh.Window = &w
		}
		s.Stack[i] = &fresh
	}
	s.Last = s.Last.shifted(by)
	if len(s.LastFor) > 0 {
		shifted := make(map[string]*LastTurn, len(s.LastFor))
		for name, last := range s.LastFor {
			shifted[name] = last.shifted(by)
		}
		s.LastFor = shifted
	}
}

// shifted is the same turn at another time.
func (l *LastTurn) shifted(by int64) *LastTurn {
	if l == nil {
		return nil
	}
	last := *l
	last.StartedAt += by
	if last.Clock.Deadline > 0 {
		last.Clock.Deadline += by
	}
	return &last
}

// restore puts a former state in place, save for what stands outside undo.
func (m *mutator) restore(old *State) {
	now := m.s
	fresh := *old
	fresh.Seq, fresh.At, fresh.Seats, fresh.Keys = now.Seq, now.At, now.Seats, now.Keys
	fresh.Options = keepDelay(fresh.Options, now.Options)
	fresh.past, fresh.future, fresh.optionsRev = now.past, now.future, now.optionsRev+1
	m.s = &fresh
	m.combatants, m.frames = nil, nil
	m.own = struct{ combatants, order, stack, pending, effects, seats bool }{}
	for _, c := range fresh.Combatants {
		if c.Seat != "" && fresh.Seat(c.Seat) == nil {
			m.combatant(c.ID).Seat = ""
		}
	}
}

func (m *mutator) applyUndone(e Undone) {
	if e.State == nil {
		return
	}
	m.undo = true
	at := m.s.past
	for at != nil && at.seq > e.To+1 {
		at = at.parent
	}
	m.restore(e.State)
	m.s.future = &mark{state: m.before, label: e.Took, parent: m.before.future,
		closed: proposalsWithout(m.before, m.s), opened: proposalsWithout(m.s, m.before)}
	m.s.past = nil
	if at != nil {
		m.s.past = at.parent
	}
}

func (m *mutator) applyRedone(e Redone) {
	if e.State == nil {
		return
	}
	m.redo = true
	future := m.s.future
	m.restore(e.State)
	if future != nil {
		m.s.past, m.s.future = future.state.past, future.parent
	}
}
