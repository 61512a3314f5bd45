package hub

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	"riposte/combat"
)

// snapshotFormat is the form of a snapshot. One of another form is as good as
// none.
const snapshotFormat = 1

// snapshot is what an owner stores of an encounter now and then: all that
// folding the log up to there would give, but the states to undo to. So a load
// begins with one that lies Limits.SnapshotEvery commits back at least, and
// undo reaches that far after it.
type snapshot struct {
	Format int               `json:"format"`
	State  *combat.State     `json:"state"`
	Hash   string            `json:"hash"`  // of the last commit
	Bytes  int64             `json:"bytes"` // of the log
	Seqs   map[string]uint64 `json:"seqs"`  // each audience's counter
	Ends   ends              `json:"ends,omitempty"`
}

// restore begins with the newest snapshot that is old enough, if there is one.
// It returns the audiences' counters there.
func (a *actor) restore(ctx context.Context) (map[string]uint64, error) {
	counters := map[string]uint64{}
	back := uint64(a.hub.limits.SnapshotEvery)
	if a.grant.Head <= back {
		return counters, nil
	}
	kept, err := a.hub.store.Kept(ctx, a.id, a.grant.Head-back)
	if errors.Is(err, ErrNotFound) {
		return counters, nil
	}
	if err != nil {
		return nil, err
	}
	var s snapshot
	if err := json.Unmarshal(kept.Data, &s); err != nil || s.Format != snapshotFormat || s.State == nil || s.State.Seq != kept.Seq {
		a.log.Warn("a snapshot is no good, the whole log is read", "seq", kept.Seq, "err", err)
		return counters, nil
	}
	if !toldBy(s.State, a.hub.now()) {
		return counters, nil // what spectators know lies before it
	}
	a.state, a.hash, a.bytes = s.State, s.Hash, s.Bytes
	a.outcomes.partial = true
	if s.Seqs != nil {
		counters = s.Seqs
	}
	for _, past := range a.grant.Past {
		if seqs, has := s.Ends[past.Epoch]; has && past.Head < s.State.Seq {
			a.ends[past.Epoch] = seqs
		}
	}
	a.ends.note(a.grant.Past, s.State.Seq, func() map[string]uint64 { return a.counted(counters) })
	return counters, nil
}

// keep stores a snapshot of the state as it is now, beside the actor's work:
// nothing depends on it.
func (a *actor) keep() {
	s := snapshot{Format: snapshotFormat, State: a.state, Hash: a.hash, Bytes: a.bytes, Seqs: a.counted(nil), Ends: maps.Clone(a.ends)}
	a.hub.actors.Go(func() {
		ctx, cancel := context.WithTimeout(a.hub.running, a.hub.limits.AppendTimeout)
		defer cancel()
		if err := a.hub.store.Keep(ctx, a.id, a.grant, Snapshot{Seq: s.State.Seq, Data: encode(s)}); err != nil {
			a.log.Warn("a snapshot is not stored", "err", err)
		}
	})
}
