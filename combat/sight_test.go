package combat_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/lightsandshadows"
)

var (
	player    = combat.Audience{Role: combat.RolePlayer}
	spectator = combat.Audience{Role: combat.RoleSpectator}
	gameM     = combat.Audience{Role: combat.RoleGM}
)

func seatOf(id combat.ID) combat.Audience { return combat.Audience{Role: combat.RoleSeat, Seat: id} }

// lastLines is what an audience was told by the last commit that told it
// anything.
func (b *table) lastLines(a combat.Audience) string {
	sent := b.sent[a]
	if len(sent) == 0 {
		return ""
	}
	var lines []string
	for _, line := range sent[len(sent)-1].Log {
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "\n")
}

func TestTheGMSeesFromWhomSomebodyIsHidden(t *testing.T) {
	b := quartet(t, nil)
	cedar, ash := b.ids["Cedar"], b.ids["Ash"]
	yes, none := "yes", "none"
	b.do("", combat.SetHidden{Combatants: []combat.ID{cedar}, Hidden: true, From: combat.Players, UntilAct: true})
	b.do("", combat.SetHidden{Combatants: []combat.ID{ash}, Hidden: true, From: combat.Spectators})
	b.do("", combat.SetSight{Combatants: []combat.ID{cedar}, Audience: combat.Spectators, HP: &none, AC: &yes})
	c, _ := seen[combat.CombatantView](b, gameM, "combatants/"+string(cedar))
	if !c.Hidden || !slices.Equal(c.HiddenFrom, []string{combat.Players}) || !c.UntilAct || c.Sight.Players != nil || *c.Sight.Spectators != (combat.Sight{HP: "none", AC: "yes"}) {
		t.Errorf("the GM sees %+v", c)
	}
	if !slices.Equal(c.ShowsTo, []string{combat.Players}) {
		t.Errorf("its first act shows it to %v", c.ShowsTo)
	}
	b.do("", combat.SetHidden{Combatants: []combat.ID{cedar}, Hidden: true, From: combat.Spectators})
	if c, _ := seen[combat.CombatantView](b, gameM, "combatants/"+string(cedar)); !slices.Equal(c.ShowsTo, []string{combat.Players}) || len(c.HiddenFrom) != 2 {
		t.Errorf("it is hidden from %v, its first act shows it to %v", c.HiddenFrom, c.ShowsTo)
	}
	b.do("", combat.SetHidden{Combatants: []combat.ID{cedar}, From: combat.Spectators})
	watched, there := seen[combat.CombatantView](b, spectator, "combatants/"+string(cedar))
	if !there || watched.Hidden || watched.HiddenFrom != nil || watched.UntilAct || watched.ShowsTo != nil || watched.Sight != nil || watched.HP != nil || watched.AC == nil {
		t.Errorf("spectators see %+v", watched)
	}
	if _, there := seen[combat.CombatantView](b, player, "combatants/"+string(cedar)); there {
		t.Error("players see it")
	}
	own, _ := seen[combat.CombatantView](b, seatOf("seatAsh"), "combatants/"+string(ash))
	if !own.Hidden || own.HiddenFrom != nil {
		t.Errorf("its own seat sees %+v", own)
	}
	if other, _ := seen[combat.CombatantView](b, seatOf("seatBirch"), "combatants/"+string(ash)); other.ID != ash || other.Hidden {
		t.Errorf("another seat sees %+v", other)
	}
}

func TestHidingIsRefusedWhereItSaysNothing(t *testing.T) {
	b := quartet(t, nil)
	cedar := []combat.ID{b.ids["Cedar"]}
	maybe, yes, empty := "maybe", "yes", ""
	for _, c := range []combat.Command{
		combat.SetHidden{Combatants: cedar, Hidden: true, From: "everybody"}, combat.SetHidden{Combatants: cedar, UntilAct: true},
		combat.SetSight{Combatants: cedar, Audience: combat.Players}, combat.SetSight{Combatants: cedar, HP: &empty},
		combat.SetSight{Combatants: cedar, Audience: "both", HP: &empty}, combat.SetSight{Combatants: cedar, Audience: combat.Players, HP: &yes},
		combat.SetSight{Combatants: cedar, Audience: combat.Players, Conditions: &maybe}, combat.SetSight{Audience: combat.Players, AC: &yes},
	} {
		b.refused(b.by(""), c, "bad_value")
	}
	b.refused(b.by("Ash"), combat.SetSight{Combatants: cedar, Audience: combat.Players, AC: &yes}, "forbidden")
	b.refused(b.by("Ash"), combat.SetHidden{Combatants: cedar, Hidden: true}, "forbidden")
}

