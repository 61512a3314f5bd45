package combat_test

import (
	"testing"

	"riposte/combat"
	"riposte/combat/starfinder"
)

// stackOf is the stack as an audience sees it.
func (b *table) stackOf(a combat.Audience) []combat.FrameView {
	b.t.Helper()
	stack, is := b.engine.View(b.state, a)["stack"].([]combat.FrameView)
	if !is {
		b.t.Fatal("no stack in the view")
	}
	return stack
}

// A frame tells what it did last, and a response what it answers, also where
// nothing waits for answers and every action is over at once.
func TestStackTellsWhatWasDone(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	total := 17
	b.do("Ash", combat.Move{Combatant: b.ids["Ash"], Feet: 20})
	b.do("", combat.React{Combatant: b.ids["Cedar"], Kind: "opportunityAttack", Targets: []combat.ID{b.ids["Ash"]}, Attack: &combat.Attack{Total: &total}})
	b.do("Birch", combat.React{Combatant: b.ids["Birch"], Kind: "other", Name: "Warding cry"})
	for _, a := range []combat.Audience{{Role: combat.RoleGM}, {Role: combat.RoleSpectator}} {
		stack := b.stackOf(a)
		if len(stack) != 3 {
			t.Fatalf("%v: %d frames", a, len(stack))
		}
		if did := stack[0].Did; did == nil || did.Kind != combat.ActionMove || did.Feet != 20 {
			t.Errorf("%v: the turn did %+v", a, did)
		}
		did, trigger := stack[1].Did, stack[1].Trigger
		if did == nil || did.Kind != "opportunityAttack" || did.Total == nil || *did.Total != 17 || len(did.Targets) != 1 || did.Targets[0] != b.ids["Ash"] {
			t.Errorf("%v: the first response did %+v", a, did)
		}
		if trigger == nil || trigger.Kind != combat.ActionMove || trigger.Combatant != b.ids["Ash"] {
			t.Errorf("%v: the first response answers %+v", a, trigger)
		}
		if trigger := stack[2].Trigger; trigger == nil || trigger.Kind != "opportunityAttack" || trigger.Combatant != b.ids["Cedar"] {
			t.Errorf("%v: the second response answers %+v", a, trigger)
		}
	}
}

// Whoever is hidden is no target in what a frame did, either.
func TestStackTellsNothingOfTheHidden(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	b.do("", combat.AddCombatant{Name: "Shade", Kind: "npc", Hidden: true})
	shade := b.state.Combatants[len(b.state.Combatants)-1].ID
	b.do("", combat.Act{Combatant: b.ids["Ash"], Kind: "help", Targets: []combat.ID{shade, b.ids["Birch"]}})
	for a, want := range map[combat.Audience]int{{Role: combat.RoleGM}: 2, {Role: combat.RoleSpectator}: 1} {
		if did := b.stackOf(a)[0].Did; did == nil || len(did.Targets) != want {
			t.Errorf("%v: did %+v", a, did)
		}
	}
}

// A defence against one attack alone is added to what that attack has to reach:
// its roll stays what the dice said, on every screen.
func TestDefenceLeavesTheRollAsItFell(t *testing.T) {
	b := newTableUnder(t, starfinder.System{}, map[string]string{"reactionWindows": "ask", "reactionSeconds": "0"})
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc", HP: 24, AC: 16, Answers: []string{"defend"}}, 18)
	b.add(combat.AddCombatant{Name: "Cedar", Kind: "npc", HP: 30}, 12)
	b.begin(1)
	total := 17
	b.do("", combat.Act{Combatant: b.ids["Cedar"], Kind: "attack", Targets: []combat.ID{b.ids["Ash"]}, Attack: &combat.Attack{Total: &total, Damage: "5"}})
	b.do("Ash", combat.React{Combatant: b.ids["Ash"], Kind: "defend", Window: b.state.Acting().Window.ID, Defensive: true, AC: 2, Done: true})
	var told *combat.Resolved
	for _, event := range b.events {
		if e, is := event.(combat.Resolved); is && e.Target == b.ids["Ash"] {
			told = &e
		}
	}
	if told == nil || told.Outcome != "miss" || told.Total == nil || *told.Total != 17 || told.AC == nil || *told.AC != 18 {
		t.Errorf("the attack came out as %+v", told)
	}
	if did := b.stackOf(combat.Audience{Role: combat.RoleSpectator})[0].Did; did == nil || did.Total == nil || *did.Total != 17 {
		t.Errorf("a spectator sees %+v", did)
	}
}
