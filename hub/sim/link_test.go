package sim

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// replyTimeout is how long an instance waits for an answer of the world.
const replyTimeout = 3 * time.Second

// Errors of a link.
var (
	errClosed  = errors.New("sim: the store is closed")
	errTimeout = errors.New("sim: no answer")
	errExists  = errors.New("sim: the encounter exists")
)

// link is one instance's way to the world, with all that can happen on it: the
// hub.Store of that instance.
type link struct {
	world   *world
	name    string
	weather *weather
	out, in gate // requests and answers get through
	awake   gate // the instance's goroutines run
	leases  leases

	running context.Context // over when the store is closed, or the instance is no more
	stop    context.CancelFunc
	work    sync.WaitGroup

	deaf bool                   // subscriptions hear nothing; under world.mu
	ears map[*ear]struct{}      // under world.mu
	says map[*answerer]struct{} // under world.mu
}

var _ hub.Store = (*link)(nil)

// newLink makes a way to the world for an instance with a clock of some pace: at
// 1.1, ten seconds of it are eleven.
func newLink(w *world, name string, weather *weather, pace float64) *link {
	l := &link{world: w, name: name, weather: weather, ears: map[*ear]struct{}{}, says: map[*answerer]struct{}{}}
	l.running, l.stop = context.WithCancel(context.Background())
	l.leases.init(l, pace)
	return l
}

// pause waits, unless ctx or the link is over before.
func (l *link) pause(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.running.Done():
		return errClosed
	}
}

// wake waits while the instance is stopped.
func (l *link) wake() {
	select {
	case <-l.awake.way():
	case <-l.running.Done():
	}
}

// leg is one way of a message: it takes its time, gets lost, or waits at a gate.
func (l *link) leg(ctx context.Context, g *gate) error {
	if err := l.pause(ctx, l.weather.lag()); err != nil {
		return err
	}
	if l.weather.strikes(15) {
		if err := l.pause(ctx, l.weather.within(replyTimeout)); err != nil {
			return err
		}
		return errTimeout
	}
	timer := time.NewTimer(replyTimeout)
	defer timer.Stop()
	select {
	case <-g.way():
		return nil
	case <-timer.C:
		return errTimeout
	case <-ctx.Done():
		return ctx.Err()
	case <-l.running.Done():
		return errClosed
	}
}

// trip asks the world something. After an error it may have been done or not;
// it may also be done once more, later, or late for the first time.
func trip[T any](ctx context.Context, l *link, do func() T) (T, error) {
	var none, got T
	l.wake()
	defer l.wake()
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if l.running.Err() != nil {
		return none, errClosed
	}
	if err := l.leg(ctx, &l.out); err != nil {
		return none, err
	}
	l.world.mu.Lock()
	run := l.world.run
	late := l.weather.strikes(5)
	if !late {
		got = do()
	}
	l.world.mu.Unlock()
	later := func(most time.Duration) {
		l.work.Go(func() {
			if l.pause(context.Background(), l.weather.within(most)) == nil {
				l.world.mu.Lock()
				defer l.world.mu.Unlock()
				if l.world.run == run {
					do()
				}
			}
		})
	}
	if late { // it arrives when whoever has asked counts on it no more
		later(2 * l.world.length)
		if err := l.pause(ctx, replyTimeout); err != nil {
			return none, err
		}
		return none, errTimeout
	}
	if l.weather.strikes(15) {
		later(2 * replyTimeout)
	}
	if err := l.leg(ctx, &l.in); err != nil {
		return none, err
	}
	return got, nil
}

// Create implements hub.Journal.
func (l *link) Create(ctx context.Context, encounter combat.ID, first hub.Record) error {
	records := []hub.Record{first}
	values, err := stored(records)
	if err != nil {
		return err
	}
	made, err := trip(ctx, l, func() bool { return l.world.create(encounter, &records[0], values[0]) })
	if err == nil && !made {
		err = errExists
	}
	return err
}

// Append implements hub.Journal.
func (l *link) Append(ctx context.Context, entry *hub.Entry) (hub.Appended, error) {
	values, err := stored(entry.Records)
	if err != nil {
		return hub.Appended{}, err
	}
	sent := time.Now()
	got, err := trip(ctx, l, func() hub.Appended { return l.world.append(l.name, entry, values) })
	switch {
	case err != nil:
	case got.Answer == hub.OK:
		l.leases.extended(entry.Encounter, entry.Fence, sent, lastOf(entry.Records[len(entry.Records)-1].Commit))
	case got.Answer == hub.FENCED || got.Answer == hub.EPOCH:
		l.leases.lose(entry.Encounter, entry.Epoch, entry.Fence, false)
	}
	return got, err
}

