package redis

import (
	"errors"
	"testing"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// A lease whose time is over counts no more, though its timer has not run: a
// process that was stopped and has just gone on asks before it does.
func TestLateTimer(t *testing.T) {
	s, err := Open(t.Context(), Options{URL: "redis://" + hubtest.StartRedis(t).Addr})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := hubtest.Begin(t, s, "e1")
	if !l.Grant.Good() {
		t.Fatal("a fresh lease is no good")
	}
	s.leases.mu.Lock()
	s.leases.held["e1"].until = time.Now()
	s.leases.mu.Unlock()
	if l.Grant.Good() {
		t.Error("a lease counts whose time is over")
	}
}

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
	due := []owned{{combat.ID("e1"), one.leases.held["e1"], one.leases.held["e1"].last}}
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
