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

// log is a history under construction.
type log struct {
	t         *testing.T
	store     hub.Store
	encounter combat.ID
	grant     hub.Grant
	head      uint64
	hash      string
}

// begin creates an encounter and acquires it.
func begin(t *testing.T, store hub.Store, encounter combat.ID) *log {
	t.Helper()
	l := &log{t: t, store: store, encounter: encounter}
	first := l.record(fmt.Sprintf("%s-create", encounter))
	if err := store.Create(t.Context(), encounter, first); err != nil {
		t.Fatalf("create: %v", err)
	}
	l.head, l.hash = 1, first.Commit.Hash
	l.acquire()
	return l
}

func (l *log) acquire() {
	l.t.Helper()
	grant, err := l.store.Acquire(l.t.Context(), l.encounter)
	if err != nil {
		l.t.Fatalf("acquire: %v", err)
	}
	l.grant = grant
}

// record makes the next record.
func (l *log) record(id string) hub.Record { return l.recordAt(l.head+1, id) }

func (l *log) recordAt(seq uint64, id string) hub.Record {
	c := &combat.Commit{Seq: seq, Fence: l.grant.Fence, ID: id, Type: "note", Role: combat.RoleGM, At: int64(seq),
		Events: []combat.Event{combat.Noted{Text: id}}}
	if err := c.Seal(l.hash); err != nil {
		l.t.Fatalf("seal: %v", err)
	}
	return hub.Record{Commit: c, Seqs: map[string]uint64{"gm": seq}, Ack: seq}
}

// entry makes an entry of one record for each id.
func (l *log) entry(ids ...string) *hub.Entry {
	e := &hub.Entry{Encounter: l.encounter, Epoch: l.grant.Epoch, Fence: l.grant.Fence, Head: l.head}
	hash := l.hash
	for i, id := range ids {
		r := l.recordAt(l.head+uint64(i)+1, id)
		if err := r.Commit.Seal(hash); err != nil {
			l.t.Fatalf("seal: %v", err)
		}
		hash = r.Commit.Hash
		e.Records = append(e.Records, r)
		e.Frames = append(e.Frames, hub.Frame{Audience: "gm", Seq: r.Commit.Seq, Data: []byte(id)})
	}
	return e
}

// append appends an entry that must be accepted.
func (l *log) append(ids ...string) {
	l.t.Helper()
	e := l.entry(ids...)
	l.expect(e, hub.OK)
	for _, r := range e.Records {
		if r.Bytes == 0 {
			l.t.Fatalf("record %d takes no room", r.Commit.Seq)
		}
	}
	l.head += uint64(len(ids))
	l.hash = e.Records[len(ids)-1].Commit.Hash
}

func (l *log) expect(e *hub.Entry, want hub.Answer) hub.Appended {
	l.t.Helper()
	got, err := l.store.Append(l.t.Context(), e)
	if err != nil {
		l.t.Fatalf("append: %v", err)
	}
	if got.Answer != want {
		l.t.Fatalf("append answers %v, want %v", got.Answer, want)
	}
	return got
}

// ids reads the log back, checks its chain, and returns the ids of commands.
func ids(t *testing.T, store hub.Store, encounter combat.ID) []string {
	t.Helper()
	var all []string
	hash := ""
	for record, err := range store.Read(t.Context(), encounter, 0) {
		if err != nil {
			t.Fatalf("read: %v", err)
		}
		if err := record.Commit.Follows(uint64(len(all)), hash); err != nil {
			t.Fatalf("read: %v", err)
		}
		if record.Bytes == 0 {
			t.Fatalf("record %d takes no room", record.Commit.Seq)
		}
		if seq := record.Commit.Seq; record.Ack != seq || record.Seqs["gm"] != seq {
			t.Fatalf("record %d has ack %d and counters %v", seq, record.Ack, record.Seqs)
		}
		hash = record.Commit.Hash
		all = append(all, record.Commit.ID)
	}
	return all
}

