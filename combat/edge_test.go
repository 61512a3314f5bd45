package combat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/combat/lightsandshadows"
)

// edge is a small fight: Ana 18 and Bel 12, who have seats of their own,
// against Gob 15.
type edge struct {
	*testing.T
	e   *combat.Engine
	s   *combat.State
	now int64
	id  map[string]combat.ID
}

func newEdge(t *testing.T, options map[string]string) *edge {
	f := &edge{T: t, e: combat.New(dnd5e.System{}), now: 1000, id: map[string]combat.ID{}}
	_, s, r := f.e.Create("e", "dnd5e", "", options, nil, f.by(combat.RoleGM, ""))
	if r != nil {
		t.Fatal(r.Code, r.Params)
	}
	f.s = s
	for _, seat := range []combat.ID{"ana", "bel"} {
		f.must(combat.AddSeat{Seat: seat, Name: string(seat), Key: "k"}, combat.RolePlayer, "")
	}
	f.add(combat.AddCombatant{Name: "Ana", Side: "party", Seat: "ana", HP: 20, AC: 15, Init: count(18)})
	f.add(combat.AddCombatant{Name: "Bel", Side: "party", Seat: "bel", HP: 20, AC: 15, Init: count(12)})
	f.add(combat.AddCombatant{Name: "Gob", HP: 20, AC: 13, Init: count(15)})
	return f
}

func count(n int) *combat.Count {
	c := combat.Whole(n)
	return &c
}

func (f *edge) by(role string, seat combat.ID) combat.By {
	return combat.By{Role: role, Seat: seat, Now: f.now, Dice: &chance{state: uint64(f.now)}}
}

func (f *edge) try(command combat.Command, role string, seat combat.ID) *combat.Refusal {
	f.now++
	_, s, r := f.e.Decide(f.s, command, f.by(role, seat))
	if r == nil {
		f.s = s
	}
	return r
}

func (f *edge) must(command combat.Command, role string, seat combat.ID) {
	f.Helper()
	if r := f.try(command, role, seat); r != nil {
		f.Fatalf("%T: %s %v", command, r.Code, r.Params)
	}
}

func (f *edge) gm(command combat.Command) { f.Helper(); f.must(command, combat.RoleGM, "") }

// refuses checks that a command is refused with this code and these params.
func (f *edge) refuses(command combat.Command, seat combat.ID, want string) {
	f.Helper()
	r := f.try(command, combat.RoleSeat, seat)
	if r == nil {
		f.Fatalf("%T was accepted", command)
	}
	params, _ := json.Marshal(r.Params)
	if got := r.Code + " " + string(params); got != want && r.Code != want {
		f.Fatalf("%T: %s, want %s", command, got, want)
	}
}

func (f *edge) add(command combat.AddCombatant) {
	f.Helper()
	f.gm(command)
	c := f.s.Combatants[len(f.s.Combatants)-1]
	f.id[command.Name] = c.ID
}

func (f *edge) turn() string {
	if frame := f.s.Turn(); frame != nil {
		return f.s.Combatant(frame.Combatant).Name
	}
	return "none"
}

// public is the spectators' view as one text.
func (f *edge) public() string {
	encoded, err := json.Marshal(f.e.View(f.s, combat.Audience{Role: combat.RoleSpectator}))
	if err != nil {
		f.Fatal(err)
	}
	return string(encoded)
}

func TestTheDeadOweNothing(t *testing.T) {
	f := newEdge(t, nil)
	f.gm(combat.StartCombat{})
	f.gm(combat.Damage{Combatants: []combat.ID{f.id["Bel"]}, Amount: 20})
	f.gm(combat.EndTurn{})
	f.gm(combat.EndTurn{})
	if f.turn() != "Bel" || len(f.s.Pending) != 1 {
		t.Fatalf("turn of %s, %d pending", f.turn(), len(f.s.Pending))
	}
	f.gm(combat.Damage{Combatants: []combat.ID{f.id["Bel"]}, Amount: 20})
	if f.turn() != "Ana" || len(f.s.Pending) != 0 || f.s.Combatant(f.id["Bel"]).Life != combat.Dead {
		t.Fatalf("turn of %s, %d pending, Bel is %s", f.turn(), len(f.s.Pending), f.s.Combatant(f.id["Bel"]).Life)
	}
}

