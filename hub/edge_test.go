package hub_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
	"riposte/hub/redis"
)

// sharing is several instances on one Redis.
type sharing struct {
	t      *testing.T
	redis  *hubtest.Redis
	prefix string
}

var shares atomic.Int64

// share starts the Redis.
func share(t *testing.T) *sharing {
	t.Helper()
	return &sharing{t: t, redis: hubtest.StartRedis(t), prefix: fmt.Sprintf("test%d:", shares.Add(1))}
}

// store opens a store for one more instance.
func (s *sharing) store(address string) hub.Store {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	store, err := redis.Open(ctx, redis.Options{URL: "redis://" + address, Prefix: s.prefix, Lease: 2 * time.Second, Probe: 200 * time.Millisecond})
	if err != nil {
		s.t.Fatal(err)
	}
	return store
}

// instance starts one more instance.
func (s *sharing) instance() *hubtest.Server {
	s.t.Helper()
	return hubtest.Serve(s.t, s.store(s.redis.Addr), hub.Limits{}, nil)
}

// apart sets the quartet with the GM at the owner and everybody else at an edge.
func apart(t *testing.T, s *sharing) (b *table, owner, edge *hubtest.Server) {
	t.Helper()
	owner, edge = s.instance(), s.instance()
	b = &table{t: t, server: owner, Table: hubtest.Create(t, owner.URL, nil)}
	b.gm = b.Join(b.Tokens[combat.RoleGM])
	there := b.On(edge.URL)
	b.seat1, b.seat2 = there.Seat("P1"), b.Seat("P2")
	b.id = b.Quartet(b.gm, b.seat1.Seat, b.seat2.Seat)
	b.p1, b.p2 = there.Join(b.seat1.Token), there.Join(b.seat2.Token)
	b.s1 = there.Join(b.Tokens[combat.RoleSpectator])
	if edge.Metric("riposte_edges") != 1 || owner.Metric("riposte_edges") != 0 {
		t.Fatal("the second instance is no edge")
	}
	return b, owner, edge
}

// here is what differs between two welcomes at one time: who is online is told
// in a moment.
var here = regexp.MustCompile(`"presence":\{[^}]*\}`)

// numbered is what a socket got that is numbered.
func numbered(c *hubtest.Client) string { return here.ReplaceAllString(told(c), "") }

// differ says where two texts differ, if they do.
func differ(t *testing.T, what, owner, edge string) {
	t.Helper()
	for i := range min(len(owner), len(edge)) + 1 {
		if i == len(owner) && i == len(edge) {
			return
		}
		if i == len(owner) || i == len(edge) || owner[i] != edge[i] {
			t.Errorf("%s: the owner says …%.200s, the edge …%.200s", what, owner[max(0, i-80):], edge[max(0, i-80):])
			return
		}
	}
}

// What an audience gets at an edge is, byte for byte, what it gets at the owner.
func TestEdgeShowsTheSame(t *testing.T) {
	b, _, edge := apart(t, share(t))
	there := b.On(edge.URL)
	type pair struct{ owner, edge *hubtest.Client }
	pairs := map[string]pair{}
	for _, token := range []string{b.Tokens[combat.RoleGM], b.Tokens[combat.RolePlayer], b.Tokens[combat.RoleSpectator], b.seat1.Token, b.seat2.Token} {
		pairs[token] = pair{b.Join(token), there.Join(token)}
	}
	as := pair{b.JoinAs(b.Tokens[combat.RoleGM], "seat:"+string(b.seat1.Seat)), there.JoinAs(b.Tokens[combat.RoleGM], "seat:"+string(b.seat1.Seat))}
	b.gm.Must(withCount(shade, 13))
	b.gm.Must(combat.StartCombat{})
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"], Frame: b.p1.Frame()})
	b.p2.Must(combat.Act{Combatant: b.id["Birch"], Kind: "attack", Targets: []combat.ID{b.id["Cedar"]}})
	b.gm.Must(combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 4})
	b.gm.Must(combat.Undo{})
	for token, p := range pairs {
		last := b.seqOf(token)
		p.owner.WaitSeq(last)
		p.edge.WaitSeq(last)
		differ(t, "a socket", numbered(p.owner), numbered(p.edge))
		if at, other := hubtest.Request(t, http.MethodGet, b.Path(), token, nil), hubtest.Request(t, http.MethodGet, there.Path(), token, nil); string(at.Body) != string(other.Body) ||
			at.Header.Get("ETag") != other.Header.Get("ETag") || other.Status != http.StatusOK {
			t.Errorf("over HTTP: %d %s", other.Status, other.Header.Get("ETag"))
			differ(t, "the view over HTTP", string(at.Body), string(other.Body))
		}
		log, other := hubtest.Request(t, http.MethodGet, b.Path()+"/log", token, nil), hubtest.Request(t, http.MethodGet, there.Path()+"/log", token, nil)
		differ(t, "the log", string(log.Body), string(other.Body))
	}
	as.edge.WaitSeq(b.seqOf(b.seat1.Token))
	as.owner.WaitSeq(b.seqOf(b.seat1.Token))
	differ(t, "a GM who sees as a seat", numbered(as.owner), numbered(as.edge))
	own, other := b.Export(), there.Export()
	differ(t, "the state in an export", encode(t, own.State), encode(t, other.State))
	differ(t, "the log in an export", encode(t, own.Log), encode(t, other.Log))
	again := hubtest.Request(t, http.MethodGet, there.Path(), b.Tokens[combat.RoleGM], nil, "If-None-Match", fmt.Sprintf(`"%d"`, b.gm.Seq()))
	if again.Status != http.StatusNotModified {
		t.Errorf("the same view again: %d", again.Status)
	}
}

