package main

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"riposte/hub"
	"riposte/hub/embedded"
)

var built fs.FS = fstest.MapFS{
	"index.html":              {Data: []byte("<!doctype html><title>Riposte</title>")},
	"assets/app-1a2b3c.js":    {Data: []byte("export {}")},
	"assets/app-1a2b3c.js.gz": {Data: []byte("zipped")},
	"assets/app-1a2b3c.js.br": {Data: []byte("brotli")},
	"sw.js":                   {Data: []byte("self")},
	"manifest.webmanifest":    {Data: []byte("{}")},
	"favicon.svg":             {Data: []byte("<svg/>")},
	".gitkeep":                {},
}

// get asks a site for a page.
func get(t *testing.T, site http.Handler, method, path string) *http.Response {
	t.Helper()
	recorder := httptest.NewRecorder()
	site.ServeHTTP(recorder, httptest.NewRequest(method, path, nil))
	return recorder.Result()
}

func site(t *testing.T, files fs.FS) http.Handler {
	t.Helper()
	store, err := embedded.Open(t.TempDir() + "/journal.db")
	if err != nil {
		t.Fatal(err)
	}
	h := hub.New(hub.Config{Engine: newEngine(), Store: store, Schema: []byte(`{}`)})
	t.Cleanup(func() {
		if err := h.Shutdown(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return newSite(h, files)
}

func TestPages(t *testing.T) {
	s := site(t, built)
	for _, test := range []struct {
		method, path string
		status       int
		cache, kind  string
	}{
		{"GET", "/", 200, "no-cache", "text/html"},
		{"HEAD", "/", 200, "no-cache", "text/html"},
		{"GET", "/e/01a22964-8f7b-7287-9fa2-63f1027b446f", 200, "no-cache", "text/html"},
		{"GET", "/e/x?overlay", 200, "no-cache", "text/html"},
		{"GET", "/j/ABCD-2345", 200, "no-cache", "text/html"},
		{"GET", "/assets/app-1a2b3c.js", 200, "immutable", "text/javascript"},
		{"GET", "/favicon.svg", 200, "no-cache", "image/svg"},
		{"GET", "/sw.js", 200, "no-cache", "text/javascript"},
		{"GET", "/manifest.webmanifest", 200, "no-cache", "application/manifest+json"},
		{"GET", "/assets/gone.js", 404, "no-store", "text/plain"},
		{"GET", "/assets/", 404, "no-store", "text/plain"},
		{"GET", "/.gitkeep", 404, "no-store", "text/plain"},
		{"GET", "/nothing", 404, "no-store", "text/plain"},
		{"GET", "/%2e%2e/%2e%2e/etc/passwd", 404, "no-store", "text/plain"},
		{"POST", "/", 405, "no-store", "text/plain"},
		{"GET", "/api/nothing", 404, "no-store", "application/problem+json"},
		{"GET", "/api/schema", 200, "max-age", "application/schema+json"},
		{"GET", "/healthz", 200, "no-store", "text/plain"},
		{"GET", "/readyz", 200, "no-store", "text/plain"},
		{"GET", "/metrics", 404, "no-store", "text/plain"},
	} {
		r := get(t, s, test.method, test.path)
		if r.StatusCode != test.status || !strings.Contains(r.Header.Get("Cache-Control"), test.cache) || !strings.HasPrefix(r.Header.Get("Content-Type"), test.kind) {
			t.Errorf("%s %s: %d %v", test.method, test.path, r.StatusCode, r.Header)
		}
		if csp := r.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self'") || strings.Contains(csp, "unsafe") ||
			!strings.Contains(csp, "worker-src 'self'") || !strings.Contains(csp, "manifest-src 'self'") ||
			r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", test.path, r.Header)
		}
	}
}

// A build's compressed files are sent as they are to whom they suit.
func TestCompressedFiles(t *testing.T) {
	s := site(t, built)
	for _, test := range []struct{ path, accepted, coding, body string }{
		{"/assets/app-1a2b3c.js", "", "", "export {}"},
		{"/assets/app-1a2b3c.js", "gzip, deflate, br, zstd", "br", "brotli"},
		{"/assets/app-1a2b3c.js", "deflate;q=1, GZIP;q=0.5", "gzip", "zipped"},
		{"/assets/app-1a2b3c.js", "br;q=0, gzip", "gzip", "zipped"},
		{"/assets/app-1a2b3c.js", "br; q=0.000", "", "export {}"},
		{"/assets/app-1a2b3c.js", "brotli, x-gzip", "", "export {}"},
		{"/favicon.svg", "gzip, br", "", "<svg/>"},
	} {
		request := httptest.NewRequest("GET", test.path, nil)
		request.Header.Set("Accept-Encoding", test.accepted)
		recorder := httptest.NewRecorder()
		s.ServeHTTP(recorder, request)
		header := recorder.Header()
		if recorder.Code != 200 || recorder.Body.String() != test.body || header.Get("Content-Encoding") != test.coding || header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s for %q: %d %v %q", test.path, test.accepted, recorder.Code, header, recorder.Body)
		}
		if kind := header.Get("Content-Type"); strings.HasSuffix(test.path, ".js") && !strings.HasPrefix(kind, "text/javascript") {
			t.Errorf("%s for %q: %s", test.path, test.accepted, kind)
		}
	}
}

// The metrics are on an address of their own, and nothing else is there.
func TestMetrics(t *testing.T) {
	m := newMetrics(prometheus.NewRegistry())
	for path, want := range map[string]int{"/metrics": 200, "/": 404, "/api/encounters": 404} {
		if r := get(t, m, "GET", path); r.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, r.StatusCode, want)
		}
	}
}

// deadlines notes what a handler asks of its connection.
type deadlines struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error  { d.read = t; return nil }
func (d *deadlines) SetWriteDeadline(t time.Time) error { d.write = t; return nil }

// Whatever is asked for, a request that does not end is ended.
func TestEveryPageHasDeadlines(t *testing.T) {
	s := site(t, built)
	for _, path := range []string{"/", "/e/x", "/favicon.svg", "/nothing", "/healthz", "/readyz", "/api/schema", "/api/nothing", "/ws"} {
		d := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		s.ServeHTTP(d, httptest.NewRequest("POST", path, nil))
		latest := time.Now().Add(time.Minute)
		if d.read.IsZero() || d.write.IsZero() || d.read.After(latest) || d.write.After(latest) {
			t.Errorf("%s: read until %v, write until %v", path, d.read, d.write)
		}
	}
}

func TestPageWithoutBuild(t *testing.T) {
	s := site(t, fstest.MapFS{".gitkeep": {}})
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, httptest.NewRequest("GET", "/", nil))
	if recorder.Code != 404 || !strings.Contains(recorder.Body.String(), "make run") {
		t.Fatalf("%d %s", recorder.Code, recorder.Body)
	}
}
