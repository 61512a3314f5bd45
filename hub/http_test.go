package hub_test

import (
	"net/http"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// The view over HTTP is the view on the socket, and its number is its ETag.
func TestViewOverHTTP(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	get := func(token string, header ...string) hubtest.Answer {
		return hubtest.Request(t, http.MethodGet, b.Path(), token, nil, header...)
	}
	first := get(b.seat1.Token)
	tag := first.Header.Get("ETag")
	if first.Status != http.StatusOK || tag == "" || first.Header.Get("Vary") != "Authorization" || first.Header.Get("Cache-Control") != "private, no-store" {
		t.Fatalf("%d %v", first.Status, first.Header)
	}
	view := map[string]string{}
	for key, value := range decode[map[string]any](t, first.Body) {
		view[key] = encode(t, value)
	}
	shown := map[string]string{}
	for key, value := range b.p1.View() {
		shown[key] = encode(t, decode[any](t, []byte(value)))
	}
	same(t, "HTTP", shown, view)
	for _, header := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		if again := get(b.seat1.Token, "If-None-Match", header); again.Status != http.StatusNotModified || len(again.Body) != 0 {
			t.Errorf("If-None-Match %s: %d", header, again.Status)
		}
	}
	b.gm.Must(combat.Note{Text: "P1 does not see this"})
	if again := get(b.seat1.Token, "If-None-Match", tag); again.Status != http.StatusNotModified {
		t.Errorf("after a hidden change: %d", again.Status)
	}
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	if again := get(b.seat1.Token, "If-None-Match", tag); again.Status != http.StatusOK || again.Header.Get("ETag") == tag {
		t.Errorf("after a change: %d %s", again.Status, again.Header.Get("ETag"))
	}
}

// B69: what is exported can be imported, as often as one likes: the same fight
// goes on, with new links, and exported again it is the same but for ids and dates.
func TestB69ExportImport(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.Must(withCount(shade, 13))
	b.gm.Must(combat.ImportCombatants{Combatants: []combat.AddCombatant{withCount(combat.AddCombatant{Name: "Goblin", HP: 7}, 5), withCount(combat.AddCombatant{Name: "Goblin", HP: 7}, 4)}})
	b.start()
	b.gm.Must(combat.SetInitiative{Combatant: b.id["Dune"], Count: 550})
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	b.gm.Must(combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 4})
	exported := hubtest.Request(t, http.MethodGet, b.Path()+"/export", b.Tokens[combat.RoleGM], nil)
	for _, secret := range []string{b.Tokens[combat.RoleGM], hubtest.Hash(b.Tokens[combat.RoleGM]), hubtest.Hash(b.seat1.Token), `"keys"`, `"key"`} {
		if strings.Contains(string(exported.Body), secret) {
			t.Errorf("the export holds %s", secret)
		}
	}
	var created hub.Created
	for range 2 {
		answer := hubtest.Request(t, http.MethodPost, b.URL+"/api/encounters/import", "", exported.Body)
		if answer.Status != http.StatusCreated {
			t.Fatalf("import: %d %s", answer.Status, answer.Body)
		}
		if created.ID == decode[hub.Created](t, answer.Body).ID {
			t.Fatal("imported twice into one encounter")
		}
		created = decode[hub.Created](t, answer.Body)
	}
	other := *b.Table
	other.ID, other.Tokens = created.ID, created.Tokens
	gm := other.Join(created.Tokens[combat.RoleGM])
	if len(gm.Combatants()) != 7 || gm.Turn().Combatant != b.id["Birch"] || hp(t, gm, b.id["Cedar"]) != 26 {
		t.Fatalf("%d combatants, active %s", len(gm.Combatants()), gm.Turn().Combatant)
	}
	first, second := decode[hub.Export](t, exported.Body).State, other.Export().State
	for _, s := range []*combat.State{first, second} {
		s.ID, s.At, s.Seq, s.Seats = "", 0, 0, nil
		for _, c := range s.Combatants {
			c.Seat = ""
		}
		for _, f := range s.Stack {
			f.StartedAt = 0
		}
		s.Last = nil
	}
	if encode(t, first) != encode(t, second) {
		t.Errorf("exported %s\nagain    %s", encode(t, first), encode(t, second))
	}
	gm.Must(combat.EndTurn{Combatant: b.id["Birch"]})
	// The links of the old one are nothing here.
	if got := hubtest.Request(t, http.MethodGet, other.Path(), b.Tokens[combat.RoleGM], nil); got.Status != http.StatusUnauthorized {
		t.Errorf("the old token: %d", got.Status)
	}
}

// B73: what belongs to the table is not kept by one browser.
func TestB73GroupAcrossRestart(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.Must(withCount(combat.AddCombatant{Name: "Goblin", Group: "Goblins", Times: 4, HP: 7}, 13))
	members := func(c *hubtest.Client) (n int) {
		for _, one := range c.Combatants() {
			if one.Group == "Goblins" && *one.Initiative == combat.Whole(13) {
				n++
			}
		}
		return n
	}
	for _, c := range []*hubtest.Client{b.gm, b.Join(b.Tokens[combat.RoleGM])} {
		if got := members(c); got != 4 {
			t.Fatalf("%d members at 13, want 4", got)
		}
	}
	again := b.On(b.server.Again().URL)
	for range 2 {
		if got := members(again.Join(b.Tokens[combat.RoleGM])); got != 4 {
			t.Fatalf("%d members at 13, want 4", got)
		}
	}
}

// HEAD is answered as GET is, without the body.
func TestHead(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	get := hubtest.Request(t, http.MethodGet, b.Path(), b.seat1.Token, nil)
	head := hubtest.Request(t, http.MethodHead, b.Path(), b.seat1.Token, nil)
	if head.Status != http.StatusOK || head.Header.Get("ETag") != get.Header.Get("ETag") || len(head.Body) != 0 {
		t.Fatalf("%d %v", head.Status, head.Header)
	}
}

// A page of another site can neither make anything nor open a socket. It can
// send forms and text without being asked, so those are no JSON to us.
func TestOtherSites(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""} {
		answer := hubtest.Request(t, http.MethodPost, b.URL+"/api/encounters", "", `{"rules":"dnd5e"}`, "Content-Type", kind)
		if answer.Status != http.StatusUnsupportedMediaType || answer.Problem(t).Code != "unsupported_media_type" {
			t.Errorf("%q: %d %s", kind, answer.Status, answer.Body)
		}
	}
	if answer := hubtest.Request(t, http.MethodPost, b.URL+"/api/encounters", "", `{"rules":"dnd5e"}`, "Content-Type", "application/json; charset=utf-8"); answer.Status != http.StatusCreated {
		t.Errorf("JSON: %d %s", answer.Status, answer.Body)
	}
	for _, origin := range []string{"https://example.com", "null", "http://", "http://%"} {
		answer := hubtest.Request(t, http.MethodGet, b.URL+"/ws", "", nil, "Origin", origin, "Sec-WebSocket-Protocol", hub.Subprotocol)
		if answer.Status != http.StatusForbidden || answer.Problem(t).Code != "forbidden" {
			t.Errorf("%s: %d %s", origin, answer.Status, answer.Body)
		}
	}
}
