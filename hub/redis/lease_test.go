package redis

import (
	"errors"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// An extension of a lease that is on its way when the encounter is given up does
// not bring the lease back: the next one has it at once.
func TestLateExtension(t *testing.T) {
	server := hubtest.StartRedis(t)
	open := func() *Store {
		s, err := Open(t.Context(), Options{URL: "redis://" + server.Addr})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	}
	one, two := open(), open()
	l := hubtest.Begin(t, one, "e1")
	one.leases.mu.Lock()
	due := []owned{{combat.ID("e1"), one.leases.held["e1"]}}
	one.leases.mu.Unlock()
	if _, err := two.Acquire(t.Context(), "e1"); !errors.Is(err, hub.ErrHeld) {
		t.Fatalf("while it is owned: %v", err)
	}
	if err := one.Release(t.Context(), "e1", l.Grant); err != nil {
		t.Fatal(err)
	}
	one.leases.renew(due)
	if got, err := one.Append(t.Context(), l.Entry("late")); err != nil || got.Answer != hub.FENCED {
		t.Errorf("a late append is answered %v, %v", got.Answer, err)
	}
	if _, err := two.Acquire(t.Context(), "e1"); err != nil {
		t.Fatalf("once it is given up: %v", err)
	}
}
