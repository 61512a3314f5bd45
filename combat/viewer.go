package combat

import "slices"

// viewer is one look at a state through the eyes of an audience.
type viewer struct {
	e      *Engine
	system System
	s      *State
	a      Audience
	policy *policy
	frozen bool      // it may not see whose turn it is: time stands still for it
	last   *LastTurn // where it stands still; nil while it does not, and before the first turn
}

func (e *Engine) viewer(s *State, a Audience) *viewer {
	v := &viewer{}
	v.look(e, s, a, policyOf(e.systems[s.Rules], s))
	return v
}

// look points a viewer at a state, whose options say the policy.
func (v *viewer) look(e *Engine, s *State, a Audience, p *policy) {
	*v = viewer{e: e, system: e.systems[s.Rules], s: s, a: a, policy: p}
	if f := s.Turn(); f != nil {
		c := s.Combatant(f.Combatant)
		if v.frozen = c != nil && !v.seesCombatant(c); v.frozen {
			v.last = s.lastFor(a)
		}
	}
}

// begun reports whether the fight has begun for this audience: not before the
// first turn that it may see.
func (v *viewer) begun() bool { return !v.frozen || v.last != nil }

func (v *viewer) gm() bool { return v.a.Role == RoleGM }

// owns reports whether this audience plays the combatant.
func (v *viewer) owns(c *Combatant) bool {
	return v.a.Role == RoleSeat && c.Seat == v.a.Seat && v.a.Seat != ""
}

// seesCombatant is the one rule of existence: a hidden combatant is there only
// for the GM, its own seat and those from whom it is not hidden.
func (v *viewer) seesCombatant(c *Combatant) bool {
	return v.gm() || !c.hiddenFrom(v.a.class()) || v.owns(c)
}

// sight is what this audience may see of a combatant that it sees.
func (v *viewer) sight(c *Combatant) seen {
	if v.gm() || v.owns(c) {
		return everything
	}
	return v.policy.of(v.a.class(), c)
}

// seesCount reports whether this audience may know a combatant's count.
func (v *viewer) seesCount(id ID) bool {
	c := v.s.Combatant(id)
	return v.gm() || c != nil && v.seesCombatant(c) && v.sight(c).Count == "yes"
}

// tied keeps those of a tie whose counts this audience may know.
func (v *viewer) tied(tie []ID) []ID {
	return slices.DeleteFunc(slices.Clone(tie), func(id ID) bool { return !v.seesCount(id) })
}

// known is the state without the effects on a combatant that this audience does
// not know of: what it can tell of the combatant follows from that.
func (v *viewer) known(c *Combatant) *State {
	secret := func(e *Effect) bool { return e.Target == c.ID && !v.seesEffect(e) }
	if v.gm() || !slices.ContainsFunc(v.s.Effects, secret) {
		return v.s
	}
	known := *v.s
	known.Effects = slices.DeleteFunc(slices.Clone(v.s.Effects), secret)
	return &known
}

// reason is why somebody can do nothing, if this audience can tell.
func (v *viewer) reason(id ID, why string) string {
	c := v.s.Combatant(id)
	if why == "" || c == nil {
		return why
	}
	if known := v.known(c); known != v.s && v.system.CanAct(known, c) != why {
		return ""
	}
	return why
}

func (v *viewer) sees(id ID) bool {
	c := v.s.Combatant(id)
	return c != nil && v.seesCombatant(c)
}

// shown passes an id through that may be seen, and blanks any other.
func (v *viewer) shown(id ID) ID {
	if v.sees(id) {
		return id
	}
	return ""
}

func (v *viewer) onlySeen(ids []ID) []ID {
	kept := make([]ID, 0, len(ids))
	for _, id := range ids {
		if v.sees(id) {
			kept = append(kept, id)
		}
	}
	return kept
}

func (v *viewer) allSeen(ids []ID) bool { return len(v.onlySeen(ids)) == len(ids) }

func (v *viewer) seesEffect(e *Effect) bool {
	if v.gm() || e.Hidden {
		return v.gm()
	}
	c := v.s.Combatant(e.Target)
	return c != nil && v.seesCombatant(c) && v.sight(c).Conditions == "yes"
}

// anchor is where an effect ends, as far as this audience may know whose turn or
// count that is.
func (v *viewer) anchor(a Anchor) Anchor {
	if a.At == AtCount && !v.seesCount(a.Of) {
		a.Count = nil
	}
	a.Of = v.shown(a.Of)
	return a
}
