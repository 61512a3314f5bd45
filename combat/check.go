package combat

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what people type. Letters are what a reader sees: a base with its
// accents, an emoji with its parts, is one.
const (
	MaxTitle      = 120
	MaxName       = 80
	MaxText       = 500
	MaxNotes      = 4000
	MaxCombatants = 200
	MaxEffects    = 1000
	MaxSeats      = 64
	MaxDepth      = 16 // of the interrupt stack
	MaxPlan       = 24 // actions of one combatant in one round
	MaxList       = 200
	MaxNumber     = 1_000_000 // hit points, damage
	MaxStat       = 10_000
	MaxSmall      = 1000 // modifiers, armour class, feet of one move
	MaxPlayersAdd = 100  // combatants that a player may see and still add more
	maxStats      = 60
	maxPending    = 500
	maxNotesBytes = 200_000 // of a whole encounter: every undo carries them
	maxWords      = 20
)

// checkText refuses a text that is too long for a reader, or not text. Empty
// is refused when it must be given.
func checkText(field, text string, limit int, must bool) *Refusal {
	if must && strings.TrimSpace(text) == "" {
		return refuse("bad_value", "field", field)
	}
	// An emoji of a whole family takes 25 bytes; nobody writes pages of them.
	if len(text) > max(limit*4, MaxName*32) || letters(text) > limit {
		return refuse("too_long", "field", field, "limit", limit)
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
		return refuse("bad_value", "field", field)
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return refuse("bad_value", "field", field)
		}
	}
	return nil
}

// checkName is checkText for what stands in one row: one line, with something
// in it that shows.
func checkName(field, name string) *Refusal {
	if r := checkText(field, name, MaxName, true); r != nil {
		return r
	}
	shows := strings.ContainsFunc(name, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
	if !shows || strings.ContainsAny(name, "\n\t") {
		return refuse("bad_value", "field", field)
	}
	return nil
}

// letters counts what a reader takes for one letter each: a base with its
// accents, an emoji with its parts. No letter has more than a dozen parts.
func letters(text string) int {
	const joiner, regionalA, regionalZ, firstSymbol, most = '\u200d', '\U0001F1E6', '\U0001F1FF', '\u2190', 12
	n, parts, joined, flags := 0, 0, false, 0
	for _, r := range text {
		belongs := false
		switch {
		case r >= regionalA && r <= regionalZ: // two make a flag
			flags++
			belongs = flags%2 == 0
		case r == joiner, unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc), r >= 0x1F3FB && r <= 0x1F3FF, r >= 0xE0020 && r <= 0xE007F:
			belongs, flags = true, 0
		default:
			belongs, flags = joined && r >= firstSymbol, 0
		}
		if belongs && n > 0 && parts < most {
			parts++
		} else {
			n, parts = n+1, 1
		}
		joined = r == joiner
	}
	return n
}

// cut shortens a text that goes back in a refusal.
func cut(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

func checkRange(field string, n, least, most int) *Refusal {
	if n < least || n > most {
		return refuse("bad_value", "field", field, "min", least, "max", most)
	}
	return nil
}

// checkIDs refuses a list that is empty, too long, doubled or names somebody
// who is not here.
func (d *Draft) checkIDs(field string, ids []ID) *Refusal {
	if len(ids) == 0 {
		return refuse("bad_value", "field", field)
	}
	if len(ids) > MaxList {
		return refuse("too_many", "field", field, "limit", MaxList)
	}
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return refuse("bad_value", "field", field)
		}
		if !d.Knows(id) {
			return refuse("unknown_combatant", "field", field)
		}
	}
	return nil
}

// Knows reports whether the sender may know that this combatant exists: to
// somebody who may not see it, it is unknown.
func (d *Draft) Knows(id ID) bool {
	c := d.State().Combatant(id)
	return c != nil && (d.gm() || !c.hiddenFrom(Players) || d.owns(c))
}

// optionalIDs checks a list that may be empty.
func (d *Draft) optionalIDs(field string, ids []ID) *Refusal {
	if len(ids) == 0 {
		return nil
	}
	return d.checkIDs(field, ids)
}

// onlyOf refuses what is said of each of several when it names somebody else.
func onlyOf[V any](field string, ids []ID, said map[ID]V) *Refusal {
	for id := range said {
		if !slices.Contains(ids, id) {
			return refuse("bad_value", "field", field)
		}
	}
	return nil
}

// gm reports whether the sender may do everything.
func (d *Draft) gm() bool { return d.By.Role == RoleGM || d.By.Role == RoleServer }

// owns reports whether the sender's seat plays this combatant.
func (d *Draft) owns(c *Combatant) bool {
	return d.By.Role == RoleSeat && d.By.Seat != "" && c.Seat == d.By.Seat
}

// Mine returns a combatant that the sender may act for.
func (d *Draft) Mine(field string, id ID) (*Combatant, *Refusal) {
	if !d.Knows(id) {
		return nil, refuse("unknown_combatant", "field", field)
	}
	c := d.State().Combatant(id)
	if !d.gm() && !d.owns(c) {
		return nil, refuse("not_yours")
	}
	return c, nil
}

func (d *Draft) onlyGM() *Refusal {
	if !d.gm() {
		return refuse("forbidden")
	}
	return nil
}

// firstRefusal returns the first that is one.
func firstRefusal(refusals ...*Refusal) *Refusal {
	for _, r := range refusals {
		if r != nil {
			return r
		}
	}
	return nil
}

// CheckReady, CheckRelease, CheckLegendary and CheckLair refuse what is typed
// wrong in the commands that belong to the rule systems.
func (d *Draft) CheckReady(cmd Ready) *Refusal {
	return firstRefusal(checkText("trigger", cmd.Trigger, MaxText, true), checkText("name", cmd.Name, MaxName, false),
		d.optionalIDs("targets", cmd.Targets), checkRange("level", cmd.Level, 0, 20))
}

// CheckRelease: see CheckReady.
func (d *Draft) CheckRelease(cmd Release) *Refusal {
	return firstRefusal(d.optionalIDs("targets", cmd.Targets), checkAttack(cmd.Attack))
}

// CheckLegendary: see CheckReady.
func (d *Draft) CheckLegendary(cmd LegendaryAction) *Refusal {
	return firstRefusal(checkText("name", cmd.Name, MaxName, false), d.optionalIDs("targets", cmd.Targets), checkAttack(cmd.Attack))
}

// CheckLair: see CheckReady.
func (d *Draft) CheckLair(cmd LairAction) *Refusal {
	return firstRefusal(checkText("name", cmd.Name, MaxName, false), d.optionalIDs("targets", cmd.Targets))
}
