package hub

import "sync"

// An outbox is what waits to be written to one viewer, bounded in bytes. The
// encounter's goroutine puts messages in and never waits; the viewer's writer
// takes all there is. When it is full, the updates in it give way: the viewer
// is then stale until one fresh whole view comes.
//
// The messages in it are shared between viewers and are never written to.
type outbox struct {
	limit int
	wake  chan struct{} // capacity 1: something to do

	mu      sync.Mutex
	queue   []message
	bytes   int
	stale   bool   // updates were dropped and no whole view has come since
	asked   bool   // the writer knows that
	closing bool   // nothing more goes in
	bye     []byte // last message, when closing in good order
	reason  string // why it was closed
}

// message is one encoded message and how it may be dropped.
type message struct {
	kind messageKind
	data []byte
}

type messageKind uint8

const (
	// kindReply answers this viewer and is never dropped.
	kindReply messageKind = iota
	// kindUpdate is made up for by a whole view.
	kindUpdate
	// kindHint repeats what the viewer can know anyway.
	kindHint
)

func newOutbox(limit int) *outbox {
	return &outbox{limit: limit, wake: make(chan struct{}, 1)}
}

// put adds a message. It reports false if the updates had to give way just
// now.
func (o *outbox) put(kind messageKind, data []byte) (fits bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closing || o.stale && kind != kindReply {
		return true
	}
	if o.bytes+len(data) > o.limit {
		if kind == kindHint {
			return true
		}
		fits = o.drop()
		if kind == kindUpdate {
			return fits
		}
		if o.bytes+len(data) > o.limit {
			// Somebody who asks and does not read the answers.
			o.shut(nil, dropSlow)
			return fits
		}
		o.add(kind, data)
		return fits
	}
	o.add(kind, data)
	return true
}

// refresh brings a stale viewer back with a whole view, of any size.
func (o *outbox) refresh(welcome []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closing {
		o.stale, o.asked = false, false
		o.add(kindUpdate, welcome)
	}
}

// hold makes a viewer wait for its first whole view.
func (o *outbox) hold() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stale, o.asked = true, true
}

// drop takes all updates out and marks the viewer as stale. It reports false
// if there was something to lose: the caller counts it.
func (o *outbox) drop() (nothing bool) {
	kept := o.queue[:0]
	o.bytes = 0
	for _, m := range o.queue {
		if m.kind == kindReply {
			kept = append(kept, m)
			o.bytes += len(m.data)
		}
	}
	clear(o.queue[len(kept):])
	o.queue = kept
	was := o.stale
	o.stale = true
	o.signal()
	return was
}

func (o *outbox) add(kind messageKind, data []byte) {
	o.queue = append(o.queue, message{kind, data})
	o.bytes += len(data)
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// close ends the outbox: what waits and then bye are still written, unless bye
// is nil. Only the first call counts.
func (o *outbox) close(bye []byte, reason string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shut(bye, reason)
}

func (o *outbox) shut(bye []byte, reason string) {
	if o.closing {
		return
	}
	o.closing, o.bye, o.reason = true, bye, reason
	o.signal()
}

// taken is what the writer has to do next.
type taken struct {
	messages [][]byte
	stale    bool   // ask for a whole view; said once
	closed   bool   // nothing follows
	polite   bool   // closed with a last word, which is in messages
	reason   string // why
}

// take empties the outbox into the buffer given, which may be reused from the
// last call.
func (o *outbox) take(buffer [][]byte) taken {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := taken{messages: buffer[:0], stale: o.stale && !o.asked, closed: o.closing, reason: o.reason}
	o.asked = o.stale
	if o.closing && o.bye == nil {
		return t
	}
	for _, m := range o.queue {
		t.messages = append(t.messages, m.data)
	}
	clear(o.queue)
	o.queue, o.bytes = o.queue[:0], 0
	if o.closing {
		t.messages = append(t.messages, o.bye)
		t.polite = true
	}
	return t
}

// join writes several messages into buffer as one JSON array.
func join(messages [][]byte, buffer []byte) []byte {
	buffer = append(buffer[:0], '[')
	for i, m := range messages {
		if i > 0 {
			buffer = append(buffer, ',')
		}
		buffer = append(buffer, m...)
	}
	return append(buffer, ']')
}

// why returns the reason of the close.
func (o *outbox) why() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.reason
}

// closed reports whether nothing more goes in.
func (o *outbox) closed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.closing
}