func wantIDs(t *testing.T, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("log holds %v, want %v", got, want)
	}
}

func testCreate(t *testing.T, open Open) {
	store := start(t, open)
	begin(t, store, "e1")
	wantIDs(t, ids(t, store, "e1"), "e1-create")
	if err := store.Ready(t.Context()); err != nil {
		t.Fatalf("ready: %v", err)
	}
}

func testCreateTwice(t *testing.T, open Open) {
	store := start(t, open)
	l := begin(t, store, "e1")
	l.append("a")
	if err := store.Create(t.Context(), "e1", (&log{t: t}).record("b")); err == nil {
		t.Fatal("the encounter was created a second time")
	}
	wantIDs(t, ids(t, store, "e1"), "e1-create", "a")
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
	l := begin(t, store, "e1")
	l.append("a")
	l.append("b", "c")
	wantIDs(t, ids(t, store, "e1"), "e1-create", "a", "b", "c")
	closeStore(t, store)
	again := start(t, open)
	wantIDs(t, ids(t, again, "e1"), "e1-create", "a", "b", "c")
	for range again.Read(t.Context(), "e1", 0) {
		break // stopping early is allowed
	}
}

func testWhole(t *testing.T, open Open) {
	store := start(t, open)
	l := begin(t, store, "e1")
	l.append("a")
	got := l.expect(l.entry("b", "a", "c"), hub.DUP)
	if got.Index != 1 || got.Seq != 2 || got.Ack != 2 {
		t.Fatalf("the answer is %+v", got)
	}
	gap := l.entry("b", "c")
	gap.Records[1].Commit.Seq++
	l.expect(gap, hub.SEQ)
	wantIDs(t, ids(t, store, "e1"), "e1-create", "a")
	l.append("b", "c")
}

func testDuplicate(t *testing.T, open Open) {
	store := start(t, open)
	l := begin(t, store, "e1")
	l.append("a")
	l.append("b")
	if got := l.expect(l.entry("a"), hub.DUP); got.Seq != 2 || got.Ack != 2 {
		t.Fatalf("the answer is %+v", got)
	}
	if got := l.expect(l.entry("e1-create"), hub.DUP); got.Seq != 1 {
		t.Fatalf("the answer is %+v", got)
	}
	// Ids belong to an encounter.
	begin(t, store, "e2").append("a")
	wantIDs(t, ids(t, store, "e1"), "e1-create", "a", "b")
}

func testDuplicateRestart(t *testing.T, open Open) {
	store := open(t)
	l := begin(t, store, "e1")
	l.append("a")
	closeStore(t, store)
	l.store = start(t, open)
	l.acquire()
	if got := l.expect(l.entry("a"), hub.DUP); got.Seq != 2 || got.Ack != 2 {
		t.Fatalf("the answer is %+v", got)
	}
	l.append("b")
}

func testKnown(t *testing.T, open Open) {
	store := open(t)
	l := begin(t, store, "e1")
	first := l.entry("a")
	first.Records[0].Key = "hash"
	l.expect(first, hub.OK)
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
	l := begin(t, store, "e1")
	secret := l.grant.Secret
	closeStore(t, store)
	l.store = start(t, open)
	if l.acquire(); l.grant.Secret != secret || secret == [32]byte{} {
		t.Fatalf("the secret was %x and is %x", secret, l.grant.Secret)
	}
}

func testHead(t *testing.T, open Open) {
	store := start(t, open)
	l := begin(t, store, "e1")
	behind := l.entry("b")
	l.append("a")
	if got := l.expect(behind, hub.SEQ); got.Seq != 2 {
		t.Fatalf("the log is said to end with %d", got.Seq)
	}
	ahead := *l
	ahead.head++
	l.expect(ahead.entry("b"), hub.SEQ)
	wantIDs(t, ids(t, store, "e1"), "e1-create", "a")
}

