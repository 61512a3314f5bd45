package redis_test

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"riposte/hub"
	"riposte/hub/hubtest"
)

func split(address string) (host, port string) {
	host, port, _ = net.SplitHostPort(address)
	return host, port
}

func contains(text, part string) bool { return strings.Contains(text, part) }

// behindSentinel starts a primary, a replica that reaches it through a proxy,
// and a sentinel.
func behindSentinel(t *testing.T) (primary, replica, sentinel *hubtest.Redis, between *hubtest.Proxy) {
	t.Helper()
	primary = hubtest.StartRedis(t)
	between = hubtest.StartProxy(t, primary.Addr)
	replica = hubtest.StartRedis(t)
	replicate(t, replica, between.Addr)
	sentinel = hubtest.StartSentinel(t, primary)
	hubtest.Eventually(t, "the sentinel knows the replica", func() bool {
		return contains(sentinel.Do("SENTINEL", "REPLICAS", "main"), replica.Addr)
	})
	return primary, replica, sentinel, between
}

// promoted waits until a server is the primary.
func promoted(t *testing.T, sentinel, server *hubtest.Redis) {
	t.Helper()
	_, port := split(server.Addr)
	hubtest.Eventually(t, "the replica is promoted", func() bool {
		return contains(sentinel.Do("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main"), port) && contains(server.Do("ROLE"), "master")
	})
}

// The suite passes behind a sentinel too.
func TestStoreBehindSentinel(t *testing.T) {
	_, _, sentinel, _ := behindSentinel(t)
	options := quick("redis+sentinel://" + sentinel.Addr + "/main")
	hubtest.TestStore(t, on(options))
}

// A replica that has everything takes over from a primary that was killed: the
// owner goes on under its grant, listeners are told and hear what follows, and
// who acquires the encounter then gives it a new epoch.
func TestFailover(t *testing.T) {
	primary, replica, sentinel, _ := behindSentinel(t)
	options := quick("redis+sentinel://" + sentinel.Addr + "/main")
	options.Lease = time.Minute
	one, two := opened(t, options), opened(t, options)
	l := hubtest.Begin(t, one, "e1")
	l.Append("a")
	hubtest.Eventually(t, "the replica has it", func() bool { return replica.Do("XLEN", "riposte:{e1}:log") == "2" })
	gm, stop := hubtest.Listen(t, two, "e1", "gm")
	defer stop()
	primary.Kill()
	hubtest.Eventually(t, "the store is not ready", func() bool { return ready(t, two) != nil })
	promoted(t, sentinel, replica)
	hubtest.WantFrames(t, gm, hubtest.Missed)
	healthy(t, two)
	if got := appendUntil(t, one, l.Entry("b")); got.Answer != hub.OK || !l.Grant.Good() {
		t.Fatalf("append is answered %+v", got)
	}
	hubtest.WantFrames(t, gm, "gm 3 b")
	before := l.Grant
	l = l.On(one)
	l.Acquire()
	if l.Grant.Epoch == before.Epoch || l.Grant.Fence <= before.Fence {
		t.Fatalf("before %+v, after %+v", before, l.Grant)
	}
	hubtest.WantIDs(t, two, "e1", "e1-create", "a", "b")
}

// A replica that lags takes over: the owner finds that what it acknowledged is
// gone, and nobody can take the history that is left for the one of before.
func TestFailoverLoses(t *testing.T) {
	primary, replica, sentinel, between := behindSentinel(t)
	store := opened(t, quick("redis+sentinel://"+sentinel.Addr+"/main"))
	l := hubtest.Begin(t, store, "e1")
	hubtest.Eventually(t, "the replica has it", func() bool { return replica.Do("XLEN", "riposte:{e1}:log") == "1" })
	between.Cut()
	l.Append("lost")
	primary.Kill()
	promoted(t, sentinel, replica)
	got := appendUntil(t, store, l.Entry("a"))
	if got.Answer != hub.SEQ || got.Seq != 1 {
		t.Fatalf("append is answered %+v", got)
	}
	before := l.Grant
	l = l.On(store)
	l.Acquire()
	if l.Grant.Epoch == before.Epoch || l.Grant.Head != 1 {
		t.Fatalf("before %+v, after %+v", before, l.Grant)
	}
	l.Append("b")
	hubtest.WantIDs(t, store, "e1", "e1-create", "b")
}

// B74: the primary stands still, its replica takes over, and the old one comes
// back as a replica. Listeners hear again, and until then are not ready.
func TestB74OldPrimaryComesBack(t *testing.T) {
	primary, replica, sentinel, _ := behindSentinel(t)
	options := quick("redis+sentinel://" + sentinel.Addr + "/main")
	one, two := opened(t, options), opened(t, options)
	l := hubtest.Begin(t, one, "e1")
	gm, stop := hubtest.Listen(t, two, "e1", "gm")
	defer stop()
	l.Append("a")
	hubtest.WantFrames(t, gm, "gm 2 a")
	hubtest.Eventually(t, "the replica has it", func() bool { return replica.Do("XLEN", "riposte:{e1}:log") == "2" })
	primary.Freeze()
	hubtest.Eventually(t, "the store is not ready", func() bool { return ready(t, two) != nil })
	promoted(t, sentinel, replica)
	primary.Thaw()
	hubtest.WantFrames(t, gm, hubtest.Missed)
	var grant hub.Grant
	hubtest.Eventually(t, "the encounter can be had", func() bool {
		var err error
		if grant, err = one.Acquire(t.Context(), "e1"); err != nil && errors.Is(err, hub.ErrNotFound) {
			t.Fatal(err)
		}
		return err == nil
	})
	l = l.On(one)
	l.Grant = grant
	// The new connection may be one to the old primary, which hears nothing and
	// is found wanting in its turn: then there is one more notice.
	for n := 0; ; n++ {
		healthy(t, two)
		l.Append(fmt.Sprint("b", n))
		if got := <-gm; got != hubtest.Missed {
			break
		}
	}
	healthy(t, two)
}
