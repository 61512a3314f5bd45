package combat

import (
	"maps"
	"slices"
	"strings"
)

// Classes of audiences beside the GM. What one audience of a class may see, all
// of it may; a seat sees its own combatants besides.
const (
	Players    = "players"    // every seat, and whoever holds the player link
	Spectators = "spectators" // whoever holds the spectator link

	both = "both" // in Combatant.UntilAct
)

// classes lists the classes that a command means: left out, it means both.
func classes(from string) []string {
	if from == "" || from == both {
		return []string{Players, Spectators}
	}
	return []string{from}
}

func checkClass(field, class string, must bool) *Refusal {
	if class == Players || class == Spectators || class == "" && !must {
		return nil
	}
	return refuse("bad_value", "field", field)
}

// class is the class of an audience that is not the GM's.
func (a Audience) class() string {
	if a.Role == RoleSpectator {
		return Spectators
	}
	return Players
}

// hiddenFrom reports whether a combatant does not exist for a class of
// audiences.
func (c *Combatant) hiddenFrom(class string) bool {
	return c.Hidden && (c.HiddenFrom == "" || c.HiddenFrom == class)
}

// waitsToShow reports whether its first act will show a combatant to a class.
func (c *Combatant) waitsToShow(class string) bool {
	return c.UntilAct == class || c.UntilAct == both
}

// presence says in a word how a class of audiences has a combatant.
func (c *Combatant) presence(class string) string {
	switch {
	case !c.hiddenFrom(class):
		return "shown"
	case c.waitsToShow(class):
		return "untilAct"
	}
	return "hidden"
}

// hide hides a combatant from some classes of audiences, or shows it to them.
func (c *Combatant) hide(from string, hidden, untilAct bool) {
	is, until := map[string]bool{}, map[string]bool{}
	for _, class := range classes("") {
		is[class], until[class] = c.hiddenFrom(class), c.waitsToShow(class)
	}
	for _, class := range classes(from) {
		is[class], until[class] = hidden, hidden && untilAct
	}
	only := func(which map[string]bool) string {
		switch {
		case which[Players] && which[Spectators]:
			return both
		case which[Players]:
			return Players
		case which[Spectators]:
			return Spectators
		}
		return ""
	}
	c.HiddenFrom, c.UntilAct = only(is), only(until)
	if c.Hidden = c.HiddenFrom != ""; c.HiddenFrom == both {
		c.HiddenFrom = ""
	}
}

// Reveal shows a combatant that is hidden until it acts: this is its first act.
func (d *Draft) Reveal(id ID) {
	c := d.State().Combatant(id)
	if c == nil || c.UntilAct == "" {
		return
	}
	from := c.UntilAct
	if from == both {
		from = ""
	}
	d.Emit(HiddenSet{Combatant: id, From: from})
}

// setHidden hides combatants from a class of audiences, or from both, or shows
// them.
func (d *Draft) setHidden(cmd SetHidden) *Refusal {
	if r := firstRefusal(d.checkIDs("combatants", cmd.Combatants), checkClass("from", cmd.From, false), onlyOf("bases", cmd.Combatants, cmd.Bases)); r != nil {
		return r
	}
	if cmd.UntilAct && !cmd.Hidden {
		return refuse("bad_value", "field", "untilAct")
	}
	presences := []string{"shown", "hidden", "untilAct"}
	if cmd.Base != "" && !slices.Contains(presences, cmd.Base) {
		return refuse("bad_value", "field", "base")
	}
	now, other := map[ID]string{}, false
	for _, id := range cmd.Combatants {
		c := d.State().Combatant(id)
		seen, said := cmd.Bases[id]
		if said && !slices.Contains(presences, seen) {
			return refuse("bad_value", "field", "bases")
		}
		for _, class := range classes(cmd.From) {
			is := c.presence(class)
			if cmd.Base != "" && cmd.Base != is {
				return stale("hidden", is)
			}
			if now[id] == "" || said && seen != is {
				now[id] = is
			}
			other = other || said && seen != is
		}
	}
	if other {
		return stale("hidden", now)
	}
	for _, id := range cmd.Combatants {
		d.Emit(HiddenSet{Combatant: id, Hidden: cmd.Hidden, From: cmd.From, UntilAct: cmd.UntilAct})
	}
	return nil
}

// last is the turn that the sender saw last.
func (d *Draft) last() *LastTurn { return d.State().lastFor(Audience{d.By.Role, d.By.Seat}) }

// lastFor is the turn that an audience saw last.
func (s *State) lastFor(a Audience) *LastTurn {
	if len(s.LastFor) > 0 {
		names := []string{a.String(), RolePlayer}
		if a.Role == RoleSpectator {
			names = names[:1]
		}
		for _, name := range names {
			if last := s.LastFor[name]; last != nil {
				return last
			}
		}
	}
	return s.Last
}

// saw remembers a turn for those who saw it and may not see the next: for
// players, for spectators, and for the seat whose own it is.
func (s *State) saw(f *Frame, players, spectators bool, seat ID) {
	last := &LastTurn{Phase: s.Phase, Round: s.Round, Count: s.Count, Slot: f.Slot, Combatant: f.Combatant, Frame: f.ID,
		StartedAt: f.StartedAt, Clock: s.Clock}
	last.Passed, last.Open = s.progress(f.Slot)
	if players && spectators {
		s.Last, s.LastFor = last, nil
		return
	}
	fresh := map[string]*LastTurn{}
	for name, old := range s.LastFor {
		if !players || !strings.HasPrefix(name, RoleSeat+":") {
			fresh[name] = old
		}
	}
	switch {
	case players:
		fresh[RolePlayer] = last
	case seat != "":
		fresh[Audience{RoleSeat, seat}.String()] = last
	}
	if spectators {
		fresh[RoleSpectator] = last
	}
	if s.LastFor = fresh; len(fresh) == 0 {
		s.LastFor = nil
	}
}

// progress parts the slots of the order by whether they are to come after the
// one that is being played.
func (s *State) progress(current ID) (passed, open []ID) {
	at := s.slotIndex(current)
	for i := range s.Order {
		if slot := &s.Order[i]; i <= at || slot.Done {
			passed = append(passed, slot.ID)
		} else {
			open = append(open, slot.ID)
		}
	}
	return passed, open
}

// forgetSeat drops what was remembered for a seat that has gone.
func (s *State) forgetSeat(seat ID) {
	name := Audience{RoleSeat, seat}.String()
	if s.LastFor[name] == nil {
		return
	}
	s.LastFor = maps.Clone(s.LastFor)
	if delete(s.LastFor, name); len(s.LastFor) == 0 {
		s.LastFor = nil
	}
}
