// Package embedded keeps encounters in one bbolt file, for one instance on one
// machine: nothing to install. Every append is synced to disk before it
// returns; what many encounters append at the same time shares one sync. The
// lease is always ours, with a fence that grows at each start, and the bus
// does not leave the process.
package embedded

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

	"riposte/combat"
	"riposte/hub"
)

// Layout of the file:
//
//	meta                 format, fence, secret; start, life: see copy.go
//	encounters/<id>      epoch, past epochs, life; log: seq → record;
//	                     ids: command id → seq, ack;
//	                     snapshots: seq → snapshot, from the first one on;
//	                     codes: code's key → expiry, from the first one on
//	codes                code's key → code
//	codeEnds             expiry, code's key → encounter
var (
	metaBucket       = []byte("meta")
	encountersBucket = []byte("encounters")
	logBucket        = []byte("log")
	idsBucket        = []byte("ids")
	snapshotsBucket  = []byte("snapshots")
	codesBucket      = []byte("codes")
	codeEndsBucket   = []byte("codeEnds")
	formatKey        = []byte("format")
	fenceKey         = []byte("fence")
	secretKey        = []byte("secret")
	epochKey         = []byte("epoch")
	pastKey          = []byte("past")
	startKey         = []byte("start")
	lifeKey          = []byte("life")

	format = []byte("1")
)

// openTimeout is how long another process may hold the file before opening it
// fails.
const openTimeout = 3 * time.Second

var errClosed = errors.New("embedded: store is closed")

// Store is the embedded implementation of hub.Store.
type Store struct {
	bus
	db     *bolt.DB
	fence  uint64
	life   uint64
	secret [32]byte
	jobs   chan *job
	stop   chan struct{}
	done   chan struct{}

	failed  chan struct{} // closed when the file can be trusted no more
	failure error         // why; set before failed is closed
}

// mapped is how much address space is taken for the file at the start, in
// bytes. As long as the file is not larger, a write never waits for reads to
// end so that it can map the file anew. It costs no memory.
const mapped = 64 << 30

// Open opens the journal file, or makes it. Only one process can have it open.
func Open(path string) (*Store, error) { return open(path, os.OpenFile) }

func open(path string, openFile func(string, int, fs.FileMode) (*os.File, error)) (*Store, error) {
	options := &bolt.Options{Timeout: openTimeout, FreelistType: bolt.FreelistMapType, OpenFile: openFile}
	if strconv.IntSize == 64 && runtime.GOOS != "windows" { // which would make the file that large
		options.InitialMmapSize = mapped
	}
	_, missing := os.Stat(path)
	db, err := bolt.Open(path, 0o600, options)
	if err != nil {
		return nil, fmt.Errorf("embedded: open %s: %w", path, err)
	}
	if missing != nil {
		if err := SyncDirectory(filepath.Dir(path)); err != nil {
			return nil, errors.Join(fmt.Errorf("embedded: %s: %w", path, err), db.Close())
		}
	}
	s := &Store{db: db, jobs: make(chan *job, maxGroup), stop: make(chan struct{}), done: make(chan struct{}), failed: make(chan struct{})}
	if err := s.begin(path); err != nil {
		return nil, errors.Join(fmt.Errorf("embedded: %s: %w", path, err), db.Close())
	}
	go s.write()
	return s, nil
}

// SyncDirectory makes the names in a directory durable: without it, a file that
// was just made or renamed may be gone after a power cut.
func SyncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}

// begin prepares the file for this start.
func (s *Store) begin(path string) error {
	left, err := beside(path)
	if err != nil {
		return err
	}
	var start string
	err = s.db.Update(func(tx *bolt.Tx) error {
		err := s.take(tx)
		if err == nil {
			start, err = s.lives(tx, path, left)
		}
		return err
	})
	if err != nil {
		return err
	}
	return leaveBeside(path, start)
}

// take checks the format and takes this start's fence.
func (s *Store) take(tx *bolt.Tx) error {
	meta, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return err
	}
	for _, name := range [][]byte{encountersBucket, codesBucket, codeEndsBucket} {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	switch found := meta.Get(formatKey); {
	case found == nil:
		if err := meta.Put(formatKey, format); err != nil {
			return err
		}
	case string(found) != string(format):
		return fmt.Errorf("journal has format %q, this program reads %q", found, format)
	}
	if last := meta.Get(fenceKey); last != nil {
		s.fence = binary.BigEndian.Uint64(last)
	}
	s.fence++
	if copy(s.secret[:], meta.Get(secretKey)) == 0 {
		rand.Read(s.secret[:]) // never fails
		if err := meta.Put(secretKey, s.secret[:]); err != nil {
			return err
		}
	}
	if err := sweep(tx, time.Now()); err != nil {
		return err
	}
	return meta.Put(fenceKey, key(s.fence))
}

