package hub_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// heard is one numbered message of an event stream, and when it came.
type heard struct {
	at   time.Time
	text string
	seq  uint64
}

// ear is an event stream in a bubble.
type ear struct {
	t      *testing.T
	mu     sync.Mutex
	all    []heard
	header http.Header
}

func (e *ear) Header() http.Header { return e.header }
func (e *ear) WriteHeader(int)     {}
func (e *ear) Flush()              {}

// Write takes what the stream writes at once: whole events.
func (e *ear) Write(data []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, line := range strings.Split(string(data), "\n") {
		if text, is := strings.CutPrefix(line, "data: "); is {
			e.all = append(e.all, heard{time.Now(), text, decode[hub.Update](e.t, []byte(text)).Seq})
		}
	}
	return len(data), nil
}

// heard returns what came so far.
func (e *ear) heard() []heard {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.all)
}

// listen opens an event stream, which stop ends.
func (b *bubble) listen(path, token string) (e *ear, stop func()) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	request := httptest.NewRequest("GET", b.at(path), nil).WithContext(ctx)
	request.Header.Set("Authorization", "Bearer "+token)
	e = &ear{t: b.t, header: http.Header{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.hub.Handler().ServeHTTP(e, request)
	}()
	synctest.Wait()
	return e, func() {
		cancel()
		<-done
	}
}

// get reads a path as somebody, and its ETag.
func (b *bubble) get(path, who string) (body, tag string) {
	b.t.Helper()
	request := httptest.NewRequest("GET", b.at(path), nil)
	request.Header.Set("Authorization", "Bearer "+b.tokens[who])
	recorder := httptest.NewRecorder()
	b.hub.Handler().ServeHTTP(recorder, request)
	if recorder.Code != http.StatusOK {
		b.t.Fatalf("%s as %s: %d %s", path, who, recorder.Code, recorder.Body)
	}
	return recorder.Body.String(), recorder.Header().Get("ETag")
}

// public is an update without what is the viewer's own.
func public(t *testing.T, text string) string {
	u := decode[hub.Update](t, []byte(text))
	delete(u.Set, "you")
	return encode(t, u)
}

func delayed(seconds int) map[string]string {
	return map[string]string{"spectatorDelay": fmt.Sprint(seconds)}
}

// story plays a fight, with pauses, a turn taken back and what only the GM sees.
func (b *bubble) story() {
	pause := func(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }
	b.do("P1", combat.Act{Combatant: b.c["Ash"], Kind: "attack", Targets: []combat.ID{b.c["Cedar"]}})
	b.do("gm", combat.Damage{Combatants: []combat.ID{b.c["Cedar"]}, Amount: 7})
	pause(700)
	b.do("gm", combat.Note{Text: "nobody's business"})
	b.do("P1", combat.EndTurn{Combatant: b.c["Ash"]})
	pause(5000)
	b.do("P2", combat.EndTurn{Combatant: b.c["Birch"]})
	pause(1)
	b.do("gm", combat.Undo{})
	b.do("P2", combat.Say{Text: "Wait!"})
	pause(30_000)
	b.do("gm", combat.AddEffect{Combatants: []combat.ID{b.c["Birch"]}, Name: "prone"})
	b.do("P2", combat.EndTurn{Combatant: b.c["Birch"]})
	pause(100)
	b.do("gm", combat.EndTurn{Combatant: b.c["Cedar"]})
}

// Spectators get what the undelayed audience that sees the same gets, in the
// same order, each message exactly so much later.
func TestDelayedStream(t *testing.T) {
	inBubble(t, hub.Limits{}, delayed(60), func(b *bubble) {
		time.Sleep(2 * time.Minute)
		player, stopPlayer := b.listen("/events", b.tokens["player"])
		defer stopPlayer()
		spectator, stop := b.listen("/events", b.tokens["spectator"])
		defer stop()
		asSpectator, stopAs := b.listen("/events?as=spectator", b.tokens["gm"])
		defer stopAs()
		b.story()
		if early := spectator.heard(); len(early) != 1 {
			b.t.Fatalf("within the minute they hear %v", early[1:])
		}
		time.Sleep(2 * time.Minute)
		live, late, as := player.heard(), spectator.heard(), asSpectator.heard()
		if len(live) < 8 || len(live) != len(late) || len(late) != len(as) {
			b.t.Fatalf("%d messages live, %d late, %d seen as", len(live), len(late), len(as))
		}
		for i := 1; i < len(live); i++ {
			if l, d := live[i], late[i]; d.at.Sub(l.at) != time.Minute || d.seq-late[0].seq != l.seq-live[0].seq ||
				strings.Replace(public(t, d.text), fmt.Sprint(`"seq":`, d.seq), "", 1) != strings.Replace(public(t, l.text), fmt.Sprint(`"seq":`, l.seq), "", 1) {
				b.t.Errorf("live at %v %s\nlate at %v %s", l.at, l.text, d.at, d.text)
			}
			if as[i].text != late[i].text || as[i].at != late[i].at {
				b.t.Errorf("seen as a spectator at %v %s", as[i].at, as[i].text)
			}
		}
	})
}

