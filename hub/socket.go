package hub

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	// The library that was asked for as nhooyr.io/websocket, under the name it
	// has had since 2024, when its author handed it to Coder. The old path is
	// frozen: it sends frames after the close frame, hides why a write timed
	// out, and keeps one more goroutine per connection.
	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"riposte/combat"
)

const (
	pingEvery   = 30 * time.Second // protocol pings, to notice who vanished
	pingTimeout = 10 * time.Second
	// closeTimeout bounds the closing handshake: the library would wait five
	// seconds for a peer that says nothing.
	closeTimeout = time.Second
	// keptBuffer is how large a buffer a connection keeps between messages.
	keptBuffer = 64 << 10
)

// socket is one WebSocket connection: the goroutine of its HTTP handler reads,
// a second one writes. Neither touches the encounter.
type socket struct {
	hub     *Hub
	conn    *websocket.Conn
	viewer  *viewer
	from    netip.Prefix // remote address
	known   func()       // it has said whose it is
	refused int          // messages refused for speed, in a row
	actor   *actor       // set by the reader before welcomed is closed

	welcomed chan struct{} // closed once actor is set
	gone     context.Context
	leave    context.CancelFunc
	drop     sync.Once
}

// serveSocket is GET /ws.
func (h *Hub) serveSocket(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	if h.isDraining() {
		return refusalOf(errDraining)
	}
	from := remote(r, h.config.TrustProxy)
	if !h.viewers.enter(from) {
		h.metrics.drops.WithLabelValues(dropLimit).Inc()
		return combat.Refuse("unavailable", "retryAfterMs", 5000)
	}
	defer h.viewers.exit(from)
	if !h.strangers.enter() {
		h.metrics.drops.WithLabelValues(dropLimit).Inc()
		return combat.Refuse("unavailable", "retryAfterMs", 1000)
	}
	known := sync.OnceFunc(h.strangers.exit)
	defer known()
	if !asksFor(r, Subprotocol) {
		return combat.Refuse("bad_value", "field", "Sec-WebSocket-Protocol")
	}
	if !h.fromOurPage(r) {
		return combat.Refuse("forbidden", "field", "Origin")
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{Subprotocol},
		InsecureSkipVerify: true, // the origin has been looked at
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return nil // Accept has answered
	}
	// One more than we read ourselves, so that we are the one to say so.
	conn.SetReadLimit(int64(h.limits.MessageBytes) + 1)
	s := &socket{hub: h, conn: conn, from: from, known: known, welcomed: make(chan struct{}),
		viewer: &viewer{socket: true, out: newOutbox(h.limits.QueueBytes)}}
	s.gone, s.leave = context.WithCancel(h.running)
	written := make(chan struct{})
	go func() {
		defer close(written)
		s.write()
	}()
	defer func() {
		s.leave()
		<-written
		conn.CloseNow()
		if s.actor != nil {
			h.leave(s.actor, s.viewer)
		}
	}()
	s.read()
	return nil
}

// fromOurPage reports whether a request comes from one of our own pages, or from
// no page at all. The library would take the brackets of an IPv6 address for a
// pattern, and refuse without a code.
func (h *Hub) fromOurPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	page, err := url.Parse(origin)
	return err == nil && page.Host != "" && (strings.EqualFold(page.Host, r.Host) ||
		slices.ContainsFunc(h.config.Origins, func(ours string) bool { return strings.EqualFold(page.Host, ours) }))
}

// asksFor reports whether a request offers a subprotocol.
func asksFor(r *http.Request, protocol string) bool {
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		if slices.Contains(strings.FieldsFunc(line, func(c rune) bool { return c == ',' || c == ' ' }), protocol) {
			return true
		}
	}
	return false
}

// bye ends the connection with a last word.
func (s *socket) bye(r *combat.Refusal, reason string) {
	s.viewer.out.close(goodbye(r), reason)
}

