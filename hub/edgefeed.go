package hub

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"riposte/combat"
)

// ackPatience is how long an answer waits for its update at most.
const ackPatience = 3 * beatEvery

// maxBuffered bounds the frames that wait while an audience's view is fetched.
const maxBuffered = 512

// edgeFeed is one audience as an edge shows it. Its counter, ring, log lines and
// viewers are in the room's feed, like an owner's. It belongs to the actor's
// goroutine.
type edgeFeed struct {
	edge     *edge
	audience combat.Audience
	over     context.Context // ended when nobody wants it any more
	end      context.CancelFunc
	stop     func() // ends the subscription; nil before it is there

	live     bool // the view is there, and whole as far as was heard
	fetching bool
	again    bool // fetch once more: more may be missing
	epoch    string
	view     map[string]json.RawMessage
	buffered []Frame              // heard while it is not live
	held     map[*viewer]*waiting // wait for the view
	acks     []heldAck            // wait for an update
	used     time.Time            // last time that somebody was here
}

// waiting is what a viewer who waits for the view has seen, if anything, and in
// which history the owner has compared it with its own.
type waiting struct {
	since    *uint64
	epoch    string
	compared string
	asked    bool // the owner has said of it that it may be shown what is there
	again    bool // the owner is asked once more for it
}

// heldAck is an answer that waits until its effect has been sent.
type heldAck struct {
	seq  uint64
	say  func()
	when time.Time
}

// feed returns the feed of an audience. A new one begins to listen and then
// fetches the view.
func (e *edge) feed(audience combat.Audience) *edgeFeed {
	ef := e.feeds[audience]
	if ef == nil {
		ef = &edgeFeed{edge: e, audience: audience, held: map[*viewer]*waiting{}, used: time.Now(), fetching: true}
		ef.over, ef.end = context.WithCancel(e.over)
		e.feeds[audience] = ef
		e.actor.hub.actors.Go(ef.begin)
	}
	return ef
}

// close ends it.
func (ef *edgeFeed) close() {
	ef.end()
	if ef.stop != nil {
		ef.stop()
	}
}

// post has the actor do something for this feed, if it is wanted still.
func (ef *edgeFeed) post(do func()) {
	e := ef.edge
	select {
	case e.actor.bus <- func() {
		if e.actor.edge == e && e.feeds[ef.audience] == ef {
			do()
		}
	}:
	case <-ef.over.Done():
	case <-e.actor.done:
	}
}

// Hear implements Listener.
func (ef *edgeFeed) Hear(frame Frame) { ef.post(func() { ef.hear(frame) }) }

// Missed implements Listener.
func (ef *edgeFeed) Missed() {
	ef.edge.missed.Add(1)
	ef.post(ef.fetch)
}

// begin subscribes, on a goroutine of its own, and then fetches: what is
// published in between is buffered.
func (ef *edgeFeed) begin() {
	for ef.over.Err() == nil {
		ctx, cancel := context.WithTimeout(ef.over, postTimeout)
		stop, err := ef.edge.actor.hub.store.Subscribe(ctx, ef.edge.actor.id, ef.audience.String(), ef)
		cancel()
		if err != nil {
			continue
		}
		kept := make(chan []holder, 1)
		ef.post(func() {
			ef.stop = stop
			kept <- ef.holders()
		})
		select {
		case holders := <-kept:
			ef.get(feedCall{Holders: holders})
		case <-ef.over.Done():
			stop()
		}
		return
	}
}

// fetch asks the owner for what is missing.
func (ef *edgeFeed) fetch() {
	if ef.fetching {
		ef.again = true
		return
	}
	ef.fetching, ef.live = true, false
	ask := feedCall{Epoch: ef.epoch, Holders: ef.holders()}
	if ef.view != nil {
		seq := ef.edge.actor.room.feed(ef.audience).seq
		ask.Since = &seq
	}
	ef.edge.actor.hub.metrics.fetches.Inc()
	ef.edge.actor.hub.actors.Go(func() { ef.get(ask) })
}

