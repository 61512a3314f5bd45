package hub_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/hub"
	"riposte/hub/embedded"
)

// bubble is a hub without a network, in time that passes only when everybody
// waits.
type bubble struct {
	t      *testing.T
	path   string
	store  *embedded.Store
	slow   *lagging // what the hub has of it
	hub    *hub.Hub
	meter  *prometheus.Registry
	id     combat.ID
	tokens map[string]string
	c      map[string]combat.ID
}

// inBubble sets the quartet up with two seats, and starts the fight.
func inBubble(t *testing.T, limits hub.Limits, options map[string]string, test func(*bubble)) {
	path := filepath.Join(t.TempDir(), "journal.db")
	synctest.Test(t, func(t *testing.T) {
		b := &bubble{t: t, path: path, tokens: map[string]string{}, c: map[string]combat.ID{}}
		b.open(limits)
		defer func() { b.close() }()
		created := decode[hub.Created](t, b.call("POST", "/api/encounters", "", hub.CreateRequest{Rules: "dnd5e", Options: options}, 201))
		b.id, b.tokens = created.ID, created.Tokens
		var seats []combat.ID
		for _, name := range []string{"P1", "P2"} {
			seat := decode[hub.SeatCreated](t, b.call("POST", b.at("/seats"), b.tokens["player"], hub.SeatRequest{Name: name}, 201))
			b.tokens[name] = seat.Token
			seats = append(seats, seat.Seat)
		}
		b.do("gm", combat.ImportCombatants{Combatants: []combat.AddCombatant{
			withCount(combat.AddCombatant{Name: "Ash", Kind: "pc", Side: "party", Seat: seats[0], HP: 24}, 18),
			withCount(combat.AddCombatant{Name: "Birch", Kind: "pc", Side: "party", Seat: seats[1], HP: 24}, 15),
			withCount(combat.AddCombatant{Name: "Cedar", Kind: "npc", Side: "foes", HP: 30}, 12),
		}})
		for key, value := range b.view("gm") {
			if strings.HasPrefix(key, "combatants/") {
				c := value.(map[string]any)
				b.c[c["name"].(string)] = combat.ID(c["id"].(string))
			}
		}
		b.do("gm", combat.StartCombat{})
		test(b)
	})
}

func (b *bubble) open(limits hub.Limits) {
	b.t.Helper()
	store, err := embedded.Open(b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	b.store, b.slow, b.meter = store, &lagging{Store: store}, prometheus.NewRegistry()
	b.hub = hub.New(hub.Config{Engine: combat.New(dnd5e.System{}), Store: b.slow, Meter: b.meter, Limits: limits})
}

func (b *bubble) close() {
	b.t.Helper()
	if err := b.hub.Shutdown(b.t.Context()); err != nil {
		b.t.Error(err)
	}
	if err := b.store.Close(); err != nil {
		b.t.Error(err)
	}
}

func (b *bubble) at(path string) string { return "/api/encounters/" + string(b.id) + path }

// call makes one request that must have a status.
func (b *bubble) call(method, path, token string, body any, status int) []byte {
	b.t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(encode(b.t, body)))
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	b.hub.Handler().ServeHTTP(recorder, request)
	if recorder.Code != status {
		b.t.Fatalf("%s %s: %d %s", method, path, recorder.Code, recorder.Body)
	}
	return recorder.Body.Bytes()
}

func (b *bubble) do(who string, command combat.Command) {
	b.t.Helper()
	raw, err := combat.EncodeCommand(command)
	if err != nil {
		b.t.Fatal(err)
	}
	b.call("POST", b.at("/commands"), b.tokens[who], hub.CommandRequest{ID: uuid.NewString(), Command: raw}, http.StatusOK)
}

func (b *bubble) view(who string) map[string]any {
	b.t.Helper()
	return decode[map[string]any](b.t, b.call("GET", b.at(""), b.tokens[who], nil, http.StatusOK))
}

// active is whose turn it is, by name, and in which round.
func (b *bubble) active() string {
	b.t.Helper()
	turn, _ := b.view("P1")["turn"].(map[string]any)
	for name, id := range b.c {
		if turn["combatant"] == string(id) {
			return fmt.Sprintf("%s %v", name, turn["round"])
		}
	}
	return "nobody"
}

// commits counts the journal's commits of one type of command.
func (b *bubble) commits(kind string) int {
	b.t.Helper()
	n := 0
	for record, err := range b.store.Read(b.t.Context(), b.id, 0) {
		if err != nil {
			b.t.Fatal(err)
		}
		if record.Commit.Type == kind {
			n++
		}
	}
	return n
}

