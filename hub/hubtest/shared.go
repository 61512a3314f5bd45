package hubtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"riposte/combat"
	"riposte/hub"
)

// Shared opens stores that several instances have on the same data at the same
// time.
type Shared struct {
	// Open opens one more. The caller closes it.
	Open Open
	// OpenBehind opens one more, which can be cut off. Its lease is short.
	OpenBehind func(t *testing.T) (hub.Store, Way)
	// Copy takes a copy of the data, and returns what puts it back in the place
	// of what is there then.
	Copy func(t *testing.T) (putBack func())
}

// Way is what a store reaches its data over, as Proxy does it.
type Way interface {
	Cut()  // nothing goes through any more, and nobody is told
	Heal() // everything does again, also what has waited
	Drop() // all connections there are end
}

// TestShared runs the suite for stores of several instances. fresh makes data
// of its own.
func TestShared(t *testing.T, fresh func(t *testing.T) Shared) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Shared)
	}{
		{"one owner", testHeld},
		{"handed over", testHandedOver},
		{"taken over when the lease runs out", testTakenOver},
		{"a command once under all owners", testOnceForAll},
		{"frames for other instances", testFramesElsewhere},
		{"frames that were missed", testMissed},
		{"calls from other instances", testCallsElsewhere},
		{"calls to one who is cut off", testCallsCut},
		{"many owners in turn", testTurns},
		{"codes of other instances", testCodesElsewhere},
		{"a log that is cut short", testCutShort},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, fresh(t)) })
	}
}

func testHeld(t *testing.T, s Shared) {
	one, two := start(t, s.Open), start(t, s.Open)
	l := Begin(t, one, "e1")
	other := l.On(two)
	if !other.Held() {
		t.Fatal("two own it")
	}
	l.Append("a")
	if err := two.Release(t.Context(), "e1", l.Grant); err != nil {
		t.Fatalf("release: %v", err)
	}
	if !other.Held() || !l.Grant.Good() {
		t.Fatal("one who is not the owner gave it up")
	}
	before := l.Grant.Fence
	l.Acquire() // its own again
	if l.Grant.Fence <= before {
		t.Fatalf("fence %d after %d", l.Grant.Fence, before)
	}
	l.Append("b")
}

func testHandedOver(t *testing.T, s Shared) {
	one, two := start(t, s.Open), start(t, s.Open)
	l := Begin(t, one, "e1")
	news, stop := Listen(t, two, "e1", hub.Ownership)
	defer stop()
	l.Append("a")
	if err := one.Release(t.Context(), "e1", l.Grant); err != nil {
		t.Fatalf("release: %v", err)
	}
	WantFrames(t, news, "owner 0 gone")
	if l.Grant.Good() {
		t.Fatal("who gave it up has it still")
	}
	other := l.On(two)
	if other.Held() {
		t.Fatal("it is held after it was given up")
	}
	WantFrames(t, news, "owner 0 new")
	if other.Grant.Fence <= l.Grant.Fence || other.Grant.Epoch != l.Grant.Epoch || other.Grant.Secret != l.Grant.Secret || other.Grant.Head != 2 {
		t.Fatalf("the next owner has %+v, the one before had %+v", other.Grant, l.Grant)
	}
	other.Append("b")
	l.Expect(l.Entry("late"), hub.FENCED)
	WantIDs(t, one, "e1", "e1-create", "a", "b")
}

func testTakenOver(t *testing.T, s Shared) {
	one, proxy := s.OpenBehind(t)
	defer closeStore(t, one)
	two := start(t, s.Open)
	l := Begin(t, one, "e1")
	l.Append("a")
	other := l.On(two)
	gm, stop := Listen(t, two, "e1", "gm")
	defer stop()
	proxy.Cut()
	Eventually(t, "another instance can have it", func() bool { return !other.Held() })
	if l.Grant.Good() {
		t.Fatal("the old owner still believes that it is one")
	}
	<-l.Grant.Lost
	other.Append("b")
	late := l.Entry("late")
	proxy.Heal()
	Eventually(t, "the old owner is told", func() bool {
		got, err := one.Append(t.Context(), late)
		return err == nil && got.Answer == hub.FENCED
	})
	other.Append("c")
	WantFrames(t, gm, "gm 3 b", "gm 4 c")
	WantIDs(t, one, "e1", "e1-create", "a", "b", "c")
	if err := one.Release(t.Context(), "e1", l.Grant); err != nil || !other.Grant.Good() {
		t.Fatalf("the old owner gives it up: %v", err)
	}
	other.Append("d")
}

