package hub

import (
	"bytes"
	"encoding/json"
	"testing"

	"riposte/combat"
)

// Whatever a client sends, it is a message or a refusal, and one with a code.
func FuzzClientMessage(f *testing.F) {
	for _, seed := range []string{
		`{"type":"hello","encounter":"e","token":"t","since":41,"epoch":"k"}`,
		`{"type":"hello","encounter":"e","token":"t","as":"seat:s1"}`,
		`{"type":"do","id":"0b9f3a52-6f1e-4b7a-9c55-0123456789ab","command":{"type":"endTurn","frame":"f12"}}`,
		`{"type":"do","id":"0b9f3a52-6f1e-4b7a-9c55-0123456789ab","command":{"type":"damage","combatants":["c1"],"amount":7}}`,
		`{"type":"ping","t":123}`, `[{"type":"ping","t":1},{"type":"ping","t":2}]`, `null`, `[[[`, `{"type":"do"}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		messages, refusal := splitMessages(data)
		if refusal != nil {
			if refusal.Code == "" || messages != nil {
				t.Fatalf("%q: refused %+v with %d messages", data, refusal, len(messages))
			}
			return
		}
		if len(messages) > maxMessages {
			t.Fatalf("%d messages", len(messages))
		}
		for _, one := range messages {
			message, id, refusal := decodeMessage(one)
			if (message == nil) == (refusal == nil) || len(id) > maxEcho {
				t.Fatalf("%q: %v, %q, %v", one, message, id, refusal)
			}
			do, is := message.(*Do)
			if !is {
				continue
			}
			clean, command, refusal := decodeOrder(do.ID, do.Command)
			if (command == nil) == (refusal == nil) {
				t.Fatalf("%q: %v, %v", one, command, refusal)
			}
			if command == nil {
				continue
			}
			if again, valid := parseCommandID(clean); !valid || again != clean {
				t.Fatalf("%q is cleaned to %q, and that to %q", do.ID, clean, again)
			}
			if _, err := combat.EncodeCommand(command); err != nil {
				t.Fatalf("%q decodes to what cannot be encoded: %v", one, err)
			}
		}
	})
}

// What is imported may come from anybody: it is refused or plays.
func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"format":"riposte/1","state":{"id":"e","rules":"dnd5e","phase":"setup","combatants":[{"id":"c1","name":"Ash","side":"party","kind":"pc","life":"up"}]}}`))
	f.Add([]byte(`{"format":"riposte/1","state":{"id":"e","rules":"dnd5e","phase":"setup","combatants":[{"id":"c1","name":"Ash","side":"foes","kind":"npc","life":"up",
		"hidden":true,"hiddenFrom":"players","untilAct":"players","sight":{"spectators":{"hp":"none","count":"no"}}}]}}`))
	f.Add([]byte(`{"format":"riposte/1","state":{"seats":[null]}}`))
	f.Add([]byte(`{"state":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if refusal := checkShape(data); refusal != nil {
			if refusal.Code != "too_many" && json.Valid(data) && json.Unmarshal(data, &map[string]any{}) == nil && bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) < importDepth {
				t.Fatalf("%q: %v", data, refusal)
			}
			return
		}
		var request importRequest
		if refusal := decodeStrict(data, &request); refusal != nil || request.State == nil {
			return
		}
		bare := withoutKeys(request.State)
		if bare.Keys != nil {
			t.Fatal("keys are left")
		}
		for _, seat := range bare.Seats {
			if seat.Key != "" {
				t.Fatal("a seat's key is left")
			}
		}
	})
}

// Updates and welcomes written by hand read as the wire types say.
func FuzzEncodeUpdate(f *testing.F) {
	f.Add(uint64(1), "combatants/c1", `{"name":"Ash"}`, "effects/e1")
	f.Add(uint64(0), "a\"b\\", `"<\u0000>"`, "")
	f.Fuzz(func(t *testing.T, seq uint64, key, value, gone string) {
		if !json.Valid([]byte(value)) {
			return
		}
		raw := json.RawMessage(value)
		change := &combat.Change{Set: map[string]json.RawMessage{key: raw}, Del: []string{gone}, Log: []json.RawMessage{raw}}
		var got Update
		if err := json.Unmarshal(encodeUpdate(seq, change), &got); err != nil {
			t.Fatal(err)
		}
		if got.Type != "update" || got.Seq != seq || len(got.Set) != 1 || len(got.Del) != 1 || len(got.Log) != 1 {
			t.Fatalf("%+v", got)
		}
		if n, ok := seqOf(encodeUpdate(seq, change)); !ok || n != seq {
			t.Fatalf("the number reads as %d", n)
		}
	})
}
