// Package hubtest is a test kit: what every implementation of hub.Store has to
// pass.
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

// Open opens the same store again and again: each call is a new start on the
// data that the one before left. The caller closes what it returns.
type Open func(t *testing.T) hub.Store

// TestStore runs the whole suite. fresh makes an Open for data of its own.
func TestStore(t *testing.T, fresh func(t *testing.T) Open) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Open)
	}{
		{"create and read", testCreate},
		{"create twice", testCreateTwice},
		{"unknown encounter", testUnknown},
		{"append in order", testAppend},
		{"an entry is whole or not at all", testWhole},
		{"a command once", testDuplicate},
		{"a command once after a restart", testDuplicateRestart},
		{"known commands", testKnown},
		{"secret", testSecret},
		{"head", testHead},
		{"epoch", testEpoch},
		{"fence grows", testFence},
		{"answers in order", testPrecedence},
		{"many encounters at once", testMany},
		{"one head, many writers", testRace},
		{"long log", testLong},
		{"the same entry again", testRepeated},
		{"an encounter that is not there", testGone},
		{"read from the middle", testReadAfter},
		{"snapshots", testSnapshots},
		{"frames in log order", testFrames},
		{"notices", testNotices},
		{"frames of refused entries", testNoFrames},
		{"calls", testCalls},
		{"codes", testCodes},
		{"codes expire", testCodesExpire},
		{"codes have a bound", testCodesBound},
		{"codes at once", testCodesRace},
		{"closed", testClosed},
		{"context", testContext},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, fresh(t)) })
	}
}

// start opens a store that the end of the test closes.
func start(t *testing.T, open Open) hub.Store {
	t.Helper()
	store := open(t)
	t.Cleanup(func() { closeStore(t, store) })
	return store
}

func closeStore(t *testing.T, store hub.Store) {
	t.Helper()
	if err := store.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func testCreate(t *testing.T, open Open) {
	store := start(t, open)
	Begin(t, store, "e1")
	WantIDs(t, store, "e1", "e1-create")
	if err := store.Ready(t.Context()); err != nil {
		t.Fatalf("ready: %v", err)
	}
}

func testCreateTwice(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	l.Append("a")
	if err := store.Create(t.Context(), "e1", (&History{t: t}).record("b")); err == nil {
		t.Fatal("the encounter was created a second time")
	}
	WantIDs(t, store, "e1", "e1-create", "a")
}

func testUnknown(t *testing.T, open Open) {
	store := start(t, open)
	if _, err := store.Acquire(t.Context(), "nothing"); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("acquire: %v", err)
	}
	records := 0
	var last error
	for _, err := range store.Read(t.Context(), "nothing", 0) {
		records++
		last = err
	}
	if records != 1 || !errors.Is(last, hub.ErrNotFound) {
		t.Fatalf("read yields %d times, at last %v", records, last)
	}
}

func testAppend(t *testing.T, open Open) {
	store := open(t)
	l := Begin(t, store, "e1")
	l.Append("a")
	l.Append("b", "c")
	WantIDs(t, store, "e1", "e1-create", "a", "b", "c")
	closeStore(t, store)
	again := start(t, open)
	WantIDs(t, again, "e1", "e1-create", "a", "b", "c")
	for range again.Read(t.Context(), "e1", 0) {
		break // stopping early is allowed
	}
}

func testWhole(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	l.Append("a")
	got := l.Expect(l.Entry("b", "a", "c"), hub.DUP)
	if got.Index != 1 || got.Seq != 2 || got.Ack != 2 {
		t.Fatalf("the answer is %+v", got)
	}
	gap := l.Entry("b", "c")
	gap.Records[1].Commit.Seq++
	l.Expect(gap, hub.SEQ)
	WantIDs(t, store, "e1", "e1-create", "a")
	l.Append("b", "c")
}

func testDuplicate(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	l.Append("a")
	l.Append("b")
	if got := l.Expect(l.Entry("a"), hub.DUP); got.Seq != 2 || got.Ack != 2 {
		t.Fatalf("the answer is %+v", got)
	}
	if got := l.Expect(l.Entry("e1-create"), hub.DUP); got.Seq != 1 {
		t.Fatalf("the answer is %+v", got)
	}
	// Ids belong to an encounter.
	Begin(t, store, "e2").Append("a")
	WantIDs(t, store, "e1", "e1-create", "a", "b")
}

