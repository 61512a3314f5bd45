package combat_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/lightsandshadows"
)

// trio is Ash and Birch of the players and Cedar of the GM, with a hidden
// Shade at 13 if asked for.
func trio(t *testing.T, shade bool) *table {
	b := newTable(t, nil)
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc", HP: 24}, 18)
	b.add(combat.AddCombatant{Name: "Birch", Kind: "pc", HP: 24}, 15)
	if shade {
		b.add(combat.AddCombatant{Name: "Shade", Kind: "npc", HP: 4417, Hidden: true}, 13)
	}
	b.add(combat.AddCombatant{Name: "Cedar", Kind: "npc", HP: 30}, 12)
	return b
}

// frames is what an audience was sent, with ids replaced by the order in which
// they come up and times taken out: what somebody at that screen can tell
// apart.
func (b *table) frames(a combat.Audience) []string {
	numbers := map[string]int{}
	id := regexp.MustCompile(`"[^"]*"`)
	times := regexp.MustCompile(`"(startedAt|at)":\d+`)
	known := map[string]bool{}
	for _, c := range b.state.Combatants {
		known[string(c.ID)] = true
	}
	for _, slot := range b.state.Order {
		known[string(slot.ID)] = true
	}
	for _, event := range b.events {
		if e, ok := event.(combat.TurnStarted); ok {
			known[string(e.Frame)] = true
		}
	}
	rename := func(text string) string {
		text = times.ReplaceAllString(text, `"$1":0`)
		return id.ReplaceAllStringFunc(text, func(word string) string {
			bare := word[1 : len(word)-1]
			if !known[bare] {
				return word
			}
			if numbers[bare] == 0 {
				numbers[bare] = len(numbers) + 1
			}
			return fmt.Sprintf("#%d", numbers[bare])
		})
	}
	var all []string
	for _, change := range b.sent[a] {
		text := ""
		keys := []string{}
		for key := range change.Set {
			keys = append(keys, key)
		}
		// Keys hold ids: sort by value, which both runs share.
		slices.SortFunc(keys, func(x, y string) int { return bytes.Compare(change.Set[x], change.Set[y]) })
		for _, key := range keys {
			text += string(change.Set[key]) + "\n"
		}
		for _, line := range change.Log {
			text += string(line) + "\n"
		}
		all = append(all, rename(text))
	}
	return all
}

// B39: while something unseen acts, those from whom it is hidden are sent
// nothing, and afterwards nothing that differs from a fight without it.
func TestB39UnseenTurnLeavesNoTrace(t *testing.T) {
	players := []combat.Audience{{Role: combat.RolePlayer}, {Role: combat.RoleSeat, Seat: "seatAsh"}}
	spectators := []combat.Audience{{Role: combat.RoleSpectator}}
	for name, from := range map[string]struct {
		shown   string // to whom it is shown
		watched []combat.Audience
	}{"both": {"", slices.Concat(players, spectators)}, "players": {combat.Spectators, players}, "spectators": {combat.Players, spectators}} {
		t.Run(name, func(t *testing.T) { unseenTurn(t, from.shown, from.watched) })
	}
}

func unseenTurn(t *testing.T, shown string, watched []combat.Audience) {
	with, without := trio(t, true), trio(t, false)
	if shown != "" {
		with.do("", combat.SetHidden{Combatants: []combat.ID{with.ids["Shade"]}, From: shown})
	}
	with.begin(0)
	without.begin(0)
	for range 2 {
		for _, name := range []string{"Ash", "Birch", "Shade", "Cedar"} {
			with.isTurn(name)
			with.do("", combat.EndTurn{})
			if name != "Shade" {
				without.isTurn(name)
				without.do("", combat.EndTurn{})
			}
		}
	}
	for _, a := range watched {
		got, want := with.frames(a), without.frames(a)
		if len(got) != len(want) || len(got) < 12 { // three added, a start, eight turns
			t.Errorf("%s: %d frames with Shade, %d without", a, len(got), len(want))
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s, frame %d:\nwith    %s\nwithout %s", a, i, got[i], want[i])
			}
		}
	}
}

// B40, B41: neither the name nor the id nor a number of a hidden one is in any
// byte that others are sent, whatever is done to it.
func TestB40HiddenInNoByte(t *testing.T) {
	b := newTable(t, nil)
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc", HP: 24}, 18)
	b.do("", combat.AddCombatant{Name: "Shade", Kind: "npc", HP: 4417, Hidden: true})
	shade := b.state.Combatants[1].ID
	b.do("", combat.RollInitiative{Combatants: []combat.ID{shade}, Die: 19})
	b.begin(0)
	b.do("", combat.Damage{Combatants: []combat.ID{shade}, Amount: 17})
	b.do("", combat.AddEffect{Combatants: []combat.ID{shade}, Name: "blessed"})
	b.do("", combat.EndTurn{})
	b.do("", combat.Undo{})
	b.do("", combat.SetDefeated{Combatants: []combat.ID{shade}, Defeated: true})
	b.do("", combat.RemoveCombatant{Combatants: []combat.ID{shade}})
	for _, a := range b.audiences() {
		for _, change := range b.sent[a] {
			lines := slices.Clone(change.Log)
			for key, value := range change.Set {
				lines = append(lines, []byte(key), value)
			}
			for _, key := range change.Del {
				lines = append(lines, []byte(key))
			}
			for _, line := range lines {
				for _, secret := range []string{"Shade", string(shade), "4417", "4400", "blessed"} {
					if bytes.Contains(line, []byte(secret)) {
						t.Errorf("%s was sent %q in %s", a, secret, line)
					}
				}
			}
		}
	}
}

