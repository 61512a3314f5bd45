package hubtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"riposte/combat"
	"riposte/hub"
)

// heard is what came over a subscription, in words.
type heard chan string

// Missed is how a notice that frames may be missing reads.
const Missed = "missed"

// Hear implements hub.Listener.
func (h heard) Hear(f hub.Frame) {
	if f.Epoch == "" {
		h <- "a frame of no history"
		return
	}
	h <- fmt.Sprintf("%s %d %s", f.Audience, f.Seq, f.Data)
}

// Missed implements hub.Listener.
func (h heard) Missed() { h <- Missed }

// Listen collects the frames of one audience.
func Listen(t *testing.T, store hub.Store, encounter combat.ID, audience string) (<-chan string, func()) {
	t.Helper()
	h := make(heard, 64)
	cancel, err := store.Subscribe(t.Context(), encounter, audience, h)
	if err != nil {
		t.Fatalf("subscribe: %v", err)
	}
	return h, cancel
}

// WantFrames waits for frames, and for no others.
func WantFrames(t *testing.T, heard <-chan string, want ...string) {
	t.Helper()
	for _, w := range want {
		select {
		case got := <-heard:
			if got != w {
				t.Fatalf("frame %q, want %q", got, w)
			}
		case <-t.Context().Done():
			t.Fatalf("frame %q never came", w)
		}
	}
}

func testFrames(t *testing.T, open Open) {
	store := start(t, open)
	l, other := Begin(t, store, "e1"), Begin(t, store, "e2")
	l.Append("before")
	gm, stop := Listen(t, store, "e1", "gm")
	spectator, stopToo := Listen(t, store, "e1", "spectator")
	defer stopToo()
	l.Append("a", "b")
	other.Append("elsewhere")
	shown := l.Entry("c")
	shown.Frames = append(shown.Frames, hub.Frame{Audience: "spectator", Seq: 7, Data: []byte("seen")})
	l.Expect(shown, hub.OK)
	l.head, l.hash = l.head+1, shown.Records[0].Commit.Hash
	WantFrames(t, gm, "gm 3 a", "gm 4 b", "gm 5 c")
	WantFrames(t, spectator, "spectator 7 seen")
	stop()
	l.Append("after")
	if len(gm) != 0 {
		t.Fatalf("after cancel: %q", <-gm)
	}
}

// The same entry again, because its answer was lost, is in the log once and
// published once.
func testRepeated(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	gm, stop := Listen(t, store, "e1", "gm")
	defer stop()
	e := l.Entry("a", "b")
	for range 3 {
		l.Expect(e, hub.OK)
	}
	l.head, l.hash = 3, e.Records[1].Commit.Hash
	l.Append("c")
	WantFrames(t, gm, "gm 2 a", "gm 3 b", "gm 4 c")
	l.Expect(e, hub.OK) // however late
	WantIDs(t, store, "e1", "e1-create", "a", "b", "c")
}

// Notices travel like frames and are not in the log.
func testNotices(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	gm, stop := Listen(t, store, "e1", "gm")
	defer stop()
	spectator, stopToo := Listen(t, store, "e1", "spectator")
	defer stopToo()
	e := l.Entry("a")
	e.Frames = append(e.Frames, hub.Frame{Audience: "gm", Data: []byte("void")})
	l.Expect(e, hub.OK)
	if err := store.Tell(t.Context(), "e1", l.Grant.Epoch, []hub.Frame{
		{Audience: "gm", Data: []byte("here")}, {Audience: "spectator", Data: []byte("here too")},
		{Audience: "spectator", Seq: 7, Data: []byte("later")}, {Audience: "spectator", Seq: 8, Data: []byte("later still")},
	}); err != nil {
		t.Fatalf("tell: %v", err)
	}
	WantFrames(t, gm, "gm 2 a", "gm 0 void", "gm 0 here")
	WantFrames(t, spectator, "spectator 0 here too", "spectator 7 later", "spectator 8 later still")
	WantIDs(t, store, "e1", "e1-create", "a")
}

func testNoFrames(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	l.Append("a")
	gm, stop := Listen(t, store, "e1", "gm")
	defer stop()
	l.Expect(l.Entry("b", "a"), hub.DUP)
	wrong := l.Entry("b")
	wrong.Fence++
	l.Expect(wrong, hub.FENCED)
	// What was refused would have come first.
	l.Append("c")
	WantFrames(t, gm, "gm 3 c")
}

func testCalls(t *testing.T, open Open) {
	store := start(t, open)
	if _, err := store.Call(t.Context(), "e1", hub.Call{ID: "1"}); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("a call to nobody: %v", err)
	}
	broken := errors.New("broken")
	stop, err := store.Answer(t.Context(), "e1", func(_ context.Context, c hub.Call) (hub.Reply, error) {
		if c.ID == "bad" {
			return nil, broken
		}
		return hub.Reply(fmt.Sprintf(`[%q,%q,%s]`, c.ID, c.Key, c.Body)), nil
	})
	if err != nil {
		t.Fatalf("answer: %v", err)
	}
	got, err := store.Call(t.Context(), "e1", hub.Call{ID: "1", Key: "k", Body: json.RawMessage(`{}`)})
	if err != nil || string(got) != `["1","k",{}]` {
		t.Fatalf("call: %s, %v", got, err)
	}
	if _, err := store.Call(t.Context(), "e1", hub.Call{ID: "bad"}); err == nil {
		t.Fatal("an error of the one who answers is lost")
	}
	if _, err := store.Call(t.Context(), "e2", hub.Call{ID: "1"}); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("a call about another encounter: %v", err)
	}
	stop()
	if _, err := store.Call(t.Context(), "e1", hub.Call{ID: "1"}); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("a call after the end: %v", err)
	}
}