// Commands from an edge: in order, once under all instances, refused with the
// same words, and answered after their effect has been sent.
func TestEdgeCommands(t *testing.T) {
	b, owner, edge := apart(t, share(t))
	b.gm.Must(combat.StartCombat{})
	b.s1.Refused("forbidden", combat.EndTurn{})
	refused := b.p2.Do(combat.EndTurn{Combatant: b.id["Birch"]})
	if refused.Code() != "not_your_turn" {
		t.Fatalf("%+v", refused.Reject)
	}
	id := uuid.NewString()
	end := combat.EndTurn{Combatant: b.id["Ash"], Frame: b.p1.Frame()}
	first := b.p1.DoID(id, end)
	if first.Ack == nil || b.p1.Seq() < first.Ack.Seq || b.p1.Turn().Combatant != b.id["Birch"] {
		t.Fatalf("%q, at %d, %+v", first.Code(), b.p1.Seq(), b.p1.Turn())
	}
	for _, server := range []*hubtest.Server{owner, edge} {
		if again := b.On(server.URL).Join(b.seat1.Token).DoID(id, end); again.Ack == nil || again.Ack.Seq != first.Ack.Seq {
			t.Errorf("first %+v, again %+v %q", first.Ack, again.Ack, again.Code())
		}
	}
	// Many at once, from both sides, each in its order.
	const each = 60
	var wg sync.WaitGroup
	for i, c := range []*hubtest.Client{b.gm, b.On(edge.URL).Join(b.Tokens[combat.RoleGM])} {
		wg.Go(func() {
			ids := make([]string, each)
			for n := range ids {
				ids[n] = uuid.NewString()
				c.Ask(ids[n], combat.Note{Text: fmt.Sprintf("from %d: %03d", i, n)})
			}
			for _, id := range ids {
				if got := c.Answer(id); got.Ack == nil {
					t.Errorf("refused: %s", got.Code())
				}
			}
		})
	}
	wg.Wait()
	var order [2][]string
	for _, line := range b.On(edge.URL).Export().Log {
		for i := range order {
			if _, text, is := strings.Cut(string(line), fmt.Sprintf("from %d: ", i)); is {
				order[i] = append(order[i], text[:3])
			}
		}
	}
	for i, got := range order {
		if len(got) != each || !slices.IsSorted(got) {
			t.Errorf("from %d came %v", i, got)
		}
	}
	send := func() hubtest.Answer {
		return hubtest.Request(t, http.MethodPost, b.On(edge.URL).Path()+"/commands", b.seat2.Token,
			`{"id":"`+uuid.NewString()+`","command":{"type":"act","kind":"dash","combatant":"`+string(b.id["Birch"])+`"}}`)
	}
	if answer := send(); answer.Status != http.StatusOK {
		t.Fatalf("over HTTP: %d %s", answer.Status, answer.Body)
	}
	b.gm.Must(combat.EndTurn{Combatant: b.id["Birch"], Frame: b.gm.Frame()})
	answer := send()
	if answer.Status != http.StatusUnprocessableEntity || answer.Problem(t).Code != "not_your_turn" {
		t.Fatalf("over HTTP: %d %s", answer.Status, answer.Body)
	}
}

