package hubtest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// How a Browser comes back.
const (
	openPatience = 10 * time.Second // until it is up to date
	leastPause   = 50 * time.Millisecond
	mostPause    = time.Second
	silence      = 5 * time.Second // the server speaks every two
	// An event stream is told no beacon: so one comes back now and then for no
	// other reason than that nothing has happened.
	eventSilence = 15 * time.Second
)

// Browser is a client that comes back, as a page does: when its connection ends
// or is silent for too long, it opens another one and goes on where it was. A
// command is sent until it has its answer, under the same id. Every connection is
// a Client, which checks what comes.
type Browser struct {
	table *Table
	hello hub.Hello
	next  func() string
	watch func(frame []byte)
	rng   *rand.Rand // of the goroutine that comes back
	dial  func(ctx context.Context, url string, seen *Client) (*Client, bool, error)
	quiet time.Duration // after so long it takes the connection for dead

	ctx     context.Context
	cancel  context.CancelFunc
	stopped chan struct{}

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when conn changes
	conn    *Client       // nil while there is none that is up to date
	seen    *Client       // the last one that was: what is on the screen
	epochs  []string      // the histories it has seen, oldest first
	resumed int           // times it came back and needed no whole view
	renewed int           // times it came back and got one
}

// Browse opens a client that comes back, each time to the address that next
// returns, and hands every frame to watch. Both are called from one goroutine at
// a time. Close ends it.
func (b *Table) Browse(token string, rng *rand.Rand, next func() string, watch func(frame []byte)) *Browser {
	p := b.browser(token, rng, next, watch)
	p.dial, p.quiet = p.socket, silence
	go p.run()
	return p
}

// BrowseEvents is Browse over event streams. They are read-only: Do is not for
// these.
func (b *Table) BrowseEvents(token string, rng *rand.Rand, next func() string, watch func(frame []byte)) *Browser {
	p := b.browser(token, rng, next, watch)
	p.dial, p.quiet = p.events, eventSilence
	go p.run()
	return p
}