// holders are who is shown this, whose notice that their tokens are void may have
// been missed: so every question for what is missing is about them as well.
func (ef *edgeFeed) holders() (all []holder) {
	for v := range ef.edge.actor.room.feed(ef.audience).viewers {
		if h := (holder{v.hash, v.as}); !slices.Contains(all, h) {
			all = append(all, h)
		}
	}
	return all
}

// later fetches once more, after a moment.
func (ef *edgeFeed) later() {
	ef.edge.actor.hub.actors.Go(func() {
		timer := time.NewTimer(callPause)
		defer timer.Stop()
		select {
		case <-timer.C:
			ef.post(ef.fetch)
		case <-ef.over.Done():
		}
	})
}

// get asks the owner, on a goroutine of its own.
func (ef *edgeFeed) get(ask feedCall) {
	ask.Audience = ef.audience.String()
	var reply feedReply
	if ef.edge.ask(ef.over, question(callFeed, "", ask), &reply) == nil {
		ef.post(func() { ef.got(&ask, &reply) })
	}
}

// got merges the owner's answer with what was heard meanwhile.
func (ef *edgeFeed) got(ask *feedCall, reply *feedReply) {
	e, room := ef.edge, ef.edge.actor.room
	f := room.feed(ef.audience)
	ef.fetching = false
	e.sign()
	if reply.Gone {
		for v := range f.viewers {
			e.expel(v, combat.Refuse("unauthorized"))
		}
		return
	}
	for v := range f.viewers {
		if slices.Contains(reply.Void, holder{v.hash, v.as}) {
			e.expel(v, combat.Refuse("unauthorized"))
		}
	}
	for v, w := range ef.held {
		w.asked = slices.Contains(ask.Holders, holder{v.hash, v.as})
	}
	e.tellPresence(reply.Presence)
	ef.reach(reply.Reach)
	switch {
	case !reply.Whole:
		for _, data := range reply.Updates {
			if seq, is := seqOf(data); is && seq == f.seq+1 {
				ef.apply(Frame{Audience: ef.audience.String(), Seq: seq, Epoch: reply.Epoch, Data: data})
			}
		}
	case reply.Epoch == ef.epoch && reply.Seq < f.seq:
		// Older than what was shown: the answer of one who was the owner, or whose
		// clock is behind.
		ef.later()
		return
	default:
		if reply.Epoch != ef.epoch {
			for v := range f.viewers {
				if ef.held[v] == nil { // the owner has said it of those
					v.cut = reply.Cut
				}
			}
		}
		for v, w := range ef.held {
			if w.since != nil && w.compared != reply.Epoch {
				// Another history than the owner spoke of: it has to be asked anew.
				e.expel(v, combat.Refuse("unavailable", "retryAfterMs", 200))
			}
		}
		ef.epoch, ef.view = reply.Epoch, reply.View
		if ef.view == nil {
			ef.view = map[string]json.RawMessage{}
		}
		f.seq, f.ring, f.bytes, f.body = reply.Seq, nil, 0, nil
		f.tail, f.inherited = reply.Log, false
		for v := range f.viewers {
			if ef.held[v] == nil {
				v.out.refresh(ef.welcome(v))
			}
		}
	}
	ef.live = true
	waiting := ef.buffered
	ef.buffered = nil
	for _, frame := range waiting {
		ef.hear(frame)
	}
	if ef.live {
		ef.letIn()
	}
	ef.say()
	if ef.again {
		ef.again = false
		ef.fetch()
	}
}

// letIn sends the view to those who wait for it. Somebody who has seen more of
// this history elsewhere must not go back: it waits for what the owner says
// next, the question just answered being older than it, and is sent away if
// that is not enough.
func (ef *edgeFeed) letIn() {
	f := ef.edge.actor.room.feed(ef.audience)
	for v, w := range ef.held {
		switch ahead := !v.cut && w.since != nil && w.epoch == ef.epoch && *w.since > f.seq; {
		case !w.asked: // it came while the question was on its way
			ef.again = true
		case ahead && w.again:
			ef.edge.expel(v, combat.Refuse("unavailable", "retryAfterMs", 200))
		case ahead:
			w.again, ef.again = true, true
		default:
			v.out.refresh(ef.welcome(v))
			delete(ef.held, v)
		}
	}
}