func TestRoundsDoNotRunAway(t *testing.T) {
	f := newEdge(t, nil)
	f.gm(combat.StartCombat{})
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Ana"], f.id["Bel"], f.id["Gob"]}, Name: "stunned"})
	round := f.s.Round
	for range 5 {
		f.gm(combat.Say{Text: "x"})
	}
	if f.s.Round != round {
		t.Fatalf("talk took the fight from round %d to %d", round, f.s.Round)
	}
	f.gm(combat.SetDefeated{Combatants: []combat.ID{f.id["Ana"], f.id["Bel"], f.id["Gob"]}, Defeated: true})
	f.must(combat.AddCombatant{Name: "Late"}, combat.RoleSeat, "ana") // has not rolled
	round = f.s.Round
	for range 5 {
		f.gm(combat.Say{Text: "x"})
	}
	if f.s.Round != round {
		t.Fatalf("talk took the fight from round %d to %d", round, f.s.Round)
	}
	f.must(combat.SetInitiative{Combatant: f.s.Combatants[3].ID, Count: combat.Whole(4)}, combat.RoleSeat, "ana")
	if f.turn() != "Late" {
		t.Fatalf("turn of %s", f.turn())
	}
}

func TestPlayersDoNotReachBeyondTheirOwn(t *testing.T) {
	f := newEdge(t, nil)
	f.add(combat.AddCombatant{Name: "Goblin 1", Hidden: true, HP: 7})
	f.refuses(combat.AddCombatant{Name: "x", Group: "Goblin"}, "ana", "forbidden")
	f.must(combat.AddCombatant{Name: "Goblin", Times: 2}, combat.RoleSeat, "ana")
	if name := f.s.Combatants[len(f.s.Combatants)-2].Name; name != "Goblin 1" {
		t.Fatalf("numbered past somebody unseen: %s", name)
	}
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Ana"]}, Name: "hold", Source: f.id["Gob"], Concentration: true})
	f.refuses(combat.AddEffect{Combatants: []combat.ID{f.id["Ana"]}, Name: "x", Source: f.id["Gob"], Concentration: true}, "ana", "not_yours")
	f.gm(combat.EditSeat{Seat: "ana", ReadOnly: new(true)})
	for _, command := range []combat.Command{combat.Say{Text: "x"}, combat.Roll{Dice: "d6"}, combat.EditSeat{Seat: "ana", Name: new("y")}} {
		f.refuses(command, "ana", "forbidden")
	}
	f.must(combat.Damage{Combatants: []combat.ID{f.id["Bel"]}, Amount: 20}, combat.RoleSeat, "bel")
	f.refuses(combat.EditCombatant{Combatant: f.id["Bel"], MaxHP: new(0)}, "bel", "forbidden")
}

func TestHiddenEffectsAndNotesMoveNothing(t *testing.T) {
	f := newEdge(t, nil)
	f.gm(combat.StartCombat{})
	before := f.public()
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Bel"]}, Name: "curse", Hidden: true, AC: 3, MaxHP: 9, Save: &combat.Save{Ability: "wis", DC: 17}})
	f.gm(combat.EditCombatant{Combatant: f.id["Gob"], Notes: new("secret")})
	if after := f.public(); after != before {
		t.Fatalf("before\n%s\nafter\n%s", before, after)
	}
	f.gm(combat.EndTurn{})
	f.gm(combat.EndTurn{})
	f.gm(combat.EndTurn{})
	if len(f.s.Pending) != 1 || strings.Contains(f.public(), "wis") {
		t.Fatalf("%d pending: %s", len(f.s.Pending), f.public())
	}
	f.refuses(combat.Answer{Pending: f.s.Pending[0].ID}, "bel", "stale_pending")
}