// A seat that plays somebody hidden goes on seeing that one's turn while the next
// acts that it may not see; others go on seeing the one before.
func TestTimeStandsStillWhereEachHasSeenItLast(t *testing.T) {
	b := newTable(t, map[string]string{"turnSeconds": "60"})
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc"}, 18)
	b.add(combat.AddCombatant{Name: "Birch", Kind: "pc"}, 16)
	b.do("", combat.SetHidden{Combatants: []combat.ID{b.ids["Birch"]}, Hidden: true, From: combat.Players})
	b.add(combat.AddCombatant{Name: "Shade", Kind: "npc", Hidden: true}, 14)
	b.add(combat.AddCombatant{Name: "Lurker", Kind: "npc"}, 12)
	b.do("", combat.SetHidden{Combatants: []combat.ID{b.ids["Lurker"]}, Hidden: true, From: combat.Spectators})
	b.begin(0)
	watch := func(want map[combat.Audience]string) {
		t.Helper()
		for a, name := range want {
			turn, _ := seen[combat.TurnView](b, a, "turn")
			stack, _ := seen[[]combat.FrameView](b, a, "stack")
			order, _ := seen[[]combat.SlotView](b, a, "order")
			current := slices.IndexFunc(order, func(s combat.SlotView) bool { return s.Current })
			if turn.Combatant != b.ids[name] || len(stack) != 1 || stack[0].Combatant != b.ids[name] || current < 0 || order[current].Combatants[0] != b.ids[name] {
				t.Errorf("in %s's turn %s sees %v, %v and %v", b.turn(), a, turn, stack, order)
			}
		}
	}
	ash, birch := seatOf("seatAsh"), seatOf("seatBirch")
	watch(map[combat.Audience]string{ash: "Ash", birch: "Ash", player: "Ash", spectator: "Ash"})
	b.do("", combat.EndTurn{})
	b.isTurn("Birch")
	watch(map[combat.Audience]string{ash: "Ash", birch: "Birch", player: "Ash", spectator: "Birch"})
	b.do("", combat.EndTurn{})
	b.isTurn("Shade")
	watch(map[combat.Audience]string{ash: "Ash", birch: "Birch", player: "Ash", spectator: "Birch"})
	for who, turn := range map[string]string{"Ash": "Ash", "Birch": "Birch"} {
		if r := b.try(b.by(who), combat.Move{Combatant: b.ids[who], Feet: 5}); r == nil || r.Code != "not_your_turn" || r.Params["turn"] != b.ids[turn] {
			t.Errorf("%s is refused with %v", who, r)
		}
	}
	b.do("", combat.EndTurn{})
	b.isTurn("Lurker")
	watch(map[combat.Audience]string{ash: "Lurker", birch: "Lurker", player: "Lurker", spectator: "Birch"})
	b.do("", combat.EndTurn{})
	watch(map[combat.Audience]string{ash: "Ash", birch: "Ash", player: "Ash", spectator: "Ash"})
	// The seat lets go of the one it has seen last: it sees what all players do.
	b.do("", combat.EndTurn{})
	b.do("", combat.EndTurn{})
	b.isTurn("Shade")
	b.do("", combat.AssignSeat{Combatant: b.ids["Birch"]})
	watch(map[combat.Audience]string{ash: "Ash", birch: "Ash"})
	b.do("", combat.Undo{})
	b.do("", combat.RemoveSeat{Seat: "seatBirch"})
	if len(b.state.LastFor) > 2 {
		t.Errorf("remembered for %v", b.state.LastFor)
	}
}

