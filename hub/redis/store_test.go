package redis_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

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
		}
	}
}

func TestShared(t *testing.T) {
	hubtest.TestShared(t, shared(hubtest.StartRedis(t)))
}
