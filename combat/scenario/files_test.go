package scenario_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/combat/lightsandshadows"
	"riposte/combat/scenario"
	"riposte/combat/starfinder"
)

// engine knows the rule systems that the files are played under.
func engine() *combat.Engine {
	return combat.New(dnd5e.System{}, lightsandshadows.System{}, starfinder.System{})
}

// files reads every scenario file.
func files(t *testing.T) []*scenario.Scenario {
	t.Helper()
	names, err := filepath.Glob("../testdata/scenarios/*.scn")
	if err != nil || len(names) == 0 {
		t.Fatal("no scenario files", err)
	}
	var all []*scenario.Scenario
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		some, err := scenario.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// TestFiles plays every scenario in memory, under several dice: what is
// expected must not depend on them.
func TestFiles(t *testing.T) {
	for _, s := range files(t) {
		t.Run(s.ID, func(t *testing.T) {
			for seed := range uint64(3) {
				if err := scenario.Play(s, scenario.InMemory(engine(), seed), nil); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestIDs finds scenarios that nobody could tell apart.
func TestIDs(t *testing.T) {
	seen := map[string]scenario.Pos{}
	for _, s := range files(t) {
		if at, twice := seen[s.ID]; twice {
			t.Errorf("%s: %s is at %s already", s.Pos, s.ID, at)
		}
		seen[s.ID] = s.Pos
	}
}

// TestCovered checks that every rule and tricky case has a scenario: one of
// its id, or of its id, a dot and a word.
func TestCovered(t *testing.T) {
	want := []string{"5E-14a", "5E-14b", "SF-14a", "SF-14b", "SF-15a"}
	for i := range 13 {
		want = append(want, fmt.Sprintf("C-%02d", i+1))
	}
	for i := range 23 {
		want = append(want, fmt.Sprintf("5E-%02d", i+1))
	}
	for i := range 24 {
		want = append(want, fmt.Sprintf("SF-%02d", i+1))
	}
	for i := range 26 {
		want = append(want, fmt.Sprintf("LS-%02d", i+1))
	}
	for i := range 56 {
		want = append(want, fmt.Sprintf("T-%02d", i+1))
	}
	all := files(t)
	for _, id := range want {
		covers := func(s *scenario.Scenario) bool { return s.ID == id || strings.HasPrefix(s.ID, id+".") }
		if !slices.ContainsFunc(all, covers) {
			t.Errorf("%s has no scenario", id)
		}
	}
}

// TestFailure checks what is said of a statement that does not hold.
func TestFailure(t *testing.T) {
	const text = `scenario X
rules dnd5e
add A init=18
add B init=12
start
A: end
expect turn A
`
	all, err := scenario.Parse("f.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	err = scenario.Play(all[0], scenario.InMemory(engine(), 1), nil)
	const want = `f.scn:7: expect turn A
    found B
    order: A18 B12
    stack: B (turn)`
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