// Close waits for what is being written and closes the file.
func (s *Store) Close() error {
	select {
	case <-s.stop:
		return errClosed
	default:
	}
	close(s.stop)
	<-s.done
	return s.db.Close()
}

// Ready reports whether the file can be written: it writes to it.
func (s *Store) Ready(ctx context.Context) error {
	return s.submit(ctx, func(tx *bolt.Tx) error {
		return tx.Bucket(metaBucket).Put(fenceKey, key(s.fence))
	})
}

// Backup writes a copy of the whole journal as it is at one moment, while it
// is in use. size is told first how long it will be, in bytes.
func (s *Store) Backup(w io.Writer, size func(int64)) error {
	return s.view(func(tx *bolt.Tx) error {
		size(tx.Size())
		_, err := tx.WriteTo(w)
		return err
	})
}

// Verify checks that a file is a sound journal, changing nothing.
func Verify(path string) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: openTimeout, ReadOnly: true})
	if err != nil {
		return err
	}
	return errors.Join(db.View(func(tx *bolt.Tx) error {
		var broken error
		for err := range tx.Check() {
			broken = errors.Join(broken, err)
		}
		if broken != nil {
			return broken
		}
		meta := tx.Bucket(metaBucket)
		if meta == nil || string(meta.Get(formatKey)) != string(format) {
			return errors.New("not a journal")
		}
		return nil
	}), db.Close())
}

// Create begins the history of an encounter.
func (s *Store) Create(ctx context.Context, encounter combat.ID, first hub.Record) error {
	value, err := json.Marshal(first)
	if err != nil {
		return err
	}
	return s.submit(ctx, func(tx *bolt.Tx) error {
		b, err := tx.Bucket(encountersBucket).CreateBucket([]byte(encounter))
		if err != nil {
			return err
		}
		if err := errors.Join(b.Put(epochKey, []byte(newEpoch())), b.Put(lifeKey, key(s.life))); err != nil {
			return err
		}
		for _, name := range [][]byte{logBucket, idsBucket} {
			if _, err := b.CreateBucket(name); err != nil {
				return err
			}
		}
		return put(b, first, value)
	})
}

