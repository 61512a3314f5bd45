package hub

import (
	"context"
	"errors"
	"time"

	"riposte/combat"
)

// takeOver tries to become the owner, if somebody here needs one. All who are
// connected stay, and go on where they are.
func (e *edge) takeOver() {
	a := e.actor
	if !e.needed() || a.hub.isDraining() {
		return
	}
	e.tried = time.Now()
	start := time.Now()
	before := a.room
	a.room = newRoom(a.hub.metrics, a.hub.limits.DelayBytes)
	err := a.begin()
	if err != nil {
		a.room = before
		a.unload()
		switch {
		case errors.Is(err, ErrHeld): // it holds on to it, silent or not
		case errors.Is(err, errBroken):
			a.hub.quarantine(a.id)
			a.giveUp("its log cannot be read")
		case errors.Is(err, ErrNotFound):
			a.giveUp("the store does not know it any more")
		default:
			a.log.Warn("cannot take over", "err", err)
		}
		a.timer.Reset(tryEvery)
		return
	}
	feeds := e.feeds
	e.close()
	a.log.Info("took over", "fence", a.grant.Fence, "seq", a.state.Seq, "took", time.Since(start))
	a.hub.metrics.takeovers.Inc()
	if f, ef := before.feeds[spectators], feeds[spectators]; f != nil && ef != nil && ef.epoch == a.grant.Epoch {
		a.room.tellUntil(f.seq) // by another's clock it was due already
	}
	for audience, f := range before.feeds {
		for v := range f.viewers {
			hello := &Hello{As: v.as}
			if ef := feeds[audience]; ef != nil && ef.view != nil {
				seq := f.seq
				hello.Since, hello.Epoch = &seq, ef.epoch
			}
			if ef := feeds[audience]; ef != nil && ef.held[v] != nil {
				waits := ef.held[v]
				hello.Since, hello.Epoch, hello.Whole = waits.since, waits.epoch, true
			}
			if refusal := a.admit(v, hello); refusal != nil {
				v.out.close(goodbye(refusal), refusal.Code)
			}
		}
	}
	for _, ef := range feeds {
		for _, ack := range ef.acks {
			ack.say()
		}
	}
	a.expire()
	for orders := e.unanswered(); len(orders) > 0 && !a.ended; {
		n := min(len(orders), maxGroup)
		a.handle(orders[:n])
		orders = orders[n:]
	}
	a.arm()
}

// unload forgets what a load that failed has left.
func (a *actor) unload() {
	a.state, a.views, a.hash, a.bytes, a.ends, a.grant = nil, nil, "", 0, nil, Grant{}
	a.outcomes = newMemory(a.hub.limits.Remembered)
	a.refused = combat.Deadline{}
}

// leave tells the owner that nobody is here any more.
func (e *edge) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), callPause)
	defer cancel()
	_, _ = e.actor.hub.store.Call(ctx, e.actor.id, question(callHere, "", report{Instance: e.actor.hub.instance})) // or it finds out by itself
}
