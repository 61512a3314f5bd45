package hub_test

import (
	"os"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// roll puts a file in the place of another.
func roll(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A journal that is put back is another history. Who has seen what is not in it is
// told so, however far it has grown by then and however often it was put back;
// nobody else is, and no restart is taken for it.
func TestJournalPutBack(t *testing.T) {
	b := quartet(t, hub.Limits{SnapshotEvery: 2}, nil)
	say := func(text string) { b.gm.Must(combat.Say{Text: text}) }
	comesBack := func(what string, token string, last *hubtest.Client, cut bool) *hubtest.Client {
		t.Helper()
		back := b.Resume(token, last)
		if back.Cut() != cut || cut && back.Welcomes() != 1 {
			t.Errorf("%s is told that its history was cut: %v, %d whole views", what, back.Cut(), back.Welcomes())
		}
		return back
	}
	again := func() {
		next := b.server.AgainWith(hub.Limits{SnapshotEvery: 2})
		b.server, b.Table = next, b.On(next.URL)
	}
	gmToken := b.Tokens[combat.RoleGM]
	say("before")
	b.settle()
	early := b.s1
	early.Abort()
	again()
	b.gm = comesBack("a restart:", gmToken, b.gm, false)
	copied := t.TempDir() + "/copy.db"
	say("last in the copy")
	b.server.Stop()
	roll(t, b.server.Path(), copied)
	again()
	b.gm = comesBack("another restart:", gmToken, b.gm, false)
	player := b.Join(b.seat1.Token)
	say("gone")
	player.WaitSeq(b.seqOf(b.seat1.Token))
	lost := player
	before := b.gm
	b.server.Stop()
	roll(t, copied, b.server.Path())
	again()
	b.gm = comesBack("the GM", gmToken, before, true)
	if b.gm.Epoch() == before.Epoch() || b.gm.Seq() >= before.Seq() {
		t.Errorf("at %d of %s, before at %d of %s", b.gm.Seq(), b.gm.Epoch(), before.Seq(), before.Epoch())
	}
	for range 5 {
		say("a new history")
	}
	comesBack("one who saw what is gone", b.seat1.Token, lost, true)
	comesBack("one who had left before the copy", b.Tokens[combat.RoleSpectator], early, false)
	again()
	b.gm = comesBack("a restart after it:", gmToken, b.gm, false)
	now := b.Join(b.seat1.Token)
	// Once more, without any restart after the copy: it knows nothing of the
	// history in between.
	b.server.Stop()
	roll(t, copied, b.server.Path())
	again()
	comesBack("one of the history in between", b.seat1.Token, now, true)
	comesBack("one of the first history", b.seat1.Token, lost, true)
	comesBack("one who had left before", b.Tokens[combat.RoleSpectator], early, false)
}

// Redis that was started anew has a new history, and nobody is told that
// anything is gone unless it is: at the owner, at an edge, and when one changes
// places.
func TestRedisPutBack(t *testing.T) {
	t.Parallel()
	s := share(t)
	b, owner, edge := apart(t, s)
	there := b.On(edge.URL)
	say := func(c *hubtest.Client, text string) { c.Must(combat.Say{Text: text}) }
	say(b.gm, "in the copy")
	copied := s.redis.Copy()
	s.redis.Kill()
	s.redis.Start()
	// The old owner goes on for as long as its lease is good, the next one has
	// the new history.
	epoch := b.p1.Epoch()
	owner.Stop()
	hubtest.Eventually(t, "the edge is in the new history", func() bool { return b.p1.Epoch() != epoch })
	for _, c := range []*hubtest.Client{b.p1, b.p2, b.s1} {
		c.Ping()
		if c.Cut() || c.Bye() != nil {
			t.Errorf("nothing is gone, and it is told so: %v, %+v", c.Cut(), c.Bye())
		}
	}
	b.gm = there.Resume(b.Tokens[combat.RoleGM], b.gm)
	if b.gm.Cut() {
		t.Error("nothing is gone, and the GM is told so")
	}
	third := s.instance()
	elsewhere := b.On(third.URL).Join(b.seat2.Token)
	spectator := b.On(third.URL).Join(b.Tokens[combat.RoleSpectator])
	spectator.Abort()
	say(b.gm, "gone")
	elsewhere.WaitSeq(b.p2.Seq())
	s.redis.Restore(copied)
	gm := b.Tokens[combat.RoleGM]
	hubtest.Eventually(t, "a command is accepted again", func() bool {
		return hubtest.Request(t, "POST", b.On(third.URL).Path()+"/commands", gm,
			`{"id":"01890000-0000-7000-8000-000000000001","command":{"type":"say","text":"a new history"}}`).Status == 200
	})
	hubtest.Eventually(t, "who stays is told that something is gone", elsewhere.Cut)
	for name, c := range map[string]*hubtest.Client{"the GM": b.gm, "P1": b.p1} {
		token := map[string]string{"the GM": gm, "P1": b.seat1.Token}[name]
		if !c.Cut() {
			c.Abort()
			if back := b.On(third.URL).Resume(token, c); !back.Cut() {
				t.Errorf("%s is not told that something is gone", name)
			}
		}
	}
	if back := there.Resume(b.Tokens[combat.RoleSpectator], spectator); !back.Cut() {
		t.Error("a spectator of a history that is gone is not told")
	}
	if fresh := there.Join(b.seat1.Token); fresh.Cut() {
		t.Error("one who comes anew is told that something is gone")
	}
}
