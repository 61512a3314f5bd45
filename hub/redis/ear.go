package redis

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// ear listens to channels: over one connection, or on a Cluster over one to each
// node that has channels we want. One goroutine asks for what is wanted and
// probes; each connection has one that reads.
type ear struct {
	store *Store
	wake  chan struct{} // something is to be asked for

	mu    sync.Mutex
	lines map[string]*line // channels that somebody wants, by name
	links map[string]*link // connections, by node
	drops []drop           // to be unsubscribed from
}

// line is one channel that somebody here listens to.
type line struct {
	name      string
	listeners map[*listener]struct{}
	link      *link         // where it was asked for; nil: nowhere yet
	heard     bool          // Redis has confirmed it
	confirmed chan struct{} // closed while heard
	was       bool          // it was heard before: now something may be missing
	since     time.Time     // when it began to be unheard
}

// drop is a channel that nobody wants any more.
type drop struct {
	link *link
	name string
}

// link is one connection for subscriptions, for as long as it lasts: it is
// never mended, but given up and followed by another one.
type link struct {
	node   string
	client *goredis.Client
	pubsub *goredis.PubSub
	probe  string // channel on this node on which we hear ourselves

	// Under ear.mu.
	echo    time.Time      // when it heard itself last
	dropped map[string]int // unsubscriptions that are not confirmed
	dead    bool
}

func newEar(s *Store) *ear {
	e := &ear{store: s, wake: make(chan struct{}, 1), lines: map[string]*line{}, links: map[string]*link{}}
	s.work.Go(e.run)
	return e
}

// listen subscribes to a channel. When it returns without an error, Redis has
// confirmed it.
func (e *ear) listen(ctx context.Context, name string, take func(string), missed func()) (cancel func(), err error) {
	l := newListener(take, missed, func() { e.store.metrics.missed.WithLabelValues(missedOverflow).Inc() })
	e.mu.Lock()
	if e.store.running.Err() != nil {
		e.mu.Unlock()
		l.close()
		return nil, errClosed
	}
	ln := e.lines[name]
	if ln == nil {
		ln = &line{name: name, listeners: map[*listener]struct{}{}, confirmed: make(chan struct{}), since: time.Now()}
		e.lines[name] = ln
	}
	ln.listeners[l] = struct{}{}
	confirmed := ln.confirmed
	e.mu.Unlock()
	e.rouse()
	cancel = sync.OnceFunc(func() {
		e.leave(ln, l)
		l.close()
	})
	select {
	case <-confirmed:
		return cancel, nil
	case <-ctx.Done():
		err = fmt.Errorf("redis: no subscription to %s: %w", name, ctx.Err())
	case <-e.store.running.Done():
		err = errClosed
	}
	cancel()
	return nil, err
}

// leave takes a listener off a line, and the line off the list with the last.
func (e *ear) leave(ln *line, l *listener) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(ln.listeners, l)
	if len(ln.listeners) > 0 || e.lines[ln.name] != ln {
		return
	}
	delete(e.lines, ln.name)
	if ln.link != nil && !ln.link.dead {
		ln.link.dropped[ln.name]++
		e.drops = append(e.drops, drop{ln.link, ln.name})
		e.rouse()
	}
}

func (e *ear) rouse() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// run asks and probes until the store is closed.
func (e *ear) run() {
	tick := time.NewTicker(e.store.options.Probe / 4)
	defer tick.Stop()
	for n := 0; ; {
		select {
		case <-e.wake:
		case <-tick.C:
			if n++; n%4 == 0 {
				e.probe()
			}
		case <-e.store.running.Done():
			return
		}
		e.tend()
	}
}

// tend unsubscribes from what nobody wants and asks for what is not asked for.
// What fails is tried again at the next tick.
func (e *ear) tend() {
	e.mu.Lock()
	drops := e.drops
	e.drops = nil
	var missing []string
	for name, ln := range e.lines {
		if ln.link == nil {
			missing = append(missing, name)
		}
	}
	e.mu.Unlock()
	ctx, cancel := context.WithTimeout(e.store.running, replyTimeout)
	defer cancel()
	for _, d := range drops {
		if err := d.link.unsubscribe(ctx, e.sharded(), d.name); err != nil {
			e.broken(d.link, brokenError, err)
		}
	}
	for _, name := range missing {
		e.ask(ctx, name)
	}
}

