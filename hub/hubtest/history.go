package hubtest

import (
	"errors"
	"fmt"
	"testing"

	"riposte/combat"
	"riposte/hub"
)

// History is the log of an encounter that is being made through one store.
type History struct {
	t         *testing.T
	store     hub.Store
	encounter combat.ID
	Grant     hub.Grant
	head      uint64
	hash      string
}

// Begin creates an encounter and acquires it.
func Begin(t *testing.T, store hub.Store, encounter combat.ID) *History {
	t.Helper()
	l := &History{t: t, store: store, encounter: encounter}
	first := l.record(fmt.Sprintf("%s-create", encounter))
	if err := store.Create(t.Context(), encounter, first); err != nil {
		t.Fatalf("create: %v", err)
	}
	l.head, l.hash = 1, first.Commit.Hash
	l.Acquire()
	return l
}

// Acquire makes its store the owner, which must succeed.
func (l *History) Acquire() {
	l.t.Helper()
	grant, err := l.store.Acquire(l.t.Context(), l.encounter)
	if err != nil {
		l.t.Fatalf("acquire: %v", err)
	}
	if grant.Head != l.head || grant.Hash != l.hash {
		l.t.Fatalf("the lease names commit %d %s as the last one, which is %d %s", grant.Head, grant.Hash, l.head, l.hash)
	}
	l.Grant = grant
}

// record makes the next record.
func (l *History) record(id string) hub.Record { return l.recordAt(l.head+1, id) }

func (l *History) recordAt(seq uint64, id string) hub.Record {
	c := &combat.Commit{Seq: seq, Fence: l.Grant.Fence, ID: id, Type: "note", Role: combat.RoleGM, At: int64(seq),
		Events: []combat.Event{combat.Noted{Text: id}}}
	if err := c.Seal(l.hash); err != nil {
		l.t.Fatalf("seal: %v", err)
	}
	return hub.Record{Commit: c, Seqs: map[string]uint64{"gm": seq}, Ack: seq}
}

// Entry makes an entry of one record for each id.
func (l *History) Entry(ids ...string) *hub.Entry {
	e := &hub.Entry{Encounter: l.encounter, Epoch: l.Grant.Epoch, Fence: l.Grant.Fence, Head: l.head}
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

// Append appends an entry that must be accepted.
func (l *History) Append(ids ...string) {
	l.t.Helper()
	e := l.Entry(ids...)
	l.Expect(e, hub.OK)
	for _, r := range e.Records {
		if r.Bytes == 0 {
			l.t.Fatalf("record %d takes no room", r.Commit.Seq)
		}
	}
	l.head += uint64(len(ids))
	l.hash = e.Records[len(ids)-1].Commit.Hash
}

// Expect appends an entry that must be answered so.
func (l *History) Expect(e *hub.Entry, want hub.Answer) hub.Appended {
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

// WantIDs reads a log back, checks its chain and compares the ids of its
// commands.
func WantIDs(t *testing.T, store hub.Store, encounter combat.ID, want ...string) {
	t.Helper()
	if got := ids(t, store, encounter); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("log holds %v, want %v", got, want)
	}
}

// On is the same history seen through another store, as it is there now.
func (l *History) On(store hub.Store) *History {
	l.t.Helper()
	other := &History{t: l.t, store: store, encounter: l.encounter}
	for record, err := range store.Read(l.t.Context(), l.encounter, 0) {
		if err != nil {
			l.t.Fatalf("read: %v", err)
		}
		if err := record.Commit.Follows(other.head, other.hash); err != nil {
			l.t.Fatalf("read: %v", err)
		}
		other.head, other.hash = record.Commit.Seq, record.Commit.Hash
	}
	return other
}

// Held reports whether somebody else owns an encounter; if not, l does now.
func (l *History) Held() bool {
	l.t.Helper()
	grant, err := l.store.Acquire(l.t.Context(), l.encounter)
	if err != nil && !errors.Is(err, hub.ErrHeld) {
		l.t.Fatalf("acquire: %v", err)
	}
	l.Grant = grant
	return err != nil
}
