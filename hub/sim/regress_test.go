package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// Somebody who comes back to an edge that has not heard yet what it has seen
// elsewhere does not go back: the edge asks first. Found by seed 574.
func TestResumeAtAnEdgeThatIsBehind(t *testing.T) {
	open := opening(newWorld(leaseLength, rand.New(rand.NewPCG(1, 1))))
	behind := open()
	owner := hubtest.Serve(t, open(), hub.Limits{}, nil)
	edge := hubtest.Serve(t, behind, hub.Limits{}, nil)
	b := hubtest.Create(t, owner.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	there := b.On(edge.URL)
	watching := there.Join(b.Tokens[combat.RolePlayer])
	for i := range 3 {
		behind.deafen()
		seen := b.Join(b.Tokens[combat.RolePlayer])
		next := seen.Seq() + 1
		gm.Must(combat.Say{Text: fmt.Sprint("unheard ", i)})
		seen.WaitSeq(next)
		there.Resume(b.Tokens[combat.RolePlayer], seen).WaitSeq(next)
		watching.WaitSeq(next)
		behind.mend()
	}
}

// mute is a store over which no audience's view comes.
type mute struct {
	*link
	asked chan struct{} // closed once one is asked for
	once  sync.Once
}

// Call implements hub.Bus.
func (s *mute) Call(ctx context.Context, encounter combat.ID, call hub.Call) (hub.Reply, error) {
	if call.Kind == "feed" {
		s.once.Do(func() { close(s.asked) })
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.link.Call(ctx, encounter, call)
}

// Who waits for the view while the encounter is taken over, after a loss, is told
// that what it has seen is gone. Found by seeds 47 and 155.
func TestWhoWaitsIsToldOfALoss(t *testing.T) {
	w := newWorld(leaseLength, rand.New(rand.NewPCG(1, 1)))
	open := opening(w)
	owner := hubtest.Serve(t, open(), hub.Limits{}, nil)
	b := hubtest.Create(t, owner.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	gm.Must(combat.Say{Text: "kept"})
	w.mu.Lock()
	older := w.image()
	w.mu.Unlock()
	gm.Must(combat.Say{Text: "to be lost"})
	store := &mute{link: open(), asked: make(chan struct{})}
	edge := hubtest.Serve(t, store, hub.Limits{}, nil)
	back := hubtest.Dial(t, edge.URL)
	seq := gm.Seq()
	back.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens[combat.RoleGM], Since: &seq, Epoch: gm.Epoch()})
	<-store.asked
	back.Ping() // it is let in
	w.mu.Lock()
	w.restore(older)
	w.mu.Unlock()
	owner.Stop()
	hubtest.Eventually(t, "a whole view", func() bool { return back.Welcomes() == 1 })
	if !back.Cut() || back.Epoch() == gm.Epoch() {
		t.Fatalf("told of a loss: %v; %s after %s", back.Cut(), back.Epoch(), gm.Epoch())
	}
}

// slow is a store over which the first view of an audience is long on its way.
type slow struct {
	*link
	asked, come chan struct{} // closed once the owner has answered; closed to let the answer come
	once        sync.Once
}

// Call implements hub.Bus.
func (s *slow) Call(ctx context.Context, encounter combat.ID, call hub.Call) (hub.Reply, error) {
	reply, err := s.link.Call(ctx, encounter, call)
	if call.Kind == "feed" && err == nil {
		s.once.Do(func() {
			close(s.asked)
			<-s.come
		})
	}
	return reply, err
}

// Somebody who comes to an edge while an older view is on its way there does not
// go back, whether the edge has heard what came after it or not. Found by seed
// 31378.
func TestResumeWhileAnOlderViewIsOnItsWay(t *testing.T) {
	for name, deaf := range map[string]bool{"heard": false, "unheard": true} {
		t.Run(name, func(t *testing.T) {
			open := opening(newWorld(leaseLength, rand.New(rand.NewPCG(1, 1))))
			owner := hubtest.Serve(t, open(), hub.Limits{}, nil)
			b := hubtest.Create(t, owner.URL, nil)
			gm, seen := b.Join(b.Tokens[combat.RoleGM]), b.Join(b.Tokens[combat.RolePlayer])
			store := &slow{link: open(), asked: make(chan struct{}), come: make(chan struct{})}
			edge := hubtest.Serve(t, store, hub.Limits{}, nil)
			first := hubtest.Dial(t, edge.URL)
			first.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens[combat.RolePlayer]})
			<-store.asked
			if deaf {
				store.deafen()
			}
			seq := seen.Seq() + 2
			gm.Must(combat.Say{Text: "one"})
			gm.Must(combat.Say{Text: "two"})
			seen.WaitSeq(seq)
			back := hubtest.Dial(t, edge.URL)
			back.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens[combat.RolePlayer], Since: &seq, Epoch: seen.Epoch()})
			back.Ping() // it is let in
			close(store.come)
			back.WaitSeq(seq)
			first.WaitSeq(seq)
			for _, told := range back.Messages("welcome", "update") {
				var m struct{ Seq uint64 }
				if err := json.Unmarshal([]byte(told), &m); err != nil || m.Seq < seq {
					t.Errorf("after %d it is told %.120s (%v)", seq, told, err)
				}
			}
		})
	}
}

