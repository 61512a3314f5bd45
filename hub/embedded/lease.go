package embedded

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"

	bolt "go.etcd.io/bbolt"

	"riposte/combat"
	"riposte/hub"
)

// Acquire always grants: this process alone has the file.
func (s *Store) Acquire(ctx context.Context, encounter combat.ID) (hub.Grant, error) {
	grant := hub.Grant{Fence: s.fence, Secret: s.secret}
	now := false
	err := s.view(func(tx *bolt.Tx) error {
		b := tx.Bucket(encountersBucket).Bucket([]byte(encounter))
		if b == nil {
			return hub.ErrNotFound
		}
		now = lifeOf(b) == s.life
		return granted(encounter, b, &grant)
	})
	if err == nil && !now {
		err = s.submit(ctx, func(tx *bolt.Tx) error { return s.revive(tx, encounter, &grant) })
	}
	return grant, err
}

// Release has nothing to give back.
func (s *Store) Release(context.Context, combat.ID, hub.Grant) error { return nil }

// lifeOf is in which of the journal's lives an encounter's history began.
func lifeOf(b *bolt.Bucket) uint64 {
	if life := b.Get(lifeKey); life != nil {
		return binary.BigEndian.Uint64(life)
	}
	return 0
}

// granted reads what a grant says of an encounter.
func granted(encounter combat.ID, b *bolt.Bucket, grant *hub.Grant) error {
	grant.Epoch, grant.Past = string(b.Get(epochKey)), nil
	last, value := b.Bucket(logBucket).Cursor().Last()
	grant.Head = binary.BigEndian.Uint64(last)
	record, err := decode(encounter, grant.Head, value)
	if err != nil {
		return err
	}
	grant.Hash = record.Commit.Hash
	if past := b.Get(pastKey); past != nil {
		return json.Unmarshal(past, &grant.Past)
	}
	return nil
}

// revive gives an encounter of an earlier life a new epoch.
func (s *Store) revive(tx *bolt.Tx, encounter combat.ID, grant *hub.Grant) error {
	b := tx.Bucket(encountersBucket).Bucket([]byte(encounter))
	if b == nil {
		return hub.ErrNotFound
	}
	if err := granted(encounter, b, grant); err != nil || lifeOf(b) == s.life {
		return err
	}
	grant.Past = append(grant.Past, hub.Past{Epoch: grant.Epoch, Head: grant.Head})
	grant.Past = grant.Past[max(0, len(grant.Past)-hub.PastKept):]
	grant.Epoch = newEpoch()
	past, err := json.Marshal(grant.Past)
	if err != nil {
		return err
	}
	return errors.Join(b.Put(pastKey, past), b.Put(epochKey, []byte(grant.Epoch)), b.Put(lifeKey, key(s.life)))
}

// newEpoch makes the name of a history.
func newEpoch() string { return rand.Text()[:16] }
