package scenario

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
)

const short = `scenario X
rules dnd5e
add A init=18
add B init=12
start
B: end !not_your_turn
A: end
expect turn B
`

func parseOne(t *testing.T, text string) *Scenario {
	t.Helper()
	all, err := Parse("f.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

func inMemory() Opener { return InMemory(combat.New(dnd5e.System{}), 1) }

// restless is a table whose state never stands still.
type restless struct {
	Table
	n int
}

func (r *restless) Fingerprint() ([]byte, error) {
	r.n++
	return strconv.AppendInt(nil, int64(r.n), 10), nil
}

// deaf is a table that breaks down.
type deaf struct{ Table }

var errDeaf = errors.New("no answer")

func (deaf) Do(combat.Audience, combat.Command) (*combat.Refusal, error) { return nil, errDeaf }

// over wraps the tables of an opener.
func over(open Opener, wrap func(Table) Table) Opener {
	return func(s *Scenario) (Table, error) {
		table, err := open(s)
		return wrap(table), err
	}
}

// TestPlayFinds plays scenarios and tables that must not pass.
func TestPlayFinds(t *testing.T) {
	plain := inMemory()
	for name, c := range map[string]struct {
		text string
		open Opener
		want string
	}{
		"a wrong state":           {short + "expect turn A\n", plain, "f.scn:9: expect turn A\n    found B\n    order: A18 B12\n    stack: B (turn)"},
		"an accepted one":         {short + "B: end !not_your_turn\n", plain, "f.scn:9: B: end !not_your_turn\n    accepted"},
		"another refusal":         {short + "A: end !cannot_act\n", plain, "    refused: not_your_turn "},
		"a refusal":               {short + "A: end\n", plain, "f.scn:9: A: end\n    refused: not_your_turn "},
		"a wrong sequence":        {short + "sequence B | B\n", plain, "number 2 of the sequence: found A in round 2"},
		"a wrong round":           {short + "sequence B A\n", plain, "number 2 of the sequence: found A in round 2"},
		"an unknown option":       {"scenario X\nrules dnd5e\noption a=b\nadd A\nexpect round 0\n", plain, "f.scn:1: scenario X: refused: unknown_field"},
		"unknown rules":           {"scenario X\nrules chess\nadd A\nexpect round 0\n", plain, "f.scn:1: scenario X: refused: bad_value"},
		"a changed state":         {short, over(plain, func(table Table) Table { return &restless{Table: table} }), "refused, but the state changed"},
		"a table without a voice": {short, over(plain, func(table Table) Table { return deaf{table} }), "f.scn:3: add A init=18\n    no answer"},
	} {
		err := Play(parseOne(t, c.text), c.open, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if err := Play(parseOne(t, short), plain, nil); err != nil {
		t.Error(err)
	}
}

// TestClose spoils what a table in memory has kept; closing it must tell.
func TestClose(t *testing.T) {
	for want, spoil := range map[string]func(m *memory){
		"commit 3 was changed": func(m *memory) {
			m.commits[2] = []byte(strings.Replace(string(m.commits[2]), `"name":"A"`, `"name":"Z"`, 1))
		},
		"commit 4 after 2": func(m *memory) { m.commits = append(m.commits[:2:2], m.commits[3:]...) },
		"replay from the start differs": func(m *memory) {
			other := *m.state()
			other.Round++
			m.states[len(m.states)-1] = &other
		},
		"replay from the snapshot at": func(m *memory) {
			half := len(m.commits) / 2
			other := *m.states[half]
			other.Title = "another"
			m.states[half] = &other
		},
		"gm shows encounter as":   func(m *memory) { m.screens[gmAudience].view["encounter"] = []byte("{}") },
		"spectator still shows x": func(m *memory) { m.screens[combat.Audience{Role: combat.RoleSpectator}].view["x"] = []byte("1") },
	} {
		var m *memory
		open := over(inMemory(), func(table Table) Table {
			m = table.(*memory)
			return table
		})
		if err := Play(parseOne(t, short), open, nil); err != nil {
			t.Fatal(err)
		}
		spoil(m)
		if err := m.Close(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