func (b *Table) browser(token string, rng *rand.Rand, next func() string, watch func(frame []byte)) *Browser {
	p := &Browser{table: b, hello: hub.Hello{Type: "hello", Encounter: b.ID, Token: token}, next: next, watch: watch,
		rng: rng, stopped: make(chan struct{}), changed: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// run keeps a connection open until Close.
func (p *Browser) run() {
	defer close(p.stopped)
	pause := leastPause
	for p.ctx.Err() == nil {
		c, up := p.open()
		if c != nil {
			if up {
				pause = leastPause
				p.stay(c)
			}
			c.Abort()
		}
		wait := pause/2 + rand.N(pause)
		if c != nil && c.Bye() != nil {
			bye := c.Bye()
			if bye.RetryAfterMs == 0 {
				p.table.t.Errorf("sent away for good: %s", bye.Code)
				return
			}
			wait = time.Duration(bye.RetryAfterMs) * time.Millisecond
		}
		pause = min(2*pause, mostPause)
		select {
		case <-time.After(wait):
		case <-p.ctx.Done():
		}
	}
}

// open opens a connection and reports whether it came to be up to date. The
// client, if there is one, is the caller's to end.
func (p *Browser) open() (c *Client, up bool) {
	ctx, cancel := context.WithTimeout(p.ctx, openPatience)
	defer cancel()
	p.mu.Lock()
	seen := p.seen
	p.mu.Unlock()
	c, whole, err := p.dial(ctx, p.next(), seen)
	if err != nil {
		return nil, false
	}
	return c, whole || c.until(ctx, func() bool { return c.welcomes > 0 || c.heads > 0 }) == nil
}

// socket opens a socket that goes on from what was seen, if anything was.
func (p *Browser) socket(ctx context.Context, url string, seen *Client) (c *Client, whole bool, err error) {
	if c, err = newClient(ctx, p.table.t, url); err != nil {
		return nil, false, err
	}
	c.watch = p.watch
	hello := p.hello
	if seen != nil {
		hello = c.goOn(seen, hello)
	}
	go c.read()
	c.Send(hello)
	return c, false, nil
}

// stay notes that a connection is up to date and waits until it ends or is
// silent.
func (p *Browser) stay(c *Client) {
	p.set(c)
	defer p.set(nil)
	heard := c.news()
	timer := time.NewTimer(p.quiet)
	defer timer.Stop()
	for {
		select {
		case <-heard:
			heard = c.news()
			timer.Reset(p.quiet)
			p.note(c)
		case <-timer.C:
			return
		case <-c.done:
			p.note(c)
			return
		case <-p.ctx.Done():
			return
		}
	}
}

// set changes the connection.
func (p *Browser) set(c *Client) {
	if c != nil {
		p.note(c)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c != nil && p.seen != nil {
		if c.Welcomes() > 0 {
			p.renewed++
		} else {
			p.resumed++
		}
	}
	if p.conn = c; c != nil {
		p.seen = c
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// note looks at the history that a connection is in: one that is over never
// comes back.
func (p *Browser) note(c *Client) {
	epoch := c.Epoch()
	p.mu.Lock()
	defer p.mu.Unlock()
	switch i := slices.Index(p.epochs, epoch); {
	case i < 0:
		p.epochs = append(p.epochs, epoch)
	case i < len(p.epochs)-1:
		p.table.t.Errorf("history %s comes back after %s", epoch, p.epochs[i+1:])
	}
}

// errNotNow says that a command was refused for the moment.
var errNotNow = errors.New("not now")

// Do sends a command until it is answered for good or ctx is over.
func (p *Browser) Do(ctx context.Context, id string, command combat.Command) (Reply, error) {
	for {
		c, err := p.connected(ctx)
		if err != nil {
			return Reply{}, err
		}
		reply, err := c.try(ctx, id, command)
		if err == nil || ctx.Err() != nil {
			return reply, err
		}
		if errors.Is(err, errNotNow) {
			select {
			case <-time.After(retryAfter(reply.Reject)):
			case <-ctx.Done():
			}
		}
	}
}

// retryAfter is how long a refusal asks to wait.
func retryAfter(r *hub.Reject) time.Duration {
	ms, _ := r.Params["retryAfterMs"].(float64)
	return min(time.Duration(ms)*time.Millisecond+leastPause, mostPause)
}

// try sends a command once. An error says that it is not answered for good: the
// connection has ended, or it is not now.
func (c *Client) try(ctx context.Context, id string, command combat.Command) (Reply, error) {
	c.mu.Lock()
	delete(c.answers, id)
	c.mu.Unlock()
	sent := time.Now()
	c.Ask(id, command)
	err := c.until(ctx, func() bool { _, has := c.answers[id]; return has })
	if err != nil {
		return Reply{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	reply := c.answers[id]
	reply.Sent = sent
	switch reply.Code() {
	case "unavailable", "draining", "rate_limited":
		return reply, errNotNow
	}
	return reply, nil
}

// connected waits for a connection that is up to date.
func (p *Browser) connected(ctx context.Context) (*Client, error) {
	for {
		p.mu.Lock()
		c, changed := p.conn, p.changed
		p.mu.Unlock()
		if c != nil {
			return c, nil
		}
		select {
		case <-changed:
		case <-p.stopped:
			return nil, errEnded
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Screen is what it shows: the last connection that was up to date, over or not.
// It waits until there is one.
func (p *Browser) Screen(ctx context.Context) (*Client, error) {
	if _, err := p.connected(ctx); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen, nil
}

// Epochs are the histories that it has seen, oldest first.
func (p *Browser) Epochs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.epochs)
}

// Returns says how often it came back without a whole view, and with one.
func (p *Browser) Returns() (resumed, renewed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.resumed, p.renewed
}

// Leave drops the connection, so that it comes back.
func (p *Browser) Leave() {
	p.mu.Lock()
	c := p.conn
	p.mu.Unlock()
	if c != nil {
		c.wire.cut()
	}
}

// Close ends it.
func (p *Browser) Close() {
	p.cancel()
	<-p.stopped
}
