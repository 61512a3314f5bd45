package hub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// table is a started server with one encounter and a socket for everybody.
type table struct {
	*hubtest.Table
	t              *testing.T
	server         *hubtest.Server
	gm, p1, p2, s1 *hubtest.Client
	seat1, seat2   hub.SeatCreated
	id             map[string]combat.ID // of combatants, by name
}

// quartet sets the usual table: Ash (P1) and Birch (P2) against Cedar and Dune.
func quartet(t *testing.T, limits hub.Limits, options map[string]string) *table {
	t.Helper()
	return quartetUnder(t, "dnd5e", limits, options)
}

// quartetUnder sets it under other rules.
func quartetUnder(t *testing.T, rules string, limits hub.Limits, options map[string]string) *table {
	t.Helper()
	server := hubtest.Start(t, limits)
	b := &table{t: t, server: server, Table: hubtest.CreateUnder(t, server.URL, rules, options)}
	b.gm = b.Join(b.Tokens[combat.RoleGM])
	b.seat1, b.seat2 = b.Seat("P1"), b.Seat("P2")
	b.id = b.Quartet(b.gm, b.seat1.Seat, b.seat2.Seat)
	b.p1, b.p2 = b.Join(b.seat1.Token), b.Join(b.seat2.Token)
	b.s1 = b.Join(b.Tokens[combat.RoleSpectator])
	return b
}

// start begins the fight and waits until everybody sees it.
func (b *table) start() {
	b.gm.Must(combat.StartCombat{})
	b.settle()
}

// settle waits until every socket shows all that was acknowledged: a view read
// over HTTP tells how far each audience is.
func (b *table) settle() {
	for token, c := range map[string]*hubtest.Client{
		b.Tokens[combat.RoleGM]: b.gm, b.seat1.Token: b.p1, b.seat2.Token: b.p2, b.Tokens[combat.RoleSpectator]: b.s1} {
		c.WaitSeq(b.seqOf(token))
	}
}

func TestEverybodySeesAtOnce(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	for _, c := range []*hubtest.Client{b.gm, b.p1, b.p2, b.s1} {
		if got := c.Turn().Combatant; got != b.id["Ash"] {
			t.Fatalf("active is %s, want Ash %s", got, b.id["Ash"])
		}
	}
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"], Frame: b.p1.Frame()})
	b.settle()
	for _, c := range []*hubtest.Client{b.gm, b.p1, b.p2, b.s1} {
		if got := c.Turn().Combatant; got != b.id["Birch"] {
			t.Fatalf("active is %s, want Birch %s", got, b.id["Birch"])
		}
	}
}

// A view built from updates is the view that a newcomer gets.
func TestUpdatesAddUpToTheView(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	b.p1.Must(combat.Act{Combatant: b.id["Ash"], Kind: "attack", Targets: []combat.ID{b.id["Cedar"]}})
	b.gm.Must(combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 7})
	b.gm.Must(combat.AddEffect{Combatants: []combat.ID{b.id["Birch"]}, Name: "prone"})
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	b.gm.Must(combat.Undo{})
	b.settle()
	same(t, "gm", b.Join(b.Tokens[combat.RoleGM]).View(), b.gm.View())
	same(t, "seat", b.Join(b.seat1.Token).View(), b.p1.View())
	same(t, "spectator", b.Join(b.Tokens[combat.RoleSpectator]).View(), b.s1.View())
}

// The same id again is answered the same way and does nothing: at once, over
// HTTP, and after a restart.
func TestIdempotent(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	id := uuid.NewString()
	hit := combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 5}
	first := b.gm.DoID(id, hit)
	if first.Ack == nil {
		t.Fatalf("refused: %s", first.Code())
	}
	b.gm.Must(combat.Note{Text: "something else"})
	if again := b.gm.DoID(id, hit); again.Ack == nil || again.Ack.Seq != first.Ack.Seq {
		t.Fatalf("first %+v, then %+v", first.Ack, again)
	}
	raw, _ := combat.EncodeCommand(hit)
	answer := hubtest.Request(t, http.MethodPost, b.Path()+"/commands", b.Tokens[combat.RoleGM], hub.CommandRequest{ID: id, Command: raw})
	if answer.Status != http.StatusOK || decode[hub.CommandDone](t, answer.Body).Seq != first.Ack.Seq {
		t.Fatalf("over HTTP: %d %s", answer.Status, answer.Body)
	}
	after := b.server.Again()
	gm := b.On(after.URL).Join(b.Tokens[combat.RoleGM])
	if again := gm.DoID(id, hit); again.Ack == nil || again.Ack.Seq != first.Ack.Seq {
		t.Fatalf("first %+v, after a restart %+v", first.Ack, again)
	}
	if got := hp(t, gm, b.id["Cedar"]); got != 25 {
		t.Fatalf("Cedar has %d, want 25", got)
	}
}

