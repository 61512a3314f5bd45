package combat_test

import (
	"strings"
	"testing"

	"riposte/combat"
)

// B65: what is a number and what is not, by name of the field.
func TestB65Numbers(t *testing.T) {
	for text, want := range map[string]combat.Count{`"+2"`: 200, `" 2 "`: 200, `2`: 200, `0`: 0, `"15,5"`: 1550, `15.25`: 1525, `-3`: -300} {
		c, refusal := combat.DecodeCommand([]byte(`{"type":"setInitiative","combatant":"c","count":` + text + `}`))
		if refusal != nil || c.(combat.SetInitiative).Count != want {
			t.Errorf("%s: %v %v", text, c, refusal)
		}
	}
	for _, text := range []string{`""`, `"abc"`, `"2+@dex"`, `1e309`, `"٣"`, `"NaN"`, `"Infinity"`, `15.255`, `[]`} {
		_, refusal := combat.DecodeCommand([]byte(`{"type":"setInitiative","combatant":"c","count":` + text + `}`))
		if refusal == nil || refusal.Code != "bad_value" || refusal.Params["field"] != "count" {
			t.Errorf("%s: %v", text, refusal)
		}
	}
}

// B65: null is no number either.
func TestB65Null(t *testing.T) {
	b := quartet(t, nil)
	before := *b.state.Combatant(b.ids["Ash"]).Init
	c, refusal := combat.DecodeCommand([]byte(`{"type":"setInitiative","combatant":"` + string(b.ids["Ash"]) + `","count":null}`))
	if refusal == nil {
		t.Errorf("null was read as %v; Ash stands at %v", c, before)
	}
}

// B68: a broken or enormous text is refused, and by its command only.
func TestB68BrokenText(t *testing.T) {
	for _, text := range []string{"", `{"name":"Ash",`, "\x89PNG\r\n", `[]`, "null", "\ufeff{}", `{"type":1}`,
		strings.Repeat("[", 30_000), `{"type":"say","text":"x"}{}`} {
		if c, refusal := combat.DecodeCommand([]byte(text)); refusal == nil {
			t.Errorf("%.20q was read as %v", text, c)
		}
	}
}

// B61: a limit counts what a reader sees, and a name comes back as it was
// given.
func TestB61NamesCountedAsSeen(t *testing.T) {
	for _, letter := range []string{"é", "e\u0301", "🧙‍♂️", "🇫🇷", "x"} {
		b := newTable(t, nil)
		name := strings.Repeat(letter, combat.MaxName)
		b.do("", combat.AddCombatant{Name: name})
		if got := b.state.Combatants[0].Name; got != name {
			t.Errorf("%q came back as %q", name, got)
		}
		b.refused(b.by(""), combat.AddCombatant{Name: name + letter}, "too_long")
	}
}
