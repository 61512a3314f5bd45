package hub

import (
	"context"
	"errors"
	"time"

	"riposte/combat"
)

// look asks the owner what the holder of a token may see.
func (e *edge) look(ctx context.Context, hash string, ask lookCall) (lookReply, error) {
	e.waiting.Add(1)
	defer e.waiting.Add(-1)
	var reply lookReply
	err := e.ask(ctx, question(callLook, hash, ask), &reply)
	reply.Refusal = unpacked(reply.Refusal)
	return reply, err
}

// seen asks the owner what the holder of a token sees, as Hub.look does.
func (e *edge) seen(ctx context.Context, hash, as string, wanted func(seq uint64) bool) (seen, error) {
	reply, err := e.look(ctx, hash, lookCall{As: as})
	if err == nil && reply.Refusal == nil && wanted(reply.Seq) {
		reply, err = e.look(ctx, hash, lookCall{As: as, View: true})
	}
	if err != nil || reply.Refusal != nil {
		return seen{refusal: reply.Refusal}, err
	}
	return seen{who: audienceOf(reply.Audience), seq: reply.Seq, until: reply.Until, view: reply.View}, nil
}

// joinEdge makes v a viewer at an edge: the owner says who it is. again reports
// that the actor is no edge any more, or that the owner has to be asked again.
func (h *Hub) joinEdge(ctx context.Context, e *edge, v *viewer, hello *Hello) (got joined, again bool, err error) {
	bounded, cancel := context.WithTimeout(ctx, h.limits.AppendTimeout)
	defer cancel()
	missed := e.missed.Load()
	reply, err := e.look(bounded, v.hash, lookCall{As: hello.As, Since: hello.Since, Epoch: hello.Epoch})
	switch {
	case errors.Is(err, errGone):
		return joined{}, true, nil
	case err != nil:
		return joined{}, false, err
	case reply.Refusal != nil:
		return joined{refusal: reply.Refusal}, false, nil
	}
	refusal, err := within(bounded, e.actor, e.actor.system, func() *combat.Refusal {
		if e.actor.edge != e || e.missed.Load() != missed {
			again = true // the answer may be older than a notice that was missed
			return nil
		}
		return e.admit(v, hello, &reply)
	})
	if errors.Is(err, errGone) {
		return joined{}, true, nil
	}
	return joined{actor: e.actor, refusal: refusal}, again, err
}

// admit makes v a viewer whose token the owner has found good just now. On the
// actor's goroutine.
func (e *edge) admit(v *viewer, hello *Hello, word *lookReply) *combat.Refusal {
	a, who := e.actor, audienceOf(word.Audience)
	if of, void := e.void[v.hash]; void && of == word.Epoch {
		return combat.Refuse("unauthorized")
	}
	switch {
	case a.room.full(who, v.as, a.hub.limits.RoomViewers):
		return combat.Refuse("unavailable", "retryAfterMs", 5000)
	case v.out.closed():
		return combat.Refuse("unavailable")
	}
	v.cut = word.Cut
	if v.audience = who; who == spectators {
		v.clock.Store(&a.room.backlog.clock)
	}
	ef := e.feed(who)
	ef.used = time.Now()
	a.room.attach(v)
	f := a.room.feed(who)
	if ef.live && (word.Epoch != ef.epoch || !word.Cut && hello.Since != nil && *hello.Since > f.seq) {
		ef.fetch() // it comes from where more was heard, or the owner is in another history
	}
	if !ef.live {
		v.out.hold()
		ef.held[v] = &waiting{since: hello.Since, epoch: hello.Epoch, compared: word.Epoch}
		return nil
	}
	if hello.Since != nil && !hello.Whole && hello.Epoch == ef.epoch {
		if missed, all := f.missed(*hello.Since); all {
			for _, frame := range missed {
				a.room.put(v, kindUpdate, frame.Data)
			}
			if v.socket {
				a.room.put(v, kindUpdate, a.room.head(who, a.hub.now()))
				a.room.put(v, kindUpdate, e.presenceTo(who))
			}
			return nil
		}
	}
	v.out.refresh(ef.welcome(v))
	return nil
}

// renew sends a whole view to a viewer whose updates gave way.
func (e *edge) renew(v *viewer) {
	ef := e.feed(v.audience)
	if ef.live {
		v.out.refresh(ef.welcome(v))
		return
	}
	seq := e.actor.room.feed(v.audience).seq
	ef.held[v] = &waiting{since: &seq, epoch: ef.epoch, compared: ef.epoch}
}