// An id that the memory has forgotten is still known to the journal.
func TestIdempotentForEver(t *testing.T) {
	b := quartet(t, hub.Limits{CommandRate: 1e6, CommandBurst: 1e6}, nil)
	id := uuid.NewString()
	hit := combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 5}
	first := b.gm.DoID(id, hit)
	var last string
	for range 4200 {
		last = uuid.NewString()
		b.gm.Ask(last, combat.SetTempHP{Combatants: []combat.ID{b.id["Dune"]}, Amount: 1})
	}
	if reply := b.gm.Answer(last); reply.Ack == nil {
		t.Fatalf("refused: %s", reply.Code())
	}
	other := uuid.NewString()
	b.gm.Ask(other, combat.Heal{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 1})
	again := b.gm.DoID(id, hit)
	if again.Ack == nil || again.Ack.Seq != first.Ack.Seq {
		t.Fatalf("first %+v, then %+v", first.Ack, again)
	}
	b.gm.WaitSeq(b.gm.Answer(other).Ack.Seq)
	if got := hp(t, b.gm, b.id["Cedar"]); got != 26 {
		t.Fatalf("Cedar has %d, want 26", got)
	}
}

// A refusal is repeated too, even if the command would be accepted by now.
func TestRefusalIsRepeated(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	id := uuid.NewString()
	end := combat.EndTurn{Combatant: b.id["Birch"]}
	first := b.p2.DoID(id, end)
	if first.Reject == nil {
		t.Fatal("Birch ended Ash's turn")
	}
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	if again := b.p2.DoID(id, end); again.Code() != first.Code() {
		t.Fatalf("first %q, then %q", first.Code(), again.Code())
	}
}

// A link is replaced: the new one works, the old one does not, and whoever
// came with it is gone. The sender learns the new link first.
func TestReplaceLink(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	ack := b.gm.Must(combat.ReplaceLink{Role: combat.RoleSpectator})
	link := decode[hub.NewLink](t, ack.Result)
	if bye, status := b.s1.WaitEnd(); bye == nil || bye.Code != "unauthorized" || bye.RetryAfterMs != 0 || status != 1008 {
		t.Fatalf("the old socket got %+v, status %d", bye, status)
	}
	old := hubtest.Request(t, http.MethodGet, b.Path(), b.Tokens[combat.RoleSpectator], nil)
	if old.Status != http.StatusUnauthorized || old.Problem(t).Code != "unauthorized" {
		t.Fatalf("the old token: %d %s", old.Status, old.Body)
	}
	if s := b.Join(link.Token); len(s.Combatants()) != 4 {
		t.Fatal("the new link shows another view")
	}

	own := decode[hub.NewLink](t, b.gm.Must(combat.ReplaceLink{Role: combat.RoleGM}).Result)
	if bye, _ := b.gm.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
		t.Fatalf("the GM's old socket got %+v", bye)
	}
	gm := b.Join(own.Token)
	// The result is a secret of whoever asked.
	id := uuid.NewString()
	if first := gm.DoID(id, combat.ReplaceLink{Role: combat.RolePlayer}); len(first.Ack.Result) == 0 {
		t.Fatal("no result")
	}
	if first := gm.DoID(id, combat.ReplaceLink{Role: combat.RolePlayer}); len(first.Ack.Result) == 0 {
		t.Fatal("no result for a repetition")
	}
	if peek := b.p1.DoID(id, combat.ReplaceLink{Role: combat.RolePlayer}); peek.Ack != nil && len(peek.Ack.Result) > 0 {
		t.Fatal("a player got the GM's answer")
	}
}

// A removed seat's sockets are closed at once, and its token is void.
func TestRemoveSeat(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	second := b.Join(b.seat2.Token)
	b.gm.Must(combat.RemoveSeat{Seat: b.seat2.Seat})
	for _, c := range []*hubtest.Client{b.p2, second} {
		if bye, _ := c.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
			t.Fatalf("bye %+v", bye)
		}
	}
	c := hubtest.Dial(t, b.URL)
	c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.seat2.Token})
	if bye, _ := c.WaitEnd(); bye == nil || bye.Code != "unauthorized" {
		t.Fatalf("bye %+v", bye)
	}
	b.p1.Ping() // the others stay
}

