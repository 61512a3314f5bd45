package hub

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"riposte/combat"
)

// spectators are told everything as late as the option spectatorDelay says.
var spectators = combat.Audience{Role: combat.RoleSpectator}

// maxDelay is the longest delay there is.
const maxDelay = combat.MaxSpectatorDelay * time.Second

// backlog is what the spectators know, and what they are yet to be told. Its
// moments are those of the commits, in Unix milliseconds, and what is due is
// looked at with every commit: so a log that is read back comes to the same
// backlog as the one that was kept while it was written.
type backlog struct {
	limit   int   // bytes that may wait; over it, updates become one
	delay   int64 // in force
	floor   int64 // how far they had been told when the delay last changed
	made    uint64
	told    map[string]json.RawMessage // their view as they know it
	waiting []held                     // oldest first
	bytes   int                        // of what waits
	jumped  bool                       // a whole view is owed to those who are here
	late    []Frame                    // told, and not handed to the bus with the log
	clock   clock
}

// held is an update that waits, or several that have become one.
type held struct {
	from, at int64  // the moments of its first and its last commit
	commit   uint64 // its first commit
	change   combat.Change
	frame    Frame // without data: it can only be told as a whole view
	late     bool  // the bus does not have the frame
}

// size is about how many bytes of memory an update holds.
func (h *held) size() int {
	size := len(h.frame.Data) + 256
	for key, value := range h.change.Set {
		size += len(key) + len(value)
	}
	for _, line := range h.change.Log {
		size += len(line)
	}
	return size
}

// wait takes the next update.
func (b *backlog) wait(h held) {
	b.made = h.frame.Seq
	b.waiting = append(b.waiting, h)
	b.bytes += h.size()
	for b.bytes > b.limit && len(b.waiting) > 1 {
		b.thin()
	}
}

// thin makes one of every two updates that follow each other, to be told when
// the later is due. So too much waits no longer, nothing is told too early, and
// what waits is never more than a whole view and a few log lines.
func (b *backlog) thin() {
	kept := b.waiting[:0]
	b.bytes = 0
	for i := 0; i < len(b.waiting); i += 2 {
		h := b.waiting[i]
		if i+1 < len(b.waiting) {
			h = h.and(&b.waiting[i+1])
		}
		b.bytes += h.size()
		kept = append(kept, h)
	}
	clear(b.waiting[len(kept):])
	b.waiting = kept
}

// and returns an update and the one after it as one.
func (h *held) and(next *held) held {
	both := held{from: h.from, at: next.at, commit: h.commit, frame: Frame{Audience: next.frame.Audience, Seq: next.frame.Seq}, late: true}
	both.change.Set = maps.Clone(h.change.Set)
	if both.change.Set == nil {
		both.change.Set = map[string]json.RawMessage{}
	}
	for _, key := range next.change.Del {
		delete(both.change.Set, key)
	}
	for _, key := range h.change.Del {
		if _, back := next.change.Set[key]; !back {
			both.change.Del = append(both.change.Del, key)
		}
	}
	both.change.Del = append(both.change.Del, next.change.Del...)
	maps.Copy(both.change.Set, next.change.Set)
	log := slices.Concat(h.change.Log, next.change.Log)
	both.change.Log = log[max(0, len(log)-tailLines):]
	return both
}

// due returns the moment at which the next update is, or false when none waits.
func (b *backlog) due() (int64, bool) {
	if len(b.waiting) == 0 {
		return 0, false
	}
	return b.waiting[0].at + b.delay, true
}

// ripe reports whether the oldest update is due. Without a delay nothing waits,
// whatever a clock that was set back says.
func (b *backlog) ripe(now int64) bool {
	at, any := b.due()
	return any && (b.delay == 0 || at <= now)
}

// next takes the oldest update out.
func (b *backlog) next() held {
	h := b.waiting[0]
	b.waiting[0] = held{}
	b.waiting = b.waiting[1:]
	b.bytes -= h.size()
	for key, value := range h.change.Set {
		b.told[key] = value
	}
	for _, key := range h.change.Del {
		delete(b.told, key)
	}
	return h
}

// until is the last commit of which spectators may know, of an encounter at
// that one.
func (b *backlog) until(seq uint64) uint64 {
	if len(b.waiting) > 0 {
		return b.waiting[0].commit - 1
	}
	return seq
}

