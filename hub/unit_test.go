package hub

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"riposte/combat"
)

func TestDiceAreFairAndInRange(t *testing.T) {
	const rolls = 60_000
	for _, sides := range []int{1, 6, 20} {
		seen := make([]int, sides+1)
		for range rolls {
			face := Dice{}.Roll(sides)
			if face < 1 || face > sides {
				t.Fatalf("a d%d shows %d", sides, face)
			}
			seen[face]++
		}
		// Ten standard deviations: chance does not get there.
		mean := float64(rolls) / float64(sides)
		for face := 1; face <= sides; face++ {
			if d := float64(seen[face]) - mean; d*d > 100*mean && sides > 1 {
				t.Errorf("a d%d showed %d %d times, expected %.0f", sides, face, seen[face], mean)
			}
		}
	}
	for _, sides := range []int{-5, 0, 1 << 30, 1 << 40} {
		if face := (Dice{}).Roll(sides); face < 1 || face > 1<<30 {
			t.Errorf("a d%d shows %d", sides, face)
		}
	}
}

func TestTokens(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		token := newToken()
		if len(token) != 22 || seen[token] || hashToken(token) == "" || strings.Contains(hashToken(token), token) {
			t.Fatalf("token %q, hash %q", token, hashToken(token))
		}
		seen[token] = true
	}
	tokens, keys := newLinks()
	s := &combat.State{Keys: keys, Seats: []*combat.Seat{{ID: "s1", Key: hashToken("a seat's token, 22 chr")}, {ID: "s2"}}}
	for role, token := range tokens {
		if who, ok := authorise(s, hashToken(token)); !ok || who.Role != role {
			t.Errorf("%s's token is taken for %v", role, who)
		}
	}
	if who, ok := authorise(s, hashToken("a seat's token, 22 chr")); !ok || who != (combat.Audience{Role: combat.RoleSeat, Seat: "s1"}) {
		t.Errorf("the seat's token is taken for %v", who)
	}
	// Seat s2 has no key: nothing opens it, an empty token least of all.
	for _, token := range []string{"", "x", newToken(), strings.Repeat("A", 22), keys[combat.RoleGM]} {
		if who, ok := authorise(s, hashToken(token)); ok {
			t.Errorf("%q is taken for %v", token, who)
		}
	}
	if who, ok := authorise(&combat.State{}, ""); ok {
		t.Errorf("without keys, nothing is taken for %v", who)
	}
}

func TestPanicInAHandler(t *testing.T) {
	h := New(Config{Engine: combat.New()})
	recorder := httptest.NewRecorder()
	h.recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") })).
		ServeHTTP(recorder, httptest.NewRequest("GET", "/", nil))
	if recorder.Code != http.StatusServiceUnavailable || !strings.Contains(recorder.Body.String(), `"unavailable"`) {
		t.Fatalf("%d %s", recorder.Code, recorder.Body)
	}
}

func TestExpiryID(t *testing.T) {
	first := expiryID("e", combat.Deadline{At: 7, Command: combat.WindowExpired{Window: "w", Asked: "a"}})
	for _, other := range []string{
		expiryID("e", combat.Deadline{At: 7, Command: combat.WindowExpired{Window: "w", Asked: "b"}}), expiryID("e", combat.Deadline{At: 7, Command: combat.WindowExpired{Window: "v", Asked: "a"}}),
		expiryID("f", combat.Deadline{At: 7, Command: combat.WindowExpired{Window: "w", Asked: "a"}}), expiryID("e", combat.Deadline{At: 7, Command: combat.TurnExpired{Frame: "w"}}),
		expiryID("e", combat.Deadline{At: 8, Command: combat.WindowExpired{Window: "w", Asked: "a"}}),
	} {
		if other == first {
			t.Errorf("two deadlines have the id %s", first)
		}
	}
	if first != expiryID("e", combat.Deadline{At: 7, Command: combat.WindowExpired{Window: "w", Asked: "a"}}) {
		t.Error("one deadline has two ids")
	}
	if _, valid := parseCommandID(first); valid {
		t.Error("a client can take the id of a deadline")
	}
}

func TestMemoryForgetsTheOldest(t *testing.T) {
	m := newMemory(4096)
	refusal := combat.Refuse("x")
	for i := range m.limit + 10 {
		m.remember(fmt.Sprint("a", i), outcome{seq: uint64(i)})
		m.remember(fmt.Sprint("r", i), outcome{refusal: refusal})
	}
	if len(m.byID) != m.limit+rememberRefused {
		t.Fatalf("%d outcomes are kept", len(m.byID))
	}
	for id, want := range map[string]bool{"a9": false, "a10": true, "r0": false, fmt.Sprint("r", m.limit+9): true} {
		if _, known := m.outcome(id); known != want {
			t.Errorf("%s is known: %v", id, known)
		}
	}
	m.remember("a10", outcome{seq: 99})
	if got, _ := m.outcome("a10"); got.seq != 10 {
		t.Errorf("the first outcome was replaced by %d", got.seq)
	}
}

