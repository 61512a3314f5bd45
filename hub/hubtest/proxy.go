package hubtest

import (
	"net"
	"sync"
	"testing"
)

// Proxy passes connections on to another address, until it is cut: then nothing
// goes either way, and nobody is told.
type Proxy struct {
	Addr string // 127.0.0.1:port

	to       string
	listener net.Listener
	done     sync.WaitGroup

	mu    sync.Mutex
	cond  *sync.Cond // cut or ended has changed
	cut   bool
	ended bool
	open  map[net.Conn]struct{}
}

// StartProxy starts a proxy to an address. The end of the test ends it.
func StartProxy(t testing.TB, to string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Addr: listener.Addr().String(), to: to, listener: listener, open: map[net.Conn]struct{}{}}
	p.cond = sync.NewCond(&p.mu)
	p.done.Go(p.accept)
	t.Cleanup(func() {
		p.mu.Lock()
		p.ended = true
		p.cond.Broadcast()
		p.mu.Unlock()
		listener.Close()
		p.Drop()
		p.done.Wait()
	})
	return p
}

// Cut lets nothing through any more.
func (p *Proxy) Cut() { p.set(true) }

// Heal lets everything through again, also what has waited.
func (p *Proxy) Heal() { p.set(false) }

func (p *Proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	p.cond.Broadcast()
}

// Drop closes all connections there are.
func (p *Proxy) Drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		conn.Close()
	}
}

func (p *Proxy) accept() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", p.to)
		if err != nil {
			from.Close()
			continue
		}
		p.mu.Lock()
		p.open[from], p.open[to] = struct{}{}, struct{}{}
		p.mu.Unlock()
		p.done.Go(func() { p.pass(from, to) })
		p.done.Go(func() { p.pass(to, from) })
	}
}

// pass copies one way until either end closes, and then closes both.
func (p *Proxy) pass(from, to net.Conn) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		from.Close()
		to.Close()
		delete(p.open, from)
		delete(p.open, to)
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		for p.cut && !p.ended {
			p.cond.Wait()
		}
		p.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
