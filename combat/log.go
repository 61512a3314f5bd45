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
	return e.log(before, after, c, a, policyOf(e.systems[after.Rules], after))
}

// log is Log under the policy of the state after the commit.
func (e *Engine) log(before, after *State, c *Commit, a Audience, p *policy) []LogEntry {
	if before == nil {
		before = &State{Rules: after.Rules, Phase: PhaseSetup}
	}
	was := p
	if before.optionsRev != after.optionsRev {
		was = policyOf(e.systems[before.Rules], before)
	}
	l := &logger{was: &viewer{}, is: &viewer{}, events: c.Events, round: -1}
	l.was.look(e, before, a, was)
	l.is.look(e, after, a, p)
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
		case CombatStarted, RoundStarted, TurnStarted, HiddenSet:
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
	events  []Event
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

// open reports whether a combatant's own affairs (what it readied, what it has
// to save against) are for this audience: characters' are everybody's, monsters'
// the GM's.
func (l *logger) open(id ID) bool {
	c := l.combatant(id)
	return l.sees(id) && (l.close(id) || c != nil && c.Kind == "pc")
}

// sight is what this audience may see of a combatant; nothing of one that it
// does not see at all.
func (l *logger) sight(id ID) seen {
	c := l.combatant(id)
	switch {
	case l.is.gm():
		return everything
	case c == nil || !l.sees(id):
		return seen{dice: "no"}
	}
	return l.is.sight(c)
}

func (l *logger) exact(id ID) bool { return l.sight(id).HP == "exact" }

// dice reports whether every die of a combatant is for this audience.
func (l *logger) dice(id ID) bool { return l.sight(id).dice == "yes" }

// counted keeps those whose counts this audience may know.
func (l *logger) counted(ids []ID) []ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id ID) bool { return l.sight(id).Count != "yes" })
}

// secret reports whether an effect of which match is true was or is on a
// combatant, or came and went in this commit, that this audience does not know of.
func (l *logger) secret(target ID, match func(*Effect) bool) bool {
	if l.is.gm() {
		return false
	}
	for _, v := range []*viewer{l.was, l.is} {
		for _, e := range v.s.Effects {
			if e.Target == target && match(e) && !v.seesEffect(e) {
				return true
			}
		}
	}
	return slices.ContainsFunc(l.events, func(event Event) bool {
		e, added := event.(EffectAdded)
		return added && e.Effect.Target == target && match(&e.Effect) && !l.is.seesEffect(&e.Effect)
	})
}

// effect is the name of an effect on a combatant, as far as this audience knows.
func (l *logger) effect(target ID, name string) string {
	if name == "" || l.sight(target).Conditions != "yes" || l.secret(target, func(e *Effect) bool { return e.Name == name }) {
		return ""
	}
	return name
}

// reason is why a combatant can do nothing, if this audience can tell: before the
// commit or after it.
func (l *logger) reason(id ID, why string) string {
	if why == "" || !l.secret(id, func(*Effect) bool { return true }) {
		return why
	}
	for _, v := range []*viewer{l.was, l.is} {
		if c := v.s.Combatant(id); c != nil && v.system.CanAct(v.known(c), c) == why {
			return why
		}
	}
	return ""
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
		if l.is.gm() || !e.Secret && (l.is.a.class() != Spectators || OptionOf(l.is.system, l.is.s, OptionSpectatorDice) != "no") {
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
	case CombatantAdded, CombatantEdited, CombatantRemoved, HiddenSet, SightSet, DefeatedSet, SeatAssigned, PositionSet, ChargeSet:
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
	case Proposed:
		if l.is.knowsProposal(e.Pending.Seat) {
			e.Pending.Command, e.Pending.Mentions = l.proposed(e.Pending.Command), nil
			return e
		}
	case ProposalClosed:
		if l.is.knowsProposal(e.Seat) {
			e.Command = l.proposed(e.Command)
			return e
		}
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
