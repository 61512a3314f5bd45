package hub

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"riposte/combat"
)

// streamBeat is how often an event stream says that it is alive.
const streamBeat = 15 * time.Second

// serveStream is GET /api/encounters/{id}/events: the same Welcome and Update
// messages as on a socket, one per event, read-only. The id of an event is
// epoch:seq, so that a browser resumes by itself.
func (h *Hub) serveStream(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	from := remote(r, h.config.TrustProxy)
	if !h.viewers.enter(from) {
		h.metrics.drops.WithLabelValues(dropLimit).Inc()
		return combat.Refuse("unavailable", "retryAfterMs", 5000)
	}
	defer h.viewers.exit(from)
	hello := &Hello{Encounter: combat.ID(r.PathValue("id")), As: r.URL.Query().Get("as")}
	if epoch, since, has := cutLast(r.Header.Get("Last-Event-ID")); has {
		hello.Epoch, hello.Since = epoch, &since
	}
	v := &viewer{hash: hashToken(bearer(r)), as: hello.As, out: newOutbox(h.limits.QueueBytes)}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.running, cancel)()
	actor, refusal := h.join(ctx, v, hello)
	if refusal != nil {
		return refusal
	}
	defer h.leave(actor, v)
	defer v.out.close(nil, "")

	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	s := &stream{hub: h, w: w, control: http.NewResponseController(w), epoch: hello.Epoch}
	setDeadlines(w, time.Time{})
	w.WriteHeader(http.StatusOK)
	s.run(ctx, actor, v)
	return nil
}

// stream writes one event stream, on the goroutine of its HTTP handler.
type stream struct {
	hub     *Hub
	w       http.ResponseWriter
	control *http.ResponseController
	epoch   string
	buffer  []byte
}

func (s *stream) run(ctx context.Context, a *actor, v *viewer) {
	beat := time.NewTicker(streamBeat)
	defer beat.Stop()
	var messages [][]byte
	if s.send([]byte(": riposte\n\n")) != nil {
		return
	}
	for {
		select {
		case <-v.out.wake:
		case <-beat.C:
			if s.send([]byte(": beat\n\n")) != nil {
				return
			}
			continue
		case <-ctx.Done():
			return
		}
		t := v.out.take(messages)
		messages = t.messages
		if len(messages) > 0 {
			s.buffer = s.buffer[:0]
			for _, m := range messages {
				s.event(m)
			}
			clear(messages)
			if err := s.send(s.buffer); err != nil {
				s.hub.metrics.drops.WithLabelValues(dropWriteError).Inc()
				return
			}
		}
		if t.closed {
			if t.reason != "" {
				s.hub.metrics.drops.WithLabelValues(t.reason).Inc()
			}
			return
		}
		if t.stale {
			a.refresh(v)
		}
	}
}

// event appends one message. Ours are one line of JSON that begins with its
// type and, if it is numbered, its seq.
func (s *stream) event(data []byte) {
	if epoch, is := epochOf(data); is {
		s.epoch = epoch
	}
	if seq, has := seqOf(data); has {
		s.buffer = append(s.buffer, "id: "...)
		s.buffer = append(s.buffer, s.epoch...)
		s.buffer = append(s.buffer, ':')
		s.buffer = strconv.AppendUint(s.buffer, seq, 10)
		s.buffer = append(s.buffer, '\n')
	}
	s.buffer = append(s.buffer, "data: "...)
	s.buffer = append(s.buffer, data...)
	s.buffer = append(s.buffer, "\n\n"...)
}

// send writes and flushes within the write timeout.
func (s *stream) send(data []byte) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(s.hub.limits.WriteTimeout)) // as in setDeadlines
	n, err := s.w.Write(data)
	s.hub.metrics.writes.Inc()
	s.hub.metrics.written.Add(float64(n))
	if err != nil {
		return err
	}
	return s.control.Flush()
}

// seqOf reads the number of a Welcome or an Update.
func seqOf(data []byte) (uint64, bool) {
	for _, prefix := range [...]string{`{"type":"update","seq":`, `{"type":"welcome","seq":`} {
		if rest, is := bytes.CutPrefix(data, []byte(prefix)); is {
			end := bytes.IndexByte(rest, ',')
			if end < 0 {
				end = len(rest) - 1
			}
			seq, err := strconv.ParseUint(string(rest[:end]), 10, 64)
			return seq, err == nil
		}
	}
	return 0, false
}

// epochOf reads the epoch of a Welcome.
func epochOf(data []byte) (string, bool) {
	if !bytes.HasPrefix(data, []byte(`{"type":"welcome","seq":`)) {
		return "", false
	}
	_, rest, _ := bytes.Cut(data, []byte(`,"epoch":"`))
	epoch, _, found := bytes.Cut(rest, []byte{'"'})
	return string(epoch), found
}

// cutLast reads the id of an event as the client saw it last.
func cutLast(id string) (epoch string, since uint64, ok bool) {
	epoch, number, found := strings.Cut(id, ":")
	since, err := strconv.ParseUint(number, 10, 64)
	return epoch, since, found && err == nil
}