// Who is online is the same wherever one looks.
func TestEdgePresence(t *testing.T) {
	b, _, _ := apart(t, share(t))
	all := func(p hub.Presence) bool {
		return p.GMs == 1 && p.Spectators == 1 && online(p, b.seat1.Seat) && online(p, b.seat2.Seat)
	}
	for _, c := range []*hubtest.Client{b.gm, b.p1, b.s1} {
		c.WaitPresence("everybody", all)
	}
	b.p2.Close()
	for _, c := range []*hubtest.Client{b.gm, b.p1, b.s1} {
		c.WaitPresence("all but P2", func(p hub.Presence) bool { return p.GMs == 1 && !online(p, b.seat2.Seat) && online(p, b.seat1.Seat) })
	}
	for _, c := range []*hubtest.Client{b.p1, b.s1} {
		c.Abort()
	}
	b.gm.WaitPresence("only the GM", func(p hub.Presence) bool { return p.GMs == 1 && p.Spectators == 0 && len(p.Seats) == 0 })
}

// The owner's beacon reaches the sockets of an edge.
func TestEdgeHeads(t *testing.T) {
	b, _, _ := apart(t, share(t))
	b.s1.WaitHead(2)
}

// A link that is replaced and a seat that is removed end the sockets of an edge
// before anything later reaches them.
func TestEdgeRevokes(t *testing.T) {
	b, _, edge := apart(t, share(t))
	there := b.On(edge.URL)
	watching := there.JoinAs(b.Tokens[combat.RoleGM], combat.RoleSpectator)
	old := b.Tokens[combat.RoleSpectator]
	reply := b.gm.DoID(uuid.NewString(), combat.ReplaceLink{Role: combat.RoleSpectator})
	b.gm.Must(combat.Say{Text: "not for the old link"})
	if bye, _ := b.s1.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
		t.Fatalf("the old link ends with %+v", bye)
	}
	if strings.Contains(told(b.s1), "not for the old link") {
		t.Fatal("the old link was told more")
	}
	b.gm.Must(combat.RemoveSeat{Seat: b.seat2.Seat})
	if bye, _ := b.p2.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
		t.Fatalf("the removed seat ends with %+v", bye)
	}
	for _, token := range []string{old, b.seat2.Token} {
		if answer := hubtest.Request(t, http.MethodGet, there.Path(), token, nil); answer.Status != http.StatusUnauthorized {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
	}
	there.Join(decode[hub.NewLink](t, reply.Ack.Result).Token)
	watching.WaitSeq(b.seqOf(decode[hub.NewLink](t, reply.Ack.Result).Token))
	b.gm.DoID(uuid.NewString(), combat.ReplaceLink{Role: combat.RoleGM})
	if bye, _ := watching.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
		t.Fatalf("a GM's other socket ends with %+v", bye)
	}
}

// A socket that comes back resumes at whichever instance it finds.
func TestEdgeResume(t *testing.T) {
	b, owner, edge := apart(t, share(t))
	for i, url := range []string{owner.URL, edge.URL, owner.URL} {
		b.p1.Abort()
		b.gm.Must(combat.Say{Text: fmt.Sprint("meanwhile ", i)})
		back := b.On(url).Resume(b.seat1.Token, b.p1)
		back.WaitSeq(b.seqOf(b.seat1.Token))
		if back.Welcomes() != 0 {
			t.Errorf("%d: a whole view", i)
		}
		b.p1 = back
	}
	same(t, "P1", b.Join(b.seat1.Token).View(), b.p1.View())
}

// An event stream works at an edge, and its event ids resume at the owner.
func TestEdgeStream(t *testing.T) {
	b, _, edge := apart(t, share(t))
	there := b.On(edge.URL)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	body, _ := hubtest.Stream(ctx, t, there.Path()+"/events", b.Tokens[combat.RoleSpectator])
	defer body.Close()
	seen := make(chan string)
	go func() {
		defer close(seen)
		var all strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := body.Read(buffer)
			all.Write(buffer[:n])
			if strings.Contains(all.String(), "hello stream") || err != nil {
				seen <- all.String()
				return
			}
		}
	}()
	b.gm.Must(combat.Say{Text: "hello stream"})
	got := <-seen
	if !strings.Contains(got, `data: {"type":"welcome"`) || !strings.Contains(got, "id: ") || strings.Contains(got, "id: :") {
		t.Fatalf("the stream is %s", got)
	}
	for range seen {
	}
}

