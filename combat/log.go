package combat

import (
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
		// What is reckoned anew of a plan that was said before is no declaration.
		if was := l.was.s.Combatant(e.Combatant); e.Declared && (was == nil || !was.Declared) && l.sees(e.Combatant) {
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
