package hub

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"riposte/combat"
)

// Bounds and rhythms of an actor.
const (
	commandMailbox = 256
	systemMailbox  = 256
	readMailbox    = 64
	maxGroup       = 64                     // commands in one journal entry
	postTimeout    = 5 * time.Second        // a mailbox may stay full
	beatEvery      = 2 * time.Second        // head beacon
	announceAfter  = 200 * time.Millisecond // presence, at most that often
)

// An actor is the one goroutine that owns an encounter's state, views and
// viewers. Others reach it through its mailboxes only.
type actor struct {
	hub *Hub
	id  combat.ID
	log *slog.Logger

	commands chan *order
	system   chan func()   // joins, leaves, refreshes: run by the actor
	reads    chan func()   // views and exports: run by the actor
	bus      chan func()   // what an edge hears: run by the actor
	speaking chan struct{} // a word to other instances is on its way
	ready    chan struct{}
	done     chan struct{} // closed when the actor does nothing any more
	failed   error         // set before ready is closed; not changed after

	// All below belongs to the goroutine.
	grant    Grant  // of the owner; none for an edge
	edge     *edge  // while another instance is the owner
	unanswer func() // ends answering for the encounter, as its owner
	state    *combat.State
	hash     string // of the last commit
	ends     ends   // of the histories before this one
	bytes    int64  // of the log
	kept     int64  // bytes of updates that the hub knows of
	views    *combat.Views
	room     *room
	outcomes *memory
	refused  combat.Deadline // the core would not have this one: do not ask again
	timer    *time.Timer     // the state's next deadline
	soon     *time.Timer     // presence to tell
	due      *time.Timer     // something to tell the spectators
	dueAt    int64           // when due rings; 0: not at all
	telling  bool            // soon runs
	used     time.Time       // last time somebody wanted something
	ended    bool
}

// order is one command on its way to the actor.
type order struct {
	id      string
	echo    string // the id as it was sent
	command combat.Command
	server  bool    // time sends it, not a person
	hash    string  // of the sender's token
	viewer  *viewer // whose outbox gets the answer; nil when reply does
	reply   chan<- outcome
}

// outcome is the answer to a command: refused, or accepted with the counter of
// the sender's audience.
type outcome struct {
	refusal *combat.Refusal
	seq     uint64
	result  json.RawMessage
	sender  string // audience that got it
	key     string // hash of the token it may have made void
}

func newActor(h *Hub, id combat.ID) *actor {
	return &actor{
		hub: h, id: id, log: h.log.With("encounter", string(id)),
		commands: make(chan *order, commandMailbox),
		system:   make(chan func(), systemMailbox),
		reads:    make(chan func(), readMailbox),
		bus:      make(chan func(), busMailbox), speaking: make(chan struct{}, 1),
		ready: make(chan struct{}), done: make(chan struct{}),
		room: newRoom(h.metrics, h.limits.DelayBytes), outcomes: newMemory(h.limits.Remembered),
	}
}

// post puts something into a mailbox. It waits a while for room: errGone when
// the actor is no more, the context's error, or errBusy.
func post[T any](ctx context.Context, a *actor, mailbox chan<- T, what T) error {
	select {
	case mailbox <- what:
		return nil
	case <-a.done:
		return errGone
	default:
	}
	timer := time.NewTimer(postTimeout)
	defer timer.Stop()
	select {
	case mailbox <- what:
		return nil
	case <-a.done:
		return errGone
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return errBusy
	}
}

var errBusy = errors.New("hub: the encounter has too much to do")

// run is the actor's goroutine, from the first who wants the encounter until
// it is put away.
func (a *actor) run() {
	defer a.hub.actors.Done()
	defer close(a.done)
	err := a.begin()
	if errors.Is(err, ErrHeld) {
		err = a.becomeEdge()
	}
	if err != nil {
		// Off the list before anybody is told: whoever comes next tries anew,
		// unless its log is broken.
		if errors.Is(err, errBroken) {
			a.hub.quarantine(a.id)
		}
		a.hub.forget(a)
		a.failed = err
		close(a.ready)
		return
	}
	defer a.hub.forget(a)
	a.hub.metrics.encounters.Inc()
	defer a.hub.metrics.encounters.Dec()
	defer a.leave()

	a.timer, a.soon, a.due = stoppedTimer(), stoppedTimer(), stoppedTimer()
	defer a.timer.Stop()
	defer a.soon.Stop()
	defer a.due.Stop()
	a.used = time.Now()
	close(a.ready)
	a.loop()
}

// loop works until the encounter is put away. A panic in it is a fault of ours
// that concerns this encounter only.
func (a *actor) loop() {
	defer func() {
		if p := recover(); p != nil {
			a.hub.metrics.panics.WithLabelValues(panicActor).Inc()
			a.log.Error("panic in an actor", "panic", p, "stack", string(debug.Stack()))
			a.giveUp("panic")
		}
	}()
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	a.expire()
	a.arm()
	a.armDue()
	for !a.ended {
		commands := a.commands
		if a.edge != nil && a.edge.full() {
			commands = nil
		}
		select {
		case do := <-a.system:
			a.used = time.Now()
			if a.holds() {
				do()
			}
		case do := <-a.reads:
			a.used = time.Now()
			if a.holds() {
				do()
			}
		case do := <-a.bus:
			do()
		case first := <-commands:
			a.used = time.Now()
			if a.edge != nil {
				a.edge.pass(a.waiting(first))
			} else if a.holds() {
				a.expire() // a deadline that has passed was before what came after it
				a.handle(a.waiting(first))
			}
		case <-a.timer.C:
			if a.edge != nil {
				a.edge.again()
			} else if a.holds() {
				a.expire()
				a.arm()
			}
		case <-a.due.C:
			if a.dueAt = 0; a.holds() {
				a.catchUp()
			}
		case <-a.soon.C:
			a.telling = false
			a.announce()
		case <-beat.C:
			a.beat()
			a.ended = a.ended || a.idle()
		case <-a.grant.Lost:
			if a.grant.Cut != nil && a.grant.Cut() {
				a.hub.metrics.shortened.Inc()
			}
			a.giveUp("the lease is lost")
		case <-a.hub.draining:
			a.drain()
		}
		if a.room.dirty && !a.telling {
			// Changes of presence gather for a moment.
			a.telling = true
			a.soon.Reset(announceAfter)
		}
		a.armDue()
	}
}

