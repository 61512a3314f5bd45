// Package starfinder is the Starfinder rule system: rules SF-01 to SF-24.
package starfinder

import (
	"riposte/combat"
)

// System is the rule system; it has no state.
type System struct{ combat.Base }

// Keys of the options this system adds.
const (
	optionGroup      = "sf.group"             // SF-07
	optionReadyPlace = "sf.readyPlace"        // SF-18
	optionAnchor     = "sf.anchor"            // SF-21
	optionTies       = "sf.tiedPlayersChoose" // SF-03
	optionNPCs       = "sf.npcDieAtZero"      // SF-23
)

// Keys of the sheet. Each is a whole number.
const (
	statStamina = "stamina" // maximum Stamina Points: damage takes them before hit points
	statResolve = "resolve" // maximum Resolve Points (SF-23); left out: not tracked
)

// Names of pools, in display order.
const (
	poolStandard = "standard"
	poolMove     = "move"
	poolSwift    = "swift"
	poolFull     = "full"     // a price only: one of each of the three above
	poolMovement = "movement" // feet left of a move action that has begun
	poolReaction = "reaction"
	poolStamina  = "stamina"
	poolResolve  = "resolve"
)

// Marks kept during a fight. Those that hold a round hold its number plus one,
// since the surprise round is round 0 and a zero deletes a mark.
const (
	markActed      = "acted"         // has acted in this fight (SF-13, SF-14)
	markBegun      = "begun"         // has acted in the turn that goes on (SF-15)
	markWaits      = "waits"         // round in which its turn, begun already, goes on when its place comes up (SF-15, SF-15a)
	markReturned   = "returned"      // its turn is one that was delayed, and it has not acted in it
	markDelayed    = "delayed"       // round in which its delay began
	markUsed       = "turnUsed"      // an upkeep: its turn of this round was taken elsewhere (SF-20)
	markFell       = "fell"          // fell in the turn that goes on (SF-23)
	markBroke      = "fellWithout"   // round in which it fell with no Resolve left (SF-23)
	markHurt       = "hurtWhenDying" // last round in which damage cost it Resolve (SF-23)
	markChoice     = "mayRecover"    // it may spend Resolve in this turn (SF-24)
	markStabilized = "stabilized"    // round in which it did (SF-24)
)

// Name is the system's name on the wire.
func (System) Name() string { return "starfinder" }

// Options lists the keys of section "sf".
func (System) Options() []combat.Option { return options }

var options = []combat.Option{
	{Key: optionGroup, Default: "individual", Values: []string{"individual", "identical"}, Ruling: true},
	{Key: optionReadyPlace, Default: "before", Values: []string{"before", "after"}, Ruling: true},
	{Key: optionAnchor, Default: "count", Values: []string{"count", "place"}, Ruling: true},
	{Key: optionTies, Default: "no", Values: []string{"no", "yes"}},
	{Key: optionNPCs, Default: "yes", Values: []string{"yes", "no"}},
}

// Stats lists what the rules read of a sheet.
func (System) Stats() []combat.Stat { return stats }

var stats = []combat.Stat{
	{Key: statStamina, Max: combat.MaxNumber}, {Key: statResolve, Max: combat.MaxSmall}, {Key: "save.*", Min: -20, Max: 50},
}

// Actions lists what can be done (SF-10), the two ways out of dying (SF-24) and
// the kinds of reaction (SF-14).
func (System) Actions() []combat.ActionSpec { return actions }

var actions = []combat.ActionSpec{
	{Kind: "attack", Pool: poolStandard, Cost: 1, Turn: true, Reaction: true, Ready: true, Open: true, After: true},
	{Kind: "castSpell", Pool: poolStandard, Cost: 1, Turn: true, Reaction: true, Ready: true, Open: true, After: true},
	{Kind: "combatManeuver", Pool: poolStandard, Cost: 1, Turn: true, Ready: true, Open: true},
	{Kind: "totalDefense", Pool: poolStandard, Cost: 1, Turn: true, Ready: true},
	{Kind: "fightDefensively", Pool: poolStandard, Cost: 1, Turn: true, Ready: true, Open: true},
	{Kind: "feint", Pool: poolStandard, Cost: 1, Turn: true, Ready: true},
	{Kind: "coveringFire", Pool: poolStandard, Cost: 1, Turn: true, Ready: true},
	{Kind: "harryingFire", Pool: poolStandard, Cost: 1, Turn: true, Ready: true},
	{Kind: "fullAttack", Pool: poolFull, Cost: 1, Turn: true},
	{Kind: "charge", Pool: poolFull, Cost: 1, Turn: true},
	{Kind: "run", Pool: poolFull, Cost: 1, Turn: true},
	{Kind: "withdraw", Pool: poolFull, Cost: 1, Turn: true},
	{Kind: "coupDeGrace", Pool: poolFull, Cost: 1, Turn: true},
	{Kind: "guardedStep", Pool: poolMove, Cost: 1, Turn: true, Ready: true},
	{Kind: "standUp", Pool: poolMove, Cost: 1, Turn: true, Ready: true},
	{Kind: "drawWeapon", Pool: poolMove, Cost: 1, Turn: true, Ready: true},
	{Kind: "sheathe", Pool: poolMove, Cost: 1, Turn: true, Ready: true},
	{Kind: "reload", Pool: poolMove, Cost: 1, Turn: true, Ready: true},
	{Kind: "manipulateItem", Pool: poolMove, Cost: 1, Turn: true, Ready: true},
	{Kind: "crawl", Pool: poolMove, Cost: 1, Turn: true, Ready: true},
	{Kind: "dropProne", Pool: poolSwift, Cost: 1, Turn: true, Ready: true},
	{Kind: "changeGrip", Pool: poolSwift, Cost: 1, Turn: true, Ready: true},
	{Kind: "other", Pool: poolStandard, Cost: 1, Turn: true, Reaction: true, Ready: true, Open: true, After: true},
	{Kind: "otherMove", Pool: poolMove, Cost: 1, Turn: true, Ready: true},
	{Kind: "otherSwift", Pool: poolSwift, Cost: 1, Turn: true, Ready: true},
	{Kind: "otherFull", Pool: poolFull, Cost: 1, Turn: true},
	{Kind: kindStabilize, Pool: poolResolve, Cost: 1, Turn: true},
	{Kind: kindStay, Pool: poolResolve, Cost: 1, Turn: true},
	{Kind: "talk", Turn: true},
	{Kind: "dropItem", Turn: true},
	{Kind: "free", Turn: true},
	{Kind: kindOpportunity, Pool: poolReaction, Cost: 1, Reaction: true, Open: true},
	{Kind: kindDefend, Pool: poolReaction, Cost: 1, Reaction: true},
	{Kind: kindRetaliate, Pool: poolReaction, Cost: 1, Reaction: true, Open: true, After: true},
}

