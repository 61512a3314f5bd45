package embedded_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"riposte/hub"
	"riposte/hub/embedded"
	"riposte/hub/hubtest"
)

func TestStore(t *testing.T) {
	hubtest.TestStore(t, func(t *testing.T) hubtest.Open {
		path := filepath.Join(t.TempDir(), "journal.db")
		return func(t *testing.T) hub.Store {
			t.Helper()
			store, err := embedded.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			return store
		}
	})
}

func TestBackup(t *testing.T) {
	store, err := embedded.Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var copied bytes.Buffer
	var size int64
	if err := store.Backup(&copied, func(n int64) { size = n }); err != nil {
		t.Fatal(err)
	}
	if size != int64(copied.Len()) {
		t.Fatalf("%d bytes were announced, %d came", size, copied.Len())
	}
	whole := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(whole, copied.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := embedded.Verify(whole); err != nil {
		t.Fatalf("the copy is not sound: %v", err)
	}
	cut := filepath.Join(t.TempDir(), "cut.db")
	if err := os.WriteFile(cut, copied.Bytes()[:copied.Len()/4], 0o600); err != nil {
		t.Fatal(err)
	}
	if embedded.Verify(cut) == nil {
		t.Fatal("a copy that was cut off passes")
	}
}

func TestOpenRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	if err := os.WriteFile(path, bytes.Repeat([]byte("no journal "), 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	if store, err := embedded.Open(path); err == nil {
		store.Close()
		t.Fatal("a file of something else was opened")
	}
}
