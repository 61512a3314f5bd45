package combat_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
)

// twelve is a running fight of twelve combatants with six audiences: the GM,
// players without a seat, spectators and three seats.
func twelve(tb testing.TB) (*combat.Engine, *combat.State) {
	e := combat.New(dnd5e.System{})
	dice := &chance{state: 1}
	by := combat.By{Role: combat.RoleGM, Now: 1, Dice: dice}
	_, s, r := e.Create("e", "dnd5e", "", nil, nil, by)
	do := func(command combat.Command, by combat.By) {
		if r == nil {
			_, s, r = e.Decide(s, command, by)
		}
	}
	for i := range 3 {
		seat := combat.ID(fmt.Sprintf("seat%d", i))
		do(combat.AddSeat{Seat: seat, Name: string(seat)}, combat.By{Role: combat.RolePlayer, Now: 1, Dice: dice})
		do(combat.AddCombatant{Name: fmt.Sprintf("Hero %d", i), Side: "party", Seat: seat, HP: 30, AC: 15}, by)
	}
	do(combat.AddCombatant{Name: "Goblin", Times: 9, HP: 7000, AC: 13}, by)
	do(combat.StartCombat{}, by)
	if r != nil {
		tb.Fatal(r.Code, r.Params)
	}
	return e, s
}

// One command, decided, applied and shown to six audiences.
func BenchmarkCommand(b *testing.B) {
	for name, next := range map[string]func(s *combat.State) combat.Command{
		"damage": func(s *combat.State) combat.Command {
			return combat.Damage{Combatants: []combat.ID{s.Combatants[5].ID}, Amount: 1}
		},
		"endTurn": func(*combat.State) combat.Command { return combat.EndTurn{} },
	} {
		b.Run(name, func(b *testing.B) {
			e, s := twelve(b)
			views := e.NewViews(s)
			by := combat.By{Role: combat.RoleGM, Now: 2, Dice: &chance{state: 2}}
			b.ReportAllocs()
			for b.Loop() {
				command := next(s)
				events, after, r := e.Decide(s, command, by)
				if r != nil {
					b.Fatal(r.Code)
				}
				if views.Move(after, &combat.Commit{Seq: after.Seq, Type: "x", Role: combat.RoleGM, Events: events}) == nil {
					b.Fatal("nothing to see")
				}
				s = after
			}
		})
	}
}

// What one change of hit points sends to one audience.
func BenchmarkBytesOfOneHPChange(b *testing.B) {
	e, s := twelve(b)
	views := e.NewViews(s)
	by := combat.By{Role: combat.RoleGM, Now: 2, Dice: &chance{state: 2}}
	total := map[string]int{}
	for b.Loop() {
		events, after, r := e.Decide(s, combat.Damage{Combatants: []combat.ID{s.Combatants[1].ID}, Amount: 1}, by)
		if r != nil {
			b.Fatal(r.Code)
		}
		clear(total)
		for _, change := range views.Move(after, &combat.Commit{Seq: after.Seq, Type: "damage", Role: combat.RoleGM, Events: events}) {
			encoded, err := json.Marshal(change)
			if err != nil {
				b.Fatal(err)
			}
			total[change.Audience.Role] = len(encoded)
		}
		s = after
	}
	b.ReportMetric(float64(total[combat.RoleGM]), "gm-bytes")
	b.ReportMetric(float64(total[combat.RoleSpectator]), "spectator-bytes")
}

// Folding a log of ten thousand commits, decoding included.
func BenchmarkReplay10000(b *testing.B) {
	e, s := twelve(b)
	by := combat.By{Role: combat.RoleGM, Now: 2, Dice: &chance{state: 2}}
	start, err := json.Marshal(s)
	if err != nil {
		b.Fatal(err)
	}
	const commits = 10_000
	var log [][]byte
	hash, seq := "", s.Seq
	for i := range commits {
		var command combat.Command = combat.EndTurn{}
		if i%2 == 0 {
			command = combat.Damage{Combatants: []combat.ID{s.Combatants[3+i%9].ID}, Amount: 1}
		}
		events, after, r := e.Decide(s, command, by)
		if r != nil {
			b.Fatal(r.Code)
		}
		c := &combat.Commit{Seq: after.Seq, ID: "id", Type: combat.CommandName(command), Role: combat.RoleGM, At: 2, Events: events}
		if err := c.Seal(hash); err != nil {
			b.Fatal(err)
		}
		stored, err := json.Marshal(c)
		if err != nil {
			b.Fatal(err)
		}
		log, hash, s = append(log, stored), c.Hash, after
	}
	b.ReportAllocs()
	for b.Loop() {
		state := &combat.State{}
		if err := json.Unmarshal(start, state); err != nil {
			b.Fatal(err)
		}
		hash, at := "", seq
		for _, stored := range log {
			var c combat.Commit
			if err := c.UnmarshalJSON(stored); err != nil {
				b.Fatal(err)
			}
			if err := c.Follows(at, hash); err != nil {
				b.Fatal(err)
			}
			state = combat.ApplyCommit(state, &c)
			at, hash = c.Seq, c.Hash
		}
	}
}
