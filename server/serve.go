package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/net/netutil"

	"riposte/hub"
	"riposte/hub/redis"
	"riposte/hub/schema"
	"riposte/web"
)

// config is what serve is told.
type config struct {
	listen     string
	metrics    string // address; empty: none
	conns      int    // connections at a time
	data       string
	redis      redis.Options
	redisCA    string // file; empty: the system's
	publicURL  string
	trustProxy bool
	logLevel   slog.Level
	logJSON    bool
	drain      time.Duration
	minFree    uint64
	limits     hub.Limits
}

const journalFile = "journal.db"

func readConfig(args []string) (config, error) {
	var c config
	flags := newFlags("serve", "")
	flags.StringVar(&c.listen, "listen", ":8080", "`address` to serve on; port 0 takes a free one")
	flags.StringVar(&c.metrics, "metrics-listen", "", "`address` to serve Prometheus' /metrics on, like 127.0.0.1:9090;\nempty: nowhere. They tell of what players may not see: do not\nlet players reach it")
	flags.IntVar(&c.conns, "max-connections", 60_000, "connections at a time; the next wait to be accepted")
	flags.StringVar(&c.data, "data", "data", "`directory` of the journal, made if it is missing")
	flags.StringVar(&c.redis.URL, "redis", "", "`URL` of a Redis 7 to keep encounters in, for several instances;\nempty: in -data. redis://user:password@host:port/database,\nredis+sentinel://host:port,…/primary, redis+cluster://host:port,…,\nor with rediss for TLS. Give it in the environment if it holds a\npassword")
	flags.StringVar(&c.redisCA, "redis-ca", "", "`file` of certificates to trust for -redis; empty: the system's")
	flags.StringVar(&c.redis.Prefix, "redis-prefix", "riposte:", "`text` that begins all keys and channels in Redis")
	flags.IntVar(&c.redis.Replicas, "redis-replicas", 0, "replicas that must have a command before it is acknowledged")
	flags.DurationVar(&c.redis.Lease, "lease", 10*time.Second, "`time` after which another instance takes over from one that is\ngone; with -redis")
	flags.StringVar(&c.publicURL, "public-url", "", "`URL` that browsers use, if it is not the address served on:\nit is printed at start, and its pages may open sockets")
	flags.BoolVar(&c.trustProxy, "trust-proxy", false, "take a client's address from the last X-Forwarded-For;\nonly behind a proxy that sets it")
	flags.TextVar(&c.logLevel, "log-level", slog.LevelInfo, "least `level` to log: DEBUG, INFO, WARN, ERROR")
	flags.BoolVar(&c.logJSON, "log-json", false, "log as JSON, one object a line")
	flags.DurationVar(&c.drain, "drain", 10*time.Second, "`time` a stop may take at most")
	flags.Uint64Var(&c.minFree, "min-free", 256<<20, "bytes free on the disk of -data under which no new encounters\nare made")
	flags.IntVar(&c.limits.Encounters, "max-encounters", 10_000, "encounters held in memory at a time")
	flags.IntVar(&c.limits.Seats, "max-seats", 64, "seats of one encounter")
	flags.IntVar(&c.limits.Viewers, "max-sockets", 50_000, "open sockets and event streams")
	flags.IntVar(&c.limits.AddressViewers, "max-sockets-per-address", 1_000, "open sockets and event streams of one remote address (an IPv6\n/64), this machine's own excepted")
	flags.IntVar(&c.limits.RoomViewers, "max-sockets-per-encounter", 5_000, "open sockets and event streams of one encounter's player and\nspectator links")
	flags.Uint64Var(&c.limits.Commits, "max-commits", 100_000, "accepted commands of one encounter, ever")
	flags.Int64Var(&c.limits.Bytes, "max-bytes", 256<<20, "bytes of one encounter in the journal, ever")
	flags.IntVar(&c.limits.QueueBytes, "queue-bytes", 512<<10, "what may wait for one socket, in bytes; over it, its updates\ngive way to one whole view")
	flags.Int64Var(&c.limits.KeptBytes, "kept-bytes", 1<<30, "updates kept in memory for those who come back and for delayed\nspectators, in bytes; over it, the oldest of the encounters that\nkeep most give way")
	flags.Float64Var(&c.limits.CommandRate, "command-rate", 50, "messages a second from one socket; four times as many requests\nover HTTP with one token")
	flags.IntVar(&c.limits.CommandBurst, "command-burst", 100, "messages at once from one socket; four times as many requests\nover HTTP with one token")
	flags.Float64Var(&c.limits.CreateRate, "create-rate", 2, "new encounters and seats a second from one address")
	flags.IntVar(&c.limits.CreateBurst, "create-burst", 200, "new encounters and seats at once from one address")
	flags.Float64Var(&c.limits.FailRate, "fail-rate", 5, "requests a second from one address with a token that is no good;\nover it, that address is refused for a while")
	flags.IntVar(&c.limits.FailBurst, "fail-burst", 200, "such requests at once")
	flags.Float64Var(&c.limits.ImportRate, "import-rate", 0.2, "imports a second from one address")
	flags.IntVar(&c.limits.ImportBurst, "import-burst", 20, "imports at once from one address")
	flags.Float64Var(&c.limits.LogRate, "log-rate", 0.5, "whole logs a second for one token at one address")
	flags.IntVar(&c.limits.LogBurst, "log-burst", 10, "whole logs at once for one token at one address")
	flags.DurationVar(&c.limits.IdleTime, "idle", 30*time.Second, "`time` an encounter stays in memory with nobody connected")
	if err := parse(flags, args); err != nil {
		return c, err
	}
	if flags.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if c.redis.Replicas < 0 {
		return c, fmt.Errorf("-redis-replicas: %d is below zero", c.redis.Replicas)
	}
	return c, positive(flags)
}

