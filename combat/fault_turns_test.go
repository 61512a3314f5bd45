package combat_test

import (
	"regexp"
	"testing"

	"riposte/combat"
)

// B05: removing somebody further down starts and ends no turn.
func TestB05RemovingTouchesNoTurn(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	before := len(b.events)
	b.do("", combat.RemoveCombatant{Combatants: []combat.ID{b.ids["Cedar"]}})
	b.events = b.events[before:]
	started := countEvents(b, func(combat.TurnStarted) bool { return true })
	ended := countEvents(b, func(combat.TurnEnded) bool { return true })
	if started+ended != 0 {
		t.Errorf("%d turns started, %d ended", started, ended)
	}
	b.isTurn("Ash")
}

// B06: whoever comes next after a removal has its turn started exactly once.
func TestB06OneTurnStart(t *testing.T) {
	for name, removed := range map[string][]string{"Birch": {"Ash"}, "Cedar": {"Ash", "Birch"}} {
		b := quartet(t, nil)
		b.begin(0)
		var gone []combat.ID
		for _, who := range removed {
			gone = append(gone, b.ids[who])
		}
		b.do("", combat.RemoveCombatant{Combatants: gone})
		b.isTurn(name)
		starts := countEvents(b, func(e combat.TurnStarted) bool { return e.Combatant == b.ids[name] })
		if starts != 1 || b.state.Round != 1 {
			t.Errorf("%s: %d starts in round %d", name, starts, b.state.Round)
		}
	}
}

// B09: editing the order does not fire start-of-turn again.
func TestB09EditingStartsNoTurn(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	b.do("", combat.AddEffect{Combatants: []combat.ID{b.ids["Birch"]}, Name: "burning", TurnDamage: 5})
	b.do("Ash", combat.EndTurn{Combatant: b.ids["Ash"]})
	b.do("", combat.SetInitiative{Combatant: b.ids["Dune"], Count: combat.Whole(13)})
	b.do("", combat.SetInitiative{Combatant: b.ids["Birch"], Count: combat.Whole(14)})
	b.add(combat.AddCombatant{Name: "Echo", Kind: "npc"}, 2)
	if hp := b.state.Combatant(b.ids["Birch"]).HP; hp != 19 {
		t.Errorf("Birch has %d HP", hp)
	}
	if n := countEvents(b, func(e combat.TurnStarted) bool { return e.Combatant == b.ids["Birch"] }); n != 1 {
		t.Errorf("Birch's turn started %d times", n)
	}
	b.isTurn("Birch")
}

// B10: a roster change rolls no recharge; the next turn rolls it once.
func TestB10OneRechargeRoll(t *testing.T) {
	b := newTable(t, nil)
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc"}, 18)
	cedar := b.add(combat.AddCombatant{Name: "Cedar", Kind: "npc", Recharge: map[string]int{"breath": 5}}, 12)
	b.begin(1)
	b.do("", combat.SetCharged{Combatant: cedar, Name: "breath"})
	rolls := func() int { return countEvents(b, func(e combat.ChargeSet) bool { return e.Die > 0 }) }
	for range 5 {
		dune := b.add(combat.AddCombatant{Name: "Dune", Kind: "npc"}, 9)
		b.do("", combat.RemoveCombatant{Combatants: []combat.ID{dune}})
	}
	if rolls() != 0 {
		t.Errorf("%d recharge rolls", rolls())
	}
	b.do("", combat.EndTurn{})
	b.faces = []int{4} // 5E-23: recharge 5-6, a 4 is not enough
	b.do("", combat.EndTurn{})
	b.isTurn("Cedar")
	if rolls() != 1 || len(b.state.Combatant(cedar).Spent) != 1 {
		t.Errorf("%d rolls, spent %v", rolls(), b.state.Combatant(cedar).Spent)
	}
	b.do("", combat.EndTurn{})
	b.faces = []int{5}
	b.do("", combat.EndTurn{})
	if rolls() != 2 || len(b.state.Combatant(cedar).Spent) != 0 {
		t.Errorf("%d rolls, spent %v", rolls(), b.state.Combatant(cedar).Spent)
	}
}

