package combat

import (
	"maps"
	"slices"
)

// Log returns the lines that an audience may read of a commit that led from
// one state to the next (before is nil for the first). Deny by default: an
// event that is not named here is for nobody, and whoever may not be seen is
// in no line.
func (e *Engine) Log(before, after *State, c *Commit, a Audience) []LogEntry {
	if before == nil {
		before = &State{Rules: after.Rules, Phase: PhaseSetup}
	}
	l := &logger{was: e.viewer(before, a), is: e.viewer(after, a), round: -1}
	var lines []LogEntry
	add := func(event Event) {
		line := LogEntry{At: Millis(c.At), By: c.Role, Seat: c.Seat, Event: event}
		if l.is.gm() {
			line.Commit = c.Seq
		}
		lines = append(lines, line)
	}
	for _, event := range c.Events {
		// Starts of fights and rounds are told when they can be seen: not while
		// somebody unseen has the turn.
		switch event.(type) {
		case CombatStarted, RoundStarted, TurnStarted:
			l.news(add)
		}
		if line := l.line(event); line != nil {
			add(line)
		}
	}
	l.news(add)
	return lines
}

// logger redacts events for one audience.
type logger struct {
	was, is *viewer
	round   int // told last in this commit; -1 none
	started bool
}

// news tells that a fight or round has begun, once, as this audience sees it.
func (l *logger) news(add func(Event)) {
	phaseWas, roundWas := l.was.phase()
	phase, round := l.is.phase()
	running := func(phase string) bool {
		return phase == PhaseRounds || phase == PhaseSurprise || phase == PhaseDeclaration
	}
	if !running(phase) {
		return
	}
	if !running(phaseWas) && !l.started {
		l.started = true
		add(CombatStarted{})
	}
	if (round != roundWas || !running(phaseWas)) && l.round != round {
		l.round = round
		add(RoundStarted{Phase: phase, Round: round})
	}
}

// sees reports whether a combatant is visible after the commit or, if it is
// gone, was before.
func (l *logger) sees(id ID) bool {
	if c := l.is.s.Combatant(id); c != nil {
		return l.is.seesCombatant(c)
	}
	return l.was.sees(id)
}

func (l *logger) shown(id ID) ID {
	if l.sees(id) {
		return id
	}
	return ""
}

func (l *logger) all(ids []ID) []ID {
	var kept []ID
	for _, id := range ids {
		if l.sees(id) {
			kept = append(kept, id)
		}
	}
	return kept
}

// combatant finds somebody after the commit, else before.
func (l *logger) combatant(id ID) *Combatant {
	if c := l.is.s.Combatant(id); c != nil {
		return c
	}
	return l.was.s.Combatant(id)
}

// close reports whether the audience knows everything of a combatant.
func (l *logger) close(id ID) bool {
	c := l.combatant(id)
	return l.is.gm() || c != nil && l.is.owns(c)
}

// open reports whether a combatant's own affairs (its dice, what it readied) are
// for this audience: characters' are everybody's, monsters' the GM's.
func (l *logger) open(id ID) bool {
	c := l.combatant(id)
	return l.sees(id) && (l.close(id) || c != nil && c.Kind == "pc")
}

func (l *logger) exact(id ID) bool {
	c := l.combatant(id)
	return c != nil && l.is.hpPolicy(c) == "exact"
}

