package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub/hubtest"
)

// outage is a table with one viewer at each instance. The owner is the first
// instance's to begin with.
type outage struct {
	cluster *cluster
	table   *hubtest.Table
	viewers []*hubtest.Browser
	acked   []string // ids of all commands that were acknowledged
}

func newOutage(b *testing.B, lease time.Duration) *outage {
	b.Helper()
	o := &outage{cluster: startCluster(b, 2, "-lease", lease.String())}
	o.table = hubtest.Create(b, o.cluster.instances[0].url, nil)
	for i, one := range o.cluster.instances {
		v := o.table.Browse(o.table.Tokens[combat.RoleGM], rand.New(rand.NewPCG(1, uint64(i))), func() string { return one.url }, func([]byte) {})
		b.Cleanup(v.Close)
		o.viewers = append(o.viewers, v)
		o.command(b, i)
	}
	return o
}

// command sends a command at an instance and waits for its acknowledgement.
func (o *outage) command(b *testing.B, at int) {
	b.Helper()
	id := uuid.NewString()
	reply, err := o.viewers[at].Do(b.Context(), id, combat.Note{Text: "on"})
	if err != nil || reply.Ack == nil {
		b.Fatalf("%v, %s", err, reply.Code())
	}
	o.acked = append(o.acked, id)
}

// until returns the time from a fault to the first acknowledgement at an
// instance, and ends the fault.
func (o *outage) until(b *testing.B, f fault, victim, at int) time.Duration {
	b.Helper()
	start := time.Now()
	heal := f.strike(o.cluster, o.cluster.instances[victim])
	if f.restarts {
		heal() // it is back at once: what is measured is what that costs
		heal = nil
	}
	o.command(b, at)
	took := time.Since(start)
	if heal != nil {
		heal()
	}
	return took
}

// whole fails if a command that was acknowledged is not in the log.
func (o *outage) whole(b *testing.B) {
	b.Helper()
	log := map[string]bool{}
	for _, r := range readLog(b, o.cluster, o.table.ID) {
		log[r.Commit.ID] = true
	}
	lost := 0
	for _, id := range o.acked {
		if !log[id] {
			lost++
		}
	}
	b.ReportMetric(float64(lost), "lost")
	if lost > 0 {
		b.Errorf("%d of %d acknowledged commands are lost", lost, len(o.acked))
	}
}

// BenchmarkTakeOver measures the time from the loss of an owner to the first
// acknowledgement of a command at another instance, by the way in which it is
// lost; and from the stop of a Redis that starts again at once to the next one.
func BenchmarkTakeOver(b *testing.B) {
	for _, lease := range []time.Duration{10 * time.Second, 2 * time.Second} {
		for _, f := range []fault{killed, stopped, cutOff, halfOpen, drained, redisRestarted, redisCrashed} {
			name := f.name
			if f.redis {
				name = "Redis " + name
			}
			b.Run("lease="+lease.String()+"/"+strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
				o := newOutage(b, lease)
				var took []time.Duration
				for b.Loop() {
					owner := o.cluster.indexOf(o.cluster.owner())
					other := 1 - owner
					for at := range o.viewers {
						o.command(b, at) // both are there, and see each other
					}
					took = append(took, o.until(b, f, owner, other))
				}
				slices.Sort(took)
				b.ReportMetric(0, "ns/op") // of all that goes with it; not shown
				b.ReportMetric(took[len(took)/2].Seconds(), "median-s")
				b.ReportMetric(took[len(took)-1].Seconds(), "worst-s")
				o.whole(b)
				if load, err := os.ReadFile("/proc/loadavg"); err == nil {
					b.Logf("load average %s", strings.TrimSpace(string(load)))
				}
			})
		}
	}
}
