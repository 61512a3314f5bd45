package hub

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"riposte/combat"
)

// A Store keeps encounters and says who owns them: the three interfaces
// together. Every method may be called from any goroutine.
type Store interface {
	Journal
	Lease
	Bus
}

// Record is what the journal keeps of one command: the commit, and what the
// audiences' own counters need to go on after a restart.
type Record struct {
	Commit *combat.Commit `json:"commit"`
	// Seqs is the counter of each audience that saw a difference, after it.
	Seqs map[string]uint64 `json:"seqs,omitempty"`
	// Ack is the counter of the sender's audience, after it: what a repeated
	// command is answered with.
	Ack uint64 `json:"ack"`
	// Key is the hash of the sender's token, if the command may have made that
	// token void: who sends it again with the old one is told the outcome.
	Key string `json:"key,omitempty"`
	// Bytes is how much room it takes. Read and an Append that is answered OK
	// fill it in.
	Bytes int `json:"-"`
}

// Frame is one update as one audience receives it: encoded once, not to be
// written to.
type Frame struct {
	Audience string // as combat.Audience writes itself
	Seq      uint64
	Data     []byte // an Update message
}

// Entry is what an owner asks the journal to add, whole or not at all.
type Entry struct {
	Encounter combat.ID
	Epoch     string
	Fence     uint64
	Head      uint64 // sequence number of the last commit in the log, as the owner knows it
	Records   []Record
	Frames    []Frame // what the records show to whom, in order
}

// Answer is what the journal says to an Entry. Only OK means that it was added.
type Answer int

// The answers. They are checked in this order: EPOCH, FENCED, DUP, SEQ.
const (
	// OK: the records are in the log, durably, and the frames are published.
	OK Answer = iota
	// DUP: one of the commands is in the log already.
	DUP
	// FENCED: another owner came after this one.
	FENCED
	// EPOCH: the log is another history.
	EPOCH
	// SEQ: the log does not end where the owner thinks.
	SEQ
)

// String names the answer.
func (a Answer) String() string {
	return [...]string{"OK", "DUP", "FENCED", "EPOCH", "SEQ"}[a]
}

// Appended is the journal's whole answer. For DUP it says which record of the
// entry has a known command, and what that command's record says.
type Appended struct {
	Answer Answer
	Index  int
	Seq    uint64 // of the commit in the log
	Ack    uint64
}

// ErrNotFound says that there is no such encounter.
var ErrNotFound = errors.New("hub: no such encounter")

// ErrHeld says that another instance owns the encounter.
var ErrHeld = errors.New("hub: encounter is owned elsewhere")

// ErrBroken says that the store has failed for good and answers nothing more in
// this process. What became of the last entries is known at the next start.
var ErrBroken = errors.New("hub: store is broken")

// ErrCorrupt says that what is stored cannot be read as a record.
var ErrCorrupt = errors.New("hub: record is corrupt")

// Journal is the log of every encounter.
type Journal interface {
	// Create begins the history of a new encounter with its first record,
	// durably. It fails if the encounter exists.
	Create(ctx context.Context, encounter combat.ID, first Record) error
	// Append adds to a log, durably before it returns, and publishes the
	// frames in log order. An error means that the outcome is unknown: the
	// caller repeats the same entry until it is known.
	Append(ctx context.Context, entry *Entry) (Appended, error)
	// Read yields the records of an encounter from its first, in order, as
	// they were when it was called. ErrNotFound if there is no such encounter,
	// ErrCorrupt if a record is none; any other error may pass.
	Read(ctx context.Context, encounter combat.ID) iter.Seq2[Record, error]
	// Known returns the record of a command that is in the log. ErrNotFound if
	// it is not, or if there is no such encounter.
	Known(ctx context.Context, encounter combat.ID, command string) (Record, error)
	// Ready reports whether the store can take an entry now.
	Ready(ctx context.Context) error
	// Close ends all use of the store. Nothing may be called after it.
	Close() error
}

// Grant is the right to append to one encounter.
type Grant struct {
	Epoch string // of its history
	Fence uint64 // higher than any before it
	// Secret is the same for every owner there ever is, and known to the store
	// and them alone.
	Secret [32]byte
	// Lost is closed when the right may have ended; nil if it cannot.
	Lost <-chan struct{}
}

// Lease says which instance owns an encounter. A lease that runs out is the
// implementation's to extend, for as long as the grant is not released.
type Lease interface {
	// Acquire makes this instance the owner: ErrNotFound if there is no such
	// encounter, ErrHeld if another instance owns it.
	Acquire(ctx context.Context, encounter combat.ID) (Grant, error)
	// Release gives the encounter up. A grant that is no longer good is not an
	// error.
	Release(ctx context.Context, encounter combat.ID, grant Grant) error
}

// Call is a question from an instance that does not own an encounter to the
// one that does.
type Call struct {
	ID      string          `json:"id"`  // of the command
	Key     string          `json:"key"` // hash of the sender's token
	Command json.RawMessage `json:"command"`
}

// Reply is the owner's answer: an Ack or a Reject message.
type Reply = json.RawMessage

// Bus carries frames from the owner of an encounter to whoever shows it, and
// calls the other way.
type Bus interface {
	// Subscribe hands over every frame for that audience that is published
	// after it returned, in log order, without a hole, until cancel is called;
	// after cancel has returned nothing more is handed over. deliver must
	// return at once and must not call the bus.
	Subscribe(ctx context.Context, encounter combat.ID, audience string, deliver func(Frame)) (cancel func(), err error)
	// Answer makes handle the one who answers calls about an encounter, until
	// cancel is called. It runs on the goroutines of callers.
	Answer(encounter combat.ID, handle func(context.Context, Call) (Reply, error)) (cancel func(), err error)
	// Call asks whoever answers for the encounter; ErrNotFound if nobody does.
	Call(ctx context.Context, encounter combat.ID, call Call) (Reply, error)
}