func TestRefusalsTellNothingHidden(t *testing.T) {
	f := newEdge(t, map[string]string{"reactionWindows": "ask"})
	f.add(combat.AddCombatant{Name: "Shade", Hidden: true, HP: 9, Init: count(20)})
	f.gm(combat.StartCombat{})
	f.refuses(combat.Act{Combatant: f.id["Ana"], Kind: "dodge"}, "ana", `not_started {"phase":"initiative"}`)
	f.gm(combat.EndTurn{})
	f.gm(combat.SetInitiative{Combatant: f.id["Shade"], Count: combat.Whole(17)})
	f.gm(combat.EndTurn{})
	f.gm(combat.SetActive{Combatant: f.id["Shade"]})
	gob, _ := json.Marshal(map[string]any{"acting": f.id["Gob"], "turn": f.id["Gob"]})
	f.refuses(combat.Act{Combatant: f.id["Bel"], Kind: "dodge"}, "bel", "not_your_turn "+string(gob))
	f.refuses(combat.LairAction{}, "bel", "not_your_turn")
	// Only somebody unseen is asked: no player learns of a window.
	f.gm(combat.SetActive{Combatant: f.id["Ana"]})
	f.gm(combat.Move{Combatant: f.id["Ana"], Feet: 5, LeavesReachOf: []combat.ID{f.id["Shade"]}})
	f.refuses(combat.Decline{Combatant: f.id["Ana"]}, "ana", `stale_window {"window":""}`)
	f.refuses(combat.EndTurn{Combatant: f.id["Ana"]}, "ana", "not_acting null")
}

func TestATieWithSomebodyUnseenIsSettledByThoseSeen(t *testing.T) {
	f := newEdge(t, nil)
	for _, name := range []string{"Ana", "Bel"} {
		f.gm(combat.SetInitiative{Combatant: f.id[name], Count: combat.Whole(15)})
	}
	f.gm(combat.SetInitiative{Combatant: f.id["Gob"], Count: combat.Whole(3)})
	f.add(combat.AddCombatant{Name: "Shade", Hidden: true, HP: 9, Init: count(15)})
	f.must(combat.SettleTie{Order: []combat.ID{f.id["Bel"], f.id["Ana"]}}, combat.RoleSeat, "ana")
	if strings.Contains(f.public(), "pending/") {
		t.Fatal("the tie still shows")
	}
	f.gm(combat.StartCombat{})
	if f.turn() != "Bel" || len(f.s.Combatant(f.id["Bel"]).Rolls) != 0 {
		t.Fatalf("turn of %s, who rolled %v", f.turn(), f.s.Combatant(f.id["Bel"]).Rolls)
	}
}

func TestNothingGrowsWithoutBound(t *testing.T) {
	f := newEdge(t, nil)
	f.gm(combat.SetInitiative{Combatant: f.id["Bel"], Count: combat.Whole(18)})
	f.must(combat.RollOff{Combatant: f.id["Ana"], Die: 3}, combat.RoleSeat, "ana")
	f.refuses(combat.RollOff{Combatant: f.id["Ana"], Die: 9}, "ana", "stale_pending")
	f.gm(combat.StartCombat{})
	f.must(combat.AddEffect{Combatants: []combat.ID{f.id["Bel"]}, Name: "bless", Source: f.id["Ana"], Concentration: true}, combat.RoleGM, "")
	for range 15 {
		f.must(combat.Damage{Combatants: []combat.ID{f.id["Ana"]}, Amount: 1}, combat.RoleSeat, "ana")
	}
	if n := len(f.s.Pending); n != 10 {
		t.Fatalf("%d decisions pending", n)
	}
	slots := len(f.s.Order)
	for range 5 {
		f.gm(combat.AddCombatant{Name: "Rat", Times: 20})
		var rats []combat.ID
		for _, c := range f.s.Combatants[3:] {
			rats = append(rats, c.ID)
		}
		f.gm(combat.RemoveCombatant{Combatants: rats})
	}
	if len(f.s.Order) != slots {
		t.Fatalf("%d slots, were %d", len(f.s.Order), slots)
	}
	notes := strings.Repeat("n", combat.MaxNotes)
	var r *combat.Refusal
	for i := 0; i < combat.MaxCombatants && r == nil; i++ {
		r = f.try(combat.AddCombatant{Name: fmt.Sprint("N", i), Notes: notes}, combat.RoleGM, "")
	}
	if r == nil || r.Code != "too_many" || r.Params["field"] != "notes" {
		t.Fatalf("notes without end: %v", r)
	}
}

func TestALairIsNotTheDragonsTurn(t *testing.T) {
	f := newEdge(t, nil)
	f.add(combat.AddCombatant{Name: "Dragon", HP: 99, Init: count(10), Stats: map[string]int{"lair": 1}})
	f.gm(combat.StartCombat{})
	f.gm(combat.EndTurn{}) // the lair
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Bel"]}, Name: "fear", Until: &combat.Until{At: "turnEnd", Of: f.id["Dragon"], Rounds: 2}})
	f.gm(combat.SetDefeated{Combatants: []combat.ID{f.id["Dragon"]}, Defeated: true})
	for f.s.Round == 1 {
		f.gm(combat.EndTurn{})
	}
	for _, want := range []string{"Ana", "Gob", "Bel"} {
		if f.turn() != want || len(f.s.Effects) != 1 {
			t.Fatalf("turn of %s with %d effects, want %s with one", f.turn(), len(f.s.Effects), want)
		}
		f.gm(combat.EndTurn{})
	}
	if len(f.s.Effects) != 0 {
		t.Fatal("it outlives the dragon's place")
	}
}

