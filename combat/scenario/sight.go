package scenario

import (
	"slices"
	"strconv"
	"strings"

	"riposte/combat"
)

// sight is a view decoded for printing.
type sight struct {
	encounter combat.EncounterView
	order     []combat.SlotView
	stack     []combat.FrameView
	turn      combat.TurnView
	window    combat.WindowView
	all       []combat.CombatantView // in the order they act, then by name
	effects   []combat.EffectView
	pending   []combat.PendingView
}

func look(v View) sight {
	s := sight{
		encounter: value[combat.EncounterView](v, "encounter"),
		order:     value[[]combat.SlotView](v, "order"),
		stack:     value[[]combat.FrameView](v, "stack"),
		turn:      value[combat.TurnView](v, "turn"),
		window:    value[combat.WindowView](v, "window"),
		all:       each[combat.CombatantView](v, "combatants/"),
		effects:   each[combat.EffectView](v, "effects/"),
		pending:   each[combat.PendingView](v, "pending/"),
	}
	place := func(c combat.CombatantView) int {
		i := slices.IndexFunc(s.order, func(slot combat.SlotView) bool { return slices.Contains(slot.Combatants, c.ID) })
		if i < 0 {
			return len(s.order)
		}
		return i
	}
	slices.SortStableFunc(s.all, func(a, b combat.CombatantView) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	return s
}

func (s sight) phase() string { return s.encounter.Phase }

func (s sight) fighting() bool {
	return s.phase() == combat.PhaseRounds || s.phase() == combat.PhaseSurprise || s.phase() == combat.PhaseDeclaration
}

// one returns a combatant; the zero value for nobody.
func (s sight) one(id combat.ID) combat.CombatantView {
	for _, c := range s.all {
		if c.ID == id {
			return c
		}
	}
	return combat.CombatantView{}
}

func (s sight) name(id combat.ID) string { return s.one(id).Name }

func (s sight) names(ids []combat.ID) string {
	var all []string
	for _, id := range ids {
		all = append(all, s.name(id))
	}
	return strings.Join(all, ", ")
}

// theLair is what a lair's own slot is called.
const theLair = "the lair"

// lair reports whether it is the turn of a lair.
func (s sight) lair() bool {
	return slices.ContainsFunc(s.order, func(slot combat.SlotView) bool {
		return slot.Slot == s.turn.Slot && slot.Kind == combat.SlotLair
	})
}

func (s sight) slotNames(slot combat.SlotView) []string {
	if slot.Kind == combat.SlotLair {
		return []string{theLair}
	}
	var all []string
	for _, id := range slot.Combatants {
		all = append(all, s.name(id))
	}
	return all
}

// depth is how many frames somebody's deed stands above the turn.
func (s sight) depth(actor combat.ID, command combat.Command) int {
	switch command.(type) {
	case combat.React, combat.Release, combat.LegendaryAction, combat.Decline:
		return len(s.stack)
	}
	for i, frame := range slices.Backward(s.stack) {
		if frame.Combatant == actor {
			return i
		}
	}
	return 0
}

// deed says who does what.
func (s sight) deed(m Moment) (actor combat.ID, text string) {
	switch c := m.Command.(type) {
	case combat.Act:
		return c.Combatant, s.doing(c.Kind, c.Name, c.Targets, c.Attack)
	case combat.Move:
		text = "moves " + strconv.Itoa(c.Feet) + " ft"
		switch {
		case c.Stand:
			text = "stands up"
		case c.Forced:
			text = "is moved " + strconv.Itoa(c.Feet) + " ft"
		}
		if len(c.LeavesReachOf) > 0 {
			text += ", away from " + s.names(c.LeavesReachOf)
		}
		return c.Combatant, text
	case combat.React:
		return c.Combatant, s.doing(c.Kind, c.Name, c.Targets, c.Attack)
	case combat.Release:
		return c.Combatant, s.doing("what was readied", "", c.Targets, c.Attack)
	case combat.LegendaryAction:
		return c.Combatant, s.doing("legendary action", c.Name, c.Targets, c.Attack)
	case combat.LairAction:
		return s.turn.Combatant, strings.TrimSpace("lair action " + quoted(c.Name))
	case combat.Ready:
		return c.Combatant, "readies " + words(c.Kind) + " for when " + c.Trigger
	case combat.Decline:
		return c.Combatant, "lets it pass"
	case combat.Delay:
		return c.Combatant, "delays"
	case combat.ReturnFromDelay:
		return c.Combatant, "comes out of delay"
	case combat.EndTurn:
		if c.Combatant == "" {
			return s.turn.Combatant, ""
		}
		return c.Combatant, ""
	case combat.Answer:
		return s.answer(c)
	case combat.Damage:
		return "", strconv.Itoa(c.Amount) + " damage to " + s.names(c.Combatants)
	case combat.Heal:
		return "", "heals " + s.names(c.Combatants) + " by " + strconv.Itoa(c.Amount)
	case combat.AddEffect:
		return "", words(c.Name) + " on " + s.names(c.Combatants)
	case combat.Undo:
		return "", "takes that back"
	case combat.Redo:
		return "", "brings that back"
	case combat.EndCombat:
		return "", "ends the fight"
	case combat.SetActive:
		return "", "gives the turn to " + s.name(c.Combatant)
	}
	return "", words(combat.CommandName(m.Command))
}

// answer is the deed of answering a decision.
func (s sight) answer(c combat.Answer) (actor combat.ID, text string) {
	for _, p := range s.pending {
		if p.ID == c.Pending && len(p.Combatants) > 0 {
			actor, text = p.Combatants[0], words(p.Kind)+" save"
			if p.Kind == "save" {
				text = words(p.Ability) + " save"
			}
		}
	}
	switch {
	case c.Accept != nil && *c.Accept:
		return "", "accepts what " + s.name(actor) + " proposes"
	case c.Accept != nil:
		return "", "drops what " + s.name(actor) + " proposes"
	}
	if c.Die > 0 {
		text += ", rolls " + strconv.Itoa(c.Die)
	}
	return actor, text
}

// doing writes an action with its targets and its roll.
func (s sight) doing(kind, name string, targets []combat.ID, attack *combat.Attack) string {
	text := words(kind)
	if name != "" {
		text += " " + quoted(name)
	}
	if len(targets) > 0 {
		text += " → " + s.names(targets)
	}
	switch {
	case attack == nil:
	case attack.Total != nil:
		text += ", total " + strconv.Itoa(*attack.Total)
	case attack.Hit != nil && !*attack.Hit:
		text += ", misses"
	}
	return text
}

func quoted(text string) string {
	if text == "" {
		return ""
	}
	return "“" + text + "”"
}

// words spells a camel-case word of the wire out.
func words(text string) string {
	var b strings.Builder
	for i, r := range text {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