// found is what the world answers to a question about an encounter.
type found[T any] struct {
	what T
	err  error
}

// look asks for something of an encounter that must be there.
func look[T any](ctx context.Context, l *link, encounter combat.ID, missing T, in func(*table) (T, bool)) (T, error) {
	got, err := trip(ctx, l, func() found[T] {
		if t := l.world.tables[encounter]; t != nil {
			if what, is := in(t); is {
				return found[T]{what: what}
			}
		}
		return found[T]{missing, hub.ErrNotFound}
	})
	if err != nil {
		return missing, err
	}
	return got.what, got.err
}

// Read implements hub.Journal.
func (l *link) Read(ctx context.Context, encounter combat.ID, after uint64) iter.Seq2[hub.Record, error] {
	return func(yield func(hub.Record, error) bool) {
		values, err := look(ctx, l, encounter, nil, func(t *table) ([][]byte, bool) {
			return t.log[min(after, uint64(len(t.log))):len(t.log):len(t.log)], true
		})
		if err != nil {
			yield(hub.Record{}, err)
			return
		}
		for _, value := range values {
			record, err := decode(value)
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// Known implements hub.Journal.
func (l *link) Known(ctx context.Context, encounter combat.ID, command string) (hub.Record, error) {
	value, err := look(ctx, l, encounter, nil, func(t *table) ([]byte, bool) {
		k, is := t.ids[command]
		if !is {
			return nil, false
		}
		return t.log[k.seq-1], true
	})
	if err != nil {
		return hub.Record{}, err
	}
	return decode(value)
}

// Keep implements hub.Journal.
func (l *link) Keep(ctx context.Context, encounter combat.ID, grant hub.Grant, snapshot hub.Snapshot) error {
	_, err := trip(ctx, l, func() struct{} {
		l.world.keep(l.name, encounter, grant.Epoch, grant.Fence, snapshot)
		return struct{}{}
	})
	return err
}

// Kept implements hub.Journal.
func (l *link) Kept(ctx context.Context, encounter combat.ID, until uint64) (hub.Snapshot, error) {
	return look(ctx, l, encounter, hub.Snapshot{}, func(t *table) (best hub.Snapshot, is bool) {
		for seq, data := range t.snapshots {
			if seq <= until && seq >= best.Seq {
				best, is = hub.Snapshot{Seq: seq, Data: data}, true
			}
		}
		return best, is
	})
}

// Ready implements hub.Journal.
func (l *link) Ready(ctx context.Context) error {
	deaf, err := trip(ctx, l, func() bool { return l.deaf })
	if err == nil && deaf {
		err = errors.New("sim: the subscription is deaf")
	}
	return err
}

// Close implements hub.Journal: what is still owned is given up.
func (l *link) Close() error {
	if l.running.Err() != nil {
		return errClosed
	}
	l.leases.releaseAll()
	l.die()
	l.work.Wait()
	return nil
}

// die ends the link without a word.
func (l *link) die() {
	l.stop()
	l.world.mu.Lock()
	defer l.world.mu.Unlock()
	for e := range l.ears {
		e.remove()
	}
	for a := range l.says {
		a.remove()
	}
}

// Acquire implements hub.Lease.
func (l *link) Acquire(ctx context.Context, encounter combat.ID) (hub.Grant, error) {
	sent := time.Now()
	got, err := trip(ctx, l, func() acquired { return l.world.acquire(l.name, encounter) })
	if err != nil || got.err != nil {
		return hub.Grant{}, errors.Join(err, got.err)
	}
	lease := l.leases.add(encounter, got.grant.Epoch, got.grant.Fence, sent, got.last)
	got.grant.Lost, got.grant.Cut, got.grant.Held = lease.lost, func() bool { return l.leases.wasCut(lease) }, func() bool {
		l.wake()
		if !l.leases.good(lease) {
			return false
		}
		l.world.rival(l.name, encounter, got)
		return true
	}
	return got.grant, nil
}

// Release implements hub.Lease.
func (l *link) Release(ctx context.Context, encounter combat.ID, grant hub.Grant) error {
	l.leases.lose(encounter, grant.Epoch, grant.Fence, false)
	_, err := trip(ctx, l, func() struct{} {
		l.world.release(l.name, encounter, grant.Epoch, grant.Fence)
		return struct{}{}
	})
	return err
}
