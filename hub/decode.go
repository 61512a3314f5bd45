package hub

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"riposte/combat"
)

// decodeStrict reads exactly one JSON object: unknown fields, wrong types and
// anything behind it are refused, with the field named where there is one.
func decodeStrict(data []byte, into any) *combat.Refusal {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			return combat.Refuse("bad_value", "field", "message")
		}
		return nil
	}
	if _, field, found := strings.Cut(err.Error(), "unknown field "); found {
		return combat.Refuse("unknown_field", "field", strings.Trim(field, `"`))
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return combat.Refuse("bad_value", "field", wrong.Field)
	}
	return combat.Refuse("bad_value", "field", "message")
}

// maxMessages bounds how many messages one frame from a client may hold.
const maxMessages = 64

// splitMessages takes a text frame apart: one object, or an array of them.
func splitMessages(data []byte) ([]json.RawMessage, *combat.Refusal) {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '[' {
		return []json.RawMessage{data}, nil
	}
	var many []json.RawMessage
	if err := json.Unmarshal(trimmed, &many); err != nil {
		return nil, combat.Refuse("bad_value", "field", "message")
	}
	if len(many) > maxMessages {
		return nil, combat.Refuse("too_many", "field", "message", "limit", maxMessages)
	}
	return many, nil
}

// decodeMessage reads one message from a client: *Hello, *Do or *Ping. With a
// refusal comes the id of the command it is about, if it can be made out.
func decodeMessage(data []byte) (message any, id string, refusal *combat.Refusal) {
	var head struct {
		Type string          `json:"type"`
		ID   json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		field := "message"
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			field = wrong.Field
		}
		return nil, "", combat.Refuse("bad_value", "field", field)
	}
	switch head.Type {
	case "hello":
		message = &Hello{}
	case "do":
		message = &Do{}
		if json.Unmarshal(head.ID, &id) != nil {
			id = ""
		}
		id = echo(id)
	case "ping":
		message = &Ping{}
	default:
		return nil, "", combat.Refuse("bad_value", "field", "type")
	}
	if refusal = decodeStrict(data, message); refusal != nil {
		return nil, id, refusal
	}
	return message, id, nil
}

// messageID is the id of the command that a message asks for, as far as one can
// be made out.
func messageID(data []byte) string {
	var head struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(data, &head) != nil {
		return ""
	}
	return echo(head.ID)
}

// maxEcho bounds what is repeated of an id that may be no id.
const maxEcho = 64

// echo is what is repeated of an id: all of it, or nothing.
func echo(id string) string {
	if len(id) > maxEcho {
		return ""
	}
	return id
}

// decodeOrder checks what a client asks for, as far as that needs no state. The
// id it returns is how we spell the one that was sent.
func decodeOrder(id string, raw json.RawMessage) (string, combat.Command, *combat.Refusal) {
	id, valid := parseCommandID(id)
	if !valid {
		return "", nil, combat.Refuse("bad_value", "field", "id")
	}
	command, refusal := combat.DecodeCommand(raw)
	if refusal != nil {
		return "", nil, refusal
	}
	switch c := command.(type) {
	case combat.AddSeat, combat.WindowExpired, combat.TurnExpired:
		return "", nil, combat.Refuse("forbidden")
	case combat.ReplaceLink:
		if c.Key != "" {
			return "", nil, combat.Refuse("forbidden")
		}
	}
	return id, command, nil
}
