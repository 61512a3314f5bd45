package embedded_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"riposte/hub"
	"riposte/hub/embedded"
	"riposte/hub/hubtest"
)

// place copies a file to another path, into the file that is there if there is
// one.
func place(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
}

// A journal that was put in the place of another is known as a copy, whichever
// way, and each encounter in it gets a new epoch once; one that was only started
// anew is not.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	path, kept := filepath.Join(dir, "journal.db"), filepath.Join(dir, "kept.db")
	start := func(path string) (*embedded.Store, hub.Grant) {
		t.Helper()
		store, err := embedded.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		grant, err := store.Acquire(t.Context(), "e1")
		if err != nil {
			t.Fatal(err)
		}
		return store, grant
	}
	first, err := embedded.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	l := hubtest.Begin(t, first, "e1")
	l.Append("a")
	before := l.Grant
	close := func(store *embedded.Store) {
		t.Helper()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// same starts it once more and expects the epoch of before.
	same := func(what, path string) {
		t.Helper()
		store, got := start(path)
		if close(store); got.Epoch != before.Epoch || len(got.Past) != len(before.Past) {
			t.Errorf("%s: %+v, before %+v", what, got, before)
		}
	}
	// another expects a new one, and that of before among those that are past.
	another := func(what, path string) {
		t.Helper()
		store, got := start(path)
		again, err := store.Acquire(t.Context(), "e1")
		if close(store); err != nil || got.Epoch == before.Epoch || again.Epoch != got.Epoch || len(got.Past) != len(before.Past)+1 ||
			got.Past[len(got.Past)-1] != (hub.Past{Epoch: before.Epoch, Head: got.Head}) {
			t.Errorf("%s: %+v and %+v, before %+v", what, got, again, before)
		}
		before = got
	}
	close(first)
	place(t, path, kept)
	same("a start", path)
	same("another start", path)

	place(t, kept, path)
	another("an older file in the same file", path)
	same("a start after it", path)

	other := filepath.Join(dir, "other.db")
	place(t, path, other)
	another("a file elsewhere", other)

	here := before
	moved := filepath.Join(dir, "moved.db")
	place(t, other, moved)
	place(t, other+".start", moved+".start")
	another("a copy of the whole directory", moved)

	// A backup that is put back at once is the newest there is, and a copy.
	before = here
	if err := embedded.MarkCopy(other); err != nil {
		t.Fatal(err)
	}
	another("a backup", other)
	for range hub.PastKept + 2 {
		if err := embedded.MarkCopy(other); err != nil {
			t.Fatal(err)
		}
		store, got := start(other)
		close(store)
		before = got
	}
	if len(before.Past) != hub.PastKept {
		t.Errorf("%d past epochs are kept", len(before.Past))
	}
	if embedded.MarkCopy(filepath.Join(dir, "nothing", "x")) == nil {
		t.Error("a copy that is not there is marked")
	}
}
