package hub

import (
	"encoding/json"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"riposte/combat"
)

// maxPerPerson bounds the sockets and streams of one seat, and of the GM link:
// many tabs and devices, but not a flood.
const maxPerPerson = 64

// Bounds on what is kept per audience for those who come back.
const (
	ringUpdates = 256       // updates
	ringBytes   = 512 << 10 // of updates
	tailLines   = 100       // log lines in a Welcome
)

// A viewer is one open socket or event stream. All but its outbox belongs to
// the encounter's goroutine.
type viewer struct {
	audience combat.Audience
	hash     string                // of its token
	clock    atomic.Pointer[clock] // of what it sees; nil: that of everybody
	as       string                // a GM's who sees as another audience: which one
	cut      bool                  // it has seen what is in the log no more, of an older history
	socket   bool                  // gets acks, heads and presence; an event stream does not
	out      *outbox
}

// sees is the time of what the viewer sees at a moment. Any goroutine may ask.
func (v *viewer) sees(now time.Time) time.Time {
	if c := v.clock.Load(); c != nil {
		return c.at(now)
	}
	return now
}

// feed is what one audience of one encounter gets, and who is there to get it.
type feed struct {
	seq     uint64
	ring    []Frame // the last updates; the last one is number seq
	bytes   int     // of ring
	tail    []json.RawMessage
	viewers map[*viewer]struct{}
	looking int           // of the viewers, a GM who sees as this audience
	body    []byte        // of a Welcome at seq; nil when it has to be made
	measure *rate.Limiter // of its commands; nil when there was none yet

	inherited bool // the tail began as that of the player link
}

// room is the audiences of one encounter and who is online. It belongs to one
// goroutine.
type room struct {
	feeds     map[combat.Audience]*feed
	viewers   int
	looking   int                // of the viewers, a GM who sees as another audience
	presence  []byte             // encoded; nil when it has to be made
	dirty     bool               // presence has changed and nobody was told yet
	elsewhere map[string]*report // who is connected to other instances, by instance
	metrics   *metrics

	backlog backlog // what the spectators are yet to be told
}

// newRoom makes a room in which so many bytes may wait for the spectators.
func newRoom(m *metrics, limit int) *room {
	return &room{feeds: map[combat.Audience]*feed{}, metrics: m, backlog: backlog{limit: limit}}
}

// begin says where the audiences are: their counters, and the spectators' view.
func (r *room) begin(views *combat.Views, counters map[string]uint64, delay int64) {
	for _, audience := range views.Audiences() {
		r.feed(audience).seq = counters[audience.String()]
	}
	r.backlog.made, r.backlog.told, r.backlog.delay = r.feed(spectators).seq, views.Whole(spectators), delay
}

// began puts into the logs how the encounter came to be: it was no update for
// anybody, and a log that begins with it is known to be whole.
func (r *room) began(engine *combat.Engine, views *combat.Views, s *combat.State, c *combat.Commit) {
	for _, audience := range views.Audiences() {
		var lines []json.RawMessage
		for _, entry := range engine.Told(nil, s, c, audience) {
			lines = append(lines, encode(entry))
		}
		r.feed(audience).addLines(lines)
	}
}

// feed returns the feed of an audience, made if need be. A new seat's begins
// with the log lines that its player could read before taking the seat.
func (r *room) feed(a combat.Audience) *feed {
	f := r.feeds[a]
	if f == nil {
		f = &feed{viewers: map[*viewer]struct{}{}}
		if before := r.feeds[combat.Audience{Role: combat.RolePlayer}]; before != nil && a.Role == combat.RoleSeat {
			f.tail, f.inherited = before.tail[:len(before.tail):len(before.tail)], true
		}
		r.feeds[a] = f
	}
	return f
}

// seqs returns the counters of all audiences, with what was made for them and
// not told yet.
func (r *room) seqs() map[combat.Audience]uint64 {
	all := make(map[combat.Audience]uint64, len(r.feeds))
	for audience, f := range r.feeds {
		all[audience] = f.seq
	}
	all[spectators] = r.backlog.made
	return all
}

