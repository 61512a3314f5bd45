package hub_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

func online(p hub.Presence, seat combat.ID) bool { return slices.Contains(p.Seats, seat) }

// B51: an update that a short drop has swallowed is there after it.
func TestB51ShortDrop(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	b.p2.Abort()
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	back := b.Resume(b.seat2.Token, b.p2)
	if back.Turn().Combatant != b.id["Birch"] || back.Seq() != b.seqOf(b.seat2.Token) {
		t.Fatalf("P2 sees %+v at %d", back.Turn(), back.Seq())
	}
	back.Must(combat.EndTurn{Combatant: b.id["Birch"], Frame: back.Frame()})
}

// B52: what was asked for while the line was down is applied at most once,
// however often it is sent afterwards.
func TestB52SentAgainAfterALoss(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	frame := b.p1.Frame()
	attack, end := uuid.NewString(), uuid.NewString()
	hit := combat.Act{Combatant: b.id["Ash"], Frame: frame, Kind: "attack", Targets: []combat.ID{b.id["Cedar"]}}
	b.p1.Ask(attack, hit) // the answer is lost
	b.p1.Abort()
	back := b.Resume(b.seat1.Token, b.p1)
	for range 2 {
		back.DoID(attack, hit)
		back.DoID(end, combat.EndTurn{Combatant: b.id["Ash"], Frame: frame})
	}
	b.gm.WaitSeq(b.seqOf(b.Tokens[combat.RoleGM]))
	acted := 0
	for _, line := range b.gm.Log() {
		if strings.Contains(line, `"type":"acted"`) {
			acted++
		}
	}
	if acted != 1 || b.gm.Turn().Combatant != b.id["Birch"] {
		t.Fatalf("%d attacks, active %s", acted, b.gm.Turn().Combatant)
	}
}

// B53: the late end of an old socket throws nobody out.
func TestB53LateClose(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	again := b.Join(b.seat2.Token)
	b.gm.WaitPresence("P2 online", func(p hub.Presence) bool { return online(p, b.seat2.Seat) })
	from := len(b.gm.Frames())
	b.p2.Abort()
	gone := b.Join(b.Tokens[combat.RoleSpectator])
	b.gm.WaitPresence("a second spectator", func(p hub.Presence) bool { return p.Spectators == 2 })
	gone.Close()
	b.gm.WaitPresence("one spectator", func(p hub.Presence) bool { return p.Spectators == 1 })
	for _, frame := range b.gm.Frames()[from:] {
		if strings.Contains(frame, `"presence"`) && !strings.Contains(frame, string(b.seat2.Seat)) {
			t.Fatalf("P2 was away: %s", frame)
		}
	}
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	again.WaitSeq(b.seqOf(b.seat2.Token))
	again.Must(combat.EndTurn{Combatant: b.id["Birch"]})
	again.Close()
	b.gm.WaitPresence("P2 away", func(p hub.Presence) bool { return !online(p, b.seat2.Seat) })
}

// B54: two tabs are one player, through renames and quick reloads.
func TestB54TwoTabs(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	second := b.Join(b.seat1.Token)
	name := "Ash2"
	second.Must(combat.EditSeat{Seat: b.seat1.Seat, Name: &name})
	tab := b.p1
	for range 2 {
		tab.Abort()
		tab = b.Join(b.seat1.Token)
	}
	second.Close()
	b.gm.WaitPresence("both players", func(p hub.Presence) bool {
		return online(p, b.seat1.Seat) && online(p, b.seat2.Seat) && len(p.Seats) == 2
	})
	seats := 0
	for key, value := range tab.View() {
		if strings.HasPrefix(key, "seats/") {
			seats++
			if key == "seats/"+string(b.seat1.Seat) && !strings.Contains(value, "Ash2") {
				t.Fatalf("the seat is %s", value)
			}
		}
	}
	if seats != 2 {
		t.Fatalf("%d seats", seats)
	}
}

// Presence shows who is here, and a crowd that comes and goes is told of in a
// few messages.
func TestPresence(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.WaitPresence("everybody", func(p hub.Presence) bool { return len(p.Seats) == 2 && p.GMs == 1 && p.Spectators == 1 })
	before := strings.Count(strings.Join(b.gm.Frames(), ""), `"type":"presence"`)
	var crowd sync.WaitGroup
	for range 50 {
		crowd.Go(func() {
			c := hubtest.Dial(t, b.URL)
			c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens[combat.RoleSpectator]})
			c.WaitPresence("a welcome", func(p hub.Presence) bool { return p.Spectators > 1 })
		})
	}
	crowd.Wait()
	b.gm.WaitPresence("a crowd", func(p hub.Presence) bool { return p.Spectators == 51 })
	told := strings.Count(strings.Join(b.gm.Frames(), ""), `"type":"presence"`) - before
	if told > 25 {
		t.Fatalf("51 arrivals took %d messages", told)
	}
	if seq := b.gm.Seq(); seq != b.seqOf(b.Tokens[combat.RoleGM]) {
		t.Fatal("presence moved the counter")
	}
}
