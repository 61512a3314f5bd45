package embedded

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"riposte/combat"
	"riposte/hub"
)

// first makes the first record of an encounter.
func first(t *testing.T) hub.Record {
	t.Helper()
	c := &combat.Commit{Seq: 1, ID: "create", Type: "created", Events: []combat.Event{combat.Noted{Text: "x"}}}
	if err := c.Seal(""); err != nil {
		t.Fatal(err)
	}
	return hub.Record{Commit: c}
}

// After a write that failed the store says nothing but that, and what it had
// acknowledged is there at the next start.
func TestFailedWriteIsTheLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	var file *os.File
	store, err := open(path, func(name string, flag int, mode fs.FileMode) (*os.File, error) {
		opened, err := os.OpenFile(name, flag, mode)
		file = opened
		return opened, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Create(t.Context(), "before", first(t)); err != nil {
		t.Fatal(err)
	}
	file.Close() // the disk is gone
	if err := store.Create(t.Context(), "lost", first(t)); !errors.Is(err, hub.ErrBroken) {
		t.Fatalf("a write that failed: %v", err)
	}
	<-store.Broken()
	for range store.Read(t.Context(), "before", 0) {
		if _, err := store.Acquire(t.Context(), "before"); !errors.Is(err, hub.ErrBroken) {
			t.Fatalf("acquire: %v", err)
		}
	}
	if err := store.Ready(t.Context()); !errors.Is(err, hub.ErrBroken) {
		t.Fatalf("ready: %v", err)
	}
	_ = store.Close() // the file is closed already
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := again.Acquire(t.Context(), "before"); err != nil {
		t.Fatalf("what was acknowledged: %v", err)
	}
	if _, err := again.Acquire(t.Context(), "lost"); !errors.Is(err, hub.ErrNotFound) {
		t.Fatalf("what failed: %v", err)
	}
}

// A job that fails by itself takes nobody with it and breaks nothing.
func TestJobThatFails(t *testing.T) {
	store, err := Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	own := errors.New("its own")
	put := func(key string, err error) *job {
		return &job{done: make(chan error, 1), write: func(tx *bolt.Tx) error {
			return errors.Join(tx.Bucket(metaBucket).Put([]byte(key), []byte("x")), err)
		}}
	}
	group := []*job{put("a", nil), put("b", own), put("c", nil)}
	// The writer waits meanwhile: nothing else is submitted.
	store.commit(group)
	for i, want := range []error{nil, own, nil} {
		if got := <-group[i].done; !errors.Is(got, want) {
			t.Errorf("job %d: %v, want %v", i, got, want)
		}
	}
	if err := store.view(func(tx *bolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		if meta.Get([]byte("a")) == nil || meta.Get([]byte("b")) != nil || meta.Get([]byte("c")) == nil {
			t.Error("not the right ones are written")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// A record that is none is told apart from a read that failed.
func TestCorruptRecord(t *testing.T) {
	store, err := Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Create(t.Context(), "e", first(t)); err != nil {
		t.Fatal(err)
	}
	if err := store.submit(t.Context(), func(tx *bolt.Tx) error {
		return tx.Bucket(encountersBucket).Bucket([]byte("e")).Bucket(logBucket).Put(key(1), []byte(`{"commit":`))
	}); err != nil {
		t.Fatal(err)
	}
	for _, err := range store.Read(t.Context(), "e", 0) {
		if !errors.Is(err, hub.ErrCorrupt) {
			t.Fatal(err)
		}
	}
}
