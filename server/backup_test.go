package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/embedded"
)

// A reader of a backup that takes nothing is cut off, and the journal is free.
func TestStuckBackup(t *testing.T) {
	store, err := embedded.Open(filepath.Join(t.TempDir(), journalFile))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	commit := &combat.Commit{Seq: 1, ID: "c", Type: "created", Events: []combat.Event{combat.Noted{Text: strings.Repeat("x", 32<<20)}}}
	if err := store.Create(t.Context(), "e", hub.Record{Commit: commit}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	send := sendBackup(store, 50*time.Millisecond, slog.New(slog.DiscardHandler))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		send.ServeHTTP(w, r)
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	<-ended
}
