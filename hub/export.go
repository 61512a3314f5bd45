package hub

import (
	"net/http"

	"riposte/combat"
)

// exportEncounter is GET /api/encounters/{id}/export.
func (h *Hub) exportEncounter(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	id := combat.ID(r.PathValue("id"))
	got, refusal := h.known(r.Context(), id, bearer(r), combat.RoleGM)
	if refusal != nil {
		return refusal
	}
	lines, state, refusal := h.tell(r.Context(), id, got.until, got.who)
	if refusal != nil {
		return refusal
	}
	export := Export{Format: ExportFormat, ExportedAt: stamp(h.now()), State: withoutKeys(state), Log: lines}
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
