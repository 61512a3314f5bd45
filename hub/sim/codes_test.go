package sim

import (
	"context"
	"errors"
	"time"

	"riposte/hub"
)

// Salt implements hub.Codes.
func (l *link) Salt(ctx context.Context) ([32]byte, error) {
	return trip(ctx, l, func() [32]byte { return l.world.salt })
}

// AddCode implements hub.Codes.
func (l *link) AddCode(ctx context.Context, key string, code hub.Code, limit int) error {
	refused, err := trip(ctx, l, func() error { return l.world.addCode(key, code, limit) })
	return errors.Join(err, refused)
}

func (w *world) addCode(key string, code hub.Code, limit int) error {
	t, now := w.tables[code.Encounter], time.Now()
	if t == nil {
		return hub.ErrNotFound
	}
	if taken, is := w.codes[key]; is && taken.Expires.After(now) {
		return hub.ErrTaken
	}
	for place, until := range t.places {
		if !until.After(now) {
			delete(t.places, place)
		}
	}
	if len(t.places) >= limit {
		return hub.ErrFull
	}
	t.places[key], w.codes[key] = code.Expires, code
	return nil
}

// FindCode implements hub.Codes.
func (l *link) FindCode(ctx context.Context, key string) (hub.Code, error) {
	got, err := trip(ctx, l, func() found[hub.Code] {
		code, is := l.world.codes[key]
		if !is || !code.Expires.After(time.Now()) {
			return found[hub.Code]{err: hub.ErrNotFound}
		}
		return found[hub.Code]{what: code}
	})
	return got.what, errors.Join(err, got.err)
}
