package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"riposte/combat"
)

// Rhythms of an edge.
const (
	ownerSilent = 5 * time.Second        // without a sign of the owner, one tries to take over
	callPause   = 100 * time.Millisecond // between two calls while there is no owner
	tryEvery    = 500 * time.Millisecond // between two tries to take over
	busMailbox  = 256
	maxVoid     = 1024 // hashes of void tokens that are remembered
)

// edge is what an actor has while another instance owns its encounter: it shows
// what that one publishes and passes commands on to it. When the owner is gone,
// the actor takes over with all who are connected to it. It belongs to the
// actor's goroutine, but for what is said to be otherwise.
type edge struct {
	actor *actor
	over  context.Context // ended when the actor is an edge no more; for anybody
	end   context.CancelFunc

	feeds    map[combat.Audience]*edgeFeed
	presence []byte                      // the owner's last word
	open     map[*viewer]int             // commands on their way to the owner, by sender
	leaving  map[*viewer]*combat.Refusal // expelled, once their commands are answered: why
	void     map[string]string           // hashes of tokens that became void while we listened: in which history
	missed   atomic.Int64                // how often something may have been missed; for anybody
	heard    time.Time                   // last sign of the owner
	alone    bool                        // it has gone, or nobody has answered since
	tried    time.Time                   // last try to take over
	unlisten func()                      // ends the subscription to the news
	queue    chan *order                 // commands for the owner, in order
	left     chan []*order               // what the forwarder has not brought to an end
	waiting  atomic.Int64                // commands and looks that are not answered
	saying   chan struct{}               // a report is on its way
}

var nobody = encode(Presence{Type: "presence", Seats: []combat.ID{}})

// becomeEdge begins to listen for news of the owner.
func (a *actor) becomeEdge() error {
	e := &edge{actor: a, feeds: map[combat.Audience]*edgeFeed{}, presence: nobody,
		open: map[*viewer]int{}, leaving: map[*viewer]*combat.Refusal{}, void: map[string]string{},
		heard: time.Now(), queue: make(chan *order, commandMailbox), saying: make(chan struct{}, 1), left: make(chan []*order, 1)}
	e.over, e.end = context.WithCancel(a.hub.running)
	ctx, cancel := context.WithTimeout(a.hub.running, postTimeout)
	defer cancel()
	unlisten, err := a.hub.store.Subscribe(ctx, a.id, Ownership, &newsListener{e})
	if err != nil {
		e.end()
		return err
	}
	e.unlisten = unlisten
	a.edge = e
	a.hub.metrics.edges.Inc()
	a.hub.actors.Go(e.forward)
	return nil
}

// close ends the role: what comes from the bus is not for us any more.
func (e *edge) close() {
	e.end()
	e.unlisten()
	for _, ef := range e.feeds {
		ef.close()
	}
	for v, r := range e.leaving {
		v.out.close(goodbye(r), r.Code)
	}
	e.actor.edge = nil
	e.actor.hub.metrics.edges.Dec()
}

// post has the actor do something that came from the bus, if it is an edge
// still. It waits for room: what waits before it is bounded and says when it
// loses something.
func (e *edge) post(do func()) {
	select {
	case e.actor.bus <- func() {
		if e.actor.edge == e {
			do()
		}
	}:
	case <-e.over.Done():
	case <-e.actor.done:
	}
}

// newsListener hears who owns the encounter.
type newsListener struct{ edge *edge }

// Hear implements Listener.
func (l *newsListener) Hear(frame Frame) {
	e := l.edge
	e.post(func() {
		switch string(frame.Data) {
		case OwnerNew:
			e.sign()
			e.report()
		case OwnerGone:
			e.alone = true
			e.takeOver()
		default:
			e.notice(nil, frame)
		}
	})
}

// Missed implements Listener. Whose the encounter is shows without news, later.
func (l *newsListener) Missed() { l.edge.missed.Add(1) }

// ask asks the owner, again and again until it answers, ctx is over or the
// actor is an edge no more (errGone). Any goroutine but the actor's may call it.
func (e *edge) ask(ctx context.Context, call Call, reply any) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.over, cancel)()
	for {
		got, err := e.actor.hub.store.Call(ctx, e.actor.id, call)
		if err == nil {
			return json.Unmarshal(got, reply)
		}
		if e.over.Err() == nil && ctx.Err() == nil {
			if errors.Is(err, ErrNotFound) {
				e.post(e.ownerless)
			}
			timer := time.NewTimer(callPause)
			select {
			case <-timer.C:
				continue
			case <-ctx.Done():
				timer.Stop()
			}
		}
		if e.over.Err() != nil {
			return errGone
		}
		return ctx.Err()
	}
}

// question makes a call.
func question(kind, key string, body any) Call { return Call{Kind: kind, Key: key, Body: encode(body)} }

// needed reports whether somebody here needs an owner.
func (e *edge) needed() bool { return e.actor.room.viewers > 0 || e.waiting.Load() > 0 }

// sign notes that the owner is there.
func (e *edge) sign() { e.heard, e.alone = time.Now(), false }

// ownerless is what happens when nobody answers.
func (e *edge) ownerless() {
	e.alone = true
	e.again()
}

