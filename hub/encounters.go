package hub

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"riposte/combat"
)

// createEncounter is POST /api/encounters.
func (h *Hub) createEncounter(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	var request CreateRequest
	if refusal := readBody(w, r, bodyBytes, &request); refusal != nil {
		return refusal
	}
	return h.begin(w, r, "created", func(id combat.ID, keys map[string]string, by combat.By) ([]combat.Event, *combat.State, *combat.Refusal) {
		return h.engine.Create(id, request.Rules, request.Title, request.Options, keys, by)
	})
}

// importRequest is what is read of an Export.
type importRequest struct {
	Format     string        `json:"format"`
	ExportedAt string        `json:"exportedAt"`
	State      *combat.State `json:"state"`
	Log        skipped       `json:"log"`
}

// importEncounter is POST /api/encounters/import.
func (h *Hub) importEncounter(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	data, done, refusal := h.receiveFile(w, r, h.receiving)
	if refusal != nil {
		return refusal
	}
	defer done()
	if refusal := checkShape(data); refusal != nil {
		return refusal
	}
	var request importRequest
	if refusal := decodeStrict(data, &request); refusal != nil {
		return refusal
	}
	if request.Format != ExportFormat {
		return combat.Refuse("bad_value", "field", "format")
	}
	if request.State == nil {
		return combat.Refuse("bad_value", "field", "state")
	}
	return h.begin(w, r, "imported", func(id combat.ID, keys map[string]string, by combat.By) ([]combat.Event, *combat.State, *combat.Refusal) {
		return h.engine.Import(id, withoutKeys(request.State), keys, by)
	})
}

// begin makes a new encounter and answers with its links.
func (h *Hub) begin(w http.ResponseWriter, r *http.Request, kind string,
	decide func(combat.ID, map[string]string, combat.By) ([]combat.Event, *combat.State, *combat.Refusal)) *combat.Refusal {
	if h.isDraining() {
		return refusalOf(errDraining)
	}
	if h.config.Room != nil {
		if err := h.config.Room(); err != nil {
			h.log.Warn("no new encounters", "err", err)
			return combat.Refuse("unavailable", "retryAfterMs", 60_000)
		}
	}
	id := newEncounterID()
	tokens, keys := newLinks()
	by := combat.By{Role: combat.RoleGM, Now: h.now().UnixMilli(), Dice: h.dice}
	events, _, refusal := decide(id, keys, by)
	if refusal != nil {
		return refusal
	}
	commit := &combat.Commit{Seq: 1, ID: newUUID(), Type: kind, Role: by.Role, At: by.Now, Events: events}
	if err := commit.Seal(""); err != nil {
		h.log.Error("cannot seal a first commit", "err", err)
		return combat.Refuse("unavailable")
	}
	if err := h.store.Create(r.Context(), id, Record{Commit: commit, Seqs: map[string]uint64{}}); err != nil {
		h.log.Error("cannot create an encounter", "err", err)
		return combat.Refuse("unavailable", "retryAfterMs", 2000)
	}
	created := Created{ID: id, Links: map[string]string{}, Tokens: tokens}
	for role, token := range tokens {
		created.Links[role] = linkPath(id, token)
	}
	w.Header().Set("Location", "/api/encounters/"+string(id))
	return answerJSON(w, http.StatusCreated, created)
}

// createSeat is POST /api/encounters/{id}/seats.
func (h *Hub) createSeat(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	id := combat.ID(r.PathValue("id"))
	if _, refusal := h.known(r.Context(), id, bearer(r), combat.RolePlayer); refusal != nil {
		return refusal
	}
	var request SeatRequest
	if refusal := readBody(w, r, bodyBytes, &request); refusal != nil {
		return refusal
	}
	token := newToken()
	seat := newSeatID()
	command := combat.AddSeat{Seat: seat, Name: request.Name, Key: hashToken(token)}
	done := h.order(r.Context(), id, &order{id: newUUID(), command: command, hash: hashToken(bearer(r))})
	if done.refusal != nil {
		return done.refusal
	}
	return answerJSON(w, http.StatusCreated, SeatCreated{Seat: seat, Token: token})
}

// voidBytes bounds the body of a request with a token that is no good.
const voidBytes = 1 << 10

