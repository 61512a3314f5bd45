// Package lightsandshadows is the Lights & Shadows rule system: rules LS-01 to
// LS-26.
//
// A round begins with a declaration: everybody says in secret what it will do
// and with which weapons. Each action then has a slot of its own, at a count
// that follows from the score and the weapon. What a combatant's slots are is
// all in its plan (combat.Intent): the order is made of the plans.
package lightsandshadows

import (
	"slices"
	"strconv"

	"riposte/combat"
)

// System is the rule system; it has no state.
type System struct{ combat.Base }

// Keys of the options this system adds. All are rulings of this project: the
// pages that would say it could not be had.
const (
	optionTies     = "ls.ties"           // LS-15
	optionDelay    = "ls.delay"          // LS-17
	optionHasten   = "ls.hasten"         // LS-18
	optionMixed    = "ls.mixedWeapons"   // LS-19
	optionNegative = "ls.negative"       // LS-09, LS-20
	optionRoll     = "ls.initRoll"       // LS-21
	optionDeclare  = "ls.declare"        // LS-24
	optionPenalty  = "ls.defencePenalty" // LS-12
	optionVariable = "ls.variableCost"   // LS-11
	optionSurprise = "ls.surprise"       // LS-26
)

// Keys of the sheet. Each is a whole number. A weapon is the pair
// weapon.<name>.first and weapon.<name>.next, its two modifiers (LS-06, LS-07);
// one that can be held in two ways is two weapons, such as sword1h and sword2h
// (LS-08).
const (
	statScore          = "score"  // of initiative, as it stands on the sheet
	statRacial         = "racial" // without a score, its parts: LS-03
	statBonuses        = "bonuses"
	statMagic          = "magic"
	statCharacteristic = "characteristic"
	statFaint          = "faint" // fainting threshold (LS-14)
)

// Names of pools, in display order. The last two only count.
const (
	poolActions  = "ar"
	poolDefences = "defences"
	poolPenalty  = "penalty"
)

// Marks kept during a fight.
const (
	markSheet    = "sheet"    // score that the sheet gave last
	markScore    = "score"    // score that this round is played with, in hundredths (LS-25)
	markRest     = "rest"     // 1: its half action was used the round before (LS-10)
	markHalf     = "half"     // 1: it is used in this round
	markDefences = "defences" // in this round (LS-12)
	markActed    = "acted"    // part of the plan that it did last
	markHeld     = "held"     // part of the plan that it holds (LS-17)
	markTaking   = "taking"   // 1: it acts when the turn that goes on is over
	markWaits    = "waits"    // 1: its turn had begun when a held action came before it
	markFalls    = "falls"    // 1: it falls when everybody at this count has acted (LS-15)
	markHand     = "hand."    // and the name of a weapon: the one in hand
)

// Name is the system's name on the wire.
func (System) Name() string { return "lights-and-shadows" }

// Effects lists the conditions, those in which nothing can be done among them.
func (System) Effects() []combat.EffectSpec { return effects }

var effects = combat.EffectNames("blinded", "charmed", "deafened", "frightened", "grappled", "incapacitated", "invisible", "paralyzed", "petrified",
	"poisoned", "prone", "restrained", "stunned", unconscious)

// Options lists the keys of section "ls".
func (System) Options() []combat.Option { return options }

var options = []combat.Option{
	{Key: optionDeclare, Default: "sequence", Values: []string{"sequence", "free"}, Ruling: true},
	{Key: optionTies, Default: "score", Values: []string{"score", "rolloff", "simultaneous"}, Ruling: true},
	{Key: optionDelay, Default: "on", Values: []string{"on", "off"}, Ruling: true},
	{Key: optionHasten, Default: "off", Values: []string{"off", "on"}, Ruling: true},
	{Key: optionMixed, Default: "chain", Values: []string{"chain", "perWeapon"}, Ruling: true},
	{Key: optionNegative, Default: "lost", Values: []string{"lost", "carry"}, Ruling: true},
	{Key: optionRoll, Default: "none", Values: []string{"none", "d6", "d10", "d20"}, Ruling: true},
	{Key: optionPenalty, Default: "0", Max: 20, Ruling: true},
	{Key: optionVariable, Default: "1", Max: 20, Ruling: true},
	{Key: optionSurprise, Default: "firstSlot", Values: []string{"firstSlot", "round", "none"}, Ruling: true},
}

