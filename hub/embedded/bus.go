package embedded

import (
	"context"
	"errors"
	"sync"

	"riposte/combat"
	"riposte/hub"
)

// bus carries frames and calls inside the process.
type bus struct {
	mu          sync.Mutex
	subscribers map[topic]map[*subscriber]struct{}
	answering   map[combat.ID]func(context.Context, hub.Call) (hub.Reply, error)
}

type topic struct {
	encounter combat.ID
	audience  string
}

type subscriber struct{ listener hub.Listener }

// publish hands frames to whoever subscribed, on the caller's goroutine.
// Appends of one encounter come one after the other, so their frames do too.
func (b *bus) publish(encounter combat.ID, epoch string, frames []hub.Frame) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.subscribers) == 0 {
		return
	}
	for _, frame := range frames {
		frame.Epoch = epoch
		for sub := range b.subscribers[topic{encounter, frame.Audience}] {
			sub.listener.Hear(frame)
		}
	}
}

// Tell implements hub.Bus.
func (b *bus) Tell(_ context.Context, encounter combat.ID, epoch string, notices []hub.Frame) error {
	b.publish(encounter, epoch, notices)
	return nil
}

// Subscribe implements hub.Bus.
func (b *bus) Subscribe(_ context.Context, encounter combat.ID, audience string, listener hub.Listener) (func(), error) {
	t, sub := topic{encounter, audience}, &subscriber{listener}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subscribers == nil {
		b.subscribers = map[topic]map[*subscriber]struct{}{}
	}
	if b.subscribers[t] == nil {
		b.subscribers[t] = map[*subscriber]struct{}{}
	}
	b.subscribers[t][sub] = struct{}{}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subscribers[t], sub)
		if len(b.subscribers[t]) == 0 {
			delete(b.subscribers, t)
		}
	}, nil
}

// Answer implements hub.Bus.
func (b *bus) Answer(_ context.Context, encounter combat.ID, handle func(context.Context, hub.Call) (hub.Reply, error)) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.answering == nil {
		b.answering = map[combat.ID]func(context.Context, hub.Call) (hub.Reply, error){}
	}
	if b.answering[encounter] != nil {
		return nil, errors.New("embedded: the encounter is answered for already")
	}
	b.answering[encounter] = handle
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.answering, encounter)
	}, nil
}

// Call implements hub.Bus.
func (b *bus) Call(ctx context.Context, encounter combat.ID, call hub.Call) (hub.Reply, error) {
	b.mu.Lock()
	handle := b.answering[encounter]
	b.mu.Unlock()
	if handle == nil {
		return nil, hub.ErrNotFound
	}
	return handle(ctx, call)
}
