package redis

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"riposte/combat"
	"riposte/hub"
)

// leases are the encounters that this instance owns. One goroutine extends them
// all; each has a timer that ends it by our own clock, whatever Redis does.
type leases struct {
	store *Store

	mu   sync.Mutex
	held map[combat.ID]*lease
}

// lease is the right to one encounter.
type lease struct {
	epoch string
	fence uint64
	lost  chan struct{}
	ends  *time.Timer

	// Under leases.mu. Both carry the reading of the clock that never goes
	// back.
	extended time.Time // when the last extension was asked for
	until    time.Time // our right is sure up to here
	last     last      // what is in the log for sure
	over     bool
	cut      bool // it is not
}

// last is the last commit of a log: what is remembered of its command, and its
// number.
type last struct {
	command string
	seq     uint64
}

func lastOf(c *combat.Commit) last { return last{digest(c.ID), c.Seq} }

// renewBatch bounds how many leases are extended with one write.
const renewBatch = 256

func (l *leases) init(s *Store) {
	l.store, l.held = s, map[combat.ID]*lease{}
	s.work.Go(l.keep)
}

// sure is how long a lease counts for its owner: less than it lasts in Redis,
// for clocks that run at other speeds and for time on the way.
func (l *leases) sure() time.Duration { return l.store.options.Lease * 4 / 5 }

// keep extends the leases that have a third of their time behind them.
func (l *leases) keep() {
	tick := time.NewTicker(l.store.options.Lease / 12)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			due := l.due()
			for len(due) > 0 {
				n := min(len(due), renewBatch)
				l.renew(due[:n])
				due = due[n:]
			}
		case <-l.store.running.Done():
			return
		}
	}
}

// owned is one lease and whose it is.
type owned struct {
	encounter combat.ID
	lease     *lease
	last      last // as it was when this was asked
}

func (l *leases) due() (due []owned) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for encounter, lease := range l.held {
		if time.Since(lease.extended) >= l.store.options.Lease/3 {
			due = append(due, owned{encounter, lease, lease.last})
		}
	}
	return due
}

// renew extends some leases. What is not answered is asked again at the next
// tick, until its time is over.
func (l *leases) renew(some []owned) {
	s := l.store
	ctx, cancel := context.WithTimeout(s.running, replyTimeout)
	defer cancel()
	sent := time.Now()
	answers := make([]*goredis.Cmd, len(some))
	pipe := s.client.Pipeline()
	for i, one := range some {
		keys := []string{s.key(one.encounter, "meta"), s.key(one.encounter, "lease"), s.key(one.encounter, "ids")}
		// With its text, which is short: a pipeline cannot fall back.
		answers[i] = renewScript.Eval(ctx, pipe, keys, one.lease.epoch, one.lease.fence, s.instance, s.options.Lease.Milliseconds(),
			one.last.command, one.last.seq)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		s.log.Warn("leases are not extended", "leases", len(some), "err", err)
	}
	for i, one := range some {
		held, err := answers[i].Int()
		switch {
		case err != nil:
		case held == 1:
			l.extended(one.encounter, one.lease.fence, sent, one.last)
		default:
			if held < 0 {
				s.log.Error("the log was cut short under a lease: Redis has lost commands that were acknowledged",
					"encounter", string(one.encounter), "acknowledged", one.last.seq)
			}
			l.lose(one.encounter, one.lease.epoch, one.lease.fence, held < 0)
		}
	}
}

// extended notes that Redis has extended a lease when it was asked at sent, and
// had that commit in the log.
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

// lose ends a lease that another owner has, or whose history is gone or cut
// short.
func (l *leases) lose(encounter combat.ID, epoch string, fence uint64, cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lease := l.held[encounter]; lease != nil && lease.epoch == epoch && lease.fence == fence {
		l.store.metrics.lost.Inc()
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
	l.store.metrics.leases.Dec()
}

// add takes a lease that Redis has given when it was asked at sent.
func (l *leases) add(encounter combat.ID, epoch string, fence uint64, sent time.Time, has last) *lease {
	one := &lease{epoch: epoch, fence: fence, lost: make(chan struct{}), extended: sent, until: sent.Add(l.sure()), last: has}
	l.mu.Lock()
	defer l.mu.Unlock()
	if before := l.held[encounter]; before != nil {
		l.drop(encounter, before)
	}
	one.ends = time.AfterFunc(time.Until(one.until), func() { l.end(encounter, one) })
	l.held[encounter] = one
	l.store.metrics.leases.Inc()
	return one
}

// end is what the timer does: it may be late or just too early.
func (l *leases) end(encounter combat.ID, lease *lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch left := time.Until(lease.until); {
	case lease.over:
	case left > 0:
		lease.ends.Reset(left)
	default:
		l.store.log.Error("a lease ran out", "encounter", string(encounter))
		l.store.metrics.lost.Inc()
		l.drop(encounter, lease)
	}
}

// good reports whether a lease is sure not to have ended.
func (l *leases) good(lease *lease) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !lease.over && time.Now().Before(lease.until)
}

