package sim

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// tale is a history that is being made up, good or bad, and what is said of it.
type tale struct {
	t       *testing.T
	oracle  *oracle
	engine  *combat.Engine
	state   *combat.State
	hash    string
	role    string // of who sends the commands
	fence   uint64
	seqs    map[string]uint64
	reports []string
}

// newTale begins with a good one: a table with a secret at it.
func newTale(t *testing.T) *tale {
	b := &tale{t: t, engine: combat.New(dnd5e.System{}), role: combat.RoleGM, fence: 1, seqs: map[string]uint64{}}
	b.oracle = newOracle(b.engine, func(format string, args ...any) { b.reports = append(b.reports, fmt.Sprintf(format, args...)) })
	events, state, refusal := b.engine.Create("e", "dnd5e", "", nil, map[string]string{"gm": hubtest.Hash("gm"), "player": hubtest.Hash("player")}, combat.By{Role: combat.RoleGM, Dice: hub.Dice{}})
	if refusal != nil {
		t.Fatal(refusal.Code)
	}
	b.oracle.begun("e", "epoch1", [][]byte{b.record("create", events, state)})
	b.does("add", combat.AddCombatant{Name: "Cedar", HP: 9})
	b.does("hide", combat.AddCombatant{Name: marker, HP: 9, Hidden: true})
	return b
}

// record makes the next record.
func (b *tale) record(id string, events []combat.Event, state *combat.State) []byte {
	c := &combat.Commit{Seq: state.Seq, Fence: b.fence, ID: id, Type: id, Role: b.role, At: int64(state.Seq), Events: events}
	if err := c.Seal(b.hash); err != nil {
		b.t.Fatal(err)
	}
	moved := map[string]uint64{}
	for _, role := range []string{combat.RoleGM, combat.RolePlayer} {
		if b.state == nil || fmt.Sprint(encoded(b.engine.View(b.state, combat.Audience{Role: role}))) != fmt.Sprint(encoded(b.engine.View(state, combat.Audience{Role: role}))) {
			b.seqs[role]++
			moved[role] = b.seqs[role]
		}
	}
	b.state, b.hash = state, c.Hash
	value, err := json.Marshal(hub.Record{Commit: c, Seqs: moved})
	if err != nil {
		b.t.Fatal(err)
	}
	return value
}

// next makes what a command of the GM comes to.
func (b *tale) next(id string, command combat.Command) []byte {
	events, state, refusal := b.engine.Decide(b.state, command, combat.By{Role: combat.RoleGM, Now: int64(b.state.Seq) + 1, Dice: hub.Dice{}})
	if refusal != nil {
		b.t.Fatal(refusal.Code)
	}
	return b.record(id, events, state)
}

// does adds it.
func (b *tale) does(id string, command combat.Command) {
	b.oracle.added("e", "epoch1", b.fence, [][]byte{b.next(id, command)})
}

// changed is the next record, with something in it changed.
func (b *tale) changed(old, new string) [][]byte {
	value := string(b.next("changed", combat.AddCombatant{Name: "Dune", HP: 9}))
	if !strings.Contains(value, old) {
		b.t.Fatalf("no %s in %s", old, value)
	}
	return [][]byte{[]byte(strings.Replace(value, old, new, 1))}
}

// screen is a screen of an audience that shows what is so.
func (b *tale) screen(role string) *screen {
	r := &run{oracle: b.oracle, weather: &weather{}, faults: map[string]int{}}
	c := &screen{run: r, name: role, audience: combat.Audience{Role: role}, token: role, best: map[string]uint64{}, answers: map[string]string{}}
	if _, err := c.take(b.welcome(role, b.seqs[role])); err != nil || len(r.wrong) > 0 {
		b.t.Fatal(err, r.wrong)
	}
	return c
}

