package redis

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	goredis "github.com/redis/go-redis/v9"

	"riposte/combat"
	"riposte/hub"
)

// Options say which Redis, and how.
type Options struct {
	// URL names the server:
	//
	//	redis://[user:password@]host[:port][/database]          one server
	//	redis+sentinel://[…@]host[:port],…/primary[/database]   behind Sentinel
	//	    [?sentinel_username=…&sentinel_password=…]
	//	redis+cluster://[…@]host[:port],…                       a Cluster
	//	unix://[…@]/path[?db=database]                          a Unix socket
	//
	// rediss://, rediss+sentinel:// and rediss+cluster:// speak TLS.
	URL string
	// TLS is what the forms that speak TLS begin with; nil: the system's roots.
	TLS *tls.Config
	// Prefix begins every key and channel; default "riposte:".
	Prefix string
	// Replicas is how many replicas must have an append before it is
	// acknowledged; default none.
	Replicas int
	// Lease is how long an owner may be silent before another one can come:
	// default 10 s, at least 100 ms.
	Lease time.Duration
	// Probe is how often each subscription is probed: default 1 s. One that
	// has heard nothing of itself for five of them is taken for deaf.
	Probe time.Duration
	Log   *slog.Logger          // nil: nothing is logged
	Meter prometheus.Registerer // nil: nothing is registered
}

// deafAfter is after how many probes without an echo a subscription is deaf.
const deafAfter = 5

// Store is the Redis implementation of hub.Store. Its methods may be called
// from any goroutine.
type Store struct {
	options  Options
	instance string // who we are, in Redis
	client   goredis.UniversalClient
	cluster  *goredis.ClusterClient // the client, if it is a Cluster's
	log      *slog.Logger
	metrics  *metrics
	ear      *ear
	leases   leases
	calls    calls

	running context.Context // over when the store is closed
	stop    context.CancelFunc
	work    sync.WaitGroup
	closing sync.Mutex
	closed  bool
}

var _ hub.Store = (*Store)(nil)

// Open connects to Redis. It fails if the URL is wrong or nobody answers within
// ctx.
func Open(ctx context.Context, options Options) (*Store, error) {
	at, err := parse(options.URL)
	if err != nil {
		return nil, err
	}
	fill(&options)
	quietOnce.Do(func() { goredis.SetLogger(quiet{}) })
	s := &Store{options: options, instance: rand.Text()[:16], client: at.dial(options.TLS), log: options.Log, metrics: newMetrics(options.Meter)}
	s.cluster, _ = s.client.(*goredis.ClusterClient)
	s.running, s.stop = context.WithCancel(context.Background())
	s.leases.init(s)
	s.calls.init(s)
	s.ear = newEar(s)
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("redis: %s: %w", strings.Join(at.hosts, ","), err), s.Close())
	}
	return s, nil
}

func fill(o *Options) {
	if o.Prefix == "" {
		o.Prefix = "riposte:"
	}
	if o.Lease <= 0 {
		o.Lease = 10 * time.Second
	}
	o.Lease = max(o.Lease, 100*time.Millisecond)
	if o.Probe <= 0 {
		o.Probe = time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Meter == nil {
		o.Meter = prometheus.NewRegistry()
	}
}

// quiet takes what the client library would write to the standard error: what
// matters of it comes as an error as well.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

var quietOnce sync.Once

// begin makes sure that Redis answers, looks at how it is set, and starts to
// listen for answers to our calls.
func (s *Store) begin(ctx context.Context) error {
	if err := s.client.Ping(ctx).Err(); err != nil {
		return err
	}
	s.inspect(ctx)
	return s.calls.listen(ctx)
}

// inspect warns of settings with which Redis loses what was acknowledged. A
// Redis that does not tell is left alone.
func (s *Store) inspect(ctx context.Context) {
	for name, right := range map[string]string{"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"} {
		got, err := s.client.ConfigGet(ctx, name).Result()
		if err == nil && got[name] != "" && got[name] != right {
			s.log.Warn("Redis may lose what was acknowledged", "setting", name, "is", got[name], "should be", right)
		}
	}
}

// Close gives up all encounters and ends all use of the store.
func (s *Store) Close() error {
	s.closing.Lock()
	defer s.closing.Unlock()
	if s.closed {
		return errClosed
	}
	s.closed = true
	s.leases.releaseAll()
	s.stop()
	s.ear.close()
	s.work.Wait()
	return s.client.Close()
}

var errClosed = errors.New("redis: store is closed")

// Ready reports whether Redis can be written to, on every node of a Cluster,
// and whether we hear what is published.
func (s *Store) Ready(ctx context.Context) error {
	if s.running.Err() != nil {
		return errClosed
	}
	if err := s.ear.sound(); err != nil {
		return err
	}
	if err := s.client.Set(ctx, s.options.Prefix+"ready:"+s.instance, 1, time.Minute).Err(); err != nil {
		return err
	}
	if s.cluster == nil {
		return nil
	}
	return s.cluster.ForEachMaster(ctx, func(ctx context.Context, node *goredis.Client) error {
		info, err := node.ClusterInfo(ctx).Result()
		if err == nil && !strings.Contains(info, "cluster_state:ok") {
			err = errors.New("redis: the cluster is not whole")
		}
		return err
	})
}

// key is the name of a part of an encounter.
func (s *Store) key(encounter combat.ID, part string) string {
	return s.options.Prefix + "{" + string(encounter) + "}:" + part
}

// channel is the name of the channel of an audience.
func (s *Store) channel(encounter combat.ID, audience string) string {
	return s.key(encounter, "to:"+audience)
}

// publishing is the command that publishes.
func (s *Store) publishing() string {
	if s.cluster != nil {
		return "SPUBLISH"
	}
	return "PUBLISH"
}

// node returns the client of the node that has a key or channel, and its
// address; without a Cluster, there is only one and it has no address.
func (s *Store) node(ctx context.Context, key string) (*goredis.Client, string, error) {
	if s.cluster == nil {
		return s.client.(*goredis.Client), "", nil
	}
	node, err := s.cluster.MasterForKey(ctx, key)
	if err != nil {
		return nil, "", err
	}
	return node, node.Options().Addr, nil
}

// digest is what is remembered of a command's id: as long for a long one.
func digest(id string) string {
	sum := sha256.Sum256([]byte(id))
	return string(sum[:16])
}

//go:embed lua/*.lua
var scripts embed.FS

func script(name string) *goredis.Script {
	source, err := scripts.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err) // it is built in
	}
	return goredis.NewScript(string(source))
}

var (
	createScript  = script("create")
	acquireScript = script("acquire")
	renewScript   = script("renew")
	releaseScript = script("release")
	appendScript  = script("append")
	keepScript    = script("keep")
	reserveScript = script("reserve")
)
