package combat_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"riposte/combat"
)

// Aspects of a combatant that may be secret.
const (
	aspectHP         = "hp"
	aspectAC         = "ac"
	aspectConditions = "conditions"
	aspectCount      = "count"
	aspectDice       = "dice"
	aspectSheet      = "sheet"
	aspectExistence  = "existence"
)

var aspects = []string{aspectHP, aspectAC, aspectConditions, aspectCount, aspectDice, aspectSheet, aspectExistence}

// secret is one aspect of somebody, and who may not see it.
type secret struct {
	audience combat.Audience
	id       combat.ID
	aspect   string
	level    string // what they do see: band, none, no, totals
}

// drawAudience picks somebody who is not the GM.
func (tb *randomFight) drawAudience() combat.Audience {
	all := []combat.Audience{{Role: combat.RolePlayer}, {Role: combat.RoleSpectator}, {Role: combat.RoleSpectator}}
	for _, seat := range tb.seats {
		all = append(all, combat.Audience{Role: combat.RoleSeat, Seat: seat})
	}
	return rapid.SampledFrom(all).Draw(tb.t, "audience")
}

// secretOf is an aspect of a combatant, if that audience may not see it.
func (tb *randomFight) secretOf(a combat.Audience, c *combat.Combatant, aspect string) (secret, bool) {
	if a.Seat != "" && c.Seat == a.Seat {
		return secret{}, false
	}
	x := secret{audience: a, id: c.ID, aspect: aspect, level: tb.allowed(c, a, aspect)}
	return x, x.level != "exact" && x.level != "yes"
}

// allowed says again, by the book, what an audience may see.
func (tb *randomFight) allowed(c *combat.Combatant, a combat.Audience, aspect string) string {
	option := func(key string) string { return combat.OptionOf(tb.rules.system, tb.state, key) }
	class := classOf(a)
	switch {
	case aspect == aspectSheet, hiddenFrom(c, class):
		return "no"
	case aspect == aspectExistence:
		return "yes"
	}
	own := func(s *combat.Sight) string {
		if s == nil {
			return ""
		}
		return map[string]string{aspectHP: s.HP, aspectAC: s.AC, aspectConditions: s.Conditions, aspectCount: s.Count}[aspect]
	}
	sights := combat.Sights{}
	if c.Sight != nil {
		sights = *c.Sight
	}
	level := "yes"
	if key := map[string]string{aspectHP: "npcHp", aspectAC: "npcAc", aspectConditions: "npcConditions", aspectCount: "npcCount", aspectDice: "npcDice"}[aspect]; c.Kind == "npc" {
		level = option(key)
	} else if aspect == aspectHP {
		level = option("pcHp")
	}
	if set := own(sights.Players); set != "" {
		level = set
	}
	if class == combat.Players {
		return level
	}
	keys := map[string]string{aspectHP: "spectatorNpcHp", aspectAC: "spectatorNpcAc", aspectConditions: "spectatorConditions", aspectCount: "spectatorCount",
		aspectDice: "spectatorDice"}
	if c.Kind == "pc" {
		keys[aspectHP], keys[aspectAC] = "spectatorPcHp", ""
	}
	if key := keys[aspect]; key != "" && option(key) != "same" {
		level = option(key)
	}
	if set := own(sights.Spectators); set != "" {
		level = set
	}
	return level
}

// copyState is a state of its own.
func copyState(t *rapid.T, s *combat.State) *combat.State {
	fresh := &combat.State{}
	if err := json.Unmarshal(encodeState(t, s), fresh); err != nil {
		t.Fatal(err)
	}
	return fresh
}

