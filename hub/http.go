package hub

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"riposte/combat"
)

const (
	requestTimeout = 15 * time.Second // for a request other than a socket or stream, body and answer included
	bodyBytes      = 256 << 10        // default bound on a request's body
)

// handler answers a request, or says why not.
type handler func(w http.ResponseWriter, r *http.Request) *combat.Refusal

// Handler serves the API and the socket: everything under /api/, and /ws.
func (h *Hub) Handler() http.Handler {
	mux := http.NewServeMux()
	routeTaking := func(takes func(*http.Request) bool, method, path string, handle handler) {
		mux.Handle(path, answering(func(w http.ResponseWriter, r *http.Request) *combat.Refusal {
			switch {
			case method == http.MethodGet && r.Method == http.MethodHead: // net/http leaves the body out
			case r.Method != method:
				allowed := method
				if method == http.MethodGet {
					allowed = "GET, HEAD"
				}
				w.Header().Set("Allow", allowed)
				return combat.Refuse("method_not_allowed")
			case method == http.MethodPost && !takes(r):
				return combat.Refuse("unsupported_media_type")
			}
			return handle(w, r)
		}))
	}
	route := func(method, path string, handle handler) { routeTaking(isJSON, method, path, handle) }
	route(http.MethodPost, "/api/encounters", h.limited(h.created, h.createEncounter))
	route(http.MethodPost, "/api/encounters/import", h.limited(h.imported, h.importEncounter))
	routeTaking(isFile, http.MethodPost, "/api/creatures", h.limited(h.previewed, h.readCreatures))
	route(http.MethodGet, "/api/encounters/{id}", timed(h.calling(h.getView)))
	route(http.MethodPost, "/api/encounters/{id}/seats", h.limited(h.created, h.knowing(h.createSeat)))
	route(http.MethodPost, "/api/encounters/{id}/commands", timed(h.calling(h.postCommand)))
	route(http.MethodPost, "/api/encounters/{id}/codes", timed(h.calling(h.createCode)))
	route(http.MethodGet, "/api/codes/{code}", timed(h.knowing(h.openCode)))
	route(http.MethodGet, "/api/encounters/{id}/export", timed(h.calling(h.exportEncounter)))
	route(http.MethodGet, "/api/encounters/{id}/log", timed(h.calling(h.getLog)))
	route(http.MethodGet, "/api/encounters/{id}/events", h.calling(h.serveStream))
	route(http.MethodGet, "/api/systems", timed(h.getSystems))
	route(http.MethodGet, "/api/schema", timed(h.getSchema))
	route(http.MethodGet, "/ws", h.knowing(h.serveSocket))
	mux.Handle("/api/", answering(func(http.ResponseWriter, *http.Request) *combat.Refusal {
		return combat.Refuse("not_found")
	}))
	return h.recovered(mux)
}

// isJSON reports whether the body is said to be JSON. A page of another site can
// send a body of another kind without asking the browser's leave.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// answering answers with the refusal, if there is one. It also takes away the
// deadline that the last request of this connection may have left.
func answering(handle handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setDeadlines(w, time.Now().Add(requestTimeout))
		if refusal := handle(w, r); refusal != nil {
			problem(w, refusal)
		}
	})
}

// setDeadlines bounds reading the request and writing the answer. It works on
// every connection that we serve ourselves; where it does not, the server in
// front has its own.
func setDeadlines(w http.ResponseWriter, deadline time.Time) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(deadline)
	_ = control.SetWriteDeadline(deadline)
}

// recovered turns a panic in a handler into an answer; the socket's and the
// encounter's goroutines have their own.
func (h *Hub) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, is := p.(error); is && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			h.metrics.panics.WithLabelValues(panicHTTP).Inc()
			h.log.Error("panic in a handler", "path", r.Pattern, "panic", p, "stack", string(debug.Stack()))
			problem(w, combat.Refuse("unavailable"))
		}()
		next.ServeHTTP(w, r)
	})
}

// timed gives a request its time, and no more.
func timed(next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) *combat.Refusal {
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		return next(w, r.WithContext(ctx))
	}
}

// limited is for what takes up room for good: so many per remote address.
func (h *Hub) limited(limiter *limiterOf[netip.Prefix], next handler) handler {
	return timed(func(w http.ResponseWriter, r *http.Request) *combat.Refusal {
		if wait, ok := limiter.allow(remote(r, h.config.TrustProxy)); !ok {
			return tooFast(wait)
		}
		return next(w, r)
	})
}

// calling is for requests about an encounter: so many per token, and of those
// whose token is no good so many per remote address.
func (h *Hub) calling(next handler) handler {
	return h.knowing(func(w http.ResponseWriter, r *http.Request) *combat.Refusal {
		if wait, ok := h.called.allow(hashToken(bearer(r))); !ok {
			return tooFast(wait)
		}
		return next(w, r)
	})
}

// knowing is for whatever needs a token. An address that has come with too many
// that are no good is refused before it is asked for the next.
func (h *Hub) knowing(next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) *combat.Refusal {
		from := remote(r, h.config.TrustProxy)
		if wait, ok := h.failed.peek(from); !ok {
			return tooFast(wait)
		}
		refusal := next(w, r)
		h.noteFailure(from, refusal)
		return refusal
	}
}

// noteFailure counts a token or an encounter that is unknown. This machine's own
// address is anybody's behind a proxy that runs here, and is not held to
// account.
func (h *Hub) noteFailure(from netip.Prefix, refusal *combat.Refusal) {
	if refusal != nil && (refusal.Code == "unauthorized" || refusal.Code == "not_found") && !from.Addr().IsLoopback() {
		h.failed.allow(from)
	}
}

// tooFast refuses for speed.
func tooFast(wait time.Duration) *combat.Refusal {
	return combat.Refuse("rate_limited", "retryAfterMs", int(wait.Milliseconds())+1)
}

// readBody reads a JSON body of at most limit bytes, strictly.
func readBody(w http.ResponseWriter, r *http.Request, limit int, into any) *combat.Refusal {
	data, refusal := readAllBody(w, r, limit)
	if refusal != nil {
		return refusal
	}
	return decodeStrict(data, into)
}

// readAllBody reads a body of at most limit bytes.
func readAllBody(w http.ResponseWriter, r *http.Request, limit int) ([]byte, *combat.Refusal) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(limit)))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, combat.Refuse("too_large", "limit", limit)
	case err != nil:
		return nil, combat.Refuse("bad_value", "field", "body")
	}
	return data, nil
}

// answerJSON writes a body.
func answerJSON(w http.ResponseWriter, status int, v any) *combat.Refusal {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	// The client may be gone; there is nobody else to tell.
	_ = json.NewEncoder(w).Encode(v)
	return nil
}

// bearer returns the token of a request, or an empty string.
func bearer(r *http.Request) string {
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// getSystems is GET /api/systems: the rule systems that an encounter can have,
// and their options.
func (h *Hub) getSystems(w http.ResponseWriter, _ *http.Request) *combat.Refusal {
	w.Header().Set("Cache-Control", "max-age=300")
	return answerJSON(w, http.StatusOK, h.engine.Systems())
}

// getSchema is GET /api/schema.
func (h *Hub) getSchema(w http.ResponseWriter, _ *http.Request) *combat.Refusal {
	if len(h.config.Schema) == 0 {
		return combat.Refuse("not_found")
	}
	w.Header().Set("Content-Type", "application/schema+json")
	w.Header().Set("Cache-Control", "max-age=300")
	_, _ = w.Write(h.config.Schema) // the client may be gone
	return nil
}
