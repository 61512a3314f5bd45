package statblock

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"riposte/combat"
)

// Numbers are read as people and programs write them, and nothing else is
// (B65).
func TestNumbers(t *testing.T) {
	for raw, want := range map[string]any{
		`"+2"`: 2, `" 2 "`: 2, `2`: 2, `2.0`: 2, `"-3"`: -3, `"−3"`: -3, `1e2`: 100, `"007"`: 7, `-0`: 0,
		`""`: nil, `"abc"`: nil, `null`: nil, `"2+@dex"`: nil, `1e309`: nil, `"1e309"`: nil, `"٣"`: nil, `true`: nil, `[]`: nil, `{}`: nil,
		`2.5`: nil, `"2,5"`: nil, `"2."`: nil, `"Infinity"`: nil, `"NaN"`: nil, `9999999999`: nil, `"+-2"`: nil, `"2 000"`: nil, `"0x10"`: nil,
	} {
		got, ok := node{raw: []byte(raw)}.whole()
		if ok != (want != nil) || ok && got != want {
			t.Errorf("%s: %v %v", raw, got, ok)
		}
	}
	for raw, want := range map[string]string{
		`"12,5"`: "12.5", `12.5`: "12.5", `"15.25"`: "15.25", `13.1400001`: "13.14", `-4`: "-4", `"+2"`: "2", `0`: "0",
		`"12,345"`: "", `"1,2,3"`: "", `"x"`: "", `1e9`: "", `null`: "", `"1e1"`: "",
	} {
		got, ok := node{raw: []byte(raw)}.count()
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("count %s: %s %v", raw, got, ok)
		}
	}
	for text, want := range map[string]int{"2d6": 7, "2d6+3": 10, "4D8 + 4": 22, "(7d10+14)": 52, "d8": 4, "1d4-1": 1, "3d6 − 2": 8, "2d6+1d4": 9} {
		if got, ok := average(text); !ok || got != want {
			t.Errorf("%s: %d %v", text, got, ok)
		}
	}
	for _, text := range []string{"7", "", "d", "2d", "2dx", "2d6+", "2d6 fire", "2d6*3", strings.Repeat("1d6+", 50) + "1d6"} {
		if got, ok := average(text); ok {
			t.Errorf("%s: %d", text, got)
		}
	}
	for text, want := range map[string]int{"30 ft.": 30, "30": 30, "9 m": 30, "7,5 m": 25, "1.5 mètres": 5, "fly 60 ft. (hover)": 60, "40 pies": 40, "12 metros": 40} {
		if got, _, ok := feet(text); !ok || got != want {
			t.Errorf("%s: %d %v", text, got, ok)
		}
	}
	for text, want := range map[string]int{"15 (natural armor)": 15, "11": 11, " +3 (x) ": 3} {
		if got, ok := parseNoted(text); !ok || got != want {
			t.Errorf("%s: %d %v", text, got, ok)
		}
	}
	for score, want := range map[int]int{1: -5, 8: -1, 9: -1, 10: 0, 11: 0, 20: 5, 30: 10} {
		if got := modifier(score); got != want {
			t.Errorf("score %d: %d", score, got)
		}
	}
}