func TestAGroupRollsAndMovesTogether(t *testing.T) {
	f := newEdge(t, nil)
	f.gm(combat.StartCombat{})
	f.gm(combat.AddCombatant{Name: "Twin", Kind: "pc", Side: "party", Times: 2})
	twins := f.s.Combatants[3:]
	f.gm(combat.RollInitiative{Combatants: []combat.ID{twins[0].ID}})
	f.gm(combat.RollInitiative{Combatants: []combat.ID{twins[0].ID, twins[1].ID}})
	for _, twin := range twins {
		slot, c := f.s.SlotOf(twin.ID), f.s.Combatant(twin.ID)
		if slot == nil || slot.Count != *c.Init {
			t.Fatalf("%s has %v and stands at %v", c.Name, c.Init, slot)
		}
	}
}

func TestOwnExportsComeBack(t *testing.T) {
	f := newEdge(t, map[string]string{"reactionWindows": "ask"})
	f.gm(combat.SetInitiative{Combatant: f.id["Bel"], Count: combat.Whole(15)})
	f.gm(combat.StartCombat{})
	f.gm(combat.React{Combatant: f.id["Gob"], Kind: "other"})
	f.gm(combat.RemoveCombatant{Combatants: []combat.ID{f.id["Ana"]}})
	for _, next := range []string{"Gob", "Bel"} {
		var exported combat.State
		encoded, _ := json.Marshal(f.s)
		if err := json.Unmarshal(encoded, &exported); err != nil {
			t.Fatal(err)
		}
		if _, _, r := f.e.Import("e2", &exported, nil, f.by(combat.RoleGM, "")); r != nil {
			t.Fatalf("refuses its own export: %s %v", r.Code, r.Params)
		}
		f.gm(combat.RemoveCombatant{Combatants: []combat.ID{f.id[next]}})
	}
}

func TestAnImportedStateCannotHang(t *testing.T) {
	f := newEdge(t, nil)
	f.gm(combat.StartCombat{})
	encoded, _ := json.Marshal(f.s)
	encoded = bytes.Replace(encoded, []byte(`"step":"act"`),
		[]byte(`"step":"act","action":{"kind":"attack","attack":{},"roll":{"hit":true},"stage":"hit"}`), 1)
	var state combat.State
	if err := json.Unmarshal(encoded, &state); err != nil {
		t.Fatal(err)
	}
	if _, _, r := f.e.Import("e2", &state, nil, f.by(combat.RoleGM, "")); r == nil || r.Code != "bad_value" {
		t.Fatalf("accepted: %v", r)
	}
}

func TestTimeIsUpOnlyWhenItIs(t *testing.T) {
	f := newEdge(t, map[string]string{"reactionWindows": "ask", "reactionSeconds": "20", "turnSeconds": "60"})
	f.gm(combat.StartCombat{})
	f.gm(combat.Move{Combatant: f.id["Ana"], Feet: 5, LeavesReachOf: []combat.ID{f.id["Gob"]}})
	next, _ := combat.Next(f.s)
	if r := f.try(next.Command, combat.RoleServer, ""); r == nil || r.Code != "stale_window" {
		t.Fatalf("expired 20 s early: %v", r)
	}
	f.now = next.At
	if r := f.try(next.Command, combat.RoleServer, ""); r != nil {
		t.Fatal(r.Code)
	}
	first, _ := combat.Next(f.s)
	f.now = first.At
	f.must(first.Command, combat.RoleServer, "")
	f.gm(combat.Undo{})
	again, _ := combat.Next(f.s)
	if again.At <= first.At || f.turn() != "Ana" {
		t.Fatalf("after undo the turn of %s runs out at %d, was %d", f.turn(), again.At, first.At)
	}
}