// wasCut reports whether a lease ended because its log was cut short.
func (l *leases) wasCut(lease *lease) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lease.cut
}

// Acquire makes this instance the owner.
func (s *Store) Acquire(ctx context.Context, encounter combat.ID) (hub.Grant, error) {
	if s.running.Err() != nil {
		return hub.Grant{}, errClosed
	}
	keys := []string{s.key(encounter, "meta"), s.key(encounter, "log"), s.key(encounter, "ids"), s.key(encounter, "lease")}
	sent := time.Now()
	reply, err := acquireScript.Run(ctx, s.client, keys, s.instance, s.options.Lease.Milliseconds(), newEpoch(),
		s.publishing(), s.channel(encounter, hub.Ownership), hub.PastKept).Slice()
	if err != nil {
		return hub.Grant{}, err
	}
	switch reply[0] {
	case "OK":
	case "NOTFOUND":
		return hub.Grant{}, hub.ErrNotFound
	case "HELD":
		return hub.Grant{}, hub.ErrHeld
	default:
		return hub.Grant{}, fmt.Errorf("redis: encounter %s is not whole: %w", encounter, hub.ErrCorrupt)
	}
	epoch, _ := reply[1].(string)
	fence, _ := reply[2].(int64)
	head, _ := reply[3].(int64)
	secret, _ := reply[4].(string)
	past, _ := reply[5].(string)
	text, _ := reply[6].(string)
	newest, err := decodeText(encounter, decimal(uint64(head)), text)
	if err != nil {
		return hub.Grant{}, err
	}
	lease := s.leases.add(encounter, epoch, uint64(fence), sent, lastOf(newest.Commit))
	grant := hub.Grant{Epoch: epoch, Fence: uint64(fence), Head: uint64(head), Hash: newest.Commit.Hash, Past: pastOf(past), Lost: lease.lost,
		Held: func() bool { return s.leases.good(lease) }, Cut: func() bool { return s.leases.wasCut(lease) }}
	copy(grant.Secret[:], secret)
	return grant, nil
}

// pastOf reads the past histories as the script keeps them: epoch:head, and a
// space between two.
func pastOf(text string) (past []hub.Past) {
	for one := range strings.FieldsSeq(text) {
		epoch, number, _ := strings.Cut(one, ":")
		if head, err := parseSeq(number); err == nil {
			past = append(past, hub.Past{Epoch: epoch, Head: head})
		}
	}
	return past
}

// Release gives an encounter up at once.
func (s *Store) Release(ctx context.Context, encounter combat.ID, grant hub.Grant) error {
	s.leases.mu.Lock()
	if lease := s.leases.held[encounter]; lease != nil && lease.fence == grant.Fence {
		s.leases.drop(encounter, lease)
	}
	s.leases.mu.Unlock()
	keys := []string{s.key(encounter, "meta"), s.key(encounter, "lease")}
	return releaseScript.Run(ctx, s.client, keys, grant.Epoch, grant.Fence, s.instance, s.publishing(), s.channel(encounter, hub.Ownership)).Err()
}

// releaseAll gives up what was not given up one by one.
func (l *leases) releaseAll() {
	l.mu.Lock()
	left := make([]owned, 0, len(l.held))
	for encounter, lease := range l.held {
		left = append(left, owned{encounter, lease, lease.last})
	}
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(l.store.running, replyTimeout)
	defer cancel()
	for _, one := range left {
		if err := l.store.Release(ctx, one.encounter, hub.Grant{Epoch: one.lease.epoch, Fence: one.lease.fence}); err != nil {
			l.store.log.Warn("a lease is left to run out", "encounter", string(one.encounter), "err", err)
		}
	}
}

// envelope is a frame as it travels: number, history, message.
func envelope(seq uint64, epoch string, data []byte) []byte {
	b := make([]byte, 0, len(data)+len(epoch)+24)
	b = append(b, decimal(seq)...)
	b = append(b, ' ')
	b = append(b, epoch...)
	b = append(b, ' ')
	return append(b, data...)
}

// open reads an envelope, or reports false for what is none.
func open(payload, audience string) (hub.Frame, bool) {
	number, rest, found := strings.Cut(payload, " ")
	epoch, data, also := strings.Cut(rest, " ")
	seq, err := parseSeq(number)
	return hub.Frame{Audience: audience, Seq: seq, Epoch: epoch, Data: []byte(data)}, found && also && err == nil
}