// A seat that has seen a turn of its own which other players have not sees it
// still when they may see who it was: the view that is kept says what the state
// does.
func TestASeatStillSeesItsOwnTurnOnceShown(t *testing.T) {
	b := newTable(t, nil)
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc"}, 18)
	b.add(combat.AddCombatant{Name: "Shade", Kind: "npc", Hidden: true}, 14)
	ash := []combat.ID{b.ids["Ash"]}
	b.do("", combat.SetHidden{Combatants: ash, Hidden: true})
	b.begin(0)
	views := b.engine.NewViews(b.state)
	for _, command := range []combat.Command{combat.EndTurn{}, combat.SetHidden{Combatants: ash}} {
		b.do("", command)
		views.Move(b.state, nil)
		for _, a := range views.Audiences() {
			kept := views.Whole(a)
			for key, value := range b.engine.View(b.state, a) {
				if want := encode(t, value); string(kept[key]) != want {
					t.Errorf("%s sees of %s %s; true is %s", a, key, kept[key], want)
				}
			}
		}
	}
	if turn, _ := seen[combat.TurnView](b, seatOf("seatAsh"), "turn"); turn.Combatant != b.ids["Ash"] {
		t.Errorf("the seat sees %+v", turn)
	}
}

// The first act is told after the appearance, and both to those only who see it
// appear.
func TestTheFirstActIsToldAsAnAppearance(t *testing.T) {
	b := quartet(t, nil)
	cedar := b.ids["Cedar"]
	b.do("", combat.SetHidden{Combatants: []combat.ID{cedar}, Hidden: true})
	b.do("", combat.SetHidden{Combatants: []combat.ID{cedar}, Hidden: true, From: combat.Players, UntilAct: true})
	b.begin(2)
	b.isTurn("Cedar")
	before := len(b.sent[spectator])
	b.do("", combat.Act{Combatant: cedar, Kind: "dodge"})
	told := b.lastLines(player)
	appears, acts := strings.Index(told, `"hiddenSet"`), strings.Index(told, `"acted"`)
	if appears < 0 || acts < appears || strings.Contains(told, "from") || strings.Contains(told, "untilAct") {
		t.Errorf("players are told %s", told)
	}
	if len(b.sent[spectator]) != before {
		t.Errorf("spectators are told %s", b.lastLines(spectator))
	}
	if gm := b.lastLines(gameM); !strings.Contains(gm, `"from":"players"`) {
		t.Errorf("the GM is told %s", gm)
	}
	b.do("", combat.Undo{})
	if c := b.state.Combatant(cedar); c.UntilAct != combat.Players || !c.Hidden || c.HiddenFrom != "" {
		t.Errorf("undone, it is %+v", c)
	}
	if _, there := seen[combat.CombatantView](b, player, "combatants/"+string(cedar)); there {
		t.Error("undone, players see it")
	}
	b.do("", combat.Redo{})
	if _, there := seen[combat.CombatantView](b, player, "combatants/"+string(cedar)); !there {
		t.Error("redone, players do not see it")
	}
}

// What is rolled for those whose count is not to be seen starts nothing that
// players see, and is in no line.
func TestACountThatIsNotSeenStartsNothing(t *testing.T) {
	b := newTable(t, map[string]string{"npcCount": "no"})
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc"}, 18)
	b.do("", combat.ResetCombat{})
	b.do("", combat.AddCombatant{Name: "Cedar", Kind: "npc"})
	before := len(b.sent[player])
	b.do("", combat.RollInitiative{})
	if len(b.sent[player]) != before || len(b.sent[seatOf("seatAsh")]) == 0 {
		t.Errorf("players are told %v", b.sent[player][before:])
	}
	if e, _ := seen[combat.EncounterView](b, player, "encounter"); e.Phase != combat.PhaseSetup {
		t.Errorf("players see phase %s", e.Phase)
	}
	b.do("", combat.StartCombat{})
	b.do("", combat.SetActive{Combatant: b.state.Combatants[1].ID})
	if e, _ := seen[combat.EncounterView](b, player, "encounter"); e.Count != nil {
		t.Errorf("players see count %s", e.Count)
	}
	if e, _ := seen[combat.EncounterView](b, gameM, "encounter"); e.Count == nil {
		t.Error("the GM sees no count")
	}
	for _, change := range b.sent[player] {
		for _, line := range change.Log {
			if strings.Contains(string(line), `"count"`) && !strings.Contains(string(line), string(b.ids["Ash"])) {
				t.Errorf("players are told %s", line)
			}
		}
	}
}

