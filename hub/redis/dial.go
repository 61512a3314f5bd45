package redis

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Bounds on talking to Redis.
const (
	dialTimeout  = 2 * time.Second
	replyTimeout = 3 * time.Second
	poolSize     = 64 // connections for commands, to each node
)

// address is what a URL says.
type address struct {
	scheme   string // of redis, sentinel, cluster, unix
	secure   bool
	hosts    []string // host:port; for unix the path
	user     string
	password string
	database int
	primary  string // its name, for Sentinel
	// Sentinel's own, if it asks for one.
	sentinelUser, sentinelPassword string
}

// parse reads a URL. The forms are those of Options.URL.
func parse(raw string) (*address, error) {
	scheme, rest, found := strings.Cut(raw, "://")
	if !found {
		return nil, errors.New("redis: the URL has no scheme")
	}
	a := &address{}
	a.secure = strings.HasPrefix(scheme, "rediss")
	switch scheme {
	case "redis", "rediss":
		a.scheme = "redis"
	case "redis+sentinel", "rediss+sentinel":
		a.scheme = "sentinel"
	case "redis+cluster", "rediss+cluster":
		a.scheme = "cluster"
	case "unix":
		a.scheme = "unix"
	default:
		return nil, fmt.Errorf("redis: unknown scheme %q", scheme)
	}
	// Several hosts are no URL: each is put in by hand.
	authority, tail := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	user, hosts := "", authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, hosts = authority[:i+1], authority[i+1:]
	}
	u, err := url.Parse("redis://" + user + "host" + tail)
	if err != nil {
		return nil, errors.New("redis: the URL cannot be read") // with what may be a password in it
	}
	a.user = u.User.Username()
	a.password, _ = u.User.Password()
	if a.scheme == "unix" {
		a.hosts = []string{u.Path}
	} else if err := a.readHosts(hosts); err != nil {
		return nil, err
	}
	if err := a.readPath(u.Path); err != nil {
		return nil, err
	}
	for name, values := range u.Query() {
		if err := a.option(name, values[len(values)-1]); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a *address) readHosts(hosts string) error {
	port := "6379"
	if a.scheme == "sentinel" {
		port = "26379"
	}
	for host := range strings.SplitSeq(hosts, ",") {
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), port)
		}
		name, number, err := net.SplitHostPort(host)
		if err != nil || name == "" || strings.ContainsAny(name, "% ") {
			return fmt.Errorf("redis: %q is no host", host)
		}
		if _, err := strconv.ParseUint(number, 10, 16); err != nil {
			return fmt.Errorf("redis: %q is no port", number)
		}
		a.hosts = append(a.hosts, host)
	}
	if a.scheme == "redis" && len(a.hosts) > 1 {
		return errors.New("redis: several hosts need redis+sentinel:// or redis+cluster://")
	}
	return nil
}

func (a *address) readPath(path string) (err error) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case a.scheme == "unix":
		return nil
	case a.scheme == "sentinel":
		if a.primary = parts[0]; a.primary == "" {
			return errors.New("redis: the URL must name the primary: redis+sentinel://host:26379/name")
		}
		parts = parts[1:]
	case parts[0] == "":
		return nil
	}
	if len(parts) > 1 || len(parts) == 1 && a.scheme == "cluster" {
		return fmt.Errorf("redis: path %q has too many parts", path)
	}
	if len(parts) == 1 {
		if a.database, err = strconv.Atoi(parts[0]); err != nil {
			return fmt.Errorf("redis: %q is no number of a database", parts[0])
		}
	}
	return nil
}

func (a *address) option(name, value string) (err error) {
	switch {
	case name == "db" && a.scheme == "unix":
		if a.database, err = strconv.Atoi(value); err != nil {
			return fmt.Errorf("redis: %q is no number of a database", value)
		}
	case name == "sentinel_username" && a.scheme == "sentinel":
		a.sentinelUser = value
	case name == "sentinel_password" && a.scheme == "sentinel":
		a.sentinelPassword = value
	default:
		return fmt.Errorf("redis: the URL has an unknown parameter %q", name)
	}
	return nil
}

// tls is the configuration, or nil. The name of each host is filled in when it
// is dialled.
func (a *address) tls(base *tls.Config) *tls.Config {
	if !a.secure {
		return nil
	}
	if base == nil {
		base = &tls.Config{}
	}
	c := base.Clone()
	c.MinVersion = max(c.MinVersion, tls.VersionTLS12)
	return c
}

// dial makes the client for an address. It does not connect yet.
//
// RESP2 on purpose: under RESP3 the library looks for push notifications between
// messages, which has lost messages and hung subscriptions more than once.
func (a *address) dial(base *tls.Config) goredis.UniversalClient {
	quiet := &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	switch a.scheme {
	case "sentinel":
		return goredis.NewFailoverClient(&goredis.FailoverOptions{
			MasterName: a.primary, SentinelAddrs: a.hosts, SentinelUsername: a.sentinelUser, SentinelPassword: a.sentinelPassword,
			Username: a.user, Password: a.password, DB: a.database, TLSConfig: a.tls(base),
			Protocol: 2, DialTimeout: dialTimeout, DialerRetries: 1, ReadTimeout: replyTimeout, WriteTimeout: replyTimeout,
			ContextTimeoutEnabled: true, PoolSize: poolSize, PipelinePoolSize: -1,
		})
	case "cluster":
		return goredis.NewClusterClient(&goredis.ClusterOptions{
			Addrs: a.hosts, Username: a.user, Password: a.password, TLSConfig: a.tls(base),
			Protocol: 2, DialTimeout: dialTimeout, DialerRetries: 1, ReadTimeout: replyTimeout, WriteTimeout: replyTimeout,
			ContextTimeoutEnabled: true, PoolSize: poolSize, PipelinePoolSize: -1, MaintNotificationsConfig: quiet,
		})
	}
	network := "tcp"
	if a.scheme == "unix" {
		network = "unix"
	}
	return goredis.NewClient(&goredis.Options{
		Network: network, Addr: a.hosts[0], Username: a.user, Password: a.password, DB: a.database, TLSConfig: a.tls(base),
		Protocol: 2, DialTimeout: dialTimeout, DialerRetries: 1, ReadTimeout: replyTimeout, WriteTimeout: replyTimeout,
		ContextTimeoutEnabled: true, PoolSize: poolSize, PipelinePoolSize: -1, MaintNotificationsConfig: quiet,
	})
}
