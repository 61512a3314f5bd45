package embedded_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"riposte/combat"
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

// held is a reader that takes nothing until it is let go.
type held struct{ started, letGo chan struct{} }

func (h *held) Write(data []byte) (int, error) {
	select {
	case <-h.started:
	default:
		close(h.started)
	}
	<-h.letGo
	return len(data), nil
}

// A backup whose reader is stuck keeps no write waiting, however the file
// grows meanwhile.
func TestBackupThatIsStuck(t *testing.T) {
	store, err := embedded.Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	reader := &held{make(chan struct{}), make(chan struct{})}
	done := make(chan error, 1)
	go func() { done <- store.Backup(reader, func(int64) {}) }()
	<-reader.started
	for i := range 4 {
		commit := &combat.Commit{Seq: 1, ID: "c", Type: "created", Events: []combat.Event{combat.Noted{Text: strings.Repeat("x", 256<<10)}}}
		if err := store.Create(t.Context(), combat.ID(fmt.Sprint("e", i)), hub.Record{Commit: commit}); err != nil {
			t.Fatal(err)
		}
	}
	close(reader.letGo)
	if err := <-done; err != nil {
		t.Fatal(err)
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
