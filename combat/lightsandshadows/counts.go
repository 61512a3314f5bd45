package lightsandshadows

import (
	"cmp"

	"riposte/combat"
)

// otherStep is what an action that is no attack adds to the count before it
// (LS-22).
const otherStep combat.Count = -500

// link is the end of a chain of actions: the count of the last one, as the next
// reckons from it, and as it falls.
type link struct {
	count, falls combat.Count
	any          bool
}

// chainOf names the chain an action is part of: all of a round are one, or each
// weapon has its own and what is no attack another (LS-19).
func chainOf(s *combat.State, in combat.Intent) string {
	switch {
	case option(s, optionMixed) != "perWeapon":
		return ""
	case in.Kind != attack:
		return "/"
	}
	return in.Weapon
}

// next is where an action falls that follows another, or none: attacks by the
// modifiers of their weapon (LS-06, LS-07), others by −5 (LS-22). Hastening
// moves the action itself, never above the one before, and not what follows
// (LS-18).
func next(c *combat.Combatant, in combat.Intent, before link) link {
	first, step := combat.Count(0), otherStep
	if in.Kind == attack {
		first, step = modifiers(c, in.Weapon)
	}
	l := link{any: true}
	if before.any {
		l.count = min(before.count+step, before.count)
	} else {
		l.count = roundScore(c) + combat.Whole(c.Die) + first
	}
	l.falls = l.count + combat.Whole(in.Hasten)
	if before.any {
		l.falls = min(l.falls, before.falls)
	}
	return l
}

// reckon gives every action of a plan its count. Zero acts, below it there is no
// slot (LS-09). What takes the whole round comes at its end (LS-23).
func reckon(s *combat.State, c *combat.Combatant, plan []combat.Intent) []combat.Intent {
	chains := map[string]link{}
	for i := range plan {
		in := &plan[i]
		switch {
		case in.Carried:
			continue
		case takesRound(in.Kind):
			in.Count = 0
		default:
			chain := chainOf(s, *in)
			chains[chain] = next(c, *in, chains[chain])
			in.Count = chains[chain].falls
		}
		in.Lost = in.Count < 0
	}
	return plan
}

// resume reckons again what follows an action that was held and is taken at a
// count (LS-17). What another weapon would have done meanwhile is lost; so is
// what was carried over.
func resume(s *combat.State, c *combat.Combatant, held int, at combat.Count) []combat.Intent {
	plan := append([]combat.Intent(nil), c.Plan...)
	was := plan[held-1]
	chain := chainOf(s, was)
	last := link{count: at, falls: at, any: true}
	plan[held-1].Count = at
	for i := range plan {
		in := &plan[i]
		switch {
		case i == held-1 || in.Lost || later(was, held-1, *in, i) <= 0:
		case !in.Carried && i > held-1 && chainOf(s, *in) == chain:
			last = next(c, *in, last)
			in.Count = last.falls
			in.Lost = in.Count < 0
		case in.Count >= at:
			in.Lost = true
		}
	}
	return plan
}

// later is above zero when the second action of a plan comes after the first.
func later(a combat.Intent, i int, b combat.Intent, j int) int {
	if a.Count != b.Count {
		return cmp.Compare(a.Count, b.Count)
	}
	return cmp.Compare(j, i)
}

// carriedOver is the action of the last round that fell below zero, at its count
// in this one, as the head of a new plan (LS-20). There is at most one, and it
// is lost if it is still below.
func carriedOver(s *combat.State, c *combat.Combatant) []combat.Intent {
	if option(s, optionNegative) != "carry" {
		return nil
	}
	for _, in := range c.Plan {
		if !in.Lost || in.Carried || in.Count >= 0 {
			continue
		}
		count := roundScore(c) + combat.Whole(c.Die) + in.Count
		if count < 0 {
			return nil
		}
		return []combat.Intent{{Kind: in.Kind, Weapon: in.Weapon, Count: count, Carried: true}}
	}
	return nil
}
