package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// screen is a browser, or a program: it keeps a view and the commands that are
// not answered, on whichever instance it finds. It holds all that it is told to
// the oracle.
type screen struct {
	run      *run
	name     string
	place    int // among all, as it came
	audience combat.Audience
	token    string
	program  bool          // it watches an event stream and commands over HTTP
	late     time.Duration // it is told so much later
	random   *rand.Rand    // of what it does
	roads    *rand.Rand    // of the way it takes there
	ids      int

	mu       sync.Mutex // over all below: the run looks at them
	conn     *conn      // nil while there is none
	joined   bool       // something of the view has come over it
	turned   bool       // it was told last that its token is no good
	shut     shutOut    // the token was no good when the connection was opened
	epoch    string
	seq      uint64
	view     map[string]json.RawMessage
	best     map[string]uint64 // the highest counter that was shown, by epoch
	open     []*asked
	presence hub.Presence
	answers  map[string]string // of answered commands: "ok", or the code
}

// asked is a command that is not answered.
type asked struct {
	id      string
	command combat.Command
	raw     json.RawMessage
	data    []byte // as a message
	sent    int    // how often
}

func (a *asked) String() string { return string(a.data) }

// unanswered is what has to be sent over a new connection.
func (c *screen) unanswered() []*asked {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.open {
		a.sent++
	}
	return slices.Clone(c.open)
}

// ask thinks of commands and keeps them until they are answered. A command may
// be there twice: somebody has clicked twice.
func (c *screen) ask() []*asked {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.run.playing() || !c.joined || c.audience.Role == combat.RoleSpectator {
		return nil
	}
	var now []*asked
	p := &player{random: c.random, view: c.view, gm: c.audience.Role == combat.RoleGM}
	for len(c.open) < 4 {
		command := c.revoke()
		if command == nil {
			command = p.think()
		}
		if command != nil {
			raw, err := combat.EncodeCommand(command)
			if err != nil {
				c.run.report("%s: %v", c.name, err)
				return nil
			}
			c.ids++
			id := fmt.Sprintf("00000000-0000-4000-8%03x-%012x", c.place, c.ids)
			data, _ := json.Marshal(hub.Do{Type: "do", ID: id, Command: raw}) // our own type
			a := &asked{id: id, command: command, raw: raw, data: data, sent: 1}
			c.open = append(c.open, a)
			if now = append(now, a); c.run.weather.strikes(100) {
				a.sent++
				now = append(now, a)
			}
		}
		if c.random.IntN(3) > 0 {
			break
		}
	}
	return now
}

