package sim

import (
	"encoding/json"
	"slices"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// planRevokes says which links a GM will replace, and whether a seat will be
// removed.
func (r *run) planRevokes(seat combat.ID) {
	add := func(percent int, command combat.Command) {
		if r.random.IntN(100) < percent {
			r.revokes = append(r.revokes, command)
		}
	}
	for range 2 {
		add(50, combat.ReplaceLink{Role: combat.RoleSpectator})
		add(30, combat.ReplaceLink{Role: combat.RolePlayer})
	}
	add(30, combat.RemoveSeat{Seat: seat})
	add(30, combat.ReplaceLink{Role: combat.RoleGM})
	r.random.Shuffle(len(r.revokes), func(i, j int) { r.revokes[i], r.revokes[j] = r.revokes[j], r.revokes[i] })
}

// revoke is a command of the GM at the table that makes a token void, now and
// then; nil when there is none.
func (c *screen) revoke() combat.Command {
	if c.audience.Role != combat.RoleGM || c.program || c.random.IntN(12) > 0 {
		return nil
	}
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	if len(c.run.revokes) == 0 {
		return nil
	}
	next := c.run.revokes[0]
	c.run.revokes = c.run.revokes[1:]
	return next
}

// linked has somebody come with a link that is new.
func (r *run) linked(result json.RawMessage) {
	var link hub.NewLink
	if err := json.Unmarshal(result, &link); err != nil || link.Token == "" {
		r.report("a command has the result %s", result)
		return
	}
	if slices.ContainsFunc(r.all(), func(c *screen) bool { return c.token == link.Token }) {
		return
	}
	c := r.seat(link.Role+" by a new link", combat.Audience{Role: link.Role}, link.Token, false)
	r.people.Go(c.live)
}

// here is who is connected when all is well.
func (r *run) here() (p hub.Presence) {
	for _, c := range r.all() {
		switch {
		case r.oracle.void(c.token):
		case c.audience.Role == combat.RoleGM:
			p.GMs++
		case c.audience.Role == combat.RoleSpectator:
			p.Spectators++
		case c.audience.Role == combat.RoleSeat && !slices.Contains(p.Seats, c.audience.Seat):
			p.Seats = append(p.Seats, c.audience.Seat)
		}
	}
	p.Seats = sorted(p.Seats)
	return p
}

func sorted(seats []combat.ID) []combat.ID {
	seats = slices.Clone(seats)
	slices.Sort(seats)
	return seats
}

// sentAway takes the word that it has no business here. The lock is held.
func (c *screen) sentAway(code string) {
	switch {
	case code == "not_found":
		c.run.report("%s is sent away: %s", c.name, code)
	case code != "unauthorized":
	case !c.run.oracle.everVoid(c.token):
		c.run.report("%s is sent away, and its token was never made void", c.name)
	default:
		if !c.turned {
			c.run.note("%s is shut out", c.name)
		}
		c.turned, c.joined = true, false
	}
}

// letIn notes that it is told something that is for those who may see it. The
// lock is held.
func (c *screen) letIn() {
	c.turned = false
	if c.run.oracle.shut(c.shut) && !c.run.lately() {
		c.run.report("%s is let in with a token that is no good", c.name)
	}
}

func (c *screen) turnedAway() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turned
}

// lately reports whether the world was replaced not long ago: then the lease that
// an owner goes by is not in it.
func (r *run) lately() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.restored.IsZero() && time.Since(r.restored) < 2*leaseLength
}

// shutOut says that a token was no good at some moment. The zero value says that
// it was.
type shutOut struct {
	token     string // empty: it was good
	histories int    // that there were
}

// void reports whether a token is no good, as the newest history has it.
func (o *oracle) void(token string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !opens(o.newest.states[len(o.newest.states)-1], hubtest.Hash(token))
}

// opens reports whether a hash is that of one of a state's tokens.
func opens(s *combat.State, key string) bool {
	for _, other := range s.Keys {
		if other == key {
			return true
		}
	}
	return slices.ContainsFunc(s.Seats, func(seat *combat.Seat) bool { return seat.Key == key })
}

// shutOut reports whether a token is no good now.
func (o *oracle) shutOut(token string) shutOut {
	if !o.void(token) {
		return shutOut{}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return shutOut{token, len(o.histories)}
}

// shut reports whether a token that was no good at some moment has been so ever
// since.
func (o *oracle) shut(s shutOut) bool {
	if s.token == "" || !o.void(s.token) {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.histories) == s.histories
}

// everVoid reports whether a token was ever no good after it was, or is unknown
// because the world has lost what made it.
func (o *oracle) everVoid(token string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	key := hubtest.Hash(token)
	for _, h := range o.histories {
		good := false
		for _, s := range h.states {
			is := opens(s, key)
			if good && !is {
				return true
			}
			good = is
		}
		if !good {
			return true
		}
	}
	return false
}

// entitled checks that whoever holds a token may see what is shown: the token was
// good up to the commit before the one that moved the audience there, at least. A
// new one may be shown what is older.
func (o *oracle) entitled(who, token, epoch string, a combat.Audience, seq uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.histories[epoch]
	if h == nil {
		return // shows has told
	}
	from, key := h.first(place{a.String(), seq}), hubtest.Hash(token)
	if from < 0 {
		return // so it has
	}
	for _, s := range h.states[max(0, from-1):] {
		if opens(s, key) {
			return
		}
	}
	o.report("%s shows %d of %s as %s, made by commit %d, with a token that was no good by then", who, seq, epoch, a, from+1)
}
