package hub

import (
	"context"
	"encoding/json"
	"time"

	"riposte/combat"
)

// reportCounts is how long what an instance said of its viewers counts: it says
// it again every beat.
const reportCounts = 7 * time.Second

// maxReports bounds the instances that one encounter is shown on, besides the
// owner.
const maxReports = 64

// report is who is connected to an encounter at an instance that does not own
// it.
type report struct {
	Instance   string            `json:"instance"`
	Seats      map[combat.ID]int `json:"seats,omitempty"` // viewers, of each
	GMs        int               `json:"gms,omitempty"`
	Spectators int               `json:"spectators,omitempty"`
	Audiences  []string          `json:"audiences,omitempty"` // that are listened to there; none: it listens no more
	until      time.Time
}

// void is the notice that tokens are no good any more, and that audiences are
// gone: a GM may have seen as one.
type void struct {
	Type      string   `json:"type"`
	Keys      []string `json:"keys"` // hashes of the tokens
	Audiences []string `json:"audiences,omitempty"`
}

// answerHere takes an instance's report. On the actor's goroutine.
func (a *actor) answerHere(r report) json.RawMessage {
	before := a.room.elsewhere[r.Instance]
	switch {
	case len(r.Audiences) == 0:
		delete(a.room.elsewhere, r.Instance)
	case before == nil && len(a.room.elsewhere) >= maxReports:
		return a.room.encodedPresence(a.state)
	default:
		if a.room.elsewhere == nil {
			a.room.elsewhere = map[string]*report{}
		}
		r.until = time.Now().Add(reportCounts)
		a.room.elsewhere[r.Instance] = &r
	}
	if !r.same(before) {
		a.room.presence, a.room.dirty = nil, true
	}
	return a.room.encodedPresence(a.state)
}

// seatElsewhere reports whether a seat is connected to another instance.
func (r *room) seatElsewhere(seat combat.ID) bool {
	for _, other := range r.elsewhere {
		if other.Seats[seat] > 0 {
			return true
		}
	}
	return false
}

// same reports whether two reports show the same people.
func (r *report) same(other *report) bool {
	if other == nil {
		other = &report{}
	}
	if r.GMs != other.GMs || r.Spectators != other.Spectators || len(r.Seats) != len(other.Seats) {
		return false
	}
	for seat, n := range r.Seats {
		if other.Seats[seat] != n {
			return false
		}
	}
	return true
}

// beatElsewhere forgets instances that are silent and tells the others, of every
// audience that is listened to, which update is the last one and who is here.
func (a *actor) beatElsewhere() {
	for instance, r := range a.room.elsewhere {
		if time.Now().After(r.until) {
			delete(a.room.elsewhere, instance)
			a.room.presence, a.room.dirty = nil, true
		}
	}
	a.tellElsewhere(true)
}

// tellElsewhere tells the other instances who is here and, with heads, which
// updates are the last ones. The actor does not wait for the bus; what is not
// said because the last word is still on its way is said at the next beat.
func (a *actor) tellElsewhere(heads bool) {
	if len(a.room.elsewhere) == 0 {
		return
	}
	audiences := map[string]bool{}
	for _, r := range a.room.elsewhere {
		for _, audience := range r.Audiences {
			audiences[audience] = true
		}
	}
	var notices []Frame
	for audience := range audiences {
		f := a.room.feeds[audienceOf(audience)]
		if f == nil {
			continue
		}
		if audienceOf(audience) == spectators {
			notices = append(notices, Frame{Audience: audience, Data: a.room.backlog.clock.notice()})
		}
		if heads {
			notices = append(notices, Frame{Audience: audience, Data: a.room.head(audienceOf(audience), a.hub.now())})
		}
		notices = append(notices, Frame{Audience: audience, Data: a.room.encodedPresence(a.state)})
	}
	select {
	case a.speaking <- struct{}{}:
	default:
		return
	}
	a.hub.actors.Go(func() {
		defer func() { <-a.speaking }()
		ctx, cancel := context.WithTimeout(a.hub.running, beatEvery)
		defer cancel()
		if err := a.hub.store.Tell(ctx, a.id, a.grant.Epoch, notices); err != nil {
			a.log.Debug("other instances are not told", "err", err)
		}
	})
}

// voided are the notices for other instances that a commit makes tokens void:
// one for every audience, because a GM may see as any, and one for those who
// are about to let somebody in.
func voided(before, after *combat.State, audiences []combat.Audience) []Frame {
	good := map[string]bool{}
	for _, key := range after.Keys {
		good[key] = true
	}
	for _, seat := range after.Seats {
		good[seat.Key] = true
	}
	var keys []string
	lost := func(key string) {
		if key != "" && !good[key] {
			keys = append(keys, key)
		}
	}
	for _, key := range before.Keys {
		lost(key)
	}
	var gone []string
	for _, seat := range before.Seats {
		lost(seat.Key)
		if after.Seat(seat.ID) == nil {
			gone = append(gone, combat.Audience{Role: combat.RoleSeat, Seat: seat.ID}.String())
		}
	}
	data := encode(void{Type: "void", Keys: keys, Audiences: gone})
	notices := []Frame{{Audience: Ownership, Data: data}}
	for _, audience := range audiences {
		notices = append(notices, Frame{Audience: audience.String(), Data: data})
	}
	return notices
}
