package hub_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

const goodID = "0b9f3a52-6f1e-4b7a-9c55-0123456789ab"

// What is no message is refused by name, changes nothing, and the socket
// stays.
func TestBadMessages(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	before := b.seqOf(b.Tokens[combat.RoleGM])
	for _, test := range []struct{ text, id, code, field string }{
		{`{"type":"do"`, "", "bad_value", "message"},
		{``, "", "bad_value", "message"},
		{`null`, "", "bad_value", "type"},
		{`42`, "", "bad_value", "message"},
		{`"do"`, "", "bad_value", "message"},
		{`{"type":"dance"}`, "", "bad_value", "type"},
		{`{"type":7}`, "", "bad_value", "type"},
		{`{"type":"hello","encounter":"x","token":"y"}`, "", "bad_value", "type"},
		{`{"type":"ping","t":"now"}`, "", "bad_value", "t"},
		{`{"type":"ping","t":1e999}`, "", "bad_value", "t"},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"startCombat"},"extra":1}`, goodID, "unknown_field", "extra"},
		{`{"type":"do","id":"no uuid","command":{"type":"startCombat"}}`, "no uuid", "bad_value", "id"},
		{`{"type":"do","id":7,"command":{"type":"startCombat"}}`, "", "bad_value", "id"},
		{`{"type":"do","command":{"type":"startCombat"}}`, "", "bad_value", "id"},
		{`{"type":"do","id":"` + goodID + `"}`, goodID, "bad_value", "command"},
		{`{"type":"do","id":"` + goodID + `","command":[]}`, goodID, "bad_value", "command"},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"winFight"}}`, goodID, "unknown_command", "type"},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"endTurn","combatent":"c1"}}`, goodID, "unknown_field", "combatent"},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"damage","combatants":["x"],"amount":"7"}}`, goodID, "bad_value", "amount"},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"damage","combatants":["x"],"amount":1e99}}`, goodID, "bad_value", "amount"},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"damage","combatants":["x"],"amount":99999999999999999999}}`, goodID, "bad_value", "amount"},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"damage","combatants":["x"],"amount":1.5}}`, goodID, "bad_value", "amount"},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"addSeat","seat":"s1","name":"x","key":"k"}}`, goodID, "forbidden", ""},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"windowExpired","window":"w","asked":"c"}}`, goodID, "forbidden", ""},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"turnExpired","frame":"f"}}`, goodID, "forbidden", ""},
		{`{"type":"do","id":"` + goodID + `","command":{"type":"replaceLink","role":"gm","key":"mine"}}`, goodID, "forbidden", ""},
		{`[` + strings.Repeat(`{"type":"ping","t":1},`, 64) + `{"type":"ping","t":1}]`, "", "too_many", "message"},
	} {
		c := b.Join(b.Tokens[combat.RoleGM])
		c.SendText(test.text)
		var got hub.Reject
		if test.id == "" {
			got = c.WaitLoose(1)
		} else if reply := c.Answer(test.id); reply.Reject != nil {
			got = *reply.Reject
		}
		field, _ := got.Params["field"].(string)
		if got.Code != test.code || field != test.field {
			t.Errorf("%.90s: %s %v, want %s %s", test.text, got.Code, got.Params, test.code, test.field)
		}
		c.Ping()
		c.Close()
	}
	if after := b.seqOf(b.Tokens[combat.RoleGM]); after != before {
		t.Fatalf("the counter went from %d to %d", before, after)
	}
}

// Several messages may come in one frame.
func TestMessagesInOneFrame(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	one, two := uuid.NewString(), uuid.NewString()
	b.gm.SendText(fmt.Sprintf(`[{"type":"do","id":%q,"command":{"type":"note","text":"1"}},{"type":"do","id":%q,"command":{"type":"note","text":"2"}}]`, one, two))
	if first, second := b.gm.Answer(one), b.gm.Answer(two); first.Ack == nil || second.Ack == nil || second.Ack.Seq != first.Ack.Seq+1 {
		t.Fatalf("%+v, %+v", first, second)
	}
}

