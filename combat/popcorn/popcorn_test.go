package popcorn_test

import (
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/popcorn"
)

type firstFace struct{ n int }

func (f *firstFace) Roll(sides int) int { f.n++; return f.n%sides + 1 }

// Whoever ends a turn names the next; nobody acts twice in a round; the last
// one names who begins the next.
func TestWhoeverEndsATurnNamesTheNext(t *testing.T) {
	e := combat.New(popcorn.System{})
	by := combat.By{Role: combat.RoleGM, Now: 1, Dice: &firstFace{}}
	_, s, r := e.Create("e", "popcorn", "", nil, nil, by)
	do := func(command combat.Command) {
		t.Helper()
		if r == nil {
			_, s, r = e.Decide(s, command, by)
		}
		if r != nil {
			t.Fatalf("%T: %s %v", command, r.Code, r.Params)
		}
	}
	ids := map[string]combat.ID{}
	for _, name := range []string{"A", "B", "C"} {
		do(combat.AddCombatant{Name: name})
		ids[name] = s.Combatants[len(s.Combatants)-1].ID
	}
	do(combat.StartCombat{})
	var acted []string
	for _, next := range []string{"C", "B", "B", "A", "C", "C"} {
		now := s.Combatant(s.Turn().Combatant)
		acted = append(acted, now.Name)
		do(combat.Act{Combatant: now.ID, Frame: s.Turn().ID, Kind: "handOver", Targets: []combat.ID{ids[next]}})
	}
	if got := strings.Join(acted, " "); got != "A C B B A C" {
		t.Fatalf("they acted %s", got)
	}
	if s.Round != 3 || s.Combatant(s.Turn().Combatant).Name != "C" {
		t.Fatalf("round %d, turn of %s", s.Round, s.Combatant(s.Turn().Combatant).Name)
	}
}
