package main

import (
	"encoding/json"
	"fmt"

	"github.com/invopop/jsonschema"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/statblock"
)

// Names of the unions, which are no Go types.
const (
	commandUnion = "Command"
	eventUnion   = "AppEvent"
	clientUnion  = "ClientMessage"
	serverUnion  = "ServerMessage"
	viewName     = "ViewMap"
)

// viewValues says which type each key of the view has; a key that ends in a
// slash is a prefix, with an id behind it.
var viewValues = map[string]any{
	"encounter":   combat.EncounterView{},
	"combatants/": combat.CombatantView{},
	"order":       []combat.SlotView{},
	"turn":        combat.TurnView{},
	"stack":       []combat.FrameView{},
	"window":      combat.WindowView{},
	"pending/":    combat.PendingView{},
	"effects/":    combat.EffectView{},
	"seats/":      combat.SeatView{},
	"history":     combat.HistoryView{},
	"you":         combat.YouView{},
}

var (
	clientMessages = []any{hub.Hello{}, hub.Do{}, hub.Ping{}}
	serverMessages = []any{hub.Welcome{}, hub.Update{}, hub.Ack{}, hub.Reject{}, hub.Presence{}, hub.Head{}, hub.Pong{}, hub.Bye{}}
	bodies         = []any{hub.Problem{}, hub.CreateRequest{}, hub.Created{}, hub.SeatRequest{}, hub.SeatCreated{}, hub.CommandRequest{}, hub.CommandDone{}, hub.NewLink{}, hub.CodeRequest{}, hub.CodeCreated{}, hub.CodeOpened{}, hub.Export{}, hub.Log{}, statblock.CreatureFile{}, combat.SystemView{}}
)

// unsentFields of events are stored and never sent.
var unsentFields = []string{"key", "keys", "state"}

// encodedFields are the fields that hold JSON made elsewhere, and what is in
// it.
func encodedFields() map[string]map[string]*jsonschema.Schema {
	lines := &jsonschema.Schema{Type: "array", Items: refTo("LogEntry")}
	return map[string]map[string]*jsonschema.Schema{
		"LogEntry":            {"event": refTo(eventUnion)},
		"Pending":             {"command": refTo(commandUnion)},
		"PendingView":         {"command": refTo(commandUnion)},
		"ProposalClosedEvent": {"command": refTo(commandUnion)},
		"Do":                  {"command": refTo(commandUnion)},
		"CommandRequest":      {"command": refTo(commandUnion)},
		"Ack":                 {"result": refTo("NewLink")},
		"CommandDone":         {"result": refTo("NewLink")},
		"Export":              {"log": lines},
		"Log":                 {"log": lines},
		"Welcome":             {"you": refTo("YouView"), "view": refTo(viewName), "log": lines},
		"Update":              {"set": refTo(viewName), "log": lines},
	}
}

// contract builds the schema of everything that goes over the wire.
func contract() (*jsonschema.Schema, error) {
	b, err := newBuilder()
	if err != nil {
		return nil, err
	}
	b.defs["ID"] = &jsonschema.Schema{Type: "string", Description: "Names a combatant, slot, frame, window, effect, decision or seat."}
	b.defs["Count"] = &jsonschema.Schema{Type: "number", MultipleOf: "0.01",
		Minimum: json.Number(combat.Count(-combat.MaxCount).String()), Maximum: json.Number(combat.Count(combat.MaxCount).String()),
		Description: "A place on the initiative scale, with at most two decimals."}
	b.defs["Millis"] = &jsonschema.Schema{Type: "integer", Description: "A moment in Unix milliseconds."}

	b.variants(commandUnion, "Something somebody asks for.", combat.CommandNames(), combat.CommandTypes(), "Command", nil)
	b.messages(clientUnion, "What a client may send; the first message is a hello.", clientMessages)
	b.close()
	b.variants(eventUnion, "A fact, as the log tells it.", combat.EventNames(), combat.EventTypes(), "Event", unsentFields)
	b.define("LogEntry", described(b.schemaOf(combat.LogLine{}), b.comment(combat.LogEntry{})))
	b.view()
	b.messages(serverUnion, "What the server sends. A text frame holds one, or an array of them.", serverMessages)
	for _, body := range bodies {
		b.reflect(body)
	}
	if b.err != nil {
		return nil, b.err
	}
	for message, fields := range encodedFields() {
		for field, content := range fields {
			was, found := b.defs[message].Properties.Get(field)
			if !found {
				return nil, fmt.Errorf("%s has no field %s", message, field)
			}
			b.defs[message].Properties.Set(field, described(content, was.Description))
		}
	}
	return &jsonschema.Schema{
		Version:     jsonschema.Version,
		Title:       "Riposte, wire contract v1",
		Description: "What goes over the socket. Commands, views and HTTP bodies stand under $defs.",
		AnyOf: []*jsonschema.Schema{refTo(clientUnion), refTo(serverUnion),
			{Type: "array", Items: refTo(serverUnion)}},
		Definitions: b.defs,
	}, nil
}

// encode writes a schema as it is committed.
func encode(root *jsonschema.Schema) ([]byte, error) {
	text, err := json.MarshalIndent(root, "", "\t")
	return append(text, '\n'), err
}
