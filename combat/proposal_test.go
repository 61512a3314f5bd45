package combat_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"riposte/combat"
)

var (
	yes = true
	no  = false
)

// proposal is the only one that is open.
func (f *edge) proposal() *combat.Pending {
	f.Helper()
	if len(f.s.Pending) != 1 || f.s.Pending[0].Kind != combat.PendingProposal {
		f.Fatalf("%d decisions are open", len(f.s.Pending))
	}
	return f.s.Pending[0]
}

// view is what somebody sees, as one text.
func (f *edge) view(a combat.Audience) string {
	encoded, err := json.Marshal(f.e.View(f.s, a))
	if err != nil {
		f.Fatal(err)
	}
	return string(encoded)
}

var (
	gmView  = combat.Audience{Role: combat.RoleGM}
	anaView = combat.Audience{Role: combat.RoleSeat, Seat: "ana"}
	belView = combat.Audience{Role: combat.RoleSeat, Seat: "bel"}
)

func TestAProposalIsForItsPlayerAndTheGM(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	before, public := f.view(belView), f.public()
	f.must(combat.Damage{Combatants: []combat.ID{f.id["Ana"]}, Amount: 7, Source: f.id["Gob"]}, combat.RoleSeat, "ana")
	if f.view(belView) != before || f.public() != public {
		t.Error("others see a difference")
	}
	p := f.proposal()
	command := `"command":{"type":"damage","combatants":["` + string(f.id["Ana"]) + `"],"amount":7,"source":"` + string(f.id["Gob"]) + `"}`
	for a, offer := range map[combat.Audience]string{
		gmView:  `{"type":"answer","pending":"` + string(p.ID) + `"}`,
		anaView: `{"type":"answer","pending":"` + string(p.ID) + `","accept":false}`,
	} {
		view := f.view(a)
		for _, want := range []string{command, `"seat":"ana"`, offer} {
			if !strings.Contains(view, want) {
				t.Errorf("%s lacks %s in %s", a, want, view)
			}
		}
	}
	if !strings.Contains(f.view(anaView), `"type":"damage","combatants":["`+string(f.id["Ana"])+`"],"asks":true`) {
		t.Error("the player is not told that damage waits for the GM")
	}
	f.refuses(combat.Answer{Pending: p.ID, Accept: &yes}, "ana", "forbidden")
	f.refuses(combat.Answer{Pending: p.ID}, "ana", `bad_value {"field":"accept"}`)
	f.refuses(combat.Answer{Pending: p.ID, Accept: &no}, "bel", "stale_pending")
	f.must(combat.Answer{Pending: p.ID, Accept: &no}, combat.RoleSeat, "ana")
	if len(f.s.Pending) != 0 || f.s.Combatant(f.id["Ana"]).HP != 20 {
		t.Error("withdrawn, and still there")
	}
}

func TestProposalsAreBounded(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	for range combat.MaxProposals {
		f.must(combat.Heal{Combatants: []combat.ID{f.id["Ana"]}, Amount: 1}, combat.RoleSeat, "ana")
	}
	f.refuses(combat.Heal{Combatants: []combat.ID{f.id["Ana"]}, Amount: 1}, "ana", `too_many {"field":"proposals","limit":8}`)
	if strings.Contains(f.view(anaView), `"asks":true`) {
		t.Error("one more is offered")
	}
	f.must(combat.Heal{Combatants: []combat.ID{f.id["Bel"]}, Amount: 1}, combat.RoleSeat, "bel")
}

// Whoever is hidden after being named goes out of what the player reads.
func TestAProposalForgetsTheHidden(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	ana, gob := []combat.ID{f.id["Ana"]}, f.id["Gob"]
	f.must(combat.Damage{Combatants: ana, Amount: 7, Source: gob}, combat.RoleSeat, "ana")
	f.must(combat.AddEffect{Combatants: ana, Name: "slowed", Source: gob, Until: &combat.Until{At: "turnEnd", Of: gob}}, combat.RoleSeat, "ana")
	f.gm(combat.SetHidden{Combatants: []combat.ID{gob}, Hidden: true})
	if view := f.view(anaView); strings.Contains(view, string(gob)) || !strings.Contains(view, `"amount":7`) {
		t.Errorf("the player sees %s", view)
	}
	if view := f.view(gmView); strings.Count(view, `"source":"`+string(gob)) != 2 {
		t.Errorf("the GM sees %s", view)
	}
	log, err := json.Marshal(f.dismissed(f.s.Pending[1].ID, anaView))
	if err != nil || strings.Contains(string(log), string(gob)) || !strings.Contains(string(log), "slowed") {
		t.Errorf("the player reads %s %v", log, err)
	}
}