// What ends a socket says why.
func TestSocketEnds(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	unknown := uuid.NewString()
	other := hubtest.Create(t, b.URL, nil)
	for _, test := range []struct {
		name   string
		act    func(*hubtest.Client)
		code   string
		status int
	}{
		{"a message of 1 MB", func(c *hubtest.Client) {
			c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.seat1.Token})
			c.SendText(`{"type":"do","id":"` + goodID + `","command":{"type":"say","text":"` + strings.Repeat("x", 1<<20) + `"}}`)
		}, "too_large", 1009},
		{"a first message of 1 MB", func(c *hubtest.Client) { c.SendText(strings.Repeat(" ", 1<<20)) }, "too_large", 1009},
		{"a binary frame", func(c *hubtest.Client) {
			c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.seat1.Token})
			c.SendBinary([]byte{1, 2, 3})
		}, "bad_value", 1003},
		{"no hello first", func(c *hubtest.Client) { c.Send(hub.Ping{Type: "ping"}) }, "unauthorized", 1008},
		{"a broken hello", func(c *hubtest.Client) { c.SendText(`{"type":"hello","encounter":7}`) }, "bad_value", 1008},
		{"no token", func(c *hubtest.Client) { c.Send(hub.Hello{Type: "hello", Encounter: b.ID}) }, "unauthorized", 1008},
		{"a wrong token", func(c *hubtest.Client) {
			c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: "AAAAAAAAAAAAAAAAAAAAAA"})
		}, "unauthorized", 1008},
		{"another encounter's token", func(c *hubtest.Client) {
			c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: other.Tokens[combat.RoleGM]})
		}, "unauthorized", 1008},
		{"an unknown encounter", func(c *hubtest.Client) {
			c.Send(hub.Hello{Type: "hello", Encounter: combat.ID(unknown), Token: b.seat1.Token})
		}, "not_found", 1008},
		{"an unknown encounter without a token", func(c *hubtest.Client) {
			c.Send(hub.Hello{Type: "hello", Encounter: combat.ID(unknown)})
		}, "not_found", 1008},
		{"an id of no use", func(c *hubtest.Client) {
			c.Send(hub.Hello{Type: "hello", Encounter: combat.ID(strings.Repeat("x", 100_000))})
		}, "not_found", 1008},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := hubtest.Dial(t, b.URL)
			test.act(c)
			if bye, status := c.WaitEnd(); bye == nil || bye.Code != test.code || status != test.status {
				t.Fatalf("bye %+v, status %d; want %s, %d", bye, status, test.code, test.status)
			}
		})
	}
	b.p1.Ping()
}

// Whoever does not say hello in time is sent away.
func TestHelloTimeout(t *testing.T) {
	server := hubtest.Start(t, hub.Limits{HelloTimeout: 20 * time.Millisecond})
	if bye, status := hubtest.Dial(t, server.URL).WaitEnd(); bye == nil || bye.Code != "unauthorized" || status != 1008 {
		t.Fatalf("bye %+v, status %d", bye, status)
	}
}

// A message just within the limit arrives, however large the default of the
// library is (B71), and one that the rules find too long is refused by name.
func TestB71LargeMessages(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	for _, size := range []int{33 << 10, 200 << 10, 255 << 10} {
		reply := b.gm.Do(combat.Note{Text: strings.Repeat("x", size)})
		if reply.Code() != "too_long" || reply.Reject.Params["limit"] == nil {
			t.Fatalf("%d bytes: %+v", size, reply)
		}
	}
	// A large table: the welcome is far above 32 KiB.
	many := make([]combat.AddCombatant, 40)
	for i := range many {
		many[i] = combat.AddCombatant{Name: fmt.Sprintf("Orc %d", i), Kind: "npc", HP: 15, Notes: strings.Repeat("note ", 40)}
	}
	// Imports of 33 KB and more are taken, or refused with the limit.
	for _, notes := range []int{900, 5000} {
		large := slices.Clone(many)
		for i := range large {
			large[i].Notes = strings.Repeat("x", notes)
		}
		if reply := b.gm.Do(combat.ImportCombatants{Combatants: large}); reply.Ack == nil && reply.Reject.Params["limit"] == nil {
			t.Fatalf("an import of %d KB: %+v", 40*notes>>10, reply.Reject)
		}
	}
	for range 2 {
		b.gm.Must(combat.ImportCombatants{Combatants: many})
	}
	var all []combat.ID
	for _, c := range b.gm.Combatants() {
		all = append(all, c.ID)
	}
	const effects = 1000 // there are no more in an encounter
	for i := range min(10, effects/len(all)) {
		for part := all; len(part) > 0; part = part[min(40, len(part)):] {
			b.gm.Must(combat.AddEffect{Combatants: part[:min(40, len(part))], Name: fmt.Sprintf("condition %d", i)})
		}
	}
	fresh := b.Join(b.Tokens[combat.RoleGM])
	if size := len(fresh.Frames()[0]); size < 64<<10 || len(all) < 120 {
		t.Fatalf("the welcome has %d bytes only, of %d combatants", size, len(all))
	}
	same(t, "gm", fresh.View(), b.gm.View())
}

