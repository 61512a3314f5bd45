package hub

import (
	"context"
	"crypto/subtle"
	"errors"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"riposte/combat"
)

// draft is what a group of commands would make of an encounter: everything is
// worked out on it, and becomes the encounter's only once the journal has it.
type draft struct {
	state   *combat.State
	hash    string
	seqs    map[combat.Audience]uint64
	records []Record
	frames  []Frame
	steps   []step    // one for each record
	answers []outcome // one for each order
}

// late reports whether the spectators' frame of a commit is for later, because
// they are delayed or because others before it wait.
func (d *draft) late(b *backlog, delay int64) bool {
	return delay > 0 || len(b.waiting) > 0 || slices.ContainsFunc(d.steps, func(s step) bool { return s.delay > 0 })
}

// handle answers a group of commands in the order given. Those that are
// accepted go into the journal together, but a command that takes somebody's
// right to look away is the last of its entry: what comes after it is not for
// them.
func (a *actor) handle(group []*order) {
	for len(group) > 0 && !a.ended {
		n := 1
		for n < len(group) && !revoking(combat.CommandName(group[n-1].command)) {
			n++
		}
		a.handleEntry(group[:n])
		group = group[n:]
	}
	a.arm()
}

func (a *actor) handleEntry(group []*order) {
	for {
		d := a.decide(group)
		if len(d.records) == 0 {
			a.reply(group, d.answers)
			return
		}
		appended, known := a.append(d)
		if !known {
			a.giveUp("the journal does not answer")
			return
		}
		switch appended.Answer {
		case OK:
			a.adopt(d)
			a.reply(group, d.answers)
			a.revoke(d)
			return
		case DUP:
			// Older than what the memory holds. With its outcome known, the
			// group is decided once more.
			if _, known := a.longAgo(d.records[appended.Index].Commit.ID); !known {
				a.giveUp("the journal knows a command and does not")
				return
			}
			a.views = a.hub.engine.NewViews(a.state)
		default:
			a.hub.metrics.refused.WithLabelValues(appended.Answer.String()).Inc()
			if appended.Answer == SEQ && appended.Seq < a.state.Seq {
				a.hub.metrics.shortened.Inc()
				a.log.Error("the log was cut short: the store has lost commands that were acknowledged",
					"head", appended.Seq, "acknowledged", a.state.Seq)
			}
			a.giveUp("not the owner any more: " + appended.Answer.String())
			return
		}
	}
}

// giveUp ends the actor without its state: whoever comes next brings the
// encounter back from the journal, which knows what became of the last entry.
func (a *actor) giveUp(why string) {
	a.log.Error("encounter dropped", "why", why)
	a.dismiss("unavailable", dropUnavailable)
	a.ended = true
}

// decide works a group of commands out, changing nothing but the views.
func (a *actor) decide(group []*order) *draft {
	d := &draft{state: a.state, hash: a.hash, seqs: a.room.seqs(), answers: make([]outcome, len(group))}
	inGroup := map[string]int{}
	for i, o := range group {
		who, allowed := combat.Audience{Role: combat.RoleServer}, true
		if !o.server {
			who, allowed = authorise(d.state, o.hash)
		}
		if !allowed {
			d.answers[i] = a.repeatVoid(o)
			continue
		}
		known, before := a.outcomes.outcome(o.id)
		if first, twice := inGroup[o.id]; twice {
			known, before = d.answers[first], true
		}
		if before {
			d.answers[i] = known.repeated(who)
			a.hub.metrics.commands.WithLabelValues("repeated").Inc()
			continue
		}
		start := time.Now()
		if wait, ok := a.turn(who, start); !ok {
			d.answers[i] = outcome{refusal: tooFast(wait)}
			continue
		}
		d.answers[i] = a.decideOne(d, o, who)
		a.hub.metrics.decide.Observe(time.Since(start).Seconds())
		if d.answers[i].refusal != nil && a.outcomes.full() {
			// It may have been accepted long ago, and its time is past.
			if first, known := a.longAgo(o.id); known {
				d.answers[i] = first.repeated(who)
			}
		}
		inGroup[o.id] = i
	}
	return d
}

// longAgo returns the outcome of a command that the memory does not know, if
// the journal does or cannot say.
func (a *actor) longAgo(id string) (outcome, bool) {
	ctx, cancel := context.WithTimeout(a.hub.running, a.hub.limits.AppendTimeout)
	defer cancel()
	record, err := a.hub.store.Known(ctx, a.id, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return outcome{}, false
	case err != nil:
		a.log.Warn("the journal does not say whether it knows a command", "err", err)
		return outcome{refusal: combat.Refuse("unavailable", "retryAfterMs", 1000)}, true
	}
	return a.recall(record), true
}

// turn takes one turn of an audience's measure of commands, or says how long to
// wait for it. Time has none.
func (a *actor) turn(who combat.Audience, now time.Time) (wait time.Duration, ok bool) {
	if who.Role == combat.RoleServer {
		return 0, true
	}
	f := a.room.feed(who)
	if f.measure == nil {
		f.measure = rate.NewLimiter(rate.Limit(callFactor*a.hub.limits.CommandRate), callFactor*a.hub.limits.CommandBurst)
	}
	return take(f.measure, now)
}