// A tie with somebody whose count is not to be seen would tell it: nobody hears of
// how it was settled.
func TestASettledTieTellsNoCount(t *testing.T) {
	for counts, want := range map[string]bool{"yes": true, "no": false} {
		b := newTable(t, map[string]string{"npcCount": counts})
		ash := b.add(combat.AddCombatant{Name: "Ash", Kind: "pc"}, 15)
		cedar := b.add(combat.AddCombatant{Name: "Cedar", Kind: "npc"}, 15)
		b.do("", combat.SettleTie{Order: []combat.ID{cedar, ash}})
		if told := b.lastLines(player); strings.Contains(told, `"tieSettled"`) != want {
			t.Errorf("counts %s: players are told %s", counts, told)
		}
		if told := b.lastLines(gameM); !strings.Contains(told, `"tieSettled"`) {
			t.Errorf("the GM is told %s", told)
		}
	}
}

func TestSpectatorsMaySeeNoDice(t *testing.T) {
	b := quartet(t, map[string]string{"spectatorDice": "no"})
	ash := b.ids["Ash"]
	b.begin(0)
	toHit := 5
	b.do("Ash", combat.Act{Combatant: ash, Kind: "attack", Targets: []combat.ID{b.ids["Cedar"]}, Attack: &combat.Attack{ToHit: &toHit, Damage: "1d6"}})
	if told := b.lastLines(spectator); strings.Contains(told, "total") || strings.Contains(told, "dice") || strings.Contains(told, "toHit") || !strings.Contains(told, `"resolved"`) {
		t.Errorf("spectators are told %s", told)
	}
	if told := b.lastLines(player); !strings.Contains(told, `"total"`) || !strings.Contains(told, `"toHit"`) {
		t.Errorf("players are told %s", told)
	}
	b.do("", combat.AddEffect{Combatants: []combat.ID{ash}, Name: "held", Save: &combat.Save{Ability: "con", DC: 31}})
	b.do("", combat.EndTurn{})
	b.do("Ash", combat.Answer{Pending: b.state.Pending[0].ID, Die: 17})
	if told := b.lastLines(spectator); !strings.Contains(told, `"saved"`) || strings.Contains(told, "17") || strings.Contains(told, "31") {
		t.Errorf("spectators are told %s", told)
	}
	before := len(b.sent[spectator])
	b.do("Ash", combat.Roll{Dice: "1d20"})
	if len(b.sent[spectator]) != before {
		t.Errorf("spectators are told %s", b.lastLines(spectator))
	}
	if told := b.lastLines(player); !strings.Contains(told, `"diceRolled"`) {
		t.Errorf("players are told %s", told)
	}
}

// Why somebody does nothing tells a condition: only those are told who know of it,
// and surprise is for all to see.
func TestWhyNothingIsDoneTellsNoCondition(t *testing.T) {
	const why = "incapacitated"
	for conditions, want := range map[string]bool{"yes": true, "no": false} {
		b := newTable(t, map[string]string{"npcConditions": conditions, "reactionWindows": "ask"})
		ash := b.add(combat.AddCombatant{Name: "Ash", Kind: "pc", HP: 24, AC: 10, Answers: []string{"shield"}}, 18)
		cedar := b.add(combat.AddCombatant{Name: "Cedar", Kind: "npc", HP: 30}, 12)
		b.begin(1)
		hit := true
		b.do("", combat.Act{Combatant: cedar, Kind: "attack", Targets: []combat.ID{ash}, Attack: &combat.Attack{Hit: &hit, Damage: "4"}})
		b.do("", combat.AddEffect{Combatants: []combat.ID{cedar}, Name: "stunned"})
		if told := b.lastLines(player); strings.Contains(told, `"lost"`) != true || strings.Contains(told, why) != want {
			t.Errorf("conditions %s: players are told %s", conditions, told)
		}
		if told := b.lastLines(gameM); !strings.Contains(told, why) {
			t.Errorf("the GM is told %s", told)
		}
		b.isTurn("Ash")
		b.do("", combat.EndTurn{}) // Cedar's turn passes by itself
		b.isTurn("Ash")
		if told := b.lastLines(player); !strings.Contains(told, string(cedar)) || strings.Contains(told, why) != want {
			t.Errorf("conditions %s: players are told %s", conditions, told)
		}
		b.do("", combat.RemoveEffect{Effects: []combat.ID{b.state.Effects[0].ID}})
		b.do("", combat.SetSurprised{Combatants: []combat.ID{cedar}, Surprised: true})
		b.do("", combat.EndTurn{})
		if told := b.lastLines(player); !strings.Contains(told, `"empty":"surprised"`) {
			t.Errorf("conditions %s: players are told %s", conditions, told)
		}
	}
}

