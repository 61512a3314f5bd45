package hub

import (
	"errors"
	"net/http"
	"time"

	"riposte/combat"
)

// codeLife is how long a code is good.
const codeLife = 24 * time.Hour

// maxCodes bounds the codes of one encounter that are good at a time.
const maxCodes = 16

// newCodeTries is how many codes are tried until one is free.
const newCodeTries = 8

// createCode is POST /api/encounters/{id}/codes: a short code for the player or
// the spectator link. The token comes from the GM, since we do not have it.
func (h *Hub) createCode(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	id := combat.ID(r.PathValue("id"))
	if _, refusal := h.known(r.Context(), id, bearer(r), combat.RoleGM); refusal != nil {
		return refusal
	}
	var request CodeRequest
	if refusal := readBody(w, r, bodyBytes, &request); refusal != nil {
		return refusal
	}
	if request.Role != combat.RolePlayer && request.Role != combat.RoleSpectator {
		return combat.Refuse("bad_value", "field", "role")
	}
	switch _, refusal := h.known(r.Context(), id, request.Token, request.Role); {
	case refusal == nil:
	case refusal.Code == "unauthorized" || refusal.Code == "forbidden":
		return combat.Refuse("bad_value", "field", "token")
	default:
		return refusal
	}
	for range newCodeTries {
		code := newCode()
		key, secret, refusal := h.stretch(r.Context(), code)
		if refusal != nil {
			return refusal
		}
		made := Code{Encounter: id, Sealed: seal(secret, id, opened(request)), Expires: time.Now().Add(codeLife).Truncate(time.Millisecond)}
		switch err := h.store.AddCode(r.Context(), key, made, maxCodes); {
		case err == nil:
			return answerJSON(w, http.StatusCreated, CodeCreated{Code: showCode(code), ExpiresAt: stamp(made.Expires)})
		case errors.Is(err, ErrFull):
			return combat.Refuse("too_many", "field", "codes", "limit", maxCodes)
		case !errors.Is(err, ErrTaken):
			h.log.Error("cannot keep a code", "encounter", string(id), "err", err)
			return combat.Refuse("unavailable", "retryAfterMs", 2000)
		}
	}
	return combat.Refuse("unavailable", "retryAfterMs", 2000)
}

// openCode is GET /api/codes/{code}. A code whose link has been replaced since,
// or whose encounter is gone, is as unknown as one that never was.
func (h *Hub) openCode(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	code, is := readCode(r.PathValue("code"))
	if !is {
		return combat.Refuse("not_found")
	}
	key, secret, refusal := h.stretch(r.Context(), code)
	if refusal != nil {
		return refusal
	}
	found, err := h.store.FindCode(r.Context(), key)
	switch {
	case errors.Is(err, ErrNotFound):
		return combat.Refuse("not_found")
	case err != nil:
		h.log.Error("cannot look a code up", "err", err)
		return combat.Refuse("unavailable", "retryAfterMs", 2000)
	case !time.Now().Before(found.Expires):
		return combat.Refuse("not_found")
	}
	what, err := unseal(secret, found.Encounter, found.Sealed)
	if err != nil {
		h.log.Error("a code cannot be opened", "encounter", string(found.Encounter), "err", err)
		return combat.Refuse("not_found")
	}
	switch _, refusal := h.known(r.Context(), found.Encounter, what.Token, what.Role); {
	case refusal == nil:
		return answerJSON(w, http.StatusOK, CodeOpened{ID: found.Encounter, Role: what.Role,
			Link: linkPath(found.Encounter, what.Token), Token: what.Token})
	case refusal.Code == "unauthorized" || refusal.Code == "forbidden":
		return combat.Refuse("not_found")
	default:
		return refusal
	}
}