// grown refuses what would make the log longer than it may be. The last tenth
// is for the GM and for time, so that no player can bring a fight to a halt.
func (a *actor) grown(d *draft, who combat.Audience) *combat.Refusal {
	commits, bytes := a.hub.limits.Commits, a.hub.limits.Bytes
	if who.Role != combat.RoleGM && who.Role != combat.RoleServer {
		commits, bytes = commits-commits/10, bytes-bytes/10
	}
	switch {
	case d.state.Seq >= commits:
		return combat.Refuse("too_many", "field", "commits", "limit", commits)
	case a.bytes >= bytes:
		return combat.Refuse("too_many", "field", "bytes", "limit", bytes)
	}
	return nil
}

// repeatVoid answers somebody whose token is no good: with the first outcome
// if they only repeat the command that made it void, because its answer may
// have been lost.
func (a *actor) repeatVoid(o *order) outcome {
	if _, is := o.command.(combat.ReplaceLink); is && o.hash != "" {
		first, known := a.outcomes.outcome(o.id)
		if !known && a.outcomes.full() {
			first, known = a.longAgo(o.id)
		}
		if known && subtle.ConstantTimeCompare([]byte(first.key), []byte(o.hash)) == 1 {
			return first
		}
	}
	return outcome{refusal: combat.Refuse("unauthorized")}
}

// repeated is the outcome as it is told again: the result, which may be a
// secret, only to whoever had it.
func (o outcome) repeated(who combat.Audience) outcome {
	if o.sender != who.String() {
		o.result = nil
	}
	return o
}

// decideOne decides one command on the draft and adds what comes of it. A
// panic is a fault of the rules: it refuses this command.
func (a *actor) decideOne(d *draft, o *order, who combat.Audience) (answer outcome) {
	defer func() {
		if p := recover(); p != nil {
			a.hub.metrics.panics.WithLabelValues(panicDecide).Inc()
			a.log.Error("panic in the rules", "command", combat.CommandName(o.command), "panic", p, "stack", string(debug.Stack()))
			a.views = a.hub.engine.NewViews(d.state)
			answer = outcome{refusal: combat.Refuse("unavailable")}
		}
	}()
	answer.sender = who.String()
	if answer.refusal = a.grown(d, who); answer.refusal != nil {
		return answer
	}
	if _, joins := o.command.(combat.AddSeat); joins && len(d.state.Seats) >= a.hub.limits.Seats {
		answer.refusal = combat.Refuse("too_many", "field", "seats", "limit", a.hub.limits.Seats)
		return answer
	}
	command := o.command
	if replace, is := command.(combat.ReplaceLink); is {
		link := a.newLink(o.id, replace.Role)
		replace.Key = hashToken(link.Token)
		command, answer.result, answer.key = replace, encode(link), o.hash
	}
	by := combat.By{Role: who.Role, Seat: who.Seat, Now: max(a.hub.now().UnixMilli(), d.state.At), Dice: a.hub.dice}
	events, next, refusal := a.hub.engine.Decide(d.state, command, by)
	if refusal != nil {
		answer.refusal, answer.result, answer.key = refusal, nil, ""
		return answer
	}
	commit := &combat.Commit{Seq: d.state.Seq + 1, Fence: a.grant.Fence, ID: o.id, Type: combat.CommandName(command),
		Role: who.Role, Seat: who.Seat, At: by.Now, Events: events}
	if err := commit.Seal(d.hash); err != nil {
		panic(err) // an event that cannot be encoded
	}
	answer.seq = a.show(d, commit, next, who, answer.key)
	return answer
}

// show works out what each audience sees of a commit and adds all to the
// draft. It returns the counter of the sender's audience.
func (a *actor) show(d *draft, commit *combat.Commit, next *combat.State, who combat.Audience, key string) uint64 {
	record := Record{Commit: commit, Seqs: map[string]uint64{}, Key: key}
	shown := step{at: commit.At, commit: commit.Seq, delay: delayOf(next)}
	for _, change := range a.views.Move(next, commit) {
		name, seq := change.Audience.String(), d.seqs[change.Audience]+1
		record.Seqs[name] = seq
		shown.moves = append(shown.moves, move{frame: Frame{Audience: name, Seq: seq, Data: encodeUpdate(seq, &change)}, change: change,
			late: change.Audience == spectators && d.late(&a.room.backlog, shown.delay)})
	}
	for _, m := range shown.moves {
		d.seqs[m.change.Audience] = m.frame.Seq
		if !m.late {
			d.frames = append(d.frames, m.frame)
		}
	}
	if revoking(commit.Type) {
		d.frames = append(d.frames, voided(d.state, next, slices.Collect(maps.Keys(d.seqs)))...)
	}
	record.Ack = d.seqs[who]
	d.state, d.hash = next, commit.Hash
	d.records = append(d.records, record)
	d.steps = append(d.steps, shown)
	return record.Ack
}

