package combat_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"riposte/combat"
)

// What is read as a command is written and read again as the same; anything
// else is refused with a code.
func FuzzDecodeCommand(f *testing.F) {
	for _, seed := range []string{`{"type":"endTurn","frame":"f1"}`, `{"type":"setInitiative","combatant":"c","count":15.5}`,
		`{"type":"act","combatant":"c","kind":"attack","attack":{"toHit":5,"damage":"2d6+1"}}`, `{"type":"undo","to":-1}`, `[]`,
		`{"type":"setHidden","combatants":["c"],"hidden":true,"from":"players","untilAct":true}`,
		`{"type":"setSight","combatants":["c"],"audience":"spectators","hp":"none","count":""}`, `{"type":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		command, r := combat.DecodeCommand(data)
		if r != nil {
			if r.Code == "" {
				t.Fatal("refused without a code")
			}
			return
		}
		once, err := combat.EncodeCommand(command)
		if err != nil {
			t.Fatal(err)
		}
		again, r := combat.DecodeCommand(once)
		if r != nil {
			t.Fatalf("%s cannot be read again: %s %v", once, r.Code, r.Params)
		}
		if twice, _ := combat.EncodeCommand(again); !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s", once, twice)
		}
	})
}

// What is read as an event is written and read again as the same.
func FuzzDecodeEvent(f *testing.F) {
	for _, seed := range []string{`{"type":"damaged","combatant":"c","amount":3,"hp":4}`, `{"type":"undone","to":1,"state":{"id":"e"}}`,
		`{"type":"hiddenSet","combatant":"c","hidden":true,"from":"spectators","untilAct":true}`, `{"type":"sightSet","combatant":"c","audience":"players","sight":{"hp":"band"}}`,
		`{"type":"ordered","slots":[{"id":"s","kind":"turn","combatant":"c","count":-1.25}]}`, `{"type":"x"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		event, err := combat.DecodeEvent(data)
		if err != nil {
			return
		}
		once, err := combat.EncodeEvent(event)
		if err != nil {
			t.Fatal(err)
		}
		again, err := combat.DecodeEvent(once)
		if err != nil {
			t.Fatalf("%s cannot be read again: %v", once, err)
		}
		if twice, _ := combat.EncodeEvent(again); !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s", once, twice)
		}
	})
}

// A count is exact and in range, or refused (B65, B67).
func FuzzParseCount(f *testing.F) {
	for _, seed := range []string{"15", "+2", " -3 ", "15,5", "15.25", "1e309", "٣", "-0", "9999.99", "1.005"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		count, err := combat.ParseCount(text)
		if err != nil {
			return
		}
		if count > combat.MaxCount+99 || count < -combat.MaxCount-99 {
			t.Fatalf("%q is %d", text, count)
		}
		var back combat.Count
		if err := json.Unmarshal([]byte(count.String()), &back); err != nil || back != count {
			t.Fatalf("%q is %s, which is %s: %v", text, count, back, err)
		}
	})
}

// A dice expression stays within what a table throws.
func FuzzParseDice(f *testing.F) {
	for _, seed := range []string{"2d6+3", "d20-1", "7", "100d1000", "1+1+1+1+1+1+1+1+1+1+1", "d", "2d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms, ok := combat.ParseDice(text)
		if ok != (len(terms) > 0) || len(terms) > 10 {
			t.Fatalf("%q has %d terms, %v", text, len(terms), ok)
		}
		for _, term := range terms {
			if term.Sides > 0 && (term.N < 1 || term.N > 100 || term.Sides > 1000) || term.N > combat.MaxNumber {
				t.Fatalf("%q: %+v", text, term)
			}
		}
	})
}