// Kinds of action that the rules single out.
const (
	kindStabilize   = "stabilize"         // dying, to stable
	kindStay        = "stayInTheFight"    // stable, to 1 HP
	kindOpportunity = "opportunityAttack" // always before its trigger
	kindDefend      = "defend"            // a purely defensive reaction, asked for when an attack hits
	kindRetaliate   = "retaliate"         // any other reaction, asked for when an attack has been made
	kindReadied     = "readied"           // what CanReact is asked about a readied action
)

// Effects lists the conditions, and the manoeuvres that last until one's next
// turn, with what they do to AC besides making flat-footed.
func (System) Effects() []combat.EffectSpec { return effects }

var effects = append(combat.EffectNames("asleep", "bleeding", "blinded", "burning", "confused", "cowering", "dazed", "dazzled", "deafened",
	"entangled", "exhausted", "fascinated", "fatigued", "flat-footed", "frightened", "grappled", "helpless", "invisible", "nauseated", "off-kilter",
	"off-target", "panicked", "paralyzed", "petrified", "pinned", "prone", "shaken", "sickened", "stable", "staggered", "stunned", "unconscious", effectRunning),
	combat.EffectSpec{Name: effectDefense, AC: 4}, combat.EffectSpec{Name: effectDefensive, AC: 2}, combat.EffectSpec{Name: effectCharging, AC: -2})

// spec finds a kind of action.
func spec(kind string) combat.ActionSpec {
	for _, a := range actions {
		if a.Kind == kind {
			return a
		}
	}
	return combat.ActionSpec{}
}

func option(s *combat.State, key string) string { return combat.OptionOf(System{}, s, key) }

// Conditions in which nothing can be done (SF-09).
var incapacitating = []string{"asleep", "cowering", "dazed", "fascinated", "paralyzed", "petrified", "stunned", "unconscious"}

// Conditions that take all movement away.
var immobilizing = []string{"grappled", "paralyzed", "petrified", "pinned", "unconscious"}

// Conditions that are, or impose, being flat-footed (SF-13).
var flatFooting = []string{"flat-footed", "blinded", "cowering", "off-kilter", "pinned", "running", "stunned"}

// flatFooted reports whether somebody loses 2 AC and all reactions: surprised,
// or under such a condition (SF-13).
func flatFooted(s *combat.State, c *combat.Combatant) bool {
	return c.Surprised && s.InFight() || s.HasEffect(c.ID, flatFooting...)
}

// AC is 2 lower while flat-footed (SF-13).
func (System) AC(s *combat.State, c *combat.Combatant) int {
	if flatFooted(s, c) {
		return -2
	}
	return 0
}

// CanAct is why a turn is empty: 0 HP without a way out of it (SF-23, SF-24),
// a condition (SF-09), or an upkeep (SF-20).
func (y System) CanAct(s *combat.State, c *combat.Combatant) string {
	switch {
	case c.Fights() && c.Life != combat.Up && c.Marks[markChoice] > 0:
		return "" // it may spend Resolve, and nothing else: see Pay
	case y.Base.CanAct(s, c) != "":
		return y.Base.CanAct(s, c)
	case s.HasEffect(c.ID, incapacitating...):
		return "incapacitated"
	case c.Marks[markUsed] > 0:
		return "turn_used"
	}
	return ""
}

// able is CanAct for all but spending Resolve.
func (y System) able(s *combat.State, c *combat.Combatant) string {
	if c.Life != combat.Up {
		return c.Life
	}
	return y.CanAct(s, c)
}