// A roll-off with nobody to be seen is none.
func TestARollOffWithTheUnseenIsNotTold(t *testing.T) {
	b := newTable(t, map[string]string{"5e.ties": "rolloff"})
	b.add(combat.AddCombatant{Name: "Ash", Kind: "pc"}, 15)
	b.add(combat.AddCombatant{Name: "Shade", Kind: "npc", Hidden: true}, 15)
	b.add(combat.AddCombatant{Name: "Birch", Kind: "pc"}, 12)
	b.add(combat.AddCombatant{Name: "Elm", Kind: "pc"}, 12)
	b.begin(0)
	rolled := countEvents(b, func(combat.RolledOff) bool { return true })
	told := b.lastLines(player)
	if rolled < 4 || strings.Count(told, `"rolledOff"`) != rolled-countEvents(b, func(e combat.RolledOff) bool {
		return slices.Contains(append(e.With, e.Combatant), b.ids["Shade"])
	}) || strings.Contains(told, `"rolledOff","combatant":"`+string(b.ids["Ash"])) {
		t.Errorf("%d dice; players are told %s", rolled, told)
	}
}

func TestACopyIsSeenLikeTheOriginal(t *testing.T) {
	b := quartet(t, nil)
	no := "no"
	cedar := []combat.ID{b.ids["Cedar"]}
	b.do("", combat.SetHidden{Combatants: cedar, Hidden: true, From: combat.Players, UntilAct: true})
	b.do("", combat.SetSight{Combatants: cedar, Audience: combat.Spectators, Count: &no})
	b.do("", combat.DuplicateCombatant{Combatant: cedar[0]})
	was, is := b.state.Combatant(cedar[0]), b.state.Combatants[len(b.state.Combatants)-1]
	if is.Hidden != was.Hidden || is.HiddenFrom != was.HiddenFrom || is.UntilAct != was.UntilAct || *is.Sight.Spectators != *was.Sight.Spectators {
		t.Errorf("the copy is %+v", is)
	}
}

// The hit points of a character under Lights & Shadows that is near fainting: the
// DC, the dice and what its actions suffer tell them, so these are for those who
// may know.
func TestFaintingTellsNoHitPoints(t *testing.T) {
	e := combat.New(lightsandshadows.System{})
	by := combat.By{Role: combat.RoleGM, Now: 1, Dice: &chance{state: 1}}
	_, s, r := e.Create("e", "lights-and-shadows", "", map[string]string{"spectatorPcHp": "none"}, nil, by)
	views := e.NewViews(s)
	var told []combat.Change
	do := func(command combat.Command) {
		t.Helper()
		var events []combat.Event
		if events, s, r = e.Decide(s, command, by); r != nil {
			t.Fatalf("%T: %s %v", command, r.Code, r.Params)
		}
		told = views.Move(s, &combat.Commit{Seq: s.Seq, Type: combat.CommandName(command), Role: combat.RoleGM, Events: events})
	}
	by.Role, by.Seat = combat.RolePlayer, ""
	do(combat.AddSeat{Seat: "seatK", Name: "Kim", Key: "k"})
	by.Role = combat.RoleGM
	do(combat.AddCombatant{Name: "K", Side: "party", HP: 20, Seat: "seatK", Stats: map[string]int{"score": 15, "faint": 9}})
	do(combat.AddCombatant{Name: "L", Side: "foes", HP: 20, Stats: map[string]int{"score": 10}})
	do(combat.StartCombat{})
	for _, c := range s.Combatants {
		do(combat.Declare{Combatant: c.ID, Actions: []combat.Declared{{Kind: "attack"}}})
	}
	do(combat.Damage{Combatants: []combat.ID{s.Combatants[0].ID}, Amount: 13})
	key := "pending/" + string(s.Pending[0].ID)
	for a, want := range map[combat.Audience]int{gameM: 7, player: 7, spectator: 0} {
		var p combat.PendingView
		if err := json.Unmarshal(views.Whole(a)[key], &p); err != nil || p.Kind != "faint" || p.DC != want {
			t.Errorf("%s sees %+v, %v", a, p, err)
		}
	}
	weighs := func(a combat.Audience) bool {
		var stack []combat.FrameView
		if err := json.Unmarshal(views.Whole(a)["stack"], &stack); err != nil || len(stack) != 1 || len(stack[0].Budget) == 0 {
			t.Fatalf("%s sees %+v, %v", a, stack, err)
		}
		own := string(views.Whole(a)["combatants/"+string(s.Combatants[0].ID)])
		return slices.ContainsFunc(stack[0].Budget, func(p combat.Pool) bool { return p.Name == "penalty" }) || strings.Contains(own, `"penalty"`)
	}
	for a, want := range map[combat.Audience]bool{gameM: true, seatOf("seatK"): true, player: false, spectator: false} {
		if weighs(a) != want {
			t.Errorf("that %s sees what its actions suffer is %v", a, !want)
		}
	}
	do(combat.Answer{Pending: s.Pending[0].ID, Die: 19})
	for _, change := range told {
		lines, _ := json.Marshal(change.Log)
		if has := strings.Contains(string(lines), `"die":19`); has != (change.Audience != spectator) {
			t.Errorf("%s is told %s", change.Audience, lines)
		}
	}
}

