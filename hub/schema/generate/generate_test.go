package main

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/hub"
	"riposte/hub/schema"
	"riposte/hub/statblock"
)

// The committed files must be what the Go types say now.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	t.Chdir("../../..")
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		have, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, want) {
			t.Errorf("%s is out of date: run make generate", name)
		}
	}
}

// compiled returns the committed schema of one definition.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.JSON))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("wire.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := compiler.Compile("wire.json" + refPrefix + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// check validates JSON against a schema.
func check(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return s.Validate(value)
}

// filled returns a value of a type with every field set to something, so that
// its JSON shows every name the type has.
func filled(typ reflect.Type, depth int) reflect.Value {
	if typ == reflect.TypeFor[json.RawMessage]() {
		return reflect.ValueOf(json.RawMessage(`{"type":"undo"}`)) // JSON made elsewhere: here, always a command
	}
	v := reflect.New(typ).Elem()
	switch typ.Kind() {
	case reflect.String:
		v.SetString("word")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(1525)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		if depth > 0 {
			v.Set(filled(typ.Elem(), depth-1).Addr())
		}
	case reflect.Slice:
		v.Set(reflect.Append(reflect.MakeSlice(typ, 0, 1), filled(typ.Elem(), depth-1)))
	case reflect.Map:
		v.Set(reflect.MakeMap(typ))
		v.SetMapIndex(reflect.ValueOf("key").Convert(typ.Key()), filled(typ.Elem(), depth-1))
	case reflect.Interface:
		v.Set(reflect.ValueOf("word"))
	case reflect.Struct:
		for i := range typ.NumField() {
			if typ.Field(i).IsExported() {
				v.Field(i).Set(filled(typ.Field(i).Type, depth-1))
			}
		}
	}
	return v
}

func TestEveryCommandValidates(t *testing.T) {
	union := compiled(t, commandUnion)
	for name, sample := range combat.CommandTypes() {
		command := filled(reflect.TypeOf(sample), 8).Interface().(combat.Command)
		data, err := combat.EncodeCommand(command)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(t, union, data); err != nil {
			t.Errorf("%s: %s: %v", name, data, err)
		}
		if _, refusal := combat.DecodeCommand(data); refusal != nil {
			t.Errorf("%s: the schema takes it, the decoder does not: %v %v", name, refusal.Code, refusal.Params)
		}
		typo := strings.Replace(string(data), `{"type"`, `{"typo":1,"type"`, 1)
		if check(t, union, []byte(typo)) == nil {
			t.Errorf("%s: an unknown field passes", name)
		}
		other := strings.Replace(string(data), `"`+name+`"`, `"other"`, 1)
		if check(t, union, []byte(other)) == nil {
			t.Errorf("%s: an unknown type passes", name)
		}
	}
}

func TestEveryEventValidates(t *testing.T) {
	union := compiled(t, eventUnion)
	for name, sample := range combat.EventTypes() {
		data, err := combat.EncodeEvent(filled(reflect.TypeOf(sample), 8).Interface().(combat.Event))
		if err != nil {
			t.Fatal(err)
		}
		if err := check(t, union, data); err != nil {
			t.Errorf("%s: %s: %v", name, data, err)
		}
		other := strings.Replace(string(data), `"`+name+`"`, `"other"`, 1)
		if check(t, union, []byte(other)) == nil {
			t.Errorf("%s: an unknown type passes", name)
		}
	}
}

func TestViewValuesValidate(t *testing.T) {
	view := compiled(t, viewName)
	for key, value := range viewValues {
		data, err := json.Marshal(map[string]any{key + "x": 1, key: filled(reflect.TypeOf(value), 8).Interface()})
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(key, "/") {
			data = bytes.Replace(data, []byte(`"`+key+`x":1,`), nil, 1)
			data = bytes.Replace(data, []byte(`,"`+key+`x":1`), nil, 1)
		}
		if err := check(t, view, data); err != nil {
			t.Errorf("%s: %s: %v", key, data, err)
		}
		if check(t, view, []byte(`{"`+key+`":1}`)) == nil {
			t.Errorf("%s: a number passes for its value", key)
		}
	}
}

