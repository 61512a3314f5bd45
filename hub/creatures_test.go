package hub_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
	"riposte/hub/statblock"
)

// send asks what creatures a file holds.
func send(t *testing.T, url string, body any, header ...string) hubtest.Answer {
	t.Helper()
	return hubtest.Request(t, http.MethodPost, url+"/api/creatures?rules=dnd5e", "", body, header...)
}

// A file is read by whatever name it comes, and what is offered can be added.
func TestCreaturesOfAFile(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	data, err := os.ReadFile("statblock/testdata/improved-list.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"application/json", "text/plain; charset=utf-8", "application/octet-stream", "text/csv"} {
		answer := send(t, b.URL, data, "Content-Type", kind)
		found := decode[statblock.CreatureFile](t, answer.Body)
		if answer.Status != http.StatusOK || found.Format != statblock.FormatImproved || len(found.Creatures) != 2 || answer.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%s: %d %s", kind, answer.Status, answer.Body)
		}
		var add combat.ImportCombatants
		for _, c := range found.Creatures {
			add.Combatants = append(add.Combatants, c.Creature)
		}
		b.gm.Must(add)
	}
	if got := len(b.gm.Combatants()); got != 4+8 {
		t.Errorf("%d combatants", got)
	}
}

// What somebody sends that is no such file gets a reason, and the table does not
// notice (B68).
func TestB68FilesThatAreNone(t *testing.T) {
	b := quartet(t, hub.Limits{PreviewRate: 1e6, PreviewBurst: 1e6}, nil)
	before := b.seqOf(b.Tokens[combat.RoleGM])
	for name, body := range map[string]string{
		"broken off": `{"name":"Ash",`, "nothing": "", "a picture": "\x89PNG\r\n\x1a\n\x00", "an empty list": `[]`,
		"deep": strings.Repeat(strings.Repeat(`[`, 30), 1000), "another format": `{"name":"x"}`,
	} {
		answer := send(t, b.URL, body)
		found := decode[statblock.CreatureFile](t, answer.Body)
		if answer.Status != http.StatusOK || len(found.Creatures) != 0 || len(found.Faults) != 1 || found.Faults[0].Code == "" {
			t.Errorf("%s: %d %s", name, answer.Status, answer.Body)
		}
		b.p2.Must(combat.Say{Text: "still here"})
	}
	if after := b.seqOf(b.Tokens[combat.RoleGM]); after != before+6 {
		t.Errorf("the counter went from %d to %d", before, after)
	}
}

// The endpoint has its bounds: what it takes, from where, how much, how often.
func TestCreaturesBounds(t *testing.T) {
	server := hubtest.Start(t, hub.Limits{ImportBytes: 1000, PreviewRate: 0.001, PreviewBurst: 7})
	post := func(path, body string, header ...string) hubtest.Answer {
		return hubtest.Request(t, http.MethodPost, server.URL+path, "", body, header...)
	}
	for _, test := range []struct {
		name    string
		answer  hubtest.Answer
		status  int
		code    string
		allowed string
	}{
		{"unknown rules", post("/api/creatures?rules=whist", `[]`), 400, "bad_value", ""},
		{"no rules", post("/api/creatures", `[]`), 400, "bad_value", ""},
		{"a form", post("/api/creatures?rules=dnd5e", `a=b`, "Content-Type", "application/x-www-form-urlencoded"), 415, "unsupported_media_type", ""},
		{"no type", post("/api/creatures?rules=dnd5e", `[]`, "Content-Type", ""), 415, "unsupported_media_type", ""},
		{"another site", post("/api/creatures?rules=dnd5e", `[]`, "Origin", "https://example.com"), 403, "forbidden", ""},
		{"our own page", post("/api/creatures?rules=dnd5e", `[]`, "Origin", server.URL), 200, "", ""},
		{"too large", post("/api/creatures?rules=dnd5e", strings.Repeat(" ", 1001)), 413, "too_large", ""},
		{"just not", post("/api/creatures?rules=dnd5e", strings.Repeat(" ", 1000)), 200, "", ""},
		{"to be read", hubtest.Request(t, http.MethodGet, server.URL+"/api/creatures?rules=dnd5e", "", nil), 405, "method_not_allowed", "POST"},
		{"the seventh", post("/api/creatures?rules=dnd5e", `[]`), 200, "", ""},
		{"the eighth", post("/api/creatures?rules=dnd5e", `[]`), 429, "rate_limited", ""},
	} {
		code := ""
		if test.answer.Status >= 400 {
			code = test.answer.Problem(t).Code
		}
		if test.answer.Status != test.status || code != test.code || test.answer.Header.Get("Allow") != test.allowed {
			t.Errorf("%s: %d %s", test.name, test.answer.Status, test.answer.Body)
		}
	}
}