// hear takes a frame from the bus.
func (ef *edgeFeed) hear(frame Frame) {
	f := ef.edge.actor.room.feed(ef.audience)
	switch {
	case frame.Seq == 0:
		ef.edge.notice(ef, frame)
	case !ef.live: // without these the view would wait for the next beacon to show the hole
		if len(ef.buffered) >= maxBuffered {
			ef.buffered, ef.again = nil, true
		}
		ef.buffered = append(ef.buffered, frame)
	case frame.Epoch != ef.epoch || frame.Seq > f.seq+1:
		ef.fetch()
	case frame.Seq == f.seq+1:
		ef.edge.sign()
		ef.apply(frame)
		ef.say()
	}
}

// apply moves the view on by one update and sends it to everybody here, byte
// for byte as the owner made it.
func (ef *edgeFeed) apply(frame Frame) {
	if ef.view == nil {
		return // a whole one is on its way
	}
	var update Update
	if err := json.Unmarshal(frame.Data, &update); err != nil {
		ef.edge.actor.log.Error("an update cannot be read", "audience", frame.Audience, "seq", frame.Seq, "err", err)
		ef.view = nil // only a whole one will do
		ef.fetch()
		return
	}
	for key, value := range update.Set {
		ef.view[key] = value
	}
	for _, key := range update.Del {
		delete(ef.view, key)
	}
	ef.edge.actor.room.publish(ef.audience, frame, update.Log)
	if change := (&combat.Change{Set: update.Set, Del: update.Del}); ef.audience == spectators && touchesSeats(change) {
		ef.edge.sayPresence(ef.audience)
	}
}

// reach sets the spectators' clock to what the owner says.
func (ef *edgeFeed) reach(far *reach) {
	if ef.audience == spectators {
		ef.edge.actor.room.backlog.clock.Store(far)
	}
}

// head takes the owner's beacon. It goes on to the sockets: one that hears none
// knows that it may be out of date.
func (ef *edgeFeed) head(epoch string, seq uint64, data []byte) {
	if !ef.live {
		return
	}
	f := ef.edge.actor.room.feed(ef.audience)
	if epoch != ef.epoch || seq > f.seq {
		ef.fetch()
		return
	}
	if seq == f.seq {
		for v := range f.viewers {
			if v.socket {
				ef.edge.actor.room.put(v, kindHint, data)
			}
		}
	}
}

// welcome makes the whole view for a viewer as a message.
func (ef *edgeFeed) welcome(v *viewer) []byte {
	f := ef.edge.actor.room.feed(ef.audience)
	if f.body == nil {
		f.body = welcomeBody(ef.view, f.tail)
	}
	now, behind := ef.edge.actor.hub.now(), 0
	if ef.audience == spectators {
		clock := &ef.edge.actor.room.backlog.clock
		now, behind = clock.at(now), clock.behind(now)
	}
	return encodeWelcome(f.seq, ef.epoch, v.cut, now, behind, f.body, ef.edge.presenceTo(ef.audience))
}

// after says something once the audience has been sent an update.
func (ef *edgeFeed) after(seq uint64, say func()) {
	if ef.live && seq <= ef.edge.actor.room.feed(ef.audience).seq {
		say()
		return
	}
	ef.acks = append(ef.acks, heldAck{seq, say, time.Now()})
}

// say says what waited for updates that have been sent.
func (ef *edgeFeed) say() {
	seq := ef.edge.actor.room.feed(ef.audience).seq
	rest := ef.acks[:0]
	for _, ack := range ef.acks {
		if seq >= ack.seq {
			ack.say()
		} else {
			rest = append(rest, ack)
		}
	}
	ef.acks = rest
}

// beat looks after answers that have waited for long: their update was lost.
func (ef *edgeFeed) beat() {
	if len(ef.acks) > 0 && time.Since(ef.acks[0].when) >= beatEvery/2 && ef.live {
		ef.fetch()
	}
	for len(ef.acks) > 0 && time.Since(ef.acks[0].when) >= ackPatience {
		ack := ef.acks[0]
		ef.acks = ef.acks[1:]
		ack.say()
	}
}