// 120 combatants with ten conditions each (B71) are more than an encounter holds:
// what is too much is refused whole, by name, and the rest stays.
func TestB71EffectsBeyondTheLimit(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	more := make([]combat.AddCombatant, 116)
	for i := range more {
		more[i] = combat.AddCombatant{Name: fmt.Sprintf("Orc %d", i), Kind: "npc", HP: 15}
	}
	b.gm.Must(combat.ImportCombatants{Combatants: more})
	var all []combat.ID
	for _, c := range b.gm.Combatants() {
		all = append(all, c.ID)
	}
	effects := func(c *hubtest.Client) (n int) {
		for key := range c.View() {
			if strings.HasPrefix(key, "effects/") {
				n++
			}
		}
		return n
	}
	had, refused := 0, 0
	for i := range 10 {
		reply := b.gm.Do(combat.AddEffect{Combatants: all, Name: fmt.Sprintf("condition %d", i)})
		if reply.Ack != nil {
			had += len(all)
			continue
		}
		if refused++; reply.Code() != "too_many" || reply.Reject.Params["field"] != "effects" || reply.Reject.Params["limit"] != float64(combat.MaxEffects) {
			t.Fatalf("condition %d: %+v", i, reply.Reject)
		}
	}
	if want := combat.MaxEffects / len(all) * len(all); had != want || refused != 10-want/len(all) {
		t.Errorf("%d effects were taken, %d times refused; there is room for %d", had, refused, want)
	}
	b.gm.Must(combat.AddEffect{Combatants: all[:combat.MaxEffects-had], Name: "the last"})
	b.gm.Refused("too_many", combat.AddEffect{Combatants: all[:1], Name: "one more"})
	fresh := b.Join(b.Tokens[combat.RoleGM])
	if effects(fresh) != combat.MaxEffects || b.gm.Welcomes() != 1 || b.gm.Bye() != nil {
		t.Errorf("%d effects; %d whole views, bye %+v", effects(fresh), b.gm.Welcomes(), b.gm.Bye())
	}
	same(t, "gm", fresh.View(), b.gm.View())
}