// again tries once more to take over, if the owner is gone or silent, but not
// all the time.
func (e *edge) again() {
	if (e.alone || time.Since(e.heard) > ownerSilent) && time.Since(e.tried) >= tryEvery {
		e.takeOver()
	}
}

// beat is done every beatEvery.
func (e *edge) beat() {
	e.report()
	for audience, ef := range e.feeds {
		ef.beat()
		if f := e.actor.room.feeds[audience]; (f == nil || len(f.viewers) == 0) && time.Since(ef.used) > e.actor.hub.limits.IdleTime {
			ef.close()
			delete(e.feeds, audience)
			delete(e.actor.room.feeds, audience)
		}
	}
	e.again()
}

// report tells the owner who is connected here. The actor does not wait for it.
func (e *edge) report() {
	r := report{Instance: e.actor.hub.instance, Seats: map[combat.ID]int{}}
	for audience, ef := range e.feeds {
		f := e.actor.room.feed(audience)
		if len(f.viewers) > 0 {
			r.Audiences = append(r.Audiences, audience.String())
			ef.used = time.Now()
		}
		switch n := f.people(); {
		case n == 0:
		case audience.Role == combat.RoleGM:
			r.GMs = n
		case audience.Role == combat.RoleSpectator:
			r.Spectators = n
		case audience.Role == combat.RoleSeat:
			r.Seats[audience.Seat] = n
		}
	}
	select {
	case e.saying <- struct{}{}:
	default:
		return
	}
	e.actor.hub.actors.Go(func() {
		defer func() { <-e.saying }()
		ctx, cancel := context.WithTimeout(e.over, beatEvery)
		defer cancel()
		got, err := e.actor.hub.store.Call(ctx, e.actor.id, question(callHere, "", r))
		switch {
		case err == nil:
			e.post(func() {
				e.sign()
				e.tellPresence(got)
			})
		case errors.Is(err, ErrNotFound):
			e.post(e.ownerless)
		}
	})
}

// tellPresence passes the owner's word on who is here on, if it is new.
func (e *edge) tellPresence(data []byte) {
	if bytes.Equal(data, e.presence) {
		return
	}
	e.presence = data
	for audience := range e.actor.room.feeds {
		e.sayPresence(audience)
	}
}

// sayPresence tells the sockets of an audience who is online.
func (e *edge) sayPresence(to combat.Audience) {
	f := e.actor.room.feed(to)
	if len(f.viewers) == 0 {
		return
	}
	data := e.presenceTo(to)
	for v := range f.viewers {
		if v.socket {
			e.actor.room.put(v, kindUpdate, data)
		}
	}
}

// presenceTo is who is online, as an audience may know it.
func (e *edge) presenceTo(to combat.Audience) []byte {
	if to != spectators {
		return e.presence
	}
	var p Presence
	ef := e.feeds[to]
	if ef == nil || json.Unmarshal(e.presence, &p) != nil {
		return nobody
	}
	return knownPresence(p, ef.view)
}

// notice takes what is not numbered. ef is the feed it came on, nil for the
// news.
func (e *edge) notice(ef *edgeFeed, frame Frame) {
	var n struct {
		void
		Seq   uint64 `json:"seq"`
		Reach *reach `json:"reach"`
	}
	if json.Unmarshal(frame.Data, &n) != nil {
		return
	}
	switch n.Type {
	case "head":
		e.sign()
		if ef != nil {
			ef.head(frame.Epoch, n.Seq, frame.Data)
		}
	case "clock":
		if ef != nil {
			ef.reach(n.Reach)
		}
	case "presence":
		e.tellPresence(frame.Data)
	case "void":
		e.revoke(ef, &n.void, frame.Epoch)
	}
}

// revoke remembers void tokens for those who are about to join and, when the
// notice came on an audience's feed, ends the viewers of that audience: after
// all that was theirs to see, before all that is not. A history that is lost makes
// nothing void.
func (e *edge) revoke(ef *edgeFeed, n *void, epoch string) {
	bad := map[string]bool{}
	for _, key := range n.Keys {
		bad[key] = true
		if len(e.void) < maxVoid {
			e.void[key] = epoch
		}
	}
	if ef == nil {
		return
	}
	for v := range e.actor.room.feed(ef.audience).viewers {
		of := ef.epoch
		if w := ef.held[v]; w != nil {
			of = w.compared
		}
		switch {
		case !bad[v.hash] && !slices.Contains(n.Audiences, ef.audience.String()):
		case of == epoch:
			e.expel(v, combat.Refuse("unauthorized"))
		default:
			ef.fetch() // which history it is is not known here
		}
	}
}

// expel ends a viewer: nothing that it could see reaches it any more. What it
// has asked for is answered first.
func (e *edge) expel(v *viewer, r *combat.Refusal) {
	e.actor.room.detach(v)
	if ef := e.feeds[v.audience]; ef != nil {
		delete(ef.held, v)
	}
	if e.open[v] > 0 {
		e.leaving[v] = r
		return
	}
	v.out.close(goodbye(r), r.Code)
}

// answered notes that a command of a viewer is answered.
func (e *edge) answered(v *viewer) {
	if e.open[v]--; e.open[v] > 0 {
		return
	}
	delete(e.open, v)
	if r := e.leaving[v]; r != nil {
		delete(e.leaving, v)
		v.out.close(goodbye(r), r.Code)
	}
}
