package main

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"riposte/hub"
)

const (
	dialTimeout  = 20 * time.Second
	writeTimeout = 10 * time.Second
	leastPause   = 250 * time.Millisecond // before coming back
	mostPause    = 8 * time.Second
	maxWaiting   = 64       // commands of one socket that are not answered yet
	readLimit    = 64 << 20 // one frame
)

// socket is one viewer: a browser as far as the server can tell. Its run is one
// goroutine; send may be called from another.
type socket struct {
	url       string
	encounter string
	token     string
	tally     *tally
	probes    *probes

	mu      sync.Mutex
	conn    *websocket.Conn // nil while there is none, or no view yet
	waiting map[string]*command

	seq      uint64
	epoch    string
	there    bool // it had a view before
	lostAt   time.Time
	lastSeen uint64 // probe
}

// command is one that has not been answered.
type command struct {
	data []byte
	at   time.Time
}

// run keeps the socket open until ctx is done. It calls ready after the first
// whole view.
func (s *socket) run(ctx context.Context, ready func()) {
	pause := leastPause
	for ctx.Err() == nil {
		bye, err := s.once(ctx, func() {
			pause = leastPause
			ready()
		})
		if ctx.Err() != nil {
			return
		}
		s.lostAt = time.Now()
		wait := time.Duration(rand.Int64N(int64(pause))) + pause/2
		switch {
		case bye != nil && bye.RetryAfterMs > 0:
			s.tally.drop(bye.Code)
			wait = time.Duration(bye.RetryAfterMs) * time.Millisecond
		case bye != nil:
			s.tally.drop(bye.Code + " for good")
			return
		default:
			s.tally.drop(reasonOf(err))
		}
		pause = min(2*pause, mostPause)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// reasonOf names the way in which a connection ended.
func reasonOf(err error) string {
	if status := websocket.CloseStatus(err); status >= 0 {
		return status.String()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer"
	}
	return "connection lost"
}

// once is one connection, from dialling to its end. It returns the server's last
// word, if there was one.
func (s *socket) once(ctx context.Context, up func()) (*hub.Bye, error) {
	dialling, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	conn, _, err := websocket.Dial(dialling, "ws"+strings.TrimPrefix(s.url, "http")+"/ws",
		&websocket.DialOptions{Subprotocols: []string{hub.Subprotocol}})
	if err != nil {
		return nil, err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(readLimit)
	hello := map[string]any{"type": "hello", "encounter": s.encounter, "token": s.token}
	if s.there {
		hello["since"], hello["epoch"] = s.seq, s.epoch
	}
	if err := write(conn, hello); err != nil {
		return nil, err
	}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.conn == conn {
			s.conn = nil
			s.tally.connected.Add(-1)
		}
	}()
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return nil, err
		}
		if bye, err := s.frame(conn, data, time.Now(), up); bye != nil || err != nil {
			return bye, err
		}
	}
}

// message is what matters of anything the server sends.
type message struct {
	Type         string `json:"type"`
	Seq          uint64 `json:"seq"`
	Epoch        string `json:"epoch"`
	ID           string `json:"id"`
	Code         string `json:"code"`
	RetryAfterMs int    `json:"retryAfterMs"`
}

// frame takes one frame: a message, or an array of them.
func (s *socket) frame(conn *websocket.Conn, data []byte, now time.Time, up func()) (*hub.Bye, error) {
	s.tally.bytes.Add(int64(len(data)))
	all := []json.RawMessage{data}
	if len(data) > 0 && data[0] == '[' {
		all = nil
		if err := json.Unmarshal(data, &all); err != nil {
			return nil, err
		}
	}
	updates := int64(0)
	defer func() {
		s.tally.deliveries.Add(updates)
		s.tally.frames.Add(min(updates, 1))
	}()
	for _, one := range all {
		var m message
		if err := json.Unmarshal(one, &m); err != nil {
			return nil, err
		}
		switch m.Type {
		case "welcome":
			if m.Epoch == s.epoch && m.Seq < s.seq {
				s.tally.backwards.Add(1)
			}
			if s.there {
				s.tally.welcomes.Add(1)
			}
			s.seq, s.epoch, s.there = m.Seq, m.Epoch, true
			s.upToDate(conn, now, up)
		case "update":
			if m.Seq != s.seq+1 {
				s.tally.holes.Add(1)
			}
			s.seq = m.Seq
			updates++
			s.arrived(one, now)
		case "head":
			// The first after a resume: nothing is missing any more.
			if s.upToDate(conn, now, up) {
				s.tally.resumed.Add(1)
			}
			if m.Seq > s.seq {
				s.tally.holes.Add(1)
			}
		case "ack", "reject":
			s.answered(m, now)
		case "bye":
			return &hub.Bye{Code: m.Code, RetryAfterMs: m.RetryAfterMs}, nil
		}
	}
	return nil, nil
}

// upToDate notes that this connection now has the whole view, and sends what
// was not answered before. It reports whether that is news.
func (s *socket) upToDate(conn *websocket.Conn, now time.Time, up func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == conn {
		return false
	}
	s.conn = conn
	s.tally.connected.Add(1)
	if !s.lostAt.IsZero() {
		s.tally.away.add(now.Sub(s.lostAt))
		s.lostAt = time.Time{}
	}
	for _, c := range s.waiting {
		s.tally.repeated.Add(1)
		_ = writeBytes(conn, c.data) // a failure ends the reading too
	}
	up()
	return true
}

// arrived measures the newest probe in an update, once.
func (s *socket) arrived(update []byte, now time.Time) {
	n := newestProbe(update)
	if n <= s.lastSeen {
		return
	}
	s.lastSeen = n
	if at, known := s.probes.sent(n); known {
		s.tally.delivery.add(now.Sub(at))
	}
}

// answered ends the waiting for a command.
func (s *socket) answered(m message, now time.Time) {
	s.mu.Lock()
	c := s.waiting[m.ID]
	delete(s.waiting, m.ID)
	s.mu.Unlock()
	switch {
	case c == nil:
		if m.Type == "reject" {
			s.tally.refuse(m.Code)
		}
	case m.Type == "ack":
		s.tally.acked.Add(1)
		s.tally.ack.add(now.Sub(c.at))
	default:
		s.tally.refuse(m.Code)
	}
}

// send sends a command, or keeps it for when the socket is back. It reports
// false when too many wait.
func (s *socket) send(id string, data []byte, at time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) >= maxWaiting {
		s.tally.skipped.Add(1)
		return false
	}
	s.waiting[id] = &command{data, at}
	s.tally.sent.Add(1)
	if s.conn != nil {
		_ = writeBytes(s.conn, data) // a failure ends the reading too
	}
	return true
}

// unanswered counts the commands without an answer.
func (s *socket) unanswered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}

func write(conn *websocket.Conn, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeBytes(conn, data)
}

func writeBytes(conn *websocket.Conn, data []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	return conn.Write(ctx, websocket.MessageText, data)
}