func TestAnImportIsHeldToWhatCanBeHidden(t *testing.T) {
	b := quartet(t, nil)
	cedar := []combat.ID{b.ids["Cedar"]}
	none := "none"
	b.do("", combat.SetHidden{Combatants: cedar, Hidden: true, From: combat.Spectators, UntilAct: true})
	b.do("", combat.SetSight{Combatants: cedar, Audience: combat.Spectators, HP: &none})
	take := func(change func(*combat.Combatant)) *combat.Refusal {
		var s combat.State
		if err := json.Unmarshal([]byte(b.encoded()), &s); err != nil {
			t.Fatal(err)
		}
		change(s.Combatant(cedar[0]))
		_, after, r := b.engine.Import("e2", &s, nil, b.by(""))
		if r == nil && after.Combatant(cedar[0]).UntilAct != combat.Spectators {
			t.Errorf("imported as %+v", after.Combatant(cedar[0]))
		}
		return r
	}
	if r := take(func(*combat.Combatant) {}); r != nil {
		t.Errorf("its own export is refused: %s %v", r.Code, r.Params)
	}
	for field, change := range map[string]func(*combat.Combatant){
		"state.combatants.hiddenFrom": func(c *combat.Combatant) { c.HiddenFrom = "cats" },
		"state.combatants.untilAct":   func(c *combat.Combatant) { c.UntilAct = "both" },
		"state.combatants.sight.hp":   func(c *combat.Combatant) { c.Sight = &combat.Sights{Players: &combat.Sight{HP: "some"}} },
		"state.combatants.sight.ac":   func(c *combat.Combatant) { c.Sight = &combat.Sights{Spectators: &combat.Sight{AC: "exact"}} },
	} {
		if r := take(change); r == nil || r.Code != "bad_value" || r.Params["field"] != field {
			t.Errorf("%s: %v", field, r)
		}
	}
}

// A log of before there were two audiences: hidden is hidden from both.
func TestAnOldLogHidesFromBoth(t *testing.T) {
	b := quartet(t, nil)
	event, err := combat.DecodeEvent([]byte(`{"type":"hiddenSet","combatant":"` + string(b.ids["Cedar"]) + `","hidden":true}`))
	if err != nil {
		t.Fatal(err)
	}
	after := combat.ApplyCommit(b.state, &combat.Commit{Seq: b.seq + 1, Type: "setHidden", Events: []combat.Event{event}})
	for _, a := range []combat.Audience{player, spectator} {
		if _, there := b.engine.View(after, a)["combatants/"+string(b.ids["Cedar"])]; there {
			t.Errorf("%s sees it", a)
		}
	}
}