// Whoever joins, asks over HTTP, reads the log or sees as a spectator meanwhile
// gets what was the delay ago, its number and its time.
func TestDelayedInBetween(t *testing.T) {
	inBubble(t, hub.Limits{LogBurst: 1000}, delayed(60), func(b *bubble) {
		type moment struct{ view, tag, log, welcome string }
		look := func(who string) (m moment) {
			m.view, m.tag = b.get("", who)
			m.log, _ = b.get("/log", who)
			e, stop := b.listen("/events", b.tokens[who])
			defer stop()
			w := decode[hub.Welcome](b.t, []byte(e.heard()[0].text))
			delete(w.View, "you")
			m.welcome = encode(b.t, []any{w.View, w.Log})
			v := decode[map[string]any](b.t, []byte(m.view))
			delete(v, "you")
			m.view = encode(b.t, v)
			return m
		}
		time.Sleep(2 * time.Minute)
		start := time.Now()
		_, tag := b.get("", "player")
		_, late := b.get("", "spectator")
		if tag != late {
			b.t.Fatalf("the counters differ at rest: %s, %s", tag, late)
		}
		// Every second, what the player link sees is noted; a minute later,
		// spectators must see it.
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.story()
		}()
		var live []moment
		for i := range 180 {
			time.Sleep(time.Until(start.Add(time.Duration(i)*time.Second + 500*time.Millisecond)))
			synctest.Wait()
			if i < 100 {
				live = append(live, look("player"))
			}
			if i < 60 || i-60 >= len(live) {
				continue
			}
			if got := look("spectator"); got != live[i-60] {
				b.t.Fatalf("at %d s they see\n%+v\nwant\n%+v", i, got, live[i-60])
			}
			as, asTag := b.get("?as=spectator", "gm")
			own, ownTag := b.get("", "spectator")
			if as != own || asTag != ownTag {
				b.t.Fatalf("seen as a spectator %s %s", asTag, as)
			}
		}
		<-done
		if live[0] == live[99] {
			b.t.Fatal("nothing happened")
		}
		e, stop := b.listen("/events", b.tokens["spectator"])
		defer stop()
		w := decode[hub.Welcome](b.t, []byte(e.heard()[0].text))
		now, err := time.Parse(time.RFC3339, w.Now)
		if err != nil || w.Behind != 60 || time.Since(now).Round(time.Second) != time.Minute {
			b.t.Fatalf("their time is %s, %d s behind, at %v", w.Now, w.Behind, time.Now())
		}
	})
}

// turnOf is whose turn somebody sees.
func (b *bubble) turnOf(who string) string {
	turn, _ := b.view(who)["turn"].(map[string]any)
	for name, id := range b.c {
		if turn["combatant"] == string(id) {
			return name
		}
	}
	return "nobody"
}

func (b *bubble) setDelay(seconds int) { b.do("gm", combat.SetOptions{Options: delayed(seconds)}) }

// pass ends the turn of whoever has it.
func (b *bubble) pass() { b.do("gm", combat.EndTurn{}) }

