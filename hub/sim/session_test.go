package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"riposte/hub"
)

// silence is after how long without a sign a screen looks for another instance:
// the owner's beacon comes every two seconds.
const silence = 7 * time.Second

// road is the way to one instance, over one connection.
type road struct {
	at   *instance
	name string // of the instance, as it was found
	conn *conn  // nil: it was not found
	http *http.Transport
}

// road takes the way to any instance.
func (c *screen) road(random *rand.Rand) *road {
	return roadTo(pick(&player{random: random}, c.run.instances))
}

func roadTo(at *instance) *road {
	r := &road{at: at}
	var err error
	r.conn, r.name, err = r.at.dial()
	r.http = &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		if err != nil {
			return nil, err
		}
		return r.conn, nil
	}}
	return r
}

// client calls the instance, once.
func (r *road) client() *http.Client { return &http.Client{Transport: r.http} }

// end ends the connection, for both.
func (r *road) end() {
	if r.conn != nil {
		r.conn.reset()
	}
}

// live plays until the run is over.
func (c *screen) live() {
	if c.program {
		c.run.people.Go(c.work)
	}
	for !c.run.over() {
		begin := c.session
		if c.program {
			begin = c.watch
		}
		if err := begin(); err != nil {
			c.run.note("%s: %v", c.name, err)
		}
		pause := time.Duration(50+c.roads.IntN(950)) * time.Millisecond
		if c.turnedAway() {
			if !c.program { // of what it has asked for it hears in no other way
				for _, a := range c.unanswered() {
					c.post(a, c.roads)
				}
			}
			pause *= 4
		}
		c.run.sleep(pause)
	}
}

// session is one connection.
func (c *screen) session() error {
	road := c.road(c.roads)
	defer road.end()
	ctx, cancel := context.WithCancel(c.run.running)
	defer cancel()
	opening, late := context.WithTimeout(ctx, silence)
	defer late()
	ws, _, err := websocket.Dial(opening, "ws://sim/ws", &websocket.DialOptions{Subprotocols: []string{hub.Subprotocol}, HTTPClient: road.client()})
	if err != nil {
		return fmt.Errorf("dial %s: %w", road.name, err)
	}
	ws.SetReadLimit(-1)
	defer ws.CloseNow()
	defer road.end()
	c.attach(road.conn)
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
	if c.comesBack(road.name) {
		since := c.seq
		hello.Since, hello.Epoch = &since, c.epoch
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
	c.shut = c.run.oracle.shutOut(c.token)
}

// comesBack reports whether it goes on where it was, not as one whose page was
// loaded anew.
func (c *screen) comesBack(where string) bool {
	if c.seen() && c.roads.IntN(5) > 0 {
		c.run.note("%s comes back to %s, at %d of %s", c.name, where, c.seq, c.epoch)
		return true
	}
	c.forget()
	c.run.note("%s comes to %s", c.name, where)
	return false
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
