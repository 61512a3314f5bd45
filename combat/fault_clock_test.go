package combat_test

import (
	"encoding/json"
	"testing"

	"riposte/combat"
)

func encode(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// B31: an interruption holds the clock of the one whose turn it is, and hands
// it back with what was left.
func TestB31ClockHeldUnderInterrupt(t *testing.T) {
	b := quartet(t, map[string]string{"turnSeconds": "60"})
	b.begin(1)
	b.isTurn("Birch")
	turn := b.state.Turn().ID
	b.now += 20_000
	b.do("", combat.React{Combatant: b.ids["Dune"], Kind: "opportunityAttack"})
	if c := b.state.Clock; c.Frame != turn || c.Deadline != 0 || c.Left != 40_000 {
		t.Fatalf("under the reaction: %+v", c)
	}
	b.isTurn("Birch")
	b.now += 5_000
	b.do("", combat.EndTurn{Combatant: b.ids["Dune"]})
	if c := b.state.Clock; c.Frame != turn || c.Deadline != b.now+40_000 {
		t.Fatalf("after it: %+v at %d", c, b.now)
	}
	b.do("Birch", combat.EndTurn{Combatant: b.ids["Birch"]})
	b.isTurn("Cedar")
	if b.state.Round != 1 {
		t.Errorf("round %d", b.state.Round)
	}
}

// B32: nobody waits for ever: at the deadline the question counts as passed,
// once, and the attack goes on.
func TestB32AnswerExpires(t *testing.T) {
	b := quartet(t, map[string]string{"reactionWindows": "ask", "reactionSeconds": "30"})
	b.begin(2)
	b.isTurn("Cedar")
	total := 15
	b.do("", combat.Act{Combatant: b.ids["Cedar"], Kind: "attack", Targets: []combat.ID{b.ids["Birch"]},
		Attack: &combat.Attack{Total: &total, Damage: "5"}})
	next, waits := combat.Next(b.state)
	if w := b.state.Window(); w == nil || !waits || next.At != b.now+30_000 {
		t.Fatalf("window %+v, next %+v", w, next)
	}
	b.now += 30_000
	server := combat.By{Role: combat.RoleServer, Now: b.now, Dice: b}
	if refusal := b.try(server, next.Command); refusal != nil {
		t.Fatal(refusal)
	}
	b.refused(server, next.Command, "stale_window")
	if hp := b.state.Combatant(b.ids["Birch"]).HP; hp != 19 || b.state.Window() != nil {
		t.Errorf("Birch has %d HP, window %+v", hp, b.state.Window())
	}
	if left, _ := b.state.Combatant(b.ids["Birch"]).Pool("reaction"); left != 1 {
		t.Errorf("the reaction was spent: %d", left)
	}
	b.isTurn("Cedar")
	b.do("", combat.EndTurn{Combatant: b.ids["Cedar"]})
	b.isTurn("Dune")
}

// B33: a question stays the same question when somebody else leaves.
func TestB33QuestionKeepsItsID(t *testing.T) {
	b := quartet(t, map[string]string{"reactionWindows": "ask"})
	b.begin(2)
	total := 15
	b.do("", combat.Act{Combatant: b.ids["Cedar"], Kind: "attack", Targets: []combat.ID{b.ids["Birch"]},
		Attack: &combat.Attack{Total: &total, Damage: "5"}})
	window := b.state.Window().ID
	b.do("", combat.RemoveSeat{Seat: b.seats["Ash"]})
	b.do("", combat.RemoveCombatant{Combatants: []combat.ID{b.ids["Ash"]}})
	if w := b.state.Window(); w == nil || w.ID != window {
		t.Fatalf("window %+v", w)
	}
	answer := combat.React{Combatant: b.ids["Birch"], Window: window, Kind: "shield", AC: 5, Done: true}
	b.do("Birch", answer)
	b.refused(b.by("Birch"), answer, "stale_window")
	if hp := b.state.Combatant(b.ids["Birch"]).HP; hp != 24 {
		t.Errorf("Birch has %d HP", hp)
	}
	b.isTurn("Cedar")
}
