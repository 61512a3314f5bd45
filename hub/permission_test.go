package hub_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// B44: nobody ends somebody else's turn, over the socket or over HTTP.
func TestB44OthersTurn(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	third := b.Join(b.Seat("P3").Token)
	b.start()
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	b.settle()
	end := combat.EndTurn{Combatant: b.id["Birch"], Frame: b.gm.Frame()}
	before := b.gm.Seq()
	b.p1.Refused("not_yours", end)
	third.Refused("not_yours", end)
	b.s1.Refused("forbidden", end)
	b.Join(b.Tokens[combat.RolePlayer]).Refused("forbidden", end)
	raw, _ := combat.EncodeCommand(end)
	answer := hubtest.Request(t, http.MethodPost, b.Path()+"/commands", b.Tokens[combat.RoleSpectator], hub.CommandRequest{ID: uuid.NewString(), Command: raw})
	if answer.Status != http.StatusForbidden || answer.Problem(t).Code != "forbidden" {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	if got := b.seqOf(b.Tokens[combat.RoleGM]); got != before || b.gm.Turn().Combatant != b.id["Birch"] {
		t.Fatalf("the counter went from %d to %d, active %s", before, got, b.gm.Turn().Combatant)
	}
	b.p2.Must(end)
}

// B45: a token is good for its own encounter only, whatever was held before.
func TestB45OtherTable(t *testing.T) {
	a := quartet(t, hub.Limits{}, nil)
	a.start()
	other := hubtest.Create(t, a.URL, nil)
	seat := other.Seat("U")
	watching := a.Join(a.Tokens[combat.RoleSpectator])
	watching.Close()
	at := other.Join(seat.Token)
	frames := len(watching.Frames())
	at.Refused("not_started", combat.EndTurn{Combatant: a.id["Ash"], Frame: a.gm.Frame()})
	raw, _ := combat.EncodeCommand(combat.EndTurn{Combatant: a.id["Ash"]})
	answer := hubtest.Request(t, http.MethodPost, a.Path()+"/commands", seat.Token, hub.CommandRequest{ID: uuid.NewString(), Command: raw})
	if answer.Status != http.StatusUnauthorized {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	a.p1.Must(combat.EndTurn{Combatant: a.id["Ash"]})
	at.Ping()
	if len(watching.Frames()) != frames {
		t.Fatal("frames came after leaving")
	}
	for _, frame := range at.Frames() {
		if decode[hub.Head](t, []byte(frame)).Type == "update" {
			t.Fatalf("the other table's frame came: %s", frame)
		}
	}
}

// B46: players do not roll again, nor type a count in.
func TestB46RollAgain(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	for _, command := range []combat.Command{
		combat.RollInitiative{Combatants: []combat.ID{b.id["Ash"]}},
		combat.SetInitiative{Combatant: b.id["Ash"], Count: combat.Whole(30)},
	} {
		if reply := b.p1.Do(command); reply.Reject == nil {
			t.Fatalf("%s was accepted", combat.CommandName(command))
		}
	}
	b.gm.Must(combat.SetInitiative{Combatant: b.id["Ash"], Count: combat.Whole(17)})
}

// B47: a player's end of the last turn makes the whole step into the next
// round, with no GM there.
func TestB47LastTurnOfTheRound(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.Must(combat.RemoveCombatant{Combatants: []combat.ID{b.id["Cedar"], b.id["Dune"]}})
	b.start()
	b.gm.Close()
	b.p1.WaitPresence("no GM", func(p hub.Presence) bool { return p.GMs == 0 })
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	before := b.p2.Seq()
	ack := b.p2.Must(combat.EndTurn{Combatant: b.id["Birch"]})
	if turn := b.p2.Turn(); turn.Combatant != b.id["Ash"] || turn.Round != 2 || ack.Seq != before+1 && ack.Seq != before+2 {
		t.Fatalf("%+v at %d after %d", turn, ack.Seq, before)
	}
}

// B48: five quick ends of a turn, each stamped with the same frame, end one
// turn: through one tab or two, under five ids or one.
func TestB48DoubleSubmit(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.Must(combat.AssignSeat{Combatant: b.id["Birch"], Seat: b.seat1.Seat})
	b.start()
	second := b.Join(b.seat1.Token)
	end := combat.EndTurn{Combatant: b.id["Ash"], Frame: b.p1.Frame()}
	var ids []string
	tab := map[string]*hubtest.Client{}
	for i := range 5 {
		id := uuid.NewString()
		ids = append(ids, id)
		tab[id] = []*hubtest.Client{b.p1, second}[i%2]
		tab[id].Ask(id, end)
	}
	accepted := 0
	for _, id := range ids {
		switch reply := tab[id].Answer(id); reply.Code() {
		case "":
			accepted++
		case "stale_frame":
		default:
			t.Fatalf("answered %s", reply.Code())
		}
	}
	b.settle()
	if accepted != 1 || b.gm.Turn().Combatant != b.id["Birch"] {
		t.Fatalf("%d accepted, active %s", accepted, b.gm.Turn().Combatant)
	}

	one := uuid.NewString()
	end = combat.EndTurn{Combatant: b.id["Birch"], Frame: b.gm.Frame()}
	for range 5 {
		b.p1.Ask(one, end)
		second.Ask(one, end)
	}
	first, again := b.p1.Answer(one), second.Answer(one)
	b.p1.Ping()
	second.Ping()
	b.settle()
	if first.Ack == nil || again.Ack == nil || first.Ack.Seq != again.Ack.Seq || b.gm.Turn().Combatant != b.id["Cedar"] {
		t.Fatalf("%+v, %+v, active %s", first, again, b.gm.Turn().Combatant)
	}
}

// B49: the second click is no answer to what the first one asked.
func TestB49SecondClick(t *testing.T) {
	b := quartet(t, hub.Limits{}, map[string]string{"reactionWindows": "ask", "reactionSeconds": "0"})
	b.start()
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	b.p2.Must(combat.EndTurn{Combatant: b.id["Birch"]})
	b.settle()
	// Cedar leaves Ash's reach: a compulsory question for P1.
	move := combat.Move{Combatant: b.id["Cedar"], Frame: b.gm.Frame(), Feet: 10, LeavesReachOf: []combat.ID{b.id["Ash"]}}
	b.gm.Must(move)
	var window combat.WindowView
	if !b.gm.Key("window", &window) {
		t.Fatal("nobody is asked")
	}
	if reply := b.gm.Do(move); reply.Reject == nil {
		t.Fatal("the second click was accepted")
	}
	var still combat.WindowView
	if b.gm.Key("window", &still); still.Window != window.Window || len(still.Eligible) != len(window.Eligible) {
		t.Fatalf("the question was %+v and is %+v", window, still)
	}
	b.p1.Must(combat.Decline{Combatant: b.id["Ash"], Window: window.Window})
	b.settle()
	if b.gm.Key("window", &still) || b.gm.Turn().Combatant != b.id["Cedar"] {
		t.Fatal("the turn did not resume")
	}
}

// B78: with several GMs, and with none, what happens by itself happens once.
func TestB78SeveralGMs(t *testing.T) {
	for _, gms := range []int{0, 3} {
		b := quartet(t, hub.Limits{}, nil)
		b.gm.Must(combat.AddEffect{Combatants: []combat.ID{b.id["Cedar"]}, Name: "burning", TurnDamage: 5})
		b.start()
		for range gms - 1 {
			b.Join(b.Tokens[combat.RoleGM])
		}
		if gms == 0 {
			b.gm.Close()
		}
		b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
		b.p2.Must(combat.EndTurn{Combatant: b.id["Birch"]})
		gm := b.Join(b.Tokens[combat.RoleGM])
		if got := hp(t, gm, b.id["Cedar"]); got != 25 {
			t.Fatalf("%d GMs: Cedar has %d, want 25", gms, got)
		}
	}
}

// B79: of two quick settings the last one stays, for everybody.
func TestB79QuickSettings(t *testing.T) {
	b := quartet(t, hub.Limits{CommandRate: 1e6, CommandBurst: 1e6}, nil)
	second := b.Join(b.Tokens[combat.RoleGM])
	set := func(n int) combat.SetInitiative {
		return combat.SetInitiative{Combatant: b.id["Ash"], Count: combat.Whole(n)}
	}
	initiative := func(c *hubtest.Client) combat.Count {
		var view combat.CombatantView
		c.Key("combatants/"+string(b.id["Ash"]), &view)
		return *view.Initiative
	}
	for range 100 {
		b.gm.Ask(uuid.NewString(), set(5))
		b.gm.Must(set(10))
		if got := initiative(b.gm); got != combat.Whole(10) {
			t.Fatalf("Ash has %s, want 10", got)
		}
	}
	for i := range 20 {
		one, two := uuid.NewString(), uuid.NewString()
		b.gm.Ask(one, set(20+2*i))
		second.Ask(two, set(21+2*i))
		first, last := b.gm.Answer(one).Ack.Seq, second.Answer(two).Ack.Seq
		want := combat.Whole(21 + 2*i)
		if first > last {
			want = combat.Whole(20 + 2*i)
		}
		b.gm.WaitSeq(max(first, last))
		second.WaitSeq(max(first, last))
		if initiative(b.gm) != want || initiative(second) != want {
			t.Fatalf("%s and %s, want %s", initiative(b.gm), initiative(second), want)
		}
	}
}
