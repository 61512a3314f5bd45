package main

import "syscall"

// fault is one way in which something real fails. strike makes it happen and
// returns what ends it, or nil when it is over at once.
type fault struct {
	name     string
	owner    bool // it takes an owner away: another instance has to take over
	redis    bool // it happens to Redis, and so to all instances
	restarts bool // Redis begins anew, so that there may be another history
	strike   func(*cluster, *instance) (heal func())
}

// The kinds of faults.
var (
	killed = fault{name: "killed", owner: true, strike: func(_ *cluster, i *instance) func() {
		i.kill()
		return i.start
	}}
	stopped = fault{name: "stopped", owner: true, strike: func(_ *cluster, i *instance) func() {
		i.signal(syscall.SIGSTOP)
		return func() { i.signal(syscall.SIGCONT) }
	}}
	drained = fault{name: "drained", owner: true, strike: func(_ *cluster, i *instance) func() {
		i.drain()
		return i.start
	}}
	// Every connection ends, and there is no new one.
	cutOff = fault{name: "cut off from Redis", owner: true, strike: func(_ *cluster, i *instance) func() {
		i.link.Stop()
		return i.connect
	}}
	// Connections stay open and nothing arrives, either way.
	halfOpen = fault{name: "half-open to Redis", owner: true, strike: func(_ *cluster, i *instance) func() {
		i.hurt("upstream", "timeout", map[string]int{"timeout": 0})
		i.hurt("downstream", "timeout", map[string]int{"timeout": 0})
		return i.cure
	}}
	// Redis does what it is told and the instance never learns: what it appends
	// has an outcome that it does not know.
	unanswered = fault{name: "without answers from Redis", owner: true, strike: func(_ *cluster, i *instance) func() {
		i.hurt("downstream", "timeout", map[string]int{"timeout": 0})
		return i.cure
	}}
	slow = fault{name: "slow to Redis", strike: func(_ *cluster, i *instance) func() {
		i.hurt("upstream", "latency", map[string]int{"latency": 60, "jitter": 50})
		i.hurt("downstream", "latency", map[string]int{"latency": 60, "jitter": 50})
		return i.cure
	}}
	clientsKilled = fault{name: "without its clients", redis: true, strike: func(c *cluster, _ *instance) func() {
		c.redis.Do("CLIENT", "KILL", "TYPE", "normal")
		return nil
	}}
	subscribersKilled = fault{name: "without its subscribers", redis: true, strike: func(c *cluster, _ *instance) func() {
		c.redis.Do("CLIENT", "KILL", "TYPE", "pubsub")
		return nil
	}}
	redisCrashed = fault{name: "crashed", redis: true, restarts: true, strike: func(c *cluster, _ *instance) func() {
		c.redis.Kill()
		return c.redis.Start
	}}
	redisRestarted = fault{name: "stopped in good order", redis: true, restarts: true, strike: func(c *cluster, _ *instance) func() {
		c.redis.Stop()
		return c.redis.Start
	}}
	redisFrozen = fault{name: "frozen", redis: true, strike: func(c *cluster, _ *instance) func() {
		c.redis.Freeze()
		return c.redis.Thaw
	}}
)

// faults are all kinds.
var faults = []fault{killed, stopped, drained, cutOff, halfOpen, unanswered, slow, clientsKilled, subscribersKilled,
	redisCrashed, redisRestarted, redisFrozen}
