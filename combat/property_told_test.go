package combat_test

import (
	"encoding/json"
	"testing"

	"riposte/combat"
)

// A log told anew is the one that was told as it happened, line by line, for
// everybody.
func TestToldAnewIsToldLive(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		views := tb.engine.NewViews(tb.state)
		was := tb.state
		for range stepsPerFight {
			n := len(tb.commits)
			tb.step()
			for _, c := range tb.commits[n:] {
				is := combat.ApplyCommit(was, c)
				live := map[combat.Audience][]json.RawMessage{}
				for _, change := range views.Move(is, c) {
					live[change.Audience] = change.Log
				}
				for _, a := range views.Audiences() {
					anew := tb.engine.Told(was, is, c, a)
					if len(anew) != len(live[a]) {
						t.Fatalf("%s of %s: %d lines live, %d anew", c.Type, a, len(live[a]), len(anew))
					}
					for i := range anew {
						if line, err := json.Marshal(anew[i]); err != nil || string(line) != string(live[a][i]) {
							t.Fatalf("%s of %s\nlive %s\nanew %s (%v)", c.Type, a, live[a][i], line, err)
						}
					}
				}
				was = is
			}
		}
	})
}
