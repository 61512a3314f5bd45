package hub

import (
	"encoding/json"

	"riposte/combat"
)

// Subprotocol is what a socket must ask for.
const Subprotocol = "riposte.v1"

// ExportFormat names the form of an Export.
const ExportFormat = "riposte/1"

// What a client may send. The first message must be a Hello.
type (
	// Hello opens a socket onto one encounter. Since and Epoch are the last
	// update seen, for a resume; without Since it begins anew. With Whole it does
	// so too, and they only say what was seen, so that Welcome.Cut can be told. As
	// is for the GM: spectator, player or seat:<id>, whose view the socket then has,
	// read-only and unseen.
	Hello struct {
		Type      string    `json:"type"`
		Encounter combat.ID `json:"encounter"`
		Token     string    `json:"token"`
		Since     *uint64   `json:"since,omitempty"`
		Epoch     string    `json:"epoch,omitempty"`
		Whole     bool      `json:"whole,omitempty"`
		As        string    `json:"as,omitempty"`
	}
	// Do asks for a command. ID is a UUID of the client's choice; the same one
	// again is answered with the first outcome.
	Do struct {
		Type    string          `json:"type"`
		ID      string          `json:"id"`
		Command json.RawMessage `json:"command"`
	}
	// Ping asks for a Pong with the server's time; T comes back as it is.
	Ping struct {
		Type string  `json:"type"`
		T    float64 `json:"t"`
	}
)

// What the server sends.
type (
	// Welcome is a whole view. A client drops all it had.
	Welcome struct {
		Type     string                     `json:"type"`
		Seq      uint64                     `json:"seq"`
		Epoch    string                     `json:"epoch"`
		Cut      bool                       `json:"cut,omitempty"`    // the history lacks what this viewer had been told: its store went back to an older state
		Now      string                     `json:"now"`              // RFC 3339, milliseconds, UTC; for delayed spectators, the moment of what they see
		Behind   int                        `json:"behind,omitempty"` // seconds that the view is late
		You      json.RawMessage            `json:"you"`              // combat.YouView; view["you"] is the same and is what updates change
		View     map[string]json.RawMessage `json:"view"`
		Log      []json.RawMessage          `json:"log"` // combat.LogEntry, the last lines, oldest first
		Presence Presence                   `json:"presence"`
	}
	// Update sets and deletes whole keys of the view. Seq is one more than the
	// last.
	Update struct {
		Type string                     `json:"type"`
		Seq  uint64                     `json:"seq"`
		Set  map[string]json.RawMessage `json:"set,omitempty"`
		Del  []string                   `json:"del,omitempty"`
		Log  []json.RawMessage          `json:"log,omitempty"`
	}
	// Ack says that a command is accepted and durable. Seq is this audience's
	// counter once its effects, if it may see any, have been sent.
	Ack struct {
		Type   string          `json:"type"`
		ID     string          `json:"id"`
		Seq    uint64          `json:"seq"`
		Result json.RawMessage `json:"result,omitempty"` // replaceLink: a NewLink
	}
	// Reject says no to a command, or to a message (then without id).
	Reject struct {
		Type   string         `json:"type"`
		ID     string         `json:"id,omitempty"`
		Code   string         `json:"code"`
		Params map[string]any `json:"params,omitempty"`
	}
	// Presence says who is here. It is not numbered: the last one counts.
	Presence struct {
		Type       string      `json:"type"`
		Seats      []combat.ID `json:"seats"` // online
		GMs        int         `json:"gms"`
		Spectators int         `json:"spectators"`
	}
	// Head says which update is the last one, every two seconds, and by how
	// many seconds what it tells is late.
	Head struct {
		Type   string `json:"type"`
		Seq    uint64 `json:"seq"`
		Behind int    `json:"behind,omitempty"`
	}
	// Pong answers a Ping. For delayed spectators, Now is the moment of what
	// they see.
	Pong struct {
		Type string  `json:"type"`
		T    float64 `json:"t"`
		Now  string  `json:"now"`
	}
	// Bye comes before the server closes a socket. A client comes back after
	// RetryAfterMs, or not at all when it is absent.
	Bye struct {
		Type         string `json:"type"`
		Code         string `json:"code"`
		RetryAfterMs int    `json:"retryAfterMs,omitempty"`
	}
	// Problem is an error over HTTP (RFC 9457).
	Problem struct {
		Type   string         `json:"type"`
		Title  string         `json:"title"`
		Status int            `json:"status"`
		Code   string         `json:"code"`
		Detail string         `json:"detail,omitempty"`
		Params map[string]any `json:"params,omitempty"`
	}
)

// HTTP bodies.
type (
	// CreateRequest makes an encounter.
	CreateRequest struct {
		Rules   string            `json:"rules"`
		Title   string            `json:"title,omitempty"`
		Options map[string]string `json:"options,omitempty"`
	}
	// Created answers it: the paths of the three links and their bare tokens.
	Created struct {
		ID     combat.ID         `json:"id"`
		Links  map[string]string `json:"links"`
		Tokens map[string]string `json:"tokens"`
	}
	// SeatRequest asks for a seat.
	SeatRequest struct {
		Name string `json:"name"`
	}
	// SeatCreated answers it.
	SeatCreated struct {
		Seat  combat.ID `json:"seat"`
		Token string    `json:"token"`
	}
	// NewLink is the result of replaceLink.
	NewLink struct {
		Role  string `json:"role"`
		Link  string `json:"link"`
		Token string `json:"token"`
	}
	// CodeRequest asks for a short code that opens a link: whose role, and its
	// token.
	CodeRequest struct {
		Role  string `json:"role"` // player, spectator
		Token string `json:"token"`
	}
	// CodeCreated answers it.
	CodeCreated struct {
		Code      string `json:"code"`      // two groups of four letters and digits, with a dash
		ExpiresAt string `json:"expiresAt"` // RFC 3339, milliseconds, UTC
	}
	// CodeOpened is the link that a code opens.
	CodeOpened struct {
		ID    combat.ID `json:"id"`
		Role  string    `json:"role"`
		Link  string    `json:"link"`
		Token string    `json:"token"`
	}
	// Export is a whole encounter, for the GM to keep or to import. It holds
	// no token and no hash of one.
	Export struct {
		Format     string            `json:"format"` // ExportFormat
		ExportedAt string            `json:"exportedAt"`
		State      *combat.State     `json:"state"`
		Log        []json.RawMessage `json:"log,omitempty"` // combat.LogEntry, oldest first; for reading only
	}
	// Log is what somebody has been told, the last 10,000 lines.
	Log struct {
		Log []json.RawMessage `json:"log"` // combat.LogEntry, oldest first
	}
	// CommandRequest is a command over HTTP.
	CommandRequest struct {
		ID      string          `json:"id"`
		Command json.RawMessage `json:"command"`
	}
	// CommandDone answers it.
	CommandDone struct {
		Seq    uint64          `json:"seq"`
		Result json.RawMessage `json:"result,omitempty"`
	}
)
