package combat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"riposte/combat"
)

// chance is a seeded source of dice.
type chance struct{ state uint64 }

func (c *chance) Roll(sides int) int {
	c.state = c.state*6364136223846793005 + 1442695040888963407
	return int((c.state>>33)%uint64(sides)) + 1
}

// randomFight plays random commands and keeps the log.
type randomFight struct {
	t       *rapid.T
	rules   *rules
	engine  *combat.Engine
	state   *combat.State
	commits []*combat.Commit
	dice    *chance
	now     int64
	seats   []combat.ID
	look    combat.Audience    // through whose eyes an offer is filled
	goesOn  map[combat.ID]bool // slots of turns that delay has moved
	turns   map[string]int     // "round/slot" → turns begun, while no GM moves the cursor by hand
}

func newRandomFight(t *rapid.T, r *rules) *randomFight {
	tb := &randomFight{t: t, rules: r, engine: combat.New(r.system), dice: &chance{rapid.Uint64().Draw(t, "seed")}, now: 1_000_000, turns: map[string]int{}, goesOn: map[combat.ID]bool{}}
	events, state, refusal := tb.engine.Create("e", r.system.Name(), "", nil, map[string]string{"gm": "k"}, tb.by(combat.RoleGM, ""))
	if refusal != nil {
		t.Fatalf("create: %v", refusal.Params)
	}
	tb.record(events, state, "created", combat.RoleGM, "")
	for _, seat := range []combat.ID{"seat1", "seat2"} {
		if !tb.try(combat.AddSeat{Seat: seat, Name: string(seat), Key: "k" + string(seat)}, combat.RolePlayer, "") {
			t.Fatal("no seat")
		}
		tb.seats = append(tb.seats, seat)
	}
	return tb
}

func (tb *randomFight) by(role string, seat combat.ID) combat.By {
	return combat.By{Role: role, Seat: seat, Now: tb.now, Dice: tb.dice}
}

func (tb *randomFight) record(events []combat.Event, state *combat.State, label, role string, seat combat.ID) {
	hash := ""
	if n := len(tb.commits); n > 0 {
		hash = tb.commits[n-1].Hash
	}
	c := &combat.Commit{Seq: state.Seq, ID: fmt.Sprint(state.Seq), Type: label, Role: role, Seat: seat, At: tb.now, Events: events}
	if err := c.Seal(hash); err != nil {
		tb.t.Fatal(err)
	}
	tb.commits, tb.state = append(tb.commits, c), state
}

// try sends a command; it reports whether it was accepted, and checks what must
// hold either way.
func (tb *randomFight) try(command combat.Command, role string, seat combat.ID) bool {
	tb.now += 100
	before := encodeState(tb.t, tb.state)
	was := tb.state
	events, state, r := tb.engine.Decide(was, command, tb.by(role, seat))
	if !bytes.Equal(before, encodeState(tb.t, was)) {
		tb.t.Fatalf("%s changed the state it was given", combat.CommandName(command))
	}
	if r != nil {
		if r.Code == "" {
			tb.t.Fatal("a refusal without a code")
		}
		return false
	}
	tb.record(events, state, combat.CommandName(command), role, seat)
	tb.check(command, events)
	return true
}