// cutShort is a store whose world is replaced by an older one just after it has
// given a lease.
type cutShort struct {
	*link
	from *image
	next func() // what happens then
}

// Acquire implements hub.Lease.
func (s *cutShort) Acquire(ctx context.Context, encounter combat.ID) (hub.Grant, error) {
	grant, err := s.link.Acquire(ctx, encounter)
	if s.from != nil {
		s.world.mu.Lock()
		s.world.restore(*s.from)
		s.from = nil
		s.world.mu.Unlock()
		s.next()
	}
	return grant, err
}

// A log that does not end with the commit that the lease names is not the one it
// was given for: some of that is lost, or another owner has gone on. It is not
// served under the epoch of those who have seen the other, be it longer, shorter
// or as long. Found by seeds 10 and 808.
func TestLogReplacedUnderTheLease(t *testing.T) {
	t.Run("cut short", func(t *testing.T) { replaced(t, 0) })
	t.Run("as long", func(t *testing.T) { replaced(t, 2) })
	t.Run("gone on", func(t *testing.T) { replaced(t, 3) })
}

// replaced loses two commits under the lease. Another instance adds some.
func replaced(t *testing.T, add int) {
	w := newWorld(leaseLength, rand.New(rand.NewPCG(1, 1)))
	open := opening(w)
	first := hubtest.Serve(t, open(), hub.Limits{}, nil)
	b := hubtest.Create(t, first.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	first.Stop()
	w.mu.Lock()
	older := w.image()
	w.mu.Unlock()
	second := hubtest.Serve(t, open(), hub.Limits{}, nil)
	gm = b.On(second.URL).Resume(b.Tokens[combat.RoleGM], gm)
	gm.Must(combat.Say{Text: "to be lost"})
	gm.Must(combat.Say{Text: "to be lost too"})
	second.Stop()
	other := hubtest.Serve(t, open(), hub.Limits{}, nil)
	third := b.On(hubtest.Serve(t, &cutShort{open(), &older, func() {
		there := b.On(other.URL).Join(b.Tokens[combat.RoleGM])
		for i := range add {
			there.Must(combat.Say{Text: fmt.Sprint("other ", i)})
		}
		other.Stop()
	}}, hub.Limits{}, nil).URL)
	if answer := hubtest.Request(t, http.MethodGet, third.Path(), b.Tokens[combat.RoleGM], nil); answer.Status != http.StatusServiceUnavailable {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	back := third.Resume(b.Tokens[combat.RoleGM], gm)
	if back.Welcomes() != 1 || back.Epoch() == gm.Epoch() || !back.Cut() {
		t.Fatalf("%d whole views, %s after %s, told of a loss: %v", back.Welcomes(), back.Epoch(), gm.Epoch(), back.Cut())
	}
	back.Must(combat.Say{Text: "anew"})
}

// attentive is a slow store that says when a subscriber has heard an update.
type attentive struct {
	*slow
	heard chan struct{}
}

type hearing struct {
	hub.Listener
	heard chan<- struct{}
}

func (h hearing) Hear(frame hub.Frame) {
	h.Listener.Hear(frame)
	if frame.Seq != 0 {
		h.heard <- struct{}{}
	}
}

// Subscribe implements hub.Bus.
func (s *attentive) Subscribe(ctx context.Context, encounter combat.ID, audience string, listener hub.Listener) (func(), error) {
	return s.slow.Subscribe(ctx, encounter, audience, hearing{listener, s.heard})
}

// What an edge hears while the view is on its way there is shown with it, and not
// only when a beacon tells that it is missing.
func TestHeardWhileTheViewIsOnItsWay(t *testing.T) {
	open := opening(newWorld(leaseLength, rand.New(rand.NewPCG(1, 1))))
	owner := hubtest.Serve(t, open(), hub.Limits{}, nil)
	b := hubtest.Create(t, owner.URL, nil)
	gm, seen := b.Join(b.Tokens[combat.RoleGM]), b.Join(b.Tokens[combat.RolePlayer])
	store := &attentive{&slow{link: open(), asked: make(chan struct{}), come: make(chan struct{})}, make(chan struct{}, 2)}
	edge := hubtest.Serve(t, store, hub.Limits{}, nil)
	first := hubtest.Dial(t, edge.URL)
	first.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens[combat.RolePlayer]})
	<-store.asked
	seq := seen.Seq() + 2
	gm.Must(combat.Say{Text: "one"})
	gm.Must(combat.Say{Text: "two"})
	<-store.heard
	<-store.heard
	close(store.come)
	first.WaitSeq(seq)
	if n := edge.Metric("riposte_edge_fetches_total"); n != 0 {
		t.Errorf("it was fetched %v times", n)
	}
}