// armDue sets the timer to the next moment at which the spectators are to be
// told something.
func (a *actor) armDue() {
	at, _ := a.room.backlog.due()
	if at == a.dueAt {
		return
	}
	if a.dueAt = at; at == 0 {
		a.due.Stop()
		return
	}
	a.due.Reset(time.UnixMilli(at).Sub(a.hub.now()))
}

// holds reports whether the encounter is ours still. A process that was stopped
// for longer than its lease is here before it hears that the lease is lost, and
// may have nothing more to say: another instance may be further by now.
func (a *actor) holds() bool {
	if !a.ended && !a.grant.Good() {
		a.giveUp("the lease ran out")
	}
	return !a.ended
}

// begin brings the encounter back and answers for it on the bus.
func (a *actor) begin() (err error) {
	if err = a.load(); err == nil {
		a.unanswer, err = a.offer()
	}
	if err != nil && a.grant.Epoch != "" {
		a.release()
	}
	return err
}

// leave ends the actor's part in the encounter.
func (a *actor) leave() {
	a.settle(0)
	if a.edge != nil {
		a.edge.leave()
		a.edge.close()
		return
	}
	a.unanswer()
	a.release()
}

// announce tells who is online, if that has changed.
func (a *actor) announce() {
	switch {
	case !a.room.dirty:
	case a.edge != nil:
		a.room.dirty = false
		a.edge.report()
	default:
		a.room.announce(a.state)
		a.tellElsewhere(false)
	}
}

// beat tells that the encounter is alive.
func (a *actor) beat() {
	a.weigh()
	if a.edge != nil {
		a.edge.beat()
		return
	}
	a.room.beat(a.hub.now())
	a.beatElsewhere()
}

// offer answers for the encounter on the bus.
func (a *actor) offer() (unanswer func(), err error) {
	ctx, cancel := context.WithTimeout(a.hub.running, postTimeout)
	defer cancel()
	return a.hub.store.Answer(ctx, a.id, a.answer)
}

// stoppedTimer makes a timer that does not run.
func stoppedTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// waiting collects the commands that wait behind the first.
func (a *actor) waiting(first *order) []*order {
	group := []*order{first}
	for len(group) < maxGroup {
		select {
		case next := <-a.commands:
			group = append(group, next)
		default:
			return group
		}
	}
	return group
}

// idle reports whether the encounter can be put away: nobody is connected and
// nobody has asked for a while. Its deadlines rest until somebody comes.
func (a *actor) idle() bool {
	return a.room.viewers == 0 && len(a.room.elsewhere) == 0 && time.Since(a.used) >= a.hub.limits.IdleTime &&
		len(a.commands) == 0 && len(a.system) == 0 && len(a.reads) == 0 && (a.edge == nil || !a.edge.needed())
}

// arm sets the timer to the state's next deadline.
func (a *actor) arm() {
	if a.state == nil {
		return // an edge's
	}
	next, any := combat.Next(a.state)
	if !any || next == a.refused {
		a.timer.Stop()
		return
	}
	a.timer.Reset(time.UnixMilli(next.At).Sub(a.hub.now()))
}

// expire sends the commands of all deadlines that have passed.
func (a *actor) expire() {
	for range maxGroup {
		if a.state == nil {
			return // the deadlines are the owner's
		}
		next, any := combat.Next(a.state)
		if !any || a.ended || next == a.refused || a.hub.now().UnixMilli() < next.At {
			return
		}
		before := a.state
		a.handle([]*order{{server: true, id: expiryID(a.grant.Epoch, next), command: next.Command}})
		if a.state == before {
			a.refused = next
			a.log.Error("a deadline changes nothing", "command", combat.CommandName(next.Command))
		}
	}
}

// drain finishes what waits and sends everybody away to come back soon.
func (a *actor) drain() {
	for a.edge == nil {
		select {
		case first := <-a.commands:
			a.expire()
			a.handle(a.waiting(first))
			continue
		default:
		}
		break
	}
	a.dismiss("draining", dropDraining)
	a.ended = true
}

// dismiss closes every viewer with a code, to come back within two seconds,
// not all at once.
func (a *actor) dismiss(code, reason string) {
	a.room.each(func(v *viewer) {
		a.room.detach(v)
		v.out.close(encodeBye(code, 200*time.Millisecond+rand.N(1800*time.Millisecond)), reason)
	})
}

// release gives the encounter up.
func (a *actor) release() {
	ctx, cancel := context.WithTimeout(context.Background(), postTimeout)
	defer cancel()
	if err := a.hub.store.Release(ctx, a.id, a.grant); err != nil {
		a.log.Warn("release failed", "err", err)
	}
}

// encode writes the outcome as an Ack or a Reject.
func (o *outcome) encode(id string) []byte {
	if o.refusal != nil {
		return encodeReject(id, o.refusal)
	}
	return encodeAck(id, o.seq, o.result)
}
