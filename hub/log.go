package hub

import (
	"context"
	"encoding/json"
	"net/http"

	"riposte/combat"
)

// logLines bounds a log that is told anew; the last lines count.
const logLines = 10_000

// maxTelling bounds how many logs are told anew at a time: each folds a whole
// journal.
const maxTelling = 2

// getLog is GET /api/encounters/{id}/log: all that the holder of the token has
// been told, the spectators' no further than they are.
func (h *Hub) getLog(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	id := combat.ID(r.PathValue("id"))
	got := h.look(r.Context(), id, bearer(r), r.URL.Query().Get("as"), func(uint64) bool { return false })
	if got.refusal != nil {
		return got.refusal
	}
	who := teller{hashToken(bearer(r)), remote(r, h.config.TrustProxy)}
	if wait, ok := h.told.allow(who); !ok {
		return tooFast(wait)
	}
	lines, _, refusal := h.tell(r.Context(), id, got.until, got.who)
	if refusal != nil {
		return refusal
	}
	return answerJSON(w, http.StatusOK, Log{Log: lines})
}

// tell tells an encounter's log anew from the journal, up to a commit, away
// from the encounter's own goroutine. It returns the state there, too.
func (h *Hub) tell(ctx context.Context, id combat.ID, until uint64, to combat.Audience) ([]json.RawMessage, *combat.State, *combat.Refusal) {
	if !h.telling.enter() {
		return nil, nil, combat.Refuse("unavailable", "retryAfterMs", 1000)
	}
	defer h.telling.exit()
	lines := []json.RawMessage{}
	var at *combat.State
	for record, err := range h.store.Read(ctx, id, 0) {
		if err != nil {
			h.log.Error("cannot read a log to tell it anew", "encounter", string(id), "err", err)
			return nil, nil, combat.Refuse("unavailable", "retryAfterMs", 2000)
		}
		if record.Commit.Seq > until {
			break
		}
		after := combat.ApplyCommit(at, record.Commit)
		for _, entry := range h.engine.Told(at, after, record.Commit, to) {
			lines = append(lines, encode(entry))
		}
		if len(lines) > 2*logLines {
			lines = append(lines[:0], lines[len(lines)-logLines:]...)
		}
		at = after
	}
	if at == nil {
		return nil, nil, combat.Refuse("not_found")
	}
	return lines[max(0, len(lines)-logLines):], at, nil
}
