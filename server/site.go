package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"riposte/hub"
)

// readyTimeout bounds how long readiness waits for the journal.
const readyTimeout = 2 * time.Second

// pageTimeout bounds the answer to a request for a page or file.
const pageTimeout = 30 * time.Second

// bodyTimeout bounds reading a request's body.
const bodyTimeout = 10 * time.Second

// newSite puts the hub, the browser client and the operator's pages under one
// roof.
func newSite(h *hub.Hub, files fs.FS) http.Handler {
	mux := http.NewServeMux()
	api := h.Handler()
	mux.Handle("/api/", api)
	mux.Handle("/ws", api)
	mux.Handle("/healthz", reading(func(w http.ResponseWriter, _ *http.Request) {
		plain(w, http.StatusOK, "ok\n")
	}))
	mux.Handle("/readyz", reading(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := h.Ready(ctx); err != nil {
			plain(w, http.StatusServiceUnavailable, err.Error()+"\n")
			return
		}
		plain(w, http.StatusOK, "ready\n")
	}))
	client := &client{files: files}
	mux.Handle("/{$}", reading(client.page))
	mux.Handle("/e/{id}", reading(client.page))
	mux.Handle("/j/{code}", reading(client.page))
	mux.Handle("/", reading(client.file))
	return timed(secured(mux))
}

// newMetrics serves the metrics, on an address of their own: they tell of what
// happens in fights that a player may not see.
func newMetrics(registry *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/metrics", reading(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP))
	return timed(mux)
}

// timed bounds reading a request, with the body that its handler does not ask
// for, and writing the answer. The hub's handlers set bounds of their own;
// taking a connection over for a socket takes them away.
func timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control, now := http.NewResponseController(w), time.Now()
		// Every connection we serve has deadlines.
		_ = control.SetReadDeadline(now.Add(bodyTimeout))
		_ = control.SetWriteDeadline(now.Add(pageTimeout))
		next.ServeHTTP(w, r)
	})
}

// reading lets only GET and HEAD through.
func reading(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			plain(w, http.StatusMethodNotAllowed, "Method not allowed.\n")
			return
		}
		next(w, r)
	})
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // the client may be gone
}

// policy lets the client's own files in and nothing else: no inline script,
// nobody's frame, no other host.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; media-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// secured sets the headers that every answer has.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		next.ServeHTTP(w, r)
	})
}

// client serves the browser client's build.
type client struct{ files fs.FS }

// page serves the one page there is; its script reads the address.
func (c *client) page(w http.ResponseWriter, r *http.Request) {
	content, err := fs.ReadFile(c.files, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		plain(w, http.StatusNotFound, "The browser client is not built. Run: make run\n")
		return
	}
	if err != nil {
		plain(w, http.StatusInternalServerError, "The browser client cannot be read.\n")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, "index.html", time.Time{}, bytes.NewReader(content))
}

// file serves the files that the page names. What stands under assets has its
// content's hash in its name.
func (c *client) file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	info, err := fs.Stat(c.files, name)
	if err != nil || info.IsDir() || strings.HasPrefix(path.Base(name), ".") {
		plain(w, http.StatusNotFound, "Not found.\n")
		return
	}
	header := w.Header()
	if path.Ext(name) == ".webmanifest" {
		// Not every system knows it.
		header.Set("Content-Type", "application/manifest+json")
	}
	if strings.HasPrefix(name, "assets/") {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	if twin, coding := c.compressed(name, r.Header.Get("Accept-Encoding")); twin != "" {
		header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		header.Set("Content-Encoding", coding)
		name = twin
	}
	header.Set("Vary", "Accept-Encoding")
	http.ServeFileFS(w, r, c.files, name)
}

// codings are the compressions that a build may hold of a file, the best first.
var codings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// compressed names the file that holds another one in a coding that a browser
// accepts, and the coding; it names nothing when there is none.
func (c *client) compressed(name, accepted string) (twin, coding string) {
	for _, coding := range codings {
		if !accepts(accepted, coding.name) {
			continue
		}
		if _, err := fs.Stat(c.files, name+coding.suffix); err == nil {
			return name + coding.suffix, coding.name
		}
	}
	return "", ""
}

// accepts reports whether an Accept-Encoding names a coding, not with weight 0.
func accepts(header, coding string) bool {
	for one := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(one, " ", ""), ";")
		if strings.EqualFold(name, coding) {
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}
