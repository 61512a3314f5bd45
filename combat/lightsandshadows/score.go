package lightsandshadows

import (
	"maps"
	"slices"
	"strings"

	"riposte/combat"
)

// maxScore bounds the score, and so the actions of a round.
const maxScore = 100

// humanRace is the racial score of half-elves, half-orcs, humans and dwarves;
// it is nine for halflings and gnomes, eleven for elves (LS-03).
const humanRace = 10

// sheetScore is the score that a sheet gives: the number itself, or the sum of
// its parts, or the racial score of a human with the initiative modifier. It is
// never under 1 (LS-03).
func sheetScore(c *combat.Combatant) int {
	score, given := c.Stats[statScore]
	if !given {
		racial, parts := c.Stats[statRacial]
		if !parts {
			racial = humanRace
		}
		score = racial + c.Mod
		for _, key := range []string{statBonuses, statMagic, statCharacteristic} {
			score += c.Stats[key]
		}
	}
	return min(max(score, 1), maxScore)
}

// scoreNow is the score in force: a count that was typed in, less the die in
// it, is the score.
func scoreNow(c *combat.Combatant) combat.Count {
	if c.Init == nil {
		return combat.Whole(sheetScore(c))
	}
	return min(max(*c.Init-combat.Whole(c.Die), combat.Whole(1)), combat.Whole(maxScore))
}

// roundScore is the score that the round is played with: a new one counts from
// the next round (LS-25).
func roundScore(c *combat.Combatant) combat.Count {
	if n := c.Marks[markScore]; n > 0 {
		return combat.Count(n)
	}
	return scoreNow(c)
}

// perRound is how many actions a combatant has in this round (LS-05). Half an
// action is one, unless it was used the round before (LS-10).
func perRound(c *combat.Combatant) int {
	if n := int(roundScore(c)) / int(combat.Whole(5)); n > 0 {
		return n
	}
	return 1 - c.Marks[markRest]
}

// halved reports whether it has half an action a round.
func halved(c *combat.Combatant) bool { return roundScore(c) < combat.Whole(5) }

// Initiative is the score, without a die (LS-04) or with the one that is rolled
// each round (LS-21).
func (System) Initiative(s *combat.State, c *combat.Combatant) (sides, mod int) {
	mod = sheetScore(c)
	if s.InFight() {
		mod = int(scoreNow(c)) / int(combat.Whole(1))
	}
	return dieSides(s), mod
}

func dieSides(s *combat.State) int {
	switch option(s, optionRoll) {
	case "d6":
		return 6
	case "d10":
		return 10
	case "d20":
		return 20
	}
	return 0
}

// newScores brings every score up to date at the start of a round: a changed
// sheet counts now (LS-25), dice are rolled anew (LS-21).
func newScores(d *combat.Draft, round int) {
	sides := dieSides(d.State())
	for _, c := range slices.Clone(d.State().Combatants) {
		sheet, score := sheetScore(c), scoreNow(c)
		if was := c.Marks[markSheet]; was > 0 && was != sheet {
			score = combat.Whole(sheet)
		}
		die := c.Die
		if sides == 0 {
			die = 0
		} else if round > 1 || c.Init == nil {
			die = d.Roll(sides)
		}
		if count := score + combat.Whole(die); c.Init == nil || *c.Init != count || c.Die != die {
			d.Emit(combat.InitiativeSet{Combatant: c.ID, Count: count, Die: die, Mod: int(score) / int(combat.Whole(1))})
		}
		mark(d, c.ID, map[string]int{markSheet: sheet, markScore: int(score), markRest: c.Marks[markHalf], markHalf: 0, markDefences: 0,
			markActed: 0, markHeld: 0, markTaking: 0, markWaits: 0, markFalls: 0})
	}
}

// mark sets those marks that are not so already.
func mark(d *combat.Draft, id combat.ID, marks map[string]int) {
	had := d.State().Combatant(id).Marks
	maps.DeleteFunc(marks, func(name string, n int) bool { return had[name] == n })
	if len(marks) > 0 {
		d.Marks(id, marks)
	}
}

// weapons lists the names of a combatant's weapons.
func weapons(c *combat.Combatant) []string {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(c.Stats)) {
		name, is := strings.CutPrefix(key, "weapon.")
		if first, found := strings.CutSuffix(name, ".first"); is && found && first != "" {
			names = append(names, first)
		}
	}
	return names
}

// modifiers are the two of a weapon. Bare hands go like any other action
// (LS-22).
func modifiers(c *combat.Combatant, weapon string) (first, next combat.Count) {
	if weapon == "" {
		return 0, otherStep
	}
	return combat.Whole(c.Stats["weapon."+weapon+".first"]), combat.Whole(c.Stats["weapon."+weapon+".next"])
}

// hand is the weapon in hand: the one drawn or used last, else the first of
// the sheet; none is bare hands.
func hand(c *combat.Combatant) string {
	names := weapons(c)
	for _, name := range names {
		if c.Marks[markHand+name] > 0 {
			return name
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}

// takeInHand remembers what is in hand now.
func takeInHand(d *combat.Draft, id combat.ID, weapon string) {
	if weapon == "" {
		return
	}
	marks := map[string]int{}
	for key := range d.State().Combatant(id).Marks {
		if strings.HasPrefix(key, markHand) {
			marks[key] = 0
		}
	}
	marks[markHand+weapon] = 1
	mark(d, id, marks)
}