// A modifier that is no number leaves the creature without one; dice for hit
// points are their mean, and both are said (B65, B67).
func TestNumbersOfFormats(t *testing.T) {
	for block, want := range map[string]string{
		`{"Name":"A","HP":{"Value":"22 (4d8+4)"},"InitiativeModifier":"+2"}`:       `{"name":"A","side":"foes","kind":"npc","mod":2,"hp":22,"times":1}`,
		`{"Name":"A","HP":{"Value":"4d8+4"},"InitiativeModifier":" 2 "}`:           `{"name":"A","side":"foes","kind":"npc","mod":2,"hp":22,"times":1} hp:averaged`,
		`{"Name":"A","HP":{"Value":5},"InitiativeModifier":"2+@dex"}`:              `{"name":"A","side":"foes","kind":"npc","hp":5,"times":1} mod:left_out`,
		`{"Name":"A","HP":{"Value":5},"InitiativeModifier":1e309}`:                 `{"name":"A","side":"foes","kind":"npc","hp":5,"times":1} mod:left_out`,
		`{"Name":"A","HP":{"Value":5},"AC":{"Value":"16 (shield)"}}`:               `{"name":"A","side":"foes","kind":"npc","hp":5,"ac":16,"times":1}`,
		`{"Name":"A","HP":{"Value":5},"InitiativeModifier":null,"AC":null}`:        `{"name":"A","side":"foes","kind":"npc","hp":5,"times":1}`,
		`{"StatBlock":{"Name":"A","HP":{"Value":5}},"Initiative":"12,5"}`:          `{"name":"A","side":"foes","kind":"npc","init":12.5,"hp":5,"times":1}`,
		`{"StatBlock":{"Name":"A","HP":{"Value":5}},"Initiative":"١٢"}`:            `{"name":"A","side":"foes","kind":"npc","hp":5,"times":1} init:left_out`,
		`{"name":"A","hit_points":"2d6","armor_class":true,"strength":3}`:          `{"name":"A","side":"foes","kind":"npc","hp":7,"stats":{"save.str":-4},"times":1} hp:averaged ac:left_out`,
		`{"name":"A","hp":{"average":null,"formula":"2d6"},"ac":[13],"speed":40}`:  `{"name":"A","side":"foes","kind":"npc","hp":7,"ac":13,"speed":40,"times":1} hp:averaged`,
		`{"name":"A","hp":{"special":"as its host"},"ac":[{"ac":13}],"speed":"9"}`: `{"name":"A","side":"foes","kind":"npc","ac":13,"speed":9,"times":1} hp:left_out`,
	} {
		got := Read([]byte(block), fiveE)
		if len(got.Creatures) != 1 || short(got.Creatures[0]) != want {
			t.Errorf("%s:\n%+v", block, got)
			continue
		}
	}
	signed := Read([]byte("name,initiative\nA,+3\nB,-1\nC,14\n"), fiveE).Creatures
	if signed[0].Creature.Mod != 3 || signed[0].Creature.Init != nil || signed[1].Creature.Mod != -1 || *signed[2].Creature.Init != combat.Whole(14) {
		t.Errorf("%+v", signed)
	}
}

// Markup of other programs goes, and what a reader sees stays.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"<p>One <strong>two</strong></p><p>three&nbsp;&amp; four</p>": "One two three & four",
		"a<b>c</b>d < e > f":                                                                        "acd < e > f",
		"<script>alert(1)</script>x<style>y</style>":                                                "x",
		"<!-- a --><img src=x onerror=y>z":                                                          "z",
		"&lt;img src=x&gt;":                                                                         "<img src=x>",
		"**bold** _it_ ***both*** `code` [link](http://x) snake_case_name":                          "bold it both code link snake_case_name",
		"## Head\n- one\n> two":                                                                     "Head one two",
		"{@creature goblin|MM|sneak} {@dc 12} {@hit 5} {@h}{@damage 2d6}":                           "sneak DC 12 +5 Hit: 2d6",
		"{@b {@i x}} {@atk mw,rw} {@recharge} {@recharge 5}":                                        "x Melee Weapon Attack:,Ranged Weapon Attack: (Recharge 6) (Recharge 5–6)",
		"@UUID[Compendium.a.b]{Label} @Embed[x y] &Reference[prone] [[/damage 2d6 fire]]{hurt}":     "Label prone hurt",
		"[[/attack extended]]. [[/damage 1d4 slashing average]] [[lookup @name]] &amp;Reference[x]": ". 1d4 slashing x",
		"tab\tand\r\nline\x00\u2028end":                                                             "tab and line end",
		"1 * 2 {@unclosed":                                                                          "1 2 {@unclosed",
		"":                                                                                          "",
	} {
		if got := plain(text, 1000); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := plain(strings.Repeat("é", 50), 10); got != strings.Repeat("é", 9)+"…" {
		t.Errorf("%q", got)
	}
}

