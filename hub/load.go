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
			a.hub.metrics.panics.WithLabelValues("replay").Inc()
			a.log.Error("panic in replay", "panic", p, "stack", string(debug.Stack()))
			err = errBroken
		}
		if errors.Is(err, errBroken) {
			a.hub.metrics.quarantined.Inc()
			a.log.Error("encounter is quarantined", "err", err)
		}
	}()
	start := time.Now()
	ctx, cancel := context.WithTimeout(a.hub.running, loadTimeout)
	defer cancel()
	if a.grant, err = a.hub.store.Acquire(ctx, a.id); errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("%w: %w", errBroken, err)
	} else if err != nil {
		return err
	}
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
			if err := a.fold(late[0].Commit); err != nil {
				return err
			}
			a.recall(late[0])
			for audience, seq := range late[0].Seqs {
				counters[audience] = seq
			}
			late[0] = Record{}
			late = late[1:]
		}
	}
	if a.state == nil {
		// A young encounter: begin with its first commit.
		if len(late) == 0 {
			return fmt.Errorf("%w: empty log", errBroken)
		}
		if err := a.fold(late[0].Commit); err != nil {
			return err
		}
		a.recall(late[0])
		for audience, seq := range late[0].Seqs {
			counters[audience] = seq
		}
		late = late[1:]
	}
	a.views = a.hub.engine.NewViews(a.state)
	for _, audience := range a.views.Audiences() {
		a.room.feed(audience).seq = counters[audience.String()]
	}
	for _, record := range late {
		if err := a.replay(record); err != nil {
			return err
		}
	}
	a.hub.metrics.replays.Observe(time.Since(start).Seconds())
	return nil
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
	changes := a.views.Move(a.state, r.Commit)
	moved := map[string]bool{}
	for i := range changes {
		change := &changes[i]
		f := a.room.feed(change.Audience)
		name := change.Audience.String()
		seq := r.Seqs[name]
		if seq != f.seq+1 {
			f.ring, f.bytes = nil, 0
			f.addLines(change.Log)
			continue
		}
		moved[name] = true
		f.record(Frame{Audience: name, Seq: seq, Data: encodeUpdate(seq, change)}, change.Log)
	}
	a.room.keep(a.views.Audiences())
	for audience, f := range a.room.feeds {
		name := audience.String()
		if seq := r.Seqs[name]; seq != 0 && !moved[name] {
			f.seq, f.ring, f.bytes = seq, nil, 0
		}
	}
	return nil
}