func encodeState(t *rapid.T, s *combat.State) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// check holds the state to what must always be true.
func (tb *randomFight) check(command combat.Command, events []combat.Event) {
	s, t := tb.state, tb.t
	if s.InFight() {
		if len(s.Stack) == 0 && slices.ContainsFunc(s.Combatants, func(c *combat.Combatant) bool {
			return c.Fights() && s.SlotOf(c.ID) != nil
		}) {
			t.Fatalf("after %s nobody acts, though somebody could", combat.CommandName(command))
		}
	} else if len(s.Stack) > 0 {
		t.Fatal("a stack outside a fight")
	}
	for i, f := range s.Stack {
		if bottom := f.Kind == combat.FrameTurn || f.Kind == combat.FrameLair; bottom != (i == 0) {
			t.Fatalf("a %s at place %d of the stack", f.Kind, i)
		}
	}
	if len(s.Stack) > combat.MaxDepth {
		t.Fatal("too deep")
	}
	for _, c := range s.Combatants {
		if c.HP < 0 || c.MaxHP > 0 && c.HP > s.CurrentMaxHP(c) || c.Temp < 0 {
			t.Fatalf("%s has %d of %d hit points", c.Name, c.HP, c.MaxHP)
		}
		for _, p := range c.Pools {
			if p.Left < 0 || p.Left > p.Max {
				t.Fatalf("%s has %d of %d %s", c.Name, p.Left, p.Max, p.Name)
			}
		}
	}
	seen := map[combat.ID]bool{}
	for _, slot := range s.Order {
		if seen[slot.ID] {
			t.Fatal("a slot twice in the order")
		}
		seen[slot.ID] = true
		if slot.Kind != combat.SlotMarker && s.Combatant(slot.Combatant) == nil {
			t.Fatal("a slot of nobody")
		}
	}
	if s.Cursor != "" && !seen[s.Cursor] {
		t.Fatal("the cursor is nowhere")
	}
	tb.countTurns(command, events)
	tb.checkProposals()
}

// checkProposals holds what players have put before the GM to what can still be
// applied.
func (tb *randomFight) checkProposals() {
	s, open := tb.state, map[combat.ID]int{}
	for _, p := range s.Pending {
		if p.Kind != combat.PendingProposal {
			continue
		}
		if open[p.Seat]++; open[p.Seat] > combat.MaxProposals || s.Seat(p.Seat) == nil {
			tb.t.Fatalf("%s has %d proposals open", p.Seat, open[p.Seat])
		}
		for _, id := range p.Combatants {
			if c := s.Combatant(id); c == nil || c.Seat != p.Seat {
				tb.t.Fatalf("a proposal of %s about %s, who is not its", p.Seat, id)
			}
		}
		yes := true
		if _, _, r := tb.engine.Decide(s, combat.Answer{Pending: p.ID, Accept: &yes}, tb.by(combat.RoleGM, "")); r != nil {
			tb.t.Fatalf("%s cannot be accepted: %s %v", p.Command, r.Code, r.Params)
		}
	}
}

// countTurns checks that a slot is played at most once a round. What the GM
// sets by hand and what undo takes back begin a new count. A turn that delay has
// put off or put back goes on: it gives nothing new.
func (tb *randomFight) countTurns(command combat.Command, events []combat.Event) {
	for _, event := range events {
		switch e := event.(type) {
		case combat.RoundStarted, combat.CombatReset, combat.Undone, combat.Redone:
			clear(tb.turns)
			clear(tb.goesOn)
		case combat.Ordered:
			for _, slot := range e.Slots {
				if e.Why == "delay" && !slot.Done {
					tb.goesOn[slot.ID] = true
				}
			}
		case combat.TurnStarted:
			if len(e.Pools) == 0 && tb.goesOn[e.Slot] {
				continue
			}
			if _, byHand := command.(combat.SetActive); byHand {
				clear(tb.turns)
				continue
			}
			if tb.turns[string(e.Slot)]++; tb.turns[string(e.Slot)] > 1 {
				tb.t.Fatalf("slot %s is played twice in a round", e.Slot)
			}
		}
	}
}

// anyID draws a combatant, now and then one that is not there.
func (tb *randomFight) anyID() combat.ID {
	if len(tb.state.Combatants) == 0 || rapid.IntRange(0, 30).Draw(tb.t, "stranger") == 0 {
		return "nobody"
	}
	return rapid.SampledFrom(tb.state.Combatants).Draw(tb.t, "combatant").ID
}

func (tb *randomFight) ids() []combat.ID {
	ids := []combat.ID{tb.anyID()}
	if other := tb.anyID(); rapid.Bool().Draw(tb.t, "two") && other != ids[0] {
		ids = append(ids, other)
	}
	return ids
}

func (tb *randomFight) actor() combat.ID {
	if f := tb.state.Acting(); f != nil && rapid.IntRange(0, 5).Draw(tb.t, "actor") > 0 {
		return f.Combatant
	}
	return tb.anyID()
}

