package redis

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"riposte/combat"
	"riposte/hub"
)

// recordField is the one field of an entry of the stream.
const recordField = "r"

var errExists = errors.New("redis: the encounter exists")

// newEpoch makes the name of a history.
func newEpoch() string { return rand.Text()[:16] }

// Create begins the history of an encounter.
func (s *Store) Create(ctx context.Context, encounter combat.ID, first hub.Record) error {
	value, err := json.Marshal(first)
	if err != nil {
		return err
	}
	var secret [32]byte
	rand.Read(secret[:]) // never fails
	keys := []string{s.key(encounter, "meta"), s.key(encounter, "log"), s.key(encounter, "ids")}
	answer, err := createScript.Run(ctx, s.client, keys, newEpoch(), secret[:], digest(first.Commit.ID), first.Ack, value).Text()
	if err != nil {
		return err
	}
	if answer != "OK" {
		return errExists
	}
	return s.replicated(ctx, encounter)
}

// Append adds to a log and publishes.
func (s *Store) Append(ctx context.Context, entry *hub.Entry) (hub.Appended, error) {
	args := make([]any, 0, 7+4*len(entry.Records)+2*len(entry.Frames))
	args = append(args, entry.Epoch, entry.Fence, s.instance, entry.Head, s.options.Lease.Milliseconds(), s.publishing(), len(entry.Records))
	for i := range entry.Records {
		r := &entry.Records[i]
		value, err := json.Marshal(r)
		if err != nil {
			return hub.Appended{}, err
		}
		r.Bytes = len(value)
		args = append(args, r.Commit.Seq, digest(r.Commit.ID), r.Ack, value)
	}
	for _, frame := range entry.Frames {
		args = append(args, s.channel(entry.Encounter, frame.Audience), envelope(frame.Seq, entry.Epoch, frame.Data))
	}
	keys := []string{s.key(entry.Encounter, "meta"), s.key(entry.Encounter, "log"), s.key(entry.Encounter, "ids"), s.key(entry.Encounter, "lease")}
	sent := time.Now()
	reply, err := s.write(ctx, keys, args)
	if err != nil {
		return hub.Appended{}, err
	}
	answer, err := appended(reply)
	switch {
	case err != nil:
		return answer, err
	case answer.Answer == hub.OK:
		s.leases.extended(entry.Encounter, entry.Fence, sent, lastOf(entry.Records[len(entry.Records)-1].Commit))
	case answer.Answer == hub.FENCED || answer.Answer == hub.EPOCH:
		s.leases.lose(entry.Encounter, entry.Epoch, entry.Fence, false)
	}
	return answer, nil
}

// write runs the append script, and waits for replicas if they are asked for:
// on the same connection, because it is that one's last write that is waited
// for.
func (s *Store) write(ctx context.Context, keys []string, args []any) ([]any, error) {
	if s.options.Replicas == 0 {
		return appendScript.Run(ctx, s.client, keys, args...).Slice()
	}
	node, _, err := s.node(ctx, keys[0])
	if err != nil {
		return nil, err
	}
	for loaded := false; ; loaded = true {
		pipe := node.Pipeline()
		ran := appendScript.EvalSha(ctx, pipe, keys, args...)
		have := pipe.Do(ctx, "WAIT", s.options.Replicas, replicaTimeout.Milliseconds())
		_, err := pipe.Exec(ctx)
		switch {
		case goredis.HasErrorPrefix(err, "NOSCRIPT") && !loaded:
			if err := appendScript.Load(ctx, node).Err(); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			s.moved()
			return nil, err
		}
		reply, err := ran.Slice()
		return reply, errors.Join(err, enough(have, s.options.Replicas))
	}
}

// replicaTimeout bounds a wait for replicas.
const replicaTimeout = 2 * time.Second

// replicated waits until enough replicas have what was written to an
// encounter's node. Any connection will do when it writes first.
func (s *Store) replicated(ctx context.Context, encounter combat.ID) error {
	if s.options.Replicas == 0 {
		return nil
	}
	key := s.key(encounter, "meta")
	node, _, err := s.node(ctx, key)
	if err != nil {
		return err
	}
	pipe := node.Pipeline()
	pipe.HSet(ctx, key, "replicated", 1)
	have := pipe.Do(ctx, "WAIT", s.options.Replicas, replicaTimeout.Milliseconds())
	if _, err := pipe.Exec(ctx); err != nil {
		s.moved()
		return err
	}
	return enough(have, s.options.Replicas)
}

func enough(waited *goredis.Cmd, want int) error {
	have, err := waited.Int()
	if err == nil && have < want {
		err = fmt.Errorf("redis: %d replicas have it, %d are needed", have, want)
	}
	return err
}

// moved has the Cluster asked where everything is now.
func (s *Store) moved() {
	if s.cluster != nil {
		s.cluster.ReloadState(s.running)
	}
}

