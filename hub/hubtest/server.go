package hubtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/combat/popcorn"
	"riposte/hub"
	"riposte/hub/embedded"
)

// patience is how long anything may take before a test says that it hangs.
const patience = time.Minute

// Server is one instance under test: a hub behind a real listener.
type Server struct {
	URL   string // http://127.0.0.1:port
	Meter *prometheus.Registry

	t     testing.TB
	path  string // of the embedded store's file
	hub   *hub.Hub
	store hub.Store
	http  *http.Server
	stop  sync.Once
}

// Start starts an instance on an embedded store with new data. The end of the
// test stops it.
func Start(t testing.TB, limits hub.Limits) *Server {
	t.Helper()
	return launch(t, filepath.Join(t.TempDir(), "journal.db"), limits)
}

// Again starts another instance on the data of this one, which is stopped
// first.
func (s *Server) Again() *Server {
	s.t.Helper()
	return s.AgainWith(hub.Limits{})
}

// AgainWith is Again with limits.
func (s *Server) AgainWith(limits hub.Limits) *Server {
	s.t.Helper()
	s.Stop()
	return launch(s.t, s.path, limits)
}

func launch(t testing.TB, path string, limits hub.Limits) *Server {
	t.Helper()
	store, err := embedded.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s := Serve(t, store, limits, nil)
	s.path = path
	return s
}

// Serve starts an instance on a store, which is then the server's to close. It
// plays D&D 5e and popcorn initiative. With nil, the dice are real. No address is limited in what it may create,
// unless limits say so.
func Serve(t testing.TB, store hub.Store, limits hub.Limits, dice combat.Dice) *Server {
	t.Helper()
	if limits.CreateRate == 0 {
		limits.CreateRate, limits.CreateBurst = 1e6, 1e6
	}
	meter := prometheus.NewRegistry()
	h := hub.New(hub.Config{Engine: combat.New(dnd5e.System{}, popcorn.System{}), Store: store, Dice: dice, Meter: meter, Limits: limits})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{URL: "http://" + listener.Addr().String(), Meter: meter, t: t, hub: h, store: store,
		http: &http.Server{Handler: h.Handler(), ConnState: smallBuffer}}
	go s.http.Serve(listener)
	t.Cleanup(s.Stop)
	return s
}

// smallBuffer gives the kernel little room for what a peer does not read, so
// that it is noticed soon.
func smallBuffer(conn net.Conn, state http.ConnState) {
	if tcp, is := conn.(*net.TCPConn); is && state == http.StateNew {
		_ = tcp.SetWriteBuffer(16 << 10) // a hint
	}
}

// Path is the embedded store's file.
func (s *Server) Path() string { return s.path }

// Hash is the hash of a token as the hub stores it.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Stop ends the instance in good order.
func (s *Server) Stop() {
	s.stop.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.hub.Shutdown(ctx); err != nil {
			s.t.Errorf("shutdown: %v", err)
		}
		s.http.Close()
		if err := s.store.Close(); err != nil {
			s.t.Errorf("close: %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
}

// Metric returns the value of a counter or gauge, added up over its labels.
func (s *Server) Metric(name string) float64 {
	s.t.Helper()
	families, err := s.Meter.Gather()
	if err != nil {
		s.t.Fatal(err)
	}
	sum := 0.0
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return sum
}

// Answer is what came back over HTTP.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Problem reads the answer as a problem.
func (a Answer) Problem(t testing.TB) hub.Problem {
	t.Helper()
	var p hub.Problem
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		t.Fatalf("content type %q of %s", got, a.Body)
	}
	if err := json.Unmarshal(a.Body, &p); err != nil {
		t.Fatalf("%s: %v", a.Body, err)
	}
	if p.Status != a.Status {
		t.Fatalf("status %d and %d", p.Status, a.Status)
	}
	return p
}

// Request sends one HTTP request. A body that is no string or []byte is sent
// as JSON.
func Request(t testing.TB, method, url, token string, body any, header ...string) Answer {
	t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = bytes.NewReader([]byte(b))
	case []byte:
		reader = bytes.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(data)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, url, reader)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Answer{response.StatusCode, response.Header, data}
}

// Stream opens an event stream and returns its body and content type. The
// caller closes the body.
func Stream(ctx context.Context, t testing.TB, url, token string, header ...string) (io.ReadCloser, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return response.Body, response.Header.Get("Content-Type")
}

// Table is one encounter on a server.
type Table struct {
	URL    string
	ID     combat.ID
	Tokens map[string]string // gm, player, spectator
	t      testing.TB
}

// Create makes an encounter under the D&D 5e rules.
func Create(t testing.TB, url string, options map[string]string) *Table {
	t.Helper()
	return CreateUnder(t, url, "dnd5e", options)
}

// CreateUnder makes an encounter under the rules of that name.
func CreateUnder(t testing.TB, url, rules string, options map[string]string) *Table {
	t.Helper()
	answer := Request(t, http.MethodPost, url+"/api/encounters", "", hub.CreateRequest{Rules: rules, Title: "Test", Options: options})
	var created hub.Created
	if err := json.Unmarshal(answer.Body, &created); err != nil || answer.Status != http.StatusCreated {
		t.Fatalf("create: %d %s", answer.Status, answer.Body)
	}
	return &Table{URL: url, ID: created.ID, Tokens: created.Tokens, t: t}
}

// On is the same table on another instance of its server.
func (b *Table) On(url string) *Table {
	other := *b
	other.URL = url
	return &other
}

// Path is the address of the table's API.
func (b *Table) Path() string { return b.URL + "/api/encounters/" + string(b.ID) }

// Seat takes a seat.
func (b *Table) Seat(name string) hub.SeatCreated {
	b.t.Helper()
	answer := Request(b.t, http.MethodPost, b.Path()+"/seats", b.Tokens[combat.RolePlayer], hub.SeatRequest{Name: name})
	var seat hub.SeatCreated
	if err := json.Unmarshal(answer.Body, &seat); err != nil || answer.Status != http.StatusCreated {
		b.t.Fatalf("seat: %d %s", answer.Status, answer.Body)
	}
	return seat
}

// Export returns the whole encounter.
func (b *Table) Export() hub.Export {
	b.t.Helper()
	answer := Request(b.t, http.MethodGet, b.Path()+"/export", b.Tokens[combat.RoleGM], nil)
	var export hub.Export
	if err := json.Unmarshal(answer.Body, &export); err != nil || answer.Status != http.StatusOK {
		b.t.Fatalf("export: %d %s", answer.Status, answer.Body)
	}
	return export
}

// Quartet adds Ash 18 and Birch 15 for two seats, and Cedar 12 and Dune 9 for
// the GM, and returns the ids by name.
func (b *Table) Quartet(gm *Client, first, second combat.ID) map[string]combat.ID {
	b.t.Helper()
	count := func(n int) *combat.Count { c := combat.Whole(n); return &c }
	gm.Must(combat.ImportCombatants{Combatants: []combat.AddCombatant{
		{Name: "Ash", Side: "party", Kind: "pc", Seat: first, Init: count(18), HP: 24},
		{Name: "Birch", Side: "party", Kind: "pc", Seat: second, Init: count(15), HP: 24},
		{Name: "Cedar", Side: "foes", Kind: "npc", Init: count(12), HP: 30},
		{Name: "Dune", Side: "foes", Kind: "npc", Init: count(9), HP: 30},
	}})
	ids := map[string]combat.ID{}
	for _, c := range gm.Combatants() {
		ids[c.Name] = c.ID
	}
	return ids
}
