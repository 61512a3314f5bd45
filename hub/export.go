package hub

import (
	"encoding/json"
	"net/http"
	"time"

	"riposte/combat"
)

// exportLines bounds the log in an export; the last lines count.
const exportLines = 10_000

// exportEncounter is GET /api/encounters/{id}/export.
func (h *Hub) exportEncounter(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	id := combat.ID(r.PathValue("id"))
	state, refusal := h.known(r.Context(), id, bearer(r), combat.RoleGM)
	if refusal != nil {
		return refusal
	}
	export := Export{Format: ExportFormat, ExportedAt: stamp(time.Now()), State: withoutKeys(state)}
	// The log is told again from the journal, away from the encounter's own
	// goroutine, up to the state that was handed over.
	var at *combat.State
	for record, err := range h.store.Read(r.Context(), id, 0) {
		if err != nil {
			h.log.Error("cannot read a log for an export", "encounter", string(id), "err", err)
			return combat.Refuse("unavailable", "retryAfterMs", 2000)
		}
		if record.Commit.Seq > state.Seq {
			break
		}
		after := combat.ApplyCommit(at, record.Commit)
		for _, entry := range h.engine.Log(at, after, record.Commit, combat.Audience{Role: combat.RoleGM}) {
			line, err := json.Marshal(entry)
			if err != nil {
				h.log.Error("cannot encode a log line", "encounter", string(id), "err", err)
				return combat.Refuse("unavailable")
			}
			export.Log = append(export.Log, line)
		}
		if over := len(export.Log) - 2*exportLines; over > 0 {
			export.Log = append(export.Log[:0], export.Log[len(export.Log)-exportLines:]...)
		}
		at = after
	}
	export.Log = export.Log[max(0, len(export.Log)-exportLines):]
	w.Header().Set("Content-Disposition", `attachment; filename="riposte-`+string(state.ID)+`.json"`)
	return answerJSON(w, http.StatusOK, export)
}

// withoutKeys returns a state without the hashes of its tokens.
func withoutKeys(s *combat.State) *combat.State {
	bare := *s
	bare.Keys = nil
	bare.Seats = make([]*combat.Seat, 0, len(s.Seats))
	for _, seat := range s.Seats {
		if seat != nil {
			open := *seat
			open.Key = ""
			bare.Seats = append(bare.Seats, &open)
		}
	}
	return &bare
}