// Append adds to a log and publishes, in this order.
func (s *Store) Append(ctx context.Context, entry *hub.Entry) (hub.Appended, error) {
	values := make([][]byte, len(entry.Records))
	for i := range entry.Records {
		value, err := json.Marshal(&entry.Records[i])
		if err != nil {
			return hub.Appended{}, err
		}
		values[i] = value
		entry.Records[i].Bytes = len(value)
	}
	var answer hub.Appended
	published := false
	err := s.submit(ctx, func(tx *bolt.Tx) error {
		b := tx.Bucket(encountersBucket).Bucket([]byte(entry.Encounter))
		var known bool
		if answer, known = s.check(b, entry, values); answer.Answer != hub.OK || known {
			published = known
			return nil
		}
		for i := range entry.Records {
			if err := put(b, entry.Records[i], values[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return hub.Appended{}, err
	}
	if answer.Answer == hub.OK && !published {
		s.publish(entry.Encounter, entry.Epoch, entry.Frames)
	}
	return answer, nil
}

// check says whether an entry may be added, or is there already. values are its
// records as they are stored.
func (s *Store) check(b *bolt.Bucket, entry *hub.Entry, values [][]byte) (answer hub.Appended, known bool) {
	if b == nil || string(b.Get(epochKey)) != entry.Epoch {
		return hub.Appended{Answer: hub.EPOCH}, false
	}
	if entry.Fence != s.fence {
		return hub.Appended{Answer: hub.FENCED}, false
	}
	log, ids := b.Bucket(logBucket), b.Bucket(idsBucket)
	for i := range entry.Records {
		known := ids.Get([]byte(entry.Records[i].Commit.ID))
		if known == nil {
			continue
		}
		seq := binary.BigEndian.Uint64(known)
		if i == 0 && seq == entry.Records[0].Commit.Seq && bytes.Equal(log.Get(known[:8]), values[0]) {
			return hub.Appended{Answer: hub.OK}, true
		}
		return hub.Appended{Answer: hub.DUP, Index: i, Seq: seq, Ack: binary.BigEndian.Uint64(known[8:])}, false
	}
	last, _ := log.Cursor().Last()
	head := binary.BigEndian.Uint64(last)
	if head != entry.Head {
		return hub.Appended{Answer: hub.SEQ, Seq: head}, false
	}
	for i := range entry.Records {
		if entry.Records[i].Commit.Seq != entry.Head+uint64(i)+1 {
			return hub.Appended{Answer: hub.SEQ, Seq: head}, false
		}
	}
	return hub.Appended{Answer: hub.OK}, false
}

// put stores one record and remembers its command.
func put(b *bolt.Bucket, record hub.Record, value []byte) error {
	seq := key(record.Commit.Seq)
	if err := b.Bucket(logBucket).Put(seq, value); err != nil {
		return err
	}
	return b.Bucket(idsBucket).Put([]byte(record.Commit.ID), binary.BigEndian.AppendUint64(seq, record.Ack))
}

func key(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// readChunk is how many records one read transaction hands out: a long one
// would keep the file from reusing its pages.
const readChunk = 512

// Read yields the records of an encounter.
func (s *Store) Read(ctx context.Context, encounter combat.ID, after uint64) iter.Seq2[hub.Record, error] {
	return func(yield func(hub.Record, error) bool) {
		end, err := s.head(encounter)
		for next := after + 1; err == nil && next <= end; {
			if err = ctx.Err(); err != nil {
				break
			}
			var chunk []hub.Record
			if chunk, err = s.chunk(encounter, next, end); err != nil {
				break
			}
			for _, record := range chunk {
				if !yield(record, nil) {
					return
				}
			}
			next += readChunk
		}
		if err != nil {
			yield(hub.Record{}, err)
		}
	}
}

// Known finds a command's record by its id.
func (s *Store) Known(_ context.Context, encounter combat.ID, command string) (hub.Record, error) {
	var record hub.Record
	err := s.view(func(tx *bolt.Tx) error {
		b := tx.Bucket(encountersBucket).Bucket([]byte(encounter))
		if b == nil {
			return hub.ErrNotFound
		}
		known := b.Bucket(idsBucket).Get([]byte(command))
		if known == nil {
			return hub.ErrNotFound
		}
		var err error
		record, err = decode(encounter, binary.BigEndian.Uint64(known), b.Bucket(logBucket).Get(known[:8]))
		return err
	})
	return record, err
}

// decode reads a record. The commit keeps parts of what it was decoded from,
// and the file's pages are gone when the transaction ends: it gets a copy.
func decode(encounter combat.ID, seq uint64, value []byte) (hub.Record, error) {
	var record hub.Record
	if err := json.Unmarshal(append([]byte(nil), value...), &record); err != nil {
		return record, fmt.Errorf("embedded: encounter %s commit %d: %w: %w", encounter, seq, hub.ErrCorrupt, err)
	}
	record.Bytes = len(value)
	return record, nil
}

// head returns the sequence number of the last commit.
func (s *Store) head(encounter combat.ID) (seq uint64, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		b := tx.Bucket(encountersBucket).Bucket([]byte(encounter))
		if b == nil {
			return hub.ErrNotFound
		}
		last, _ := b.Bucket(logBucket).Cursor().Last()
		seq = binary.BigEndian.Uint64(last)
		return nil
	})
	return seq, err
}

// chunk reads up to readChunk records from seq on. A record that is missing
// shows in the hash chain, so it is no error here.
func (s *Store) chunk(encounter combat.ID, seq, end uint64) ([]hub.Record, error) {
	var records []hub.Record
	err := s.view(func(tx *bolt.Tx) error {
		cursor := tx.Bucket(encountersBucket).Bucket([]byte(encounter)).Bucket(logBucket).Cursor()
		for k, v := cursor.Seek(key(seq)); k != nil; k, v = cursor.Next() {
			at := binary.BigEndian.Uint64(k)
			if at > end || at >= seq+readChunk {
				return nil
			}
			record, err := decode(encounter, at, v)
			if err != nil {
				return err
			}
			records = append(records, record)
		}
		return nil
	})
	return records, err
}
