package hubtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
)

// Client is one socket or event stream, as a browser would keep it: it holds the
// view, records every frame and checks that its counter never skips or goes back.
type Client struct {
	t    testing.TB
	wire wire
	done chan struct{} // closed when nothing comes any more

	// watch, if it is set, is given every frame, which is then not kept.
	watch func(frame []byte)

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced with every frame
	frames   [][]byte
	came     []time.Time // when, of each frame
	view     map[string]json.RawMessage
	log      []json.RawMessage
	seq      uint64
	epoch    string
	heads    int
	behind   int
	welcomes int
	cut      bool
	answers  map[string]Reply
	loose    []hub.Reject // rejects without an id
	presence hub.Presence
	pongs    int
	bye      *hub.Bye
	err      error
}

// Reply is what a command was answered: Ack or Reject is set.
type Reply struct {
	Ack    *hub.Ack
	Reject *hub.Reject
	Sent   time.Time // when it was asked last; only Browser fills it in
}

// Code is the code of a refusal, or an empty string for an Ack.
func (r Reply) Code() string {
	if r.Reject != nil {
		return r.Reject.Code
	}
	return ""
}

// Dial opens a bare socket, without a Hello.
func Dial(t testing.TB, url string) *Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := newClient(ctx, t, url)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	go c.read()
	t.Cleanup(c.Abort)
	return c
}

// newClient opens a connection that nobody reads yet.
func newClient(ctx context.Context, t testing.TB, url string) (*Client, error) {
	wire, err := dialWire(ctx, url)
	if err != nil {
		return nil, err
	}
	return clientOn(t, wire), nil
}

func clientOn(t testing.TB, wire wire) *Client {
	return &Client{t: t, wire: wire, done: make(chan struct{}), changed: make(chan struct{}),
		view: map[string]json.RawMessage{}, answers: map[string]Reply{}}
}

// goOn makes a client that has received nothing one that has seen what another
// one has, and returns the Hello that says so.
func (c *Client) goOn(last *Client, hello hub.Hello) hub.Hello {
	last.mu.Lock()
	defer last.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq, c.epoch, c.log = last.seq, last.epoch, slices.Clone(last.log)
	maps.Copy(c.view, last.view)
	since := c.seq
	hello.Since, hello.Epoch = &since, c.epoch
	return hello
}

// Join opens a socket onto a table and waits for the view.
func (b *Table) Join(token string) *Client {
	b.t.Helper()
	return b.JoinAs(token, "")
}

// JoinAs is Join as another audience, for the GM.
func (b *Table) JoinAs(token, as string) *Client {
	b.t.Helper()
	c := Dial(b.t, b.URL)
	c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: token, As: as})
	c.Wait("a welcome", func() bool { return c.welcomes > 0 })
	return c
}

// Resume opens a socket that has seen what another one has, and waits until
// the server says that it is up to date.
func (b *Table) Resume(token string, last *Client) *Client {
	b.t.Helper()
	c := Dial(b.t, b.URL)
	c.Send(c.goOn(last, hub.Hello{Type: "hello", Encounter: b.ID, Token: token}))
	c.Wait("a welcome or a head", func() bool { return c.welcomes > 0 || c.heads > 0 })
	return c
}

// Send sends one message.
func (c *Client) Send(message any) {
	c.t.Helper()
	data, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	c.SendText(string(data))
}

// SendText sends a text frame. A connection that is gone is not an error here.
func (c *Client) SendText(text string) { c.wire.write([]byte(text), false) }

// SendBinary sends a binary frame.
func (c *Client) SendBinary(data []byte) { c.wire.write(data, true) }

// Ask sends a command under an id without waiting.
func (c *Client) Ask(id string, command combat.Command) {
	c.t.Helper()
	raw, err := combat.EncodeCommand(command)
	if err != nil {
		c.t.Fatal(err)
	}
	c.Send(hub.Do{Type: "do", ID: id, Command: raw})
}