// inMemory is how many encounters the hub holds.
func (b *bubble) inMemory() float64 {
	b.t.Helper()
	families, err := b.meter.Gather()
	if err != nil {
		b.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "riposte_encounters_open" {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	b.t.Fatal("no metric")
	return 0
}

// B57: the turn clock ends turns by itself, each once, at its moment; no page
// is open, so none does the ticking.
func TestB57TurnClock(t *testing.T) {
	inBubble(t, hub.Limits{IdleTime: time.Hour}, map[string]string{"turnSeconds": "60"}, func(b *bubble) {
		time.Sleep(59 * time.Second)
		if got := b.active(); got != "Ash 1" {
			b.t.Fatalf("active at 59 s: %s", got)
		}
		time.Sleep(2 * time.Second)
		if got := b.active(); got != "Birch 1" {
			b.t.Fatalf("active at 61 s: %s", got)
		}
		// Ending a turn by hand gives the next one its whole minute.
		b.do("P2", combat.EndTurn{Combatant: b.c["Birch"]})
		time.Sleep(59 * time.Second)
		if got := b.active(); got != "Cedar 1" {
			b.t.Fatalf("active at 120 s: %s", got)
		}
		time.Sleep(2 * time.Second)
		if got := b.active(); got != "Ash 2" {
			b.t.Fatalf("active at 122 s: %s", got)
		}
	})
}

// A question that nobody answers is over at its deadline, once.
func TestWindowDeadline(t *testing.T) {
	options := map[string]string{"reactionWindows": "ask", "reactionSeconds": "30"}
	inBubble(t, hub.Limits{IdleTime: time.Hour}, options, func(b *bubble) {
		b.do("P1", combat.EndTurn{Combatant: b.c["Ash"]})
		b.do("P2", combat.EndTurn{Combatant: b.c["Birch"]})
		b.do("gm", combat.Move{Combatant: b.c["Cedar"], Feet: 10, LeavesReachOf: []combat.ID{b.c["Ash"], b.c["Birch"]}})
		asked := func() any {
			window, _ := b.view("gm")["window"].(map[string]any)
			return window["asked"]
		}
		first := asked()
		if first == nil {
			b.t.Fatal("nobody is asked")
		}
		time.Sleep(29 * time.Second)
		if asked() != first {
			b.t.Fatalf("at 29 s %v is asked", asked())
		}
		time.Sleep(2 * time.Second)
		second := asked()
		if second == nil || second == first {
			b.t.Fatalf("at 31 s %v is asked", second)
		}
		time.Sleep(30 * time.Second)
		if got := b.active(); asked() != nil || got != "Cedar 1" {
			b.t.Fatalf("at 61 s %v is asked, active %s", asked(), got)
		}
		if got := b.commits("windowExpired"); got != 2 {
			b.t.Fatalf("time ran out %d times, want 2", got)
		}
	})
}

// B72: a turn clock runs on through a restart: never above what it was, never
// over twice.
func TestB72ClockAcrossRestart(t *testing.T) {
	inBubble(t, hub.Limits{}, map[string]string{"turnSeconds": "90"}, func(b *bubble) {
		time.Sleep(30 * time.Second)
		b.close()
		time.Sleep(20 * time.Second)
		b.open(hub.Limits{IdleTime: time.Hour})
		for _, who := range []string{"gm", "P1", "P2", "spectator"} {
			turn := b.view(who)["turn"].(map[string]any)
			if left := int64(turn["deadline"].(float64)) - time.Now().UnixMilli(); left < 39_000 || left > 41_000 {
				b.t.Fatalf("%s has %d ms left, want 40 s", who, left)
			}
		}
		time.Sleep(41 * time.Second)
		if got := b.active(); got != "Birch 1" {
			b.t.Fatalf("active: %s", got)
		}
		if got := b.commits("turnExpired"); got != 1 {
			b.t.Fatalf("time ran out %d times, want 1", got)
		}
	})
}

// An encounter that nobody wants is put away, with its state and its clock,
// and comes back with the next who asks.
func TestPutAway(t *testing.T) {
	inBubble(t, hub.Limits{IdleTime: 10 * time.Second}, map[string]string{"turnSeconds": "60"}, func(b *bubble) {
		before := b.view("spectator")
		time.Sleep(9 * time.Second)
		if b.inMemory() != 1 {
			b.t.Fatal("put away too soon")
		}
		b.view("gm") // somebody asks: it stays
		time.Sleep(8 * time.Second)
		if b.inMemory() != 1 {
			b.t.Fatal("put away although it was used")
		}
		time.Sleep(10 * time.Second)
		if b.inMemory() != 0 {
			b.t.Fatal("not put away")
		}
		if after := b.view("spectator"); encode(t, after) != encode(t, before) {
			b.t.Fatalf("before %v\nafter %v", before, after)
		}
		// What ran out meanwhile is over before anything is answered.
		time.Sleep(90 * time.Second)
		if b.inMemory() != 0 {
			b.t.Fatal("not put away")
		}
		if got := b.active(); got != "Birch 1" {
			b.t.Fatalf("active: %s", got)
		}
		if got := b.commits("turnExpired"); got != 1 {
			b.t.Fatalf("time ran out %d times, want 1", got)
		}
	})
}

// An event stream says that it is alive when there is nothing to say.
func TestStreamHeartbeat(t *testing.T) {
	inBubble(t, hub.Limits{}, nil, func(b *bubble) {
		ctx, cancel := context.WithCancel(b.t.Context())
		request := httptest.NewRequest("GET", b.at("/events"), nil).WithContext(ctx)
		request.Header.Set("Authorization", "Bearer "+b.tokens["spectator"])
		recorder := httptest.NewRecorder()
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.hub.Handler().ServeHTTP(recorder, request)
		}()
		time.Sleep(time.Minute)
		cancel()
		<-done
		body := recorder.Body.String()
		if beats := strings.Count(body, ": beat\n\n"); beats < 3 || beats > 4 || !strings.Contains(body, `data: {"type":"welcome"`) {
			b.t.Fatalf("%d beats in %s", beats, body)
		}
	})
}

// Whoever asks while an encounter is being put away is served.
func TestPutAwayAndAsked(t *testing.T) {
	inBubble(t, hub.Limits{IdleTime: time.Millisecond, CreateRate: 1e6, CreateBurst: 1e6}, nil, func(b *bubble) {
		for i := range 100 {
			// Around the moment at which it looks whether it is wanted.
			time.Sleep(2*time.Second - time.Duration(50-i)*time.Microsecond)
			b.do("gm", combat.Note{Text: "still here"})
		}
		if got := b.commits("note"); got != 100 {
			b.t.Fatalf("%d of 100 commands are in the log", got)
		}
	})
}

// lagging is a store whose disk is slow.
type lagging struct {
	hub.Store
	lag atomic.Int64 // of an append, in nanoseconds
}

func (l *lagging) Append(ctx context.Context, e *hub.Entry) (hub.Appended, error) {
	time.Sleep(time.Duration(l.lag.Load()))
	return l.Store.Append(ctx, e)
}

// A deadline that passed while the encounter was busy was before the command
// that came after it.
func TestDeadlineBeforeLateCommand(t *testing.T) {
	inBubble(t, hub.Limits{}, map[string]string{"turnSeconds": "5"}, func(b *bubble) {
		for range 6 {
			stack := b.view("gm")["stack"].([]any)
			frame := combat.ID(stack[0].(map[string]any)["frame"].(string))
			b.slow.lag.Store(int64(4 * time.Second))
			time.Sleep(2 * time.Second)
			done := make(chan struct{})
			go func() {
				defer close(done)
				b.do("gm", combat.Note{Text: "takes four seconds"})
			}()
			time.Sleep(3500 * time.Millisecond) // the turn has been over for half a second
			b.slow.lag.Store(0)
			raw, err := combat.EncodeCommand(combat.EndTurn{Frame: frame})
			if err != nil {
				b.t.Fatal(err)
			}
			b.call("POST", b.at("/commands"), b.tokens["gm"], hub.CommandRequest{ID: uuid.NewString(), Command: raw}, http.StatusConflict)
			<-done
		}
	})
}

// An address that tries tokens is refused for a while, on the stream too, and
// then not.
func TestTokensTried(t *testing.T) {
	inBubble(t, hub.Limits{FailRate: 1, FailBurst: 3}, nil, func(b *bubble) {
		for i := range 3 {
			b.call("GET", b.at([]string{"", "/events", "/export"}[i]), fmt.Sprintf("AAAAAAAAAAAAAAAAAAAAA%d", i), nil, http.StatusUnauthorized)
		}
		for _, path := range []string{"", "/events", "/export"} {
			b.call("GET", b.at(path), b.tokens["gm"], nil, http.StatusTooManyRequests)
		}
		time.Sleep(time.Second)
		b.view("gm")
	})
}

// One token opens so many streams at once.
func TestStreamLimit(t *testing.T) {
	inBubble(t, hub.Limits{CommandRate: 0.001, CommandBurst: 1}, nil, func(b *bubble) {
		ended, cancel := context.WithCancel(b.t.Context())
		cancel()
		for i := range 5 {
			request := httptest.NewRequest("GET", b.at("/events"), nil).WithContext(ended)
			request.Header.Set("Authorization", "Bearer "+b.tokens["spectator"])
			recorder := httptest.NewRecorder()
			b.hub.Handler().ServeHTTP(recorder, request)
			if (recorder.Code == http.StatusTooManyRequests) != (i == 4) {
				b.t.Fatalf("stream %d: %d", i, recorder.Code)
			}
		}
	})
}
