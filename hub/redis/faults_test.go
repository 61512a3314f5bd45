package redis_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"riposte/hub"
	"riposte/hub/hubtest"
	"riposte/hub/redis"
)

// quick are options with which faults are noticed soon.
func quick(url string) redis.Options {
	return redis.Options{URL: url, Probe: 100 * time.Millisecond}
}

// opened opens a store until the end of the test.
func opened(t *testing.T, options redis.Options) *redis.Store {
	t.Helper()
	store := open(t, options)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return store
}

// appendUntil repeats an entry until its outcome is known, as an owner does.
func appendUntil(t *testing.T, store hub.Store, e *hub.Entry) hub.Appended {
	t.Helper()
	var got hub.Appended
	hubtest.Eventually(t, "an append is answered", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var err error
		got, err = store.Append(ctx, e)
		if errors.Is(err, hub.ErrCorrupt) {
			t.Fatal(err)
		}
		return err == nil
	})
	return got
}

// healthy waits until a store says that all is well with it.
func healthy(t *testing.T, store hub.Store) {
	t.Helper()
	hubtest.Eventually(t, "the store is ready", func() bool { return ready(t, store) == nil })
}

func ready(t *testing.T, store hub.Store) error {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	return store.Ready(ctx)
}

// All connections are killed, those for commands and those for subscriptions.
func TestClientKill(t *testing.T) {
	server := hubtest.StartRedis(t)
	one, two := opened(t, quick("redis://"+server.Addr)), opened(t, quick("redis://"+server.Addr))
	l := hubtest.Begin(t, one, "e1")
	gm, stop := hubtest.Listen(t, two, "e1", "gm")
	defer stop()
	l.Append("a")
	hubtest.WantFrames(t, gm, "gm 2 a")
	for _, kind := range []string{"pubsub", "normal"} {
		server.Do("CLIENT", "KILL", "TYPE", kind)
		if kind == "pubsub" {
			hubtest.WantFrames(t, gm, hubtest.Missed)
		}
		if got := appendUntil(t, one, l.Entry(kind)); got.Answer != hub.OK {
			t.Fatalf("append is answered %v", got.Answer)
		}
		l = l.On(one)
		l.Acquire()
	}
	hubtest.WantFrames(t, gm, "gm 3 pubsub", "gm 4 normal")
	healthy(t, one)
	healthy(t, two)
	hubtest.WantIDs(t, two, "e1", "e1-create", "a", "pubsub", "normal")
}

// Redis stands still: readiness says so, an append waits, and both are well
// again when it goes on. Nothing is lost and nothing is there twice.
func TestFrozen(t *testing.T) {
	server := hubtest.StartRedis(t)
	store := opened(t, quick("redis://"+server.Addr))
	l := hubtest.Begin(t, store, "e1")
	gm, stop := hubtest.Listen(t, store, "e1", "gm")
	defer stop()
	healthy(t, store)
	server.Freeze()
	e := l.Entry("a", "b")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if got, err := store.Append(ctx, e); err == nil {
		t.Fatalf("a Redis that stands still answers %v", got.Answer)
	}
	hubtest.Eventually(t, "the store is not ready", func() bool { return ready(t, store) != nil })
	server.Thaw()
	if got := appendUntil(t, store, e); got.Answer != hub.OK {
		t.Fatalf("append is answered %v", got.Answer)
	}
	healthy(t, store)
	hubtest.WantIDs(t, store, "e1", "e1-create", "a", "b")
	// The frames came, or it was said that they may not have.
	select {
	case got := <-gm:
		if got != "gm 2 a" && got != hubtest.Missed {
			t.Fatalf("the first that is heard is %q", got)
		}
	case <-t.Context().Done():
	}
}

