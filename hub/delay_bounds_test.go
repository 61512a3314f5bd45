package hub_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// Nothing else tells spectators early: not who is here, not how a command is
// answered, not what others are handed over the bus.
func TestDelayLeaks(t *testing.T) {
	inBubble(t, hub.Limits{}, delayed(60), func(b *bubble) {
		time.Sleep(2 * time.Minute)
		frames := &bus{}
		cancel, err := b.store.Subscribe(b.t.Context(), b.id, "spectator", frames)
		if err != nil {
			b.t.Fatal(err)
		}
		defer cancel()
		_, tag := b.get("", "spectator")
		seat := decode[hub.SeatCreated](b.t, b.call("POST", b.at("/seats"), b.tokens["player"], hub.SeatRequest{Name: "P3"}, 201))
		_, stop := b.listen("/events", seat.Token)
		defer stop()
		for range 3 {
			b.pass()
		}
		e, stopSpectator := b.listen("/events", b.tokens["spectator"])
		defer stopSpectator()
		welcome := e.heard()[0].text
		if strings.Contains(welcome, string(seat.Seat)) || strings.Contains(welcome, `"P3"`) {
			b.t.Fatalf("a seat that is new is told: %s", welcome)
		}
		// The frame that acts now, one that did, and none: all the same answer.
		stack := b.view("gm")["stack"].([]any)
		frame := combat.ID(stack[0].(map[string]any)["frame"].(string))
		answers := map[string]bool{}
		for _, f := range []combat.ID{frame, "f999999", ""} {
			raw, err := combat.EncodeCommand(combat.EndTurn{Frame: f})
			if err != nil {
				b.t.Fatal(err)
			}
			answers[string(b.call("POST", b.at("/commands"), b.tokens["spectator"],
				hub.CommandRequest{ID: "0b9f3a52-6f1e-4b7a-9c55-0123456789ab", Command: raw}, http.StatusForbidden))] = true
		}
		if _, now := b.get("", "spectator"); now != tag || len(answers) != 1 {
			b.t.Fatalf("at %s, was %s; answers %v", now, tag, answers)
		}
		if got := frames.all(); len(got) != 0 {
			b.t.Fatalf("handed over early: %s", got)
		}
		time.Sleep(time.Minute)
		after := e.heard()
		if got := frames.all(); len(got) != len(after)-1 || len(got) < 4 {
			b.t.Fatalf("%d handed over, %d told", len(got), len(after)-1)
		} else {
			for i := range got {
				if got[i] != after[i+1].text {
					b.t.Errorf("handed over %s, told %s", got[i], after[i+1].text)
				}
			}
		}
	})
}

// bus keeps the frames that it hears.
type bus struct {
	mu     sync.Mutex
	frames []string
}

func (b *bus) Hear(f hub.Frame) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.frames = append(b.frames, string(f.Data))
}
func (b *bus) Missed() {}
func (b *bus) all() []string {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.frames)
}

