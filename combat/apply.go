package combat

import (
	"cmp"
	"maps"
	"slices"
)

// apply writes one fact into the state being built. It cannot fail: a fact
// about something that is gone changes nothing. It knows no rules.
func (m *mutator) apply(event Event) {
	if lasts(event) {
		m.lasting = true
	}
	switch e := event.(type) {
	case Created:
		m.s.ID, m.s.Title, m.s.Rules, m.s.Options, m.s.Keys = e.ID, e.Title, e.Rules, e.Options, e.Keys
		m.s.Phase = PhaseSetup
	case Imported:
		if e.State != nil {
			seq, at := m.s.Seq, m.s.At
			*m.s = *e.State
			m.s.Seq, m.s.At = seq, at
		}
		m.s.ID, m.s.Keys, m.s.Seats = e.ID, e.Keys, nil
	case OptionsSet:
		if e.Title != nil {
			m.s.Title = *e.Title
		}
		if len(e.Options) > 0 {
			options := maps.Clone(m.s.Options)
			if options == nil {
				options = map[string]string{}
			}
			maps.Copy(options, e.Options)
			m.s.Options = options
			m.s.optionsRev++
		}
	case SeatAdded, SeatRemoved, SeatEdited, LinkReplaced:
		m.applySeat(event)
	case CombatantAdded, CombatantEdited, CombatantRemoved, HiddenSet, SightSet, DefeatedSet, SeatAssigned, PositionSet,
		ChargeSet, MarksSet, Planned, SurprisedSet, InitiativeSet, RolledOff, TieSettled, PoolsSet, DelaySet, ReadySet:
		m.applyCombatant(event)
	case Ordered, CombatStarted, RoundStarted, CombatEnded, CombatReset, TurnStarted, Stepped, TurnEnded, ClockSet:
		m.applyOrder(event)
	case Acted, Resolved, Staged, WindowOpened, WindowMoved, WindowClosed, FramePushed, FramePopped, Moved:
		m.applyStack(event)
	case Damaged, Healed, TempHPSet, LifeSet, HPSet, EffectAdded, EffectEnded, PendingOpened, PendingClosed:
		m.applyHealth(event)
	case Proposed, ProposalClosed:
		m.applyProposal(event)
	case Undone:
		m.applyUndone(e)
	case Redone:
		m.applyRedone(e)
	case Declined, Saved, Noted, DiceRolled, Said:
		// for the log only
	}
}

// lasts reports whether an event is something to take back with undo. Talk,
// dice, drafts of plans, what players ask for and who sits where are not.
func lasts(event Event) bool {
	switch e := event.(type) {
	case Planned:
		return e.Declared
	case ProposalClosed:
		return e.Why == "accepted" || e.Why == "dismissed"
	case OptionsSet:
		_, delay := e.Options[OptionSpectatorDelay]
		return e.Title != nil || len(e.Options) > 1 || !delay
	case Created, Imported, SeatAdded, SeatRemoved, SeatEdited, LinkReplaced, Noted, DiceRolled, Said, Undone, Redone, Proposed:
		return false
	}
	return true
}

func (m *mutator) applySeat(event Event) {
	switch e := event.(type) {
	case SeatAdded:
		m.ownSeats()
		m.s.Seats = append(m.s.Seats, &Seat{ID: e.Seat, Name: e.Name, Key: e.Key})
	case SeatRemoved:
		m.ownSeats()
		m.s.Seats = slices.DeleteFunc(m.s.Seats, func(s *Seat) bool { return s.ID == e.Seat })
		m.s.forgetSeat(e.Seat)
		for _, c := range m.s.Combatants {
			if c.Seat == e.Seat {
				m.combatant(c.ID).Seat = ""
			}
		}
	case SeatEdited:
		if seat := m.seat(e.Seat); seat != nil {
			seat.Name, seat.ReadOnly = e.Name, e.ReadOnly
		}
	case LinkReplaced:
		keys := maps.Clone(m.s.Keys)
		if keys == nil {
			keys = map[string]string{}
		}
		keys[e.Role] = e.Key
		m.s.Keys = keys
	}
}