// read reads until the connection ends.
func (s *socket) read() {
	buffer := make([]byte, 0, 4096)
	hello := time.AfterFunc(s.hub.limits.HelloTimeout, func() {
		s.bye(combat.Refuse("unauthorized"), dropHello)
	})
	defer hello.Stop()
	limiter := rate.NewLimiter(rate.Limit(s.hub.limits.CommandRate), s.hub.limits.CommandBurst)
	for {
		kind, reader, err := s.conn.Reader(s.gone)
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			s.bye(combat.Refuse("bad_value"), dropBinary)
			break
		}
		buffer, err = readAll(reader, buffer[:0], s.hub.limits.MessageBytes)
		if errors.Is(err, errTooLarge) {
			s.bye(combat.Refuse("too_large"), dropTooLarge)
			break
		}
		if err != nil {
			return
		}
		s.frame(buffer, limiter, hello)
		if s.viewer.out.closed() {
			break
		}
		if cap(buffer) > keptBuffer {
			buffer = nil
		}
	}
	// The writer has the last word: it ends the connection, and with it gone.
	<-s.gone.Done()
}

// frame takes one frame. It takes a turn of the measure before it is looked
// at, and every further message in it one more. A message that is refused for
// speed is read no further than for its id; after many in a row the socket
// ends.
func (s *socket) frame(data []byte, limiter *rate.Limiter, hello *time.Timer) {
	if wait, ok := take(limiter, time.Now()); !ok {
		s.tooFast(data, wait)
		return
	}
	messages, refusal := splitMessages(data)
	if refusal != nil {
		s.put(encodeReject("", refusal))
		if s.actor == nil {
			s.bye(refusal, dropMalformed)
		}
	}
	for i, one := range messages {
		if s.viewer.out.closed() {
			return
		}
		if i > 0 {
			if wait, ok := take(limiter, time.Now()); !ok {
				s.tooFast(one, wait)
				continue
			}
		}
		s.refused = 0
		if s.actor != nil {
			s.message(one)
			continue
		}
		hello.Stop()
		if s.hello(one); s.actor == nil {
			return
		}
	}
}

// maxRefused is how many messages in a row may be refused for speed.
const maxRefused = 1000

// tooFast refuses a message for speed.
func (s *socket) tooFast(data []byte, wait time.Duration) {
	refusal := tooFast(wait)
	if s.refused++; s.refused >= maxRefused {
		s.bye(refusal.With("retryAfterMs", int(floodPause.Milliseconds())), dropFlood)
		return
	}
	s.put(encodeReject(messageID(data), refusal))
}

// floodPause is when one who was sent away for speed may come back.
const floodPause = 5 * time.Second

var errTooLarge = errors.New("hub: message is too large")

// readAll reads to the end into buffer, which it may replace. It fails with
// errTooLarge above limit bytes.
func readAll(r io.Reader, buffer []byte, limit int) ([]byte, error) {
	for {
		if len(buffer) > limit {
			return buffer, errTooLarge
		}
		if len(buffer) == cap(buffer) {
			buffer = slices.Grow(buffer, 1)
		}
		room := min(cap(buffer), limit+1)
		n, err := r.Read(buffer[len(buffer):room])
		buffer = buffer[:len(buffer)+n]
		if errors.Is(err, io.EOF) {
			return buffer, nil
		}
		if err != nil {
			return buffer, err
		}
	}
}

// put queues an answer to this socket alone.
func (s *socket) put(data []byte) {
	if !s.viewer.out.put(kindReply, data) {
		s.hub.metrics.overflows.Inc()
	}
}

// hello takes the first message.
func (s *socket) hello(data []byte) {
	message, _, refusal := decodeMessage(data)
	hello, is := message.(*Hello)
	if refusal == nil && !is {
		refusal = combat.Refuse("unauthorized")
	}
	if refusal != nil {
		s.put(encodeReject("", refusal))
		s.bye(refusal, dropMalformed)
		return
	}
	s.known()
	s.viewer.hash, s.viewer.as = hashToken(hello.Token), hello.As
	actor, refusal := s.hub.join(s.gone, s.viewer, hello)
	if refusal != nil {
		s.hub.noteFailure(s.from, refusal)
		s.bye(refusal, refusal.Code)
		return
	}
	s.actor = actor
	close(s.welcomed)
}

