package statblock

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"riposte/combat"
)

// feature is one named paragraph of a stat block.
type feature struct {
	kind     string
	name     string
	text     string
	recharge int // lowest d6 face that gives it back; 0: it is always there
}

// Kinds of feature.
const (
	kindTrait     = "trait"
	kindAction    = "action"
	kindBonus     = "bonus"
	kindReaction  = "reaction"
	kindLegendary = "legendary"
	kindLair      = "lair"
)

// Bounds of the features of one creature.
const (
	maxFeatures    = 80
	maxFeatureText = 500 // letters that the notes keep
	maxNotes       = 2400
	maxAnswers     = 10
)

// recharge is what a name says about coming back: Fire Breath (Recharge 5–6).
var recharge = regexp.MustCompile(`(?i)\(?\brecharge\s+(\d)(?:\s*[-–—−]\s*\d)?\b\)?`)

// readRecharge finds the face that gives an ability back, and the text without
// the words that say so.
func readRecharge(text string) (face int, rest string) {
	at := recharge.FindStringSubmatchIndex(text)
	if at == nil {
		return 0, text
	}
	face, _ = strconv.Atoi(text[at[2]:at[3]])
	if face < 1 || face > 6 {
		return 0, text
	}
	return face, strings.TrimSpace(oneLine(text[:at[0]] + " " + text[at[1]:]))
}

// feature adds a paragraph. Face is what it says about recharging, 0 for
// nothing.
func (s *sheet) feature(kind, name, text string, face int) {
	if len(s.features) >= maxFeatures {
		return
	}
	text = strip(text)
	f := feature{kind: kind, name: plain(name, 2*combat.MaxName), text: cut(oneLine(text), 4000), recharge: face}
	if containsFold(f.name, "spellcasting", "incantation", "sorts") {
		for spell := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;:.()•\n", r) }) {
			s.answer(spell, spells...)
		}
	}
	if found, rest := readRecharge(f.name); f.recharge == 0 && found > 0 {
		f.recharge, f.name = found, rest
	}
	f.name = strings.TrimRight(f.name, ".: ")
	if f.name != "" || f.text != "" {
		s.features = append(s.features, f)
	}
}

// reactions are names of reactions, as rule books in English and French print
// them, and the kinds by which rule systems know them.
var reactions = map[string]string{
	"parry": "parry", "parade": "parry",
	"shield": "shield", "bouclier": "shield",
	"counterspell": "counterspell", "contresort": "counterspell",
	"uncanny dodge": "uncannyDodge", "esquive instinctive": "uncannyDodge",
	"hellish rebuke": "hellishRebuke", "représailles infernales": "hellishRebuke",
	"protection": "protection",
}

// spells are those of them that a list of spells may hold.
var spells = []string{"shield", "counterspell", "hellishRebuke"}

// answer gives the creature a reaction, if the name is that of one which the
// rule system knows.
func (s *sheet) answer(name string, only ...string) {
	name, _, _ = strings.Cut(name, "(") // (2/day)
	if len(name) > maxEcho {
		return
	}
	kind := reactions[strings.ToLower(strings.TrimSpace(name))]
	if kind == "" || len(only) > 0 && !slices.Contains(only, kind) || !slices.Contains(s.rules.answers, kind) ||
		slices.Contains(s.add.Answers, kind) || len(s.add.Answers) >= maxAnswers {
		return
	}
	s.add.Answers = append(s.add.Answers, kind)
}

// legendaryUse is how stat blocks say how many legendary actions there are.
var legendaryUse = regexp.MustCompile(`(?i)(?:legendary action uses:|can take|peut (?:effectuer|entreprendre|réaliser))\s*(\d|one|two|three|four|five|un|une|deux|trois|quatre|cinq)\b(?:\s*(?:legendary action|actions? légendaire))?`)

// words are small numbers in full.
var words = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5}

// legendaryCount finds in a text how many legendary actions there are in a
// round; 0 when it does not say.
func legendaryCount(text string) int {
	if !containsFold(text, "legendary action", "légendaire") {
		return 0
	}
	found := legendaryUse.FindStringSubmatch(cut(text, 600))
	if found == nil || !containsFold(found[0], "legendary", "légendaire") {
		return 0
	}
	if n, err := strconv.Atoi(found[1]); err == nil {
		return n
	}
	return words[strings.ToLower(found[1])]
}

// containsFold reports whether one of some words in small letters is in a text,
// whatever its case.
func containsFold(text string, words ...string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// applyFeatures makes of the paragraphs what the rules know of: what recharges,
// reactions, a bonus action, legendary and lair actions.
func (s *sheet) applyFeatures() {
	legendary, count, bonus := 0, 0, false
	for _, f := range s.features {
		if f.recharge > 0 && f.name != "" && len(s.add.Recharge) < maxAnswers {
			if s.add.Recharge == nil {
				s.add.Recharge = map[string]int{}
			}
			s.add.Recharge[cut(f.name, combat.MaxName/2)] = f.recharge
		}
		switch f.kind {
		case kindReaction:
			s.answer(f.name)
		case kindLegendary:
			legendary++
		case kindLair:
			s.stat(statLair, 1)
		case kindBonus:
			bonus = true
		}
		if f.kind == kindLegendary || f.kind == kindTrait {
			count = max(count, legendaryCount(f.text))
		}
		bonus = bonus || containsFold(f.text, "bonus action", "action bonus")
	}
	if bonus {
		s.stat(statBonus, 1)
	}
	if _, given := s.add.Stats[statLegendary]; legendary == 0 || given {
		return
	}
	if _, read := s.rules.stat(statLegendary); read && count == 0 {
		count = usualLegendary
		s.warn(statLegendary, WarnAssumed, "value", count)
	}
	s.stat(statLegendary, max(count, 1))
}

// usualLegendary is how many legendary actions a creature has that does not say.
const usualLegendary = 3

// marks stand before a paragraph of the notes and say its kind in no language.
var marks = map[string]string{kindAction: "• ", kindBonus: "+ ", kindReaction: "↩ ", kindLegendary: "★ ", kindLair: "⌂ ", kindTrait: "– "}

// notes is the creature in plain text, for the game master: what one needs most
// first, so that what is cut off is the least.
func (s *sheet) notes() string {
	if len(s.facts) == 0 && len(s.features) == 0 {
		return cut(s.remarks, combat.MaxNotes)
	}
	lines := slices.Clone(s.facts)
	for _, kind := range []string{kindAction, kindBonus, kindReaction, kindLegendary, kindTrait, kindLair} {
		for _, f := range s.features {
			if f.kind == kind {
				lines = append(lines, marks[kind]+cut(strings.Join(nonEmpty(f.name, f.text), ". "), maxFeatureText))
			}
		}
	}
	if s.remarks != "" {
		lines = append(lines, s.remarks)
	}
	return cut(strings.Join(lines, "\n"), maxNotes)
}

// nonEmpty leaves empty texts out.
func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}
