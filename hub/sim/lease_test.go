package sim

import (
	"context"
	"sync"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// leases are the encounters that one instance owns, extended as package redis
// does it: at a third of their time, and over by their own clock after four
// fifths.
type leases struct {
	link *link
	pace float64 // of its clock

	mu   sync.Mutex
	held map[combat.ID]*lease
}

// lease is the right to one encounter.
type lease struct {
	epoch    string
	fence    uint64
	lost     chan struct{}
	ends     *time.Timer
	extended time.Time
	until    time.Time
	last     last
	over     bool
	cut      bool
}

func (l *leases) init(link *link, pace float64) {
	l.link, l.pace, l.held = link, pace, map[combat.ID]*lease{}
	link.work.Go(l.keep)
}

// length is how long a lease lasts, by the clock of the instance.
func (l *leases) length() time.Duration {
	return time.Duration(float64(l.link.world.length) * l.pace)
}

func (l *leases) sure() time.Duration { return l.length() * 4 / 5 }

func (l *leases) keep() {
	tick := time.NewTicker(l.length() / 12)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.link.wake()
			for encounter, lease := range l.due() {
				l.renew(encounter, lease)
			}
		case <-l.link.running.Done():
			return
		}
	}
}

func (l *leases) due() map[combat.ID]*lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	due := map[combat.ID]*lease{}
	for encounter, lease := range l.held {
		if time.Since(lease.extended) >= l.length()/3 {
			due[encounter] = lease
		}
	}
	return due
}

func (l *leases) renew(encounter combat.ID, lease *lease) {
	l.mu.Lock()
	has := lease.last
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(l.link.running, replyTimeout)
	defer cancel()
	sent := time.Now()
	held, err := trip(ctx, l.link, func() int { return l.link.world.renew(l.link.name, encounter, lease.epoch, lease.fence, has) })
	switch {
	case err != nil:
	case held == 1:
		l.extended(encounter, lease.fence, sent, has)
	default:
		l.lose(encounter, lease.epoch, lease.fence, held < 0)
	}
}

func (l *leases) extended(encounter combat.ID, fence uint64, sent time.Time, has last) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lease := l.held[encounter]
	if lease == nil || lease.fence != fence {
		return
	}
	if has.seq > lease.last.seq {
		lease.last = has
	}
	if sent.After(lease.extended) {
		lease.extended, lease.until = sent, sent.Add(l.sure())
		lease.ends.Reset(time.Until(lease.until))
	}
}

func (l *leases) lose(encounter combat.ID, epoch string, fence uint64, cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lease := l.held[encounter]; lease != nil && lease.epoch == epoch && lease.fence == fence {
		lease.cut = cut
		l.drop(encounter, lease)
	}
}

// drop ends a lease. The lock is held.
func (l *leases) drop(encounter combat.ID, lease *lease) {
	delete(l.held, encounter)
	lease.over = true
	lease.ends.Stop()
	close(lease.lost)
}

func (l *leases) add(encounter combat.ID, epoch string, fence uint64, sent time.Time, has last) *lease {
	one := &lease{epoch: epoch, fence: fence, lost: make(chan struct{}), extended: sent, until: sent.Add(l.sure()), last: has}
	l.mu.Lock()
	defer l.mu.Unlock()
	if before := l.held[encounter]; before != nil {
		l.drop(encounter, before)
	}
	one.ends = time.AfterFunc(time.Until(one.until), func() { l.end(encounter, one) })
	l.held[encounter] = one
	return one
}

// end is what the timer does: late, when the instance was stopped meanwhile.
func (l *leases) end(encounter combat.ID, lease *lease) {
	l.link.wake()
	if l.link.pause(context.Background(), l.link.weather.lag()) != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch left := time.Until(lease.until); {
	case lease.over:
	case left > 0:
		lease.ends.Reset(left)
	default:
		l.drop(encounter, lease)
	}
}

func (l *leases) wasCut(lease *lease) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lease.cut
}

func (l *leases) good(lease *lease) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !lease.over && time.Now().Before(lease.until)
}

func (l *leases) releaseAll() {
	l.mu.Lock()
	left := map[combat.ID]*lease{}
	for encounter, lease := range l.held {
		left[encounter] = lease
	}
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(l.link.running, replyTimeout)
	defer cancel()
	for encounter, lease := range left {
		_ = l.link.Release(ctx, encounter, hub.Grant{Epoch: lease.epoch, Fence: lease.fence}) // or it runs out
	}
}