func (b *tale) welcome(role string, seq uint64) []byte {
	view := map[string]json.RawMessage{}
	for key, value := range b.oracle.view("epoch1", combat.Audience{Role: role}, seq) {
		view[key] = json.RawMessage(value)
	}
	data, err := json.Marshal(hub.Welcome{Type: "welcome", Epoch: "epoch1", Seq: seq, View: view})
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}

// The simulator would see what it looks for: whoever tells it a bad history, or
// shows it a wrong screen, is told on.
func TestTheOracleSees(t *testing.T) {
	player := combat.Audience{Role: combat.RolePlayer}
	tell := func(c *screen, data string) { _, _ = c.take([]byte(data)) } // what is wrong is reported
	for name, test := range map[string]struct {
		do   func(*tale) []string
		want string // empty: nothing is wrong
	}{
		"a good history": {func(b *tale) []string {
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			b.oracle.acknowledged("gm", "a")
			b.oracle.refused("gm", "b", "bad_value")
			b.oracle.hush([]combat.Audience{player, {Role: combat.RoleGM}})
			b.screen(combat.RoleGM)
			b.screen(combat.RolePlayer)
			return nil
		}, ""},
		"the same entry, brought back": {func(b *tale) []string {
			value := b.next("a", combat.AddCombatant{Name: "Ash", HP: 5})
			b.oracle.added("e", "epoch1", 1, [][]byte{value})
			b.oracle.added("e", "epoch1", 1, [][]byte{value})
			return nil
		}, ""},
		"acknowledged and not there": {func(b *tale) []string { b.oracle.acknowledged("gm", "nothing"); return nil }, "not in the log"},
		"acknowledged and lost by the world": {func(b *tale) []string {
			b.oracle.forget([]string{"nothing"})
			b.oracle.acknowledged("gm", "nothing")
			return nil
		}, ""},
		"refused and there": {func(b *tale) []string { b.oracle.refused("gm", "add", "bad_value"); return nil }, "was refused add"},
		"a command twice": {func(b *tale) []string {
			b.does("add", combat.AddCombatant{Name: "Ash", HP: 5})
			return nil
		}, "command add is commit 2 and 4"},
		"a fence that goes back": {func(b *tale) []string {
			b.fence = 0
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			return nil
		}, "fence 0 after 1"},
		"another's fence": {func(b *tale) []string {
			b.oracle.added("e", "epoch1", 9, [][]byte{b.next("a", combat.AddCombatant{Name: "Ash", HP: 5})})
			return nil
		}, "has fence 1, its owner 9"},
		"a commit that was changed": {func(b *tale) []string { b.oracle.added("e", "epoch1", 1, b.changed("Dune", "Duna")); return nil }, "broken hash chain"},
		"a commit left out": {func(b *tale) []string {
			b.next("left out", combat.AddCombatant{Name: "Ash", HP: 5})
			b.does("a", combat.AddCombatant{Name: "Birch", HP: 5})
			return nil
		}, "commit 5 after 3"},
		"a counter that skips": {func(b *tale) []string {
			b.oracle.added("e", "epoch1", 1, b.changed(`"player":3`, `"player":4`))
			return nil
		}, "moves player from 2 to 4"},
		"two histories of one name": {func(b *tale) []string { b.oracle.begun("e", "epoch1", nil); return nil }, "begins twice"},
		"an older history goes on": {func(b *tale) []string {
			b.oracle.begun("e", "epoch2", b.oracle.newest.log)
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			return nil
		}, "not the history there is"},
		"the secret published": {func(b *tale) []string {
			b.oracle.published("e", hub.Frame{Audience: "seat:s1", Data: []byte("is " + marker)})
			return nil
		}, "is sent the secret"},
		"the secret on a screen": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			tell(c, `{"type":"reject","id":"x","code":"bad_value","params":{"name":"`+marker+`"}}`)
			return c.run.wrong
		}, "is told the secret"},
		"an untold change": {func(b *tale) []string {
			b.oracle.added("e", "epoch1", 1, b.changed(`"player":3`, `"nobody":1`))
			b.oracle.hush([]combat.Audience{player})
			return nil
		}, "player at 2 of epoch1 was not told"},
		"a key that is wrong": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			tell(c, `{"type":"update","seq":3,"set":{"order":7}}`)
			return nil
		}, "for order, …7; true is"},
		"a key that is missing": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			b.oracle.view("epoch1", player, 3)
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			b.oracle.shows("player", "epoch1", player, 2, map[string]json.RawMessage{"order": c.view["order"]})
			return nil
		}, "shows 1 keys at 2"},
		"a counter that never was": {func(b *tale) []string {
			tell(b.screen(combat.RolePlayer), `{"type":"update","seq":3}`)
			return nil
		}, "which never was"},
		"a hole": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			tell(c, `{"type":"update","seq":4}`)
			return c.run.wrong
		}, "gets update 4 at 2"},
		"a screen that goes back": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			tell(c, string(b.welcome(combat.RolePlayer, 1)))
			return c.run.wrong
		}, "goes back from 2 to 1"},
		"a beacon that is not true": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			tell(c, `{"type":"head","seq":7}`)
			return c.run.wrong
		}, "7 is the last update"},
		"told too soon": {func(b *tale) []string {
			b.oracle.early("player", "epoch1", player, 2, time.Duration(time.Now().UnixMilli())*time.Millisecond+time.Hour)
			return nil
		}, "less than"},
		"refused after it was acknowledged": {func(b *tale) []string {
			c := b.screen(combat.RoleGM)
			tell(c, `{"type":"ack","id":"add","seq":2}`)
			tell(c, `{"type":"reject","id":"add","code":"bad_value"}`)
			return c.run.wrong
		}, "which was acknowledged"},
		"shown with a link that was replaced": {func(b *tale) []string {
			b.does("replace", combat.ReplaceLink{Role: combat.RolePlayer, Key: hubtest.Hash("new")})
			b.oracle.entitled("player", "player", "epoch1", player, b.seqs[combat.RolePlayer])
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			b.oracle.entitled("player", "player", "epoch1", player, b.seqs[combat.RolePlayer])
			return nil
		}, "by commit 5, with a token that was no good"},
		"shown with the new link": {func(b *tale) []string {
			b.does("replace", combat.ReplaceLink{Role: combat.RolePlayer, Key: hubtest.Hash("new")})
			b.oracle.entitled("player", "new", "epoch1", player, b.seqs[combat.RolePlayer])
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			b.oracle.entitled("player", "new", "epoch1", player, b.seqs[combat.RolePlayer])
			return nil
		}, ""},
		"let in with a link that was replaced": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			b.does("replace", combat.ReplaceLink{Role: combat.RolePlayer, Key: hubtest.Hash("new")})
			c.shut = b.oracle.shutOut(c.token)
			tell(c, fmt.Sprintf(`{"type":"head","seq":%d}`, c.seq))
			return c.run.wrong
		}, "is let in with a token that is no good"},
		"never shut out": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			b.does("replace", combat.ReplaceLink{Role: combat.RolePlayer, Key: hubtest.Hash("new")})
			return []string{c.settled()}
		}, "is let in still"},
		"sent away with a good link": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			tell(c, `{"type":"bye","code":"unauthorized"}`)
			return c.run.wrong
		}, "its token was never made void"},
		"time that was not due": {func(b *tale) []string {
			b.role = combat.RoleServer
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			return nil
		}, "is not due"},
		"never at rest": {func(b *tale) []string {
			c := b.screen(combat.RolePlayer)
			b.does("a", combat.AddCombatant{Name: "Ash", HP: 5})
			return []string{c.settled()}
		}, "is at 2 of epoch1, not at 3"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTale(t)
			if len(b.reports) > 0 {
				t.Fatal(b.reports)
			}
			got := strings.Join(append(test.do(b), b.reports...), "\n")
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Fatalf("reported: %s\nwant: %s", got, test.want)
			}
		})
	}
}
