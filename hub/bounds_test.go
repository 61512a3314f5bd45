package hub_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// tooMany checks that a command is refused because something is full.
func tooMany(t *testing.T, c *hubtest.Client, field string) {
	t.Helper()
	reply := c.Do(combat.Say{Text: "one more"})
	if reply.Code() != "too_many" || reply.Reject.Params["field"] != field {
		t.Fatalf("%s %+v", reply.Code(), reply.Reject)
	}
}

// The operator's limit on commits ends an encounter's growth, by name, and the
// players' before the GM's.
func TestCommitLimit(t *testing.T) {
	b := quartet(t, hub.Limits{Commits: 20}, nil)
	for range 14 { // four are the table's making
		b.p1.Must(combat.Say{Text: "x"})
	}
	tooMany(t, b.p1, "commits")
	b.gm.Must(combat.Note{Text: "19"})
	b.gm.Must(combat.Note{Text: "20"})
	tooMany(t, b.gm, "commits")
}

// So does the limit on bytes; both count on after a restart.
func TestByteLimit(t *testing.T) {
	const most = 16 << 10
	b := quartet(t, hub.Limits{Bytes: most}, nil)
	said := 0
	for ; b.p1.Do(combat.Say{Text: "x"}).Ack != nil; said++ {
		if said == most {
			t.Fatal("there is no end to it")
		}
	}
	tooMany(t, b.p1, "bytes")
	noted := 0
	for ; b.gm.Do(combat.Note{Text: "x"}).Ack != nil; noted++ {
		if noted == most {
			t.Fatal("there is no end to it")
		}
	}
	tooMany(t, b.gm, "bytes")
	if said == 0 || noted == 0 {
		t.Fatalf("the players have %d and the GM %d", said, noted)
	}
	again := b.server.AgainWith(hub.Limits{Bytes: most})
	tooMany(t, b.On(again.URL).Join(b.Tokens[combat.RoleGM]), "bytes")
}

// One person has one measure of commands, over whatever they come.
func TestRateLimitOfAnAudience(t *testing.T) {
	b := quartet(t, hub.Limits{CommandRate: 0.001, CommandBurst: 3}, nil)
	accepted := 0
	var refused hub.Reject
	for range 7 {
		socket := b.Join(b.seat1.Token) // one turn of three
		for range 3 {
			reply := socket.DoID(uuid.NewString(), combat.Say{Text: "x"})
			if reply.Ack != nil {
				accepted++
			} else {
				refused = *reply.Reject
			}
		}
	}
	if wait, _ := refused.Params["retryAfterMs"].(float64); accepted != 12 || refused.Code != "rate_limited" || wait < 1 {
		t.Fatalf("%d accepted; %+v", accepted, refused)
	}
	b.p2.Must(combat.Say{Text: "not concerned"})
}

// However many hold the spectators' link, there is room for the GM and the
// seats.
func TestRoomForSeats(t *testing.T) {
	b := quartet(t, hub.Limits{RoomViewers: 2}, nil)
	b.Join(b.Tokens[combat.RolePlayer])
	for _, role := range []string{combat.RolePlayer, combat.RoleSpectator} {
		c := hubtest.Dial(t, b.URL)
		c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens[role]})
		if bye, _ := c.WaitEnd(); bye == nil || bye.Code != "unavailable" || bye.RetryAfterMs == 0 {
			t.Fatalf("%s: bye %+v", role, bye)
		}
	}
	b.Join(b.Tokens[combat.RoleGM])
	b.Join(b.seat1.Token)
}

// Sockets that do not say whose they are take no place from those that do.
func TestStrangers(t *testing.T) {
	b := quartet(t, hub.Limits{Strangers: 2, HelloTimeout: time.Hour}, nil)
	first, second := hubtest.Dial(t, b.URL), hubtest.Dial(t, b.URL)
	header := []string{"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol", hub.Subprotocol}
	answer := hubtest.Request(t, http.MethodGet, b.URL+"/ws", "", nil, header...)
	if answer.Status != http.StatusServiceUnavailable || answer.Problem(t).Code != "unavailable" {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	for _, c := range []*hubtest.Client{first, second} {
		c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.seat1.Token})
		c.Ping()
	}
	b.Join(b.seat2.Token)
}

// Whoever goes on sending though everything is refused for speed is sent away
// for a while.
func TestFloodEnds(t *testing.T) {
	b := quartet(t, hub.Limits{CommandRate: 0.001, CommandBurst: 3}, nil)
	c := b.Join(b.seat1.Token) // one turn of three
	for range 1002 {           // two are answered
		c.Send(hub.Ping{Type: "ping"})
	}
	bye, status := c.WaitEnd()
	if bye == nil || bye.Code != "rate_limited" || bye.RetryAfterMs < 1000 || status != 1008 {
		t.Fatalf("bye %+v, status %d", bye, status)
	}
	b.p2.Ping()
}

// An array costs what its messages cost.
func TestRateLimitInOneFrame(t *testing.T) {
	b := quartet(t, hub.Limits{CommandRate: 0.001, CommandBurst: 4}, nil)
	c := b.Join(b.seat1.Token) // one turn of four
	var ids, parts []string
	for i := range 5 {
		ids = append(ids, uuid.NewString())
		parts = append(parts, fmt.Sprintf(`{"type":"do","id":%q,"command":{"type":"say","text":"x"}}`, ids[i]))
	}
	c.SendText("[" + strings.Join(parts, ",") + "]")
	for i, id := range ids {
		if got, want := c.Answer(id).Code(), []string{"", "", "", "rate_limited", "rate_limited"}[i]; got != want {
			t.Errorf("message %d is answered %q, want %q", i, got, want)
		}
	}
}
