package redis

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// publish sends a message to a channel and returns how many connections got it.
func (s *Store) publish(ctx context.Context, channel string, payload any) (int64, error) {
	if s.cluster != nil {
		return s.client.SPublish(ctx, channel, payload).Result()
	}
	return s.client.Publish(ctx, channel, payload).Result()
}

// Subscribe implements hub.Bus.
func (s *Store) Subscribe(ctx context.Context, encounter combat.ID, audience string, to hub.Listener) (func(), error) {
	return s.ear.listen(ctx, s.channel(encounter, audience), func(payload string) {
		if frame, ok := open(payload, audience); ok {
			to.Hear(frame)
		}
	}, to.Missed)
}

// Tell implements hub.Bus.
func (s *Store) Tell(ctx context.Context, encounter combat.ID, epoch string, notices []hub.Frame) error {
	pipe := s.client.Pipeline()
	for _, notice := range notices {
		channel, payload := s.channel(encounter, notice.Audience), envelope(notice.Seq, epoch, notice.Data)
		if s.cluster != nil {
			pipe.SPublish(ctx, channel, payload)
		} else {
			pipe.Publish(ctx, channel, payload)
		}
	}
	_, err := pipe.Exec(ctx)
	return err
}

// Bounds on calls.
const (
	answering   = 256                    // calls that this instance works on at a time
	resendAfter = 500 * time.Millisecond // a call without an answer
)

// calls are the questions on their way: those that this instance has asked, and
// those that it is answering.
type calls struct {
	store  *Store
	places chan struct{}

	mu      sync.Mutex
	last    uint64
	asked   map[uint64]chan answer
	working map[caller]struct{}
}

// caller tells one question from all others.
type caller struct {
	from string // instance
	n    uint64
}

// question is a call as it travels.
type question struct {
	From string   `json:"from"`
	N    uint64   `json:"n"`
	Call hub.Call `json:"call"`
}

// answer is the reply as it travels.
type answer struct {
	N     uint64    `json:"n"`
	Reply hub.Reply `json:"reply,omitempty"`
	Error string    `json:"error,omitempty"`
	None  bool      `json:"none,omitempty"` // nobody answers there any more
}

func (c *calls) init(s *Store) {
	c.store, c.places = s, make(chan struct{}, answering)
	c.asked, c.working = map[uint64]chan answer{}, map[caller]struct{}{}
}

func (c *calls) inbox(instance string) string {
	return c.store.options.Prefix + "inbox:{" + instance + "}"
}

// listen opens our inbox. An answer that is missed is asked for again.
func (c *calls) listen(ctx context.Context) error {
	_, err := c.store.ear.listen(ctx, c.inbox(c.store.instance), c.answered, func() {})
	return err
}

// answered hands an answer to whoever asked.
func (c *calls) answered(payload string) {
	var got answer
	if json.Unmarshal([]byte(payload), &got) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if asked := c.asked[got.N]; asked != nil {
		delete(c.asked, got.N)
		asked <- got
	}
}

// Call implements hub.Bus.
func (s *Store) Call(ctx context.Context, encounter combat.ID, call hub.Call) (hub.Reply, error) {
	c := &s.calls
	reply := make(chan answer, 1)
	c.mu.Lock()
	c.last++
	n := c.last
	c.asked[n] = reply
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.asked, n)
	}()
	payload, err := json.Marshal(question{From: s.instance, N: n, Call: call})
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for sent := 0; ; {
		select {
		case got := <-reply:
			switch {
			case got.None:
				return nil, hub.ErrNotFound
			case got.Error != "":
				return nil, errors.New(got.Error)
			}
			return got.Reply, nil
		case <-timer.C:
			if sent++; sent > 1 {
				s.metrics.resent.Inc()
			}
			if got, err := s.publish(ctx, s.key(encounter, "calls"), payload); err == nil && got == 0 {
				return nil, hub.ErrNotFound
			}
			// What could not be sent is sent again as well.
			timer.Reset(resendAfter)
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.running.Done():
			return nil, errClosed
		}
	}
}

// Answer implements hub.Bus.
func (s *Store) Answer(ctx context.Context, encounter combat.ID, handle func(context.Context, hub.Call) (hub.Reply, error)) (func(), error) {
	over, stop := context.WithCancel(s.running)
	cancel, err := s.ear.listen(ctx, s.key(encounter, "calls"), func(payload string) {
		s.calls.work(over, payload, handle)
	}, func() {})
	if err != nil {
		stop()
		return nil, err
	}
	return func() {
		stop()
		cancel()
	}, nil
}

// work answers a question on a goroutine of its own. One that is being answered
// already, or that there is no place for, is let go: it will be asked again.
func (c *calls) work(ctx context.Context, payload string, handle func(context.Context, hub.Call) (hub.Reply, error)) {
	var q question
	if json.Unmarshal([]byte(payload), &q) != nil {
		return
	}
	select {
	case c.places <- struct{}{}:
	default:
		return
	}
	who := caller{q.From, q.N}
	c.mu.Lock()
	_, already := c.working[who]
	c.working[who] = struct{}{}
	c.mu.Unlock()
	if already {
		<-c.places
		return
	}
	c.store.work.Go(func() {
		defer func() {
			c.mu.Lock()
			delete(c.working, who)
			c.mu.Unlock()
			<-c.places
		}()
		got := answer{N: q.N}
		reply, err := handle(ctx, q.Call)
		switch {
		case ctx.Err() != nil:
			got.None = true
		case err != nil:
			got.Error = err.Error()
		default:
			got.Reply = reply
		}
		c.reply(q.From, got)
	})
}

// reply sends an answer. One that is lost is asked for again.
func (c *calls) reply(to string, got answer) {
	payload, err := json.Marshal(got)
	if err != nil {
		payload, _ = json.Marshal(answer{N: got.N, Error: err.Error()})
	}
	ctx, cancel := context.WithTimeout(c.store.running, replyTimeout)
	defer cancel()
	if _, err := c.store.publish(ctx, c.inbox(to), payload); err != nil {
		c.store.log.Debug("an answer is not sent", "err", err)
	}
}

func parseSeq(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }
