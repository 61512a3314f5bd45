package statblock

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"riposte/combat"
)

// parseWhole reads a whole number as people and programs write it: 12, "+2",
// " 2 ", 12.0. Fractions, exponents in text, other scripts' digits and
// expressions are no whole numbers.
func parseWhole(text string) (int, bool) {
	text = strings.TrimSpace(text)
	text, negative := strings.CutPrefix(strings.Replace(text, "−", "-", 1), "-")
	if !negative {
		text = strings.TrimPrefix(text, "+")
	}
	whole, fraction, dotted := strings.Cut(text, ".")
	if dotted && (fraction == "" || strings.Trim(fraction, "0") != "") || whole == "" || len(whole) > 9 || strings.Trim(whole, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(whole)
	if err != nil {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

// whole reads a number, or a text that is one.
func (n node) whole() (int, bool) {
	switch {
	case n.isText():
		return parseWhole(n.text(maxNumber))
	case n.isNumber():
		if value, ok := parseWhole(string(n.raw)); ok {
			return value, true
		}
		value, err := strconv.ParseFloat(string(n.raw), 64)
		if err != nil || value != math.Trunc(value) || math.Abs(value) > 1e9 {
			return 0, false
		}
		return int(value), true
	}
	return 0, false
}

// maxNumber bounds the bytes of a text that may be a number.
const maxNumber = 200

// noted is a number with a remark behind it: 15 (leather armor).
var noted = regexp.MustCompile(`^\s*([+-]?\d+)\s*\([^()]*\)\s*$`)

// parseNoted reads a whole number that may have a remark behind it.
func parseNoted(text string) (int, bool) {
	if found := noted.FindStringSubmatch(text); found != nil {
		text = found[1]
	}
	return parseWhole(text)
}

// dice is a sum of dice and numbers, and term is one of them.
var (
	dice = regexp.MustCompile(`(?i)^\(?\s*[+-]?\s*(?:\d{0,3}d\d{1,4}|\d{1,6})(?:\s*[+-]\s*(?:\d{0,3}d\d{1,4}|\d{1,6})){0,20}\s*\)?$`)
	term = regexp.MustCompile(`(?i)([+-]?)\s*(?:(\d{0,3})d(\d{1,4})|(\d{1,6}))`)
)

// average is the mean of a sum of dice and numbers, rounded down: 2d6+3 is 10.
// It reports false for anything that has no dice.
func average(text string) (int, bool) {
	text = strings.NewReplacer("−", "-", "–", "-").Replace(strings.TrimSpace(text))
	if !dice.MatchString(text) || !strings.ContainsAny(text, "dD") {
		return 0, false
	}
	halves := 0 // twice the mean
	for _, found := range term.FindAllStringSubmatch(text, -1) {
		value := 0
		if found[3] != "" {
			count, sides := 1, 0
			if found[2] != "" {
				count, _ = strconv.Atoi(found[2])
			}
			sides, _ = strconv.Atoi(found[3])
			value = count * (sides + 1)
		} else {
			value, _ = strconv.Atoi(found[4])
			value *= 2
		}
		if found[1] == "-" {
			value = -value
		}
		halves += value
	}
	return int(math.Floor(float64(halves) / 2)), true
}

// count reads an initiative count. Programs that break ties with decimals write
// more than the two that a count has: those are rounded.
func (n node) count() (combat.Count, bool) {
	if n.isText() {
		count, err := combat.ParseCount(n.text(maxNumber))
		return count, err == nil
	}
	value, err := strconv.ParseFloat(string(n.raw), 64)
	if err != nil || !n.isNumber() || math.Abs(value) > combat.MaxCount/100 {
		return 0, false
	}
	return combat.Count(math.Round(value * 100)), true
}

// distance is a number with a unit of length behind it, or none for feet.
var distance = regexp.MustCompile(`(?i)(\d{1,4})(?:[.,](\d))?\s*(m(?:[eè]tres?|eters?|etros?)?\b)?`)

// feet reads a distance: "30 ft.", 30, "9 m". metric says that it was given in
// metres, of which one and a half go to a square of five feet.
func feet(text string) (value int, metric, ok bool) {
	found := distance.FindStringSubmatch(text)
	if found == nil {
		return 0, false, false
	}
	whole, _ := strconv.Atoi(found[1])
	if found[3] == "" {
		return whole, false, true
	}
	tenths, _ := strconv.Atoi(found[2])
	return int(math.Round((float64(whole) + float64(tenths)/10) * 10 / 3)), true, true
}

// modifier is what an ability score of 5e gives.
func modifier(score int) int { return int(math.Floor(float64(score-10) / 2)) }
