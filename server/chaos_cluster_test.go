package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"riposte/hub/hubtest"
)

// cluster is several instances on one Redis, each with a network of its own in
// between that can be hurt.
type cluster struct {
	t         testing.TB
	redis     *hubtest.Redis
	instances []*instance
}

// instance is one of them. It has the same address and the same log file
// however often it starts.
type instance struct {
	t       testing.TB
	name    string
	url     string
	metrics string // address
	flags   []string
	log     *os.File
	link    *toxiproxy.Proxy // to Redis
	process *process         // nil while it is down
}

// startCluster starts n instances. When the test fails, their logs stay, with what
// each of their goroutines did.
func startCluster(t testing.TB, n int, flags ...string) *cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "riposte-instances-")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the logs of %s are in %s", c.urls(), dir)
			return
		}
		os.RemoveAll(dir)
	})
	c.redis = hubtest.StartRedis(t)
	network := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	for i := range n {
		one := &instance{t: t, name: fmt.Sprintf("instance %d", i+1), url: "http://127.0.0.1:" + hubtest.FreePort(t), metrics: "127.0.0.1:" + hubtest.FreePort(t)}
		one.link = toxiproxy.NewProxy(network, one.name, "127.0.0.1:"+hubtest.FreePort(t), c.redis.Addr)
		one.connect()
		t.Cleanup(one.link.Stop)
		if one.log, err = os.Create(filepath.Join(dir, fmt.Sprintf("instance-%d.log", i+1))); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { one.log.Close() })
		one.flags = append([]string{"serve", "-listen", strings.TrimPrefix(one.url, "http://"), "-metrics-listen", one.metrics,
			"-redis", "redis://" + one.link.Listen}, flags...)
		one.start()
		c.instances = append(c.instances, one)
	}
	return c
}

// connect lets the instance reach Redis.
func (i *instance) connect() {
	i.t.Helper()
	if err := i.link.Start(); err != nil {
		i.t.Fatal(err)
	}
}

// start starts the process and waits until it serves.
func (i *instance) start() {
	i.t.Helper()
	cmd := command(context.Background(), i.flags...)
	cmd.Stderr = i.log
	p := start(i.t, cmd)
	i.process = p
	i.t.Cleanup(func() {
		if i.t.Failed() && i.process == p {
			// What it does is in its log then.
			i.signal(syscall.SIGCONT)
			i.signal(syscall.SIGQUIT)
			<-p.read
		}
	})
}

// kill is kill -9.
func (i *instance) kill() {
	i.process.kill()
	i.process = nil
}

// drain is a stop in good order, which has to succeed.
func (i *instance) drain() {
	i.t.Helper()
	i.process.terminate()
	i.process = nil
}

// signal sends the process a signal.
func (i *instance) signal(which syscall.Signal) {
	i.t.Helper()
	if err := i.process.cmd.Process.Signal(which); err != nil {
		i.t.Fatal(err)
	}
}

// hurt makes the link to Redis behave badly in one direction: what the instance
// sends is upstream.
func (i *instance) hurt(direction, toxic string, attributes map[string]int) {
	i.t.Helper()
	data, err := json.Marshal(map[string]any{"type": toxic, "stream": direction, "attributes": attributes})
	if err != nil {
		i.t.Fatal(err)
	}
	if _, err := i.link.Toxics.AddToxicJson(strings.NewReader(string(data))); err != nil {
		i.t.Fatal(err)
	}
}

// cure gives the link back as it was. Connections that have lost something are
// over.
func (i *instance) cure() {
	i.t.Helper()
	i.link.Stop()
	i.link.Toxics.ResetToxics(context.Background())
	i.connect()
}

// owns reports whether the instance owns an encounter.
func (i *instance) owns() bool {
	if i.process == nil {
		return false
	}
	answer := hubtest.Request(i.t, http.MethodGet, "http://"+i.metrics+"/metrics", "", nil)
	for line := range strings.Lines(string(answer.Body)) {
		if count, is := strings.CutPrefix(line, "riposte_redis_leases "); is {
			return strings.TrimSpace(count) != "0"
		}
	}
	i.t.Fatalf("%s does not say what it owns", i.name)
	return false
}

// owner waits until one instance owns an encounter, and returns it.
func (c *cluster) owner() (owner *instance) {
	c.t.Helper()
	hubtest.Eventually(c.t, "the encounter has an owner", func() bool {
		for _, one := range c.instances {
			if one.owns() {
				owner = one
			}
		}
		return owner != nil
	})
	return owner
}

// indexOf is an instance's place.
func (c *cluster) indexOf(one *instance) int { return slices.Index(c.instances, one) }

// urls are the instances' addresses.
func (c *cluster) urls() (all []string) {
	for _, one := range c.instances {
		all = append(all, one.url)
	}
	return all
}

// logs returns what an instance has logged so far.
func (i *instance) logs() string {
	data, err := os.ReadFile(i.log.Name())
	if err != nil {
		i.t.Fatal(err)
	}
	return string(data)
}