func TestAResponseIsLostWithWhoGaveIt(t *testing.T) {
	f := newEdge(t, map[string]string{"reactionWindows": "ask"})
	f.gm(combat.EditCombatant{Combatant: f.id["Ana"], Answers: &[]string{"shield"}})
	f.gm(combat.StartCombat{})
	hit := true
	f.gm(combat.React{Combatant: f.id["Gob"], Kind: "opportunityAttack", Targets: []combat.ID{f.id["Ana"]}, Attack: &combat.Attack{Hit: &hit, Damage: "5"}})
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Gob"]}, Name: "stunned"})
	if hp := f.s.Combatant(f.id["Ana"]).HP; hp != 20 || f.s.Window() != nil {
		t.Fatalf("hit for %d by somebody stunned", 20-hp)
	}
}

func TestStandingCostsHalfTheSpeedThereIs(t *testing.T) {
	f := newEdge(t, nil)
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Ana"]}, Name: "prone"})
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Ana"]}, Name: "slowed"})
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Gob"]}, Name: "grappled"})
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Gob"]}, Name: "hasted"})
	f.gm(combat.StartCombat{})
	f.gm(combat.Move{Combatant: f.id["Ana"], Stand: true})
	if left, _ := f.s.Combatant(f.id["Ana"]).Pool("movement"); left != 8 || f.s.HasEffect(f.id["Ana"], "prone") {
		t.Fatalf("%d ft left", left)
	}
	f.gm(combat.EndTurn{})
	if left, _ := f.s.Combatant(f.id["Gob"]).Pool("movement"); left != 0 {
		t.Fatalf("grappled and hasted, it may move %d ft", left)
	}
}

func TestNamesAreNamesAndFieldsAreExact(t *testing.T) {
	f := newEdge(t, nil)
	for _, name := range []string{strings.Repeat("a\u200d", 600), "\u200b\u202e", "two\nlines", strings.Repeat("e\u0301", 81), "a" + strings.Repeat("\u0301", 2000)} {
		if r := f.try(combat.AddCombatant{Name: name}, combat.RoleGM, ""); r == nil || r.Params["field"] != "name" {
			t.Errorf("%.20q: %v", name, r)
		}
	}
	for _, name := range []string{strings.Repeat("e\u0301", 80), strings.Repeat("🧙‍♂️", 80), "سيف", "<b>x</b>", "🇫🇷🇧🇪"} {
		if r := f.try(combat.AddCombatant{Name: name}, combat.RoleGM, ""); r != nil {
			t.Errorf("%.20q: %s %v", name, r.Code, r.Params)
		}
	}
	if _, r := combat.DecodeCommand([]byte(`{"type":"heal","COMBATANTS":["x"],"amount":1}`)); r == nil || r.Code != "unknown_field" || r.Params["field"] != "COMBATANTS" {
		t.Errorf("%v", r)
	}
}

func TestTalkMovesNothing(t *testing.T) {
	e := combat.New(lightsandshadows.System{})
	f := &edge{T: t, e: e, now: 1000, id: map[string]combat.ID{}}
	_, s, r := e.Create("e", "lights-and-shadows", "", map[string]string{"playersHurt": "ask"}, nil, f.by(combat.RoleGM, ""))
	if r != nil {
		t.Fatal(r.Code, r.Params)
	}
	f.s = s
	f.must(combat.AddSeat{Seat: "ana", Name: "Ana", Key: "k"}, combat.RolePlayer, "")
	f.add(combat.AddCombatant{Name: "Ana", Side: "party", Seat: "ana", HP: 20, Init: count(12)})
	f.add(combat.AddCombatant{Name: "Gob", HP: 20, Init: count(10), Hidden: true})
	f.must(combat.StartCombat{}, combat.RoleGM, "")
	f.must(combat.Damage{Combatants: []combat.ID{f.id["Ana"]}, Amount: 20}, combat.RoleGM, "")
	f.must(combat.AddEffect{Combatants: []combat.ID{f.id["Gob"]}, Name: "stunned"}, combat.RoleGM, "")
	// Nobody is left who could declare anything, and nobody is waited for: what is
	// done lets rounds go by, what is said does not.
	round := f.s.Round
	f.must(combat.Say{Text: "Now what?"}, "seat", "ana")
	f.must(combat.Roll{Dice: "d6"}, combat.RoleGM, "")
	f.must(combat.SetTempHP{Combatants: []combat.ID{f.id["Ana"]}, Amount: 1}, "seat", "ana") // asked for
	if f.s.Round != round {
		t.Errorf("talk brought round %d to %d", round, f.s.Round)
	}
}