// delayOf is how much later spectators are told, in milliseconds.
func delayOf(s *combat.State) int64 { return int64(combat.SpectatorDelay(s)) * 1000 }

// append puts the draft into the journal, repeating the entry while its
// outcome is unknown. It reports false when it gave up.
func (a *actor) append(d *draft) (Appended, bool) {
	entry := &Entry{Encounter: a.id, Epoch: a.grant.Epoch, Fence: a.grant.Fence, Head: a.state.Seq,
		Records: d.records, Frames: d.frames}
	a.hub.metrics.group.Observe(float64(len(d.records)))
	ctx, cancel := context.WithTimeout(a.hub.running, a.hub.limits.AppendTimeout)
	defer cancel()
	start := time.Now()
	pause := 5 * time.Millisecond
	for {
		appended, err := a.hub.store.Append(ctx, entry)
		if err == nil {
			a.hub.metrics.appends.Observe(time.Since(start).Seconds())
			return appended, true
		}
		if errors.Is(err, ErrBroken) || errors.Is(err, ErrCorrupt) {
			a.log.Error("append failed", "err", err)
			return Appended{}, false
		}
		a.hub.metrics.retries.Inc()
		a.log.Warn("append is not answered", "err", err)
		select {
		case <-time.After(pause):
			pause = min(2*pause, 2*time.Second)
		case <-a.grant.Lost:
			// Whoever owns it next knows what became of the entry.
			return Appended{}, false
		case <-ctx.Done():
			return Appended{}, false
		}
	}
}

// adopt makes a draft that the journal has the encounter's state and tells
// every audience.
func (a *actor) adopt(d *draft) {
	every := uint64(a.hub.limits.SnapshotEvery)
	due := d.state.Seq/every > a.state.Seq/every
	a.state, a.hash = d.state, d.hash
	for i := range d.records {
		a.bytes += int64(d.records[i].Bytes)
	}
	delay := a.room.backlog.delay
	for i := range d.steps {
		a.room.take(&d.steps[i])
	}
	a.catchUp()
	if a.room.backlog.delay != delay {
		a.tellElsewhere(true) // their clocks go by it
	}
	if due {
		a.keep()
	}
}

// catchUp tells the spectators what is due by now.
func (a *actor) catchUp() {
	b := &a.room.backlog
	a.room.catchUp(a.hub.now().UnixMilli())
	if b.jumped {
		b.jumped = false
		for v := range a.room.feed(spectators).viewers {
			v.out.refresh(a.welcome(v))
		}
	}
	if len(b.late) > 0 {
		if len(a.room.elsewhere) > 0 {
			b.late = append(b.late, Frame{Audience: spectators.String(), Data: b.clock.notice()})
		}
		a.handOver(b.late)
		b.late = nil
	}
}

// handOver gives the bus frames that are in the log and were not for others
// until now. One that gets lost shows as a hole.
func (a *actor) handOver(frames []Frame) {
	ctx, cancel := context.WithTimeout(a.hub.running, postTimeout)
	defer cancel()
	if err := a.hub.store.Tell(ctx, a.id, a.grant.Epoch, frames); err != nil {
		a.log.Warn("frames are not published", "err", err)
	}
}

// revoking reports whether a command makes tokens void.
func revoking(command string) bool { return command == "replaceLink" || command == "removeSeat" }

// revoke closes the viewers whose token the draft made void.
func (a *actor) revoke(d *draft) {
	if revoking(d.records[len(d.records)-1].Commit.Type) {
		a.room.each(func(v *viewer) {
			if who, refusal := seeing(a.state, v.hash, v.as); refusal != nil || who != v.audience {
				a.room.detach(v)
				v.out.close(encodeBye("unauthorized", 0), dropUnauthorized)
			}
		})
	}
	a.room.keep(a.views.Audiences())
}

// reply answers the senders, after what they will see is on its way.
func (a *actor) reply(group []*order, answers []outcome) {
	for i, o := range group {
		answer := answers[i]
		if answer.refusal != nil {
			a.hub.metrics.commands.WithLabelValues(answer.refusal.Code).Inc()
		} else {
			a.hub.metrics.commands.WithLabelValues("ok").Inc()
		}
		if lasting(answer.refusal) {
			a.outcomes.remember(o.id, answer)
		}
		a.deliver(o, answer)
	}
}

// deliver hands a sender the answer.
func (a *actor) deliver(o *order, answer outcome) {
	if o.reply != nil {
		o.reply <- answer
	}
	if o.viewer != nil && !o.viewer.out.put(kindReply, answer.encode(o.echo)) {
		a.hub.metrics.overflows.Inc()
	}
}

// lasting reports whether an outcome is one to repeat. "Not allowed in" and
// "not now" are not: they say nothing about the command.
func lasting(r *combat.Refusal) bool {
	return r == nil || r.Code != "unauthorized" && r.Code != "unavailable" && r.Code != "draining" && r.Code != "rate_limited"
}
