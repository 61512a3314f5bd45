package sim

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// room is how many bytes wait in one direction of a connection before whoever
// writes has to wait.
const room = 64 << 10

var (
	errCut  = errors.New("sim: connection reset")
	errDown = errors.New("sim: connection refused")
)

// stream is one direction of a connection.
type stream struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced with every change
	data    []byte
	held    int  // nothing arrives while it is not zero
	shut    bool // the writer has closed
	cut     bool // nothing comes or goes any more
}

// change does something to a stream and tells who waits.
func (s *stream) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

// hold stops what is on its way, or lets it go on: each hold wants a release.
func (s *stream) hold()    { s.change(func() { s.held++ }) }
func (s *stream) release() { s.change(func() { s.held-- }) }

// conn is one end of a connection.
type conn struct {
	in, out     *stream
	read, write deadline
}

// connect makes the two ends of a connection.
func connect() (*conn, *conn) {
	one, other := &stream{changed: make(chan struct{})}, &stream{changed: make(chan struct{})}
	return &conn{in: one, out: other}, &conn{in: other, out: one}
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	for {
		passed := c.read.passed()
		n, changed, err := c.in.take(p)
		if n > 0 || err != nil {
			return n, err
		}
		select {
		case <-changed:
		case <-passed:
			return 0, os.ErrDeadlineExceeded
		}
	}
}

func (s *stream) take(p []byte) (n int, changed <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.cut:
		return 0, nil, errCut
	case s.held > 0:
	case len(s.data) > 0:
		n = copy(p, s.data)
		s.data = s.data[n:]
		close(s.changed)
		s.changed = make(chan struct{})
		return n, nil, nil
	case s.shut:
		return 0, nil, io.EOF
	}
	return 0, s.changed, nil
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	for {
		passed := c.write.passed()
		select {
		case <-passed:
			return 0, os.ErrDeadlineExceeded
		default:
		}
		n, changed, err := c.out.give(p)
		if n > 0 || err != nil {
			return n, err
		}
		select {
		case <-changed:
		case <-passed:
		}
	}
}

// give takes all or nothing.
func (s *stream) give(p []byte) (n int, changed <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.cut || s.shut:
		return 0, nil, errCut
	case len(s.data) > room:
		return 0, s.changed, nil
	}
	s.data = append(s.data, p...)
	close(s.changed)
	s.changed = make(chan struct{})
	return len(p), nil, nil
}

// Close implements net.Conn: what was written still arrives.
func (c *conn) Close() error {
	c.out.change(func() { c.out.shut = true })
	c.in.change(func() { c.in.cut = true })
	return nil
}

// reset ends a connection for both at once.
func (c *conn) reset() {
	c.out.change(func() { c.out.cut = true })
	c.in.change(func() { c.in.cut = true })
}

// hold stops both directions, release lets them go on.
func (c *conn) hold()    { c.in.hold(); c.out.hold() }
func (c *conn) release() { c.in.release(); c.out.release() }

// LocalAddr and RemoteAddr implement net.Conn.
func (c *conn) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
func (c *conn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 2} }

// SetDeadline, SetReadDeadline and SetWriteDeadline implement net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	c.read.set(t, c.in)
	c.write.set(t, c.out)
	return nil
}

func (c *conn) SetReadDeadline(t time.Time) error {
	c.read.set(t, c.in)
	return nil
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	c.write.set(t, c.out)
	return nil
}

// deadline is a moment after which reading or writing fails.
type deadline struct {
	mu    sync.Mutex
	over  chan struct{} // closed when it has passed; nil: there is none
	timer *time.Timer
}

func (d *deadline) set(t time.Time, s *stream) {
	d.mu.Lock()
	if d.timer != nil {
		d.timer.Stop()
	}
	d.timer, d.over = nil, nil
	if !t.IsZero() {
		over := make(chan struct{})
		d.over = over
		if wait := time.Until(t); wait > 0 {
			d.timer = time.AfterFunc(wait, func() { close(over) })
		} else {
			close(over)
		}
	}
	d.mu.Unlock()
	s.change(func() {}) // who waits looks anew
}

func (d *deadline) passed() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over
}

// port is where an instance listens: a net.Listener.
type port struct {
	coming chan *conn
	closed chan struct{}
	close  func()

	mu   sync.Mutex
	held bool
	all  map[*conn]struct{} // ours of every connection that was not reset
}

func newPort() *port {
	p := &port{coming: make(chan *conn, 16), closed: make(chan struct{}), all: map[*conn]struct{}{}}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p
}

// dial opens a connection.
func (p *port) dial() (*conn, error) {
	theirs, ours := connect()
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return nil, errDown
	case p.coming <- ours:
		p.all[ours] = struct{}{}
		if p.held {
			ours.hold()
		}
		return theirs, nil
	default:
		return nil, errDown
	}
}

// hold stops everything on its way from and to the instance, release lets it go
// on.
func (p *port) hold()    { p.stop(true, (*conn).hold) }
func (p *port) release() { p.stop(false, (*conn).release) }

func (p *port) stop(held bool, do func(*conn)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = held
	for c := range p.all {
		do(c)
	}
}

// die ends all connections at once.
func (p *port) die() {
	p.close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.all {
		c.reset()
	}
}

// Accept implements net.Listener.
func (p *port) Accept() (net.Conn, error) {
	select {
	case c := <-p.coming:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *port) Close() error {
	p.close()
	return nil
}

// Addr implements net.Listener.
func (p *port) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