// message takes any message but the first.
func (s *socket) message(data []byte) {
	message, id, refusal := decodeMessage(data)
	if refusal != nil {
		s.put(encodeReject(id, refusal))
		return
	}
	switch m := message.(type) {
	case *Ping:
		s.put(encode(Pong{Type: "pong", T: m.T, Now: stamp(s.viewer.sees(s.hub.now()))}))
	case *Do:
		s.do(m)
	case *Hello:
		s.put(encodeReject("", combat.Refuse("bad_value", "field", "type")))
	}
}

// do hands a command to the encounter.
func (s *socket) do(do *Do) {
	if s.viewer.as != "" {
		s.put(encodeReject(echo(do.ID), combat.Refuse("forbidden")))
		return
	}
	id, command, refusal := decodeOrder(do.ID, do.Command)
	if refusal == nil {
		order := &order{id: id, echo: do.ID, command: command, hash: s.viewer.hash, viewer: s.viewer}
		err := post(s.gone, s.actor, s.actor.commands, order)
		if err == nil || errors.Is(err, errGone) {
			return // when it is gone, the viewer has been told to come back
		}
		refusal = refusalOf(err)
	}
	s.put(encodeReject(echo(do.ID), refusal))
}

// write writes what the outbox has until it is closed.
func (s *socket) write() {
	defer s.leave()
	var (
		messages [][]byte
		buffer   []byte
		polite   bool
	)
	late := time.AfterFunc(s.hub.limits.WriteTimeout, func() { s.dropped(dropWriteTimeout) })
	late.Stop()
	defer late.Stop()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	defer func() { s.end(polite) }()
	for {
		select {
		case <-s.viewer.out.wake:
		case <-ping.C:
			go s.ping()
			continue
		case <-s.gone.Done():
			return
		}
		t := s.viewer.out.take(messages)
		messages, polite = t.messages, t.polite
		if len(messages) > 0 {
			data := messages[0]
			if len(messages) > 1 {
				buffer = join(messages, buffer)
				data = buffer
			}
			// A context that ends would cost allocations per write; the timer
			// is one per connection.
			late.Reset(s.hub.limits.WriteTimeout)
			err := s.conn.Write(context.Background(), websocket.MessageText, data)
			late.Stop()
			if err != nil {
				s.dropped(dropWriteError)
				return
			}
			s.hub.metrics.writes.Inc()
			s.hub.metrics.written.Add(float64(len(data)))
			clear(messages)
			if cap(buffer) > keptBuffer {
				buffer = nil
			}
		}
		if t.closed {
			if t.reason != "" {
				s.dropped(t.reason)
			}
			return
		}
		if t.stale {
			select {
			case <-s.welcomed:
				s.actor.refresh(s.viewer)
			case <-s.gone.Done():
			}
		}
	}
}

// end closes the connection: in good order if a last word was said, else at
// once.
func (s *socket) end(polite bool) {
	if !polite || s.gone.Err() != nil {
		s.conn.CloseNow()
		return
	}
	late := time.AfterFunc(closeTimeout, func() { s.conn.CloseNow() })
	defer late.Stop()
	s.conn.Close(closeStatus(s.viewer.out.why()), "")
}

// closeStatus is the WebSocket status for a reason.
func closeStatus(reason string) websocket.StatusCode {
	switch reason {
	case dropDraining:
		return websocket.StatusServiceRestart
	case dropUnavailable:
		return websocket.StatusTryAgainLater
	case dropTooLarge:
		return websocket.StatusMessageTooBig
	case dropBinary:
		return websocket.StatusUnsupportedData
	}
	return websocket.StatusPolicyViolation
}

// dropped counts why the server ends a connection, once, and ends it if the
// writer cannot.
func (s *socket) dropped(reason string) {
	s.drop.Do(func() { s.hub.metrics.drops.WithLabelValues(reason).Inc() })
	if reason == dropWriteTimeout || reason == dropSilent {
		s.conn.CloseNow()
	}
}

// ping asks whether the peer is still there.
func (s *socket) ping() {
	ctx, cancel := context.WithTimeout(s.gone, pingTimeout)
	defer cancel()
	if err := s.conn.Ping(ctx); err != nil && s.gone.Err() == nil {
		s.dropped(dropSilent)
	}
}
