package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// world is what all instances share: a Redis as package redis uses it. Its
// methods do to an encounter what the scripts there do to its keys, under one
// lock, which the caller holds.
type world struct {
	mu        sync.Mutex
	run       int // which server it is: a restored one is another
	salt      [32]byte
	length    time.Duration // of a lease
	tables    map[combat.ID]*table
	codes     map[string]hub.Code
	ears      map[channel][]*ear
	answerers map[combat.ID][]*answerer
	epochs    int
	witness   witness
}

// witness is told what becomes of the log, under the world's lock.
type witness interface {
	begun(encounter combat.ID, epoch string, log [][]byte) // a history has that name from now on
	added(encounter combat.ID, epoch string, fence uint64, records [][]byte)
	published(encounter combat.ID, frame hub.Frame)
	rival(encounter combat.ID, instance, owner string) // the first takes itself for the owner, which is the other
}

// table is what is kept of one encounter.
type table struct {
	epoch     string
	secret    [32]byte
	fence     uint64
	owner     string // last one
	run       int    // of the world when it was acquired last
	past      []hub.Past
	holder    string // of the lease
	until     time.Time
	log       [][]byte // records, as they were stored
	ids       map[string]known
	snapshots map[uint64][]byte
	places    map[string]time.Time // of its codes, and when they expire
}

// known is what is remembered of a command.
type known struct{ seq, ack uint64 }

type channel struct {
	encounter combat.ID
	audience  string
}

func newWorld(length time.Duration, random *rand.Rand) *world {
	w := &world{length: length, tables: map[combat.ID]*table{}, codes: map[string]hub.Code{},
		ears: map[channel][]*ear{}, answerers: map[combat.ID][]*answerer{}}
	for i := range w.salt {
		w.salt[i] = byte(1 + random.IntN(255))
	}
	return w
}

func (w *world) newEpoch() string {
	w.epochs++
	return fmt.Sprint("epoch", w.epochs)
}

func (w *world) create(encounter combat.ID, first *hub.Record, value []byte) bool {
	if t := w.tables[encounter]; t != nil {
		return bytes.Equal(t.log[0], value)
	}
	t := &table{epoch: w.newEpoch(), run: w.run, ids: map[string]known{}, snapshots: map[uint64][]byte{}, places: map[string]time.Time{}}
	copy(t.secret[:], fmt.Sprintf("%s %x", encounter, w.salt))
	t.add(first, value)
	w.tables[encounter] = t
	if w.witness != nil {
		w.witness.begun(encounter, t.epoch, t.log)
	}
	return true
}

func (t *table) add(r *hub.Record, value []byte) {
	t.log = append(t.log, value)
	t.ids[r.Commit.ID] = known{r.Commit.Seq, r.Ack}
}

// append is append.lua.
func (w *world) append(instance string, e *hub.Entry, values [][]byte) hub.Appended {
	t := w.tables[e.Encounter]
	switch {
	case t == nil || t.epoch != e.Epoch:
		return hub.Appended{Answer: hub.EPOCH}
	case t.fence != e.Fence || t.owner != instance:
		return hub.Appended{Answer: hub.FENCED}
	}
	for i, r := range e.Records {
		k, is := t.ids[r.Commit.ID]
		switch {
		case !is:
		case i == 0 && k.seq == r.Commit.Seq && bytes.Equal(t.log[k.seq-1], values[0]):
			w.extend(t, instance)
			return hub.Appended{Answer: hub.OK}
		default:
			return hub.Appended{Answer: hub.DUP, Index: i, Seq: k.seq, Ack: k.ack}
		}
	}
	head := uint64(len(t.log))
	for i, r := range e.Records {
		if head != e.Head || r.Commit.Seq != head+uint64(i)+1 {
			return hub.Appended{Answer: hub.SEQ, Seq: head}
		}
	}
	for i := range e.Records {
		t.add(&e.Records[i], values[i])
	}
	w.extend(t, instance)
	if w.witness != nil {
		w.witness.added(e.Encounter, t.epoch, t.fence, values)
	}
	w.publish(e.Encounter, e.Epoch, e.Frames)
	return hub.Appended{Answer: hub.OK}
}

func (w *world) extend(t *table, instance string) {
	t.holder, t.until = instance, time.Now().Add(w.length)
}

func (t *table) held() bool { return t.holder != "" && time.Now().Before(t.until) }

// acquired is what acquire answers.
type acquired struct {
	grant hub.Grant
	last  last
	run   int // of the world
	err   error
}

// last is the last commit of a log that its owner knows to be in it.
type last struct {
	command string
	seq     uint64
}

func lastOf(c *combat.Commit) last { return last{c.ID, c.Seq} }