// otherwise changes a state in what is secret and in nothing else. It reports
// false when that cannot be done.
func (tb *randomFight) otherwise(s *combat.State, x secret) bool {
	c := s.Combatant(x.id)
	turn := s.Turn()
	switch x.aspect {
	case aspectHP:
		if c.MaxHP == 0 {
			return false
		}
		c.Temp += 3
		c.HP = tb.small("other hp", 0, c.MaxHP)
		if x.level == "none" {
			c.MaxHP += 7
		}
		for _, p := range s.Pending {
			if p.ByHP && p.Combatants[0] == c.ID {
				p.DC = c.HP
			}
		}
	case aspectAC:
		c.AC += 2
		for _, e := range s.Effects {
			if e.Target == c.ID {
				e.AC++
			}
		}
	case aspectConditions:
		tb.otherConditions(s, c)
	case aspectCount:
		tb.otherCount(s, c)
	case aspectDice:
		if s.InFight() { // before, they decide ties for all to see
			c.Die++
		}
		for _, f := range s.Stack {
			for _, a := range []*combat.Action{f.Action, f.Did} {
				if f.Combatant != c.ID || a == nil || a.Roll == nil {
					continue
				}
				a.Roll.Die, a.Roll.Dice, a.Roll.Damage = a.Roll.Die+1, append(a.Roll.Dice, 6), a.Roll.Damage+6
				if a.Roll.Total != nil && x.level == "no" {
					*a.Roll.Total++
				}
			}
		}
	case aspectSheet:
		c.Notes, c.Answers, c.Stats = c.Notes+" and more", append(c.Answers, "parry"), map[string]int{"secret": 4}
		if s.InFight() { // before, it decides ties for all to see
			c.Mod++
		}
		c.Recharge, c.Spent = map[string]int{"breath": 5}, []string{"breath"}
		for i := range c.Pools {
			if c.Kind == "npc" && c.Pools[i].Name != "reaction" {
				c.Pools[i].Left++
			}
		}
	case aspectExistence:
		// Somebody who acts or has been seen to act is not simply left out.
		seen := slices.ContainsFunc(lastTurns(s), func(last *combat.LastTurn) bool { return last.Combatant == c.ID })
		named := slices.ContainsFunc(s.Pending, func(p *combat.Pending) bool { return slices.Contains(p.Mentions, c.ID) })
		if seen || named || turn != nil && turn.Combatant == c.ID || slices.ContainsFunc(s.Stack, func(f *combat.Frame) bool { return f.Combatant == c.ID || f.Window != nil }) {
			return false
		}
		s.Combatants = slices.DeleteFunc(s.Combatants, func(o *combat.Combatant) bool { return o.ID == c.ID })
		s.Order = slices.DeleteFunc(s.Order, func(slot combat.Slot) bool { return slot.Combatant == c.ID && slot.ID != s.Cursor })
		s.Effects = slices.DeleteFunc(s.Effects, func(e *combat.Effect) bool { return e.Target == c.ID })
		s.Pending = slices.DeleteFunc(s.Pending, func(p *combat.Pending) bool { return slices.Contains(p.Combatants, c.ID) })
		for i := range s.Ties {
			s.Ties[i] = slices.DeleteFunc(s.Ties[i], func(id combat.ID) bool { return id == c.ID })
		}
	}
	return true
}

// otherConditions puts other effects on somebody, and its frames under them.
func (tb *randomFight) otherConditions(s *combat.State, c *combat.Combatant) {
	gone := map[combat.ID]bool{}
	s.Effects = slices.DeleteFunc(s.Effects, func(e *combat.Effect) bool {
		gone[e.ID] = e.Target == c.ID
		return gone[e.ID]
	})
	s.Pending = slices.DeleteFunc(s.Pending, func(p *combat.Pending) bool { return gone[p.Effect] })
	s.Effects = append(s.Effects, &combat.Effect{ID: "eSecret", Name: tb.word(), Target: c.ID, AC: 3, MaxHP: 2, Speed: -10, Ends: combat.Anchor{At: combat.AtNever}})
	for _, f := range s.Stack {
		if f.Combatant == c.ID && f.Empty != "" {
			f.Empty = tb.rules.system.CanAct(s, c)
		}
	}
}

// lastTurns are those that anybody saw last.
func lastTurns(s *combat.State) []*combat.LastTurn {
	lasts := slices.Collect(maps.Values(s.LastFor))
	if s.Last != nil {
		lasts = append(lasts, s.Last)
	}
	return lasts
}