func option(s *combat.State, key string) string { return combat.OptionOf(System{}, s, key) }

// number is an option that is a whole number.
func number(s *combat.State, key string) int {
	n, err := strconv.Atoi(option(s, key))
	if err != nil {
		return 0
	}
	return n
}

// Stats lists what the rules read of a sheet.
func (System) Stats() []combat.Stat { return stats }

var stats = []combat.Stat{
	{Key: statScore, Min: -100, Max: maxScore}, {Key: statRacial, Max: maxScore}, {Key: statBonuses, Min: -100, Max: 100},
	{Key: statMagic, Min: -100, Max: 100}, {Key: statCharacteristic, Min: -100, Max: 100},
	{Key: statFaint, Max: combat.MaxStat}, {Key: "weapon.*", Min: -100, Max: 100},
}

// Actions lists what can be done (LS-11). A defence is no action (LS-02).
func (System) Actions() []combat.ActionSpec { return actions }

var actions = []combat.ActionSpec{
	{Kind: "attack", Pool: poolActions, Cost: 1, Turn: true},
	{Kind: "drawWeapon", Pool: poolActions, Cost: 1, Turn: true},
	{Kind: "loadSling", Pool: poolActions, Cost: 1, Turn: true},
	{Kind: "openDoor", Pool: poolActions, Cost: 1, Turn: true},
	{Kind: "putOnHelmet", Pool: poolActions, Cost: 1, Turn: true},
	{Kind: "standUp", Pool: poolActions, Cost: 1, Turn: true},
	{Kind: "other", Pool: poolActions, Cost: 1, Turn: true},
	{Kind: "castSpell", Pool: poolActions, Turn: true},
	{Kind: "sizeUp", Pool: poolActions, Turn: true},
	{Kind: "hide", Pool: poolActions, Turn: true},
	{Kind: "dress", Pool: poolActions, Turn: true},
	{Kind: "donArmor", Pool: poolActions, Turn: true},
	{Kind: "aim", Pool: poolActions, Turn: true},
	{Kind: "mount", Pool: poolActions, Turn: true},
	{Kind: parry, Reaction: true, Frame: combat.FrameDefence},
	{Kind: dodge, Reaction: true, Frame: combat.FrameDefence},
}

const (
	attack = "attack"
	draw   = "drawWeapon"
	parry  = "parry"
	dodge  = "dodge"
)

// Kinds that take a whole round (LS-23).
var wholeRound = []string{"castSpell"}

// Kinds of which the GM says what they cost: ls.variableCost (LS-11).
var variable = []string{combat.ActionMove, "sizeUp", "hide", "dress", "donArmor", "aim", "mount"}

func takesRound(kind string) bool { return slices.Contains(wholeRound, kind) }

// cost is how many of the round's actions a kind takes, whole rounds aside; ok
// is false for what is no action.
func cost(s *combat.State, kind string) (n int, ok bool) {
	if slices.Contains(variable, kind) {
		return number(s, optionVariable), true
	}
	for _, spec := range actions {
		if spec.Kind == kind && spec.Turn {
			return spec.Cost, true
		}
	}
	return 0, false
}

// Declarable lists the kinds of action with their costs (LS-11).
func (System) Declarable(s *combat.State) []combat.Declarable {
	var list []combat.Declarable
	add := func(kind string) {
		n, _ := cost(s, kind)
		list = append(list, combat.Declarable{Kind: kind, Cost: n, Round: takesRound(kind), Weapon: kind == attack})
	}
	for _, spec := range actions {
		if spec.Turn {
			add(spec.Kind)
		}
	}
	add(combat.ActionMove)
	return list
}