// mayBeZero are the flags for which zero is a number like any other.
var mayBeZero = map[string]bool{"min-free": true, "redis-replicas": true}

// positive refuses numbers and times that are not above zero: the hub would
// take them for none given.
func positive(flags *flag.FlagSet) (wrong error) {
	flags.VisitAll(func(f *flag.Flag) {
		value := 1.0
		switch v := f.Value.(flag.Getter).Get().(type) {
		case int:
			value = float64(v)
		case int64:
			value = float64(v)
		case float64:
			value = v
		case time.Duration:
			value = v.Seconds()
		case uint64:
			value = float64(v)
		}
		if mayBeZero[f.Name] {
			return
		}
		if wrong == nil && (!(value > 0) || math.IsInf(value, 0)) {
			wrong = fmt.Errorf("-%s: %s is not above zero", f.Name, f.Value)
		}
	})
	return wrong
}

// serve runs an instance until it is told to stop.
func serve(args []string) error {
	c, err := readConfig(args)
	if err != nil {
		return err
	}
	origins, err := c.origins()
	if err != nil {
		return err
	}
	log := c.logger()
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	store, err := c.open(log, registry)
	if err != nil {
		return err
	}
	h := hub.New(hub.Config{
		Engine: newEngine(), Store: store, Log: log, Meter: registry, Schema: schema.JSON,
		Origins: origins, TrustProxy: c.trustProxy, Limits: c.limits,
		Room: store.room,
	})
	err = c.run(h, store, registry, log)
	return errors.Join(err, store.Close())
}

// run serves until a signal comes or serving fails, and then drains.
func (c *config) run(h *hub.Hub, store *journal, registry *prometheus.Registry, log *slog.Logger) error {
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	listener, err := net.Listen("tcp", c.listen)
	if err != nil {
		return errors.Join(err, h.Shutdown(stop))
	}
	failed := make(chan error, 2)
	metrics := newServer(newMetrics(registry), log)
	if c.metrics != "" {
		listener, err := net.Listen("tcp", c.metrics)
		if err != nil {
			return errors.Join(err, h.Shutdown(stop))
		}
		log.Info("metrics", "address", listener.Addr())
		go func() { failed <- metrics.Serve(netutil.LimitListener(listener, metricsConns)) }()
	}
	defer metrics.Close()
	endBackups := store.offerBackup()
	server := newServer(newSite(h, web.Files()), log)
	go func() { failed <- server.Serve(netutil.LimitListener(listener, c.conns)) }()
	fmt.Printf("Riposte serves %s\nOpen it in a browser; Ctrl-C stops it.\n", c.address(listener.Addr()))

	select {
	case <-stop.Done():
		err = nil
	case err = <-failed:
	case <-store.broken:
		err = errors.New("the journal cannot be written: see the log; start again once the disk is well")
		log.Error("the journal cannot be written: what was not acknowledged may be lost, nothing else", "err", store.Ready(stop))
	}
	cancel() // a second signal ends the process at once
	log.Info("draining", "within", c.drain)
	ctx, done := context.WithTimeout(context.Background(), c.drain)
	defer done()
	endBackups()
	if drained := h.Shutdown(ctx); drained != nil {
		log.Warn("not everybody left in time", "err", drained)
	}
	if closed := server.Shutdown(ctx); closed != nil {
		err = errors.Join(err, server.Close())
	}
	log.Info("stopped")
	return err
}

// metricsConns bounds the connections of those who read the metrics.
const metricsConns = 16

// newServer makes an HTTP server whose connections have bounds where the
// handler has none yet: headers, and the time between requests.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// address is the URL to open.
func (c *config) address(served net.Addr) string {
	if c.publicURL != "" {
		return c.publicURL
	}
	host, port, err := net.SplitHostPort(served.String())
	if err != nil {
		return "http://" + served.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// origins are the hosts whose pages may open a socket besides the one asked.
func (c *config) origins() ([]string, error) {
	if c.publicURL == "" {
		return nil, nil
	}
	public, err := url.Parse(c.publicURL)
	if err != nil || public.Host == "" || public.Scheme != "http" && public.Scheme != "https" {
		return nil, fmt.Errorf("-public-url: %q is no http or https URL", c.publicURL)
	}
	return []string{public.Host}, nil
}

func (c *config) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: c.logLevel}
	if c.logJSON {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}