// keep drops the feeds of audiences that are no more.
func (r *room) keep(audiences []combat.Audience) {
	if len(audiences) == len(r.feeds) {
		return
	}
	there := map[combat.Audience]bool{}
	for _, a := range audiences {
		there[a] = true
	}
	for a, f := range r.feeds {
		if !there[a] && len(f.viewers) == 0 {
			delete(r.feeds, a)
		}
	}
}

// record moves a feed on by one update, telling nobody.
func (f *feed) record(frame Frame, log []json.RawMessage) {
	f.body = nil
	f.seq = frame.Seq
	f.ring = append(f.ring, frame)
	f.bytes += len(frame.Data)
	for len(f.ring) > ringUpdates || f.bytes > ringBytes && len(f.ring) > 0 {
		f.bytes -= len(f.ring[0].Data)
		f.ring[0] = Frame{}
		f.ring = f.ring[1:]
	}
	if f.inherited && frame.Seq == 1 {
		return // its own making, which the player link's tail told already
	}
	f.addLines(log)
}

// addLines moves the tail of the log on.
func (f *feed) addLines(log []json.RawMessage) {
	if len(log) == 0 {
		return
	}
	f.tail = append(f.tail, log...)
	if n := len(f.tail) - tailLines; n > 0 {
		f.tail = append([]json.RawMessage(nil), f.tail[n:]...)
	}
}

// publish moves a feed on by one update and sends it to everybody there.
func (r *room) publish(audience combat.Audience, frame Frame, log []json.RawMessage) {
	f := r.feed(audience)
	f.record(frame, log)
	for v := range f.viewers {
		r.put(v, kindUpdate, frame.Data)
	}
	r.metrics.updates.Add(float64(len(f.viewers)))
}

func (r *room) put(v *viewer, kind messageKind, data []byte) {
	if !v.out.put(kind, data) {
		r.metrics.overflows.Inc()
	}
}

// missed returns the updates after since, or false if they are not all there.
func (f *feed) missed(since uint64) ([]Frame, bool) {
	if since > f.seq || f.seq-since > uint64(len(f.ring)) {
		return nil, false
	}
	return f.ring[uint64(len(f.ring))-(f.seq-since):], true
}

// attach adds a viewer.
func (r *room) attach(v *viewer) {
	f := r.feed(v.audience)
	f.viewers[v] = struct{}{}
	r.viewers++
	if v.as != "" {
		f.looking++
		r.looking++
	}
	r.changed(v)
}

// detach removes a viewer; one that is not there any more is ignored.
func (r *room) detach(v *viewer) {
	f := r.feeds[v.audience]
	if f == nil {
		return
	}
	if _, there := f.viewers[v]; !there {
		return
	}
	delete(f.viewers, v)
	r.viewers--
	if v.as != "" {
		f.looking--
		r.looking--
	}
	r.changed(v)
}

// full reports whether one more viewer of an audience is one too many. Those
// of the links that many hold share a bound, and take no place from the GM and
// the seats. A GM who sees as somebody takes no place from them.
func (r *room) full(a combat.Audience, as string, shared int) bool {
	switch {
	case as != "":
		return r.looking >= maxPerPerson
	case a.Role == combat.RoleGM || a.Role == combat.RoleSeat:
		return r.feed(a).people() >= maxPerPerson
	}
	return r.feed(combat.Audience{Role: combat.RolePlayer}).people()+r.feed(combat.Audience{Role: combat.RoleSpectator}).people() >= shared
}

// people counts the viewers whose own audience this is.
func (f *feed) people() int { return len(f.viewers) - f.looking }

// has reports whether a viewer is attached.
func (r *room) has(v *viewer) bool {
	f := r.feeds[v.audience]
	if f == nil {
		return false
	}
	_, there := f.viewers[v]
	return there
}

// changed notes that presence may be another one. Viewers of the player link
// without a seat do not show, nor does a GM who sees as another.
func (r *room) changed(v *viewer) {
	if v.audience.Role != combat.RolePlayer && v.as == "" {
		r.presence, r.dirty = nil, true
	}
}

