package hub

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"riposte/combat"
)

// joined is the answer to somebody who wants to watch: the viewer's place, or
// why not.
type joined struct {
	actor   *actor
	edge    *edge // not answered yet: the owner has to be asked
	refusal *combat.Refusal
}

// crowd counts the connections that are or may become viewers, all of them and
// by remote address. Any goroutine may use it.
type crowd struct {
	limit int // of all
	each  int // of one address

	mu  sync.Mutex
	all int
	by  map[netip.Prefix]int
}

// enter counts one more. It reports false when there are too many; else exit
// must be called. This machine's own address is anybody's behind a proxy that
// runs here, so it may have them all.
func (c *crowd) enter(from netip.Prefix) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= c.limit || c.by[from] >= c.each && !from.Addr().IsLoopback() {
		return false
	}
	c.all++
	c.by[from]++
	return true
}

func (c *crowd) exit(from netip.Prefix) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.by[from]--; c.by[from] == 0 {
		delete(c.by, from)
	}
}

// count returns how many there are.
func (c *crowd) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all
}

// join makes v a viewer of an encounter. What it has to be told first is in
// its outbox when join returns. After success, leave must be called.
func (h *Hub) join(ctx context.Context, v *viewer, hello *Hello) (*actor, *combat.Refusal) {
	var asked *actor
	got, err := ask(ctx, h, hello.Encounter, func(a *actor, answer chan<- joined) error {
		asked = a
		return post(ctx, a, a.system, func() {
			if a.edge != nil {
				answer <- joined{actor: a, edge: a.edge}
				return
			}
			answer <- joined{actor: a, refusal: a.admit(v, hello)}
		})
	})
	if err == nil && got.edge != nil {
		var again bool
		if got, again, err = h.joinEdge(ctx, got.edge, v, hello); again {
			return h.join(ctx, v, hello)
		}
	}
	if err != nil {
		if asked != nil {
			asked.remove(v) // it may have been let in just now
		}
		return nil, refusalOf(err)
	}
	if got.refusal != nil {
		return nil, got.refusal
	}
	h.metrics.viewers.WithLabelValues(v.kind()).Inc()
	return got.actor, nil
}

// leave ends what join began.
func (h *Hub) leave(a *actor, v *viewer) {
	a.remove(v)
	h.metrics.viewers.WithLabelValues(v.kind()).Dec()
}

// remove has the actor forget a viewer. It must hear of it, or the viewer
// would be online for ever: this waits for room in its mailbox.
func (a *actor) remove(v *viewer) {
	select {
	case a.system <- func() { a.room.detach(v) }:
	case <-a.done:
	}
}

func (v *viewer) kind() string {
	if v.socket {
		return "socket"
	}
	return "stream"
}

// admit makes v a viewer, if its token is good. It runs on the actor's
// goroutine, between two commands: what it says first and what follows fit
// together without a hole.
func (a *actor) admit(v *viewer, hello *Hello) *combat.Refusal {
	who, refusal := seeing(a.state, v.hash, v.as)
	switch {
	case a.ended:
		return combat.Refuse("unavailable", "retryAfterMs", 1000)
	case refusal != nil:
		return refusal
	case a.room.full(who, v.as, a.hub.limits.RoomViewers):
		return combat.Refuse("unavailable", "retryAfterMs", 5000)
	case v.out.closed():
		return combat.Refuse("unavailable")
	}
	if who == spectators {
		a.catchUp()
	}
	cut, refusal := a.continues(who, hello.Since, hello.Epoch)
	if refusal != nil {
		return refusal
	}
	v.cut = cut || v.cut && hello.Epoch == a.grant.Epoch
	if v.audience = who; who == spectators {
		v.clock.Store(&a.room.backlog.clock)
	}
	a.room.attach(v)
	f := a.room.feed(who)
	if hello.Since != nil && !hello.Whole && hello.Epoch == a.grant.Epoch {
		if missed, all := f.missed(*hello.Since); all {
			for _, frame := range missed {
				a.room.put(v, kindUpdate, frame.Data)
			}
			if v.socket {
				a.room.put(v, kindUpdate, a.room.head(who, a.hub.now()))
				a.room.put(v, kindUpdate, a.room.presenceTo(a.state, who))
			}
			return nil
		}
	}
	v.out.refresh(a.welcome(v))
	return nil
}

// welcome makes the whole view for a viewer as a message.
func (a *actor) welcome(v *viewer) []byte {
	return a.room.welcome(v, a.state, a.views, a.grant.Epoch, a.hub.now())
}

// refresh sends a whole view to a viewer whose updates gave way.
func (a *actor) refresh(v *viewer) {
	select {
	case a.system <- func() {
		switch {
		case !a.room.has(v):
		case a.edge != nil:
			a.edge.renew(v)
		default:
			v.out.refresh(a.welcome(v))
		}
	}:
	case <-a.done:
	}
}

// refusalOf turns an error on the way to an encounter into what a client is
// told.
func refusalOf(err error) *combat.Refusal {
	switch {
	case errors.Is(err, ErrNotFound):
		return combat.Refuse("not_found")
	case errors.Is(err, errDraining):
		return combat.Refuse("draining", "retryAfterMs", 1000)
	case errors.Is(err, errBroken):
		return combat.Refuse("unavailable")
	}
	return combat.Refuse("unavailable", "retryAfterMs", 2000)
}

// waitViewers waits until every viewer's connection is done with, or ctx is.
func (h *Hub) waitViewers(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for h.viewers.count() > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