// When more waits than may, spectators get a whole view instead of each update:
// later rather than earlier, and then as late as ever.
func TestDelayTooMuchWaits(t *testing.T) {
	inBubble(t, hub.Limits{DelayBytes: 20_000, CommandRate: 1e6, CommandBurst: 1e6}, delayed(60), func(b *bubble) {
		time.Sleep(2 * time.Minute)
		spectator, stop := b.listen("/events", b.tokens["spectator"])
		defer stop()
		said := map[string]time.Time{}
		for i := range 300 {
			text := fmt.Sprintf("line %03d %s", i, strings.Repeat("x", 100))
			b.do("P1", combat.Say{Text: text})
			said[text] = time.Now()
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(2 * time.Minute)
		welcomes, last := 0, uint64(0)
		for _, h := range spectator.heard()[1:] {
			m := decode[struct {
				Type string
				Seq  uint64
				Log  []struct{ Event struct{ Text string } }
			}](b.t, []byte(h.text))
			if m.Seq <= last {
				b.t.Fatalf("%d after %d", m.Seq, last)
			}
			last = m.Seq
			if m.Type == "welcome" {
				welcomes++
			}
			for _, line := range m.Log {
				if when, is := said[line.Event.Text]; is && h.at.Sub(when) < time.Minute {
					b.t.Fatalf("%.8s is told after %v", line.Event.Text, h.at.Sub(when))
				}
			}
		}
		if welcomes == 0 {
			b.t.Fatal("nothing was too much")
		}
		// All has been told in the end, and the next is as late as ever.
		player, _ := b.get("", "player")
		view, _ := b.get("", "spectator")
		p, s := decode[map[string]json.RawMessage](b.t, []byte(player)), decode[map[string]json.RawMessage](b.t, []byte(view))
		delete(p, "you")
		delete(s, "you")
		if encode(b.t, p) != encode(b.t, s) {
			b.t.Fatalf("they see %s, want %s", view, player)
		}
		b.pass()
		time.Sleep(time.Minute)
		if all := spectator.heard(); all[len(all)-1].seq != last+1 {
			b.t.Fatalf("at %d, want %d", all[len(all)-1].seq, last+1)
		}
	})
}

// On a socket too, a pong tells the moment of what is seen, and a head how late
// that is.
func TestDelayedSocket(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	last := b.s1.Seq()
	b.gm.Must(combat.SetOptions{Options: delayed(300)})
	b.gm.Must(combat.EndTurn{})
	var set struct{ At int64 }
	for _, line := range b.Export().Log {
		if strings.Contains(string(line), `"optionsSet"`) {
			set = decode[struct{ At int64 }](t, line)
		}
	}
	b.s1.Ping()
	pongs := b.s1.Messages("pong")
	now, err := time.Parse(time.RFC3339, decode[hub.Pong](t, []byte(pongs[len(pongs)-1])).Now)
	if err != nil || now.UnixMilli() != set.At {
		t.Fatalf("their time is %v, want %v", now.UnixMilli(), set.At)
	}
	b.s1.WaitBehind(true)
	b.p1.Ping()
	pongs = b.p1.Messages("pong")
	if now, err = time.Parse(time.RFC3339, decode[hub.Pong](t, []byte(pongs[len(pongs)-1])).Now); err != nil || now.UnixMilli() <= set.At {
		t.Fatalf("the player's time is %v", now)
	}
	if b.s1.Seq() != last || b.s1.Turn().Combatant != b.id["Ash"] {
		t.Fatalf("they are at %d, were at %d", b.s1.Seq(), last)
	}
	back := b.Resume(b.Tokens["spectator"], b.s1)
	if back.Seq() != last || back.Welcomes() != 0 {
		t.Fatalf("back at %d with %d whole views", back.Seq(), back.Welcomes())
	}
	b.gm.Must(combat.SetOptions{Options: delayed(0)})
	for _, c := range []*hubtest.Client{b.s1, back} {
		c.WaitSeq(last + 2)
		c.WaitBehind(false)
	}
	b.settle()
	if b.s1.Turn().Combatant != b.id["Birch"] {
		t.Fatalf("they see %s’s turn", b.s1.Turn().Combatant)
	}
}

// However much was done within the delay, and with snapshots on the way: after a
// restart spectators are where they were.
func TestDelayAcrossALongLog(t *testing.T) {
	limits := hub.Limits{SnapshotEvery: 20, CommandRate: 1e6, CommandBurst: 1e6, LogBurst: 100}
	inBubble(t, limits, delayed(60), func(b *bubble) {
		time.Sleep(2 * time.Minute)
		start := time.Now()
		for i := range 400 {
			b.do("P1", combat.Say{Text: fmt.Sprintf("line %03d", i)})
			time.Sleep(50 * time.Millisecond)
		}
		told := func() int {
			b.t.Helper()
			log, _ := b.get("/log", "spectator")
			e, stop := b.listen("/events", b.tokens["spectator"])
			defer stop()
			welcome := decode[hub.Welcome](b.t, []byte(e.heard()[0].text))
			last := strings.Count(log, `"line `)
			if n := len(welcome.Log); last > 0 && (n == 0 || !strings.Contains(string(welcome.Log[n-1]), fmt.Sprintf(`"line %03d"`, last-1))) {
				b.t.Fatalf("the log ends with line %d, the view with %s", last-1, welcome.Log)
			}
			return last
		}
		for _, at := range []time.Duration{21, 61, 70, 79, 81} {
			time.Sleep(time.Until(start.Add(at*time.Second - 5*time.Millisecond)))
			want := told()
			if due := min(max(0, int(at-60)*20), 400); want != due {
				b.t.Fatalf("after %d s %d lines are told, want %d", at, want, due)
			}
			_, tag := b.get("", "spectator")
			b.close()
			b.open(limits)
			if got := told(); got != want {
				b.t.Fatalf("after %d s and a restart %d lines are told, want %d", at, got, want)
			}
			if _, after := b.get("", "spectator"); after != tag {
				b.t.Fatalf("after %d s they were at %s, and after a restart at %s", at, tag, after)
			}
		}
	})
}