// each calls f for every viewer.
func (r *room) each(do func(*viewer)) {
	for _, f := range r.feeds {
		for v := range f.viewers {
			do(v)
		}
	}
}

// presenceTo is who is online, as an audience may know it.
func (r *room) presenceTo(s *combat.State, to combat.Audience) []byte {
	if to == spectators && len(r.backlog.waiting) > 0 {
		return knownPresence(r.online(s), r.backlog.told)
	}
	return r.encodedPresence(s)
}

// knownPresence is who is online for spectators with that view: of a seat that
// is new they may not know yet.
func knownPresence(p Presence, view map[string]json.RawMessage) []byte {
	p.Seats = slices.DeleteFunc(p.Seats, func(id combat.ID) bool {
		_, known := view["seats/"+string(id)]
		return !known
	})
	return encode(p)
}

// encodedPresence is who is online.
func (r *room) encodedPresence(s *combat.State) []byte {
	if r.presence == nil {
		r.presence = encode(r.online(s))
	}
	return r.presence
}

// online is who is here, from who is attached: a seat is as long as one of its
// viewers is, whatever becomes of the others. Seats are listed in the order in
// which they joined.
func (r *room) online(s *combat.State) Presence {
	p := Presence{Type: "presence", Seats: []combat.ID{}}
	for _, seat := range s.Seats {
		if f := r.feeds[combat.Audience{Role: combat.RoleSeat, Seat: seat.ID}]; f != nil && f.people() > 0 || r.seatElsewhere(seat.ID) {
			p.Seats = append(p.Seats, seat.ID)
		}
	}
	if f := r.feeds[combat.Audience{Role: combat.RoleGM}]; f != nil {
		p.GMs = f.people()
	}
	if f := r.feeds[combat.Audience{Role: combat.RoleSpectator}]; f != nil {
		p.Spectators = f.people()
	}
	for _, other := range r.elsewhere {
		p.GMs += other.GMs
		p.Spectators += other.Spectators
	}
	return p
}

// announce tells the sockets who is online, if that has changed.
func (r *room) announce(s *combat.State) {
	if !r.dirty {
		return
	}
	r.dirty = false
	for audience, f := range r.feeds {
		if len(f.viewers) == 0 {
			continue
		}
		data := r.presenceTo(s, audience)
		for v := range f.viewers {
			if v.socket {
				r.put(v, kindUpdate, data)
			}
		}
	}
}

// head is which update of an audience is the last one, as a message.
func (r *room) head(a combat.Audience, now time.Time) []byte {
	head := Head{Type: "head", Seq: r.feed(a).seq}
	if a == spectators {
		head.Behind = r.backlog.clock.behind(now)
	}
	return encode(head)
}

// beat tells the sockets of every audience which update is the last one.
func (r *room) beat(now time.Time) {
	for audience, f := range r.feeds {
		if len(f.viewers) == 0 {
			continue
		}
		data := r.head(audience, now)
		for v := range f.viewers {
			if v.socket {
				r.put(v, kindHint, data)
			}
		}
	}
}

// whole is the view of an audience as it may know it now. The map is the
// caller's: it is encoded on other goroutines, too. The values are not to be
// written to.
func (r *room) whole(a combat.Audience, views *combat.Views) map[string]json.RawMessage {
	if a == spectators {
		return maps.Clone(r.backlog.told)
	}
	return views.Whole(a)
}

// welcome makes the whole view for a viewer as a message. The part that is the
// same for all who get it at one counter is made once.
func (r *room) welcome(v *viewer, s *combat.State, views *combat.Views, epoch string, now time.Time) []byte {
	a := v.audience
	f := r.feed(a)
	if f.body == nil {
		f.body = welcomeBody(r.whole(a, views), f.tail)
	}
	behind := 0
	if a == spectators {
		now, behind = r.backlog.clock.at(now), r.backlog.clock.behind(now)
	}
	return encodeWelcome(f.seq, epoch, v.cut, now, behind, f.body, r.presenceTo(s, a))
}