// acquire is acquire.lua.
func (w *world) acquire(instance string, encounter combat.ID) acquired {
	t := w.tables[encounter]
	switch {
	case t == nil:
		return acquired{err: hub.ErrNotFound}
	case t.held() && t.holder != instance:
		return acquired{err: hub.ErrHeld}
	}
	if t.run != w.run {
		t.past = append(slices.Clip(t.past), hub.Past{Epoch: t.epoch, Head: uint64(len(t.log))})
		t.past = t.past[max(0, len(t.past)-hub.PastKept):]
		t.run, t.epoch = w.run, w.newEpoch()
		if w.witness != nil {
			w.witness.begun(encounter, t.epoch, t.log)
		}
	}
	t.fence++
	t.owner = instance
	w.extend(t, instance)
	w.publish(encounter, t.epoch, []hub.Frame{{Audience: hub.Ownership, Data: []byte(hub.OwnerNew)}})
	last, err := decode(t.log[len(t.log)-1])
	if err != nil {
		return acquired{err: err}
	}
	return acquired{grant: hub.Grant{Epoch: t.epoch, Fence: t.fence, Head: uint64(len(t.log)), Hash: last.Commit.Hash, Past: t.past, Secret: t.secret},
		last: lastOf(last.Commit), run: w.run}
}

func (t *table) owns(instance, epoch string, fence uint64) bool {
	return t != nil && t.epoch == epoch && t.fence == fence && t.owner == instance
}

// renew is renew.lua.
func (w *world) renew(instance string, encounter combat.ID, epoch string, fence uint64, last last) int {
	t := w.tables[encounter]
	switch {
	case !t.owns(instance, epoch, fence):
		return 0
	case t.ids[last.command].seq != last.seq:
		return -1
	}
	w.extend(t, instance)
	return 1
}

// release is release.lua.
func (w *world) release(instance string, encounter combat.ID, epoch string, fence uint64) {
	if t := w.tables[encounter]; t.owns(instance, epoch, fence) {
		t.holder, t.owner = "", ""
		w.publish(encounter, epoch, []hub.Frame{{Audience: hub.Ownership, Data: []byte(hub.OwnerGone)}})
	}
}

// rival tells if another has come since an instance acquired what it takes for its
// own still.
func (w *world) rival(instance string, encounter combat.ID, a acquired) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tables[encounter]
	if w.witness != nil && w.run == a.run && t.fence > a.grant.Fence && t.owner != instance {
		w.witness.rival(encounter, instance, t.owner)
	}
}

// keep is keep.lua.
func (w *world) keep(instance string, encounter combat.ID, epoch string, fence uint64, s hub.Snapshot) {
	t := w.tables[encounter]
	if !t.owns(instance, epoch, fence) {
		return
	}
	t.snapshots[s.Seq] = s.Data
	newest := slices.Sorted(maps.Keys(t.snapshots))
	for _, seq := range newest[:max(0, len(newest)-hub.SnapshotsKept)] {
		delete(t.snapshots, seq)
	}
}

// publish hands frames to whoever listens now.
func (w *world) publish(encounter combat.ID, epoch string, frames []hub.Frame) {
	for _, frame := range frames {
		frame.Epoch = epoch
		if w.witness != nil {
			w.witness.published(encounter, frame)
		}
		for _, e := range w.ears[channel{encounter, frame.Audience}] {
			e.put(frame)
		}
	}
}

// image is a copy of all that a world keeps.
type image struct {
	tables map[combat.ID]*table
	codes  map[string]hub.Code
}

func (w *world) image() image {
	copied := image{map[combat.ID]*table{}, maps.Clone(w.codes)}
	for id, t := range w.tables {
		copied.tables[id] = t.clone()
	}
	return copied
}

func (t *table) clone() *table {
	c := *t
	c.log = slices.Clone(t.log)
	c.ids, c.snapshots, c.places = maps.Clone(t.ids), maps.Clone(t.snapshots), maps.Clone(t.places)
	return &c
}

// restore starts the world anew from an image. It returns the ids of the
// commands that are lost.
func (w *world) restore(from image) []string {
	var lost []string
	for id, t := range w.tables {
		for command := range t.ids {
			if kept := from.tables[id]; kept == nil || kept.ids[command] == (known{}) {
				lost = append(lost, command)
			}
		}
	}
	w.run++
	w.tables, w.codes = map[combat.ID]*table{}, maps.Clone(from.codes)
	for id, t := range from.tables {
		w.tables[id] = t.clone()
	}
	return lost
}

// stored writes records as they are kept, and fills in how much room they take.
func stored(records []hub.Record) ([][]byte, error) {
	values := make([][]byte, len(records))
	for i := range records {
		value, err := json.Marshal(&records[i])
		if err != nil {
			return nil, err
		}
		values[i], records[i].Bytes = value, len(value)
	}
	return values, nil
}

// decode reads a record back.
func decode(value []byte) (hub.Record, error) {
	var r hub.Record
	if err := json.Unmarshal(value, &r); err != nil {
		return r, fmt.Errorf("%w: %w", hub.ErrCorrupt, err)
	}
	r.Bytes = len(value)
	return r, nil
}
