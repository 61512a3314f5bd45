package embedded

import (
	"context"
	"encoding/binary"

	bolt "go.etcd.io/bbolt"

	"riposte/combat"
	"riposte/hub"
)

// Keep implements hub.Journal.
func (s *Store) Keep(ctx context.Context, encounter combat.ID, grant hub.Grant, snapshot hub.Snapshot) error {
	return s.submit(ctx, func(tx *bolt.Tx) error {
		b := tx.Bucket(encountersBucket).Bucket([]byte(encounter))
		if b == nil || grant.Fence != s.fence || string(b.Get(epochKey)) != grant.Epoch {
			return nil
		}
		kept, err := b.CreateBucketIfNotExists(snapshotsBucket)
		if err != nil {
			return err
		}
		if err := kept.Put(key(snapshot.Seq), snapshot.Data); err != nil {
			return err
		}
		n := 0
		var old [][]byte
		cursor := kept.Cursor()
		for k, _ := cursor.Last(); k != nil; k, _ = cursor.Prev() {
			if n++; n > hub.SnapshotsKept {
				old = append(old, append([]byte(nil), k...))
			}
		}
		for _, k := range old {
			if err := kept.Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// Kept implements hub.Journal.
func (s *Store) Kept(_ context.Context, encounter combat.ID, until uint64) (hub.Snapshot, error) {
	snapshot, found := hub.Snapshot{}, false
	err := s.view(func(tx *bolt.Tx) error {
		b := tx.Bucket(encountersBucket).Bucket([]byte(encounter))
		if b == nil || b.Bucket(snapshotsBucket) == nil {
			return nil
		}
		cursor := b.Bucket(snapshotsBucket).Cursor()
		for k, v := cursor.Last(); k != nil; k, v = cursor.Prev() {
			if seq := binary.BigEndian.Uint64(k); seq <= until {
				snapshot, found = hub.Snapshot{Seq: seq, Data: append([]byte(nil), v...)}, true
				return nil
			}
		}
		return nil
	})
	if err == nil && !found {
		err = hub.ErrNotFound
	}
	return snapshot, err
}