// setDelay changes the delay as from a moment.
func (b *backlog) setDelay(delay, at int64) {
	if delay != b.delay {
		b.floor = max(b.floor, at-b.delay)
		b.delay = delay
	}
}

// set sets the clock to what is in force.
func (b *backlog) setClock() {
	c := &reach{Delay: b.delay, Floor: b.floor}
	if len(b.waiting) > 0 {
		c.Until = b.waiting[0].from
	}
	if b.delay == 0 && len(b.waiting) == 0 {
		c = nil
	}
	b.clock.Store(c)
}

// clock is the time of what the spectators see. Any goroutine may read it.
type clock struct{ atomic.Pointer[reach] }

// reach is how far the spectators see. The owner tells the edges: what they say
// of the time then is what it says.
type reach struct {
	Delay int64 `json:"delay,omitempty"` // as in backlog
	Floor int64 `json:"floor,omitempty"` // as in backlog
	Until int64 `json:"until,omitempty"` // they do not know what is from then on; 0: no such moment
}

// clockNotice is the notice of it, for edges only. Without a reach spectators
// are not delayed.
type clockNotice struct {
	Type  string `json:"type"`
	Reach *reach `json:"reach,omitempty"`
}

// notice is the clock as a notice.
func (c *clock) notice() []byte { return encode(clockNotice{Type: "clock", Reach: c.Load()}) }

// at is the moment of what they see at a moment.
func (c *clock) at(now time.Time) time.Time {
	s := c.Load()
	if s == nil {
		return now
	}
	seen := max(now.UnixMilli()-s.Delay, s.Floor)
	if s.Until != 0 {
		seen = min(seen, s.Until)
	}
	return time.UnixMilli(min(seen, now.UnixMilli()))
}

// behind is by how many seconds, rounded, what they see is late.
func (c *clock) behind(now time.Time) int {
	return int(now.Sub(c.at(now)).Round(time.Second) / time.Second)
}

// step is what one commit shows to whom.
type step struct {
	at     int64  // its moment
	commit uint64 // its number
	delay  int64  // of the spectators, in force after it, in milliseconds
	moves  []move
}

// move is one update of one audience.
type move struct {
	frame  Frame
	change combat.Change
	late   bool // the bus does not have the frame
}

// take tells everybody what a commit shows: the spectators when their time
// comes.
func (r *room) take(s *step) {
	r.catchUp(s.at)
	for _, m := range s.moves {
		if m.change.Audience == spectators {
			r.backlog.wait(held{from: s.at, at: s.at, commit: s.commit, change: m.change, frame: m.frame, late: m.late})
		} else {
			r.publish(m.change.Audience, m.frame, m.change.Log)
		}
	}
	r.backlog.setDelay(s.delay, s.at)
	r.catchUp(s.at)
}

// catchUp tells the spectators all that is due at a moment.
func (r *room) catchUp(now int64) {
	for r.backlog.ripe(now) {
		h := r.backlog.next()
		r.tell(&h)
	}
	r.backlog.setClock()
}

// tellUntil tells the spectators all up to an update, due or not: they have seen
// it already.
func (r *room) tellUntil(seq uint64) {
	for len(r.backlog.waiting) > 0 && r.backlog.waiting[0].frame.Seq <= seq {
		h := r.backlog.next()
		r.tell(&h)
	}
	r.backlog.setClock()
}

// tell tells the spectators one update, or notes that they are owed a whole
// view: one that stands for several does not follow the last.
func (r *room) tell(h *held) {
	f := r.feed(spectators)
	if h.late && touchesSeats(&h.change) {
		r.presence, r.dirty = nil, true // somebody is here of whom they know only now
	}
	if h.frame.Data == nil {
		f.body, f.ring, f.bytes, f.seq = nil, nil, 0, h.frame.Seq
		f.addLines(h.change.Log)
		r.backlog.jumped = true
		return
	}
	if h.late {
		r.backlog.late = append(r.backlog.late, h.frame)
	}
	if r.backlog.jumped {
		f.record(h.frame, h.change.Log)
		return
	}
	r.publish(spectators, h.frame, h.change.Log)
}

// touchesSeats reports whether a change is about who is at the table.
func touchesSeats(change *combat.Change) bool {
	is := func(key string) bool { return strings.HasPrefix(key, "seats/") }
	for key := range change.Set {
		if is(key) {
			return true
		}
	}
	return slices.ContainsFunc(change.Del, is)
}
