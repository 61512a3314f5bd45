package hub_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// B53, over two instances: a player is back at one when the other notices that
// its old socket has ended. It was never away.
func TestB53LateCloseElsewhere(t *testing.T) {
	t.Parallel()
	b, _, edge := apart(t, share(t))
	there := b.On(edge.URL)
	b.gm.Must(combat.StartCombat{})
	old := b.Join(b.seat2.Token)
	b.p2.Abort()
	again := there.Join(b.seat2.Token)
	b.gm.WaitPresence("P2 online", func(p hub.Presence) bool { return online(p, b.seat2.Seat) })
	from := len(b.gm.Frames())
	old.Abort()
	last := there.Join(b.Tokens[combat.RoleSpectator])
	b.gm.WaitPresence("a second spectator", func(p hub.Presence) bool { return p.Spectators == 2 })
	for _, frame := range b.gm.Frames()[from:] {
		if strings.Contains(frame, `"presence"`) && !strings.Contains(frame, string(b.seat2.Seat)) {
			t.Fatalf("P2 was away: %s", frame)
		}
	}
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	again.WaitSeq(b.seqOf(b.seat2.Token))
	again.Must(combat.EndTurn{Combatant: b.id["Birch"], Frame: again.Frame()})
	again.Close()
	last.WaitPresence("P2 away", func(p hub.Presence) bool { return !online(p, b.seat2.Seat) })
}

// busy is a store whose subscribers to one audience are held up when they hear
// something, until they are let go.
type busy struct {
	hub.Store
	audience       string
	holds, reached chan struct{} // closed: let go; somebody is held
	once           sync.Once
}

// heldUp is one of them.
type heldUp struct {
	hub.Listener
	busy *busy
}

func (h heldUp) Hear(frame hub.Frame) {
	if frame.Seq != 0 {
		h.busy.once.Do(func() { close(h.busy.reached) })
		<-h.busy.holds
	}
	h.Listener.Hear(frame)
}

func (s *busy) Subscribe(ctx context.Context, id combat.ID, audience string, to hub.Listener) (func(), error) {
	if audience == s.audience {
		to = heldUp{to, s}
	}
	return s.Store.Subscribe(ctx, id, audience, to)
}

// B75: what an edge hears is held up while thousands of events are published.
// When it goes on it has lost some; the hole is noticed, counted and filled, and
// its viewers end where the owner is.
func TestB75HeldHandler(t *testing.T) {
	t.Parallel()
	s := share(t)
	limits := hub.Limits{CommandRate: 1e6, CommandBurst: 1e6}
	owner := hubtest.Serve(t, s.store(s.redis.Addr), limits, nil)
	store := &busy{Store: s.store(s.redis.Addr), audience: combat.RoleSpectator, holds: make(chan struct{}), reached: make(chan struct{})}
	edge := hubtest.Serve(t, store, limits, nil)
	let := sync.OnceFunc(func() { close(store.holds) })
	defer let()
	b := hubtest.Create(t, owner.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	there := b.On(edge.URL)
	watching := there.Join(b.Tokens[combat.RoleSpectator])
	gm.Must(combat.Say{Text: "held"})
	<-store.reached
	// More than waits for one subscriber.
	const events = 4500
	ids := make([]string, events)
	for i := range ids {
		ids[i] = uuid.NewString()
		gm.Ask(ids[i], combat.Say{Text: fmt.Sprint("event ", i)})
	}
	for _, id := range ids {
		if reply := gm.Answer(id); reply.Ack == nil {
			t.Fatalf("refused: %s", reply.Code())
		}
	}
	if watching.Seq() > 2 && strings.Contains(strings.Join(watching.Log(), ""), "event") {
		t.Fatal("nothing was held up")
	}
	let()
	fresh := b.Join(b.Tokens[combat.RoleSpectator])
	watching.WaitSeq(fresh.Seq())
	same(t, "a spectator", fresh.View(), watching.View())
	if !strings.Contains(strings.Join(watching.Log(), ""), fmt.Sprint("event ", events-1)) {
		t.Error("the last event is not there")
	}
	if watching.Welcomes() < 2 || watching.Bye() != nil {
		t.Errorf("%d whole views, bye %+v", watching.Welcomes(), watching.Bye())
	}
	if edge.Metric("riposte_edge_fetches_total") == 0 {
		t.Error("no metric counts the hole")
	}
}

// A link that is replaced and a seat that is removed while an edge is cut off from
// Redis end their holders there as soon as it hears again: they are not shown what
// it has missed.
func TestEdgeRevokesWhatItMissed(t *testing.T) {
	t.Parallel()
	s := share(t)
	owner := s.instance()
	proxy := hubtest.StartProxy(t, s.redis.Addr)
	edge := hubtest.Serve(t, s.store(proxy.Addr), hub.Limits{}, nil)
	b := hubtest.Create(t, owner.URL, nil)
	gm, there, seat := b.Join(b.Tokens[combat.RoleGM]), b.On(edge.URL), b.Seat("P1")
	looking := there.JoinAs(b.Tokens[combat.RoleGM], combat.RoleSpectator)
	for round := range 5 {
		old, sitting := there.Join(b.Tokens[combat.RoleSpectator]), there.Join(seat.Token)
		proxy.Cut()
		proxy.Drop()
		reply := gm.DoID(uuid.NewString(), combat.ReplaceLink{Role: combat.RoleSpectator})
		gm.Must(combat.RemoveSeat{Seat: seat.Seat})
		after := fmt.Sprintf("not for the old link %d", round)
		gm.Must(combat.Say{Text: after})
		proxy.Heal()
		for _, c := range []*hubtest.Client{old, sitting} {
			if bye, _ := c.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
				t.Errorf("it ends with %+v", bye)
			}
			if strings.Contains(told(c), after) {
				t.Error("it is told what came after")
			}
		}
		hubtest.Eventually(t, "a GM who sees as a spectator goes on", func() bool { return strings.Contains(strings.Join(looking.Log(), ""), after) })
		b.Tokens[combat.RoleSpectator] = decode[hub.NewLink](t, reply.Ack.Result).Token
		seat = b.Seat("P1")
	}
}

