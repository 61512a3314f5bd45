package embedded

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"

	"riposte/hub"
)

// sweepAtOnce bounds how many codes that have expired one write clears away.
const sweepAtOnce = 256

// Salt implements hub.Codes. It is derived from the store's secret, so that it
// need not be kept.
func (s *Store) Salt(context.Context) ([32]byte, error) {
	mac := hmac.New(sha256.New, s.secret[:])
	mac.Write([]byte("codes"))
	return [32]byte(mac.Sum(nil)), s.broken()
}

// AddCode implements hub.Codes.
func (s *Store) AddCode(ctx context.Context, code string, c hub.Code, limit int) error {
	return s.submit(ctx, func(tx *bolt.Tx) error {
		now := time.Now()
		if err := sweep(tx, now); err != nil {
			return err
		}
		b := tx.Bucket(encountersBucket).Bucket([]byte(c.Encounter))
		if b == nil {
			return hub.ErrNotFound
		}
		if tx.Bucket(codesBucket).Get([]byte(code)) != nil {
			return hub.ErrTaken
		}
		if own := b.Bucket(codesBucket); own != nil {
			n, cursor := 0, own.Cursor()
			for k, expires := cursor.First(); k != nil; k, expires = cursor.Next() {
				if binary.BigEndian.Uint64(expires) > uint64(now.UnixMilli()) {
					n++
				}
			}
			if n >= limit {
				return hub.ErrFull
			}
		}
		return keepCode(tx, code, c)
	})
}

// keepCode stores a code where it is looked for.
func keepCode(tx *bolt.Tx, code string, c hub.Code) error {
	value, err := json.Marshal(c)
	if err != nil {
		return err
	}
	own, err := tx.Bucket(encountersBucket).Bucket([]byte(c.Encounter)).CreateBucketIfNotExists(codesBucket)
	if err != nil {
		return err
	}
	expires := key(uint64(c.Expires.UnixMilli()))
	if err := own.Put([]byte(code), expires); err != nil {
		return err
	}
	if err := tx.Bucket(codesBucket).Put([]byte(code), value); err != nil {
		return err
	}
	return tx.Bucket(codeEndsBucket).Put(append(expires, code...), []byte(c.Encounter))
}

// sweep clears away codes that have expired, the oldest first.
func sweep(tx *bolt.Tx, now time.Time) error {
	ends, codes := tx.Bucket(codeEndsBucket), tx.Bucket(codesBucket)
	var over [][]byte
	cursor := ends.Cursor()
	for k, _ := cursor.First(); k != nil && len(over) < sweepAtOnce && bytes.Compare(k[:8], key(uint64(now.UnixMilli()))) <= 0; k, _ = cursor.Next() {
		over = append(over, bytes.Clone(k))
	}
	for _, end := range over {
		encounter, code := bytes.Clone(ends.Get(end)), end[8:]
		if err := ends.Delete(end); err != nil {
			return err
		}
		if err := codes.Delete(code); err != nil {
			return err
		}
		if b := tx.Bucket(encountersBucket).Bucket(encounter); b != nil && b.Bucket(codesBucket) != nil {
			if err := b.Bucket(codesBucket).Delete(code); err != nil {
				return err
			}
		}
	}
	return nil
}

// FindCode implements hub.Codes.
func (s *Store) FindCode(_ context.Context, code string) (hub.Code, error) {
	var c hub.Code
	err := s.view(func(tx *bolt.Tx) error {
		value := tx.Bucket(codesBucket).Get([]byte(code))
		if value == nil {
			return hub.ErrNotFound
		}
		if err := json.Unmarshal(value, &c); err != nil {
			return fmt.Errorf("embedded: code: %w: %w", hub.ErrCorrupt, err)
		}
		if !time.Now().Before(c.Expires) {
			return hub.ErrNotFound
		}
		return nil
	})
	if err != nil {
		return hub.Code{}, err
	}
	return c, nil
}