// The owner drains: the edge has the encounter at once and its sockets stay.
func TestEdgeTakesOverFromDrain(t *testing.T) {
	b, owner, edge := apart(t, share(t))
	b.gm.Must(combat.StartCombat{})
	owner.Stop()
	if bye, _ := b.gm.WaitEnd(); bye == nil || bye.Code != "draining" {
		t.Fatalf("the owner's socket ends with %+v", bye)
	}
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"], Frame: b.p1.Frame()})
	if edge.Metric("riposte_edges") != 0 || edge.Metric("riposte_takeovers_total") != 1 {
		t.Fatal("nobody took over")
	}
	there := b.On(edge.URL)
	back := there.Resume(b.Tokens[combat.RoleGM], b.gm)
	back.Must(combat.Note{Text: "back"})
	for _, c := range []*hubtest.Client{b.p1, b.p2, b.s1} {
		if c.Bye() != nil || c.Welcomes() != 1 {
			t.Errorf("%d welcomes, bye %+v", c.Welcomes(), c.Bye())
		}
	}
	back.WaitPresence("everybody", func(p hub.Presence) bool { return p.GMs == 1 && len(p.Seats) == 2 && p.Spectators == 1 })
}

// The owner is cut off from Redis: it gives up by itself, and the edge takes
// over within the lease. A command sent meanwhile is applied once.
func TestEdgeTakesOverFromOneCutOff(t *testing.T) {
	s := share(t)
	proxy := hubtest.StartProxy(t, s.redis.Addr)
	owner := hubtest.Serve(t, s.store(proxy.Addr), hub.Limits{}, nil)
	edge := s.instance()
	b := hubtest.Create(t, owner.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	there := b.On(edge.URL)
	seat := there.Seat("P1")
	player := there.Join(seat.Token)
	gm.Must(combat.Say{Text: "before"})
	proxy.Cut()
	late, id := uuid.NewString(), uuid.NewString()
	gm.Ask(late, combat.Say{Text: "from the old owner"})
	player.Ask(id, combat.Say{Text: "from the edge"})
	if got := player.Answer(id); got.Ack == nil {
		t.Fatalf("refused: %s", got.Code())
	}
	if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" || gm.Answered(late) {
		t.Fatalf("the old owner's socket ends with %+v", bye)
	}
	back := there.Resume(b.Tokens[combat.RoleGM], gm)
	if again := back.DoID(late, combat.Say{Text: "from the old owner"}); again.Ack == nil {
		t.Fatalf("refused: %s", again.Code())
	}
	proxy.Heal()
	// The old owner is an edge now, and nothing was said twice.
	hubtest.Eventually(t, "the old owner serves again", func() bool {
		return hubtest.Request(t, http.MethodGet, b.Path(), seat.Token, nil).Status == http.StatusOK
	})
	old := b.Join(seat.Token)
	same(t, "P1", player.View(), old.View())
	for _, text := range []string{"before", "from the old owner", "from the edge"} {
		if n := strings.Count(strings.Join(old.Log(), "\n"), text); n != 1 {
			t.Errorf("%q was said %d times", text, n)
		}
	}
}

// Subscriptions are killed under a load: every screen ends where the owner is.
func TestEdgeSubscriptionsKilled(t *testing.T) {
	s := share(t)
	b, _, edge := apart(t, s)
	for i := range 100 {
		if i%10 == 5 {
			s.redis.Do("CLIENT", "KILL", "TYPE", "pubsub")
		}
		b.gm.Must(combat.Say{Text: fmt.Sprint("line ", i)})
	}
	b.p1.WaitSeq(b.seqOf(b.seat1.Token))
	b.s1.WaitSeq(b.seqOf(b.Tokens[combat.RoleSpectator]))
	same(t, "P1", b.Join(b.seat1.Token).View(), b.p1.View())
	if edge.Metric("riposte_redis_missed_total") > 0 && edge.Metric("riposte_edge_fetches_total") == 0 {
		t.Error("what may have been missed was not fetched")
	}
}