// closed is a store over which no look is answered once it is closed.
type closed struct {
	*link
	shut atomic.Bool
}

// Call implements hub.Bus.
func (s *closed) Call(ctx context.Context, encounter combat.ID, call hub.Call) (hub.Reply, error) {
	if call.Kind == "look" && s.shut.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.link.Call(ctx, encounter, call)
}

// Whoever has a link that was replaced, or a seat that was removed, while an edge
// heard nothing, is not shown there what came after it: the answer that brings what
// was missed says so, and nothing else has to.
func TestMadeVoidWhileAnEdgeIsDeaf(t *testing.T) {
	// How much is said after that: nothing, so that no hole and no beacon shows that
	// anything was missed, or more than is kept for those who come back.
	for _, lines := range []int{0, 1, 300} {
		t.Run(fmt.Sprint(lines), func(t *testing.T) {
			open := opening(newWorld(leaseLength, rand.New(rand.NewPCG(1, 1))))
			owner := hubtest.Serve(t, open(), hub.Limits{CommandRate: 1e6, CommandBurst: 1e6}, nil)
			store := &closed{link: open()}
			edge := hubtest.Serve(t, store, hub.Limits{}, nil)
			b := hubtest.Create(t, owner.URL, nil)
			seat, gm := b.Seat("P1"), b.Join(b.Tokens[combat.RoleGM])
			there := b.On(edge.URL)
			old, sitting, looking := there.Join(b.Tokens[combat.RoleSpectator]), there.Join(seat.Token), there.JoinAs(b.Tokens[combat.RoleGM], combat.RoleSpectator)
			store.shut.Store(true)
			store.deafen()
			gm.Must(combat.ReplaceLink{Role: combat.RoleSpectator})
			gm.Must(combat.RemoveSeat{Seat: seat.Seat})
			for i := range lines {
				gm.Must(combat.Say{Text: fmt.Sprint("not for the old link ", i)})
			}
			store.mend()
			for _, c := range []*hubtest.Client{old, sitting} {
				if bye, _ := c.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
					t.Errorf("it ends with %+v", bye)
				}
				if strings.Contains(strings.Join(c.Messages("welcome", "update"), ""), "not for the old link") {
					t.Error("it is told what came after")
				}
			}
			gm.Must(combat.Say{Text: "on"})
			hubtest.Eventually(t, "a GM who sees as a spectator goes on", func() bool { return strings.Contains(strings.Join(looking.Log(), ""), `"on"`) })
		})
	}
}