// slowly is a store that gives an encounter up only when it is let.
type slowly struct {
	hub.Store
	leaving chan combat.ID // one that is about to be given up
	let     func(combat.ID) <-chan struct{}
}

func (s *slowly) Release(ctx context.Context, id combat.ID, grant hub.Grant) error {
	s.leaving <- id
	<-s.let(id)
	return s.Store.Release(context.WithoutCancel(ctx), id, grant)
}

// B76: a hundred encounters are put away by one instance, slowly, while their
// players join through another: before it is given up, while, and after. Each is
// then in a living encounter with all that was saved, there is one owner, and
// nothing is left once all have gone.
func TestB76JoinWhilePutAway(t *testing.T) {
	t.Parallel()
	const tables = 100
	s := share(t)
	limits := hub.Limits{IdleTime: 1}
	gates := map[combat.ID]chan struct{}{}
	var mu sync.Mutex
	gate := func(id combat.ID) chan struct{} {
		mu.Lock()
		defer mu.Unlock()
		if gates[id] == nil {
			gates[id] = make(chan struct{})
		}
		return gates[id]
	}
	store := &slowly{Store: s.store(s.redis.Addr), leaving: make(chan combat.ID, 10*tables), let: func(id combat.ID) <-chan struct{} { return gate(id) }}
	one := hubtest.Serve(t, store, limits, nil)
	two := hubtest.Serve(t, s.store(s.redis.Addr), limits, nil)
	var all []*hubtest.Table
	place := map[combat.ID]int{}
	for i := range tables {
		b := hubtest.Create(t, one.URL, nil)
		gm := b.Join(b.Tokens[combat.RoleGM])
		gm.Must(combat.Note{Text: fmt.Sprint("saved ", i)})
		gm.Close()
		all, place[b.ID] = append(all, b), i
	}
	var joined []*hubtest.Client
	for range tables {
		id := <-store.leaving
		i := place[id]
		if i%3 == 0 { // it is given up at once, and joined after or at the same time
			close(gate(id))
		}
		there := all[i].On(two.URL)
		c := hubtest.Dial(t, there.URL)
		c.Send(hub.Hello{Type: "hello", Encounter: id, Token: all[i].Tokens[combat.RoleGM]})
		if i%3 != 0 {
			if i%3 == 1 {
				hubtest.Eventually(t, "the other instance has heard of it", func() bool { return two.Metric("riposte_encounters_open") > float64(len(joined)) })
			}
			close(gate(id))
		}
		joined = append(joined, c)
	}
	for n, c := range joined {
		hubtest.Eventually(t, fmt.Sprint("join ", n), func() bool { return c.Welcomes() > 0 })
		if log := strings.Join(c.Log(), ""); !strings.Contains(log, "saved ") {
			t.Errorf("join %d finds %s", n, log)
		}
		c.Must(combat.Note{Text: "and on"})
	}
	if one.Metric("riposte_redis_leases") != 0 {
		t.Error("the first instance owns something still")
	}
	for _, b := range all {
		if got := b.Export().State.Seq; got != 3 {
			t.Errorf("%d commits, want 3", got)
		}
	}
	for _, c := range joined {
		c.Close()
	}
	for _, server := range []*hubtest.Server{one, two} {
		hubtest.Eventually(t, "nothing is left", func() bool {
			return server.Metric("riposte_encounters_open") == 0 && server.Metric("riposte_edges") == 0
		})
	}
	if keys := s.redis.Do("--scan", "--pattern", "*:lease"); keys != "" {
		t.Errorf("leases are left: %s", keys)
	}
}
