package hub

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
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
	route := func(path string, methods map[string]handler) {
		mux.Handle(path, h.methods(methods))
	}
	route("/api/encounters", map[string]handler{http.MethodPost: h.limited(h.createEncounter)})
	route("/api/encounters/import", map[string]handler{http.MethodPost: h.limited(h.importEncounter)})
	route("/api/encounters/{id}", map[string]handler{http.MethodGet: h.timed(h.getView)})
	route("/api/encounters/{id}/seats", map[string]handler{http.MethodPost: h.limited(h.createSeat)})
	route("/api/encounters/{id}/commands", map[string]handler{http.MethodPost: h.timed(h.postCommand)})
	route("/api/encounters/{id}/export", map[string]handler{http.MethodGet: h.timed(h.exportEncounter)})
	route("/api/encounters/{id}/events", map[string]handler{http.MethodGet: h.serveStream})
	route("/api/schema", map[string]handler{http.MethodGet: h.timed(h.getSchema)})
	route("/api/", map[string]handler{})
	route("/ws", map[string]handler{http.MethodGet: func(w http.ResponseWriter, r *http.Request) *combat.Refusal {
		h.serveSocket(w, r)
		return nil
	}})
	return h.recovered(mux)
}

// methods picks the handler of a path by method. A path without any is none.
func (h *Hub) methods(handlers map[string]handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		handle := handlers[method]
		if handle == nil {
			if len(handlers) == 0 {
				problem(w, combat.Refuse("not_found"))
				return
			}
			for allowed := range handlers {
				w.Header().Add("Allow", allowed)
			}
			problem(w, combat.Refuse("method_not_allowed"))
			return
		}
		if refusal := handle(w, r); refusal != nil {
			problem(w, refusal)
		}
	})
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
			h.metrics.panics.WithLabelValues("http").Inc()
			h.log.Error("panic in a handler", "path", r.Pattern, "panic", p, "stack", string(debug.Stack()))
			problem(w, combat.Refuse("unavailable"))
		}()
		next.ServeHTTP(w, r)
	})
}

// timed gives a request its time, and no more.
func (h *Hub) timed(next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) *combat.Refusal {
		control := http.NewResponseController(w)
		deadline := time.Now().Add(requestTimeout)
		if err := errors.Join(control.SetReadDeadline(deadline), control.SetWriteDeadline(deadline)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return combat.Refuse("unavailable")
		}
		ctx, cancel := context.WithDeadline(r.Context(), deadline)
		defer cancel()
		return next(w, r.WithContext(ctx))
	}
}

// limited is for what costs room for good: so many per remote address.
func (h *Hub) limited(next handler) handler {
	return h.timed(func(w http.ResponseWriter, r *http.Request) *combat.Refusal {
		if wait, ok := h.created.allow(remote(r, h.config.TrustProxy)); !ok {
			return combat.Refuse("rate_limited", "retryAfterMs", int(wait.Milliseconds())+1)
		}
		return next(w, r)
	})
}

// readBody reads a JSON body of at most limit bytes, strictly.
func readBody(w http.ResponseWriter, r *http.Request, limit int, into any) *combat.Refusal {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(limit)))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return combat.Refuse("too_large", "limit", limit)
	case err != nil:
		return combat.Refuse("bad_value", "field", "body")
	}
	return decodeStrict(data, into)
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
