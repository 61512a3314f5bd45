package combat_test

import (
	"slices"

	"riposte/combat"
)

// blur is an event with another secret in it, or nil when the whole event is
// one.
func blur(event combat.Event, x secret) combat.Event {
	switch x.aspect {
	case aspectHP:
		return blurHP(event, x)
	case aspectAC:
		return blurAC(event, x)
	case aspectConditions:
		return blurConditions(event, x)
	case aspectCount:
		return blurCount(event, x)
	case aspectDice:
		return blurDice(event, x)
	}
	switch e := event.(type) { // the sheet
	case combat.ChargeSet:
		if e.Combatant == x.id {
			return nil
		}
	case combat.PoolsSet:
		if e.Combatant == x.id {
			return nil
		}
	case combat.MarksSet:
		if e.Combatant == x.id {
			return nil
		}
	case combat.CombatantEdited:
		if e.Combatant == x.id {
			return nil
		}
	case combat.CombatantAdded:
		if e.Combatant.ID == x.id {
			e.Combatant.Notes, e.Combatant.Mod, e.Combatant.Stats, e.Combatant.Sight = "secret", 9, nil, &combat.Sights{Players: &combat.Sight{AC: "yes"}}
			return e
		}
	case combat.SightSet:
		return nil
	}
	return event
}

func other(n *int) *int {
	m := 41
	if n != nil {
		m += *n
	}
	return &m
}

func blurHP(event combat.Event, x secret) combat.Event {
	switch e := event.(type) {
	case combat.Damaged:
		if e.Combatant == x.id {
			e.HP, e.Temp = other(e.HP), other(e.Temp)
			return e
		}
	case combat.Healed:
		if e.Combatant == x.id {
			e.HP, e.Amount = other(e.HP), e.Amount+1
			return e
		}
	case combat.TempHPSet:
		if e.Combatant == x.id {
			return nil
		}
	case combat.HPSet:
		if e.Combatant == x.id {
			return nil
		}
	case combat.LifeSet:
		if e.Combatant == x.id {
			e.HP++
			return e
		}
	case combat.Saved:
		if e.Combatant == x.id && e.ByHP {
			e.Die, e.Total, e.DC = e.Die+1, e.Total+1, e.DC+1
			return e
		}
	case combat.EffectAdded:
		if e.Effect.Target == x.id {
			e.Effect.MaxHP++
			return e
		}
	case combat.CombatantAdded:
		if e.Combatant.ID == x.id {
			e.Combatant.HP, e.Combatant.MaxHP, e.Combatant.Temp = 41, 43, 47
			return e
		}
	}
	return event
}

func blurAC(event combat.Event, x secret) combat.Event {
	switch e := event.(type) {
	case combat.Resolved:
		if e.Target == x.id {
			e.AC = other(e.AC)
			return e
		}
	case combat.EffectAdded:
		if e.Effect.Target == x.id {
			e.Effect.AC++
			return e
		}
	case combat.CombatantAdded:
		if e.Combatant.ID == x.id {
			e.Combatant.AC++
			return e
		}
	}
	return blurAction(event, x, func(a *combat.Action) { a.AC++ })
}

// blurAction changes the actions of somebody.
func blurAction(event combat.Event, x secret, change func(*combat.Action)) combat.Event {
	switch e := event.(type) {
	case combat.Acted:
		if e.Combatant == x.id {
			change(&e.Action)
			return e
		}
	case combat.FramePushed:
		if e.Frame.Combatant == x.id && e.Frame.Action != nil {
			action := *e.Frame.Action
			change(&action)
			e.Frame.Action = &action
			return e
		}
	case combat.ReadySet:
		if e.Combatant == x.id && e.Readied != nil {
			readied := *e.Readied
			change(&readied.Action)
			e.Readied = &readied
			return e
		}
	}
	return event
}

// blurConditions takes all effects out. What a name does is told only as far as
// it can be told without it.
func blurConditions(event combat.Event, x secret) combat.Event {
	const unable = "incapacitated"
	switch e := event.(type) {
	case combat.EffectAdded:
		if e.Effect.Target == x.id {
			// That it was there is known to the reader of the whole commit alone.
			e.Effect.Name, e.Effect.AC = "otherwise", 9
			return e
		}
	case combat.EffectEnded:
		if e.Target == x.id {
			return nil
		}
	case combat.Damaged:
		if e.Combatant == x.id {
			e.Effect = ""
			return e
		}
	case combat.Saved:
		if e.Combatant == x.id {
			e.Effect = ""
			return e
		}
	case combat.TurnStarted:
		if e.Combatant == x.id && e.Empty == unable {
			e.Empty = ""
			return e
		}
	case combat.Resolved:
		if e.Combatant == x.id && e.Why == unable {
			e.Why = ""
			return e
		}
	}
	return event
}

func blurCount(event combat.Event, x secret) combat.Event {
	switch e := event.(type) {
	case combat.InitiativeSet:
		if e.Combatant == x.id {
			return nil
		}
	case combat.RolledOff:
		e.With = slices.DeleteFunc(slices.Clone(e.With), func(id combat.ID) bool { return id == x.id })
		if e.Combatant == x.id || len(e.With) == 0 {
			return nil
		}
		return e
	case combat.TieSettled:
		if slices.Contains(e.Order, x.id) {
			return nil
		}
	case combat.TurnStarted:
		if e.Combatant == x.id {
			count := *e.Count + 1
			e.Count = &count
			return e
		}
	case combat.Planned:
		if e.Combatant == x.id {
			e.Plan = nil
			return e
		}
	case combat.EffectAdded:
		if e.Effect.Ends.At == combat.AtCount && e.Effect.Ends.Of == x.id {
			count := *e.Effect.Ends.Count + 1
			e.Effect.Ends.Count = &count
			return e
		}
	case combat.CombatantAdded:
		if e.Combatant.ID == x.id {
			count := combat.Whole(3)
			e.Combatant.Init = &count
			return e
		}
	}
	return event
}

func blurDice(event combat.Event, x secret) combat.Event {
	switch e := event.(type) {
	case combat.InitiativeSet:
		if e.Combatant == x.id {
			e.Die, e.Mod = e.Die+1, e.Mod-1
			return e
		}
	case combat.RolledOff:
		if e.Combatant == x.id {
			return nil
		}
	case combat.Saved:
		if e.Combatant == x.id {
			e.Die, e.Total = e.Die+1, e.Total+1
			return e
		}
	case combat.Damaged:
		if e.Source == x.id {
			e.Dice = append(slices.Clone(e.Dice), 6)
			return e
		}
	case combat.Resolved:
		if e.Combatant == x.id && x.level == "no" {
			e.Total = other(e.Total)
			return e
		}
	}
	return blurAction(event, x, func(a *combat.Action) { a.Attack, a.Roll = &combat.Attack{Damage: "6d6"}, nil })
}
