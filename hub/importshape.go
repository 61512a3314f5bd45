package hub

import (
	"bytes"
	"encoding/json"
	"strings"

	"riposte/combat"
)

// Bounds of the JSON of an import, checked before it becomes values: a few
// bytes of it, like {} or "", may stand for a value that takes a hundred.
const (
	importDepth  = 24        // arrays and objects inside one another
	importValues = 1_000_000 // all of them together
	importList   = 1000      // elements of an array that importLists does not name
)

// importLists bounds the arrays of a state by their key, to what an encounter
// can grow to.
var importLists = map[string]int{
	"combatants": combat.MaxCombatants + combat.MaxPlayersAdd,
	"effects":    combat.MaxEffects,
	"order":      2 * combat.MaxPlan * combat.MaxCombatants,
	"pending":    combat.MaxEffects + combat.MaxSeats*combat.MaxProposals,
	"stack":      combat.MaxDepth,
	"ties":       combat.MaxCombatants,
	"plan":       combat.MaxPlan,
}

// listLimit bounds the elements of an array or object under a key. Keys are
// compared as the decoder compares them, without regard to case.
func listLimit(key string) int {
	for name, limit := range importLists {
		if strings.EqualFold(name, key) {
			return limit
		}
	}
	return importList
}

// nesting is one open array or object on the way through.
type nesting struct {
	key    string // under which it stands
	object bool
	naming bool   // the next token is a key
	name   string // the last key
	count  int
}

// checkShape walks through an import and refuses (too_many, bad_value) what
// would take far more room as values than as text. The log in it is for
// reading only and counts as one value.
func checkShape(data []byte) *combat.Refusal {
	malformed := combat.Refuse("bad_value", "field", "message")
	decoder := json.NewDecoder(bytes.NewReader(data))
	var open []nesting
	for values := 0; ; {
		top := len(open) - 1
		if top == 0 && !open[0].naming && strings.EqualFold(open[0].name, "log") {
			var log skipped
			if err := decoder.Decode(&log); err != nil {
				return malformed
			}
			open[0].naming = true
			continue
		}
		token, err := decoder.Token()
		if err != nil {
			return malformed
		}
		if key, is := token.(string); is && top >= 0 && open[top].naming {
			open[top].name, open[top].naming = key, false
			continue
		}
		delim, nested := token.(json.Delim)
		if nested && (delim == '}' || delim == ']') {
			if open = open[:top]; top == 0 {
				return nil
			}
			continue
		}
		key := ""
		if top >= 0 {
			parent := &open[top]
			if parent.object {
				key, parent.naming = parent.name, true
			}
			if parent.count++; parent.count > listLimit(parent.key) {
				return combat.Refuse("too_many", "field", "state", "limit", listLimit(parent.key))
			}
		}
		if values++; values > importValues {
			return combat.Refuse("too_many", "field", "state", "limit", importValues)
		}
		if !nested {
			if top < 0 {
				return malformed
			}
			continue
		}
		if len(open) == importDepth {
			return malformed
		}
		open = append(open, nesting{key: key, object: delim == '{', naming: delim == '{'})
	}
}

// skipped takes any value and keeps nothing of it.
type skipped struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (skipped) UnmarshalJSON([]byte) error { return nil }