// line is the event as this audience may read it, or nil.
func (l *logger) line(event Event) Event {
	switch e := event.(type) {
	case Created, Imported, OptionsSet, SeatAdded, SeatRemoved, SeatEdited, LinkReplaced, Said, CombatEnded, CombatReset:
		return l.tableLine(event)
	case Noted:
		if l.is.gm() {
			return e
		}
	case DiceRolled:
		if !e.Secret || l.is.gm() {
			return e
		}
	case Undone:
		e.State = nil
		if !l.is.gm() {
			e.To, e.Took, e.Count = 0, "", 0
		}
		return e
	case Redone:
		e.State = nil
		if !l.is.gm() {
			e.Brought = ""
		}
		return e
	case CombatantAdded, CombatantEdited, CombatantRemoved, HiddenSet, DefeatedSet, SeatAssigned, PositionSet, ChargeSet:
		return l.rosterLine(event)
	case Ordered:
		// Where everybody stands now is in the view; that the GM moved somebody
		// is a line for the GM.
		if e.Why == "gm" && l.is.gm() {
			return Ordered{Slots: []Slot{}, Why: e.Why}
		}
	case SurprisedSet, InitiativeSet, RolledOff, TieSettled, TurnStarted, TurnEnded, PoolsSet, DelaySet, ClockSet:
		return l.turnLine(event)
	case Acted, Resolved, Moved, WindowOpened, Declined, FramePushed, FramePopped, ReadySet:
		return l.actionLine(event)
	case Planned:
		if e.Declared && l.sees(e.Combatant) {
			if !l.close(e.Combatant) {
				e.Plan = nil
			}
			return e
		}
	case Damaged, Healed, TempHPSet, LifeSet, Saved, EffectAdded, EffectEnded:
		return l.healthLine(event)
	}
	return nil
}

func (l *logger) tableLine(event Event) Event {
	switch e := event.(type) {
	case Created:
		e.Keys = nil
		return e
	case Imported:
		e.Keys, e.State = nil, nil
		return e
	case SeatAdded:
		e.Key = ""
		return e
	case LinkReplaced:
		e.Key = ""
		if !l.is.gm() {
			return nil
		}
		return e
	}
	return event
}

func (l *logger) rosterLine(event Event) Event {
	switch e := event.(type) {
	case CombatantAdded:
		if !l.sees(e.Combatant.ID) {
			return nil
		}
		c := e.Combatant
		return CombatantAdded{Combatant: Combatant{ID: c.ID, Name: c.Name, Side: c.Side, Kind: c.Kind, Life: c.Life}}
	case CombatantEdited:
		if l.is.gm() {
			return e
		}
		if l.close(e.Combatant) && !l.onlyNotes(e) {
			e.Notes = ""
			return e
		}
	case CombatantRemoved:
		if l.was.sees(e.Combatant) {
			return e
		}
	case HiddenSet:
		if l.sees(e.Combatant) {
			return e
		}
	case DefeatedSet:
		if l.sees(e.Combatant) {
			return e
		}
	case SeatAssigned:
		if l.sees(e.Combatant) {
			return e
		}
	case PositionSet:
		if l.sees(e.Combatant) {
			return e
		}
	case ChargeSet:
		if l.sees(e.Combatant) && l.close(e.Combatant) {
			return e
		}
	}
	return nil
}

// onlyNotes reports whether an edit changed nothing but the GM's notes.
func (l *logger) onlyNotes(e CombatantEdited) bool {
	was := l.was.s.Combatant(e.Combatant)
	return was != nil && e.Was == "" && e.Side == was.Side && e.Kind == was.Kind && e.Group == was.Group && e.Mod == was.Mod &&
		e.MaxHP == was.MaxHP && e.AC == was.AC && e.Speed == was.Speed && slices.Equal(e.Answers, was.Answers) && maps.Equal(e.Stats, was.Stats)
}

func (l *logger) turnLine(event Event) Event {
	switch e := event.(type) {
	case SurprisedSet:
		if l.sees(e.Combatant) {
			return e
		}
	case InitiativeSet:
		if l.sees(e.Combatant) {
			if !l.open(e.Combatant) {
				e.Die, e.Mod = 0, 0
			}
			return e
		}
	case RolledOff:
		if l.sees(e.Combatant) {
			return e
		}
	case TieSettled:
		if len(l.all(e.Order)) == len(e.Order) {
			return e
		}
	case TurnStarted:
		if l.sees(e.Combatant) {
			e.Pools, e.TurnMs = nil, 0
			return e
		}
	case TurnEnded:
		// That a turn is over shows in the next one's beginning; a line of its own
		// would tell that somebody unseen comes between.
		if e.Expired && l.sees(e.Combatant) {
			return e
		}
	case PoolsSet:
		if e.Why == "grant" && l.sees(e.Combatant) && l.close(e.Combatant) {
			return e
		}
	case DelaySet:
		if l.sees(e.Combatant) {
			return e
		}
	case ClockSet:
		if e.Why != "" && !l.is.frozen {
			return e
		}
	}
	return nil
}

