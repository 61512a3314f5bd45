package combat_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"riposte/combat"
	"riposte/combat/combattest"
)

// You.can is acceptance: what is accepted was offered, and what is offered is
// accepted, for the GM and for every player.
func TestYouCanIsAcceptance(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		for range stepsPerFight {
			role, seat := combat.RoleGM, combat.ID("")
			if tb.flag("player") {
				role, seat = combat.RoleSeat, rapid.SampledFrom(tb.seats).Draw(t, "seat")
			}
			tb.look = combat.Audience{Role: role, Seat: seat}
			you := tb.engine.View(tb.state, tb.look)["you"].(*combat.YouView)
			if len(you.Can) > 0 {
				offer := rapid.SampledFrom(you.Can).Draw(t, "offer")
				command := tb.fill(offer)
				if _, _, r := tb.engine.Decide(tb.state, command, tb.by(role, seat)); r != nil {
					t.Fatalf("%s was offered %+v and refused %T%+v: %s %v", role, offer, command, command, r.Code, r.Params)
				}
			}
			command := tb.draw()
			if role == combat.RoleSeat && tb.flag("proposes") {
				command = tb.proposal(seat)
			}
			if tb.try(command, role, seat) && !offered(you.Can, command) {
				t.Fatalf("%s sent %T%+v: accepted, and not among %+v", role, command, command, you.Can)
			}
			tb.step()
		}
	})
}

// offered reports whether one of the offers fits a command: same type, and the
// fields that the offer fixes.
func offered(can []combat.Offer, command combat.Command) bool {
	encoded, _ := combat.EncodeCommand(command)
	var fields struct {
		Type, Kind                        string
		Combatant, Frame, Window, Pending combat.ID
		Combatants                        []combat.ID
		Forced, Defensive                 bool
		Accept                            *bool
	}
	_ = json.Unmarshal(encoded, &fields)
	if fields.Forced {
		return true // a ruling, which is not offered but always there
	}
	return slices.ContainsFunc(can, func(o combat.Offer) bool {
		fits := func(offer, given combat.ID) bool { return offer == "" || given == "" || offer == given }
		some := len(o.Combatants) == 0 || fields.Combatant != "" && slices.Contains(o.Combatants, fields.Combatant) ||
			len(fields.Combatants) > 0 && !slices.ContainsFunc(fields.Combatants, func(id combat.ID) bool { return !slices.Contains(o.Combatants, id) }) ||
			fields.Combatant == "" && len(fields.Combatants) == 0
		return o.Type == fields.Type && fits(o.Combatant, fields.Combatant) && fits(o.Frame, fields.Frame) && fits(o.Window, fields.Window) &&
			fits(o.Pending, fields.Pending) && some && (!o.Defensive || fields.Defensive) &&
			(o.Accept == nil || fields.Accept != nil && *o.Accept == *fields.Accept) && (o.Kind == "" || o.Type == "addCombatant" || o.Kind == fields.Kind)
	})
}

// fill chooses sound values for what an offer leaves open.
func (tb *randomFight) fill(o combat.Offer) combat.Command {
	s := tb.state
	one := o.Combatant
	if one == "" && len(o.Combatants) > 0 {
		one = o.Combatants[0]
	}
	if one == "" && len(s.Combatants) > 0 {
		one = s.Combatants[0].ID
	}
	list := []combat.ID{one}
	name := "x"
	command := combattest.Fill(o, combattest.Choice{Who: one, Number: 1, Text: "x", Yes: true})
	switch o.Type {
	case "addCombatant":
		return combat.AddCombatant{Name: "New", Kind: o.Kind}
	case "importCombatants":
		return combat.ImportCombatants{Combatants: []combat.AddCombatant{{Name: "New"}}}
	case "setOptions":
		return combat.SetOptions{Title: &name}
	case "replaceLink":
		return combat.ReplaceLink{Role: combat.RoleSpectator, Key: "k"}
	case "editCombatant":
		return combat.EditCombatant{Combatant: one, Name: &name}
	case "removeCombatant":
		return combat.RemoveCombatant{Combatants: list}
	case "duplicateCombatant":
		return combat.DuplicateCombatant{Combatant: one}
	case "setHidden":
		return combat.SetHidden{Combatants: list, Hidden: true}
	case "setSight":
		no := "no"
		return combat.SetSight{Combatants: list, Audience: combat.Players, Count: &no}
	case "assignSeat":
		return combat.AssignSeat{Combatant: one, Seat: o.Seat}
	case "heal":
		for _, c := range s.Combatants { // the dead are not for players to heal
			if slices.Contains(o.Combatants, c.ID) && c.Fights() {
				return combat.Heal{Combatants: []combat.ID{c.ID}, Amount: 1}
			}
		}
		if len(o.Combatants) > 0 {
			return combat.Damage{Combatants: list, Amount: 1}
		}
	case "addEffect":
		return combat.AddEffect{Combatants: list, Name: "bless"}
	case "removeEffect":
		id := o.Effect
		if id == "" {
			id = s.Effects[0].ID
		}
		return combat.RemoveEffect{Effects: []combat.ID{id}}
	case "removeSeat":
		return combat.RemoveSeat{Seat: s.Seats[0].ID}
	case "editSeat":
		seat := o.Seat
		if seat == "" {
			seat = s.Seats[0].ID
		}
		return combat.EditSeat{Seat: seat, Name: &name}
	case "reorder":
		return combat.Reorder{Order: list}
	case "setActive":
		for i := range s.Order {
			if c := s.Combatant(s.Order[i].Combatant); c != nil && c.Fights() && (s.Order[i].Kind == combat.SlotTurn || s.Order[i].Kind == combat.SlotAction) {
				return combat.SetActive{Combatant: c.ID}
			}
		}
		command = nil
	case "grant":
		for _, c := range s.Combatants {
			if len(c.Pools) > 0 {
				return combat.Grant{Combatant: c.ID, Pool: c.Pools[0].Name, Amount: 1}
			}
		}
	case "act":
		if len(o.Cost) > 0 && (o.Cost[0].Pool == "bonus" || o.Cost[0].Pool == "haste") && o.Kind != "bonusAction" {
			return combat.Act{Combatant: o.Combatant, Frame: o.Frame, Kind: o.Kind, Cost: o.Cost[0].Pool}
		}
	case "answer":
		p := s.PendingByID(o.Pending)
		if p == nil { // a tie is answered with its order
			return combat.Answer{Pending: o.Pending, Order: tb.tieOf(o.Pending)}
		}
		if o.Accept != nil {
			return combat.Answer{Pending: o.Pending, Accept: o.Accept}
		}
		return tb.answer(p)
	}
	if command == nil {
		tb.t.Fatalf("no way to fill %+v", o)
	}
	return command
}

// tieOf reads the members of a tie out of the view of whoever was offered it.
func (tb *randomFight) tieOf(pending combat.ID) []combat.ID {
	view := tb.engine.View(tb.state, tb.look)
	return view["pending/"+string(pending)].(*combat.PendingView).Combatants
}
