// Package dnd5e is the Dungeons & Dragons 5e rule system: rules 5E-01 to 5E-23.
package dnd5e

import (
	"riposte/combat"
)

// System is the rule system; it has no state.
type System struct{ combat.Base }

// Keys of the options this system adds.
const (
	optionGroup    = "5e.group"             // 5E-05
	optionTies     = "5e.ties"              // 5E-06
	optionMonsters = "5e.monstersDieAtZero" // 5E-18
)

// Keys of the sheet. Each is a whole number.
const (
	statDexterity  = "dex"          // Dexterity score, for 5e.ties=dex
	statBonus      = "bonus"        // 1: something grants it a bonus action (5E-09)
	statReactions  = "reactions"    // per own turn; default 1
	statEveryTurn  = "everyTurn"    // 1: reactions come back at the start of every turn (5E-13)
	statHydra      = "extraAttacks" // extra reactions for opportunity attacks alone (5E-13)
	statLegendary  = "legendary"    // legendary actions per round (5E-21)
	statLair       = "lair"         // 1: it has a lair action at count 20 (5E-22)
	statSecondTurn = "secondTurn"   // 1: a second turn in round 1, at its count − 10 (5E-13)
	statDeathSaves = "deathSaves"   // 1: an npc that makes death saves (5E-18)
	statStealth    = "stealth"      // typed Dexterity (Stealth) result (5E-02)
)

// Names of pools, in display order.
const (
	poolAction    = "action"
	poolBonus     = "bonus"
	poolMovement  = "movement"
	poolObject    = "object"
	poolReaction  = "reaction"
	poolHaste     = "haste"
	poolHydra     = "opportunity"
	poolLegendary = "legendary"
)

// Marks kept during a fight.
const (
	markBonusSpell = "bonusSpell" // cast a spell with a bonus action this turn
	markSpell      = "spell"      // cast another spell of level 1 or more this turn
	markDisengaged = "disengaged"
	markOverdrawn  = "overdrawn" // feet moved beyond a speed that has fallen since
	markSuccess    = "deathSuccess"
	markFailure    = "deathFailure"
	markLegendary  = "legendaryTaken"  // one after this turn's end already
	markChance     = "legendaryChance" // another creature's turn has just ended
	markBefore     = "legendaryBefore" // left before the pool was refilled at its turn, plus one
)

// Name is the system's name on the wire.
func (System) Name() string { return "dnd5e" }

// Options lists the keys of section "5e".
func (System) Options() []combat.Option {
	return options
}

var options = []combat.Option{
	{Key: optionGroup, Default: "block", Values: []string{"block", "individual"}},
	{Key: optionTies, Default: "people", Values: []string{"people", "rolloff", "dex"}},
	{Key: optionMonsters, Default: "yes", Values: []string{"yes", "no"}},
}

// Stats lists what the rules read of a sheet.
func (System) Stats() []combat.Stat { return stats }

var stats = []combat.Stat{
	{Key: statDexterity, Min: 0, Max: 50}, {Key: statBonus, Max: 1}, {Key: statReactions, Max: 20}, {Key: statEveryTurn, Max: 1},
	{Key: statHydra, Max: 20}, {Key: statLegendary, Max: 20}, {Key: statLair, Max: 1}, {Key: statSecondTurn, Max: 1},
	{Key: statDeathSaves, Max: 1}, {Key: statStealth, Min: -20, Max: 100}, {Key: "save.*", Min: -20, Max: 50},
}

// Actions lists what can be done (5E-11) and the reactions that the rules name.
func (System) Actions() []combat.ActionSpec { return actions }

var actions = []combat.ActionSpec{
	{Kind: "attack", Pool: poolAction, Cost: 1, Turn: true, Reaction: true, Ready: true, Open: true},
	{Kind: "castSpell", Pool: poolAction, Cost: 1, Turn: true, Reaction: true, Ready: true, Open: true},
	{Kind: "dash", Pool: poolAction, Cost: 1, Turn: true, Ready: true},
	{Kind: "disengage", Pool: poolAction, Cost: 1, Turn: true, Ready: true},
	{Kind: "dodge", Pool: poolAction, Cost: 1, Turn: true, Ready: true},
	{Kind: "help", Pool: poolAction, Cost: 1, Turn: true, Ready: true},
	{Kind: "hide", Pool: poolAction, Cost: 1, Turn: true, Ready: true},
	{Kind: "search", Pool: poolAction, Cost: 1, Turn: true, Ready: true},
	{Kind: "useObject", Pool: poolAction, Cost: 1, Turn: true, Ready: true},
	{Kind: "interact", Pool: poolObject, Cost: 1, Turn: true},
	{Kind: "bonusAction", Pool: poolBonus, Cost: 1, Turn: true},
	{Kind: "other", Pool: poolAction, Cost: 1, Turn: true, Reaction: true, Ready: true, Open: true},
	{Kind: "free", Turn: true},
	{Kind: "opportunityAttack", Pool: poolReaction, Cost: 1, Reaction: true, Open: true},
	{Kind: "shield", Pool: poolReaction, Cost: 1, Reaction: true},
	{Kind: "counterspell", Pool: poolReaction, Cost: 1, Reaction: true},
	{Kind: "parry", Pool: poolReaction, Cost: 1, Reaction: true},
	{Kind: "uncannyDodge", Pool: poolReaction, Cost: 1, Reaction: true},
	{Kind: "hellishRebuke", Pool: poolReaction, Cost: 1, Reaction: true},
	{Kind: "protection", Pool: poolReaction, Cost: 1, Reaction: true},
}

// Effects lists the conditions and the spells that change a budget (5E-13).
func (System) Effects() []combat.EffectSpec { return effects }

var effects = append(combat.EffectNames("blinded", "charmed", "deafened", "frightened", "grappled", "incapacitated", "invisible", "paralyzed",
	"petrified", "poisoned", "prone", "restrained", "stunned", "unconscious"),
	combat.EffectSpec{Name: "hasted", AC: 2}, combat.EffectSpec{Name: "slowed", AC: -2}, combat.EffectSpec{Name: "dodging"})

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

// Conditions that take all actions and reactions away (5E-17).
var incapacitating = []string{"incapacitated", "paralyzed", "petrified", "stunned", "unconscious"}

// Conditions that take all movement away.
var immobilizing = []string{"grappled", "restrained", "paralyzed", "petrified", "stunned", "unconscious"}