// B13: each round is announced once, in order, to everybody.
func TestB13RoundsAnnouncedOnce(t *testing.T) {
	b := quartet(t, nil)
	b.begin(8)
	b.isTurn("Ash")
	round := regexp.MustCompile(`"type":"roundStarted".*"round":(\d+)`)
	for _, a := range b.views.Audiences() {
		announced := ""
		for _, change := range b.sent[a] {
			for _, line := range change.Log {
				if found := round.FindSubmatch(line); found != nil {
					announced += string(found[1]) + " "
				}
			}
		}
		if announced != "1 2 3 " {
			t.Errorf("%s was told of rounds %s", a, announced)
		}
	}
}

// B20: an effect whose end was jumped over ends once.
func TestB20EndsOnce(t *testing.T) {
	b := quartet(t, nil)
	b.begin(4)
	b.do("", combat.AddEffect{Combatants: []combat.ID{b.ids["Cedar"]}, Name: "marked",
		Until: &combat.Until{At: combat.AtTurnStart, Of: b.ids["Cedar"]}})
	b.do("", combat.EndTurn{})
	b.do("", combat.SetActive{Combatant: b.ids["Dune"]})
	b.do("", combat.SetDefeated{Combatants: []combat.ID{b.ids["Birch"]}, Defeated: true})
	b.do("", combat.SetDefeated{Combatants: []combat.ID{b.ids["Birch"]}})
	ends := countEvents(b, func(e combat.EffectEnded) bool { return e.Name == "marked" })
	if ends != 1 || b.state.HasEffect(b.ids["Cedar"], "marked") {
		t.Errorf("ended %d times", ends)
	}
}

// B22: going back and on again by undo and redo restores the state to the
// byte, and a tick of damage stays one tick.
func TestB22BackAndForth(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	b.do("", combat.AddEffect{Combatants: []combat.ID{b.ids["Cedar"]}, Name: "bleeding", TurnDamage: 4})
	for range 4 {
		b.do("", combat.EndTurn{})
	}
	played := func() combat.State {
		s := *b.state
		s.Seq, s.At = 0, 0 // both grow with every commit, undo included
		return s
	}
	before := encode(t, played())
	for range 4 {
		b.do("", combat.Undo{})
	}
	b.isTurn("Ash")
	for range 4 {
		b.do("", combat.Redo{})
	}
	if after := encode(t, played()); after != before {
		t.Errorf("before %s\nafter  %s", before, after)
	}
	if hp := b.state.Combatant(b.ids["Cedar"]).HP; hp != 26 {
		t.Errorf("Cedar has %d HP", hp)
	}
}

// B38: starting twice starts one turn.
func TestB38StartsOnce(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	b.refused(b.by(""), combat.StartCombat{}, "already_started")
	if n := countEvents(b, func(combat.TurnStarted) bool { return true }); n != 1 {
		t.Errorf("%d turns started", n)
	}
	if n := countEvents(b, func(combat.TurnEnded) bool { return true }); n != 0 {
		t.Errorf("%d turns ended", n)
	}
	b.isTurn("Ash")
}

// B48: an endTurn that names the frame it means ends no other.
func TestB48DoubledEndTurn(t *testing.T) {
	b := newTable(t, nil)
	ash := b.add(combat.AddCombatant{Name: "Ash", Kind: "pc"}, 18)
	birch := b.add(combat.AddCombatant{Name: "Birch", Kind: "npc"}, 15)
	b.do("", combat.AssignSeat{Combatant: birch, Seat: b.seats["Ash"]})
	b.begin(0)
	end := combat.EndTurn{Combatant: ash, Frame: b.state.Turn().ID}
	b.do("Ash", end)
	for range 4 {
		b.refused(b.by("Ash"), end, "stale_frame")
	}
	b.isTurn("Birch")
}

// B78: what happens by itself happens once, whoever watches.
func TestB78OneTick(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	b.do("", combat.AddEffect{Combatants: []combat.ID{b.ids["Cedar"]}, Name: "burning", TurnDamage: 5})
	b.do("", combat.EndTurn{})
	b.do("", combat.EndTurn{})
	b.isTurn("Cedar")
	ticks := countEvents(b, func(e combat.Damaged) bool { return e.Combatant == b.ids["Cedar"] })
	if hp := b.state.Combatant(b.ids["Cedar"]).HP; ticks != 1 || hp != 25 {
		t.Errorf("%d ticks, %d HP", ticks, hp)
	}
}
