package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/hub"
)

type dice struct{ *rand.Rand }

func (d dice) Roll(sides int) int { return d.IntN(sides) + 1 }

// Everything that a real fight shows to anybody must be what the schema says:
// no null for an empty list, no field too many or missing.
func TestAFightValidates(t *testing.T) {
	view, update := compiled(t, viewName), compiled(t, "Update")
	engine := combat.New(dnd5e.System{})
	by := combat.By{Role: combat.RoleGM, Now: 1, Dice: dice{rand.New(rand.NewPCG(1, 2))}}
	keys := map[string]string{"gm": "g", "player": "p", "spectator": "s"}
	events, state, refusal := engine.Create("e", "dnd5e", "The bridge", map[string]string{"reactionWindows": "ask", "turnSeconds": "60"}, keys, by)
	if refusal != nil {
		t.Fatal(refusal.Code, refusal.Params)
	}
	views := engine.NewViews(state)
	show := func(name string, events []combat.Event) {
		t.Helper()
		commit := &combat.Commit{Seq: state.Seq, ID: name, Type: name, Role: by.Role, Seat: by.Seat, At: by.Now, Events: events}
		for _, change := range views.Move(state, commit) {
			data, err := json.Marshal(hub.Update{Type: "update", Seq: 1, Set: change.Set, Del: change.Del, Log: change.Log})
			if err != nil {
				t.Fatal(err)
			}
			if err := check(t, update, data); err != nil {
				t.Errorf("%s, as %s sees it: %v\n%s", name, change.Audience, err, data)
			}
		}
		for _, audience := range views.Audiences() {
			whole := views.Whole(audience)
			for key := range whole {
				if kind, _, slash := strings.Cut(key, "/"); slash && viewValues[kind+"/"] == nil || !slash && viewValues[key] == nil {
					t.Errorf("after %s, for %s: the contract has no key %s", name, audience, key)
				}
			}
			data, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(t, view, data); err != nil {
				t.Errorf("after %s, for %s: %v\n%s", name, audience, err, data)
			}
		}
	}
	show("created", events)
	do := func(role string, command combat.Command) {
		t.Helper()
		name := combat.CommandName(command)
		by.Role, by.Now = role, by.Now+1000
		events, after, refusal := engine.Decide(state, command, by)
		if refusal != nil {
			t.Fatalf("%s: %s %v", name, refusal.Code, refusal.Params)
		}
		state = after
		show(name, events)
	}
	gm := func(command combat.Command) { t.Helper(); do(combat.RoleGM, command) }
	id := func(name string) combat.ID {
		for _, c := range state.Combatants {
			if c.Name == name {
				return c.ID
			}
		}
		t.Fatalf("there is no %s", name)
		return ""
	}
	total := 17

	do(combat.RolePlayer, combat.AddSeat{Seat: "seat", Name: "Ana", Key: "k"})
	gm(combat.AddCombatant{Name: "Ash", Side: "party", Kind: "pc", Seat: "seat", HP: 24, AC: 15, Answers: []string{"shield"}})
	gm(combat.AddCombatant{Name: "Goblin", Times: 2, HP: 7, AC: 15, Recharge: map[string]int{"breath": 5}})
	gm(combat.AddCombatant{Name: "Shade", HP: 40, Hidden: true, Notes: "in the rafters"})
	gm(combat.SetSurprised{Combatants: []combat.ID{id("Shade")}, Surprised: true})
	gm(combat.SetInitiative{Combatant: id("Ash"), Count: combat.Whole(18)})
	gm(combat.SetInitiative{Combatant: id("Goblin 1"), Count: combat.Whole(12)})
	gm(combat.SetInitiative{Combatant: id("Goblin 2"), Count: 955})
	gm(combat.SetInitiative{Combatant: id("Shade"), Count: combat.Whole(3)})
	gm(combat.StartCombat{})
	gm(combat.Move{Combatant: id("Ash"), Feet: 30, LeavesReachOf: []combat.ID{id("Goblin 1")}})
	gm(combat.React{Combatant: id("Goblin 1"), Kind: "opportunityAttack", Targets: []combat.ID{id("Ash")}, Attack: &combat.Attack{Total: &total, Damage: "5"}})
	gm(combat.React{Combatant: id("Ash"), Kind: "shield"})
	if len(state.Stack) != 3 {
		t.Errorf("%d frames stand, want 3", len(state.Stack))
	}
	gm(combat.EndTurn{})
	gm(combat.EndTurn{})
	gm(combat.AddEffect{Combatants: []combat.ID{id("Goblin 2")}, Name: "prone", Source: id("Ash"), Until: &combat.Until{At: "turnEnd"}})
	gm(combat.Damage{Combatants: []combat.ID{id("Ash")}, Amount: 4})
	gm(combat.EndTurn{})
	gm(combat.Ready{Combatant: id("Goblin 1"), Kind: "attack", Trigger: "somebody moves"})
	gm(combat.Roll{Dice: "2d6+3", Label: "a door", Secret: true})
	gm(combat.Say{Text: "well"})
	gm(combat.Undo{})
	gm(combat.Redo{})
	gm(combat.EndCombat{})
	if state.Phase != combat.PhaseEnded {
		t.Errorf("the fight is in phase %s", state.Phase)
	}
}
