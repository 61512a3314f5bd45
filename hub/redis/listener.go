package redis

import "sync"

// Bounds on what waits for one subscriber.
const (
	queueMessages = 4096
	queueBytes    = 8 << 20
)

// listener hands what comes over one channel to one subscriber, on a goroutine
// of its own: a subscriber that is slow holds up nobody else. When too much
// waits, all of it gives way to one notice that something was missed.
type listener struct {
	take   func(payload string)
	missed func()
	lost   func() // counts that the queue gave way
	wake   chan struct{}
	done   chan struct{}

	mu     sync.Mutex
	queue  []message
	bytes  int
	closed bool
}

// message is one payload, or the notice.
type message struct {
	payload string
	missed  bool
}

func newListener(take func(string), missed, lost func()) *listener {
	l := &listener{take: take, missed: missed, lost: lost, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go l.run()
	return l
}

// put adds a payload.
func (l *listener) put(payload string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if len(l.queue) >= queueMessages || l.bytes+len(payload) > queueBytes && l.bytes > 0 {
		l.lost()
		l.clear()
		l.queue = append(l.queue, message{missed: true})
	}
	l.queue = append(l.queue, message{payload: payload})
	l.bytes += len(payload)
	l.signal()
}

// miss adds the notice. What waits before it is out of date.
func (l *listener) miss() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.clear()
	l.queue = append(l.queue, message{missed: true})
	l.signal()
}

func (l *listener) clear() { l.queue, l.bytes = nil, 0 }

func (l *listener) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// close ends it. When it returns, nothing more is handed over.
func (l *listener) close() {
	l.mu.Lock()
	l.closed = true
	l.clear()
	l.signal()
	l.mu.Unlock()
	<-l.done
}

func (l *listener) run() {
	defer close(l.done)
	for range l.wake {
		for {
			l.mu.Lock()
			queue, closed := l.queue, l.closed
			l.clear()
			l.mu.Unlock()
			if closed {
				return
			}
			if len(queue) == 0 {
				break
			}
			for _, m := range queue {
				if l.isClosed() {
					return
				}
				if m.missed {
					l.missed()
				} else {
					l.take(m.payload)
				}
			}
		}
	}
}

func (l *listener) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}