func testDuplicateRestart(t *testing.T, open Open) {
	store := open(t)
	l := Begin(t, store, "e1")
	l.Append("a")
	closeStore(t, store)
	l.store = start(t, open)
	l.Acquire()
	if got := l.Expect(l.Entry("a"), hub.DUP); got.Seq != 2 || got.Ack != 2 {
		t.Fatalf("the answer is %+v", got)
	}
	l.Append("b")
}

func testKnown(t *testing.T, open Open) {
	store := open(t)
	l := Begin(t, store, "e1")
	first := l.Entry("a")
	first.Records[0].Key = "hash"
	l.Expect(first, hub.OK)
	closeStore(t, store)
	again := start(t, open)
	got, err := again.Known(t.Context(), "e1", "a")
	if err != nil || got.Commit.Seq != 2 || got.Commit.Hash != first.Records[0].Commit.Hash || got.Ack != 2 || got.Key != "hash" {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, unknown := range [][2]string{{"e1", "b"}, {"e2", "a"}} {
		if _, err := again.Known(t.Context(), combat.ID(unknown[0]), unknown[1]); !errors.Is(err, hub.ErrNotFound) {
			t.Fatalf("%v: %v", unknown, err)
		}
	}
}

func testSecret(t *testing.T, open Open) {
	store := open(t)
	l := Begin(t, store, "e1")
	secret := l.Grant.Secret
	closeStore(t, store)
	l.store = start(t, open)
	if l.Acquire(); l.Grant.Secret != secret || secret == [32]byte{} {
		t.Fatalf("the secret was %x and is %x", secret, l.Grant.Secret)
	}
}

func testHead(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	behind := l.Entry("b")
	l.Append("a")
	if got := l.Expect(behind, hub.SEQ); got.Seq != 2 {
		t.Fatalf("the log is said to end with %d", got.Seq)
	}
	ahead := *l
	ahead.head++
	l.Expect(ahead.Entry("b"), hub.SEQ)
	WantIDs(t, store, "e1", "e1-create", "a")
}

func testEpoch(t *testing.T, open Open) {
	store := open(t)
	l := Begin(t, store, "e1")
	other := Begin(t, store, "e2")
	if l.Grant.Epoch == "" || l.Grant.Epoch == other.Grant.Epoch {
		t.Fatalf("epochs %q and %q", l.Grant.Epoch, other.Grant.Epoch)
	}
	wrong := l.Entry("a")
	wrong.Epoch = other.Grant.Epoch
	l.Expect(wrong, hub.EPOCH)
	before := l.Grant.Epoch
	closeStore(t, store)
	l.store = start(t, open)
	if l.Acquire(); l.Grant.Epoch != before {
		t.Fatalf("the epoch was %q and is %q", before, l.Grant.Epoch)
	}
}

func testFence(t *testing.T, open Open) {
	store := open(t)
	l := Begin(t, store, "e1")
	late := l.Entry("late")
	closeStore(t, store)
	l.store = start(t, open)
	before := l.Grant.Fence
	if l.Acquire(); l.Grant.Fence <= before || l.Grant.Head != 1 || !l.Grant.Good() {
		t.Fatalf("%+v after fence %d", l.Grant, before)
	}
	l.Expect(late, hub.FENCED)
	l.Append("a")
	WantIDs(t, l.store, "e1", "e1-create", "a")
}

func testPrecedence(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	l.Append("a")
	e := l.Entry("a")
	e.Head, e.Fence, e.Epoch = 99, e.Fence+1, "another"
	l.Expect(e, hub.EPOCH)
	e.Epoch = l.Grant.Epoch
	l.Expect(e, hub.FENCED)
	e.Fence = l.Grant.Fence
	l.Expect(e, hub.DUP)
	e.Records[0].Commit.ID = "b"
	l.Expect(e, hub.SEQ)
}

func testMany(t *testing.T, open Open) {
	store := open(t)
	const encounters, each = 20, 25
	var wg sync.WaitGroup
	for i := range encounters {
		wg.Go(func() {
			l := Begin(t, store, combat.ID(fmt.Sprintf("e%d", i)))
			for n := range each {
				l.Append(fmt.Sprint(n))
			}
		})
	}
	wg.Wait()
	closeStore(t, store)
	again := start(t, open)
	for i := range encounters {
		if got := ids(t, again, combat.ID(fmt.Sprintf("e%d", i))); len(got) != each+1 {
			t.Fatalf("encounter %d has %d commits", i, len(got))
		}
	}
}

func testRace(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	const writers = 16
	var won sync.Map
	var wg sync.WaitGroup
	for i := range writers {
		e := l.Entry(fmt.Sprint(i))
		wg.Go(func() {
			got, err := store.Append(t.Context(), e)
			if err != nil || got.Answer != hub.OK && got.Answer != hub.SEQ {
				t.Errorf("append: %v, %v", got.Answer, err)
			}
			if got.Answer == hub.OK {
				won.Store(fmt.Sprint(i), true)
			}
		})
	}
	wg.Wait()
	got := ids(t, store, "e1")
	if len(got) != 2 {
		t.Fatalf("log holds %v", got)
	}
	won.Range(func(id, _ any) bool {
		if id != got[1] {
			t.Errorf("writer %v was told OK", id)
		}
		return true
	})
}

func testLong(t *testing.T, open Open) {
	store := start(t, open)
	l := Begin(t, store, "e1")
	want := []string{"e1-create"}
	for len(want) < 1500 {
		var group []string
		for range 50 {
			group = append(group, fmt.Sprint(len(want)+len(group)))
		}
		l.Append(group...)
		want = append(want, group...)
	}
	WantIDs(t, store, "e1", want...)
}

func testGone(t *testing.T, open Open) {
	store := start(t, open)
	e := Begin(t, store, "e1").Entry("a")
	e.Encounter = "e2"
	got, err := store.Append(t.Context(), e)
	if err != nil || got.Answer != hub.EPOCH {
		t.Fatalf("append: %v, %v", got.Answer, err)
	}
}

func testReadAfter(t *testing.T, open Open) {
	store := start(t, open)
	Begin(t, store, "e1").Append("a", "b", "c")
	for after, want := range []string{"[1 2 3 4]", "[2 3 4]", "[3 4]", "[4]", "[]", "[]"} {
		got := []uint64{}
		for record, err := range store.Read(t.Context(), "e1", uint64(after)) {
			if err != nil {
				t.Fatalf("read after %d: %v", after, err)
			}
			got = append(got, record.Commit.Seq)
		}
		if fmt.Sprint(got) != want {
			t.Fatalf("after %d come %v, want %s", after, got, want)
		}
	}
}

func testSnapshots(t *testing.T, open Open) {
	store := open(t)
	l := Begin(t, store, "e1")
	l.Append("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
	none := func(until uint64) {
		t.Helper()
		if got, err := l.store.Kept(t.Context(), "e1", until); !errors.Is(err, hub.ErrNotFound) {
			t.Fatalf("kept until %d: %+v, %v", until, got, err)
		}
	}
	want := func(until, seq uint64) {
		t.Helper()
		got, err := l.store.Kept(t.Context(), "e1", until)
		if err != nil || got.Seq != seq || string(got.Data) != fmt.Sprintf("\x00 as of %d", seq) {
			t.Fatalf("kept until %d: %+v, %v", until, got, err)
		}
	}
	keep := func(seq uint64) {
		t.Helper()
		if err := l.store.Keep(t.Context(), "e1", l.Grant, hub.Snapshot{Seq: seq, Data: fmt.Appendf(nil, "\x00 as of %d", seq)}); err != nil {
			t.Fatalf("keep: %v", err)
		}
	}
	none(12)
	for _, seq := range []uint64{2, 9, 11} { // not in the order of their letters
		keep(seq)
	}
	want(12, 11)
	want(11, 11)
	want(10, 9)
	none(8)
	before := l.Grant
	closeStore(t, store)
	l.store = start(t, open)
	l.Acquire()
	want(100, 11)
	now := l.Grant
	l.Grant = before
	keep(12) // by one who is not the owner any more
	want(100, 11)
	l.Grant = now
	keep(12)
	want(100, 12)
	none(10)
}

func testClosed(t *testing.T, open Open) {
	store := open(t)
	l := Begin(t, store, "e1")
	e := l.Entry("a")
	closeStore(t, store)
	if got, err := store.Append(t.Context(), e); err == nil {
		t.Fatalf("a closed store answers %v", got.Answer)
	}
	if store.Ready(t.Context()) == nil {
		t.Fatal("a closed store is ready")
	}
}

func testContext(t *testing.T, open Open) {
	store := start(t, open)
	Begin(t, store, "e1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range store.Read(ctx, "e1", 0) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Fatalf("a read that was given up ends with %v", last)
	}
}
