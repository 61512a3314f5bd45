package hub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// The GM whose answer to replaceLink was lost gets the new link by sending the
// same command again with the old token, after a restart too. Nothing else is
// to be had with it.
func TestReplaceLinkAnswerLost(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	old, id := b.Tokens[combat.RoleGM], uuid.NewString()
	want := b.gm.DoID(id, combat.ReplaceLink{Role: combat.RoleGM})
	if want.Ack == nil {
		t.Fatal(want.Code())
	}
	send := func(url, token, id, command string) hubtest.Answer {
		t.Helper()
		return hubtest.Request(t, http.MethodPost, b.On(url).Path()+"/commands", token, `{"id":"`+id+`","command":`+command+`}`)
	}
	const replace = `{"type":"replaceLink","role":"gm"}`
	check := func(url string) {
		t.Helper()
		again := send(url, old, id, replace)
		if again.Status != http.StatusOK {
			t.Fatalf("%d %s", again.Status, again.Body)
		}
		got := decode[hub.CommandDone](t, again.Body)
		if string(got.Result) != string(want.Ack.Result) || got.Seq != want.Ack.Seq {
			t.Fatalf("first %s at %d, again %s at %d", want.Ack.Result, want.Ack.Seq, got.Result, got.Seq)
		}
		for _, no := range []hubtest.Answer{
			send(url, old, uuid.NewString(), replace),
			send(url, old, id, `{"type":"startCombat"}`),
			send(url, old, id, `{"type":"replaceLink","role":"gm"`+strings.Repeat(" ", 2000)+`}`),
			send(url, b.Tokens[combat.RoleSpectator], id, `{"type":"startCombat"}`),
			send(url, "AAAAAAAAAAAAAAAAAAAAAA", id, replace),
		} {
			if no.Status == http.StatusOK && strings.Contains(string(no.Body), "token") {
				t.Fatalf("%d %s", no.Status, no.Body)
			}
		}
		if no := send(url, "AAAAAAAAAAAAAAAAAAAAAA", id, replace); no.Status != http.StatusUnauthorized {
			t.Fatalf("a stranger: %d %s", no.Status, no.Body)
		}
	}
	check(b.URL)
	again := b.server.Again()
	check(again.URL)
	token := decode[hub.NewLink](t, want.Ack.Result).Token
	b.On(again.URL).Join(token).Must(combat.Note{Text: "back"})
}

// A command that was accepted long ago is answered with that, though the rules
// would refuse it now.
func TestRepeatOfLongAgo(t *testing.T) {
	b := quartet(t, hub.Limits{Remembered: 1, CommandRate: 1e6, CommandBurst: 1e6}, nil)
	id := uuid.NewString()
	first := b.gm.DoID(id, combat.StartCombat{})
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = uuid.NewString()
		b.gm.Ask(ids[i], combat.Note{Text: "on"})
	}
	for _, id := range ids {
		b.gm.Answer(id)
	}
	if again := b.gm.DoID(id, combat.StartCombat{}); again.Ack == nil || again.Ack.Seq != first.Ack.Seq {
		t.Fatalf("first %+v, again %q", first.Ack, again.Code())
	}
	if other := b.gm.DoID(uuid.NewString(), combat.StartCombat{}); other.Code() != "already_started" {
		t.Fatalf("another id: %q", other.Code())
	}
}

// An id comes back as it was sent, and is one command in any spelling.
func TestIDsAreEchoed(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	id := uuid.NewString()
	first := b.gm.DoID(id, combat.Note{Text: "once"})
	again := b.gm.DoID(strings.ToUpper(id), combat.Note{Text: "once"})
	if again.Ack == nil || again.Ack.Seq != first.Ack.Seq || again.Ack.ID != strings.ToUpper(id) {
		t.Fatalf("%+v, %+v", first.Ack, again.Ack)
	}
	refused := strings.ToUpper(uuid.NewString())
	if reply := b.gm.DoID(refused, combat.Redo{}); reply.Code() != "nothing_to_redo" || reply.Reject.ID != refused {
		t.Fatalf("%+v", reply.Reject)
	}
}
