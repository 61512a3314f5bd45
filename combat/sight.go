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
	if r := firstRefusal(d.checkIDs("combatants", cmd.Combatants), checkClass("from", cmd.From, false)); r != nil {
		return r
	}
	if cmd.UntilAct && !cmd.Hidden {
		return refuse("bad_value", "field", "untilAct")
	}
	for _, id := range cmd.Combatants {
		d.Emit(HiddenSet{Combatant: id, Hidden: cmd.Hidden, From: cmd.From, UntilAct: cmd.UntilAct})
	}
	return nil
}

// Sight is what one class of audiences may see of a combatant, as the GM has
// set it. A field left empty is as the options have it.
type Sight struct {
	HP         string `json:"hp,omitempty"`         // exact, band, none
	AC         string `json:"ac,omitempty"`         // yes, no
	Conditions string `json:"conditions,omitempty"` // yes, no
	Count      string `json:"count,omitempty"`      // of its initiative: yes, no
}

// Sights are those of one combatant. An absent one is all as the options have
// it.
type Sights struct {
	Players    *Sight `json:"players,omitempty"`
	Spectators *Sight `json:"spectators,omitempty"`
}

// of returns the sight of a class; the zero value when nothing is set.
func (s *Sights) of(class string) Sight {
	switch {
	case s == nil:
	case class == Players && s.Players != nil:
		return *s.Players
	case class == Spectators && s.Spectators != nil:
		return *s.Spectators
	}
	return Sight{}
}

// with returns sights with another one for a class; nil when nothing is left.
func (s *Sights) with(class string, one Sight) *Sights {
	var fresh Sights
	if s != nil {
		fresh = *s
	}
	set := &one
	if one == (Sight{}) {
		set = nil
	}
	if class == Players {
		fresh.Players = set
	} else {
		fresh.Spectators = set
	}
	if fresh == (Sights{}) {
		return nil
	}
	return &fresh
}

// over returns a sight in which what this one leaves open is another's.
func (s Sight) over(base Sight) Sight {
	for _, field := range []struct{ own, other *string }{
		{&s.HP, &base.HP}, {&s.AC, &base.AC}, {&s.Conditions, &base.Conditions}, {&s.Count, &base.Count},
	} {
		if *field.own == "" {
			*field.own = *field.other
		}
	}
	return s
}

// checkSight refuses values that say nothing.
func checkSight(field string, s Sight) *Refusal {
	yes := []string{"", "yes", "no"}
	for _, one := range []struct {
		name, value string
		allowed     []string
	}{{"hp", s.HP, []string{"", "exact", "band", "none"}}, {"ac", s.AC, yes}, {"conditions", s.Conditions, yes}, {"count", s.Count, yes}} {
		if !slices.Contains(one.allowed, one.value) {
			return refuse("bad_value", "field", field+one.name)
		}
	}
	return nil
}

// setSight changes what a class of audiences may see of combatants.
func (d *Draft) setSight(cmd SetSight) *Refusal {
	if r := firstRefusal(d.checkIDs("combatants", cmd.Combatants), checkClass("audience", cmd.Audience, true)); r != nil {
		return r
	}
	if cmd.HP == nil && cmd.AC == nil && cmd.Conditions == nil && cmd.Count == nil {
		return refuse("bad_value", "field", "hp")
	}
	for _, id := range cmd.Combatants {
		sight := d.State().Combatant(id).Sight.of(cmd.Audience)
		for _, set := range []struct{ to, from *string }{
			{&sight.HP, cmd.HP}, {&sight.AC, cmd.AC}, {&sight.Conditions, cmd.Conditions}, {&sight.Count, cmd.Count},
		} {
			if set.from != nil {
				*set.to = *set.from
			}
		}
		if r := checkSight("", sight); r != nil {
			return r
		}
		d.Emit(SightSet{Combatant: id, Audience: cmd.Audience, Sight: sight})
	}
	return nil
}

// seen is what an audience sees of a combatant, every field decided.
type seen struct {
	Sight
	dice string // yes, totals (what attacks come to), no
}

// everything is what the GM sees of all and a player of its own.
var everything = seen{Sight{HP: "exact", AC: "yes", Conditions: "yes", Count: "yes"}, "yes"}

// policy is what the options say about what players and spectators see.
type policy struct {
	rev     int     // of the options it was made of
	players [2]seen // of an npc, of a pc
	watch   [2]seen // what spectators see instead; an empty field is as players see it
}

func kindIndex(c *Combatant) int {
	if c.Kind == "pc" {
		return 1
	}
	return 0
}

func policyOf(system System, s *State) *policy {
	get := func(key string) string { return OptionOf(system, s, key) }
	own := func(key string) string {
		if value := get(key); value != "same" {
			return value
		}
		return ""
	}
	npc := seen{Sight{get(OptionNPCHP), get(OptionNPCAC), get(OptionNPCConditions), get(OptionNPCCount)}, get(OptionNPCDice)}
	pc := everything
	pc.HP = get(OptionPCHP)
	other := seen{Sight{Conditions: own(OptionSpectatorConditions), Count: own(OptionSpectatorCount)}, own(OptionSpectatorDice)}
	otherNPC, otherPC := other, other
	otherNPC.HP, otherNPC.AC, otherPC.HP = own(OptionSpectatorNPCHP), own(OptionSpectatorNPCAC), own(OptionSpectatorPCHP)
	return &policy{rev: s.optionsRev, players: [2]seen{npc, pc}, watch: [2]seen{otherNPC, otherPC}}
}

// of is what a class of audiences sees of a combatant that is not its own: as
// the options have it for the class, unless the GM has set something for this
// combatant. Spectators see what players do, as long as nothing else is said.
func (p *policy) of(class string, c *Combatant) seen {
	is := p.players[kindIndex(c)]
	if c.Sight != nil {
		is.Sight = c.Sight.of(Players).over(is.Sight)
	}
	if class != Spectators {
		return is
	}
	instead := p.watch[kindIndex(c)]
	if instead.dice != "" {
		is.dice = instead.dice
	}
	is.Sight = instead.Sight.over(is.Sight)
	if c.Sight != nil {
		is.Sight = c.Sight.of(Spectators).over(is.Sight)
	}
	return is
}

// alike reports whether spectators see exactly what players do who have no
// combatant of their own.
func (p *policy) alike(s *State) bool {
	return p.watch == [2]seen{} && !slices.ContainsFunc(s.Combatants, func(c *Combatant) bool {
		return c.HiddenFrom != "" || c.Sight != nil && c.Sight.Spectators != nil
	}) && s.LastFor[RolePlayer] == s.LastFor[RoleSpectator]
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