func (tb *randomFight) small(label string, least, most int) int {
	return rapid.IntRange(least, most).Draw(tb.t, label)
}

func (tb *randomFight) flag(label string) bool { return rapid.Bool().Draw(tb.t, label) }

func (tb *randomFight) attack() *combat.Attack {
	total := tb.small("total", 1, 25)
	switch tb.small("attack", 0, 3) {
	case 0:
		return nil
	case 1:
		return &combat.Attack{Total: &total, Damage: "5"}
	case 2:
		return &combat.Attack{ToHit: &total, Damage: "2d6+1", Melee: true}
	}
	hit := tb.flag("hit")
	return &combat.Attack{Hit: &hit, Damage: "3", Critical: tb.flag("critical")}
}

func (tb *randomFight) kind() string {
	return rapid.SampledFrom(tb.rules.system.Actions()).Draw(tb.t, "kind").Kind
}

func (tb *randomFight) word() string {
	return rapid.SampledFrom(tb.rules.words).Draw(tb.t, "word")
}

// draw makes any command at all, more often one that fits.
func (tb *randomFight) draw() combat.Command {
	switch tb.small("command", 0, 46) {
	case 0:
		return combat.AddCombatant{Name: "N", Side: rapid.SampledFrom([]string{"party", "foes"}).Draw(tb.t, "side"), HP: tb.small("hp", 0, 20),
			AC: 12, Mod: tb.small("mod", -2, 4), Times: tb.small("times", 0, 3), Hidden: tb.flag("hidden"),
			Answers: rapid.SampledFrom(tb.rules.answers).Draw(tb.t, "answers"),
			Stats:   rapid.SampledFrom(tb.rules.stats).Draw(tb.t, "stats")}
	case 1:
		return combat.StartCombat{}
	case 2:
		return combat.RollInitiative{}
	case 3:
		return combat.SetInitiative{Combatant: tb.anyID(), Also: tb.ids(), Count: combat.Whole(tb.small("count", -2, 22))}
	case 4:
		return combat.RemoveCombatant{Combatants: tb.ids()}
	case 5:
		return combat.SetDefeated{Combatants: tb.ids(), Defeated: tb.flag("defeated")}
	case 6:
		return tb.hiding(tb.ids())
	case 7:
		return combat.SetSurprised{Combatants: tb.ids(), Surprised: tb.flag("surprised")}
	case 8, 9, 10, 11, 12:
		f := tb.state.Acting()
		if f == nil {
			return combat.EndTurn{}
		}
		return combat.EndTurn{Combatant: f.Combatant, Frame: f.ID}
	case 13, 14, 15:
		return combat.Act{Combatant: tb.actor(), Kind: tb.kind(), Targets: tb.ids(), Attack: tb.attack(), Level: tb.small("level", 0, 3),
			Cost: rapid.SampledFrom(tb.rules.costs).Draw(tb.t, "cost"), Done: tb.flag("done")}
	case 16, 17:
		return combat.Move{Combatant: tb.actor(), Feet: tb.small("feet", 0, 40), LeavesReachOf: tb.ids(), Stand: tb.flag("stand"), Crawl: tb.flag("crawl"), Forced: tb.small("forced", 0, 3) == 0}
	case 18, 19, 20:
		return combat.React{Combatant: tb.anyID(), Kind: tb.kind(), Targets: tb.ids(), Attack: tb.attack(), AC: tb.small("ac", -1, 5), Defensive: tb.flag("defensive"), Done: tb.flag("done")}
	case 21:
		w := tb.state.Window()
		if w == nil || len(w.Eligible) == 0 {
			return combat.Decline{Combatant: tb.anyID()}
		}
		return combat.Decline{Combatant: w.Eligible[0], Window: w.ID}
	case 22:
		return combat.CloseWindow{}
	case 23:
		return combat.Ready{Combatant: tb.actor(), Kind: tb.kind(), Trigger: "when it moves", Defensive: tb.flag("defensive")}
	case 24:
		return combat.Release{Combatant: tb.anyID(), Attack: tb.attack(), Targets: tb.ids()}
	case 25:
		return combat.LegendaryAction{Combatant: tb.anyID(), Cost: tb.small("cost", 0, 3)}
	case 26:
		return combat.LairAction{Name: "tremor"}
	case 27, 28:
		ids := tb.ids()
		return combat.Damage{Combatants: ids, Half: ids[:tb.small("half", 0, len(ids))], Amount: tb.small("amount", 0, 30), Critical: tb.flag("critical")}
	case 29:
		return combat.Heal{Combatants: tb.ids(), Amount: tb.small("amount", 0, 10)}
	case 30:
		return combat.AddEffect{Combatants: tb.ids(), Name: tb.word(), Source: tb.anyID(), Concentration: tb.flag("concentration"), MaxHP: tb.small("maxHp", -3, 3),
			TurnDamage: tb.small("turnDamage", 0, 2), Until: &combat.Until{At: rapid.SampledFrom([]string{"turnStart", "turnEnd", "roundEnd", "rounds", "never"}).Draw(tb.t, "until"), Rounds: tb.small("rounds", 0, 2)},
			Save: rapid.SampledFrom([]*combat.Save{nil, nil, {Ability: "con", DC: 11}}).Draw(tb.t, "save")}
	case 31:
		for _, e := range tb.state.Effects {
			return combat.RemoveEffect{Effects: []combat.ID{e.ID}}
		}
		return combat.RemoveEffect{}
	case 32:
		if len(tb.state.Pending) > 0 {
			return tb.answer(rapid.SampledFrom(tb.state.Pending).Draw(tb.t, "pending"))
		}
		return combat.SettleTie{Order: tb.ids()}
	case 33:
		return combat.Undo{}
	case 34:
		return combat.Redo{}
	case 35:
		return combat.Reorder{Order: tb.ids()}
	case 36:
		return combat.SetActive{Combatant: tb.anyID()}
	case 37:
		return rapid.SampledFrom([]combat.Command{combat.EndCombat{}, combat.ResetCombat{}, combat.ResetCombat{Clear: true}, combat.RemoveSeat{Seat: "seat2"},
			combat.SetOptions{Options: map[string]string{"reactionWindows": "ask", "turnSeconds": "30"}},
			combat.SetOptions{Options: map[string]string{"reactionWindows": "off"}},
			combat.SetOptions{Options: rapid.SampledFrom(tb.rules.options).Draw(tb.t, "option")}, combat.AssignSeat{Combatant: tb.anyID(), Seat: "seat1"},
			combat.SetOptions{Options: map[string]string{"playersHurt": rapid.SampledFrom([]string{"own", "ask", "no"}).Draw(tb.t, "hurt")}},
			combat.PauseClock{}, combat.ResumeClock{}, combat.DuplicateCombatant{Combatant: tb.anyID()}, combat.Grant{Combatant: tb.anyID(), Pool: tb.rules.pool, Amount: 1},
			combat.SetTempHP{Combatants: tb.ids(), Amount: 4}}).Draw(tb.t, "rare")
	case 38, 39:
		return combat.Delay{Combatant: tb.actor()}
	case 40:
		for _, c := range tb.state.Combatants {
			if c.Delaying {
				return combat.ReturnFromDelay{Combatant: c.ID}
			}
		}
		return combat.ReturnFromDelay{Combatant: tb.anyID()}
	case 41:
		return tb.declare(tb.anyID())
	case 42:
		return combat.WithdrawDeclaration{Combatant: tb.anyID()}
	case 43:
		return combat.Hold{Combatant: tb.actor()}
	case 44:
		if tb.flag("take") {
			return combat.Take{Combatant: tb.anyID()}
		}
		return combat.Pass{Combatant: tb.actor()}
	case 45:
		return tb.sight(tb.ids())
	case 46:
		return combat.SetOptions{Options: rapid.SampledFrom(policies).Draw(tb.t, "policy")}
	}
	panic("unreachable")
}

