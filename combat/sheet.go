package combat

import (
	"maps"
	"slices"
	"strings"
)

// maxTimes bounds how many of a kind one entry may add.
const maxTimes = 50

// CheckSheet fills in what a game master may leave out of an entry, and refuses
// (bad_value, too_long, too_many, unknown_field, each with the field) what no
// sheet can say under a rule system. Whether there is such a seat is the
// encounter's to say.
func CheckSheet(system System, cmd *AddCombatant) *Refusal {
	if cmd.Times == 0 {
		cmd.Times = 1
	}
	if cmd.Side == "" {
		cmd.Side = "foes"
		if cmd.Kind == "pc" {
			cmd.Side = "party"
		}
	}
	if cmd.Kind == "" {
		cmd.Kind = "npc"
		if cmd.Side == "party" {
			cmd.Kind = "pc"
		}
	}
	if cmd.Current == nil {
		current := cmd.HP
		cmd.Current = &current
	}
	speed := 30
	if cmd.Speed != nil {
		speed = *cmd.Speed
	}
	cmd.Speed = &speed
	return firstRefusal(checkRange("times", cmd.Times, 1, maxTimes), checkName("name", cmd.Name), checkText("side", cmd.Side, MaxName, true), checkKind(cmd.Kind),
		checkText("group", cmd.Group, MaxName, false), checkText("notes", cmd.Notes, MaxNotes, false), checkRange("mod", cmd.Mod, -MaxSmall, MaxSmall),
		checkRange("hp", cmd.HP, 0, MaxNumber), checkRange("current", *cmd.Current, 0, max(cmd.HP, 0)), checkRange("temp", cmd.Temp, 0, MaxNumber),
		checkRange("ac", cmd.AC, 0, MaxSmall), checkRange("speed", speed, 0, MaxSmall), checkCount("init", cmd.Init),
		checkWords("answers", cmd.Answers), checkRecharge(cmd.Recharge), checkStats(system, cmd.Stats))
}

func checkKind(kind string) *Refusal {
	if kind != "pc" && kind != "npc" {
		return refuse("bad_value", "field", "kind")
	}
	return nil
}

func checkCount(field string, count *Count) *Refusal {
	if count != nil && (*count > MaxCount || *count < -MaxCount) {
		return refuse("bad_value", "field", field)
	}
	return nil
}

func checkWords(field string, words []string) *Refusal {
	if len(words) > maxWords {
		return refuse("too_many", "field", field, "limit", maxWords)
	}
	for _, word := range words {
		if r := checkText(field, word, MaxName, true); r != nil {
			return r
		}
	}
	return nil
}

func checkRecharge(recharge map[string]int) *Refusal {
	if len(recharge) > maxWords {
		return refuse("too_many", "field", "recharge", "limit", maxWords)
	}
	for _, name := range slices.Sorted(maps.Keys(recharge)) {
		if r := firstRefusal(checkText("recharge", name, MaxName, true), checkRange("recharge."+cut(name), recharge[name], 1, 6)); r != nil {
			return r
		}
	}
	return nil
}

// checkStats refuses keys that the rule system does not read, and values out of
// their range.
func checkStats(system System, stats map[string]int) *Refusal {
	if len(stats) > maxStats {
		return refuse("too_many", "field", "stats", "limit", maxStats)
	}
	known := system.Stats()
	for _, key := range slices.Sorted(maps.Keys(stats)) {
		i := slices.IndexFunc(known, func(s Stat) bool {
			prefix, open := strings.CutSuffix(s.Key, "*")
			return s.Key == key || open && strings.HasPrefix(key, prefix) && len(key) <= 60
		})
		if i < 0 {
			return refuse("unknown_field", "field", "stats."+cut(key))
		}
		if r := checkRange("stats."+key, stats[key], known[i].Min, known[i].Max); r != nil {
			return r
		}
	}
	return nil
}