// take takes a frame. It returns commands to send once more.
func (c *screen) take(data []byte) ([]*asked, error) {
	if c.audience.Role != combat.RoleGM && bytes.Contains(data, []byte(marker)) {
		c.run.report("%s is told the secret: %s", c.name, data)
	}
	messages := []json.RawMessage{data}
	if data[0] == '[' {
		messages = nil
		if err := json.Unmarshal(data, &messages); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var again []*asked
	for _, message := range messages {
		a, err := c.message(message)
		if err != nil {
			return nil, err
		}
		if a != nil {
			again = append(again, a)
		}
	}
	return again, nil
}

// errBye says that the server has sent us away.
type errBye struct{ code string }

func (e errBye) Error() string { return "bye " + e.code }

func (c *screen) message(data []byte) (again *asked, err error) {
	var m struct {
		Type   string
		ID     string
		Code   string
		Seq    uint64
		Epoch  string
		Cut    bool
		View   map[string]json.RawMessage
		Set    map[string]json.RawMessage
		Del    []string
		Params map[string]any
		Result json.RawMessage
	}
	if err := json.Unmarshal(data, &m); err != nil {
		c.run.report("%s cannot read %s: %v", c.name, data, err)
		return nil, err
	}
	switch m.Type {
	case "welcome", "update", "head", "presence":
		c.letIn()
	}
	switch m.Type {
	case "welcome":
		if c.view != nil && !m.Cut {
			c.run.oracle.silent(c.name, c.audience, c.epoch, c.seq, m.Epoch)
		}
		c.view, c.epoch, c.seq, c.joined = m.View, m.Epoch, m.Seq, true
		_ = json.Unmarshal(data, &struct{ Presence *hub.Presence }{&c.presence})
		c.run.note("%s gets a whole view, %d of %s", c.name, c.seq, c.epoch)
		c.shown()
	case "update":
		if m.Seq != c.seq+1 || c.view == nil {
			c.run.report("%s gets update %d at %d of %s", c.name, m.Seq, c.seq, c.epoch)
			return nil, fmt.Errorf("update %d at %d", m.Seq, c.seq)
		}
		c.seq, c.joined = m.Seq, true
		for key, value := range m.Set {
			c.view[key] = value
		}
		for _, key := range m.Del {
			delete(c.view, key)
		}
		c.shown()
	case "head":
		c.joined = true
		if m.Seq != c.seq {
			c.run.report("%s is told that %d is the last update, at %d of %s", c.name, m.Seq, c.seq, c.epoch)
		}
	case "presence":
		c.presence = hub.Presence{}
		_ = json.Unmarshal(data, &c.presence)
	case "ack":
		c.accepted(m.ID, m.Result)
	case "reject":
		return c.rejected(m.ID, m.Code)
	case "bye":
		c.sentAway(m.Code)
		return nil, errBye{m.Code}
	}
	return nil, nil
}

// accepted takes an acknowledgement.
func (c *screen) accepted(id string, result json.RawMessage) {
	c.run.oracle.acknowledged(c.name, id)
	if before, is := c.answers[id]; is && before != "ok" {
		c.run.note("%s: %s was refused (%s) and is accepted", c.name, id, before)
	}
	c.answered(id, "ok")
	if len(result) > 0 {
		c.run.linked(result)
	}
}

// rejected takes a refusal. Those that say nothing about the command are not
// its answer.
func (c *screen) rejected(id, code string) (again *asked, err error) {
	switch code {
	case "unavailable", "draining", "rate_limited":
		for _, a := range c.open {
			if a.id == id {
				a.sent++
				return a, nil
			}
		}
		return nil, nil
	case "unauthorized": // it says nothing about the command
		c.sentAway(code)
		c.answered(id, code)
		return nil, nil
	case "not_found", "unknown_command", "unknown_field":
		c.run.report("%s is refused %s: %s", c.name, c.open, code)
	}
	if c.answers[id] == "ok" && !c.run.oracle.isLost(id) {
		c.run.report("%s is refused %s (%s), which was acknowledged", c.name, id, code)
	}
	for _, a := range c.open {
		if a.id == id && a.sent == 1 {
			c.run.oracle.refused(c.name, id, code)
		}
	}
	c.answered(id, code)
	return nil, nil
}

func (c *screen) answered(id, how string) {
	c.answers[id] = how
	c.open = slices.DeleteFunc(c.open, func(a *asked) bool { return a.id == id })
}

// shown checks what the screen shows now.
func (c *screen) shown() {
	if c.seq < c.best[c.epoch] {
		c.run.report("%s goes back from %d to %d of %s", c.name, c.best[c.epoch], c.seq, c.epoch)
	}
	c.best[c.epoch] = max(c.best[c.epoch], c.seq)
	c.run.oracle.shows(c.name, c.epoch, c.audience, c.seq, c.view)
	c.run.oracle.entitled(c.name, c.token, c.epoch, c.audience, c.seq)
	if c.late > 0 {
		c.run.oracle.early(c.name, c.epoch, c.audience, c.seq, c.late)
	}
}

// settled reports whether the screen shows the last there is and has all its
// answers; if not, why.
func (c *screen) settled() string {
	o := c.run.oracle
	epoch, seq, then := o.head(c.audience, time.Now().Add(-c.late-c.run.skew))
	shut, here := o.void(c.token), c.run.here()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case shut && (c.joined || !c.turned):
		return c.name + " is let in still"
	case len(c.open) > 0:
	case shut:
		return ""
	}
	switch {
	case !c.joined:
		return c.name + " is not connected"
	case len(c.open) > 0:
		return fmt.Sprintf("%s has no answer to %s", c.name, c.open[0].data)
	case c.epoch != epoch || c.seq > seq || c.seq < then:
		return fmt.Sprintf("%s is at %d of %s, not at %d of %s", c.name, c.seq, c.epoch, seq, epoch)
	case !c.program && !slices.Equal(sorted(c.presence.Seats), here.Seats) || !c.program && (c.presence.GMs != here.GMs || c.presence.Spectators != here.Spectators):
		return fmt.Sprintf("%s sees %+v; here are %+v", c.name, c.presence, here)
	}
	return ""
}