func (e *ear) sharded() bool { return e.store.cluster != nil }

// ask subscribes to one channel where it belongs now. On a Cluster the channels
// of one command would all have to be of one slot.
func (e *ear) ask(ctx context.Context, name string) {
	client, node, err := e.store.node(ctx, name)
	if err != nil {
		e.store.log.Debug("a channel has no node", "channel", name, "err", err)
		e.store.moved()
		return
	}
	l, err := e.link(ctx, client, node)
	if err != nil {
		e.store.log.Debug("no connection for subscriptions", "node", node, "err", err)
		e.store.moved()
		return
	}
	e.mu.Lock()
	ln := e.lines[name]
	if ln == nil || ln.link != nil || l.dead {
		e.mu.Unlock()
		return
	}
	ln.link = l // before the confirmation can come
	e.mu.Unlock()
	if err := l.subscribe(ctx, e.sharded(), name); err != nil {
		e.broken(l, brokenError, err)
	}
}

// link returns the connection to a node, made if need be.
func (e *ear) link(ctx context.Context, client *goredis.Client, node string) (*link, error) {
	e.mu.Lock()
	l := e.links[node]
	e.mu.Unlock()
	if l != nil {
		return l, nil
	}
	probe, err := e.probeOn(ctx, node)
	if err != nil {
		return nil, err
	}
	l = &link{node: node, client: client, pubsub: client.Subscribe(ctx), probe: probe, echo: time.Now(), dropped: map[string]int{}}
	if err := l.subscribe(ctx, e.sharded(), probe); err != nil {
		return nil, errors.Join(err, l.pubsub.Close())
	}
	e.mu.Lock()
	e.links[node] = l
	e.mu.Unlock()
	e.store.metrics.links.Inc()
	e.store.work.Go(func() { e.read(l) })
	if e.store.running.Err() != nil { // closed meanwhile, maybe without this one
		e.broken(l, brokenClosed, nil)
	}
	return l, nil
}

// maxProbeNames bounds the search for a channel that lies on a node.
const maxProbeNames = 10_000

// probeOn finds a name for the probes of a node. On a Cluster a channel belongs
// to the node that has its slot.
func (e *ear) probeOn(ctx context.Context, node string) (string, error) {
	for i := range maxProbeNames {
		name := e.store.options.Prefix + "probe:{" + e.store.instance + "." + strconv.Itoa(i) + "}"
		_, on, err := e.store.node(ctx, name)
		if err != nil {
			return "", err
		}
		if on == node {
			return name, nil
		}
	}
	return "", fmt.Errorf("redis: node %s has no slots", node)
}

func (l *link) subscribe(ctx context.Context, sharded bool, name string) error {
	if sharded {
		return l.pubsub.SSubscribe(ctx, name)
	}
	return l.pubsub.Subscribe(ctx, name)
}

func (l *link) unsubscribe(ctx context.Context, sharded bool, name string) error {
	if sharded {
		return l.pubsub.SUnsubscribe(ctx, name)
	}
	return l.pubsub.Unsubscribe(ctx, name)
}

// read takes what comes over a connection until it ends. An error is its end,
// whatever the client library would make of it: what it would do by itself
// nobody would hear of.
func (e *ear) read(l *link) {
	for {
		got, err := l.pubsub.ReceiveTimeout(e.store.running, 2*deafAfter*e.store.options.Probe)
		if err != nil {
			e.broken(l, brokenError, err)
			return
		}
		switch m := got.(type) {
		case *goredis.Message:
			e.heard(l, m)
		case *goredis.Subscription:
			e.changed(l, m)
		}
	}
}

// heard hands a message to those who want it.
func (e *ear) heard(l *link, m *goredis.Message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if m.Channel == l.probe {
		l.echo = time.Now()
		return
	}
	if ln := e.lines[m.Channel]; ln != nil && ln.link == l {
		for one := range ln.listeners {
			one.put(m.Payload)
		}
	}
}

