package hub

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"pgregory.net/rapid"

	"riposte/combat"
)

// watched is a room with one spectator, and all that is true of it: the
// updates in the order in which they were made.
type watched struct {
	*room
	t     *rapid.T
	out   *outbox
	now   int64
	seq   uint64 // made
	made  []step
	views []map[string]json.RawMessage // after each update
	got   []int                        // numbers of the updates that were told
	at    []int64                      // when
	jumps int
}

func watch(t *rapid.T, limit int) *watched {
	r := newRoom(newMetrics(prometheus.NewRegistry()), limit)
	r.backlog.told = map[string]json.RawMessage{}
	w := &watched{room: r, t: t, now: 1_000_000, out: newOutbox(1 << 30), views: []map[string]json.RawMessage{{}}}
	r.attach(&viewer{audience: spectators, out: w.out})
	return w
}

// look has the room catch up, and reads what the spectator got.
func (w *watched) look() {
	w.catchUp(w.now)
	told := w.out.take(nil).messages
	if w.backlog.jumped {
		// The actor would send a whole view.
		w.backlog.jumped = false
		w.jumps++
		told = append(told, []byte(fmt.Sprintf(`{"type":"update","seq":%d}`, w.feed(spectators).seq)))
	}
	for _, data := range told {
		if seq, is := seqOf(data); is {
			w.got, w.at = append(w.got, int(seq)), append(w.at, w.now)
		}
	}
}

// draw makes the next commit: it shows something or not, and may change the
// delay.
func (w *watched) draw(delay int64) step {
	s := step{at: w.now, commit: uint64(len(w.made)) + 2, delay: delay}
	if rapid.IntRange(0, 3).Draw(w.t, "shows") > 0 {
		w.seq++
		change := combat.Change{Audience: spectators, Set: map[string]json.RawMessage{}}
		last := w.views[len(w.views)-1]
		next := maps.Clone(last)
		for range rapid.IntRange(0, 3).Draw(w.t, "set") {
			key := rapid.SampledFrom([]string{"turn", "seats/s1", "combatants/c1", "order"}).Draw(w.t, "key")
			change.Set[key] = json.RawMessage(fmt.Sprintf(`"%s %d"`, key, w.seq))
			next[key] = change.Set[key]
		}
		for key := range last {
			if _, set := change.Set[key]; !set && rapid.Bool().Draw(w.t, "del") {
				change.Del = append(change.Del, key)
				delete(next, key)
			}
		}
		change.Log = []json.RawMessage{json.RawMessage(fmt.Sprint(w.seq))}
		w.views = append(w.views, next)
		s.moves = []move{{frame: Frame{Audience: "spectator", Seq: w.seq, Data: encodeUpdate(w.seq, &change)}, change: change}}
	}
	w.made = append(w.made, s)
	return s
}

// run draws commits and pauses; after each, check is called.
func (w *watched) run(check func()) {
	delay := int64(0)
	for range rapid.IntRange(1, 60).Draw(w.t, "steps") {
		switch rapid.IntRange(0, 5).Draw(w.t, "what") {
		case 0:
			w.now += int64(rapid.IntRange(0, 30_000).Draw(w.t, "pause"))
		case 1:
			delay = 1000 * int64(rapid.SampledFrom([]int{0, 1, 10, 300}).Draw(w.t, "delay"))
			fallthrough
		default:
			s := w.draw(delay)
			w.take(&s)
		}
		w.look()
		check()
	}
}

// tellable is the number of the last update that may be told at a moment: one
// that was due by then, or when an earlier delay came to its end.
func (w *watched) tellable(now int64) uint64 {
	told := uint64(0)
	free := func(made []step, by, delay int64) {
		for _, s := range made {
			if (delay == 0 || s.at+delay <= by) && len(s.moves) > 0 {
				told = max(told, s.moves[0].frame.Seq)
			}
		}
	}
	delay := int64(0)
	for i, s := range w.made {
		free(w.made[:i], s.at, delay)
		delay = s.delay
		free(w.made[:i+1], s.at, delay)
	}
	free(w.made, now, delay)
	return told
}

