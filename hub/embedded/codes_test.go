package embedded

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"riposte/combat"
	"riposte/hub"
)

// Codes that have expired leave nothing behind: some go with each new one, the
// rest at the next starts.
func TestExpiredCodesAreSwept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	first := &combat.Commit{Seq: 1, ID: "create", Type: "created", Role: combat.RoleGM, Events: []combat.Event{}}
	if err := first.Seal(""); err != nil {
		t.Fatal(err)
	}
	if err := store.Create(t.Context(), "e", hub.Record{Commit: first}); err != nil {
		t.Fatal(err)
	}
	kept := func() (n [3]int) {
		err := store.view(func(tx *bolt.Tx) error {
			for i, b := range []*bolt.Bucket{tx.Bucket(codesBucket), tx.Bucket(codeEndsBucket), tx.Bucket(encountersBucket).Bucket([]byte("e")).Bucket(codesBucket)} {
				n[i] = b.Stats().KeyN
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	add := func(key string, expires time.Time) {
		if err := store.AddCode(t.Context(), key, hub.Code{Encounter: "e", Expires: expires}, 1000); err != nil {
			t.Fatal(err)
		}
	}
	soon := time.Now().Add(time.Hour)
	const many = 3 * sweepAtOnce
	for i := range many {
		err := store.submit(t.Context(), func(tx *bolt.Tx) error {
			return keepCode(tx, fmt.Sprint("old", i), hub.Code{Encounter: "e", Expires: time.Now().Add(-time.Hour)})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	add("new", soon)
	if want := many - sweepAtOnce + 1; kept() != [3]int{want, want, want} {
		t.Fatalf("%d kept, want %d", kept(), want)
	}
	add("newer", soon)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if store, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if kept() != [3]int{2, 2, 2} {
		t.Fatalf("%d kept, want 2", kept())
	}
	if _, err := store.FindCode(t.Context(), "newer"); err != nil {
		t.Fatal(err)
	}
}