// Answer waits for the answer to a command.
func (c *Client) Answer(id string) Reply {
	c.t.Helper()
	c.Wait("an answer", func() bool { _, has := c.answers[id]; return has })
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answers[id]
}

// Answered reports whether a command has been acknowledged so far.
func (c *Client) Answered(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answers[id].Ack != nil
}

// Do sends a command and waits for the answer.
func (c *Client) Do(command combat.Command) Reply {
	c.t.Helper()
	return c.DoID(uuid.NewString(), command)
}

// DoID is Do under an id of the caller's; an answer from before is forgotten.
func (c *Client) DoID(id string, command combat.Command) Reply {
	c.t.Helper()
	c.mu.Lock()
	delete(c.answers, id)
	c.mu.Unlock()
	c.Ask(id, command)
	return c.Answer(id)
}

// Must sends a command that has to be accepted, and waits until the view shows
// it.
func (c *Client) Must(command combat.Command) hub.Ack {
	c.t.Helper()
	reply := c.Do(command)
	if reply.Ack == nil {
		c.t.Fatalf("%s: %s %v", combat.CommandName(command), reply.Code(), reply.Reject.Params)
	}
	c.WaitSeq(reply.Ack.Seq)
	return *reply.Ack
}

// Refused sends a command that has to be refused with a code.
func (c *Client) Refused(code string, command combat.Command) {
	c.t.Helper()
	if reply := c.Do(command); reply.Code() != code {
		c.t.Fatalf("%s is answered %q, want %q", combat.CommandName(command), reply.Code(), code)
	}
}

// WaitSeq waits until the counter is there.
func (c *Client) WaitSeq(seq uint64) {
	c.t.Helper()
	c.Wait(fmt.Sprintf("update %d", seq), func() bool { return c.seq >= seq })
}

// Wait waits until a condition holds that is looked at with every frame. The
// condition may read the client's fields, and call none of its methods.
func (c *Client) Wait(what string, until func() bool) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch err := c.until(ctx, until); {
	case err == nil:
	case ctx.Err() != nil:
		c.t.Fatalf("%s never came; last frames: %s", what, c.lastFrames())
	default:
		c.t.Fatalf("the connection ended (%v, bye %+v) before %s", err, c.Bye(), what)
	}
}

// errEnded says that a connection ended.
var errEnded = errors.New("the connection ended")

