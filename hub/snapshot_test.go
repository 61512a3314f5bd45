package hub_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// An encounter that is brought back from a snapshot is the one that the whole
// log gives: what everybody sees, the counters, the answers to commands from
// before it, and undo as far as the snapshot is back.
func TestSnapshot(t *testing.T) {
	limits := hub.Limits{SnapshotEvery: 20, CommandRate: 1e6, CommandBurst: 1e6}
	b := quartet(t, limits, nil)
	first := uuid.NewString()
	ack := b.gm.DoID(first, combat.Note{Text: "first"})
	b.start()
	damage := combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 1}
	for i := range 60 {
		switch i % 4 {
		case 0:
			b.gm.Must(combat.EndTurn{Frame: b.gm.Frame()})
		case 1:
			b.gm.Must(combat.AddEffect{Combatants: []combat.ID{b.id["Ash"]}, Name: "blessed"})
		case 2:
			b.gm.Must(damage)
		case 3:
			if i < 12 { // what an undo brings back stands in the log: it would hide what a snapshot lacks
				b.gm.Must(combat.Undo{})
			}
		}
	}
	tokens := []string{b.Tokens[combat.RoleGM], b.Tokens[combat.RolePlayer], b.Tokens[combat.RoleSpectator], b.seat1.Token, b.seat2.Token}
	look := func(url string) (all []string) {
		for _, token := range tokens {
			answer := hubtest.Request(t, http.MethodGet, b.On(url).Path(), token, nil)
			all = append(all, answer.Header.Get("ETag")+string(answer.Body))
		}
		return all
	}
	before := look(b.URL)
	snapped := b.server.AgainWith(limits)
	for i, after := range look(snapped.URL) {
		if after != before[i] {
			t.Errorf("before %s\nafter %s", before[i], after)
		}
	}
	gm := b.On(snapped.URL).Join(b.Tokens[combat.RoleGM])
	if again := gm.DoID(first, combat.Note{Text: "first"}); again.Ack == nil || again.Ack.Seq != ack.Ack.Seq {
		t.Errorf("a command from before the snapshot: first %+v, again %q", ack.Ack, again.Code())
	}
	for range 5 {
		gm.Must(combat.Undo{})
	}
	gm.Must(damage)
	after := look(snapped.URL)
	whole := snapped.AgainWith(hub.Limits{SnapshotEvery: 10_000})
	for i, got := range look(whole.URL) {
		if got != after[i] {
			t.Errorf("from the snapshot %s\nfrom the whole log %s", after[i], got)
		}
	}
}

// An audience that nothing was shown to since the snapshot has its counter from
// there: who comes back goes on, and what it is told next follows.
func TestSnapshotHasTheCounters(t *testing.T) {
	limits := hub.Limits{SnapshotEvery: 20, CommandRate: 1e6, CommandBurst: 1e6}
	b := quartet(t, limits, nil)
	b.start()
	for range 65 { // of which players and spectators see nothing
		b.gm.Must(combat.Note{Text: "x"})
	}
	b.server.Stop()
	again := b.On(b.server.AgainWith(limits).URL)
	var all []*hubtest.Client
	for token, c := range map[string]*hubtest.Client{b.seat1.Token: b.p1, b.seat2.Token: b.p2, b.Tokens[combat.RoleSpectator]: b.s1} {
		back := again.Resume(token, c)
		if back.Seq() != c.Seq() || back.Cut() {
			t.Errorf("at %d it comes back at %d, told of a loss: %v", c.Seq(), back.Seq(), back.Cut())
		}
		all = append(all, back)
	}
	again.Resume(b.Tokens[combat.RoleGM], b.gm).Must(combat.Say{Text: "on"})
	for _, back := range all {
		hears(t, back, `"on"`)
	}
}
