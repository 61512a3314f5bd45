package hub

import (
	"encoding/json"
	"net/http"
	"strconv"

	"riposte/combat"
)

// statuses maps refusal codes to HTTP statuses. A code that is not here is a
// rule's no: 422.
var statuses = map[string]int{
	"bad_value": 400, "unknown_field": 400, "unknown_command": 400, "unknown_combatant": 400, "too_long": 400, "too_many": 400,
	"unauthorized": 401,
	"forbidden":    403, "not_yours": 403,
	"not_found":          404,
	"method_not_allowed": 405,
	"stale_frame":        409, "stale_window": 409, "stale_pending": 409, "stale_edit": 409,
	"too_large":              413,
	"unsupported_media_type": 415,
	"rate_limited":           429,
	"unavailable":            503, "draining": 503,
}

// StatusOf returns the HTTP status that goes with a refusal code.
func StatusOf(code string) int {
	if status, listed := statuses[code]; listed {
		return status
	}
	return http.StatusUnprocessableEntity
}

// problem answers with a refusal in the form of RFC 9457.
func problem(w http.ResponseWriter, r *combat.Refusal) {
	status := StatusOf(r.Code)
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	if status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", `Bearer realm="riposte"`)
	}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		ms, _ := r.Params["retryAfterMs"].(int)
		header.Set("Retry-After", strconv.Itoa(max(1, (ms+999)/1000)))
	}
	w.WriteHeader(status)
	// The client may be gone; there is nobody else to tell.
	_ = json.NewEncoder(w).Encode(Problem{Type: "about:blank", Title: http.StatusText(status), Status: status,
		Code: r.Code, Params: r.Params})
}