func (m *mutator) applyCombatant(event Event) {
	switch e := event.(type) {
	case CombatantAdded:
		m.ownCombatants()
		fresh := e.Combatant
		m.s.Combatants = append(m.s.Combatants, &fresh)
		m.combatants = append(m.combatants, &fresh)
		if fresh.Init != nil && m.s.Phase == PhaseSetup {
			m.s.Phase = PhaseInitiative
		}
	case CombatantEdited:
		m.with(e.Combatant, func(c *Combatant) {
			c.Name, c.Side, c.Kind, c.Group, c.Mod, c.HP, c.MaxHP = e.Name, e.Side, e.Kind, e.Group, e.Mod, e.HP, e.MaxHP
			c.AC, c.Speed, c.Notes, c.Answers, c.Stats = e.AC, e.Speed, e.Notes, e.Answers, e.Stats
		})
	case CombatantRemoved:
		m.ownCombatants()
		m.s.Combatants = slices.DeleteFunc(m.s.Combatants, func(c *Combatant) bool { return c.ID == e.Combatant })
	case HiddenSet:
		m.with(e.Combatant, func(c *Combatant) {
			players, spectators := !c.hiddenFrom(Players), !c.hiddenFrom(Spectators)
			c.hide(e.From, e.Hidden, e.UntilAct)
			players, spectators = players && c.hiddenFrom(Players), spectators && c.hiddenFrom(Spectators)
			if f := m.s.Turn(); f != nil && f.Combatant == c.ID && (players || spectators) {
				m.s.saw(f, players, spectators, "") // the turn that was seen stays in sight
			}
		})
	case SightSet:
		m.with(e.Combatant, func(c *Combatant) { c.Sight = c.Sight.with(e.Audience, e.Sight) })
	case DefeatedSet:
		m.with(e.Combatant, func(c *Combatant) { c.Defeated = e.Defeated })
	case SeatAssigned:
		m.with(e.Combatant, func(c *Combatant) {
			m.s.forgetSeat(c.Seat)
			c.Seat = e.Seat
		})
	case PositionSet:
		m.with(e.Combatant, func(c *Combatant) { c.Position = e.Position })
	case ChargeSet:
		m.with(e.Combatant, func(c *Combatant) {
			c.Spent = slices.DeleteFunc(slices.Clone(c.Spent), func(name string) bool { return name == e.Name })
			if !e.Charged {
				c.Spent = append(c.Spent, e.Name)
			}
			if len(c.Spent) == 0 {
				c.Spent = nil
			}
		})
	case MarksSet:
		m.with(e.Combatant, func(c *Combatant) { c.setMarks(e.Marks) })
	case Planned:
		m.with(e.Combatant, func(c *Combatant) { c.Plan, c.Declared = e.Plan, e.Declared })
	case SurprisedSet:
		m.with(e.Combatant, func(c *Combatant) { c.Surprised = e.Surprised })
	case InitiativeSet:
		m.with(e.Combatant, func(c *Combatant) {
			count := e.Count
			c.Init, c.Die, c.Rolls, c.Rank = &count, e.Die, nil, 0
		})
		if m.s.Phase == PhaseSetup {
			m.s.Phase = PhaseInitiative
		}
	case RolledOff:
		m.with(e.Combatant, func(c *Combatant) { c.Rolls = append(slices.Clone(c.Rolls), e.Die) })
	case TieSettled:
		for i, id := range e.Order {
			m.with(id, func(c *Combatant) { c.Rank = i + 1 })
		}
	case PoolsSet:
		m.with(e.Combatant, func(c *Combatant) { c.setPools(e.Pools) })
	case DelaySet:
		m.with(e.Combatant, func(c *Combatant) { c.Delaying = e.Delaying })
	case ReadySet:
		m.with(e.Combatant, func(c *Combatant) { c.Readied = e.Readied })
	}
}

// with changes a combatant if it is there.
func (m *mutator) with(id ID, change func(*Combatant)) {
	if c := m.combatant(id); c != nil {
		change(c)
	}
}

func (m *mutator) applyOrder(event Event) {
	switch e := event.(type) {
	case Ordered:
		m.s.Order, m.own.order = slices.Clone(e.Slots), true
		m.s.Cursor, m.s.Ties = e.Cursor, e.Ties
	case CombatStarted:
		m.s.Phase, m.s.Round, m.s.Cursor, m.s.Last, m.s.LastFor = PhaseInitiative, 0, "", nil, nil
	case RoundStarted:
		m.s.Phase, m.s.Round, m.s.Cursor = e.Phase, e.Round, ""
		m.ownOrder()
		for i := range m.s.Order {
			m.s.Order[i].Done = false
		}
	case CombatEnded:
		m.s.Phase = PhaseEnded
		m.stopFight()
	case CombatReset:
		m.s.Phase, m.s.Round, m.s.Count = PhaseSetup, 0, 0
		m.stopFight()
		if e.Clear {
			m.keepParty()
		} else {
			m.s.Effects, m.own.effects = nil, true
		}
		for _, c := range m.s.Combatants {
			m.combatant(c.ID).forgetFight()
		}
	case TurnStarted:
		m.s.Cursor = e.Slot
		if e.Count != nil {
			m.s.Count = *e.Count
		}
		if i := m.s.slotIndex(e.Slot); i >= 0 {
			m.ownOrder()
			m.s.Order[i].Done = true
		}
		m.push(Frame{ID: e.Frame, Kind: e.Kind, Slot: e.Slot, Combatant: e.Combatant, Step: StepStart, Empty: e.Empty, StartedAt: e.At})
		m.s.Clock = Clock{Frame: e.Frame, Left: e.TurnMs}
		m.with(e.Combatant, func(c *Combatant) {
			c.setPools(e.Pools)
			c.Acted = c.Acted || e.Kind == FrameTurn
		})
	case Stepped:
		if f := m.frame(e.Frame); f != nil {
			f.Step, f.Empty = e.Step, e.Empty
		}
	case TurnEnded:
		if f := m.s.Frame(e.Frame); f != nil {
			players, spectators, seat := true, true, ID("")
			if c := m.s.Combatant(f.Combatant); c != nil {
				players, spectators, seat = !c.hiddenFrom(Players), !c.hiddenFrom(Spectators), c.Seat
			}
			m.s.saw(f, players, spectators, seat)
			m.pop(e.Frame)
		}
		m.s.Clock = Clock{}
	case ClockSet:
		m.s.Clock = e.Clock
	}
}

