package hub

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"riposte/combat"
)

// loadTimeout bounds bringing one encounter back.
const loadTimeout = 30 * time.Second

// replayUpdates is how many of the last commits are played through the views
// as well, so that log lines and updates for resuming viewers are there again.
const replayUpdates = ringUpdates

// load takes the lease and folds the log. Whatever goes wrong in it, a panic
// included, concerns this encounter only.
func (a *actor) load() (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.hub.metrics.panics.WithLabelValues(panicReplay).Inc()
			a.log.Error("panic in replay", "panic", p, "stack", string(debug.Stack()))
			err = errBroken
		}
		if errors.Is(err, errBroken) {
			a.hub.metrics.quarantined.Inc()
			a.log.Error("encounter is quarantined", "err", err)
		}
	}()
	start, now := time.Now(), a.hub.now()
	ctx, cancel := context.WithTimeout(a.hub.running, loadTimeout)
	defer cancel()
	if a.grant, err = a.hub.store.Acquire(ctx, a.id); errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("%w: %w", errBroken, err)
	} else if err != nil {
		return err
	}
	a.ends = ends{}
	counters, err := a.restore(ctx)
	if err != nil {
		return err
	}
	var late []Record // the last ones, not yet folded
	begin := uint64(0)
	if a.state != nil {
		begin = a.state.Seq
	}
	for record, err := range a.hub.store.Read(ctx, a.id, begin) {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrCorrupt):
			return fmt.Errorf("%w: %w", errBroken, err)
		case err != nil:
			return err
		}
		a.bytes += int64(record.Bytes)
		late = append(late, record)
		if len(late) > replayUpdates {
			if err := a.bring(late[0], counters, now); err != nil {
				return err
			}
			late[0] = Record{}
			late = late[1:]
		}
	}
	if a.state == nil && len(late) == 0 {
		return fmt.Errorf("%w: empty log", errBroken)
	}
	for _, record := range late {
		first := a.state == nil
		a.open(counters)
		if err := a.bring(record, counters, now); err != nil {
			return err
		}
		if first {
			a.open(counters)
			a.room.began(a.hub.engine, a.views, a.state, record.Commit)
		}
	}
	if a.state.Seq != a.grant.Head || a.hash != a.grant.Hash {
		// The store went back to an older state since it gave the lease: commits are
		// missing, or there are others, of whoever was the owner next. Our epoch is
		// the name of neither log; the next lease brings another.
		a.hub.metrics.shortened.Inc()
		return fmt.Errorf("hub: the log ends with commit %d %s, the lease says %d %s", a.state.Seq, a.hash, a.grant.Head, a.grant.Hash)
	}
	a.open(counters)
	a.room.catchUp(a.hub.now().UnixMilli())
	// Who shows the encounter elsewhere begins anew with a new owner.
	a.room.backlog.jumped, a.room.backlog.late = false, nil
	a.hub.metrics.replays.Observe(time.Since(start).Seconds())
	return nil
}

// bring takes the next record of the log. As long as the views have not begun it
// is only folded, unless spectators may not know of it yet.
func (a *actor) bring(r Record, counters map[string]uint64, now time.Time) error {
	if a.views == nil && a.state != nil && !toldBy(combat.ApplyCommit(a.state, r.Commit), now) {
		a.open(counters)
	}
	if a.views != nil {
		if err := a.replay(r); err != nil {
			return err
		}
	} else {
		if err := a.fold(r.Commit); err != nil {
			return err
		}
		a.recall(r)
		for audience, seq := range r.Seqs {
			counters[audience] = seq
		}
	}
	a.ends.note(a.grant.Past, r.Commit.Seq, func() map[string]uint64 { return a.counted(counters) })
	return nil
}

// toldBy reports whether by now spectators have surely been told of a state: it
// is old, or there was no delay when it came to be.
func toldBy(s *combat.State, now time.Time) bool {
	return combat.SpectatorDelay(s) == 0 || now.Sub(time.UnixMilli(s.At)) >= maxDelay
}

// open begins the views where the log has been folded to, if they have not begun
// and there is something to show.
func (a *actor) open(counters map[string]uint64) {
	if a.views == nil && a.state != nil {
		a.views = a.hub.engine.NewViews(a.state)
		a.room.begin(a.views, counters, delayOf(a.state))
	}
}

// fold applies one commit of the log.
func (a *actor) fold(c *combat.Commit) error {
	seq := uint64(0)
	if a.state != nil {
		seq = a.state.Seq
	}
	if err := c.Follows(seq, a.hash); err != nil {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	a.state, a.hash = combat.ApplyCommit(a.state, c), c.Hash
	return nil
}

// recall remembers a command of the log and returns its outcome.
func (a *actor) recall(r Record) outcome {
	sender := combat.Audience{Role: r.Commit.Role, Seat: r.Commit.Seat}
	o := outcome{seq: r.Ack, sender: sender.String(), key: r.Key}
	for _, event := range r.Commit.Events {
		if replaced, is := event.(combat.LinkReplaced); is {
			o.result = encode(a.newLink(r.Commit.ID, replaced.Role))
		}
	}
	a.outcomes.remember(r.Commit.ID, o)
	return o
}

// replay folds one commit and moves the feeds the way the record says they
// moved when it was made. A feed that this program would move otherwise (it
// shows something that the one that wrote the log did not) keeps its counter
// and loses what it has for resuming.
func (a *actor) replay(r Record) error {
	if err := a.fold(r.Commit); err != nil {
		return err
	}
	a.recall(r)
	seqs := a.room.seqs()
	shown := step{at: r.Commit.At, commit: r.Commit.Seq, delay: delayOf(a.state)}
	moved := map[combat.Audience]bool{}
	for _, change := range a.views.Move(a.state, r.Commit) {
		name, made := change.Audience.String(), seqs[change.Audience]
		m := move{frame: Frame{Audience: name, Seq: r.Seqs[name]}, change: change}
		switch {
		case m.frame.Seq == made+1:
			m.frame.Data = encodeUpdate(m.frame.Seq, &change)
		case change.Audience == spectators:
			m.frame.Seq = max(m.frame.Seq, made)
		default:
			f := a.room.feed(change.Audience)
			f.ring, f.bytes = nil, 0
			f.addLines(change.Log)
			continue
		}
		moved[change.Audience] = true
		shown.moves = append(shown.moves, m)
	}
	if seq := r.Seqs[spectators.String()]; seq != 0 && !moved[spectators] {
		shown.moves = append(shown.moves, move{frame: Frame{Audience: spectators.String(), Seq: seq}, change: combat.Change{Audience: spectators}})
		moved[spectators] = true
	}
	a.room.take(&shown)
	a.room.keep(a.views.Audiences())
	for audience, f := range a.room.feeds {
		if seq := r.Seqs[audience.String()]; seq != 0 && !moved[audience] {
			f.seq, f.ring, f.bytes = seq, nil, 0
		}
	}
	return nil
}