// B43: no number that players see counts the hidden ones.
func TestB43HiddenNotCounted(t *testing.T) {
	b := trio(t, true)
	b.begin(1)
	for _, a := range b.audiences() {
		order, _ := seen[[]combat.SlotView](b, a, "order")
		if len(order) != 3 {
			t.Errorf("%s sees %d slots", a, len(order))
		}
	}
}

// B85: what is marked as current is the combatant, never a position that
// hidden ones shift.
func TestB85RightOneMarked(t *testing.T) {
	b := newTable(t, nil)
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc"}, 18)
	b.add(combat.AddCombatant{Name: "Shade", Kind: "npc", Hidden: true}, 17)
	b.add(combat.AddCombatant{Name: "Birch", Kind: "pc"}, 15)
	b.add(combat.AddCombatant{Name: "Cedar", Kind: "npc"}, 12)
	b.begin(0)
	shown := map[string]string{"Ash": "Ash", "Shade": "Ash", "Birch": "Birch", "Cedar": "Cedar"}
	for _, name := range []string{"Ash", "Shade", "Birch", "Cedar", "Ash"} {
		b.isTurn(name)
		for _, a := range b.audiences() {
			if a.Role == combat.RolePlayer {
				continue // has no seat yet
			}
			turn, _ := seen[combat.TurnView](b, a, "turn")
			order, _ := seen[[]combat.SlotView](b, a, "order")
			for _, slot := range order {
				if is := slot.Combatants[0] == b.ids[shown[name]]; slot.Current != is {
					t.Errorf("in %s's turn %s sees %s marked: %v", name, a, b.state.Combatant(slot.Combatants[0]).Name, slot.Current)
				}
			}
			if turn.Combatant != b.ids[shown[name]] {
				t.Errorf("in %s's turn %s sees %s's", name, a, turn.Combatant)
			}
		}
		b.do("", combat.EndTurn{})
	}
}

// B84: a reset clears every screen.
func TestB84ResetForEverybody(t *testing.T) {
	b := quartet(t, nil)
	b.begin(6)
	b.do("", combat.AddEffect{Combatants: []combat.ID{b.ids["Ash"]}, Name: "slowed"})
	b.do("", combat.ResetCombat{})
	for _, a := range b.views.Audiences() {
		e, _ := seen[combat.EncounterView](b, a, "encounter")
		_, turn := seen[combat.TurnView](b, a, "turn")
		ash, _ := seen[combat.CombatantView](b, a, "combatants/"+string(b.ids["Ash"]))
		if e.Round != 0 || turn || len(ash.Conditions) > 0 {
			t.Errorf("%s: round %d, turn %v, conditions %v", a, e.Round, turn, ash.Conditions)
		}
	}
}

// A turn waits for what somebody hidden owes; a player is told that it waits, and
// gets no id for what it may not see.
func TestARefusalNamesNoDecisionOfTheUnseen(t *testing.T) {
	b := newTableUnder(t, lightsandshadows.System{}, nil)
	ash := b.add(combat.AddCombatant{Name: "Ash", Kind: "pc", Stats: map[string]int{"score": 15}}, 15)
	shade := b.add(combat.AddCombatant{Name: "Shade", Kind: "npc", Hidden: true, HP: 20, Stats: map[string]int{"score": 10, "faint": 9}}, 10)
	b.begin(0)
	b.do("", combat.Declare{Combatant: ash, Actions: []combat.Declared{{Kind: "openDoor"}}})
	b.do("", combat.Damage{Combatants: []combat.ID{shade}, Amount: 13})
	for name, known := range map[string]bool{"Ash": false, "": true} {
		r := b.try(b.by(name), combat.Act{Combatant: ash, Kind: "openDoor"})
		if r == nil || r.Code != "pending_decision" {
			t.Fatalf("%q is refused with %v", name, r)
		}
		if _, told := r.Params["pending"]; told != known {
			t.Errorf("%q is told %v", name, r.Params)
		}
	}
	b.do("", combat.Answer{Pending: b.state.Pending[0].ID, Die: 5})
	b.do("", combat.Damage{Combatants: []combat.ID{ash}, Amount: 1})
	b.do("Ash", combat.Act{Combatant: ash, Kind: "openDoor"})
}

// A plan is told to be said when it is said, and not again when its counts are
// reckoned anew.
func TestADeclarationIsToldOnce(t *testing.T) {
	b := newTableUnder(t, lightsandshadows.System{}, nil)
	ash := b.add(combat.AddCombatant{Name: "Ash", Kind: "pc", Stats: map[string]int{"score": 15}}, 15)
	birch := b.add(combat.AddCombatant{Name: "Birch", Kind: "pc", Stats: map[string]int{"score": 12}}, 12)
	b.begin(0)
	b.do("Ash", combat.Declare{Combatant: ash, Actions: []combat.Declared{{Kind: "openDoor"}, {Kind: "openDoor"}}})
	b.do("Birch", combat.Declare{Combatant: birch, Actions: []combat.Declared{{Kind: "openDoor"}}})
	b.do("Ash", combat.Hold{Combatant: ash})
	b.do("Birch", combat.Act{Combatant: birch, Kind: "openDoor", Done: true})
	b.do("Ash", combat.Take{Combatant: ash})
	for _, a := range []combat.Audience{{Role: combat.RoleGM}, {Role: combat.RoleSpectator}} {
		told := map[combat.ID]int{}
		for _, change := range b.sent[a] {
			for _, line := range change.Log {
				for _, id := range []combat.ID{ash, birch} {
					if text := string(line); strings.Contains(text, `"planned"`) && strings.Contains(text, `"`+string(id)+`"`) {
						told[id]++
					}
				}
			}
		}
		if told[ash] != 1 || told[birch] != 1 {
			t.Errorf("%v is told %v", a, told)
		}
	}
}