// postCommand is POST /api/encounters/{id}/commands.
func (h *Hub) postCommand(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	id := combat.ID(r.PathValue("id"))
	_, stranger := h.known(r.Context(), id, bearer(r), "")
	limit := h.limits.MessageBytes
	if stranger != nil {
		if stranger.Code != "unauthorized" || hashToken(bearer(r)) == "" {
			return stranger
		}
		limit = voidBytes
	}
	var request CommandRequest
	refusal := readBody(w, r, limit, &request)
	var commandID string
	var command combat.Command
	if refusal == nil {
		commandID, command, refusal = decodeOrder(request.ID, request.Command)
	}
	// A token that a command made void may ask for the answer to that command.
	if _, replaces := command.(combat.ReplaceLink); stranger != nil && !replaces {
		return stranger
	}
	if refusal != nil {
		return refusal
	}
	done := h.order(r.Context(), id, &order{id: commandID, command: command, hash: hashToken(bearer(r))})
	if done.refusal != nil {
		return done.refusal
	}
	return answerJSON(w, http.StatusOK, CommandDone{Seq: done.seq, Result: done.result})
}

// order has an encounter decide a command and waits for the outcome.
func (h *Hub) order(ctx context.Context, id combat.ID, o *order) outcome {
	done, err := ask(ctx, h, id, func(a *actor, reply chan<- outcome) error {
		mine := *o
		mine.reply = reply
		return post(ctx, a, a.commands, &mine)
	})
	if err != nil {
		return outcome{refusal: refusalOf(err)}
	}
	return done
}

// seen is what an encounter shows to the holder of a token.
type seen struct {
	refusal *combat.Refusal
	edge    *edge // not answered yet: the owner has to be asked
	who     combat.Audience
	seq     uint64 // of that audience
	until   uint64 // the last commit it may know of
	view    []byte // encoded, if it was asked for
}

// look asks an encounter what the holder of a token may see, as another
// audience if as names one, and for the view as well if wanted says so of its
// number.
func (h *Hub) look(ctx context.Context, id combat.ID, token, as string, wanted func(seq uint64) bool) seen {
	hash := hashToken(token)
	got, err := ask(ctx, h, id, func(a *actor, answer chan<- seen) error {
		return post(ctx, a, a.reads, func() {
			if a.edge != nil {
				answer <- seen{edge: a.edge}
				return
			}
			who, refusal := seeing(a.state, hash, as)
			if refusal != nil {
				answer <- seen{refusal: refusal}
				return
			}
			s := seen{who: who, until: a.state.Seq}
			if who == spectators {
				a.catchUp()
				s.until = a.room.backlog.until(s.until)
			}
			if s.seq = a.room.feed(who).seq; wanted(s.seq) {
				s.view = appendObject(nil, a.room.whole(who, a.views))
			}
			answer <- s
		})
	})
	if err == nil && got.edge != nil {
		e := got.edge
		if got, err = e.seen(ctx, hash, as, wanted); errors.Is(err, errGone) {
			return h.look(ctx, id, token, as, wanted)
		}
	}
	if err != nil {
		return seen{refusal: refusalOf(err)}
	}
	return got
}

// known asks an encounter whose token this is: before a body is read, so that
// strangers learn nothing and cost nothing. With a role, it has to be one of
// that role.
func (h *Hub) known(ctx context.Context, id combat.ID, token, role string) (seen, *combat.Refusal) {
	got := h.look(ctx, id, token, "", func(uint64) bool { return false })
	if got.refusal == nil && role != "" && got.who.Role != role {
		got.refusal = combat.Refuse("forbidden")
	}
	return got, got.refusal
}

// getView is GET /api/encounters/{id}.
func (h *Hub) getView(w http.ResponseWriter, r *http.Request) *combat.Refusal {
	have := r.Header.Get("If-None-Match")
	got := h.look(r.Context(), combat.ID(r.PathValue("id")), bearer(r), r.URL.Query().Get("as"), func(seq uint64) bool { return !matches(have, seq) })
	if got.refusal != nil {
		return got.refusal
	}
	header := w.Header()
	header.Set("ETag", etag(got.seq))
	header.Set("Vary", "Authorization")
	// Two tokens' views have the same number: a browser that kept the one would
	// take "not modified", said of the other, for the one it kept.
	header.Set("Cache-Control", "private, no-store")
	if got.view == nil {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "application/json")
	_, _ = w.Write(got.view) // the client may be gone
	return nil
}

// etag is the counter of the audience.
func etag(seq uint64) string { return `"` + strconv.FormatUint(seq, 10) + `"` }

// matches reports whether an If-None-Match names a view.
func matches(header string, seq uint64) bool {
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == etag(seq) {
			return true
		}
	}
	return false
}
