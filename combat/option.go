package combat

import (
	"maps"
	"slices"
	"strconv"
)

// Keys of the core's own options; a rule system adds its own.
const (
	OptionReactionWindows = "reactionWindows" // off: answering is free at any moment; ask: actions wait for answers
	OptionReactionSeconds = "reactionSeconds" // time to answer a window; 0: no limit
	OptionTurnSeconds     = "turnSeconds"     // turn clock; 0: none
	OptionPlayersHurt     = "playersHurt"     // whether players change their own hit points and effects: own, ask (the GM applies it), no

	// OptionHiddenAsked says whether somebody is asked too who is hidden from
	// players: yes or no. An action that waits for its answer, and the turn clock
	// that stands still meanwhile, tell players that there is somebody, though not
	// who. With no, nothing waits, and the GM lets it break in unasked.
	OptionHiddenAsked = "hiddenAsked"
)

// Keys of what players see of combatants that are not their own. SetSight says
// something else for a single one.
const (
	OptionNPCHP         = "npcHp"         // of an npc's hit points
	OptionPCHP          = "pcHp"          // of other player characters'
	OptionNPCAC         = "npcAc"         // an npc's armour class
	OptionNPCConditions = "npcConditions" // its conditions and effects
	// Its initiative count. Its place in the order shows all the same; and where
	// whoever delays or readies takes the count of the turn it comes out in
	// (SF-15, SF-17), such a count may be known from another's.
	OptionNPCCount = "npcCount"
	OptionNPCDice  = "npcDice" // its dice; totals: no more than what its attacks come to
)

// Keys of what spectators see instead; same: what players do.
const (
	OptionSpectatorNPCHP      = "spectatorNpcHp"
	OptionSpectatorPCHP       = "spectatorPcHp"
	OptionSpectatorNPCAC      = "spectatorNpcAc"
	OptionSpectatorConditions = "spectatorConditions" // of all combatants
	OptionSpectatorCount      = "spectatorCount"      // of all combatants
	OptionSpectatorDice       = "spectatorDice"       // all dice: also those that are thrown for all to see
)

// OptionSpectatorDelay is how many seconds later than others spectators are told
// everything. It says nothing about the fight: undo leaves it alone, or a step
// back to before it was set would show them at once what they are not to see yet.
const OptionSpectatorDelay = "spectatorDelay"

// MaxSpectatorDelay is the longest delay, in seconds.
const MaxSpectatorDelay = 300

var coreOptions = []Option{
	{Key: OptionReactionWindows, Default: "off", Values: []string{"off", "ask"}},
	{Key: OptionReactionSeconds, Default: "20", Min: 0, Max: 600},
	{Key: OptionHiddenAsked, Default: "yes", Values: []string{"yes", "no"}},
	{Key: OptionTurnSeconds, Default: "0", Min: 0, Max: 3600},
	{Key: OptionNPCHP, Default: "band", Values: []string{"exact", "band", "none"}},
	{Key: OptionPCHP, Default: "exact", Values: []string{"exact", "band", "none"}},
	{Key: OptionNPCAC, Default: "no", Values: []string{"no", "yes"}},
	{Key: OptionNPCConditions, Default: "yes", Values: []string{"yes", "no"}},
	{Key: OptionNPCCount, Default: "yes", Values: []string{"yes", "no"}},
	{Key: OptionNPCDice, Default: "totals", Values: []string{"yes", "totals", "no"}},
	{Key: OptionSpectatorNPCHP, Default: "same", Values: []string{"same", "exact", "band", "none"}},
	{Key: OptionSpectatorPCHP, Default: "same", Values: []string{"same", "exact", "band", "none"}},
	{Key: OptionSpectatorNPCAC, Default: "same", Values: []string{"same", "yes", "no"}},
	{Key: OptionSpectatorConditions, Default: "same", Values: []string{"same", "yes", "no"}},
	{Key: OptionSpectatorCount, Default: "same", Values: []string{"same", "yes", "no"}},
	{Key: OptionSpectatorDice, Default: "same", Values: []string{"same", "yes", "no"}},
	{Key: OptionSpectatorDelay, Default: "0", Min: 0, Max: MaxSpectatorDelay},
	{Key: OptionPlayersHurt, Default: "own", Values: []string{"own", "ask", "no"}},
}

// allOptions lists every configuration key of a rule system, the core's first.
func allOptions(system System) []Option {
	return slices.Concat(coreOptions, system.Options())
}

// OptionOf returns the value of a key in force: what the GM set, else the
// default.
func OptionOf(system System, s *State, key string) string {
	if value, set := s.Options[key]; set {
		return value
	}
	for _, list := range [][]Option{coreOptions, system.Options()} {
		for i := range list {
			if list[i].Key == key {
				return list[i].Default
			}
		}
	}
	return ""
}

// SpectatorDelay returns how many seconds later than others spectators are told.
func SpectatorDelay(s *State) int {
	seconds, err := strconv.Atoi(s.Options[OptionSpectatorDelay])
	if err != nil {
		return 0 // not set
	}
	return min(max(seconds, 0), MaxSpectatorDelay)
}

// keepDelay returns the options of the past with the delay of now.
func keepDelay(past, now map[string]string) map[string]string {
	delay, set := now[OptionSpectatorDelay]
	if past[OptionSpectatorDelay] == delay {
		return past
	}
	kept := maps.Clone(past)
	if kept == nil {
		kept = map[string]string{}
	}
	if kept[OptionSpectatorDelay] = delay; !set {
		delete(kept, OptionSpectatorDelay)
	}
	return kept
}

// checkOptions refuses unknown keys and values.
func checkOptions(system System, options map[string]string) *Refusal {
	all := allOptions(system)
	for _, key := range slices.Sorted(maps.Keys(options)) {
		value := options[key]
		i := slices.IndexFunc(all, func(o Option) bool { return o.Key == key })
		if i < 0 {
			return refuse("unknown_field", "field", "options."+cut(key))
		}
		if o := all[i]; len(o.Values) > 0 {
			if !slices.Contains(o.Values, value) {
				return refuse("bad_value", "field", "options."+key)
			}
		} else if n, err := strconv.Atoi(value); err != nil || n < o.Min || n > o.Max || strconv.Itoa(n) != value {
			return refuse("bad_value", "field", "options."+key, "min", o.Min, "max", o.Max)
		}
	}
	return nil
}