// kill -9 of Redis, and a start on its append-only file: all that was
// acknowledged is there, the owner goes on, and who acquires the encounter then
// gives it a new epoch.
func TestRestart(t *testing.T) {
	server := hubtest.StartRedis(t)
	options := quick("redis://" + server.Addr)
	options.Lease = time.Minute
	store := opened(t, options)
	l := hubtest.Begin(t, store, "e1")
	gm, stop := hubtest.Listen(t, store, "e1", "gm")
	defer stop()
	l.Append("a", "b")
	hubtest.WantFrames(t, gm, "gm 2 a", "gm 3 b")
	before := l.Grant
	server.Kill()
	hubtest.Eventually(t, "the store is not ready", func() bool { return ready(t, store) != nil })
	server.Start()
	hubtest.WantFrames(t, gm, hubtest.Missed)
	healthy(t, store)
	if got := appendUntil(t, store, l.Entry("c")); got.Answer != hub.OK || !l.Grant.Good() {
		t.Fatalf("append is answered %v", got.Answer)
	}
	hubtest.WantFrames(t, gm, "gm 4 c")
	l = l.On(store)
	l.Acquire()
	if l.Grant.Epoch == before.Epoch || l.Grant.Fence <= before.Fence || l.Grant.Secret != before.Secret {
		t.Fatalf("before %+v, after %+v", before, l.Grant)
	}
	if past := l.Grant.Past; len(before.Past) != 0 || len(past) != 1 || past[0] != (hub.Past{Epoch: before.Epoch, Head: 4}) {
		t.Fatalf("the past is %+v, before %+v", past, before.Past)
	}
	l.Append("d")
	epoch := l.Grant.Epoch
	if l.Acquire(); l.Grant.Epoch != epoch {
		t.Fatal("the epoch changes without a reason")
	}
	for range hub.PastKept + 2 {
		server.Do("HSET", "riposte:{e1}:meta", "run", "another")
		last := l.Grant.Epoch
		l.Acquire()
		if past := l.Grant.Past; past[len(past)-1] != (hub.Past{Epoch: last, Head: 5}) || len(past) > hub.PastKept {
			t.Fatalf("%d are past, the last of them %+v, not %s", len(past), past[len(past)-1], last)
		}
	}
	hubtest.WantIDs(t, store, "e1", "e1-create", "a", "b", "c", "d")
}

// Redis is emptied: the owner is told at once and the encounter is not there any
// more, for anybody.
func TestEmptied(t *testing.T) {
	server := hubtest.StartRedis(t)
	store := opened(t, quick("redis://"+server.Addr))
	l := hubtest.Begin(t, store, "e1")
	l.Append("a")
	server.Do("FLUSHALL")
	l.Expect(l.Entry("b"), hub.EPOCH)
	<-l.Grant.Lost
	if _, err := store.Acquire(t.Context(), "e1"); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("acquire: %v", err)
	}
	for _, err := range store.Read(t.Context(), "e1", 0) {
		if !errors.Is(err, hub.ErrNotFound) {
			t.Fatalf("read: %v", err)
		}
	}
	hubtest.Begin(t, store, "e2").Append("a")
}

// An owner that appends nothing hears of it as well.
func TestEmptiedWhileIdle(t *testing.T) {
	server := hubtest.StartRedis(t)
	options := quick("redis://" + server.Addr)
	options.Lease = 500 * time.Millisecond
	l := hubtest.Begin(t, opened(t, options), "e1")
	server.Do("FLUSHALL")
	<-l.Grant.Lost
}

// Parts of an encounter are gone, as an eviction leaves it: nothing is added to
// the rest.
func TestPartlyGone(t *testing.T) {
	server := hubtest.StartRedis(t)
	store := opened(t, quick("redis://"+server.Addr))
	for _, part := range []string{"log", "ids"} {
		l := hubtest.Begin(t, store, "e-"+"e1")
		l.Append("a")
		server.Do("DEL", "riposte:{e-e1}:"+part)
		if got, err := store.Append(t.Context(), l.Entry("b")); !errors.Is(err, hub.ErrCorrupt) {
			t.Fatalf("without %s: %v, %v", part, got.Answer, err)
		}
		if _, err := store.Acquire(t.Context(), "e-e1"); !errors.Is(err, hub.ErrCorrupt) {
			t.Fatalf("without %s: %v", part, err)
		}
		server.Do("FLUSHALL")
	}
}

// With a replica that is asked for, nothing is acknowledged that it lacks.
func TestReplicas(t *testing.T) {
	primary := hubtest.StartRedis(t)
	proxy := hubtest.StartProxy(t, primary.Addr)
	replica := hubtest.StartRedis(t)
	replicate(t, replica, proxy.Addr)
	options := quick("redis://" + primary.Addr)
	options.Replicas, options.Lease = 1, time.Minute
	store := opened(t, options)
	primary.Do("SCRIPT", "FLUSH")
	l := hubtest.Begin(t, store, "e1")
	l.Append("a")
	proxy.Cut()
	e := l.Entry("b")
	if got, err := store.Append(t.Context(), e); err == nil {
		t.Fatalf("answered %v though the replica lacks it", got.Answer)
	}
	proxy.Heal()
	if got := appendUntil(t, store, e); got.Answer != hub.OK {
		t.Fatalf("append is answered %v", got.Answer)
	}
	primary.Kill()
	if got := replica.Do("XLEN", "riposte:{e1}:log"); got != "3" {
		t.Fatalf("the replica has %s commits", got)
	}
}

// replicate makes a server the replica of another one and waits until it is up
// to date.
func replicate(t *testing.T, replica *hubtest.Redis, primary string) {
	t.Helper()
	host, port := split(primary)
	replica.Do("REPLICAOF", host, port)
	hubtest.Eventually(t, "the replica is linked", func() bool { return contains(replica.Do("INFO", "replication"), "master_link_status:up") })
}
