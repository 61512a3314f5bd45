package hub_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/hub"
	"riposte/hub/embedded"
	"riposte/hub/hubtest"
)

// faulty is a real store between which and the hub things go wrong.
type faulty struct {
	hub.Store
	lose   atomic.Int32 // how many of the next appends arrive without an answer
	refuse atomic.Int32 // how many fail before they arrive
	fence  atomic.Bool  // another owner has come
	spoil  atomic.Bool  // the log reads as changed
	blow   atomic.Bool  // appending panics
	cut    atomic.Bool  // reading fails before its end
	broken atomic.Bool  // the store has failed for good
	deaf   atomic.Bool  // whether it is ready is not answered
	lost   chan struct{}
	leased atomic.Bool // the first lease was taken: the one that can be lost
	late   atomic.Bool // and may have run out while nobody looked
}

func (f *faulty) Acquire(ctx context.Context, id combat.ID) (hub.Grant, error) {
	grant, err := f.Store.Acquire(ctx, id)
	if !f.leased.Swap(true) {
		grant.Lost = f.lost
		grant.Held = func() bool { return !f.late.Load() }
	}
	return grant, err
}

var errLost = errors.New("the connection broke")

func (f *faulty) Append(ctx context.Context, e *hub.Entry) (hub.Appended, error) {
	if f.blow.Load() {
		panic("blown")
	}
	if f.broken.Load() {
		return hub.Appended{}, fmt.Errorf("%w: no disk", hub.ErrBroken)
	}
	if f.refuse.Add(-1) >= 0 {
		return hub.Appended{}, errLost
	}
	if f.fence.Load() {
		late := *e
		late.Fence--
		return f.Store.Append(ctx, &late)
	}
	answer, err := f.Store.Append(ctx, e)
	if f.lose.Add(-1) >= 0 {
		return hub.Appended{}, errLost
	}
	return answer, err
}

func (f *faulty) Ready(ctx context.Context) error {
	if f.deaf.Load() {
		<-ctx.Done()
		return ctx.Err()
	}
	return f.Store.Ready(ctx)
}

func (f *faulty) Read(ctx context.Context, id combat.ID, after uint64) iter.Seq2[hub.Record, error] {
	if f.cut.Load() {
		return func(yield func(hub.Record, error) bool) { yield(hub.Record{}, errLost) }
	}
	if !f.spoil.Load() {
		return f.Store.Read(ctx, id, after)
	}
	return func(yield func(hub.Record, error) bool) {
		for record, err := range f.Store.Read(ctx, id, after) {
			if err == nil {
				record.Commit.At++
			}
			if !yield(record, err) {
				return
			}
		}
	}
}

// withFaults starts a server on a faulty store.
func withFaults(t *testing.T, limits hub.Limits, dice combat.Dice) (*faulty, *hubtest.Server) {
	t.Helper()
	store, err := embedded.Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	f := &faulty{Store: store, lost: make(chan struct{})}
	return f, hubtest.Serve(t, f, limits, dice)
}