// dismissed lets the GM dismiss a proposal and returns the lines of somebody's
// log.
func (f *edge) dismissed(id combat.ID, a combat.Audience) []combat.LogEntry {
	before := f.s
	events, after, r := f.e.Decide(before, combat.Answer{Pending: id, Accept: &no}, f.by(combat.RoleGM, ""))
	if r != nil {
		f.Fatal(r)
	}
	return f.e.Log(before, after, &combat.Commit{Type: "answer", Role: combat.RoleGM, Events: events}, a)
}

func TestTheLogSaysWhoProposedWhatTheGMApplied(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	f.must(combat.Damage{Combatants: []combat.ID{f.id["Ana"]}, Amount: 7}, combat.RoleSeat, "ana")
	before := f.s
	events, after, r := f.e.Decide(before, combat.Answer{Pending: f.proposal().ID, Accept: &yes}, f.by(combat.RoleGM, ""))
	if r != nil {
		t.Fatal(r)
	}
	for a, want := range map[combat.Audience][]string{
		gmView: {"proposalClosed", "damaged"}, anaView: {"proposalClosed", "damaged"}, belView: {"damaged"},
	} {
		var got []string
		for _, line := range f.e.Log(before, after, &combat.Commit{Type: "answer", Role: combat.RoleGM, Events: events}, a) {
			got = append(got, combat.EventName(line.Event))
			if e, is := line.Event.(combat.ProposalClosed); is && (e.Seat != "ana" || e.Why != "accepted") {
				t.Errorf("%s reads %+v", a, e)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s reads %v", a, got)
		}
	}
}

func TestASeatTakesItsProposalsAlong(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	f.gm(combat.Note{Text: "x"})
	f.must(combat.Damage{Combatants: []combat.ID{f.id["Ana"]}, Amount: 7}, combat.RoleSeat, "ana")
	if undo := f.e.View(f.s, gmView)["history"].(*combat.HistoryView).Undo; undo != "addCombatant" {
		t.Errorf("undo would take back %q", undo)
	}
	f.gm(combat.Answer{Pending: f.proposal().ID, Accept: &yes})
	f.gm(combat.RemoveSeat{Seat: "ana"})
	f.gm(combat.Undo{})
	if len(f.s.Pending) != 0 || f.s.Combatant(f.id["Ana"]).HP != 20 {
		t.Errorf("%d decisions of nobody are open", len(f.s.Pending))
	}
	f.gm(combat.Redo{})
	if f.s.Combatant(f.id["Ana"]).HP != 13 {
		t.Error("redo did not bring it back")
	}
}

func TestRemovingASeatIsNoStepOfUndo(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	f.must(combat.Damage{Combatants: []combat.ID{f.id["Ana"]}, Amount: 7}, combat.RoleSeat, "ana")
	f.gm(combat.RemoveSeat{Seat: "ana"})
	if len(f.s.Pending) != 0 {
		t.Error("a proposal of nobody")
	}
	if undo := f.e.View(f.s, gmView)["history"].(*combat.HistoryView).Undo; undo != "addCombatant" {
		t.Errorf("undo would take back %q", undo)
	}
}

// The players of an import are gone, and so is what they proposed; nothing else
// may carry a command.
func TestImportLeavesProposals(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	f.must(combat.Damage{Combatants: []combat.ID{f.id["Ana"]}, Amount: 7}, combat.RoleSeat, "ana")
	_, s, r := f.e.Import("e2", f.s, nil, f.by(combat.RoleGM, ""))
	if r != nil || len(s.Pending) != 0 {
		t.Fatalf("%v %v", r, s)
	}
	for _, p := range []combat.Pending{{Seat: "ana"}, {Command: json.RawMessage(`{}`)}, {Mentions: []combat.ID{"x"}}} {
		p.ID, p.Kind, p.Combatants = "p1", "save", []combat.ID{f.id["Ana"]}
		state := *f.s
		state.Pending = []*combat.Pending{&p}
		if _, _, r := f.e.Import("e2", &state, nil, f.by(combat.RoleGM, "")); r == nil || r.Params["field"] != "state.pending" {
			t.Errorf("%+v: %v", p, r)
		}
	}
}

// Proposals take no room from the decisions of the fight.
func TestProposalsCrowdNothingOut(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	state := *f.s
	for i := range 600 {
		state.Pending = append(state.Pending, &combat.Pending{ID: combat.ID("p" + strings.Repeat("x", i%7) + string(rune('a'+i%26))),
			Kind: combat.PendingProposal, Combatants: []combat.ID{f.id["Ana"]}, Seat: "ana"})
	}
	f.s = &state
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Bel"]}, Name: "hold", Source: f.id["Bel"], Concentration: true})
	f.gm(combat.Damage{Combatants: []combat.ID{f.id["Bel"]}, Amount: 1})
	if last := f.s.Pending[len(f.s.Pending)-1]; last.Kind != "concentration" {
		t.Errorf("the last decision is %s", last.Kind)
	}
}

// An edit on contents that its sender has not seen is refused, whatever led to
// them, and tells players nothing of what only the GM may edit.
func TestStaleEdits(t *testing.T) {
	f := newEdge(t, nil)
	rev := func(a combat.Audience) int {
		return f.e.View(f.s, a)["combatants/"+string(f.id["Ana"])].(*combat.CombatantView).Rev
	}
	gm, ana := rev(gmView), rev(anaView)
	f.gm(combat.EditCombatant{Combatant: f.id["Ana"], Notes: new("a spy")})
	if rev(gmView) == gm || rev(anaView) != ana {
		t.Errorf("notes: GM %d → %d, player %d → %d", gm, rev(gmView), ana, rev(anaView))
	}
	f.refuses(combat.EditCombatant{Combatant: f.id["Ana"], Base: new(gm), AC: new(17)}, "ana", "stale_edit")
	f.must(combat.EditCombatant{Combatant: f.id["Ana"], Base: new(ana), AC: new(17)}, combat.RoleSeat, "ana")
	if r := f.try(combat.EditCombatant{Combatant: f.id["Ana"], Base: new(gm), AC: new(18)}, combat.RoleGM, ""); r == nil || r.Code != "stale_edit" {
		t.Errorf("an edit on an old base: %v", r)
	}
	f.gm(combat.Damage{Combatants: []combat.ID{f.id["Ana"]}, Amount: 3}) // no edit of the sheet
	f.gm(combat.EditCombatant{Combatant: f.id["Ana"], Base: new(rev(gmView)), Stats: map[string]int{"save.con": 2, "bonus": 1}})
	seen := rev(gmView)
	f.gm(combat.Undo{})
	f.gm(combat.EditCombatant{Combatant: f.id["Ana"], Stats: map[string]int{"save.con": 3, "bonus": 1}})
	if rev(gmView) == seen {
		t.Error("other contents have the same rev")
	}
}

// Who edits a sheet is shown what stands on it, not what effects make of it.
func TestTheSheetBeneathItsEffects(t *testing.T) {
	f := newEdge(t, nil)
	sheet := func(a combat.Audience) *combat.SheetView {
		return f.e.View(f.s, a)["combatants/"+string(f.id["Ana"])].(*combat.CombatantView).Sheet
	}
	if s := sheet(gmView); s != nil {
		t.Errorf("%+v, and nothing is lent", s)
	}
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Ana"]}, Name: "aid", MaxHP: 5, AC: 2})
	for a, want := range map[combat.Audience]*combat.SheetView{gmView: {AC: 15, MaxHP: 20}, anaView: {AC: 15, MaxHP: 20}, belView: nil} {
		if got := sheet(a); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s sees %+v", a, got)
		}
	}
	f.gm(combat.AddEffect{Combatants: []combat.ID{f.id["Bel"]}, Name: "curse", AC: -3, Hidden: true})
	if strings.Contains(f.view(belView), `"sheet"`) {
		t.Error("a hidden effect shows in the player's sheet")
	}
}

