package combat_test

import (
	"slices"
	"strings"
	"testing"

	"riposte/combat"
)

// fit is a system made to try the interface: a surprise round, delay with a
// marker where the reaction is regained, durations from count to count, several
// slots a round out of a secret declaration, free defences that are counted.
type fit struct {
	combat.Base
	declares bool
}

func (f fit) Name() string { return "fit" }

func (f fit) Actions() []combat.ActionSpec {
	return []combat.ActionSpec{{Kind: "attack", Turn: true}, {Kind: "parry", Reaction: true, Frame: combat.FrameDefence}}
}

func (f fit) Begin(d *combat.Draft) {
	aware := func(c *combat.Combatant) bool { return !c.Surprised }
	s := d.State()
	if f.declares || !slices.ContainsFunc(s.Combatants, aware) || !slices.ContainsFunc(s.Combatants, func(c *combat.Combatant) bool { return c.Surprised }) {
		f.Base.Begin(d)
		return
	}
	d.RollMissing(aware)
	d.MakeOrder(0)
	d.PlayRound(combat.PhaseSurprise, 0)
}

func (f fit) NewRound(d *combat.Draft, round int) {
	switch {
	case f.declares:
		d.OpenDeclaration(round)
		for _, c := range slices.Clone(d.State().Combatants) {
			d.Emit(combat.Planned{Combatant: c.ID})
			d.Owe(combat.Pending{Kind: combat.PendingDeclaration, Combatants: []combat.ID{c.ID}})
		}
	case round == 1:
		d.RollMissing(nil)
		d.MakeOrder(1)
		d.PlayRound(combat.PhaseRounds, 1)
	default:
		d.PlayRound(combat.PhaseRounds, round)
	}
}

// TimeUp declares one attack for the silent.
func (f fit) TimeUp(d *combat.Draft) {
	for _, p := range slices.Clone(d.State().Pending) {
		f.declare(d, p.Combatants[0], []combat.Declared{{Kind: "attack"}})
	}
}

func (f fit) Declared(d *combat.Draft) {
	round := d.State().Round
	d.MakeOrder(round)
	d.PlayRound(combat.PhaseRounds, round)
}

func (f fit) Slots(_ *combat.State, c *combat.Combatant, round int) []combat.Slot {
	if c.Init == nil || round == 0 && c.Surprised {
		return nil
	}
	if !f.declares {
		return []combat.Slot{{Kind: combat.SlotTurn, Combatant: c.ID, Count: *c.Init}}
	}
	var slots []combat.Slot
	for i := range c.Plan {
		slots = append(slots, combat.Slot{Kind: combat.SlotAction, Combatant: c.ID, Count: *c.Init - combat.Whole(6*i)})
	}
	return slots
}

func (f fit) Refresh(_ *combat.State, _ *combat.Combatant, at string) []combat.Pool {
	if at == "fight" || at == "turn" {
		return []combat.Pool{{Name: "reaction", Left: 1, Max: 1}}
	}
	return nil
}

func (f fit) PassPlace(d *combat.Draft, slot combat.Slot) {
	if d.State().Combatant(slot.Combatant) != nil {
		d.Emit(combat.PoolsSet{Combatant: slot.Combatant, Pools: []combat.Pool{{Name: "reaction", Left: 1, Max: 1}}, Why: "refresh"})
	}
}

func (f fit) Begun(d *combat.Draft, frame *combat.Frame, a *combat.Action) {
	if a.Kind == "parry" {
		d.Marks(frame.Combatant, map[string]int{"defences": d.State().Combatant(frame.Combatant).Marks["defences"] + 1})
	}
}

func (f fit) Anchor(s *combat.State, until *combat.Until, _, _ combat.ID) combat.Anchor {
	count := s.Count
	return combat.Anchor{At: combat.AtCount, Count: &count, Round: s.Round + until.Rounds}
}

func (f fit) declare(d *combat.Draft, id combat.ID, plan []combat.Declared) {
	var intents []combat.Intent
	for _, one := range plan {
		intents = append(intents, combat.Intent{Kind: one.Kind, Weapon: one.Weapon})
	}
	d.Emit(combat.Planned{Combatant: id, Declared: true, Plan: intents})
	for _, p := range slices.Clone(d.State().Pending) {
		if p.Combatants[0] == id {
			d.Emit(combat.PendingClosed{Pending: p.ID})
		}
	}
}