// An owner whose log is put back to an older state hears of it before it wants to
// add to it. One whose log is as it was does not.
func testCutShort(t *testing.T, s Shared) {
	one, _ := s.OpenBehind(t)
	defer closeStore(t, one)
	l := Begin(t, one, "e1")
	l.Append("a")
	untouched := Begin(t, one, "e2")
	putBack := s.Copy(t)
	l.Append("b", "c")
	putBack()
	<-l.Grant.Lost
	if l.Grant.Good() || !l.Grant.Cut() {
		t.Fatalf("cut short: %v, and good still: %v", l.Grant.Cut(), l.Grant.Good())
	}
	if !untouched.Grant.Good() || untouched.Grant.Cut() {
		t.Error("a log that is whole is said to be cut short")
	}
	WantIDs(t, one, "e1", "e1-create", "a")
}

func testOnceForAll(t *testing.T, s Shared) {
	one, two := start(t, s.Open), start(t, s.Open)
	l := Begin(t, one, "e1")
	l.Append("a", "b")
	if err := one.Release(t.Context(), "e1", l.Grant); err != nil {
		t.Fatalf("release: %v", err)
	}
	other := l.On(two)
	other.Acquire()
	if got := other.Expect(other.Entry("c", "b"), hub.DUP); got.Index != 1 || got.Seq != 3 || got.Ack != 3 {
		t.Fatalf("the answer is %+v", got)
	}
	if got, err := two.Known(t.Context(), "e1", "a"); err != nil || got.Commit.Seq != 2 {
		t.Fatalf("known: %+v, %v", got, err)
	}
	WantIDs(t, two, "e1", "e1-create", "a", "b")
}

func testFramesElsewhere(t *testing.T, s Shared) {
	one, two := start(t, s.Open), start(t, s.Open)
	l := Begin(t, one, "e1")
	gm, stop := Listen(t, two, "e1", "gm")
	defer stop()
	again, stopAgain := Listen(t, two, "e1", "gm")
	defer stopAgain()
	spectator, stopToo := Listen(t, two, "e1", "spectator")
	defer stopToo()
	l.Append("a", "b")
	if err := one.Tell(t.Context(), "e1", l.Grant.Epoch, []hub.Frame{{Audience: "spectator", Data: []byte("hello")}}); err != nil {
		t.Fatalf("tell: %v", err)
	}
	l.Append("c")
	WantFrames(t, gm, "gm 2 a", "gm 3 b", "gm 4 c")
	WantFrames(t, again, "gm 2 a", "gm 3 b", "gm 4 c")
	WantFrames(t, spectator, "spectator 0 hello")
	stop()
	l.Append("d")
	WantFrames(t, again, "gm 5 d")
	if len(gm) != 0 {
		t.Fatalf("after cancel: %q", <-gm)
	}
}

// A subscription that was broken is there again by itself, and says that there
// may be a hole.
func testMissed(t *testing.T, s Shared) {
	one := start(t, s.Open)
	two, proxy := s.OpenBehind(t)
	defer closeStore(t, two)
	l := Begin(t, one, "e1")
	gm, stop := Listen(t, two, "e1", "gm")
	defer stop()
	l.Append("a")
	WantFrames(t, gm, "gm 2 a")
	for range 3 {
		proxy.Cut()
		proxy.Drop()
		l.Append("lost" + fmt.Sprint(l.head))
		proxy.Heal()
		WantFrames(t, gm, Missed)
	}
	Eventually(t, "all is well", func() bool { return two.Ready(t.Context()) == nil })
	l.Append("b")
	WantFrames(t, gm, "gm 6 b")
	WantIDs(t, two, "e1", "e1-create", "a", "lost2", "lost3", "lost4", "b")
}

