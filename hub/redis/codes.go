package redis

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"riposte/hub"
)

// A code lies under a key of its own, since who looks for it does not know the
// encounter. On a Cluster that may be on another node than the encounter: the
// place that a code takes among those of its encounter is taken first and given
// back if the code does not come to be. What fails in between takes a place
// until the code would have expired, and no more.

// Salt returns the salt of all codes, made by the first who asks.
func (s *Store) Salt(ctx context.Context) ([32]byte, error) {
	var salt [32]byte
	rand.Read(salt[:]) // never fails
	key := s.options.Prefix + "salt"
	if err := s.client.SetNX(ctx, key, salt[:], 0).Err(); err != nil {
		return salt, err
	}
	kept, err := s.client.Get(ctx, key).Bytes()
	if err == nil && copy(salt[:], kept) != len(salt) {
		err = fmt.Errorf("redis: salt: %w", hub.ErrCorrupt)
	}
	return salt, err
}

// AddCode keeps a code, which Redis forgets by itself.
func (s *Store) AddCode(ctx context.Context, code string, c hub.Code, limit int) error {
	value, err := json.Marshal(c)
	if err != nil {
		return err
	}
	places, place := s.key(c.Encounter, "codes"), code+" "+rand.Text()[:16]
	answer, err := reserveScript.Run(ctx, s.client, []string{s.key(c.Encounter, "meta"), places},
		place, c.Expires.UnixMilli(), time.Now().UnixMilli(), limit).Text()
	switch {
	case err != nil:
		return err
	case answer == "GONE":
		return hub.ErrNotFound
	case answer == "FULL":
		return hub.ErrFull
	}
	err = s.putCode(ctx, s.codeKey(code), value, c.Expires)
	if errors.Is(err, hub.ErrTaken) {
		err = errors.Join(err, s.client.ZRem(ctx, places, place).Err())
	}
	return err
}

// putCode writes a code and waits for replicas if they are asked for.
func (s *Store) putCode(ctx context.Context, key string, value []byte, expires time.Time) error {
	node, _, err := s.node(ctx, key)
	if err != nil {
		return err
	}
	pipe := node.Pipeline()
	put := pipe.SetArgs(ctx, key, value, goredis.SetArgs{Mode: "NX", ExpireAt: expires})
	var have *goredis.Cmd
	if s.options.Replicas > 0 {
		have = pipe.Do(ctx, "WAIT", s.options.Replicas, replicaTimeout.Milliseconds())
	}
	_, err = pipe.Exec(ctx)
	switch {
	case errors.Is(put.Err(), goredis.Nil):
		return hub.ErrTaken
	case err != nil:
		s.moved()
		return err
	case have != nil:
		return enough(have, s.options.Replicas)
	}
	return nil
}

// FindCode looks a code up.
func (s *Store) FindCode(ctx context.Context, code string) (hub.Code, error) {
	value, err := s.client.Get(ctx, s.codeKey(code)).Bytes()
	if errors.Is(err, goredis.Nil) {
		return hub.Code{}, hub.ErrNotFound
	}
	if err != nil {
		return hub.Code{}, err
	}
	var c hub.Code
	if err := json.Unmarshal(value, &c); err != nil {
		return hub.Code{}, fmt.Errorf("redis: code: %w: %w", hub.ErrCorrupt, err)
	}
	return c, nil
}

// codeKey is the name of a code's key.
func (s *Store) codeKey(code string) string { return s.options.Prefix + "code:" + code }
