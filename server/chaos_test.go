package main

import (
	"context"
	"flag"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"riposte/hub/hubtest"
)

var (
	chaosTime = flag.Duration("chaos", 0, "how long TestChaos hurts the instances at random; 0: each kind of fault once")
	chaosSeed = flag.Uint64("chaos-seed", 0, "seed of -chaos; 0: one by the clock")
)

// chaos is a cluster under load that is being hurt.
type chaos struct {
	*testing.T
	cluster   *cluster
	load      *load
	histories int // that there may be
}

// Whatever fails, in whatever order: nothing that was acknowledged is lost,
// nothing applies twice, no screen goes back or shows what it should not, time
// runs out once, and there is one history, in the order in which it was
// acknowledged.
func TestChaos(t *testing.T) {
	t.Parallel()
	seed, pause := uint64(1), 60*time.Millisecond
	if *chaosTime > 0 {
		if seed, pause = *chaosSeed, 150*time.Millisecond; seed == 0 {
			seed = uint64(time.Now().UnixNano()) % 1_000_000
		}
		t.Logf("seed %d", seed)
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("again: make chaos CHAOS_TIME=%s CHAOS_SEED=%d", *chaosTime, seed)
			}
		})
	}
	cluster := startCluster(t, 3, "-lease", "1500ms")
	c := &chaos{T: t, cluster: cluster, load: newLoad(t, cluster.urls(), seed, pause), histories: 1}
	playing, stop := context.WithCancel(t.Context())
	defer stop()
	c.load.play(playing)
	c.served()
	if *chaosTime > 0 {
		c.atRandom(rand.New(rand.NewPCG(seed, 2)), *chaosTime)
	} else {
		c.eachOnce()
	}
	stop()
	c.load.settle()
	c.served()
	c.load.end()
	c.load.check(c.cluster, c.histories)
}

// eachOnce has each kind of fault happen, one round after the other: the first
// of a round to the owner, the second to another instance. Where the owner is
// lost, a round ends when one that is well has taken over.
func (c *chaos) eachOnce() {
	for _, round := range [][]fault{
		{clientsKilled}, {killed}, {subscribersKilled}, {drained, slow}, {redisCrashed}, {cutOff}, {stopped, halfOpen}, {unanswered},
	} {
		first := c.cluster.indexOf(c.cluster.owner())
		var hit []int
		var heal []func()
		for i, kind := range round {
			hit = append(hit, (first+i)%len(c.cluster.instances))
			heal = append(heal, c.strike(kind, hit[i]))
		}
		if round[0].owner {
			c.load.answered((first + len(round)) % len(c.cluster.instances))
		}
		for _, victim := range hit {
			c.load.readAt(victim)
		}
		c.load.playFor(100 * time.Millisecond) // so that they wait there
		for _, do := range heal {
			do()
		}
		c.served()
	}
}

// atRandom has faults happen in any order and at the same time, to anybody.
func (c *chaos) atRandom(rng *rand.Rand, total time.Duration) {
	for end := time.Now().Add(total); time.Now().Before(end); {
		kinds := rng.Perm(len(faults))[:1+rng.IntN(3)]
		victims := rng.Perm(len(c.cluster.instances))
		var heal []func()
		healRedis := func() {}
		hurt := false // Redis is, already
		for i, kind := range kinds {
			switch f := faults[kind]; {
			case !f.redis:
				heal = append(heal, c.strike(f, victims[i]))
			case !hurt:
				hurt, healRedis = true, c.strike(f, victims[i])
			}
			c.load.playFor(time.Duration(rng.Int64N(int64(2 * time.Second))))
		}
		c.load.playFor(time.Duration(rng.Int64N(int64(8 * time.Second))))
		for i := range kinds {
			c.load.readAt(victims[i])
		}
		rng.Shuffle(len(heal), func(i, j int) { heal[i], heal[j] = heal[j], heal[i] })
		// An instance does not start without Redis.
		for _, do := range append([]func(){healRedis}, heal...) {
			do()
			c.load.playFor(time.Duration(rng.Int64N(int64(time.Second))))
		}
		if rng.IntN(2) == 0 {
			c.served()
		}
	}
}

// strike has a fault happen and returns what ends it.
func (c *chaos) strike(f fault, victim int) (heal func()) {
	c.Helper()
	one := c.cluster.instances[victim]
	whom := one.name
	if f.redis {
		whom = "Redis"
	}
	c.Logf("%8.3f s: %s is %s", time.Since(c.load.begun).Seconds(), whom, f.name)
	if f.restarts {
		c.histories++
	}
	end := f.strike(c.cluster, one)
	return func() {
		if end != nil {
			c.Logf("%8.3f s: %s is not %s any more", time.Since(c.load.begun).Seconds(), whom, f.name)
			end()
		}
	}
}

// served waits until every instance is ready and acknowledges a command.
func (c *chaos) served() {
	c.Helper()
	for i, one := range c.cluster.instances {
		hubtest.Eventually(c, one.name+" is ready", func() bool {
			return hubtest.Request(c, http.MethodGet, one.url+"/readyz", "", nil).Status == http.StatusOK
		})
		c.load.answered(i)
	}
}
