package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"riposte/hub/embedded"
)

// backupSocket is where a running instance hands out copies of its journal:
// a Unix socket in the data directory, which only its owner may enter.
const backupSocket = "backup.sock"

// offerBackup lets the backup command copy the journal while it is in use. An
// instance that cannot offer it serves all the same.
func offerBackup(data string, store *embedded.Store, log *slog.Logger) (end func()) {
	path := filepath.Join(data, backupSocket)
	// What is left of an instance that was killed; the journal's lock says
	// that no other one is running.
	_ = os.Remove(path)
	listener, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		log.Warn("backups of the running instance are not possible", "err", err)
		return func() {}
	}
	server := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: sendBackup(store, stallTimeout, log)}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Warn("backups of the running instance have ended", "err", err)
		}
	}()
	return func() { _ = server.Close() } // what is under way breaks off, and its reader notices
}

// stallTimeout is how long a backup may make no progress. It ends then: the
// journal keeps all that is written over while one is under way.
const stallTimeout = 5 * time.Second

// sendBackup answers every request with a copy of the journal.
func sendBackup(store *embedded.Store, stall time.Duration, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		to := &timedWriter{w, http.NewResponseController(w), stall}
		err := store.Backup(to, func(size int64) { w.Header().Set("Content-Length", strconv.FormatInt(size, 10)) })
		if err != nil {
			log.Warn("backup broke off", "err", err)
		}
	})
}

// timedWriter gives each write its time.
type timedWriter struct {
	to      io.Writer
	control *http.ResponseController
	each    time.Duration
}

func (w *timedWriter) Write(data []byte) (int, error) {
	if err := w.control.SetWriteDeadline(time.Now().Add(w.each)); err != nil {
		return 0, err
	}
	return w.to.Write(data)
}

// backup copies the journal into a file.
func backup(args []string) error {
	flags := newFlags("backup", "FILE")
	data := flags.String("data", "data", "`directory` of the journal to copy, its instance running or not")
	if err := parse(flags, args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the one file to write")
	}
	target := flags.Arg(0)
	// Written aside and renamed, so that there is never half a backup.
	file, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := copyJournal(file, *data); err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := errors.Join(embedded.MarkCopy(file.Name()), embedded.Verify(file.Name())); err != nil {
		return fmt.Errorf("the copy is not sound: %w", err)
	}
	if err := os.Rename(file.Name(), target); err != nil {
		return err
	}
	return embedded.SyncDirectory(filepath.Dir(target))
}

// copyJournal asks the running instance, or opens the file if there is none.
func copyJournal(to io.Writer, data string) error {
	path := filepath.Join(data, backupSocket)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	}}}
	response, err := client.Get("http://instance/")
	if err == nil {
		defer response.Body.Close()
		_, err := io.Copy(to, response.Body)
		return err
	}
	journal := filepath.Join(data, journalFile)
	if _, err := os.Stat(journal); err != nil {
		return err
	}
	store, err := embedded.Open(journal)
	if err != nil {
		return err
	}
	return errors.Join(store.Backup(to, func(int64) {}), store.Close())
}