func TestStaleCounts(t *testing.T) {
	f := newEdge(t, nil)
	ana := f.id["Ana"]
	for _, c := range []struct {
		command combat.SetInitiative
		stale   bool
	}{
		{combat.SetInitiative{Count: combat.Whole(12), Base: count(18)}, false},
		{combat.SetInitiative{Count: combat.Whole(14), Base: count(18)}, true},
		{combat.SetInitiative{Count: combat.Whole(14), First: true}, true},
		{combat.SetInitiative{Count: combat.Whole(14)}, false},
	} {
		c.command.Combatant = ana
		if r := f.try(c.command, combat.RoleGM, ""); (r != nil) != c.stale || r != nil && r.Code != "stale_edit" {
			t.Errorf("%+v: %v", c.command, r)
		}
	}
	f.add(combat.AddCombatant{Name: "New"})
	f.gm(combat.SetInitiative{Combatant: f.id["New"], Count: combat.Whole(3), First: true})
}

// What a commit stores of proposals is read again as it was.
func TestProposalsAreStored(t *testing.T) {
	f := newEdge(t, map[string]string{"playersHurt": "ask"})
	f.must(combat.AddEffect{Combatants: []combat.ID{f.id["Ana"]}, Name: "<b> & é", Until: &combat.Until{At: "never"}}, combat.RoleSeat, "ana")
	once, err := json.Marshal(f.s)
	if err != nil {
		t.Fatal(err)
	}
	read := &combat.State{}
	if err := json.Unmarshal(once, read); err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(read)
	if err != nil || !bytes.Equal(once, twice) {
		t.Errorf("%s\n%s %v", once, twice, err)
	}
	f.s = read
	f.gm(combat.Answer{Pending: f.proposal().ID, Accept: &yes})
	if len(f.s.Effects) != 1 || f.s.Effects[0].Name != "<b> & é" {
		t.Errorf("%v", f.s.Effects)
	}
}