// answer makes an answer to a decision.
func (tb *randomFight) answer(p *combat.Pending) combat.Command {
	cmd := combat.Answer{Pending: p.ID, Die: tb.small("die", 0, 20)}
	if p.Kind == combat.PendingProposal {
		accept := tb.flag("accept")
		cmd.Accept = &accept
	}
	return cmd
}

// proposal makes something that the player of a seat may want done to its own.
func (tb *randomFight) proposal(seat combat.ID) combat.Command {
	own := []combat.ID{}
	for _, c := range tb.state.Combatants {
		if c.Seat == seat {
			own = append(own, c.ID)
		}
	}
	if len(own) == 0 {
		return tb.draw()
	}
	for _, e := range tb.state.Effects {
		if slices.Contains(own, e.Target) && tb.flag("remove") {
			return combat.RemoveEffect{Effects: []combat.ID{e.ID}}
		}
	}
	return rapid.SampledFrom([]combat.Command{combat.Damage{Combatants: own, Amount: tb.small("amount", 0, 9), Source: tb.anyID()},
		combat.Heal{Combatants: own[:1], Amount: tb.small("heal", 1, 9)}, combat.SetTempHP{Combatants: own, Amount: 3},
		combat.AddEffect{Combatants: own, Name: tb.word(), Until: &combat.Until{At: "turnEnd", Of: tb.anyID()}}}).Draw(tb.t, "proposal")
}

