package sim

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// ear is one subscription: a goroutine that hands over what came, in order,
// each at its time.
type ear struct {
	link     *link
	at       channel
	listener hub.Listener
	over     context.Context
	stop     context.CancelFunc
	done     chan struct{}
	wake     chan struct{} // capacity 1

	queue []heard   // under world.mu
	last  time.Time // when the last one in it is due; under world.mu
}

// heard is a frame on its way, or word that some may be missing.
type heard struct {
	frame  hub.Frame
	missed bool
	due    time.Time
}

// Subscribe implements hub.Bus.
func (l *link) Subscribe(ctx context.Context, encounter combat.ID, audience string, listener hub.Listener) (func(), error) {
	e := &ear{link: l, at: channel{encounter, audience}, listener: listener, done: make(chan struct{}), wake: make(chan struct{}, 1)}
	e.over, e.stop = context.WithCancel(l.running)
	_, err := trip(ctx, l, func() struct{} {
		if _, again := l.ears[e]; !again && e.over.Err() == nil {
			l.world.ears[e.at] = append(l.world.ears[e.at], e)
			l.ears[e] = struct{}{}
		}
		return struct{}{}
	})
	cancel := func() {
		e.stop()
		l.world.mu.Lock()
		e.remove()
		l.world.mu.Unlock()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	l.work.Go(e.listen)
	return func() {
		cancel()
		<-e.done
	}, nil
}

// remove takes an ear off the world. The world's lock is held.
func (e *ear) remove() {
	w := e.link.world
	w.ears[e.at] = slices.DeleteFunc(w.ears[e.at], func(other *ear) bool { return other == e })
	delete(e.link.ears, e)
}

// put takes a frame that is published. The world's lock is held.
func (e *ear) put(frame hub.Frame) {
	w := e.link.weather
	// What an entry carries and is not numbered is lost with the bus's word only:
	// whoever has a void token would be shown what follows.
	told := frame.Audience == hub.Ownership || frame.Seq == 0 && bytes.Contains(frame.Data, []byte(`"type":"void"`))
	if e.link.deaf || !told && (w.mutes() || w.strikes(20)) {
		return // lost without a word
	}
	e.add(heard{frame: frame})
	if w.strikes(20) {
		e.add(heard{frame: frame})
	}
}

// add puts something at the end of what is on its way. The world's lock is held.
func (e *ear) add(h heard) {
	h.due = time.Now().Add(e.link.weather.lag())
	if h.due.Before(e.last) {
		h.due = e.last
	}
	e.last = h.due
	e.queue = append(e.queue, h)
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// next is the first thing on its way.
func (e *ear) next() (heard, bool) {
	e.link.world.mu.Lock()
	defer e.link.world.mu.Unlock()
	if len(e.queue) == 0 {
		return heard{}, false
	}
	return e.queue[0], true
}

// taken takes the first thing off, if it was not lost on the way.
func (e *ear) taken(h heard) bool {
	e.link.world.mu.Lock()
	defer e.link.world.mu.Unlock()
	if len(e.queue) == 0 || !e.queue[0].due.Equal(h.due) || e.queue[0].missed != h.missed {
		return false
	}
	e.queue = e.queue[1:]
	return true
}

func (e *ear) listen() {
	defer close(e.done)
	for e.over.Err() == nil {
		h, any := e.next()
		if !any {
			select {
			case <-e.wake:
			case <-e.over.Done():
			}
			continue
		}
		if e.link.pause(e.over, time.Until(h.due)) != nil {
			return
		}
		select {
		case <-e.link.in.way():
		case <-e.over.Done():
			return
		}
		e.link.wake()
		if !e.taken(h) || e.over.Err() != nil {
			continue
		}
		if h.missed {
			e.listener.Missed()
		} else {
			e.listener.Hear(h.frame)
		}
	}
}

// deafen breaks all subscriptions: what was on its way is lost, and so is what
// comes until mend.
func (l *link) deafen() {
	l.world.mu.Lock()
	defer l.world.mu.Unlock()
	l.deaf = true
	for e := range l.ears {
		e.queue = nil
	}
}

// mend makes the subscriptions anew.
func (l *link) mend() {
	l.world.mu.Lock()
	defer l.world.mu.Unlock()
	if !l.deaf {
		return
	}
	l.deaf = false
	for e := range l.ears {
		e.add(heard{missed: true})
	}
}

// Tell implements hub.Bus.
func (l *link) Tell(ctx context.Context, encounter combat.ID, epoch string, frames []hub.Frame) error {
	_, err := trip(ctx, l, func() struct{} {
		l.world.publish(encounter, epoch, frames)
		return struct{}{}
	})
	return err
}

// answerer is an instance that answers calls about an encounter.
type answerer struct {
	link      *link
	encounter combat.ID
	handle    func(context.Context, hub.Call) (hub.Reply, error)
	over      context.Context
	stop      context.CancelFunc
}

// Answer implements hub.Bus.
func (l *link) Answer(ctx context.Context, encounter combat.ID, handle func(context.Context, hub.Call) (hub.Reply, error)) (func(), error) {
	a := &answerer{link: l, encounter: encounter, handle: handle}
	a.over, a.stop = context.WithCancel(l.running)
	_, err := trip(ctx, l, func() struct{} {
		if _, again := l.says[a]; !again && a.over.Err() == nil {
			l.world.answerers[encounter] = append(l.world.answerers[encounter], a)
			l.says[a] = struct{}{}
		}
		return struct{}{}
	})
	cancel := func() {
		a.stop()
		l.world.mu.Lock()
		defer l.world.mu.Unlock()
		a.remove()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return cancel, nil
}

// remove takes an answerer off the world. The world's lock is held.
func (a *answerer) remove() {
	w := a.link.world
	w.answerers[a.encounter] = slices.DeleteFunc(w.answerers[a.encounter], func(other *answerer) bool { return other == a })
	delete(a.link.says, a)
}

// resendAfter is how long a call waits for an answer before it is sent again.
const resendAfter = 500 * time.Millisecond

// answered is an answer on its way.
type answered struct {
	reply hub.Reply
	err   error
}

// Call implements hub.Bus.
func (l *link) Call(ctx context.Context, encounter combat.ID, call hub.Call) (hub.Reply, error) {
	got := make(chan answered, 1)
	for {
		asked, err := trip(ctx, l, func() int {
			all := l.world.answerers[encounter]
			for _, a := range all {
				l.ask(a, call, got)
			}
			return len(all)
		})
		switch {
		case ctx.Err() != nil || l.running.Err() != nil:
			return nil, errors.Join(ctx.Err(), l.running.Err())
		case err == nil && asked == 0:
			return nil, hub.ErrNotFound
		}
		again := time.NewTimer(resendAfter)
		select {
		case answer := <-got:
			again.Stop()
			l.wake()
			return answer.reply, answer.err
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return nil, ctx.Err()
		case <-l.running.Done():
			again.Stop()
			return nil, errClosed
		}
	}
}

// ask brings a call to one who answers, and the answer back. Either way it may
// get lost. The world's lock is held.
func (l *link) ask(a *answerer, call hub.Call, got chan<- answered) {
	if a.link.deaf {
		return
	}
	a.link.work.Go(func() {
		if a.link.leg(a.over, &a.link.in) != nil {
			return
		}
		a.link.wake()
		reply, err := a.handle(a.over, call)
		if a.over.Err() != nil {
			err = hub.ErrNotFound // nobody answers there any more
		}
		a.link.wake()
		if a.link.leg(a.link.running, &a.link.out) != nil || l.leg(l.running, &l.in) != nil {
			return
		}
		select {
		case got <- answered{reply, err}:
		default: // one has come before
		}
	})
}
