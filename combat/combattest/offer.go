// Package combattest is a test kit: it makes commands of what a view offers.
package combattest

import "riposte/combat"

// Choice is what somebody fills in where an offer leaves something open.
type Choice struct {
	Who    combat.ID // the combatant, if the offer names none
	Other  combat.ID // whom it is aimed at or what it moves away from; empty: nobody
	Number int       // of points, feet, a count
	Text   string
	Yes    bool // what can be set and unset is set
	Done   bool // what may be followed by more is not
}

// Fill makes the command that an offer is about. It returns nil for kinds that
// need more than a choice.
func Fill(o combat.Offer, c Choice) combat.Command {
	one := o.Combatant
	if one == "" {
		one = c.Who
	}
	list := []combat.ID{one}
	var others []combat.ID
	if c.Other != "" {
		others = []combat.ID{c.Other}
	}
	switch o.Type {
	case "say":
		return combat.Say{Text: c.Text}
	case "note":
		return combat.Note{Text: c.Text}
	case "roll":
		return combat.Roll{Dice: "2d6+1"}
	case "setPosition":
		return combat.SetPosition{Combatant: one, Position: c.Text}
	case "setDefeated":
		return combat.SetDefeated{Combatants: list, Defeated: c.Yes}
	case "setSurprised":
		return combat.SetSurprised{Combatants: list, Surprised: c.Yes}
	case "setInitiative":
		return combat.SetInitiative{Combatant: one, Count: combat.Whole(c.Number)}
	case "rollInitiative":
		return combat.RollInitiative{Combatants: list}
	case "damage":
		return combat.Damage{Combatants: list, Amount: c.Number}
	case "heal":
		return combat.Heal{Combatants: list, Amount: c.Number}
	case "setTempHp":
		return combat.SetTempHP{Combatants: list, Amount: c.Number}
	case "undo":
		return combat.Undo{}
	case "redo":
		return combat.Redo{}
	case "startCombat":
		return combat.StartCombat{}
	case "endCombat":
		return combat.EndCombat{}
	case "resetCombat":
		return combat.ResetCombat{}
	case "setActive":
		return combat.SetActive{Combatant: one}
	case "pauseClock":
		return combat.PauseClock{}
	case "resumeClock":
		return combat.ResumeClock{}
	case "endTurn":
		return combat.EndTurn{Combatant: o.Combatant, Frame: o.Frame}
	case "closeWindow":
		return combat.CloseWindow{Window: o.Window}
	case "decline":
		return combat.Decline{Combatant: o.Combatant, Window: o.Window}
	case "act":
		return combat.Act{Combatant: o.Combatant, Frame: o.Frame, Kind: o.Kind, Targets: others, Done: c.Done}
	case "move":
		return combat.Move{Combatant: o.Combatant, Frame: o.Frame, Feet: c.Number, LeavesReachOf: others}
	case "ready":
		return combat.Ready{Combatant: o.Combatant, Frame: o.Frame, Kind: o.Kind, Trigger: c.Text}
	case "delay":
		return combat.Delay{Combatant: o.Combatant, Frame: o.Frame}
	case "returnFromDelay":
		return combat.ReturnFromDelay{Combatant: o.Combatant}
	case "react":
		return combat.React{Combatant: o.Combatant, Kind: o.Kind, Defensive: o.Defensive, Done: c.Done}
	case "release":
		return combat.Release{Combatant: o.Combatant, Done: c.Done}
	case "declare":
		return combat.Declare{Combatant: o.Combatant}
	case "withdrawDeclaration":
		return combat.WithdrawDeclaration{Combatant: o.Combatant}
	case "hold":
		return combat.Hold{Combatant: o.Combatant, Frame: o.Frame}
	case "pass":
		return combat.Pass{Combatant: o.Combatant, Frame: o.Frame}
	case "take":
		return combat.Take{Combatant: o.Combatant}
	case "legendaryAction":
		return combat.LegendaryAction{Combatant: o.Combatant}
	case "lairAction":
		return combat.LairAction{Frame: o.Frame}
	case "settleTie":
		return combat.SettleTie{Order: o.Combatants}
	case "rollOff":
		return combat.RollOff{Combatant: o.Combatant}
	}
	return nil
}
