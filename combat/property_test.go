package combat_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"riposte/combat"
)

const stepsPerFight = 40

func TestInvariantsHoldInRandomFights(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		for range stepsPerFight {
			tb.step()
		}
	})
}

// Replay equals live to the byte: from the start, and from any snapshot.
func TestReplayEqualsLive(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		for range stepsPerFight {
			tb.step()
		}
		live := encodeState(t, tb.state)
		cut := rapid.IntRange(0, len(tb.commits)-1).Draw(t, "snapshot")
		var state *combat.State
		hash := ""
		for i, c := range tb.commits {
			stored, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			var read combat.Commit
			if err := json.Unmarshal(stored, &read); err != nil {
				t.Fatal(err)
			}
			seq := uint64(i)
			if err := read.Follows(seq, hash); err != nil {
				t.Fatal(err)
			}
			hash = read.Hash
			state = combat.ApplyCommit(state, &read)
			if i == cut {
				snapshot := &combat.State{}
				if err := json.Unmarshal(encodeState(t, state), snapshot); err != nil {
					t.Fatal(err)
				}
				state = snapshot
			}
		}
		if got := encodeState(t, state); !bytes.Equal(got, live) {
			t.Fatalf("replayed\n%s\nlive\n%s", got, live)
		}
	})
}

// What a command does not show, it does not tell: no byte that goes to a player
// or spectator names a hidden combatant.
func TestHiddenStaysHidden(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		views := tb.engine.NewViews(tb.state)
		if !tb.try(combat.AddCombatant{Name: "Lurker", HP: 8842, AC: 18, Hidden: true, Notes: "Lurker waits"}, combat.RoleGM, "") {
			return
		}
		hidden := tb.state.Combatants[len(tb.state.Combatants)-1].ID
		shown := map[string]bool{}
		for range stepsPerFight {
			n := len(tb.commits)
			command := tb.draw()
			if assign, ok := command.(combat.AssignSeat); ok && assign.Combatant == hidden {
				continue
			}
			if twin, ok := command.(combat.DuplicateCombatant); ok && twin.Combatant == hidden { // who may be shown under its name
				continue
			}
			tb.try(command, combat.RoleGM, "")
			if len(tb.commits) == n {
				continue
			}
			for _, class := range []string{combat.Players, combat.Spectators} {
				c := tb.state.Combatant(hidden)
				shown[class] = shown[class] || c != nil && !hiddenFrom(c, class)
			}
			for _, change := range views.Move(tb.state, tb.commits[len(tb.commits)-1]) {
				if change.Audience.Role == combat.RoleGM || shown[classOf(change.Audience)] {
					continue
				}
				bytes, err := json.Marshal(change)
				if err != nil {
					t.Fatal(err)
				}
				for _, secret := range []string{"Lurker", string(hidden), ":8842"} {
					if strings.Contains(string(bytes), secret) {
						t.Fatalf("%s told %s of %s:\n%s", combat.CommandName(command), change.Audience, secret, bytes)
					}
				}
			}
		}
	})
}

// Undo and then redo is nothing at all, save for the counting of commits.
func TestUndoThenRedoIsNothing(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		for range stepsPerFight {
			tb.step()
			was := *tb.state
			if !tb.try(combat.Undo{}, combat.RoleGM, "") {
				continue
			}
			if !tb.try(combat.Redo{}, combat.RoleGM, "") {
				t.Fatal("an undo that cannot be redone")
			}
			is := *tb.state
			if !bytes.Equal(timeless(t, was), timeless(t, is)) {
				t.Fatalf("before\n%s\nafter\n%s", timeless(t, was), timeless(t, is))
			}
		}
	})
}