// changed takes the confirmation of a subscription, and of its end.
func (e *ear) changed(l *link, m *goredis.Subscription) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ln := e.lines[m.Channel]
	switch m.Kind {
	case "subscribe", "ssubscribe":
		// While an unsubscription is on its way, this confirms the
		// subscription before it.
		if ln == nil || ln.link != l || ln.heard || l.dropped[m.Channel] > 0 {
			return
		}
		ln.heard = true
		close(ln.confirmed)
		if ln.was {
			e.store.metrics.missed.WithLabelValues(missedResubscribed).Inc()
			for one := range ln.listeners {
				one.miss()
			}
		}
	case "unsubscribe", "sunsubscribe":
		if l.dropped[m.Channel] > 0 {
			if l.dropped[m.Channel]--; l.dropped[m.Channel] == 0 {
				delete(l.dropped, m.Channel)
			}
			return
		}
		// Not our wish: its slot has gone to another node.
		if ln != nil && ln.link == l {
			ln.unheard()
			e.store.moved()
			e.rouse()
		}
	}
}

// unheard marks a line as one to be asked for again. The lock is held.
func (ln *line) unheard() {
	ln.link = nil
	if ln.heard {
		ln.heard, ln.was, ln.since = false, true, time.Now()
		ln.confirmed = make(chan struct{})
	}
}

// broken gives a connection up. All that was heard on it is asked for again.
func (e *ear) broken(l *link, reason string, err error) {
	e.mu.Lock()
	if l.dead {
		e.mu.Unlock()
		return
	}
	l.dead = true
	if e.links[l.node] == l {
		delete(e.links, l.node)
	}
	for _, ln := range e.lines {
		if ln.link == l {
			ln.unheard()
		}
	}
	e.mu.Unlock()
	_ = l.pubsub.Close() // it is given up
	e.store.metrics.links.Dec()
	if e.store.running.Err() != nil {
		return
	}
	e.store.metrics.reconnect.WithLabelValues(reason).Inc()
	e.store.log.Warn("a subscription connection is given up", "node", l.node, "reason", reason, "err", err)
	e.store.moved()
	e.rouse()
}

// probe publishes on every connection's channel the way everybody else would,
// and gives up those that have heard nothing of it for too long.
func (e *ear) probe() {
	e.mu.Lock()
	var all, deaf []*link
	for _, l := range e.links {
		if time.Since(l.echo) > deafAfter*e.store.options.Probe {
			deaf = append(deaf, l)
		} else {
			all = append(all, l)
		}
	}
	e.mu.Unlock()
	for _, l := range deaf {
		e.broken(l, brokenDeaf, nil)
	}
	for _, l := range all {
		e.store.work.Go(func() {
			ctx, cancel := context.WithTimeout(e.store.running, e.store.options.Probe)
			defer cancel()
			if _, err := e.store.publish(ctx, l.probe, "probe"); err != nil {
				e.store.log.Debug("a probe is not published", "node", l.node, "err", err)
			}
		})
	}
}

// sound reports what is not heard at the moment.
func (e *ear) sound() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, ln := range e.lines {
		if !ln.heard && (ln.was || time.Since(ln.since) > e.store.options.Probe) {
			return fmt.Errorf("redis: channel %s is not heard", ln.name)
		}
	}
	for _, l := range e.links {
		if silent := time.Since(l.echo); silent > deafAfter*e.store.options.Probe {
			return fmt.Errorf("redis: node %s: nothing heard for %v", l.node, silent.Round(time.Millisecond))
		}
	}
	return nil
}

// close ends all connections and whoever listens still.
func (e *ear) close() {
	e.mu.Lock()
	var links []*link
	var left []*listener
	for _, l := range e.links {
		links = append(links, l)
	}
	for _, ln := range e.lines {
		for one := range ln.listeners {
			left = append(left, one)
		}
	}
	e.lines = map[string]*line{}
	e.mu.Unlock()
	for _, l := range links {
		e.broken(l, brokenClosed, nil)
	}
	for _, one := range left {
		one.close()
	}
}