// Over HTTP every refusal is a problem with its code and status.
func TestHTTPRefusals(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	gm, seat := b.Tokens[combat.RoleGM], b.seat1.Token
	unknown := b.URL + "/api/encounters/" + uuid.NewString()
	command := func(text string) string { return `{"id":"` + uuid.NewString() + `","command":` + text + `}` }
	for _, test := range []struct {
		name, method, url, token string
		body                     any
		status                   int
		code                     string
	}{
		{"no JSON", "POST", b.URL + "/api/encounters", "", `{"rules"`, 400, "bad_value"},
		{"no object", "POST", b.URL + "/api/encounters", "", `[]`, 400, "bad_value"},
		{"two objects", "POST", b.URL + "/api/encounters", "", `{"rules":"dnd5e"}{}`, 400, "bad_value"},
		{"unknown field", "POST", b.URL + "/api/encounters", "", `{"rules":"dnd5e","ruels":"x"}`, 400, "unknown_field"},
		{"wrong type", "POST", b.URL + "/api/encounters", "", `{"rules":5}`, 400, "bad_value"},
		{"unknown rules", "POST", b.URL + "/api/encounters", "", `{"rules":"chess"}`, 400, "bad_value"},
		{"long title", "POST", b.URL + "/api/encounters", "", `{"rules":"dnd5e","title":"` + strings.Repeat("x", 9999) + `"}`, 400, "too_long"},
		{"large body", "POST", b.URL + "/api/encounters", "", `{"rules":"dnd5e","title":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "too_large"},
		{"method", "DELETE", b.Path(), gm, nil, 405, "method_not_allowed"},
		{"no such path", "GET", b.URL + "/api/nothing", gm, nil, 404, "not_found"},
		{"no token", "GET", b.Path(), "", nil, 401, "unauthorized"},
		{"wrong token", "GET", b.Path(), "AAAAAAAAAAAAAAAAAAAAAA", nil, 401, "unauthorized"},
		{"malformed token", "POST", b.Path() + "/commands", "x", command(`{"type":"startCombat"}`), 401, "unauthorized"},
		{"unknown encounter", "GET", unknown, gm, nil, 404, "not_found"},
		{"unknown encounter, no token", "GET", unknown, "", nil, 404, "not_found"},
		{"unknown encounter, command", "POST", unknown + "/commands", "", command(`{"type":"startCombat"}`), 404, "not_found"},
		{"seat with the GM's token", "POST", b.Path() + "/seats", gm, `{"name":"x"}`, 403, "forbidden"},
		{"seat with a seat's token", "POST", b.Path() + "/seats", seat, `{"name":"x"}`, 403, "forbidden"},
		{"export by a player", "GET", b.Path() + "/export", seat, nil, 403, "forbidden"},
		{"start by a player", "POST", b.Path() + "/commands", seat, command(`{"type":"startCombat"}`), 403, "forbidden"},
		{"server's command", "POST", b.Path() + "/commands", gm, command(`{"type":"turnExpired","frame":"f"}`), 403, "forbidden"},
		{"id", "POST", b.Path() + "/commands", gm, `{"id":"1","command":{"type":"startCombat"}}`, 400, "bad_value"},
		{"command", "POST", b.Path() + "/commands", gm, command(`{"type":"startFight"}`), 400, "unknown_command"},
		{"large command", "POST", b.Path() + "/commands", gm, command(`"` + strings.Repeat("x", 1<<20) + `"`), 413, "too_large"},
		{"rules", "POST", b.Path() + "/commands", gm, command(`{"type":"redo"}`), 422, "nothing_to_redo"},
		{"import of nothing", "POST", b.URL + "/api/encounters/import", "", ``, 400, "bad_value"},
		{"import of half", "POST", b.URL + "/api/encounters/import", "", `{"format":"riposte/1",`, 400, "bad_value"},
		{"import of a list", "POST", b.URL + "/api/encounters/import", "", `[]`, 400, "bad_value"},
		{"import of another format", "POST", b.URL + "/api/encounters/import", "", `{"format":"riposte/9","state":{}}`, 400, "bad_value"},
		{"import without state", "POST", b.URL + "/api/encounters/import", "", `{"format":"riposte/1"}`, 400, "bad_value"},
		{"import with unknown fields", "POST", b.URL + "/api/encounters/import", "", `{"format":"riposte/1","state":{"spells":1}}`, 400, "unknown_field"},
		{"import of a PNG", "POST", b.URL + "/api/encounters/import", "", "\x89PNG\r\n\x1a\n\x00\x00", 400, "bad_value"},
		{"import of UTF-16", "POST", b.URL + "/api/encounters/import", "", "\xff\xfe{\x00}\x00", 400, "bad_value"},
		{"import of deep nesting", "POST", b.URL + "/api/encounters/import", "", strings.Repeat(`[`, 30_000), 400, "bad_value"},
		{"socket without upgrade", "GET", b.URL + "/ws", "", nil, 400, "bad_value"},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := hubtest.Request(t, test.method, test.url, test.token, test.body)
			problem := answer.Problem(t)
			if answer.Status != test.status || problem.Code != test.code || problem.Type == "" || problem.Title == "" {
				t.Fatalf("%d %+v, want %d %s", answer.Status, problem, test.status, test.code)
			}
		})
	}
	wrong := hubtest.Request(t, "GET", unknown, "AAAAAAAAAAAAAAAAAAAAAA", nil)
	none := hubtest.Request(t, "GET", unknown, "", nil)
	if string(wrong.Body) != string(none.Body) {
		t.Fatalf("%s and %s", wrong.Body, none.Body)
	}
}

// One socket that floods is refused and slows nobody else.
func TestFlood(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 10_000 {
			b.p1.Ask(uuid.NewString(), combat.Say{Text: "spam"})
		}
	})
	for range 50 {
		b.gm.Must(combat.Note{Text: "still here"})
	}
	wg.Wait()
	// The flood ended, by refusals or by being cut off; the table goes on.
	b.gm.Must(combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 1})
	if said := strings.Count(strings.Join(b.gm.Log(), "\n"), "spam"); said == 0 || said > 9_000 {
		t.Fatalf("%d of 10,000 were let through", said)
	}
}

// A refusal for speed says how long to wait, and the same id works later.
func TestRateLimit(t *testing.T) {
	b := quartet(t, hub.Limits{CommandRate: 0.001, CommandBurst: 5}, nil)
	var refused hub.Reject
	for range 6 {
		if reply := b.p1.Do(combat.Say{Text: "x"}); reply.Reject != nil {
			refused = *reply.Reject
		}
	}
	if wait, _ := refused.Params["retryAfterMs"].(float64); refused.Code != "rate_limited" || wait < 1 {
		t.Fatalf("%+v", refused)
	}
	// Another socket of the same player has a measure of its own, and the id
	// that was refused for speed was not used up.
	if reply := b.Join(b.seat1.Token).DoID(refused.ID, combat.Say{Text: "x"}); reply.Ack == nil {
		t.Fatalf("refused: %s", reply.Code())
	}
}

// Encounters and seats are limited per remote address.
func TestCreateLimit(t *testing.T) {
	server := hubtest.Start(t, hub.Limits{CreateRate: 0.001, CreateBurst: 3})
	body := hub.CreateRequest{Rules: "dnd5e"}
	for i := range 4 {
		answer := hubtest.Request(t, http.MethodPost, server.URL+"/api/encounters", "", body)
		if want := map[bool]int{true: 201, false: 429}[i < 3]; answer.Status != want {
			t.Fatalf("request %d: %d, want %d", i, answer.Status, want)
		}
		if i == 3 && (answer.Problem(t).Code != "rate_limited" || answer.Header.Get("Retry-After") == "") {
			t.Fatalf("%s %v", answer.Body, answer.Header)
		}
	}
}

// The number of seats is bounded.
func TestSeatLimit(t *testing.T) {
	b := quartet(t, hub.Limits{Seats: 3}, nil)
	b.Seat("P3")
	answer := hubtest.Request(t, http.MethodPost, b.Path()+"/seats", b.Tokens[combat.RolePlayer], hub.SeatRequest{Name: "P4"})
	if p := answer.Problem(t); p.Code != "too_many" || p.Params["limit"] != 3.0 {
		t.Fatalf("%+v", p)
	}
}

// One person has so many sockets and no more; the table does not mind.
func TestSocketsPerPerson(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	for range 63 {
		b.Join(b.seat1.Token)
	}
	c := hubtest.Dial(t, b.URL)
	c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.seat1.Token})
	if bye, status := c.WaitEnd(); bye == nil || bye.Code != "unavailable" || bye.RetryAfterMs == 0 || status != 1013 {
		t.Fatalf("bye %+v, status %d", bye, status)
	}
	b.p2.Ping()
}

// Requests with one token are limited over HTTP too.
func TestCallLimit(t *testing.T) {
	b := quartet(t, hub.Limits{CommandRate: 0.001, CommandBurst: 2}, nil)
	for i := range 9 {
		answer := hubtest.Request(t, http.MethodGet, b.Path(), b.seat1.Token, nil)
		if want := map[bool]int{true: 200, false: 429}[i < 8]; answer.Status != want {
			t.Fatalf("request %d: %d, want %d", i, answer.Status, want)
		}
	}
	if answer := hubtest.Request(t, http.MethodGet, b.Path(), b.seat2.Token, nil); answer.Status != http.StatusOK {
		t.Fatalf("another token: %d", answer.Status)
	}
}