// Whoever comes back from a history that is over, to an edge that shows it still
// and has seen less of it, gets the view of the next one, not first an older view
// of that. Found by seed 200183.
func TestResumeAtAnEdgeOfAHistoryThatIsOver(t *testing.T) {
	w := newWorld(leaseLength, rand.New(rand.NewPCG(1, 1)))
	open := opening(w)
	behind := open()
	first := hubtest.Serve(t, open(), hub.Limits{}, nil)
	edge := hubtest.Serve(t, behind, hub.Limits{}, nil)
	next := hubtest.Serve(t, open(), hub.Limits{}, nil)
	b := hubtest.Create(t, first.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	gm.Must(combat.Say{Text: "kept"})
	b.On(edge.URL).Join(b.Tokens[combat.RolePlayer])
	w.mu.Lock()
	older := w.image()
	w.mu.Unlock()
	behind.deafen()
	seen := b.Join(b.Tokens[combat.RolePlayer])
	seq := seen.Seq() + 2
	gm.Must(combat.Say{Text: "to be lost"})
	gm.Must(combat.Say{Text: "to be lost too"})
	seen.WaitSeq(seq)
	w.mu.Lock()
	w.restore(older)
	w.mu.Unlock()
	first.Stop()
	b.On(next.URL).Join(b.Tokens[combat.RoleGM])
	back := hubtest.Dial(t, edge.URL)
	back.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens[combat.RolePlayer], Since: &seq, Epoch: seen.Epoch()})
	hubtest.Eventually(t, "a whole view", func() bool { return back.Welcomes() > 0 })
	if welcome := back.Messages("welcome")[0]; strings.Contains(welcome, seen.Epoch()) || !back.Cut() {
		t.Errorf("told of a loss: %v; first it gets %.80s", back.Cut(), welcome)
	}
	behind.mend()
}

// A token that was made void in a history that is lost is good in the next one, at
// an edge that has heard that it was void, too.
func TestMadeVoidInAHistoryThatIsLost(t *testing.T) {
	w := newWorld(leaseLength, rand.New(rand.NewPCG(1, 1)))
	open := opening(w)
	store := open()
	first := hubtest.Serve(t, open(), hub.Limits{}, nil)
	edge := hubtest.Serve(t, store, hub.Limits{}, nil)
	next := hubtest.Serve(t, open(), hub.Limits{}, nil)
	b := hubtest.Create(t, first.URL, nil)
	gm, there := b.Join(b.Tokens[combat.RoleGM]), b.On(edge.URL)
	there.Join(b.Tokens[combat.RolePlayer])
	old := there.Join(b.Tokens[combat.RoleSpectator])
	w.mu.Lock()
	older := w.image()
	w.mu.Unlock()
	gm.Must(combat.ReplaceLink{Role: combat.RoleSpectator})
	if bye, _ := old.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
		t.Fatalf("it ends with %+v", bye)
	}
	store.deafen()
	w.mu.Lock()
	w.restore(older)
	w.mu.Unlock()
	first.Stop()
	b.On(next.URL).Join(b.Tokens[combat.RoleGM])
	if back := there.Join(b.Tokens[combat.RoleSpectator]); back.Epoch() == old.Epoch() {
		t.Errorf("it is in %s still", back.Epoch())
	}
	store.mend()
}