// An append that arrived without an answer is repeated until its outcome is
// known, and applies once.
func TestLostAnswer(t *testing.T) {
	f, server := withFaults(t, hub.Limits{}, nil)
	b := hubtest.Create(t, server.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	ids := b.Quartet(gm, "", "")
	f.lose.Store(3)
	gm.Must(combat.Damage{Combatants: []combat.ID{ids["Cedar"]}, Amount: 5})
	f.refuse.Store(3)
	gm.Must(combat.Damage{Combatants: []combat.ID{ids["Cedar"]}, Amount: 5})
	if got := hp(t, gm, ids["Cedar"]); got != 20 {
		t.Fatalf("Cedar has %d, want 20", got)
	}
	if got := hp(t, b.Join(b.Tokens[combat.RoleGM]), ids["Cedar"]); got != 20 {
		t.Fatalf("Cedar has %d for a newcomer, want 20", got)
	}
}

// A journal that does not answer for long drops the encounter, not the
// command: sent again, it is accepted once.
func TestJournalAway(t *testing.T) {
	f, server := withFaults(t, hub.Limits{AppendTimeout: 50 * time.Millisecond}, nil)
	b := hubtest.Create(t, server.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	ids := b.Quartet(gm, "", "")
	f.refuse.Store(1 << 30)
	id := uuid.NewString()
	hit := combat.Damage{Combatants: []combat.ID{ids["Cedar"]}, Amount: 5}
	gm.Ask(id, hit)
	if bye, status := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" || bye.RetryAfterMs == 0 || status != 1013 {
		t.Fatalf("bye %+v, status %d", bye, status)
	}
	f.refuse.Store(0)
	back := b.Resume(b.Tokens[combat.RoleGM], gm)
	if reply := back.DoID(id, hit); reply.Ack == nil {
		t.Fatalf("refused: %s", reply.Code())
	}
	if got := hp(t, b.Join(b.Tokens[combat.RoleGM]), ids["Cedar"]); got != 25 {
		t.Fatalf("Cedar has %d, want 25", got)
	}
}

// An owner that is one no more decides nothing and sends its viewers away.
func TestFenced(t *testing.T) {
	f, server := withFaults(t, hub.Limits{}, nil)
	b := hubtest.Create(t, server.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	gm.Must(combat.Note{Text: "before"})
	f.fence.Store(true)
	gm.Ask(uuid.NewString(), combat.Note{Text: "lost"})
	if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" || bye.RetryAfterMs == 0 {
		t.Fatalf("bye %+v", bye)
	}
	f.fence.Store(false)
	if log := b.Export().Log; len(log) != 2 {
		t.Fatalf("the log has %d lines: %s", len(log), log)
	}
}

// An owner whose lease is lost sends its viewers away, to come back.
func TestLeaseLost(t *testing.T) {
	f, server := withFaults(t, hub.Limits{}, nil)
	b := hubtest.Create(t, server.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	close(f.lost)
	if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" || bye.RetryAfterMs == 0 {
		t.Fatalf("bye %+v", bye)
	}
	b.Join(b.Tokens[combat.RoleGM]).Must(combat.Note{Text: "and on"})
}

// A log that cannot be read back closes its encounter and no other.
func TestQuarantine(t *testing.T) {
	f, server := withFaults(t, hub.Limits{}, nil)
	bad, good := hubtest.Create(t, server.URL, nil), hubtest.Create(t, server.URL, nil)
	gm := good.Join(good.Tokens[combat.RoleGM])
	f.spoil.Store(true)
	for range 2 {
		answer := hubtest.Request(t, http.MethodGet, bad.Path(), bad.Tokens[combat.RoleGM], nil)
		if answer.Status != http.StatusServiceUnavailable || answer.Problem(t).Code != "unavailable" || answer.Header.Get("Retry-After") == "" {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
		f.spoil.Store(false) // it stays closed
	}
	gm.Must(combat.Note{Text: "the others go on"})
	if got := server.Metric("riposte_quarantined_total"); got != 1 {
		t.Fatalf("quarantined %v times", got)
	}
}

// A log that could not be read for once is read again by the next who wants
// it.
func TestReadFailsOnce(t *testing.T) {
	f, server := withFaults(t, hub.Limits{}, nil)
	b := hubtest.Create(t, server.URL, nil)
	f.cut.Store(true)
	answer := hubtest.Request(t, http.MethodGet, b.Path(), b.Tokens[combat.RoleGM], nil)
	if answer.Status != http.StatusServiceUnavailable || answer.Problem(t).Params["retryAfterMs"] == nil {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	f.cut.Store(false)
	b.Join(b.Tokens[combat.RoleGM]).Must(combat.Note{Text: "on"})
	if got := server.Metric("riposte_quarantined_total"); got != 0 {
		t.Fatalf("quarantined %v times", got)
	}
}

// A store that has failed for good is not asked again and again.
func TestBrokenStore(t *testing.T) {
	f, server := withFaults(t, hub.Limits{AppendTimeout: time.Hour}, nil)
	b := hubtest.Create(t, server.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	f.broken.Store(true)
	gm.Ask(uuid.NewString(), combat.Note{Text: "lost"})
	if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" {
		t.Fatalf("bye %+v", bye)
	}
	if got := server.Metric("riposte_append_retries_total"); got != 0 {
		t.Fatalf("tried again %v times", got)
	}
}

// Whoever asks whether the instance is ready and does not wait for the answer
// makes nobody else believe that it is not.
func TestReadyIsNobodysContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := embedded.Open(filepath.Join(t.TempDir(), "journal.db"))
		if err != nil {
			t.Fatal(err)
		}
		f := &faulty{Store: store}
		h := hub.New(hub.Config{Engine: combat.New(), Store: f})
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := h.Ready(gone); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := h.Ready(t.Context()); err != nil {
			t.Errorf("for the next: %v", err)
		}
		time.Sleep(time.Minute)
		f.deaf.Store(true)
		begun := time.Now()
		if err := h.Ready(t.Context()); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		if err := h.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := h.Ready(t.Context()); err == nil {
			t.Error("ready while going down")
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
}

// cursed dice panic once they are told to.
type cursed struct{ armed atomic.Bool }

func (c *cursed) Roll(sides int) int {
	if c.armed.Load() && sides == 20 {
		panic("cursed")
	}
	return hub.Dice{}.Roll(sides)
}

// A panic in the rules refuses the command that caused it, and that is all.
func TestPanicInTheRules(t *testing.T) {
	dice := &cursed{}
	_, server := withFaults(t, hub.Limits{}, dice)
	b := hubtest.Create(t, server.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	dice.armed.Store(true)
	id := uuid.NewString()
	roll := combat.Roll{Dice: "1d20"}
	if reply := gm.DoID(id, roll); reply.Code() != "unavailable" {
		t.Fatalf("answered %q", reply.Code())
	}
	gm.Must(combat.Note{Text: "still here"})
	dice.armed.Store(false)
	if reply := gm.DoID(id, roll); reply.Ack == nil {
		t.Fatalf("a fault of ours was remembered as an outcome: %q", reply.Code())
	}
	same(t, "gm", b.Join(b.Tokens[combat.RoleGM]).View(), gm.View())
}

// A panic outside the rules ends that encounter's actor, and only that: it
// comes back from the journal.
func TestPanicInAnActor(t *testing.T) {
	f, server := withFaults(t, hub.Limits{}, nil)
	b, other := hubtest.Create(t, server.URL, nil), hubtest.Create(t, server.URL, nil)
	gm, bystander := b.Join(b.Tokens[combat.RoleGM]), other.Join(other.Tokens[combat.RoleGM])
	f.blow.Store(true)
	id := uuid.NewString()
	gm.Ask(id, combat.Note{Text: "x"})
	if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" || bye.RetryAfterMs == 0 {
		t.Fatalf("bye %+v", bye)
	}
	f.blow.Store(false)
	bystander.Must(combat.Note{Text: "not concerned"})
	if reply := b.Join(b.Tokens[combat.RoleGM]).DoID(id, combat.Note{Text: "x"}); reply.Ack == nil {
		t.Fatalf("refused: %s", reply.Code())
	}
}

// An owner that was stopped for so long that its lease may have run out says
// nothing more from memory, though nobody has told it yet.
func TestLeaseRanOutUnnoticed(t *testing.T) {
	for name, ask := range map[string]func(b *hubtest.Table) bool{
		"a view": func(b *hubtest.Table) bool {
			return hubtest.Request(t, http.MethodGet, b.Path(), b.Tokens[combat.RoleGM], nil).Status == http.StatusOK
		},
		"a newcomer": func(b *hubtest.Table) bool { return b.Join(b.Tokens[combat.RoleSpectator]) != nil },
		"a command": func(b *hubtest.Table) bool {
			late, _ := combat.EncodeCommand(combat.Note{Text: "late"})
			return hubtest.Request(t, http.MethodPost, b.Path()+"/commands", b.Tokens[combat.RoleGM],
				hub.CommandRequest{ID: uuid.NewString(), Command: late}).Status == http.StatusOK
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, server := withFaults(t, hub.Limits{}, nil)
			b := hubtest.Create(t, server.URL, nil)
			gm := b.Join(b.Tokens[combat.RoleGM])
			gm.Must(combat.Note{Text: "before"})
			f.late.Store(true)
			if !ask(b) {
				t.Fatal("it is not answered by the next owner")
			}
			if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" {
				t.Fatalf("the old owner's socket ends with %+v", bye)
			}
		})
	}
}

// hearing listens to the bus.
type hearing chan hub.Frame

func (h hearing) Hear(frame hub.Frame) { h <- frame }
func (hearing) Missed()                {}

// Another instance reaches the owner over the bus, with a token's hash.
func TestCallOverTheBus(t *testing.T) {
	f, server := withFaults(t, hub.Limits{}, nil)
	b := hubtest.Create(t, server.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	frames := make(chan hub.Frame, 16)
	cancel, err := f.Subscribe(t.Context(), b.ID, combat.RoleGM, hearing(frames))
	if err != nil {
		t.Fatal(err)
	}
	defer cancel()
	type answer struct {
		Refusal *combat.Refusal
		Seq     uint64
	}
	call := func(key, text string) answer {
		raw, _ := combat.EncodeCommand(combat.Note{Text: text})
		body := encode(t, []map[string]any{{"id": uuid.NewString(), "key": key, "command": json.RawMessage(raw)}})
		reply, err := f.Call(t.Context(), b.ID, hub.Call{Kind: "orders", Body: json.RawMessage(body)})
		if err != nil {
			t.Fatal(err)
		}
		return decode[[]answer](t, reply)[0]
	}
	export := b.Export()
	if export.State.Keys != nil {
		t.Fatal("an export holds keys")
	}
	if got := call("", "nobody"); got.Refusal == nil || got.Refusal.Code != "unauthorized" {
		t.Fatalf("without a key: %+v", got)
	}
	if got := call(hubtest.Hash(b.Tokens[combat.RoleGM]), "over the bus"); got.Refusal != nil || got.Seq == 0 {
		t.Fatalf("the GM's call: %+v", got)
	}
	if _, err := f.Call(t.Context(), b.ID, hub.Call{Kind: "nonsense"}); err == nil {
		t.Fatal("a kind that there is not is answered")
	}
	for _, kind := range []string{"orders", "look", "feed", "here"} {
		if _, err := f.Call(t.Context(), b.ID, hub.Call{Kind: kind, Body: json.RawMessage(`{"`)}); err == nil {
			t.Fatalf("%s: half a question is answered", kind)
		}
	}
	frame := <-frames
	gm.WaitSeq(frame.Seq)
	found := false
	for _, got := range gm.Frames() {
		found = found || got == string(frame.Data)
	}
	if !found {
		t.Fatalf("the bus carried %s, the socket did not", frame.Data)
	}
}

// What is acknowledged is in the journal, whatever happens to the appends
// between, and what is in the journal folds to the state on the screens.
func TestAcknowledgedIsDurable(t *testing.T) {
	f, server := withFaults(t, hub.Limits{CommandRate: 1e6, CommandBurst: 1e6}, nil)
	rapid.Check(t, func(r *rapid.T) {
		b := hubtest.Create(t, server.URL, nil)
		gm := b.Join(b.Tokens[combat.RoleGM])
		ids := b.Quartet(gm, "", "")
		all := []combat.ID{ids["Ash"], ids["Birch"], ids["Cedar"], ids["Dune"]}
		f.lose.Store(rapid.Int32Range(0, 2).Draw(r, "lost"))
		acked := map[string]bool{}
		var sent []string
		for range rapid.IntRange(1, 25).Draw(r, "commands") {
			id := uuid.NewString()
			if len(sent) > 0 && rapid.IntRange(0, 4).Draw(r, "repeat") == 0 {
				id = rapid.SampledFrom(sent).Draw(r, "id")
			}
			who := []combat.ID{rapid.SampledFrom(all).Draw(r, "who")}
			command := rapid.SampledFrom([]combat.Command{
				combat.Damage{Combatants: who, Amount: 3}, combat.Heal{Combatants: who, Amount: 2}, combat.StartCombat{},
				combat.EndTurn{}, combat.EndTurn{Combatant: who[0]}, combat.Undo{}, combat.Redo{}, combat.RemoveCombatant{Combatants: []combat.ID{"nobody"}},
				combat.SetHidden{Combatants: who, Hidden: true}, combat.SetHidden{Combatants: who}, combat.Roll{Dice: "2d6"},
			}).Draw(r, "command")
			gm.Ask(id, command)
			sent = append(sent, id)
		}
		for _, id := range sent {
			acked[id] = gm.Answer(id).Ack != nil
		}
		f.lose.Store(0)
		engine := combat.New(dnd5e.System{})
		logged := map[string]bool{}
		var state *combat.State
		hash := ""
		for record, err := range f.Store.Read(t.Context(), b.ID, 0) {
			if err != nil {
				r.Fatal(err)
			}
			if err := record.Commit.Follows(uint64(len(logged)), hash); err != nil {
				r.Fatal(err)
			}
			if logged[record.Commit.ID] {
				r.Fatalf("command %s is in the log twice", record.Commit.ID)
			}
			logged[record.Commit.ID] = true
			state, hash = combat.ApplyCommit(state, record.Commit), record.Commit.Hash
		}
		for id, yes := range acked {
			if yes != logged[id] {
				r.Fatalf("command %s: acknowledged %v, in the log %v", id, yes, logged[id])
			}
		}
		whole := engine.NewViews(state).Whole(combat.Audience{Role: combat.RoleGM})
		fresh := b.Join(b.Tokens[combat.RoleGM])
		gm.WaitSeq(fresh.Seq())
		for key, value := range whole {
			if string(value) != gm.View()[key] || fresh.View()[key] != gm.View()[key] {
				r.Fatalf("%s folds to %s, a newcomer sees %s, the screen shows %s", key, value, fresh.View()[key], gm.View()[key])
			}
		}
		fresh.Close()
		gm.Close()
	})
}