func TestAddressLimiter(t *testing.T) {
	l := newLimiter[netip.Prefix](0.001, 2)
	address := func(i int) netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 32)
	}
	for i := range 3 {
		if wait, ok := l.allow(address(1)); ok != (i < 2) || !ok && wait <= 0 {
			t.Fatalf("turn %d: %v, %v", i, ok, wait)
		}
	}
	for i := range 3 * maxLimited {
		l.allow(address(i + 2))
	}
	if len(l.byKey) != maxLimited || l.recent.Len() != maxLimited {
		t.Fatalf("%d addresses are kept", len(l.byKey))
	}
}

func TestRemote(t *testing.T) {
	for _, test := range []struct {
		from, forwarded string
		trust           bool
		want            string
	}{
		{"192.0.2.1:99", "", false, "192.0.2.1/32"},
		{"[::ffff:192.0.2.1]:99", "", false, "192.0.2.1/32"},
		{"[2001:db8:1:2:3:4:5:6]:99", "", false, "2001:db8:1:2::/64"},
		{"192.0.2.1:99", "198.51.100.7", false, "192.0.2.1/32"},
		{"192.0.2.1:99", "203.0.113.9, 198.51.100.7", true, "198.51.100.7/32"},
		{"192.0.2.1:99", "nonsense", true, "invalid Prefix"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.from
		if test.forwarded != "" {
			r.Header.Set("X-Forwarded-For", test.forwarded)
		}
		if got := remote(r, test.trust).String(); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestOutbox(t *testing.T) {
	reply, update := []byte("reply"), []byte("update")
	o := newOutbox(20)
	for range 3 {
		o.put(kindUpdate, update)
	}
	if o.put(kindUpdate, update) {
		t.Fatal("an update too many fits")
	}
	o.put(kindReply, reply)
	o.put(kindUpdate, update) // stale: left out
	got := o.take(nil)
	if len(got.messages) != 1 || string(got.messages[0]) != "reply" || !got.stale {
		t.Fatalf("%q, stale %v", got.messages, got.stale)
	}
	if again := o.take(nil); again.stale {
		t.Fatal("a whole view is asked for twice")
	}
	o.refresh([]byte("a whole view that is longer than the bound"))
	o.put(kindHint, update) // over the bound: not worth it
	if got = o.take(nil); len(got.messages) != 1 || got.stale {
		t.Fatalf("%q, stale %v", got.messages, got.stale)
	}
	o.put(kindUpdate, update)
	o.close([]byte("bye"), "why")
	o.close([]byte("late"), "late")
	o.put(kindReply, reply)
	if got = o.take(nil); string(join(got.messages, nil)) != "[update,bye]" || !got.closed || !got.polite || got.reason != "why" {
		t.Fatalf("%q, %+v", got.messages, got)
	}

	o = newOutbox(20)
	for range 5 {
		o.put(kindReply, reply)
	}
	if got = o.take(nil); !got.closed || got.polite || got.reason != dropSlow || len(got.messages) != 0 {
		t.Fatalf("%+v", got)
	}
}

// One address has so many sockets, and all together have so many.
func TestCrowd(t *testing.T) {
	c := crowd{limit: 5, each: 2, by: map[netip.Prefix]int{}}
	at := netip.MustParsePrefix
	for i, step := range []struct {
		from string
		want bool
	}{
		{"192.0.2.1/32", true}, {"192.0.2.1/32", true}, {"192.0.2.1/32", false}, {"2001:db8::/64", true},
		{"127.0.0.1/32", true}, {"127.0.0.1/32", true}, {"127.0.0.1/32", false},
	} {
		if got := c.enter(at(step.from)); got != step.want {
			t.Fatalf("step %d: %v", i, got)
		}
	}
	c.exit(at("192.0.2.1/32"))
	if !c.enter(at("192.0.2.1/32")) || c.count() != 5 {
		t.Fatalf("%d are there", c.count())
	}
	for from, n := range map[string]int{"192.0.2.1/32": 2, "2001:db8::/64": 1, "127.0.0.1/32": 2} {
		for range n {
			c.exit(at(from))
		}
	}
	if c.count() != 0 || len(c.by) != 0 {
		t.Fatalf("%d are left, of %d addresses", c.count(), len(c.by))
	}
}

// Broken encounters stay closed, and there is an end to how many are
// remembered.
func TestQuarantineIsBounded(t *testing.T) {
	h := New(Config{Engine: combat.New()})
	for i := range 2 * maxBroken {
		h.quarantine(combat.ID(fmt.Sprint(i)))
	}
	if len(h.broken) != maxBroken {
		t.Fatalf("%d are remembered", len(h.broken))
	}
	for id := range h.broken {
		if _, err := h.find(t.Context(), id); !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
	}
}

// The pages of the public address may open sockets, an IPv6 one too.
func TestOrigins(t *testing.T) {
	h := New(Config{Engine: combat.New(), Origins: []string{"[2001:db8::1]:8443", "fights.example"}})
	for origin, want := range map[string]bool{
		"": true, "http://here:8080": true, "https://[2001:DB8::1]:8443": true, "https://fights.example": true,
		"https://[2001:db8::1]": false, "https://[2001:db8::2]:8443": false, "https://d": false, "https://sub.fights.example": false, "null": false,
	} {
		r := httptest.NewRequest("GET", "http://here:8080/ws", nil)
		r.Header.Set("Origin", origin)
		if got := h.fromOurPage(r); got != want {
			t.Errorf("%s: %v", origin, got)
		}
	}
}