// timeless is a state without the count of commits and with its clocks set to
// what is left on them.
func timeless(t *rapid.T, s combat.State) []byte {
	at := s.At
	s.Seq, s.At = 0, 0
	if s.Clock.Deadline > 0 {
		s.Clock.Deadline -= at
	}
	stack := []*combat.Frame{}
	for _, f := range s.Stack {
		frame := *f
		frame.StartedAt -= at
		if f.Window != nil && f.Window.Deadline > 0 {
			w := *f.Window
			w.Deadline -= at
			frame.Window = &w
		}
		stack = append(stack, &frame)
	}
	s.Stack = stack
	since := func(last *combat.LastTurn) *combat.LastTurn {
		if last == nil {
			return nil
		}
		fresh := *last
		fresh.StartedAt -= at
		if fresh.Clock.Deadline > 0 {
			fresh.Clock.Deadline -= at
		}
		return &fresh
	}
	s.Last = since(s.Last)
	lasts := map[string]*combat.LastTurn{}
	for name, last := range s.LastFor {
		lasts[name] = since(last)
	}
	s.LastFor = lasts
	return encodeState(t, &s)
}

// What Views keeps up to date is what View makes from scratch, key by key and
// byte for byte; applying every change to an old copy gives the same. The lines
// it tells are those that are told anew.
func TestViewsFollowTheState(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		views := tb.engine.NewViews(tb.state)
		copies := map[combat.Audience]map[string]json.RawMessage{}
		for _, a := range views.Audiences() {
			copies[a] = views.Whole(a)
		}
		for range stepsPerFight {
			n, before := len(tb.commits), tb.state
			tb.step()
			for _, c := range tb.commits[n:] {
				told := map[combat.Audience][]json.RawMessage{}
				for _, change := range views.Move(tb.state, c) {
					told[change.Audience] = change.Log
					if len(change.Set)+len(change.Del)+len(change.Log) == 0 {
						t.Fatal("a change that changes nothing")
					}
					if copies[change.Audience] == nil {
						copies[change.Audience] = map[string]json.RawMessage{}
					}
					for key, value := range change.Set {
						if bytes.Equal(copies[change.Audience][key], value) {
							t.Fatalf("%s is sent to %s and is as it was", key, change.Audience)
						}
						copies[change.Audience][key] = value
					}
					for _, key := range change.Del {
						if _, had := copies[change.Audience][key]; !had {
							t.Fatalf("%s is taken from %s, which did not have it", key, change.Audience)
						}
						delete(copies[change.Audience], key)
					}
				}
				tb.checkTold(before, c, views.Audiences(), told)
			}
			maps.DeleteFunc(copies, func(a combat.Audience, _ map[string]json.RawMessage) bool {
				return !slices.Contains(views.Audiences(), a)
			})
			for _, a := range views.Audiences() {
				fresh := tb.engine.View(tb.state, a)
				whole := views.Whole(a)
				if len(fresh) != len(whole) || len(fresh) != len(copies[a]) {
					t.Fatalf("%s: %d keys from scratch, %d kept, %d copied", a, len(fresh), len(whole), len(copies[a]))
				}
				for key, value := range fresh {
					encoded, err := json.Marshal(value)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(encoded, whole[key]) || !bytes.Equal(encoded, copies[a][key]) {
						t.Fatalf("%s %s\nfrom scratch %s\nkept         %s\ncopied       %s", a, key, encoded, whole[key], copies[a][key])
					}
				}
			}
		}
	})
}

// checkTold holds the lines of a commit against those that are told anew.
func (tb *randomFight) checkTold(before *combat.State, c *combat.Commit, audiences []combat.Audience, told map[combat.Audience][]json.RawMessage) {
	for _, a := range audiences {
		anew, err := json.Marshal(tb.engine.Told(before, tb.state, c, a))
		if err != nil {
			tb.t.Fatal(err)
		}
		lines, err := json.Marshal(told[a])
		if err != nil {
			tb.t.Fatal(err)
		}
		if !bytes.Equal(lines, anew) && (len(told[a]) > 0 || string(anew) != "null" && string(anew) != "[]") {
			tb.t.Fatalf("%s told %s\n%s\nand anew\n%s", c.Type, a, lines, anew)
		}
	}
}