func testCallsElsewhere(t *testing.T, s Shared) {
	one, two := start(t, s.Open), start(t, s.Open)
	const callers = 20
	stop, err := one.Answer(t.Context(), "e1", func(_ context.Context, c hub.Call) (hub.Reply, error) {
		if c.ID == "bad" {
			return nil, errors.New("broken")
		}
		return hub.Reply(fmt.Sprintf(`{"kind":%q,"id":%q}`, c.Kind, c.ID)), nil
	})
	if err != nil {
		t.Fatalf("answer: %v", err)
	}
	var wg sync.WaitGroup
	for i := range callers {
		for _, store := range []hub.Store{one, two} {
			wg.Go(func() {
				got, err := store.Call(t.Context(), "e1", hub.Call{Kind: "test", ID: fmt.Sprint(i)})
				if want := fmt.Sprintf(`{"kind":"test","id":"%d"}`, i); err != nil || string(got) != want {
					t.Errorf("call %d: %s, %v", i, got, err)
				}
			})
		}
	}
	wg.Wait()
	if _, err := two.Call(t.Context(), "e1", hub.Call{ID: "bad"}); err == nil || err.Error() != "broken" {
		t.Fatalf("an error of the one who answers: %v", err)
	}
	stop()
	if _, err := two.Call(t.Context(), "e1", hub.Call{ID: "late"}); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("a call after the end: %v", err)
	}
}

// A call waits while the one who answers is cut off, and is answered then.
func testCallsCut(t *testing.T, s Shared) {
	one, proxy := s.OpenBehind(t)
	defer closeStore(t, one)
	two := start(t, s.Open)
	stop, err := one.Answer(t.Context(), "e1", func(context.Context, hub.Call) (hub.Reply, error) { return hub.Reply(`1`), nil })
	if err != nil {
		t.Fatalf("answer: %v", err)
	}
	defer stop()
	proxy.Cut()
	answered := make(chan error, 1)
	go func() {
		for {
			// Nobody answers while the old connection is found dead and a new
			// one is not there yet.
			if _, err := two.Call(t.Context(), "e1", hub.Call{ID: "1"}); !errors.Is(err, hub.ErrNotFound) {
				answered <- err
				return
			}
		}
	}()
	select {
	case err := <-answered:
		t.Fatalf("answered through a cut: %v", err)
	default:
	}
	proxy.Heal()
	if err := <-answered; err != nil {
		t.Fatalf("call: %v", err)
	}
}

// Instances that take an encounter from each other all the time leave one
// history, with all that was acknowledged in it, once.
func testTurns(t *testing.T, s Shared) {
	first := start(t, s.Open)
	l := Begin(t, first, "e1")
	if err := first.Release(t.Context(), "e1", l.Grant); err != nil {
		t.Fatalf("release: %v", err)
	}
	const instances, turns = 3, 15
	var mu sync.Mutex
	var acknowledged []string
	var wg sync.WaitGroup
	for i := range instances {
		store := start(t, s.Open)
		wg.Go(func() {
			for turn := 0; turn < turns; {
				mine := &History{t: t, store: store, encounter: "e1"}
				grant, err := store.Acquire(t.Context(), "e1")
				if errors.Is(err, hub.ErrHeld) {
					continue
				}
				if err != nil {
					t.Errorf("acquire: %v", err)
					return
				}
				mine.Grant = grant
				for record, err := range store.Read(t.Context(), "e1", 0) {
					if err != nil {
						t.Errorf("read: %v", err)
						return
					}
					mine.head, mine.hash = record.Commit.Seq, record.Commit.Hash
				}
				id := fmt.Sprintf("%d-%d", i, turn)
				got, err := store.Append(t.Context(), mine.Entry(id))
				if err != nil || got.Answer != hub.OK {
					t.Errorf("append: %v, %v", got.Answer, err)
					return
				}
				mu.Lock()
				acknowledged = append(acknowledged, id)
				mu.Unlock()
				turn++
				if err := store.Release(t.Context(), "e1", grant); err != nil {
					t.Errorf("release: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	WantIDs(t, first, "e1", append([]string{"e1-create"}, acknowledged...)...)
	fence := uint64(0)
	for record, err := range first.Read(t.Context(), combat.ID("e1"), 1) {
		if err != nil || record.Commit.Fence <= fence {
			t.Fatalf("fence %d after %d: %v", record.Commit.Fence, fence, err)
		}
		fence = record.Commit.Fence
	}
}
