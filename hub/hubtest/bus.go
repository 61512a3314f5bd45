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

// listen collects the frames of one audience.
func listen(t *testing.T, store hub.Store, encounter combat.ID, audience string) (<-chan string, func()) {
	t.Helper()
	heard := make(chan string, 64)
	cancel, err := store.Subscribe(t.Context(), encounter, audience, func(f hub.Frame) {
		heard <- fmt.Sprintf("%s %d %s", f.Audience, f.Seq, f.Data)
	})
	if err != nil {
		t.Fatalf("subscribe: %v", err)
	}
	return heard, cancel
}

// wantFrames waits for frames, and for no others.
func wantFrames(t *testing.T, heard <-chan string, want ...string) {
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
	l, other := begin(t, store, "e1"), begin(t, store, "e2")
	l.append("before")
	gm, stop := listen(t, store, "e1", "gm")
	spectator, stopToo := listen(t, store, "e1", "spectator")
	defer stopToo()
	l.append("a", "b")
	other.append("elsewhere")
	shown := l.entry("c")
	shown.Frames = append(shown.Frames, hub.Frame{Audience: "spectator", Seq: 7, Data: []byte("seen")})
	l.expect(shown, hub.OK)
	l.head, l.hash = l.head+1, shown.Records[0].Commit.Hash
	wantFrames(t, gm, "gm 3 a", "gm 4 b", "gm 5 c")
	wantFrames(t, spectator, "spectator 7 seen")
	stop()
	l.append("after")
	if len(gm) != 0 {
		t.Fatalf("after cancel: %q", <-gm)
	}
}

func testNoFrames(t *testing.T, open Open) {
	store := start(t, open)
	l := begin(t, store, "e1")
	l.append("a")
	gm, stop := listen(t, store, "e1", "gm")
	defer stop()
	l.expect(l.entry("b", "a"), hub.DUP)
	wrong := l.entry("b")
	wrong.Fence++
	l.expect(wrong, hub.FENCED)
	// What was refused would have come first.
	l.append("c")
	wantFrames(t, gm, "gm 3 c")
}

func testCalls(t *testing.T, open Open) {
	store := start(t, open)
	if _, err := store.Call(t.Context(), "e1", hub.Call{ID: "1"}); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("a call to nobody: %v", err)
	}
	broken := errors.New("broken")
	stop, err := store.Answer("e1", func(_ context.Context, c hub.Call) (hub.Reply, error) {
		if c.ID == "bad" {
			return nil, broken
		}
		return hub.Reply(fmt.Sprintf(`[%q,%q,%s]`, c.ID, c.Key, c.Command)), nil
	})
	if err != nil {
		t.Fatalf("answer: %v", err)
	}
	got, err := store.Call(t.Context(), "e1", hub.Call{ID: "1", Key: "k", Command: json.RawMessage(`{}`)})
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