// until waits until a condition holds, as Wait does, and fails when the
// connection or ctx ends before.
func (c *Client) until(ctx context.Context, holds func() bool) error {
	look := func() (bool, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return holds(), c.err
	}
	for {
		changed := c.news()
		if ok, _ := look(); ok {
			return nil
		}
		select {
		case <-changed:
		case <-c.done:
			if ok, err := look(); !ok {
				return fmt.Errorf("%w: %w", errEnded, err)
			}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// news is closed with the next frame.
func (c *Client) news() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

func (c *Client) lastFrames() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []byte
	for _, f := range c.frames[max(0, len(c.frames)-3):] {
		all = append(append(all, f...), '\n')
	}
	return all
}

// read takes frames until the connection ends.
func (c *Client) read() {
	defer close(c.done)
	for {
		data, err := c.wire.read(context.Background())
		c.mu.Lock()
		if err == nil {
			err = c.take(data)
		}
		if err != nil {
			c.err = err
		}
		close(c.changed)
		c.changed = make(chan struct{})
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// take takes one frame.
func (c *Client) take(data []byte) error {
	if c.watch != nil {
		c.watch(data)
	} else {
		c.frames, c.came = append(c.frames, data), append(c.came, time.Now())
	}
	messages := []json.RawMessage{data}
	if data[0] == '[' {
		messages = nil
		if err := json.Unmarshal(data, &messages); err != nil {
			return err
		}
	}
	for _, message := range messages {
		if err := c.message(message); err != nil {
			c.t.Errorf("%v: %.300s", err, message)
			return err
		}
	}
	return nil
}

func (c *Client) message(data []byte) error {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	switch head.Type {
	case "welcome":
		var m hub.Welcome
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		if c.epoch == m.Epoch && m.Seq < c.seq {
			return fmt.Errorf("welcome %d after %d", m.Seq, c.seq)
		}
		c.view, c.log, c.seq, c.epoch, c.presence, c.behind = m.View, m.Log, m.Seq, m.Epoch, m.Presence, m.Behind
		c.cut = c.cut || m.Cut
		c.welcomes++
	case "update":
		var m hub.Update
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		if m.Seq != c.seq+1 {
			return fmt.Errorf("update %d after %d", m.Seq, c.seq)
		}
		c.seq = m.Seq
		for key, value := range m.Set {
			c.view[key] = value
		}
		for _, key := range m.Del {
			delete(c.view, key)
		}
		c.log = append(c.log, m.Log...)
	case "head":
		var m hub.Head
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		if m.Seq != c.seq {
			return fmt.Errorf("head %d at %d", m.Seq, c.seq)
		}
		c.heads++
		c.behind = m.Behind
	case "ack":
		m := &hub.Ack{}
		c.answers[idOf(data)] = Reply{Ack: m}
		return json.Unmarshal(data, m)
	case "reject":
		m := &hub.Reject{}
		if err := json.Unmarshal(data, m); err != nil {
			return err
		}
		if m.ID == "" {
			c.loose = append(c.loose, *m)
			return nil
		}
		c.answers[m.ID] = Reply{Reject: m}
	case "presence":
		c.presence = hub.Presence{}
		return json.Unmarshal(data, &c.presence)
	case "pong":
		c.pongs++
	case "bye":
		c.bye = &hub.Bye{}
		return json.Unmarshal(data, c.bye)
	default:
		return fmt.Errorf("type %q", head.Type)
	}
	return nil
}

func idOf(data []byte) string {
	var m struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(data, &m) // the caller decodes it again
	return m.ID
}

// WaitHead waits until n head beacons have come.
func (c *Client) WaitHead(n int) {
	c.t.Helper()
	c.Wait("a head", func() bool { return c.heads >= n })
}

// WaitBehind waits until the server says that what it tells is late, or is not.
func (c *Client) WaitBehind(late bool) {
	c.t.Helper()
	c.Wait(fmt.Sprintf("late: %v", late), func() bool { return (c.behind > 0) == late })
}

// WaitPresence waits until who is online satisfies a condition.
func (c *Client) WaitPresence(what string, until func(hub.Presence) bool) {
	c.t.Helper()
	c.Wait(what, func() bool { return until(c.presence) })
}

// WaitLoose waits for a refusal without an id and returns the last one.
func (c *Client) WaitLoose(n int) hub.Reject {
	c.t.Helper()
	c.Wait("a refusal", func() bool { return len(c.loose) >= n })
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loose[len(c.loose)-1]
}

// Ping sends a ping and waits for its pong: what was sent to this socket
// before has come when it returns.
func (c *Client) Ping() {
	c.t.Helper()
	c.mu.Lock()
	want := c.pongs + 1
	c.mu.Unlock()
	c.Send(hub.Ping{Type: "ping", T: 1})
	c.Wait("a pong", func() bool { return c.pongs >= want })
}

// Bye returns the server's last word, or nil.
func (c *Client) Bye() *hub.Bye {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bye
}

// Ended reports whether the connection is over.
func (c *Client) Ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// WaitEnd waits until the server has closed the connection, and returns its
// last word and status.
func (c *Client) WaitEnd() (*hub.Bye, int) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	select {
	case <-c.done:
	case <-ctx.Done():
		c.t.Fatal("the server does not close the connection")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bye, status(c.err)
}

// Close closes the connection in good order.
func (c *Client) Close() {
	c.wire.close()
	<-c.done
}

// Abort cuts the connection.
func (c *Client) Abort() {
	c.wire.cut()
	<-c.done
}