// What was told is told again after a restart, and nobody goes back.
func TestRestart(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	b.p1.Must(combat.Act{Combatant: b.id["Ash"], Kind: "attack", Targets: []combat.ID{b.id["Cedar"]}})
	b.settle()
	before := b.Export()
	after := b.server.Again()
	for _, c := range []*hubtest.Client{b.gm, b.p1, b.p2, b.s1} {
		if bye, status := c.WaitEnd(); bye == nil || bye.Code != "draining" || bye.RetryAfterMs < 200 || status != 1012 {
			t.Fatalf("bye %+v, status %d", bye, status)
		}
	}
	again := b.On(after.URL)
	for name, token := range map[string]string{"gm": b.Tokens[combat.RoleGM], "p1": b.seat1.Token, "s1": b.Tokens[combat.RoleSpectator]} {
		old := map[string]*hubtest.Client{"gm": b.gm, "p1": b.p1, "s1": b.s1}[name]
		c := again.Join(token)
		if c.Seq() != old.Seq() {
			t.Errorf("%s is at %d, was at %d", name, c.Seq(), old.Seq())
		}
		same(t, name, old.View(), c.View())
		if len(old.Log()) > 0 && c.Log()[len(c.Log())-1] != old.Log()[len(old.Log())-1] {
			t.Errorf("%s has another last line", name)
		}
	}
	if got := again.Export(); encode(t, got.State) != encode(t, before.State) || encode(t, got.Log) != encode(t, before.Log) {
		t.Fatal("another state")
	}
}

// A new player reads what the player link could read so far, each line once,
// also after a restart.
func TestNewSeatsLog(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	want := b.Join(b.Tokens[combat.RolePlayer]).Log()
	b.gm.Must(combat.Note{Text: "not theirs"})
	seat := b.Seat("P3")
	again := b.On(b.server.Again().URL)
	got := again.Join(seat.Token).Log()
	if len(got) != len(want)+1 || encode(t, got[:len(want)]) != encode(t, want) || !strings.Contains(got[len(want)], "P3") {
		t.Fatalf("the player link reads %q, the new seat %q", want, got)
	}
}

// Sockets are told every two seconds which update is the last one.
func TestHeadBeacon(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.s1.WaitHead(2)
}

// Resuming sends what was missed, and a whole view only when it must.
func TestResume(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	b.p2.Abort()
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	b.gm.Must(combat.Note{Text: "for the GM alone"})
	c := b.Resume(b.seat2.Token, b.p2)
	if c.Welcomes() != 0 || c.Seq() != b.seqOf(b.seat2.Token) || c.Turn().Combatant != b.id["Birch"] {
		t.Fatalf("resumed with %d welcomes at %d", c.Welcomes(), c.Seq())
	}
	// Across a restart as well.
	after := b.On(b.server.Again().URL)
	d := after.Resume(b.seat2.Token, b.p2)
	if d.Welcomes() != 0 || d.Turn().Combatant != b.id["Birch"] {
		t.Fatalf("resumed after a restart with %d welcomes", d.Welcomes())
	}
	// Another history gets a whole view.
	seen := d.Seq()
	for _, hello := range []hub.Hello{
		{Since: &seen, Epoch: "another"},
		{Since: &seen},
	} {
		hello.Type, hello.Encounter, hello.Token = "hello", b.ID, b.seat2.Token
		e := hubtest.Dial(t, after.URL)
		e.Send(hello)
		e.WaitSeq(d.Seq())
		if e.Welcomes() != 1 {
			t.Fatalf("%+v: %d welcomes", hello, e.Welcomes())
		}
	}
}

// Who has seen nothing gets a whole view, also of an audience whose every
// update could still be sent.
func TestHelloWithoutSince(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.settle()
	c := hubtest.Dial(t, b.URL)
	epoch := decode[hub.Welcome](t, []byte(b.s1.Frames()[0])).Epoch
	c.Send(hub.Hello{Type: "hello", Encounter: b.ID, Token: b.Tokens[combat.RoleSpectator], Epoch: epoch})
	c.Ping()
	if c.Welcomes() != 1 {
		t.Fatalf("%d welcomes", c.Welcomes())
	}
	same(t, "spectator", b.s1.View(), c.View())
}