func (l *logger) actionLine(event Event) Event {
	switch e := event.(type) {
	case Acted:
		if l.sees(e.Combatant) {
			e.Action = l.action(e.Combatant, e.Action)
			return e
		}
	case Resolved:
		if l.sees(e.Combatant) {
			if e.Target != "" && !l.sees(e.Target) {
				return nil
			}
			if c := l.combatant(e.Target); c == nil || !l.close(e.Target) && c.Kind != "pc" && l.is.option(OptionNPCAC) != "yes" {
				e.AC = nil
			}
			return e
		}
	case Moved:
		if l.sees(e.Combatant) {
			return e
		}
	case WindowOpened:
		if l.sees(e.Window.Trigger.Combatant) {
			if e.Window.Eligible = l.all(e.Window.Eligible); len(e.Window.Eligible) > 0 {
				return e
			}
		}
	case Declined:
		if l.sees(e.Combatant) {
			return e
		}
	case FramePushed:
		if l.sees(e.Frame.Combatant) {
			e.Pools = nil
			if e.Frame.Action != nil {
				action := l.action(e.Frame.Combatant, *e.Frame.Action)
				e.Frame.Action = &action
			}
			if t := e.Frame.Trigger; t != nil && !l.sees(t.Combatant) {
				e.Frame.Trigger = &Trigger{Text: t.Text}
			}
			return e
		}
	case FramePopped:
		if l.sees(e.Combatant) {
			return e
		}
	case ReadySet:
		if l.open(e.Combatant) {
			if e.Readied != nil {
				readied := *e.Readied
				readied.Action = l.action(e.Combatant, readied.Action)
				e.Readied = &readied
			}
			return e
		}
	}
	return nil
}

// action is an action without what only its own side may know.
func (l *logger) action(id ID, a Action) Action {
	a.Targets, a.Leaves, a.Provokes, a.Paid = l.all(a.Targets), l.all(a.Leaves), l.all(a.Provokes), nil
	if !l.open(id) {
		a.Attack = nil
	}
	if a.To != "" {
		if f := l.was.s.Frame(a.To); f == nil || !l.sees(f.Combatant) {
			a.To = ""
		}
	}
	return a
}

func (l *logger) healthLine(event Event) Event {
	switch e := event.(type) {
	case Damaged:
		if l.sees(e.Combatant) {
			e.Source = l.shown(e.Source)
			if !l.exact(e.Combatant) {
				e.HP, e.Temp = nil, nil
			}
			if l.hiddenEffect(e.Combatant, e.Effect) {
				e.Effect = ""
			}
			return e
		}
	case Healed:
		if l.sees(e.Combatant) {
			if !l.exact(e.Combatant) {
				e.Amount, e.HP = 0, nil
			}
			return e
		}
	case TempHPSet:
		if l.sees(e.Combatant) && l.exact(e.Combatant) {
			return e
		}
	case LifeSet:
		if l.sees(e.Combatant) {
			if !l.exact(e.Combatant) {
				e.HP = 0
			}
			return e
		}
	case Saved:
		if l.open(e.Combatant) {
			if l.hiddenEffect(e.Combatant, e.Effect) {
				e.Effect = ""
			}
			return e
		}
	case EffectAdded:
		if l.is.gm() || !e.Effect.Hidden && l.sees(e.Effect.Target) {
			e.Effect.Source, e.Effect.Ends.Of = l.shown(e.Effect.Source), l.shown(e.Effect.Ends.Of)
			if !l.open(e.Effect.Target) {
				e.Effect.MaxHP, e.Effect.Resist, e.Effect.Save = 0, "", nil
			}
			return e
		}
	case EffectEnded:
		if l.is.gm() || l.sees(e.Target) && !e.Hidden {
			return e
		}
	}
	return nil
}

// hiddenEffect reports whether an effect of that name on a target is one that
// only the GM knows.
func (l *logger) hiddenEffect(target ID, name string) bool {
	if name == "" || l.is.gm() {
		return false
	}
	for _, s := range []*State{l.was.s, l.is.s} {
		for _, e := range s.Effects {
			if e.Target == target && e.Name == name && e.Hidden {
				return true
			}
		}
	}
	return false
}
