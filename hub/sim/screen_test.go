package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"riposte/combat"
	"riposte/hub"
)

// silence is after how long without a sign a screen looks for another instance:
// the owner's beacon comes every two seconds.
const silence = 7 * time.Second

// screen is a browser: it keeps a view and the commands that are not answered,
// on whichever instance it finds. It holds all that it is told to the oracle.
type screen struct {
	run      *run
	name     string
	audience combat.Audience
	token    string
	late     time.Duration // it is told so much later
	random   *rand.Rand
	ids      int

	mu       sync.Mutex // over all below: the run looks at them
	conn     *conn      // nil while there is none
	joined   bool       // something of the view has come over it
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
	id   string
	data []byte
	sent int // how often
}

func (a *asked) String() string { return string(a.data) }

// live plays until the run is over.
func (c *screen) live() {
	for !c.run.over() {
		if err := c.session(); err != nil {
			c.run.note("%s: %v", c.name, err)
		}
		c.run.sleep(time.Duration(50+c.random.IntN(950)) * time.Millisecond)
	}
}

// session is one connection.
func (c *screen) session() error {
	at := pick(&player{random: c.random}, c.run.instances)
	var ours *conn
	where := ""
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		there, name, err := at.dial()
		if err != nil {
			return nil, err
		}
		ours, where = there, name
		return there, nil
	}}
	ctx, cancel := context.WithCancel(c.run.running)
	defer cancel()
	opening, late := context.WithTimeout(ctx, silence)
	defer late()
	ws, _, err := websocket.Dial(opening, "ws://sim/ws", &websocket.DialOptions{Subprotocols: []string{hub.Subprotocol}, HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		if ours != nil {
			ours.reset()
		}
		return fmt.Errorf("dial %s: %w", where, err)
	}
	ws.SetReadLimit(-1)
	defer ws.CloseNow()
	defer ours.reset()
	c.attach(ours)
	defer c.attach(nil)

	frames := make(chan []byte)
	read := make(chan error, 1)
	go func() {
		for {
			_, data, err := ws.Read(ctx)
			if err != nil {
				read <- err
				return
			}
			select {
			case frames <- data:
			case <-ctx.Done():
				read <- ctx.Err()
				return
			}
		}
	}()
	// The library's reader must end before its connection is gone for good.
	defer func() { cancel(); <-read; read <- nil }()

	send := func(message any) error {
		data, is := message.([]byte)
		if !is {
			data, _ = json.Marshal(message) // our own types
		}
		writing, late := context.WithTimeout(ctx, silence)
		defer late()
		return ws.Write(writing, websocket.MessageText, data)
	}
	hello := hub.Hello{Type: "hello", Encounter: c.run.encounter, Token: c.token}
	if c.seen() && c.random.IntN(5) > 0 {
		since := c.seq
		hello.Since, hello.Epoch = &since, c.epoch
	} else {
		c.forget()
	}
	if hello.Since != nil {
		c.run.note("%s comes back to %s, at %d of %s", c.name, where, *hello.Since, hello.Epoch)
	} else {
		c.run.note("%s comes to %s", c.name, where)
	}
	if err := send(hello); err != nil {
		return err
	}
	for _, a := range c.unanswered() {
		if err := send(a.data); err != nil {
			return err
		}
	}
	return c.talk(frames, read, send)
}

// talk goes on until the connection ends, or seems dead.
func (c *screen) talk(frames <-chan []byte, read chan error, send func(any) error) error {
	quiet := time.NewTimer(silence)
	defer quiet.Stop()
	think := time.NewTimer(c.thinks())
	defer think.Stop()
	for {
		select {
		case data := <-frames:
			quiet.Reset(silence)
			again, err := c.take(data)
			if err != nil {
				return err
			}
			for _, a := range again {
				if err := send(a.data); err != nil {
					return err
				}
			}
			if c.run.weather.strikes(3) { // it is busy, or the machine sleeps
				c.run.sleep(c.run.weather.within(20 * time.Second))
				quiet.Reset(silence)
			}
		case err := <-read:
			read <- err
			return err
		case <-quiet.C:
			return fmt.Errorf("nothing came for %s", silence)
		case <-think.C:
			think.Reset(c.thinks())
			for _, a := range c.ask() {
				if err := send(a.data); err != nil {
					return err
				}
			}
		case <-c.run.running.Done():
			return nil
		}
	}
}

func (c *screen) thinks() time.Duration {
	return time.Duration(100+c.random.IntN(2500)) * time.Millisecond
}

func (c *screen) attach(conn *conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.joined = conn, false
}

func (c *screen) seen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.view != nil
}

// forget is what a reload of the page forgets.
func (c *screen) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.view, c.seq, c.epoch = nil, 0, ""
	clear(c.best)
}

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
		if command := p.think(); command != nil {
			raw, err := combat.EncodeCommand(command)
			if err != nil {
				c.run.report("%s: %v", c.name, err)
				return nil
			}
			c.ids++
			id := fmt.Sprintf("00000000-0000-4000-8%03x-%012x", c.run.place(c), c.ids)
			data, _ := json.Marshal(hub.Do{Type: "do", ID: id, Command: raw}) // our own type
			a := &asked{id: id, data: data, sent: 1}
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
	}
	if err := json.Unmarshal(data, &m); err != nil {
		c.run.report("%s cannot read %s: %v", c.name, data, err)
		return nil, err
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
		c.run.oracle.acknowledged(c.name, m.ID)
		if before, is := c.answers[m.ID]; is && before != "ok" {
			c.run.note("%s: %s was refused (%s) and is accepted", c.name, m.ID, before)
		}
		c.answered(m.ID, "ok")
	case "reject":
		return c.rejected(m.ID, m.Code)
	case "bye":
		if m.Code == "unauthorized" || m.Code == "not_found" {
			c.run.report("%s is sent away: %s", c.name, m.Code)
		}
		return nil, errBye{m.Code}
	}
	return nil, nil
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
	case "unauthorized", "not_found", "unknown_command", "unknown_field":
		c.run.report("%s is refused %s: %s", c.name, c.open, code)
	}
	if c.answers[id] == "ok" {
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
	if c.late > 0 {
		c.run.oracle.early(c.name, c.epoch, c.audience, c.seq, c.late)
	}
}

// settled reports whether the screen shows the last there is and has all its
// answers; if not, why.
func (c *screen) settled() string {
	epoch, seq, then := c.run.oracle.head(c.audience, time.Now().Add(-c.late))
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.joined:
		return c.name + " is not connected"
	case len(c.open) > 0:
		return fmt.Sprintf("%s has no answer to %s", c.name, c.open[0].data)
	case c.epoch != epoch || c.seq > seq || c.seq < then:
		return fmt.Sprintf("%s is at %d of %s, not at %d of %s", c.name, c.seq, c.epoch, seq, epoch)
	case c.presence.GMs != 1 || c.presence.Spectators != 1 || len(c.presence.Seats) != 2:
		return fmt.Sprintf("%s sees %+v", c.name, c.presence)
	}
	return ""
}