// otherCount gives somebody another count, wherever it stands.
func (tb *randomFight) otherCount(s *combat.State, c *combat.Combatant) {
	count := combat.Whole(tb.small("other count", -2, 22))
	if c.Init != nil || !s.InFight() {
		c.Init = &count
	}
	c.Die, c.Rank, c.Rolls = c.Die+1, 0, nil
	for i := range s.Order {
		if s.Order[i].Combatant == c.ID {
			s.Order[i].Count = count
		}
	}
	for i := range c.Plan {
		c.Plan[i].Count, c.Plan[i].Lost, c.Plan[i].Carried = count, !c.Plan[i].Lost, !c.Plan[i].Carried
	}
	if f := s.Turn(); f != nil && f.Combatant == c.ID {
		s.Count = count
	}
	for _, last := range lastTurns(s) {
		if last.Combatant == c.ID {
			last.Count = count
		}
	}
	for _, e := range s.Effects {
		if e.Ends.At == combat.AtCount && e.Ends.Of == c.ID {
			e.Ends.Count = &count
		}
	}
	for i, tie := range s.Ties {
		if others := slices.DeleteFunc(slices.Clone(tie), func(id combat.ID) bool { return id == c.ID }); tb.flag("untied") || len(others) == len(tie) {
			s.Ties[i] = append(others, c.ID)
		} else {
			s.Ties[i] = others
		}
	}
}

// Two states that differ in nothing but what an audience may not see give it the
// same bytes, offers included.
func TestSecretsAreInNoView(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		for range stepsPerFight {
			tb.step()
			if tb.flag("policy") {
				tb.try(combat.SetOptions{Options: rapid.SampledFrom(policies).Draw(t, "policy")}, combat.RoleGM, "")
			}
			if len(tb.state.Combatants) == 0 {
				continue
			}
			x, found := tb.secretOf(tb.drawAudience(), rapid.SampledFrom(tb.state.Combatants).Draw(t, "of whom"), rapid.SampledFrom(aspects).Draw(t, "aspect"))
			if !found {
				continue
			}
			one, other := copyState(t, tb.state), copyState(t, tb.state)
			if !tb.otherwise(other, x) {
				continue
			}
			was, is := tb.bandOf(one, x), tb.bandOf(other, x)
			if was != is {
				continue
			}
			a, b := tb.engine.View(one, x.audience), tb.engine.View(other, x.audience)
			for _, view := range []map[string]any{a, b} {
				for key, value := range view {
					encoded, err := json.Marshal(value)
					if err != nil {
						t.Fatal(err)
					}
					view[key] = string(encoded)
				}
			}
			for key := range a {
				if a[key] != b[key] {
					t.Fatalf("%+v shows in %s:\n%s\n%s", x, key, a[key], b[key])
				}
			}
			if len(a) != len(b) {
				t.Fatalf("%+v shows: %d keys, %d keys", x, len(a), len(b))
			}
		}
	})
}

// bandOf is what is seen of hit points in words.
func (tb *randomFight) bandOf(s *combat.State, x secret) string {
	c, there := tb.engine.View(s, x.audience)["combatants/"+string(x.id)].(*combat.CombatantView)
	if !there || c.HP == nil {
		return ""
	}
	return c.HP.Band
}

// What an audience may not see is in no line of its log: the same commit with
// other secrets in it reads the same.
func TestSecretsAreInNoLine(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		for range stepsPerFight {
			if tb.flag("policy") {
				tb.try(combat.SetOptions{Options: rapid.SampledFrom(policies).Draw(t, "policy")}, combat.RoleGM, "")
			}
			before, n := tb.state, len(tb.commits)
			tb.step()
			if len(tb.commits) == n {
				continue
			}
			a, commit := tb.drawAudience(), tb.commits[n]
			encoded, err := json.Marshal(commit)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range tb.state.Combatants {
				for _, aspect := range aspects {
					x, found := tb.secretOf(a, c, aspect)
					if found && aspect != aspectExistence && bytes.Contains(encoded, []byte(c.ID)) {
						tb.checkLines(before, commit, x)
					}
				}
			}
		}
	})
}

// checkLines compares the lines of a commit with those of one that has another
// secret in it.
func (tb *randomFight) checkLines(before *combat.State, commit *combat.Commit, x secret) {
	blurred := *commit
	blurred.Events = nil
	for _, event := range commit.Events {
		if other := blur(event, x); other != nil {
			blurred.Events = append(blurred.Events, other)
		}
	}
	told, again := tb.lines(before, commit, x.audience), tb.lines(before, &blurred, x.audience)
	if !bytes.Equal(told, again) {
		tb.t.Fatalf("%+v shows in\n%s\nand in\n%s", x, told, again)
	}
}

func (tb *randomFight) lines(before *combat.State, c *combat.Commit, a combat.Audience) []byte {
	encoded, err := json.Marshal(tb.engine.Log(before, tb.state, c, a))
	if err != nil {
		tb.t.Fatal(err)
	}
	return encoded
}
