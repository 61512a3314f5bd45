package hub

import (
	"mime"
	"net/http"
	"strings"

	"riposte/combat"
	"riposte/hub/statblock"
)

// isFile reports whether the body is said to be a file as people have them, or
// a pasted text. Unlike everything else this endpoint takes what a page of
// another site could send without asking the browser's leave: it changes
// nothing. What such a page could do is to have a visitor's browser send large
// files here; see fromOurPage.
func isFile(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && (kind == "application/json" || kind == "application/octet-stream" || strings.HasPrefix(kind, "text/"))
}

// readCreatures is POST /api/creatures: the creatures in a file, for a rule
// system. Nothing is kept of it.
func (h *Hub) readCreatures(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	if !h.fromOurPage(r) {
		return combat.Refuse("forbidden", "field", "Origin")
	}
	system, known := h.engine.System(r.URL.Query().Get("rules"))
	if !known {
		return combat.Refuse("bad_value", "field", "rules")
	}
	data, done, refusal := h.receiveFile(w, r, h.reading)
	if refusal != nil {
		return refusal
	}
	found := func() statblock.CreatureFile {
		defer done() // before the answer, which a slow client may take long to read
		return statblock.Read(data, system)
	}()
	return answerJSON(w, http.StatusOK, found)
}

// receiveFile reads a body that takes far more memory than that of any other
// request: few are received, and fewer decoded at a time. With it come its
// places, which the caller gives back with done when it has decoded.
func (h *Hub) receiveFile(w http.ResponseWriter, r *http.Request, receiving places) (data []byte, done func(), refusal *combat.Refusal) {
	if !receiving.enter() {
		return nil, nil, combat.Refuse("unavailable", "retryAfterMs", 2000)
	}
	if data, refusal = readAllBody(w, r, h.limits.ImportBytes); refusal == nil && !h.decoding.enter() {
		refusal = combat.Refuse("unavailable", "retryAfterMs", 2000)
	}
	if refusal != nil {
		receiving.exit()
		return nil, nil, refusal
	}
	return data, func() {
		h.decoding.exit()
		receiving.exit()
	}, nil
}
