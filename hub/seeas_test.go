package hub_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// moment is what differs between two welcomes that say the same.
var moment = regexp.MustCompile(`"now":"[^"]*"`)

// told is the numbered messages that a socket got.
func told(c *hubtest.Client) string {
	return moment.ReplaceAllString(strings.Join(c.Messages("welcome", "update"), "\n"), `"now":""`)
}

// A GM who sees as an audience gets its very bytes, and nobody sees that it
// does.
func TestSeeAs(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.Must(withCount(shade, 13))
	b.settle()
	gm := b.Tokens[combat.RoleGM]
	type pair struct{ own, as *hubtest.Client }
	join := func(token, as string) pair { return pair{b.Join(token), b.JoinAs(gm, as)} }
	pairs := map[string]pair{
		"seat":      join(b.seat1.Token, "seat:"+string(b.seat1.Seat)),
		"player":    join(b.Tokens[combat.RolePlayer], "player"),
		"spectator": join(b.Tokens[combat.RoleSpectator], "spectator"),
	}
	b.gm.Must(combat.StartCombat{})
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	b.gm.Must(combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 7})
	for name, p := range pairs {
		last := b.seqOf(map[string]string{"seat": b.seat1.Token, "player": b.Tokens["player"], "spectator": b.Tokens["spectator"]}[name])
		p.own.WaitSeq(last)
		p.as.WaitSeq(last)
		if own, as := told(p.own), told(p.as); own != as {
			t.Errorf("%s gets\n%s\nand the GM who sees as it\n%s", name, own, as)
		}
		if strings.Contains(told(p.as), "4417") {
			t.Errorf("%s: the GM sees the hidden", name)
		}
	}
	for _, who := range []*hubtest.Client{b.gm, pairs["seat"].as} {
		who.WaitPresence("two of P1, P2 and two spectators", func(p hub.Presence) bool {
			return p.GMs == 1 && len(p.Seats) == 2 && p.Spectators == 2
		})
	}
}

// One who sees as another does nothing, even with the GM's token.
func TestSeeAsIsReadOnly(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	as := b.JoinAs(b.Tokens[combat.RoleGM], "seat:"+string(b.seat1.Seat))
	as.Refused("forbidden", combat.EndTurn{Combatant: b.id["Ash"]})
	as.Refused("forbidden", combat.Note{Text: "by the GM"})
	if got := b.gm.Turn().Combatant; got != b.id["Ash"] {
		t.Fatalf("active is %s", got)
	}
	as.Ping()
}

// Only a GM may, and only as somebody there is.
func TestSeeAsRefused(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	for _, test := range []struct {
		token, as, code string
		status          int
	}{
		{b.seat1.Token, "spectator", "forbidden", 403},
		{b.Tokens["player"], "player", "forbidden", 403},
		{b.Tokens["spectator"], "seat:" + string(b.seat1.Seat), "forbidden", 403},
		{b.Tokens["gm"], "gm", "bad_value", 400},
		{b.Tokens["gm"], "seat:", "bad_value", 400},
		{b.Tokens["gm"], "seat:nobody", "bad_value", 400},
		{strings.Repeat("x", 22), "spectator", "unauthorized", 401},
	} {
		c := hubtest.Dial(t, b.URL)
		c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: test.token, As: test.as})
		if bye, _ := c.WaitEnd(); bye == nil || bye.Code != test.code || bye.RetryAfterMs != 0 {
			t.Errorf("as %q: bye %+v, want %s", test.as, bye, test.code)
		}
		for _, path := range []string{"", "/events"} {
			answer := hubtest.Request(t, http.MethodGet, b.Path()+path+"?as="+test.as, test.token, nil)
			if answer.Status != test.status {
				t.Errorf("GET %s as %q: %d %s", path, test.as, answer.Status, answer.Body)
			}
		}
	}
}

// The view over HTTP, and its number, are those of the audience seen as.
func TestSeeAsOverHTTP(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.Must(withCount(shade, 13))
	b.start()
	for as, token := range map[string]string{"spectator": b.Tokens["spectator"], "player": b.Tokens["player"], "seat:" + string(b.seat2.Seat): b.seat2.Token} {
		own := hubtest.Request(t, http.MethodGet, b.Path(), token, nil)
		seen := hubtest.Request(t, http.MethodGet, b.Path()+"?as="+as, b.Tokens["gm"], nil)
		if seen.Status != http.StatusOK || string(own.Body) != string(seen.Body) || own.Header.Get("ETag") != seen.Header.Get("ETag") {
			t.Errorf("as %s: %d, %s\nwant %s", as, seen.Status, seen.Body, own.Body)
		}
	}
}

// Who sees as a seat is sent away with it, and who no longer is the GM too.
func TestSeeAsEnds(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	asSeat, asSpectator := b.JoinAs(b.Tokens["gm"], "seat:"+string(b.seat1.Seat)), b.JoinAs(b.Tokens["gm"], "spectator")
	b.gm.Must(combat.RemoveSeat{Seat: b.seat1.Seat})
	if bye, _ := asSeat.WaitEnd(); bye == nil || bye.RetryAfterMs != 0 {
		t.Fatalf("the seat is gone: %+v", bye)
	}
	asSpectator.Ping()
	b.gm.Do(combat.ReplaceLink{Role: combat.RoleGM})
	if bye, _ := asSpectator.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
		t.Fatalf("the link is replaced: %+v", bye)
	}
	b.s1.Ping()
}

// Seeing as somebody takes nobody's place, and has a bound of its own.
func TestSeeAsBound(t *testing.T) {
	b := quartet(t, hub.Limits{RoomViewers: 2}, nil)
	var all []*hubtest.Client
	for range 64 {
		all = append(all, b.JoinAs(b.Tokens["gm"], "spectator"))
	}
	one := hubtest.Dial(t, b.URL)
	one.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens["gm"], As: "player"})
	if bye, _ := one.WaitEnd(); bye == nil || bye.Code != "unavailable" {
		t.Fatalf("the 65th: %+v", bye)
	}
	b.Join(b.Tokens["spectator"])
	all[0].Close()
	b.gm.WaitPresence("two spectators", func(p hub.Presence) bool { return p.Spectators == 2 })
}

// An event stream sees as another too.
func TestSeeAsStream(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	events, _ := openStream(t.Context(), t, b.Path()+"/events?as=spectator", b.Tokens["gm"], "")
	first := decode[hub.Welcome](t, []byte((<-events).data))
	if you := decode[combat.YouView](t, first.You); you.Role != combat.RoleSpectator {
		t.Fatalf("role %s", you.Role)
	}
}
