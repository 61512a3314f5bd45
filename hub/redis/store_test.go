package redis_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"riposte/hub"
	"riposte/hub/hubtest"
	"riposte/hub/redis"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tests counts, so that each has keys of its own.
var tests atomic.Int64

// on makes fresh data at a URL.
func on(options redis.Options) func(t *testing.T) hubtest.Open {
	return func(t *testing.T) hubtest.Open {
		options.Prefix = fmt.Sprintf("test%d:", tests.Add(1))
		return func(t *testing.T) hub.Store { return open(t, options) }
	}
}

func open(t *testing.T, options redis.Options) *redis.Store {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	store, err := redis.Open(ctx, options)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestStore(t *testing.T) {
	server := hubtest.StartRedis(t)
	hubtest.TestStore(t, on(redis.Options{URL: "redis://" + server.Addr}))
}

func TestStoreOnCluster(t *testing.T) {
	nodes := hubtest.StartCluster(t)
	hubtest.TestStore(t, on(redis.Options{URL: "redis+cluster://" + nodes[1].Addr + "," + nodes[2].Addr}))
}

// shared makes stores for several instances on a server. Those behind a proxy
// have a short lease and notice soon that they are deaf.
func shared(server *hubtest.Redis) func(t *testing.T) hubtest.Shared {
	return func(t *testing.T) hubtest.Shared {
		prefix := fmt.Sprintf("test%d:", tests.Add(1))
		return hubtest.Shared{
			Open: func(t *testing.T) hub.Store {
				return open(t, redis.Options{URL: "redis://" + server.Addr, Prefix: prefix})
			},
			OpenBehind: func(t *testing.T) (hub.Store, hubtest.Way) {
				proxy := hubtest.StartProxy(t, server.Addr)
				return open(t, redis.Options{URL: "redis://" + proxy.Addr, Prefix: prefix,
					Lease: 2 * time.Second, Probe: 100 * time.Millisecond}), proxy
			},
			Copy: func(t *testing.T) func() { return copied(t, server.Addr, prefix) },
		}
	}
}

// copied copies all keys with a prefix, and returns what puts them back, all at
// one moment.
func copied(t *testing.T, addr, prefix string) (putBack func()) {
	t.Helper()
	client := goredis.NewClient(&goredis.Options{Addr: addr})
	t.Cleanup(func() { client.Close() })
	keys := func() []string {
		all, err := client.Keys(t.Context(), prefix+"*").Result()
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	values := map[string]string{}
	lives := map[string]time.Duration{}
	for _, key := range keys() {
		value, err := client.Dump(t.Context(), key).Result()
		if err != nil {
			t.Fatal(err)
		}
		values[key], lives[key] = value, max(0, client.PTTL(t.Context(), key).Val())
	}
	return func() {
		t.Helper()
		all := client.TxPipeline()
		all.Del(t.Context(), keys()...)
		for key, value := range values {
			all.Restore(t.Context(), key, lives[key], value)
		}
		if _, err := all.Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestShared(t *testing.T) {
	hubtest.TestShared(t, shared(hubtest.StartRedis(t)))
}