// appended reads the script's answer.
func appended(reply []any) (hub.Appended, error) {
	name, _ := reply[0].(string)
	switch name {
	case "OK":
		return hub.Appended{Answer: hub.OK}, nil
	case "FENCED":
		return hub.Appended{Answer: hub.FENCED}, nil
	case "EPOCH":
		return hub.Appended{Answer: hub.EPOCH}, nil
	case "SEQ":
		head, _ := reply[1].(int64)
		return hub.Appended{Answer: hub.SEQ, Seq: uint64(head)}, nil
	case "DUP":
		index, _ := reply[1].(int64)
		seq, _ := reply[2].(string)
		ack, _ := reply[3].(string)
		answer := hub.Appended{Answer: hub.DUP, Index: int(index)}
		var err, err2 error
		answer.Seq, err = strconv.ParseUint(seq, 10, 64)
		answer.Ack, err2 = strconv.ParseUint(ack, 10, 64)
		return answer, errors.Join(err, err2)
	}
	return hub.Appended{}, fmt.Errorf("redis: append answers %q: %w", name, hub.ErrCorrupt)
}

// readChunk is how many records are asked for at a time.
const readChunk = 256

// Read yields the records of an encounter.
func (s *Store) Read(ctx context.Context, encounter combat.ID, after uint64) iter.Seq2[hub.Record, error] {
	return func(yield func(hub.Record, error) bool) {
		end, err := s.head(ctx, encounter)
		for next := after + 1; err == nil && next <= end; next += readChunk {
			var entries []goredis.XMessage
			last := min(end, next+readChunk-1)
			entries, err = s.client.XRange(ctx, s.key(encounter, "log"), decimal(next), decimal(last)).Result()
			if err != nil {
				break
			}
			for _, entry := range entries {
				var record hub.Record
				if record, err = decode(encounter, entry); err != nil {
					break
				}
				if !yield(record, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(hub.Record{}, err)
		}
	}
}

// head returns the sequence number of the last commit.
func (s *Store) head(ctx context.Context, encounter combat.ID) (uint64, error) {
	pipe := s.client.Pipeline()
	there := pipe.Exists(ctx, s.key(encounter, "meta"))
	length := pipe.XLen(ctx, s.key(encounter, "log"))
	if _, err := pipe.Exec(ctx); err != nil {
		return 0, err
	}
	if there.Val() == 0 {
		return 0, hub.ErrNotFound
	}
	return uint64(length.Val()), nil
}

// decode reads a record.
func decode(encounter combat.ID, entry goredis.XMessage) (hub.Record, error) {
	value, _ := entry.Values[recordField].(string)
	return decodeText(encounter, entry.ID, value)
}

func decodeText(encounter combat.ID, id, value string) (hub.Record, error) {
	var record hub.Record
	if err := json.Unmarshal([]byte(value), &record); err != nil {
		return record, fmt.Errorf("redis: encounter %s commit %s: %w: %w", encounter, id, hub.ErrCorrupt, err)
	}
	record.Bytes = len(value)
	return record, nil
}

// Known finds a command's record by its id.
func (s *Store) Known(ctx context.Context, encounter combat.ID, command string) (hub.Record, error) {
	known, err := s.client.HGet(ctx, s.key(encounter, "ids"), digest(command)).Result()
	if errors.Is(err, goredis.Nil) {
		return hub.Record{}, hub.ErrNotFound
	}
	if err != nil {
		return hub.Record{}, err
	}
	seq, _, _ := strings.Cut(known, " ")
	entries, err := s.client.XRange(ctx, s.key(encounter, "log"), seq, seq).Result()
	if err != nil {
		return hub.Record{}, err
	}
	if len(entries) == 0 {
		return hub.Record{}, fmt.Errorf("redis: encounter %s has no commit %s: %w", encounter, seq, hub.ErrCorrupt)
	}
	return decode(encounter, entries[0])
}

// Keep stores a snapshot.
func (s *Store) Keep(ctx context.Context, encounter combat.ID, grant hub.Grant, snapshot hub.Snapshot) error {
	keys := []string{s.key(encounter, "meta"), s.key(encounter, "snapshots")}
	return keepScript.Run(ctx, s.client, keys, grant.Epoch, grant.Fence, s.instance, snapshot.Seq, snapshot.Data, hub.SnapshotsKept).Err()
}

// Kept returns the newest snapshot up to a commit.
func (s *Store) Kept(ctx context.Context, encounter combat.ID, until uint64) (hub.Snapshot, error) {
	key := s.key(encounter, "snapshots")
	names, err := s.client.HKeys(ctx, key).Result()
	if err != nil {
		return hub.Snapshot{}, err
	}
	best, found := uint64(0), false
	for _, name := range names {
		if seq, err := strconv.ParseUint(name, 10, 64); err == nil && seq <= until && seq >= best {
			best, found = seq, true
		}
	}
	if !found {
		return hub.Snapshot{}, hub.ErrNotFound
	}
	data, err := s.client.HGet(ctx, key, decimal(best)).Bytes()
	if errors.Is(err, goredis.Nil) { // a newer one has taken its place just now
		return hub.Snapshot{}, hub.ErrNotFound
	}
	return hub.Snapshot{Seq: best, Data: data}, err
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
