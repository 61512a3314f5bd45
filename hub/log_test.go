package hub_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// logOf reads a log over HTTP.
func (b *table) logOf(token, query string) []string {
	b.t.Helper()
	answer := hubtest.Request(b.t, http.MethodGet, b.Path()+"/log"+query, token, nil)
	if answer.Status != http.StatusOK {
		b.t.Fatalf("log: %d %s", answer.Status, answer.Body)
	}
	var lines []string
	for _, line := range decode[hub.Log](b.t, answer.Body).Log {
		lines = append(lines, string(line))
	}
	return lines
}

// A log over HTTP is what was told as it happened: to the GM, to a seat and to
// spectators, who hear nothing of the hidden.
func TestLogIsWhatWasTold(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	spectator := b.Join(b.Tokens["spectator"])
	before := map[*hubtest.Client]int{b.gm: len(b.gm.Log()), b.p1: len(b.p1.Log()), spectator: len(spectator.Log())}
	b.gm.Must(withCount(shade, 13))
	b.gm.Must(combat.Undo{})
	b.gm.Must(combat.Redo{})
	b.start()
	b.p1.Must(combat.Act{Combatant: b.id["Ash"], Kind: "attack", Targets: []combat.ID{b.id["Cedar"]}})
	b.gm.Must(combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 7})
	b.p1.Must(combat.Say{Text: "Have at you"})
	b.gm.Must(combat.Note{Text: "he bluffs"})
	b.gm.Must(combat.Undo{})
	b.settle()
	spectator.WaitSeq(b.seqOf(b.Tokens["spectator"]))
	for c, token := range map[*hubtest.Client]string{b.gm: b.Tokens["gm"], b.p1: b.seat1.Token, spectator: b.Tokens["spectator"]} {
		live, anew := c.Log(), b.logOf(token, "")
		if len(live) < before[c]+4 || len(anew) < len(live) {
			t.Fatalf("%d lines live, %d anew", len(live), len(anew))
		}
		if got := anew[len(anew)-len(live):]; strings.Join(got, "\n") != strings.Join(live, "\n") {
			t.Errorf("live\n%s\nanew\n%s", strings.Join(live, "\n"), strings.Join(got, "\n"))
		}
		if c != b.gm && strings.Contains(strings.Join(anew, ""), "Shade") {
			t.Errorf("the hidden is in %s", anew)
		}
	}
	as := strings.Join(b.logOf(b.Tokens["gm"], "?as=spectator"), "\n")
	if as != strings.Join(b.logOf(b.Tokens["spectator"], ""), "\n") {
		t.Errorf("seen as a spectator: %s", as)
	}
	// The rest is there after a restart, too.
	again := b.server.Again()
	if after := (&table{Table: b.On(again.URL), t: t}).logOf(b.Tokens["spectator"], ""); strings.Join(after, "\n") != as {
		t.Errorf("after a restart: %s", after)
	}
}

// Whoever comes to a short log is told all of it, from how the encounter came to
// be: so a page knows that there is nothing older. That holds after a restart,
// and for an encounter made of another one's export.
func TestAShortLogIsToldWhole(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	check := func(b *table, first string, tokens ...string) {
		t.Helper()
		for _, token := range tokens {
			live, anew := b.Join(token).Log(), b.logOf(token, "")
			if strings.Join(live, "\n") != strings.Join(anew, "\n") || !strings.Contains(live[0], `"type":"`+first+`"`) {
				t.Errorf("live\n%s\nanew\n%s", strings.Join(live, "\n"), strings.Join(anew, "\n"))
			}
		}
	}
	all := []string{b.Tokens["gm"], b.Tokens["player"], b.Tokens["spectator"], b.seat1.Token}
	check(b, "created", all...)
	again := b.server.Again()
	restarted := &table{Table: b.On(again.URL), t: t}
	check(restarted, "created", all...)
	imported := decode[hub.Created](t, hubtest.Request(t, http.MethodPost, again.URL+"/api/encounters/import", "", restarted.Export()).Body)
	other := *restarted.Table
	other.ID, other.Tokens = imported.ID, imported.Tokens
	check(&table{Table: &other, t: t}, "imported", imported.Tokens["gm"], imported.Tokens["player"], imported.Tokens["spectator"])
}

// Only the last lines of a long log are told.
func TestLogIsBounded(t *testing.T) {
	b := quartet(t, hub.Limits{CommandRate: 1e6, CommandBurst: 1e6, Commits: 1e6}, nil)
	for i := range 10_050 {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		b.gm.Ask(id, combat.Note{Text: fmt.Sprint("note ", i)})
		if i%200 == 49 { // one who is far behind is sent away
			b.gm.Answer(id)
		}
	}
	lines := b.logOf(b.Tokens["gm"], "")
	if len(lines) != 10_000 || !strings.Contains(lines[0], `"note 50"`) || !strings.Contains(lines[9999], `"note 10049"`) {
		t.Fatalf("%d lines, %s to %s", len(lines), lines[0], lines[len(lines)-1])
	}
}

// Strangers get no log, and nobody gets them as fast as they like; what one
// holder of a link asks for is not taken from another token.
func TestLogIsLimited(t *testing.T) {
	inBubble(t, hub.Limits{LogRate: 1, LogBurst: 2}, nil, func(b *bubble) {
		b.call("GET", b.at("/log"), strings.Repeat("A", 22), nil, http.StatusUnauthorized)
		b.call("GET", b.at("/log?as=player"), b.tokens["P1"], nil, http.StatusForbidden)
		for range 2 {
			b.call("GET", b.at("/log"), b.tokens["spectator"], nil, http.StatusOK)
		}
		b.call("GET", b.at("/log"), b.tokens["spectator"], nil, http.StatusTooManyRequests)
		b.call("GET", b.at("/log"), b.tokens["P1"], nil, http.StatusOK)
		time.Sleep(time.Second)
		b.call("GET", b.at("/log"), b.tokens["spectator"], nil, http.StatusOK)
	})
}