func (f fit) Do(d *combat.Draft, command combat.Command) *combat.Refusal {
	s := d.State()
	switch cmd := command.(type) {
	case combat.Declare:
		f.declare(d, cmd.Combatant, cmd.Actions)
		return nil
	case combat.Delay:
		c, _ := d.Mine("combatant", cmd.Combatant)
		frame, r := d.ActingFrame(c, "")
		if r != nil {
			return r
		}
		if frame.Touched {
			return combat.Refuse("turn_already_begun")
		}
		d.Emit(combat.DelaySet{Combatant: c.ID, Delaying: true})
		d.LeaveTurn(frame)
		d.Advance()
		return nil
	case combat.ReturnFromDelay: // said while the turn that goes on is untouched
		waiting := *s.SlotOf(s.Turn().Combatant)
		own := *s.SlotOf(cmd.Combatant)
		d.Emit(combat.DelaySet{Combatant: cmd.Combatant})
		d.LeaveTurn(s.Turn())
		var order []combat.Slot
		for _, slot := range d.State().Order {
			switch slot.ID {
			case own.ID: // its old place stays, for the reaction
				order = append(order, combat.Slot{ID: d.NewID("s"), Kind: combat.SlotMarker, Combatant: cmd.Combatant, Count: slot.Count, Until: s.Round + 1})
			case waiting.ID:
				own.Count, own.Moved, own.Done = slot.Count, true, false
				slot.Done = false
				order = append(order, own, slot)
			default:
				order = append(order, slot)
			}
		}
		cursor := order[slices.IndexFunc(order, func(slot combat.Slot) bool { return slot.ID == own.ID })-1].ID
		d.SetOrder(order, cursor, "delay")
		d.Marks(waiting.Combatant, map[string]int{"waits": 1})
		d.Advance()
		return nil
	}
	return f.Base.Do(d, command)
}

func (f fit) Enter(d *combat.Draft, slot combat.Slot) {
	if d.State().Combatant(slot.Combatant).Marks["waits"] > 0 {
		d.Marks(slot.Combatant, map[string]int{"waits": 0})
		d.ReenterTurn(slot)
		return
	}
	d.BeginTurn(slot)
}

// fitTable is a fight of A18, B12 and C7.
type fitTable struct {
	*testing.T
	e   *combat.Engine
	s   *combat.State
	now int64
}

func newFit(t *testing.T, declares bool) *fitTable {
	f := &fitTable{T: t, e: combat.New(fit{declares: declares}), now: 1000}
	_, s, r := f.e.Create("e", "fit", "", map[string]string{"turnSeconds": "30"}, nil, f.by(combat.RoleGM))
	if r != nil {
		t.Fatal(r.Code)
	}
	f.s = s
	for name, count := range map[string]int{"A": 18, "B": 12, "C": 7} {
		init := combat.Whole(count)
		f.do(combat.AddCombatant{Name: name, Init: &init})
	}
	return f
}

func (f *fitTable) by(role string) combat.By {
	return combat.By{Role: role, Now: f.now, Dice: &chance{state: uint64(f.now)}}
}

func (f *fitTable) do(command combat.Command) []combat.Event {
	f.Helper()
	f.now++
	events, s, r := f.e.Decide(f.s, command, f.by(combat.RoleGM))
	if r != nil {
		f.Fatalf("%T: %s %v", command, r.Code, r.Params)
	}
	f.s = s
	return events
}

func (f *fitTable) id(name string) combat.ID {
	i := slices.IndexFunc(f.s.Combatants, func(c *combat.Combatant) bool { return c.Name == name })
	return f.s.Combatants[i].ID
}

// stack names those on the stack, with the count being played.
func (f *fitTable) stack() string {
	names := []string{}
	for _, frame := range f.s.Stack {
		names = append(names, f.s.Combatant(frame.Combatant).Name)
	}
	return strings.Join(names, " ") + "@" + f.s.Count.String()
}

func (f *fitTable) expect(want string) {
	f.Helper()
	if got := f.stack(); got != want {
		f.Fatalf("at %s, want %s", got, want)
	}
}

func TestFitSurpriseRound(t *testing.T) {
	f := newFit(t, false)
	f.do(combat.SetSurprised{Combatants: []combat.ID{f.id("C")}, Surprised: true})
	f.do(combat.StartCombat{})
	if f.s.Phase != combat.PhaseSurprise || f.s.Round != 0 {
		t.Fatalf("phase %s, round %d", f.s.Phase, f.s.Round)
	}
	f.expect("A@18")
	f.do(combat.EndTurn{})
	f.expect("B@12")
	f.do(combat.EndTurn{})
	f.expect("A@18")
	if f.s.Phase != combat.PhaseRounds || f.s.Round != 1 || f.s.SlotOf(f.id("C")) == nil {
		t.Fatalf("phase %s, round %d", f.s.Phase, f.s.Round)
	}
}