// declare makes a plan for somebody.
func (tb *randomFight) declare(id combat.ID) combat.Command {
	cmd := combat.Declare{Combatant: id, Draft: tb.small("draft", 0, 9) == 0}
	for range tb.small("actions", 0, 3) {
		if len(tb.rules.plans) > 0 {
			cmd.Actions = append(cmd.Actions, combat.Declared{Kind: rapid.SampledFrom(tb.rules.plans).Draw(tb.t, "action")})
		}
	}
	return cmd
}

// start gives the table a fight to begin with.
func (tb *randomFight) start() {
	tb.try(combat.SetOptions{Options: map[string]string{"reactionWindows": rapid.SampledFrom([]string{"ask", "off"}).Draw(tb.t, "windows"),
		"playersHurt": rapid.SampledFrom([]string{"own", "ask"}).Draw(tb.t, "players hurt")}}, combat.RoleGM, "")
	for i := range tb.small("heroes", 1, 3) {
		tb.try(combat.AddCombatant{Name: fmt.Sprintf("Hero %d", i), Side: "party", HP: 12, AC: 14, Seat: tb.seats[i%2], Answers: tb.rules.heroes, Stats: tb.rules.sheet}, combat.RoleGM, "")
	}
	tb.try(combat.AddCombatant{Name: "Goblin", HP: 7, AC: 12, Times: tb.small("goblins", 1, 3), Answers: []string{"parry"}}, combat.RoleGM, "")
	if tb.flag("shade") {
		tb.try(combat.AddCombatant{Name: "Shade", HP: 4417, AC: 18, Hidden: true}, combat.RoleGM, "")
	}
	if tb.flag("ambush") {
		tb.try(combat.SetSurprised{Combatants: tb.ids(), Surprised: true}, combat.RoleGM, "")
	}
	tb.try(combat.StartCombat{}, combat.RoleGM, "")
}

// step sends one random command as somebody.
func (tb *randomFight) step() {
	role, seat := combat.RoleGM, combat.ID("")
	if tb.small("role", 0, 4) == 0 {
		role, seat = combat.RoleSeat, rapid.SampledFrom(tb.seats).Draw(tb.t, "seat")
		if tb.state.Seat(seat) == nil {
			tb.try(combat.AddSeat{Seat: seat, Name: string(seat), Key: "k"}, combat.RolePlayer, "")
		}
		if tb.flag("proposes") {
			tb.try(tb.proposal(seat), role, seat)
			return
		}
	}
	// Most declarations are made, so that rounds are played.
	if tb.state.Phase == combat.PhaseDeclaration && tb.small("declares", 0, 2) > 0 {
		for _, p := range tb.state.Pending {
			if p.Kind == combat.PendingDeclaration {
				tb.try(tb.declare(p.Combatants[0]), combat.RoleGM, "")
				return
			}
		}
	}
	tb.try(tb.draw(), role, seat)
}
