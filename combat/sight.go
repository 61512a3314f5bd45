package combat

import "slices"

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

// sightField is a field of a sight that a command gives, and its place.
type sightField struct {
	name string
	to   *string
	of   func(*Sight) *string
}

// given lists the fields that the command sets.
func (cmd *SetSight) given() []sightField {
	return slices.DeleteFunc([]sightField{
		{"hp", cmd.HP, func(s *Sight) *string { return &s.HP }},
		{"ac", cmd.AC, func(s *Sight) *string { return &s.AC }},
		{"conditions", cmd.Conditions, func(s *Sight) *string { return &s.Conditions }},
		{"count", cmd.Count, func(s *Sight) *string { return &s.Count }},
	}, func(f sightField) bool { return f.to == nil })
}

// setSight changes what a class of audiences may see of combatants.
func (d *Draft) setSight(cmd SetSight) *Refusal {
	if r := firstRefusal(d.checkIDs("combatants", cmd.Combatants), checkClass("audience", cmd.Audience, true), onlyOf("bases", cmd.Combatants, cmd.Bases)); r != nil {
		return r
	}
	given := cmd.given()
	if len(given) == 0 {
		return refuse("bad_value", "field", "hp")
	}
	if cmd.Base != nil {
		if r := checkSight("base.", *cmd.Base); r != nil {
			return r
		}
	}
	now, other := map[ID]Sight{}, ""
	for _, id := range cmd.Combatants {
		seen, said := cmd.Bases[id]
		if r := checkSight("bases.", seen); r != nil {
			return r
		}
		sight := d.State().Combatant(id).Sight.of(cmd.Audience)
		now[id] = sight
		for _, field := range given {
			is := *field.of(&sight)
			if cmd.Base != nil && *field.of(cmd.Base) != is {
				return stale(field.name, is)
			}
			if said && *field.of(&seen) != is && other == "" {
				other = field.name
			}
		}
	}
	if other != "" {
		return stale(other, now)
	}
	for _, id := range cmd.Combatants {
		sight := now[id]
		for _, field := range given {
			*field.of(&sight) = *field.to
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