// Delayed spectators get what undelayed ones do, in the same order, each update
// once, none before its time, and all that is due.
func TestDelayedIsTheSameLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := watch(t, 1<<30)
		seen := int64(0)
		w.run(func() {
			for i, seq := range w.got {
				if seq != i+1 {
					t.Fatalf("told %d", w.got)
				}
			}
			if want := w.tellable(w.now); uint64(len(w.got)) != want || w.feed(spectators).seq != want {
				t.Fatalf("at %d they are at %d, told %d, want %d", w.now, w.feed(spectators).seq, len(w.got), want)
			}
			if !sameView(w.backlog.told, w.views[len(w.got)]) {
				t.Fatalf("they see %s, want %s", w.backlog.told, w.views[len(w.got)])
			}
			// Their clock never goes back, and is never past what they do not know.
			at := w.backlog.clock.at(time.UnixMilli(w.now)).UnixMilli()
			if at < seen || at > w.now || len(w.backlog.waiting) > 0 && at > w.backlog.waiting[0].at {
				t.Fatalf("their time is %d, was %d, at %d with %d waiting", at, seen, w.now, len(w.backlog.waiting))
			}
			seen = at
			if until := w.backlog.until(1 << 40); len(w.backlog.waiting) > 0 {
				for _, s := range w.made {
					if len(s.moves) > 0 && (s.commit <= until) != (s.moves[0].frame.Seq <= w.feed(spectators).seq) {
						t.Fatalf("their log ends with commit %d, update %d of commit %d is told: %v", until, s.moves[0].frame.Seq, s.commit, s.commit > until)
					}
				}
			}
		})
		if w.jumps > 0 {
			t.Fatal("a whole view although nothing was too much")
		}
	})
}

// Over the bound, several updates are told as one whole view: never too early,
// never back, and what waits stays within the bound.
func TestDelayWithinItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(600, 3000).Draw(t, "limit")
		w := watch(t, limit)
		seen := int64(0)
		w.run(func() {
			last := 0
			for i, seq := range w.got {
				if seq <= last {
					t.Fatalf("told %d", w.got)
				}
				if last = seq; uint64(seq) > w.tellable(w.at[i]) {
					t.Fatalf("update %d is told at %d", seq, w.at[i])
				}
			}
			if !sameView(w.backlog.told, w.views[last]) {
				t.Fatalf("at %d they see %s, want %s", last, w.backlog.told, w.views[last])
			}
			size := 0
			for i := range w.backlog.waiting {
				size += w.backlog.waiting[i].size()
			}
			if size != w.backlog.bytes || size > limit && len(w.backlog.waiting) > 1 {
				t.Fatalf("%d bytes wait in %d, counted %d, limit %d", size, len(w.backlog.waiting), w.backlog.bytes, limit)
			}
			if n := len(w.backlog.waiting); n > 0 && w.backlog.waiting[n-1].frame.Seq != w.seq || n == 0 && uint64(last) != w.seq {
				t.Fatalf("the last update, %d, is lost", w.seq)
			}
			at := w.backlog.clock.at(time.UnixMilli(w.now)).UnixMilli()
			if at < seen {
				t.Fatalf("their time is %d, was %d", at, seen)
			}
			seen = at
		})
		w.now += maxDelay.Milliseconds()
		w.look()
		if w.feed(spectators).seq != w.seq || !sameView(w.backlog.told, w.views[len(w.views)-1]) {
			t.Fatalf("at last they are at %d of %d", w.feed(spectators).seq, w.seq)
		}
	})
}

// A log that is read back gives what was live: what is told, what waits, and
// the clock.
func TestDelayReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live := watch(t, 1<<30)
		live.run(func() {
			back := watch(t, 1<<30)
			back.now = live.now
			for i := range live.made {
				back.take(&live.made[i])
			}
			back.look()
			if back.feed(spectators).seq != live.feed(spectators).seq || back.backlog.made != live.backlog.made ||
				!sameView(back.backlog.told, live.backlog.told) || len(back.backlog.waiting) != len(live.backlog.waiting) ||
				back.backlog.clock.at(time.UnixMilli(live.now)) != live.backlog.clock.at(time.UnixMilli(live.now)) {
				t.Fatalf("live at %d with %d waiting, read back at %d with %d", live.feed(spectators).seq, len(live.backlog.waiting),
					back.feed(spectators).seq, len(back.backlog.waiting))
			}
		})
	})
}

func sameView(a, b map[string]json.RawMessage) bool {
	return maps.EqualFunc(a, b, func(x, y json.RawMessage) bool { return string(x) == string(y) })
}

// A whole view that was handed out stays as it was, whatever spectators are told
// next: an edge's is encoded while the actor goes on.
func TestAWholeViewIsItsReaders(t *testing.T) {
	r := newRoom(newMetrics(prometheus.NewRegistry()), 1<<20)
	r.backlog.told = map[string]json.RawMessage{"a": json.RawMessage("1")}
	view := r.whole(spectators, nil)
	r.backlog.wait(held{change: combat.Change{Set: map[string]json.RawMessage{"a": json.RawMessage("2"), "b": json.RawMessage("3")}}})
	r.backlog.next()
	if len(view) != 1 || string(view["a"]) != "1" || len(r.whole(spectators, nil)) != 2 {
		t.Errorf("it has become %s, and they know %s", view, r.whole(spectators, nil))
	}
}
