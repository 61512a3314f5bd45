package hubtest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// codeFor makes a code that expires in so long.
func codeFor(encounter combat.ID, in time.Duration) hub.Code {
	return hub.Code{Encounter: encounter, Sealed: []byte{0, 1, 2, 0xff}, Expires: time.Now().Add(in).Truncate(time.Millisecond)}
}

func addCode(t *testing.T, store hub.Store, key string, code hub.Code, limit int, want error) {
	t.Helper()
	if err := store.AddCode(t.Context(), key, code, limit); !errors.Is(err, want) || want == nil && err != nil {
		t.Fatalf("adding %s: %v, want %v", key, err, want)
	}
}

func wantCode(t *testing.T, store hub.Store, key string, want hub.Code) {
	t.Helper()
	got, err := store.FindCode(t.Context(), key)
	if err != nil || got.Encounter != want.Encounter || string(got.Sealed) != string(want.Sealed) || !got.Expires.Equal(want.Expires) {
		t.Fatalf("%s is %+v, %v, want %+v", key, got, err, want)
	}
}

func wantNoCode(t *testing.T, store hub.Store, key string) {
	t.Helper()
	if got, err := store.FindCode(t.Context(), key); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("%s is %+v, %v", key, got, err)
	}
}

// A code is there until it expires, after a restart too, and nobody takes its
// key.
func testCodes(t *testing.T, open Open) {
	store := open(t)
	Begin(t, store, "e1")
	Begin(t, store, "e2")
	salt, err := store.Salt(t.Context())
	if err != nil || salt == [32]byte{} {
		t.Fatalf("salt %x, %v", salt, err)
	}
	one, two := codeFor("e1", time.Hour), codeFor("e2", time.Hour)
	wantNoCode(t, store, "k1")
	addCode(t, store, "k1", one, 10, nil)
	addCode(t, store, "k2", two, 10, nil)
	wantCode(t, store, "k1", one)
	addCode(t, store, "k1", two, 10, hub.ErrTaken)
	addCode(t, store, "k3", codeFor("nothing", time.Hour), 10, hub.ErrNotFound)
	wantNoCode(t, store, "k3")
	closeStore(t, store)
	again := start(t, open)
	wantCode(t, again, "k1", one)
	wantCode(t, again, "k2", two)
	addCode(t, again, "k1", two, 10, hub.ErrTaken)
	if after, err := again.Salt(t.Context()); err != nil || after != salt {
		t.Fatalf("the salt was %x and is %x, %v", salt, after, err)
	}
}

// What has expired is gone: it opens nothing, counts for nothing, and its key
// is free.
func testCodesExpire(t *testing.T, open Open) {
	store := open(t)
	Begin(t, store, "e1")
	addCode(t, store, "over", codeFor("e1", -time.Second), 1, nil)
	wantNoCode(t, store, "over")
	late := codeFor("e1", time.Hour)
	addCode(t, store, "over", late, 1, nil)
	wantCode(t, store, "over", late)
	closeStore(t, store)
	wantCode(t, start(t, open), "over", late)
}

// An encounter has so many codes and no more; another has its own.
func testCodesBound(t *testing.T, open Open) {
	store := start(t, open)
	Begin(t, store, "e1")
	Begin(t, store, "e2")
	for i := range 3 {
		addCode(t, store, fmt.Sprint("a", i), codeFor("e1", time.Hour), 3, nil)
	}
	addCode(t, store, "a3", codeFor("e1", time.Hour), 3, hub.ErrFull)
	wantNoCode(t, store, "a3")
	addCode(t, store, "b0", codeFor("e2", time.Hour), 3, nil)
	addCode(t, store, "a3", codeFor("e1", time.Hour), 4, nil)
}

// Of many who add at the same time, one gets the key, and none gets past the
// bound.
func testCodesRace(t *testing.T, open Open) {
	store := start(t, open)
	Begin(t, store, "e1")
	Begin(t, store, "e2")
	var same, own atomic.Int32
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			switch err := store.AddCode(t.Context(), "same", codeFor("e1", time.Hour), 100); {
			case err == nil:
				same.Add(1)
			case !errors.Is(err, hub.ErrTaken):
				t.Errorf("the same key: %v", err)
			}
			switch err := store.AddCode(t.Context(), fmt.Sprint("own", i), codeFor("e2", time.Hour), 5); {
			case err == nil:
				own.Add(1)
			case !errors.Is(err, hub.ErrFull):
				t.Errorf("own keys: %v", err)
			}
		})
	}
	wg.Wait()
	if same.Load() != 1 || own.Load() != 5 {
		t.Fatalf("%d have the same key, %d of 5 have one of their own", same.Load(), own.Load())
	}
}

// A code that one instance made is found by another, owner or not, and counts
// there too.
func testCodesElsewhere(t *testing.T, s Shared) {
	one, two := start(t, s.Open), start(t, s.Open)
	Begin(t, one, "e1")
	code := codeFor("e1", time.Hour)
	addCode(t, two, "k1", code, 2, nil)
	wantCode(t, one, "k1", code)
	addCode(t, one, "k1", code, 2, hub.ErrTaken)
	addCode(t, one, "k2", code, 2, nil)
	addCode(t, two, "k3", code, 2, hub.ErrFull)
	salts := [2][32]byte{}
	for i, store := range []hub.Store{one, two} {
		var err error
		if salts[i], err = store.Salt(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if salts[0] != salts[1] {
		t.Fatalf("salts %x", salts)
	}
}