// Raising the delay shows nothing twice and takes nothing back: spectators wait.
// Lowering it shows what is due at once, in order.
func TestDelayChanged(t *testing.T) {
	inBubble(t, hub.Limits{}, nil, func(b *bubble) {
		spectator, stop := b.listen("/events", b.tokens["spectator"])
		defer stop()
		is := func(want string) {
			b.t.Helper()
			synctest.Wait()
			if got := b.turnOf("spectator"); got != want {
				b.t.Fatalf("spectators see %s’s turn, want %s’s", got, want)
			}
		}
		is("Ash")
		b.setDelay(60)
		b.pass()
		is("Ash")
		time.Sleep(20 * time.Second)
		b.pass() // Cedar
		is("Ash")
		time.Sleep(40*time.Second - time.Millisecond)
		is("Ash")
		time.Sleep(time.Millisecond)
		is("Birch")
		b.setDelay(120) // they have seen the first minute
		is("Birch")
		time.Sleep(79 * time.Second)
		is("Birch")
		time.Sleep(time.Second)
		is("Cedar")
		b.pass() // Ash
		time.Sleep(40 * time.Second)
		b.pass() // Birch
		time.Sleep(40 * time.Second)
		b.pass() // Cedar
		is("Cedar")
		b.setDelay(50) // what is 50 s old is due
		is("Ash")
		time.Sleep(9 * time.Second)
		is("Ash")
		time.Sleep(time.Second)
		is("Birch")
		b.setDelay(0)
		is("Cedar")
		b.pass()
		is("Ash")
		all := spectator.heard()
		for i := 1; i < len(all); i++ {
			if u := decode[hub.Update](b.t, []byte(all[i].text)); u.Type != "update" || u.Seq != all[i-1].seq+1 {
				b.t.Fatalf("after %d: %.80s", all[i-1].seq, all[i].text)
			}
		}
		if _, tag := b.get("", "spectator"); tag != fmt.Sprintf("%q", fmt.Sprint(all[len(all)-1].seq)) {
			b.t.Fatalf("they are at %s, told %d", tag, all[len(all)-1].seq)
		}
	})
}

// A restart in between keeps the delay: nothing is shown early, nothing twice,
// and what was shown before stays shown, also where the delay was raised.
func TestDelayAcrossRestart(t *testing.T) {
	inBubble(t, hub.Limits{}, delayed(60), func(b *bubble) {
		restart := func() {
			b.close()
			b.open(hub.Limits{})
		}
		is := func(want string) {
			b.t.Helper()
			if got := b.turnOf("spectator"); got != want {
				b.t.Fatalf("spectators see %s’s turn, want %s’s", got, want)
			}
		}
		is("nobody")
		time.Sleep(2 * time.Minute)
		is("Ash")
		_, before := b.get("", "spectator")
		b.pass()
		time.Sleep(20 * time.Second)
		b.pass()
		time.Sleep(20 * time.Second)
		restart()
		is("Ash")
		if _, after := b.get("", "spectator"); after != before {
			b.t.Fatalf("they were at %s and are at %s", before, after)
		}
		time.Sleep(20 * time.Second)
		is("Birch")
		restart()
		is("Birch")
		b.setDelay(300)
		restart()
		is("Birch")
		time.Sleep(19 * time.Second)
		b.close()
		time.Sleep(261 * time.Second) // it comes due while nobody serves
		b.open(hub.Limits{})
		is("Cedar")
		b.pass()
		b.setDelay(0)
		is("Ash")
		b.setDelay(300)
		b.pass()
		restart()
		is("Ash")
	})
}

// An encounter whose spectators wait is there until they have been told; with
// nobody there it is put away, and comes back as late as it should be.
func TestDelayPutAway(t *testing.T) {
	inBubble(t, hub.Limits{IdleTime: time.Second}, delayed(120), func(b *bubble) {
		time.Sleep(3 * time.Minute)
		spectator, stop := b.listen("/events", b.tokens["spectator"])
		b.pass()
		time.Sleep(119 * time.Second)
		if n := len(spectator.heard()); n != 1 || b.inMemory() != 1 {
			b.t.Fatalf("%d messages", n)
		}
		time.Sleep(time.Second)
		if n := len(spectator.heard()); n < 2 {
			b.t.Fatal("they were not told")
		}
		b.pass()
		stop()
		time.Sleep(time.Minute)
		if b.inMemory() != 0 {
			b.t.Fatal("not put away")
		}
		if got := b.turnOf("spectator"); got != "Birch" {
			b.t.Fatalf("a minute later they see %s", got)
		}
		time.Sleep(time.Minute)
		if got := b.turnOf("spectator"); got != "Cedar" {
			b.t.Fatalf("two minutes later they see %s", got)
		}
	})
}
