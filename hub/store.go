package hub

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"riposte/combat"
)

// A Store keeps encounters and says who owns them: the four interfaces
// together. Every method may be called from any goroutine.
type Store interface {
	Journal
	Lease
	Bus
	Codes
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

// Frame is one message as one audience receives it: encoded once, not to be
// written to.
type Frame struct {
	Audience string // as combat.Audience writes itself
	// Seq numbers an Update. It is 0 for a notice, which is not numbered and
	// not in the log: who is here, which update is the last one, which tokens
	// are void.
	Seq  uint64
	Data []byte
	// Epoch is the history that it belongs to. Append and Tell fill it in for
	// those who listen.
	Epoch string
}

// Entry is what an owner asks the journal to add, whole or not at all.
type Entry struct {
	Encounter combat.ID
	Epoch     string
	Fence     uint64
	Head      uint64 // sequence number of the last commit in the log, as the owner knows it
	Records   []Record
	Frames    []Frame // what the records show to whom at once, and notices, in order
}

// Answer is what the journal says to an Entry. Only OK means that it was added.
type Answer int

// The answers. They are checked in this order: EPOCH, FENCED, OK for an entry
// that is there already, DUP, SEQ.
const (
	// OK: the records are in the log, durably, and the frames are published.
	// The same entry again is answered so too, and changes nothing.
	OK Answer = iota
	// DUP: one of the commands is in the log already.
	DUP
	// FENCED: another owner came after this one.
	FENCED
	// EPOCH: the log is another history, or gone.
	EPOCH
	// SEQ: the log does not end where the owner thinks.
	SEQ
)

// String names the answer.
func (a Answer) String() string {
	return [...]string{"OK", "DUP", "FENCED", "EPOCH", "SEQ"}[a]
}

// Appended is the journal's whole answer. For DUP it says which record of the
// entry has a known command, and what that command's record says. For SEQ, Seq
// is the last commit in the log.
type Appended struct {
	Answer Answer
	Index  int
	Seq    uint64 // of the commit in the log
	Ack    uint64
}

// Snapshot is an encounter as it was after one of its commits, so that bringing
// it back need not begin with the first. Losing one costs time only.
type Snapshot struct {
	Seq  uint64 // of the commit
	Data []byte // the owner's to write and read
}

// SnapshotsKept is how many snapshots of an encounter a journal keeps: the
// newest ones.
const SnapshotsKept = 2

// ErrNotFound says that there is no such encounter.
var ErrNotFound = errors.New("hub: no such encounter")

// ErrHeld says that another instance owns the encounter.
var ErrHeld = errors.New("hub: encounter is owned elsewhere")

// ErrBroken says that the store has failed for good and answers nothing more in
// this process. What became of the last entries is known at the next start.
var ErrBroken = errors.New("hub: store is broken")

// ErrCorrupt says that what is stored cannot be read as a record, or that parts
// of an encounter are gone.
var ErrCorrupt = errors.New("hub: record is corrupt")

// Journal is the log of every encounter.
type Journal interface {
	// Create begins the history of a new encounter with its first record,
	// durably. It fails if the encounter exists.
	Create(ctx context.Context, encounter combat.ID, first Record) error
	// Append adds to a log, durably before it returns, and publishes the
	// frames in log order: nobody receives one that is not in the log, or not
	// after it. An error means that the outcome is unknown: the caller repeats
	// the same entry until it is known, unless it is ErrBroken or ErrCorrupt.
	Append(ctx context.Context, entry *Entry) (Appended, error)
	// Read yields the records of an encounter that come after the commit with
	// that number (0: all), in order, as they were when it was called.
	// ErrNotFound if there is no such encounter, ErrCorrupt if a record is
	// none; any other error may pass.
	Read(ctx context.Context, encounter combat.ID, after uint64) iter.Seq2[Record, error]
	// Known returns the record of a command that is in the log. ErrNotFound if
	// it is not, or if there is no such encounter.
	Known(ctx context.Context, encounter combat.ID, command string) (Record, error)
	// Keep stores a snapshot for later owners and forgets all but the newest
	// SnapshotsKept. One who is not the owner any more keeps nothing, which is
	// no error.
	Keep(ctx context.Context, encounter combat.ID, grant Grant, snapshot Snapshot) error
	// Kept returns the newest snapshot of a commit not after that number.
	// ErrNotFound if there is none.
	Kept(ctx context.Context, encounter combat.ID, until uint64) (Snapshot, error)
	// Ready reports whether the store can take an entry now, and hears what
	// others publish.
	Ready(ctx context.Context) error
	// Close ends all use of the store. Nothing may be called after it.
	Close() error
}

// Grant is the right to append to one encounter.
type Grant struct {
	// Epoch names the history that the log is. It is another one after what may
	// have cut the log short, so that nobody takes a counter of before for one
	// of now.
	Epoch string
	// Past are the histories before this one, oldest first, PastKept at most:
	// all of what this one has up to there, and what came after is not in it.
	Past  []Past
	Fence uint64 // higher than any before it
	Head  uint64 // sequence number of the last commit in the log
	Hash  string // of that commit
	// Secret is the same for every owner there ever is, and known to the store
	// and them alone.
	Secret [32]byte
	// Lost is closed when the right may have ended; nil if it cannot.
	Lost <-chan struct{}
	// Cut reports, once Lost is closed, whether it is so because the log lacks
	// what this owner was told is in it; nil: it cannot.
	Cut func() bool
	// Held reports whether the right is sure not to have ended, by this
	// machine's own clock that never goes back; nil: always. Unlike Lost it
	// tells even a process that was stopped and has just gone on.
	Held func() bool
}

// Past is a history that an encounter's log has been.
type Past struct {
	Epoch string
	Head  uint64 // sequence number of its last commit that is in the log still
}

// PastKept is how many past histories a store remembers: the newest ones.
const PastKept = 32

// Good reports whether nobody else can own the encounter yet.
func (g *Grant) Good() bool { return g.Held == nil || g.Held() }

// Lease says which instance owns an encounter. A lease that runs out is the
// implementation's to extend, for as long as the grant is not released and the
// log has the last commit that the owner knows to be in it.
type Lease interface {
	// Acquire makes this instance the owner: ErrNotFound if there is no such
	// encounter, ErrHeld if another instance owns it.
	Acquire(ctx context.Context, encounter combat.ID) (Grant, error)
	// Release gives the encounter up. A grant that is no longer good is not an
	// error.
	Release(ctx context.Context, encounter combat.ID, grant Grant) error
}

// Call is a question from an instance that does not own an encounter to the
// one that does. It may arrive more than once.
type Call struct {
	Kind string          `json:"kind,omitempty"` // what is asked
	ID   string          `json:"id,omitempty"`
	Key  string          `json:"key,omitempty"` // hash of the token of whom it is about
	Body json.RawMessage `json:"body,omitempty"`
}

// Reply is the owner's answer.
type Reply = json.RawMessage

// Ownership is what Subscribe calls the news of who owns an encounter, beside
// the audiences: a notice with OwnerGone when an owner gives it up, and one with
// OwnerNew when another has come. A lease that runs out has no notice.
const Ownership = "owner"

// Notices of Ownership.
const (
	OwnerGone = "gone"
	OwnerNew  = "new"
)

// Listener is told what comes over one subscription, by one goroutine at a
// time. It must not call the bus.
type Listener interface {
	// Hear takes a frame.
	Hear(Frame)
	// Missed says that frames may be missing between what was heard before and
	// what will be heard from now on.
	Missed()
}

// Bus carries frames from the owner of an encounter to whoever shows it, and
// calls the other way. It may lose frames, but it says so.
type Bus interface {
	// Subscribe hands over every frame for that audience that is published
	// after it returned, in log order, until cancel is called; where there may
	// be a hole, Missed stands in its place. After cancel has returned nothing
	// more is handed over.
	Subscribe(ctx context.Context, encounter combat.ID, audience string, listener Listener) (cancel func(), err error)
	// Tell publishes what no entry carries, in order, to whoever listens now:
	// notices, and updates that were held back when their commit was added,
	// because spectators are told later. They may get lost without a word.
	Tell(ctx context.Context, encounter combat.ID, epoch string, frames []Frame) error
	// Answer makes handle the one who answers calls about an encounter, until
	// cancel is called. It runs on other goroutines, several at a time.
	Answer(ctx context.Context, encounter combat.ID, handle func(context.Context, Call) (Reply, error)) (cancel func(), err error)
	// Call asks whoever answers for the encounter, again and again until there
	// is an answer or ctx is over; ErrNotFound if nobody does.
	Call(ctx context.Context, encounter combat.ID, call Call) (Reply, error)
}

// Code is what a store keeps of a short code: neither the code nor anything
// that is of use without it.
type Code struct {
	Encounter combat.ID `json:"encounter"`
	Sealed    []byte    `json:"sealed"` // what the code opens; the hub's to write and read
	Expires   time.Time `json:"expires"`
}

// ErrTaken says that a key is in use.
var ErrTaken = errors.New("hub: key is in use")

// ErrFull says that there is no room for one more.
var ErrFull = errors.New("hub: too many")

// Codes keeps short codes under keys from which nobody can tell the codes. They
// belong to no history: any instance adds and finds them, owner or not. What
// has expired is as good as gone, and the store clears it away in time.
type Codes interface {
	// Salt is random, made once for a store, and the same for every instance
	// and start. It goes into the keys, so that they are of no use elsewhere.
	Salt(ctx context.Context) ([32]byte, error)
	// AddCode keeps a code under a key, durably before it returns.
	// ErrNotFound if there is no such encounter, ErrTaken if there is a code
	// under that key, ErrFull if the encounter has limit codes that have not
	// expired; then nothing is kept. After any other error it may be kept.
	AddCode(ctx context.Context, key string, code Code, limit int) error
	// FindCode returns what is kept under a key. ErrNotFound if nothing is, or
	// if it has expired.
	FindCode(ctx context.Context, key string) (Code, error)
}
