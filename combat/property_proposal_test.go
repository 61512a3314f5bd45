package combat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"riposte/combat"
)

// What a player has put before the GM is in no byte that goes to anybody else,
// and moves nobody else's view as long as nothing comes of it.
func TestProposalsAreTheirOwn(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		views := tb.engine.NewViews(tb.state)
		whose := map[combat.ID]combat.ID{}
		for range stepsPerFight {
			n := len(tb.commits)
			tb.step()
			for _, c := range tb.commits[n:] {
				private := combat.ID("")
				for _, event := range c.Events {
					switch e := event.(type) {
					case combat.Proposed:
						whose[e.Pending.ID], private = e.Pending.Seat, e.Pending.Seat
					case combat.ProposalClosed:
						if e.Why == "dismissed" || e.Why == "withdrawn" {
							private = e.Seat
						}
					}
				}
				for _, change := range views.Move(tb.state, c) {
					a := change.Audience
					if a.Role == combat.RoleGM {
						continue
					}
					told, err := json.Marshal(change)
					if err != nil {
						t.Fatal(err)
					}
					if private != "" && a.Seat != private {
						t.Fatalf("a proposal of %s moved what %s sees:\n%s", private, a, told)
					}
					for id, seat := range whose {
						if a.Seat != seat && strings.Contains(string(told), string(id)) {
							t.Fatalf("%s was told of a proposal of %s:\n%s", a, seat, told)
						}
					}
				}
			}
		}
	})
}