func TestMessagesValidate(t *testing.T) {
	command := json.RawMessage(`{"type":"endTurn","frame":"f12"}`)
	line := json.RawMessage(`{"at":1,"by":"gm","event":{"type":"said","text":"hello"}}`)
	you := json.RawMessage(`{"role":"gm","combatants":[],"can":[]}`)
	view := map[string]json.RawMessage{"you": you}
	for union, messages := range map[string][]any{
		clientUnion: {
			hub.Hello{Type: "hello", Encounter: "e", Token: "t"},
			hub.Do{Type: "do", ID: "i", Command: command},
			hub.Ping{Type: "ping", T: 1.5},
		},
		serverUnion: {
			hub.Welcome{Type: "welcome", You: you, View: view, Log: []json.RawMessage{line}, Presence: hub.Presence{Type: "presence", Seats: []combat.ID{}}},
			hub.Update{Type: "update", Seq: 2, Set: view, Del: []string{"window"}, Log: []json.RawMessage{line}},
			hub.Ack{Type: "ack", ID: "i", Seq: 2, Result: json.RawMessage(`{"role":"gm","link":"l","token":"t"}`)},
			hub.Reject{Type: "reject", ID: "i", Code: "not_yours", Params: map[string]any{"field": "x"}},
			hub.Presence{Type: "presence", Seats: []combat.ID{"s"}, GMs: 1},
			hub.Head{Type: "head", Seq: 2},
			hub.Pong{Type: "pong", T: 1.5, Now: "n"},
			hub.Bye{Type: "bye", Code: "draining", RetryAfterMs: 800},
		},
	} {
		s := compiled(t, union)
		for _, message := range messages {
			data, err := json.Marshal(message)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(t, s, data); err != nil {
				t.Errorf("%T: %s: %v", message, data, err)
			}
			wrong := strings.Replace(string(data), `{"type":"`, `{"type":"no`, 1)
			if check(t, s, []byte(wrong)) == nil {
				t.Errorf("%T: an unknown type passes", message)
			}
		}
	}
}

func TestBodiesValidate(t *testing.T) {
	link := json.RawMessage(`{"role":"gm","link":"l","token":"t"}`)
	words := map[string]string{"key": "word"}
	samples := []any{
		hub.Problem{Type: "t", Title: "t", Status: 422, Code: "not_yours", Detail: "d", Params: map[string]any{"n": 1}},
		hub.CreateRequest{Rules: "dnd5e", Title: "t", Options: words},
		hub.Created{ID: "e", Links: words, Tokens: words},
		hub.SeatRequest{Name: "n"},
		hub.SeatCreated{Seat: "s", Token: "t"},
		hub.CommandRequest{ID: "i", Command: json.RawMessage(`{"type":"undo"}`)},
		hub.CommandDone{Seq: 1, Result: link},
		hub.NewLink{Role: "gm", Link: "l", Token: "t"},
		hub.CodeRequest{Role: "player", Token: "t"},
		hub.CodeCreated{Code: "ABCD-2345", ExpiresAt: "n"},
		hub.CodeOpened{ID: "e", Role: "player", Link: "l", Token: "t"},
		combat.SystemView{Rules: "dnd5e", Options: []combat.Option{{Key: "k", Default: "a", Values: []string{"a"}, Ruling: true}}, Effects: []combat.EffectSpec{{Name: "hasted", AC: 2, Speed: 10}}},
		hub.Export{Format: hub.ExportFormat, ExportedAt: "n", State: &combat.State{}, Log: []json.RawMessage{json.RawMessage(`{"at":1,"event":{"type":"said","text":"t"}}`)}},
		hub.Log{Log: []json.RawMessage{json.RawMessage(`{"at":1,"event":{"type":"said","text":"t"}}`)}},
		statblock.Read([]byte("name,hp,ac,colour\nA,2d6,x,red\nB,y\n"), dnd5e.System{}),
	}
	if len(samples) != len(bodies) {
		t.Errorf("%d samples of %d bodies", len(samples), len(bodies))
	}
	for _, body := range samples {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		s := compiled(t, reflect.TypeOf(body).Name())
		if err := check(t, s, data); err != nil {
			t.Errorf("%T: %s: %v", body, data, err)
		}
		if check(t, s, []byte(`{}`)) == nil {
			t.Errorf("%T: an empty object passes", body)
		}
	}
}

func TestCountHasTwoDecimals(t *testing.T) {
	count := compiled(t, "Count")
	for text, valid := range map[string]bool{"15.25": true, "-0.01": true, "15.255": false, "99990": false, `"15"`: false} {
		if err := check(t, count, []byte(text)); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
	}
}