// keepParty takes out all who are not of the party, and all effects but those
// on the party that have no end.
func (m *mutator) keepParty() {
	m.ownCombatants()
	m.s.Combatants = slices.DeleteFunc(m.s.Combatants, func(c *Combatant) bool { return c.Kind != "pc" })
	for _, c := range m.s.Combatants {
		m.combatant(c.ID).Position = ""
	}
	m.ownEffects()
	m.s.Effects = slices.DeleteFunc(m.s.Effects, func(x *Effect) bool { return x.Ends.At != AtNever || m.s.Combatant(x.Target) == nil })
}

func (m *mutator) stopFight() {
	m.s.Stack, m.own.stack = nil, true
	m.s.Pending, m.own.pending = proposals(m.s.Pending), true
	m.s.Order, m.own.order = nil, true
	m.s.Cursor, m.s.Clock, m.s.Ties, m.s.Last, m.s.LastFor = "", Clock{}, nil, nil, nil
}

func (m *mutator) applyStack(event Event) {
	switch e := event.(type) {
	case Acted:
		if f := m.frame(e.Frame); f != nil {
			action := e.Action
			f.Action, f.Touched, f.Auto = &action, true, f.Auto || e.Auto
			m.with(e.Combatant, func(c *Combatant) { c.setPools(action.Paid) })
		}
	case Resolved:
		m.withAction(e.Frame, func(f *Frame, a *Action) {
			a.Stage = StageDone
			if e.Over {
				f.over()
			}
		})
	case Staged:
		m.withAction(e.Frame, func(f *Frame, a *Action) {
			a.Stage = e.Stage
			if e.Roll != nil {
				a.Roll = e.Roll
			}
			if e.Stage == StageOver {
				f.over()
			}
		})
	case Moved:
		m.with(e.Combatant, func(c *Combatant) {
			if e.Position != "" {
				c.Position = e.Position
			}
		})
		if f := m.frame(e.Frame); f != nil {
			f.over()
		}
	case WindowOpened:
		if f := m.frame(e.Frame); f != nil {
			w := e.Window
			f.Window = &w
		}
		m.withAction(e.Frame, func(_ *Frame, a *Action) { a.Stage = e.Stage })
	case WindowMoved:
		if f := m.frame(e.Frame); f != nil && f.Window != nil {
			w := *f.Window
			w.Eligible, w.Deadline = e.Eligible, e.Deadline
			f.Window = &w
		}
	case WindowClosed:
		if f := m.frame(e.Frame); f != nil {
			f.Window = nil
		}
	case FramePushed:
		if bottom := m.s.Turn(); bottom != nil && e.Frame.Kind != FrameLegendary {
			m.frame(bottom.ID).Touched = true
		}
		m.push(e.Frame)
		m.with(e.Frame.Combatant, func(c *Combatant) { c.setPools(e.Pools) })
	case FramePopped:
		m.pop(e.Frame)
	}
}

// over ends the action of a frame, which is remembered as what it did last.
func (f *Frame) over() { f.Did, f.Action = cmp.Or(f.Action, f.Did), nil }

// value reads a number that is hidden from some.
func value[N int | Count](n *N) N {
	if n == nil {
		return 0
	}
	return *n
}

// withAction changes the action that a frame is about.
func (m *mutator) withAction(id ID, change func(*Frame, *Action)) {
	if f := m.frame(id); f != nil && f.Action != nil {
		action := *f.Action
		f.Action = &action
		change(f, &action)
	}
}

func (m *mutator) applyHealth(event Event) {
	switch e := event.(type) {
	case Damaged:
		m.with(e.Combatant, func(c *Combatant) { c.HP, c.Temp = value(e.HP), value(e.Temp) })
	case Healed:
		m.with(e.Combatant, func(c *Combatant) { c.HP = value(e.HP) })
	case TempHPSet:
		m.with(e.Combatant, func(c *Combatant) { c.Temp = e.Temp })
	case HPSet:
		m.with(e.Combatant, func(c *Combatant) { c.HP = e.HP })
	case LifeSet:
		m.with(e.Combatant, func(c *Combatant) { c.Life, c.HP, c.Defeated = e.Life, e.HP, e.Defeated })
	case EffectAdded:
		m.ownEffects()
		effect := e.Effect
		m.s.Effects = append(m.s.Effects, &effect)
	case EffectEnded:
		m.ownEffects()
		m.s.Effects = slices.DeleteFunc(m.s.Effects, func(x *Effect) bool { return x.ID == e.Effect })
	case PendingOpened:
		m.ownPending()
		pending := e.Pending
		m.s.Pending = append(m.s.Pending, &pending)
	case PendingClosed:
		m.ownPending()
		m.s.Pending = slices.DeleteFunc(m.s.Pending, func(p *Pending) bool { return p.ID == e.Pending })
	}
}
