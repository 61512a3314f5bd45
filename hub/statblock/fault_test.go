package statblock

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"riposte/combat"
)

// A file that is none of those we know says what is wrong with it, and offers
// nothing (B68).
func TestFilesThatAreNone(t *testing.T) {
	for name, test := range map[string]struct {
		text, code string
		line       int
	}{
		"nothing":             {"", FaultEmpty, 0},
		"white space":         {" \n\t ", FaultEmpty, 0},
		"a mark and no more":  {"\xef\xbb\xbf", FaultEmpty, 0},
		"broken off":          {`{"name":"Ash",`, FaultTruncated, 1},
		"broken in a text":    {"[\n{\"name\":\"As", FaultTruncated, 2},
		"a comma too many":    {"{\n  \"name\": \"Ash\",\n}", FaultJSON, 3},
		"a bare NaN":          {`{"name":"Ash","hp":NaN}`, FaultJSON, 1},
		"two texts":           {`{"name":"Ash","hp":1} {}`, FaultJSON, 1},
		"a picture":           {"\x89PNG\r\n\x1a\n\x00\x00", FaultBinary, 0},
		"a spreadsheet":       {"PK\x03\x04rest", FaultBinary, 0},
		"zeros":               {"name\x00,hp", FaultEncoding, 0},
		"another encoding":    {"nom;PV\n\xc9claireur;7", FaultEncoding, 0},
		"half a letter":       {"\xff\xfen\x00o", FaultEncoding, 0},
		"deep":                {strings.Repeat(`{"a":[`, 30_000), FaultDeep, 0},
		"deep and whole":      {strings.Repeat(`[`, 80) + strings.Repeat(`]`, 80), FaultDeep, 0},
		"an empty list":       {`[]`, FaultNoCreatures, 0},
		"an empty list, ours": {`{"format":"riposte-creatures/1","creatures":[]}`, FaultNoCreatures, 0},
		"an empty page":       {`{"count":0,"results":[]}`, FaultNoCreatures, 0},
		"an empty export":     {`{"ImprovedInitiative.Creatures":"[]"}`, FaultNoCreatures, 0},
		"an empty encounter":  {`{"Combatants":[]}`, FaultNoCreatures, 0},
		"only a header":       {"name,hp\n", FaultNoCreatures, 0},
		"something else":      {`{"name":"left-pad","version":"1.3.0"}`, FaultFormat, 0},
		"a list of others":    {`[{"name":"left-pad","version":"1.3.0"},7]`, FaultFormat, 0},
		"prose":               {"It was a dark night.", FaultFormat, 0},
		"a page":              {"<!DOCTYPE html><html></html>", FaultFormat, 0},
		"names and links":     {`{"count":1,"results":[{"index":"x","name":"X","url":"/api/x"}]}`, FaultOnlyNames, 0},
		"no name column":      {"hp,ac\n7,12\n", FaultNoNameColumn, 1},
	} {
		got := Read([]byte(test.text), fiveE)
		if len(got.Creatures) != 0 || len(got.Faults) != 1 || got.Faults[0].Code != test.code || got.Faults[0].Line != test.line {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// The place in the line as well.
	if got := Read([]byte("{\n  \"né\": 1,,\n}"), fiveE).Faults[0]; got.Line != 2 || got.Params["column"] != 11 {
		t.Errorf("%+v", got)
	}
}

// A file with a byte order mark is read as what it is (B68).
func TestEncodings(t *testing.T) {
	text := `[{"name":"Élan 🦌","hp":7}]`
	for name, data := range map[string][]byte{
		"UTF-8":    append([]byte("\xef\xbb\xbf"), text...),
		"UTF-16LE": utf16Text(binary.LittleEndian, text),
		"UTF-16BE": utf16Text(binary.BigEndian, text),
	} {
		got := Read(data, fiveE)
		if len(got.Creatures) != 1 || got.Creatures[0].Creature.Name != "Élan 🦌" || len(got.Faults) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func utf16Text(order binary.AppendByteOrder, text string) []byte {
	data := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		data = order.AppendUint16(data, unit)
	}
	return data
}

// A creature with a fault is named with its place, and the sound ones beside it
// are whole.
func TestFaultsOfCreatures(t *testing.T) {
	got := Read([]byte(`{"format":"riposte-creatures/1","creatures":[
		{"name":"Sound","hp":7},
		{"hp":7},
		{"name":"  ","hp":7},
		{"name":"Vast","hp":1e309},
		{"name":"Torn","hp":"lots"},
		{"name":"Bent","hp":7.5},
		{"name":"Less","hp":-1},
		{"name":"Crowd","hp":7,"times":51},
		{"name":"Part","hp":7,"times":1.5},
		"Ghost",
		{"name":"Sound too","hp":"7"}]}`), fiveE)
	var faults []string
	for _, f := range got.Faults {
		faults = append(faults, fmt.Sprint(f.Where, " ", f.Name, " ", f.Code, " ", f.Params["field"], " ", f.Params["value"]))
	}
	want := []string{
		"creatures[1]  no_name <nil> <nil>", "creatures[2]  no_name <nil> <nil>", "creatures[3].hp Vast bad_value hp 1e309",
		"creatures[4].hp Torn bad_value hp lots", "creatures[5].hp Bent bad_value hp 7.5", "creatures[6].hp Less bad_value hp -1",
		"creatures[7].times Crowd bad_value times 51", "creatures[8].times Part bad_value times 1.5", "creatures[9]  no_creature <nil> <nil>",
	}
	if !slices.Equal(faults, want) {
		t.Errorf("%s", strings.Join(faults, "\n"))
	}
	if len(got.Creatures) != 2 || got.Creatures[0].Creature.Name != "Sound" || got.Creatures[1].Creature.Name != "Sound too" || got.Creatures[1].Creature.HP != 7 {
		t.Errorf("%+v", got.Creatures)
	}
	// In a table the line is said.
	rows := Read([]byte("name,hp\nSound,7\n\"Torn\nin two\",x\nOpen,\"7\n"), fiveE)
	if len(rows.Creatures) != 1 || len(rows.Faults) != 2 || rows.Faults[0].Line != 3 || rows.Faults[0].Name != "Torn in two" ||
		rows.Faults[1].Line != 5 || rows.Faults[1].Code != FaultQuote {
		t.Errorf("%+v", rows)
	}
}

// What can be done without is left out with a warning that names it.
func TestWarnings(t *testing.T) {
	got := Read([]byte(`[{"name":"Odd","hp":9,"current":12,"ac":"high","mod":"2+@dex","init":"abc","speed":"fast","temp":-4,"kind":"god","recharge":{"Roar":7},"stats":{"dex":900,"luck":3},"times":2}]`), fiveE)
	if len(got.Creatures) != 1 || len(got.Faults) != 0 {
		t.Fatalf("%+v", got)
	}
	if line := short(got.Creatures[0]); line != `{"name":"Odd","side":"foes","kind":"npc","hp":9,"current":9,"times":2} `+
		`current:clamped mod:left_out init:left_out temp:left_out ac:left_out speed:left_out recharge:left_out dex:left_out kind:left_out` {
		t.Error(line)
	}
	if len(got.Warnings) != 1 || got.Warnings[0].Params["what"] != "luck" {
		t.Errorf("%+v", got.Warnings)
	}
	long := Read([]byte(`[{"name":"`+strings.Repeat("é", 300)+`","hp":1,"times":50}]`), fiveE)
	if len(long.Creatures) != 1 || long.Creatures[0].Warnings[0].Code != WarnShortened || len([]rune(long.Creatures[0].Creature.Name)) > 72 {
		t.Errorf("%+v", long)
	}
	special := Read([]byte(`[{"Name":"Quick","HP":{"Value":5},"InitiativeSpecialRoll":"take-ten"},{"Name":"Sly","HP":{"Value":5},"InitiativeAdvantage":true}]`), fiveE)
	if special.Creatures[0].Warnings[0].Params["what"] != "take-ten" || special.Creatures[1].Warnings[0].Params["what"] != "advantage" {
		t.Errorf("%+v", special)
	}
}

// Names are text, letter for letter; only what no line can hold goes (B62).
func TestNamesAreText(t *testing.T) {
	for given, want := range map[string]string{
		`<img src=x onerror=\"window.__x=1\">`: `<img src=x onerror="window.__x=1">`,
		`**Ash** {@b x}`:                       `**Ash** {@b x}`,
		`Ash\u0000\n\tof\u0007  Fen\ud800`:     `Ash of Fen`,
		`=1+2`:                                 `=1+2`,
	} {
		got := Read([]byte(`[{"name":"`+given+`","hp":1}]`), fiveE)
		if len(got.Creatures) != 1 || got.Creatures[0].Creature.Name != want {
			t.Errorf("%s: %+v", given, got)
		}
	}
}

// A file is read up to a number of creatures, and so are its faults.
func TestTooMany(t *testing.T) {
	sound := Read([]byte(`[`+strings.Repeat(`{"name":"Ant","hp":1},`, 700)+`{"name":"Ant","hp":1}]`), fiveE)
	if len(sound.Creatures) != maxCreatures || len(sound.Faults) != 1 || sound.Faults[0].Code != FaultManyCreatures {
		t.Errorf("%d creatures, %+v", len(sound.Creatures), sound.Faults)
	}
	if exact := Read([]byte(`[`+strings.Repeat(`{"name":"Ant","hp":1},`, maxCreatures-1)+`{"name":"Ant","hp":1}]`), fiveE); len(exact.Faults) != 0 {
		t.Errorf("%+v", exact.Faults)
	}
	bad := Read([]byte("name,hp\n"+strings.Repeat("Ant,x\n", 300)), fiveE)
	if len(bad.Faults) != maxFaults+1 || bad.Faults[maxFaults].Code != FaultManyFaults || bad.Faults[maxFaults].Params["n"] != 200 {
		t.Errorf("%d faults, the last %+v", len(bad.Faults), bad.Faults[len(bad.Faults)-1])
	}
	wide := Read([]byte("name"+strings.Repeat(",x", 200)+"\nA\n"), fiveE)
	if len(wide.Faults) != 1 || wide.Faults[0].Code != FaultColumns {
		t.Errorf("%+v", wide.Faults)
	}
	cell := Read([]byte("name,notes\nA,"+strings.Repeat("x", maxCell+1)+"\nB,ok\n"), fiveE)
	if len(cell.Creatures) != 1 || len(cell.Faults) != 1 || cell.Faults[0].Code != FaultLongCell || cell.Faults[0].Line != 2 {
		t.Errorf("%+v", cell)
	}
	if bytes.Contains([]byte(fmt.Sprint(cell.Faults)), []byte("xxxx")) {
		t.Error("a fault repeats what is too long")
	}
	if combat.MaxCombatants > maxCreatures {
		t.Error("a file may hold fewer than an encounter")
	}
}