func TestFitDelayAndReturn(t *testing.T) {
	f := newFit(t, false)
	f.do(combat.StartCombat{})
	f.do(combat.Delay{Combatant: f.id("A")})
	f.expect("B@12")
	f.do(combat.EndTurn{})
	f.expect("C@7")
	events := f.do(combat.ReturnFromDelay{Combatant: f.id("A")})
	f.expect("A@7")
	f.do(combat.EndTurn{})
	f.expect("C@7")
	if c := f.s.Turn(); c.Step != combat.StepAct {
		t.Fatalf("the waiting turn is at %s: %v", c.Step, events)
	}
	f.do(combat.EndTurn{})
	f.expect("B@12")
	f.do(combat.EndTurn{})
	f.expect("A@7")
}

func TestFitReactionRegainedAtTheOldPlace(t *testing.T) {
	f := newFit(t, false)
	f.do(combat.StartCombat{})
	f.do(combat.Delay{Combatant: f.id("A")})
	f.do(combat.EndTurn{})
	f.do(combat.ReturnFromDelay{Combatant: f.id("A")})
	f.do(combat.Grant{Combatant: f.id("A"), Pool: "reaction", Amount: -1})
	f.do(combat.EndTurn{})
	if left, _ := f.s.Combatant(f.id("A")).Pool("reaction"); left != 0 {
		t.Fatal("regained too early")
	}
	f.do(combat.EndTurn{}) // C's; round 2 passes A's old place at 18
	f.expect("B@12")
	if left, _ := f.s.Combatant(f.id("A")).Pool("reaction"); left != 1 {
		t.Fatal("not regained at the old place")
	}
}

func TestFitCountToCount(t *testing.T) {
	f := newFit(t, false)
	f.do(combat.StartCombat{})
	f.do(combat.EndTurn{})
	f.do(combat.AddEffect{Combatants: []combat.ID{f.id("A")}, Name: "blessed", Until: &combat.Until{At: "rounds", Rounds: 1}})
	f.do(combat.RemoveCombatant{Combatants: []combat.ID{f.id("B")}})
	f.do(combat.EndTurn{}) // C's
	f.expect("A@18")
	if len(f.s.Effects) != 1 {
		t.Fatal("ended before its count")
	}
	f.do(combat.EndTurn{})
	f.expect("C@7")
	if len(f.s.Effects) != 0 {
		t.Fatal("outlived its count")
	}
}

func TestFitSecretDeclarationAndManySlots(t *testing.T) {
	f := newFit(t, true)
	f.do(combat.StartCombat{})
	if f.s.Phase != combat.PhaseDeclaration {
		t.Fatalf("phase %s", f.s.Phase)
	}
	sword := []combat.Declared{{Kind: "attack", Weapon: "sword"}, {Kind: "attack", Weapon: "sword"}}
	f.do(combat.Declare{Combatant: f.id("A"), Actions: sword})
	public := f.e.View(f.s, combat.Audience{Role: combat.RoleSpectator})["combatants/"+string(f.id("A"))].(*combat.CombatantView)
	if !public.Declared || public.Plan != nil {
		t.Fatalf("the public sees %+v", public)
	}
	deadline, waits := combat.Next(f.s)
	if !waits {
		t.Fatal("no deadline to declare by")
	}
	f.now = deadline.At
	_, s, r := f.e.Decide(f.s, deadline.Command, f.by(combat.RoleServer))
	if r != nil {
		t.Fatal(r.Code)
	}
	f.s = s
	f.expect("A@18")
	for _, want := range []string{"A@12", "B@12", "C@7"} {
		if want == "A@12" || want == "B@12" { // equal counts: rolled off
			f.do(combat.EndTurn{})
			if f.s.Count != combat.Whole(12) {
				t.Fatalf("at %s, want %s", f.stack(), want)
			}
			continue
		}
		f.do(combat.EndTurn{})
		f.expect(want)
	}
	f.do(combat.EndTurn{})
	if f.s.Phase != combat.PhaseDeclaration || f.s.Round != 2 {
		t.Fatalf("phase %s, round %d", f.s.Phase, f.s.Round)
	}
}

func TestFitDefencesAreFreeAndCounted(t *testing.T) {
	f := newFit(t, false)
	f.do(combat.StartCombat{})
	for range 2 {
		f.do(combat.React{Combatant: f.id("B"), Kind: "parry"})
		if f.s.Acting().Kind != combat.FrameDefence {
			t.Fatalf("a %s", f.s.Acting().Kind)
		}
		f.do(combat.EndTurn{})
	}
	if n := f.s.Combatant(f.id("B")).Marks["defences"]; n != 2 {
		t.Fatalf("%d defences counted", n)
	}
}