// What recharges, and how many legendary actions there are, is in the words.
func TestWordsOfRules(t *testing.T) {
	for text, want := range map[string]int{
		"Fire Breath (Recharge 5–6)": 5, "Fire Breath (Recharge 5-6)": 5, "Web (Recharge 6)": 6, "(recharge 4—6) Roar": 4, "Recharge 3-6": 3,
		"Web (Recharges after a Short Rest)": 0, "Recharge": 0, "Fire Breath (Recharge 9)": 0, "Fire Breath": 0,
	} {
		face, rest := readRecharge(text)
		if face != want || face > 0 && strings.Contains(strings.ToLower(rest), "recharge") {
			t.Errorf("%s: %d %q", text, face, rest)
		}
	}
	for text, want := range map[string]int{
		"The drake can take 3 legendary actions, choosing": 3, "It can take two legendary actions": 2, "Legendary Action Uses: 3 (4 in Lair)": 3,
		"Le drake peut effectuer 3 actions légendaires": 3, "It can take 3 steps": 0, "": 0,
	} {
		if got := legendaryCount(text); got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
	s := &sheet{rules: rulesOf(fiveE)}
	for _, name := range []string{"Parry", "Counterspell (3/Day)", "BOUCLIER", "Shield of Faith", "Riposte", "Uncanny Dodge"} {
		s.answer(name)
	}
	if want := []string{"parry", "counterspell", "shield", "uncannyDodge"}; !slices.Equal(s.add.Answers, want) {
		t.Errorf("%v", s.add.Answers)
	}
	s = &sheet{rules: rulesOf(sf)}
	if s.answer("Parry"); len(s.add.Answers) != 0 {
		t.Errorf("%v", s.add.Answers)
	}
}

// Tables are read by RFC 4180, whatever the delimiter.
func TestTable(t *testing.T) {
	for text, want := range map[string][][]string{
		"a,b\n1,2":                              {{"a", "b"}, {"1", "2"}},
		"a;b\r\n1,5;2\r\n":                      {{"a", "b"}, {"1,5", "2"}},
		"a\tb\r1\t2":                            {{"a", "b"}, {"1", "2"}},
		"sep=|\na|b;c\n":                        {{"a", "b;c"}},
		"\"a,b\";\"c\n\"\"d\"\"\";e\n\n ; \n;x": {{"a,b", "c\n\"d\"", "e"}, {"", "x"}},
		" a , \"b\" ,c":                         {{"a", "b", "c"}},
		"a,":                                    {{"a", ""}},
	} {
		table := newTable(text)
		var got [][]string
		for {
			cells, _, fault := table.row()
			if fault != nil || cells == nil {
				break
			}
			got = append(got, cells)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	table := newTable("a,b\n\"x\"y,2\n3,4\n")
	for i, want := range []struct {
		line int
		code string
	}{{1, ""}, {2, FaultQuote}, {3, ""}} {
		cells, line, fault := table.row()
		if line != want.line || (fault == nil) != (want.code == "") || fault != nil && (fault.Code != want.code || fault.Line != line) {
			t.Errorf("row %d: %q line %d %+v", i, cells, line, fault)
		}
	}
	guarded := Read([]byte("name,notes,init_mod\n'=SUM,'-x,-2\n"), fiveE).Creatures[0].Creature
	if guarded.Name != "=SUM" || guarded.Notes != "-x" || guarded.Mod != -2 {
		t.Errorf("%+v", guarded)
	}
}

// Walking a text where it lies finds what decoding it finds.
func TestWalk(t *testing.T) {
	text := ` { "a" : [ 1 , "x,]}\"" , {"b":{}} , [] , null, true , -1.5e3 ] , "c":{"d":"e"}, "a\u0062":1, "c":{"d":"last"} } `
	root := rootOf([]byte(text), "")
	var kinds []byte
	for one := range root.get("a").elements(100) {
		kinds = append(kinds, one.kind())
	}
	if string(kinds) != `1"{[nt-` {
		t.Errorf("%s", kinds)
	}
	if got := root.get("c", "d"); got.text(99) != "last" || got.path != "c.d" {
		t.Errorf("%+v", got)
	}
	var keys []string
	for key := range root.members(100) {
		keys = append(keys, key)
	}
	if !slices.Equal(keys, []string{"a", "c", "ab", "c"}) {
		t.Errorf("%q", keys)
	}
	if root.get("a").text(9) != "" || root.get("x", "y").given() || root.get("c", "d", "e").given() {
		t.Error("there is something where there is nothing")
	}
	for _, raw := range []string{`"\u00e9\u00e9\u00e9\u00e9"`, `"éééé"`, `"\\\\\\\\"`, `"\ud83e\udd8c\ud83e\udd8c"`} {
		for limit := 1; limit < len(raw)+2; limit++ {
			var whole string
			if err := json.Unmarshal([]byte(raw), &whole); err != nil {
				t.Fatal(err)
			}
			if got := (node{raw: []byte(raw)}).text(limit); !strings.HasPrefix(whole, strings.TrimRight(got, "\ufffd")) {
				t.Errorf("%s cut at %d: %q", raw, limit, got)
			}
		}
	}
}
