package combat

import (
	"maps"
	"slices"
)

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
		return l.hiding(e)
	case SightSet:
		if l.is.gm() {
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

// hiding tells the GM everything, and others who has appeared.
func (l *logger) hiding(e HiddenSet) Event {
	was, is := l.was.s.Combatant(e.Combatant), l.is.s.Combatant(e.Combatant)
	switch {
	case l.is.gm():
		return e
	case was == nil || is == nil || !l.is.seesCombatant(is):
		return nil
	case l.is.owns(is) && was.Hidden != is.Hidden, !l.was.seesCombatant(was):
		return HiddenSet{Combatant: e.Combatant, Hidden: l.is.owns(is) && is.Hidden}
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
		if sight := l.sight(e.Combatant); sight.Count == "yes" {
			if sight.dice != "yes" {
				e.Die, e.Mod = 0, 0
			}
			return e
		}
	case RolledOff:
		// With nobody to be seen on the other side there was no roll-off.
		e.With = l.counted(e.With)
		if sight := l.sight(e.Combatant); l.is.gm() || sight.Count == "yes" && sight.dice == "yes" && len(e.With) > 0 {
			return e
		}
	case TieSettled:
		if len(l.counted(e.Order)) == len(e.Order) {
			return e
		}
	case TurnStarted:
		if l.sees(e.Combatant) {
			e.Pools, e.TurnMs = nil, 0
			if e.Empty = l.reason(e.Combatant, e.Empty); l.sight(e.Combatant).Count != "yes" {
				e.Count = nil
			}
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
			if l.sight(e.Target).AC != "yes" {
				e.AC = nil
			}
			if l.sight(e.Combatant).dice == "no" {
				e.Total = nil
			}
			e.Why = l.reason(e.Combatant, e.Why)
			return e
		}
	case Moved:
		if l.sees(e.Combatant) {
			return e
		}
	case WindowOpened:
		if l.sees(e.Window.Trigger.Combatant) {
			if f := l.is.s.Frame(e.Frame); !l.is.gm() && (f == nil || !l.sees(f.Combatant)) {
				e.Frame, e.Window.Trigger.Frame = "", ""
			}
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
	sight := l.sight(id)
	if a.Roll = nil; sight.dice != "yes" {
		a.Attack = nil
	}
	if sight.AC != "yes" {
		a.AC = 0
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
			if e.Source = l.shown(e.Source); !l.dice(e.Source) {
				e.Dice = nil
			}
			if !l.exact(e.Combatant) {
				e.HP, e.Temp = nil, nil
			}
			e.Effect = l.effect(e.Combatant, e.Effect)
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
		// A monster's saves are dice and no more, a character's fate is for all.
		if dice := l.dice(e.Combatant); dice || l.open(e.Combatant) {
			if !dice || e.ByHP && !l.exact(e.Combatant) {
				e.Die, e.Total, e.DC = 0, 0, 0
			}
			e.Effect = l.effect(e.Combatant, e.Effect)
			return e
		}
	case EffectAdded:
		if sight := l.sight(e.Effect.Target); sight.Conditions == "yes" && (!e.Effect.Hidden || l.is.gm()) {
			return EffectAdded{l.effectFor(sight, e.Effect)}
		}
	case EffectEnded:
		if l.sight(e.Target).Conditions == "yes" && (!e.Hidden || l.is.gm()) {
			return e
		}
	}
	return nil
}

// effectFor is an effect without the numbers that this audience may not know.
func (l *logger) effectFor(sight seen, e Effect) Effect {
	if e.Ends.At == AtCount && l.sight(e.Ends.Of).Count != "yes" {
		e.Ends.Count = nil
	}
	e.Source, e.Ends.Of = l.shown(e.Source), l.shown(e.Ends.Of)
	if sight.AC != "yes" {
		e.AC = 0
	}
	if sight.HP != "exact" {
		e.MaxHP = 0
	}
	if !l.open(e.Target) {
		e.MaxHP, e.Resist, e.Save = 0, "", nil
	}
	return e
}