func testEpoch(t *testing.T, open Open) {
	store := open(t)
	l := begin(t, store, "e1")
	other := begin(t, store, "e2")
	if l.grant.Epoch == "" || l.grant.Epoch == other.grant.Epoch {
		t.Fatalf("epochs %q and %q", l.grant.Epoch, other.grant.Epoch)
	}
	wrong := l.entry("a")
	wrong.Epoch = other.grant.Epoch
	l.expect(wrong, hub.EPOCH)
	before := l.grant.Epoch
	closeStore(t, store)
	l.store = start(t, open)
	if l.acquire(); l.grant.Epoch != before {
		t.Fatalf("the epoch was %q and is %q", before, l.grant.Epoch)
	}
}

func testFence(t *testing.T, open Open) {
	store := open(t)
	l := begin(t, store, "e1")
	late := l.entry("late")
	closeStore(t, store)
	l.store = start(t, open)
	before := l.grant.Fence
	if l.acquire(); l.grant.Fence <= before || l.grant.Head != 1 || !l.grant.Good() {
		t.Fatalf("%+v after fence %d", l.grant, before)
	}
	l.expect(late, hub.FENCED)
	l.append("a")
	wantIDs(t, ids(t, l.store, "e1"), "e1-create", "a")
}

func testPrecedence(t *testing.T, open Open) {
	store := start(t, open)
	l := begin(t, store, "e1")
	l.append("a")
	e := l.entry("a")
	e.Head, e.Fence, e.Epoch = 99, e.Fence+1, "another"
	l.expect(e, hub.EPOCH)
	e.Epoch = l.grant.Epoch
	l.expect(e, hub.FENCED)
	e.Fence = l.grant.Fence
	l.expect(e, hub.DUP)
	e.Records[0].Commit.ID = "b"
	l.expect(e, hub.SEQ)
}

func testMany(t *testing.T, open Open) {
	store := open(t)
	const encounters, each = 20, 25
	var wg sync.WaitGroup
	for i := range encounters {
		wg.Go(func() {
			l := begin(t, store, combat.ID(fmt.Sprintf("e%d", i)))
			for n := range each {
				l.append(fmt.Sprint(n))
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
	l := begin(t, store, "e1")
	const writers = 16
	var won sync.Map
	var wg sync.WaitGroup
	for i := range writers {
		e := l.entry(fmt.Sprint(i))
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
	l := begin(t, store, "e1")
	want := []string{"e1-create"}
	for len(want) < 1500 {
		var group []string
		for range 50 {
			group = append(group, fmt.Sprint(len(want)+len(group)))
		}
		l.append(group...)
		want = append(want, group...)
	}
	wantIDs(t, ids(t, store, "e1"), want...)
}

func testGone(t *testing.T, open Open) {
	store := start(t, open)
	e := begin(t, store, "e1").entry("a")
	e.Encounter = "e2"
	got, err := store.Append(t.Context(), e)
	if err != nil || got.Answer != hub.EPOCH {
		t.Fatalf("append: %v, %v", got.Answer, err)
	}
}

func testReadAfter(t *testing.T, open Open) {
	store := start(t, open)
	begin(t, store, "e1").append("a", "b", "c")
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
	l := begin(t, store, "e1")
	l.append("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
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
		if err := l.store.Keep(t.Context(), "e1", l.grant, hub.Snapshot{Seq: seq, Data: fmt.Appendf(nil, "\x00 as of %d", seq)}); err != nil {
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
	before := l.grant
	closeStore(t, store)
	l.store = start(t, open)
	l.acquire()
	want(100, 11)
	now := l.grant
	l.grant = before
	keep(12) // by one who is not the owner any more
	want(100, 11)
	l.grant = now
	keep(12)
	want(100, 12)
	none(10)
}

func testClosed(t *testing.T, open Open) {
	store := open(t)
	l := begin(t, store, "e1")
	e := l.entry("a")
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
	begin(t, store, "e1")
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
