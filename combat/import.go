package combat

import (
	"maps"
	"slices"
)

// Import decides the making of an encounter out of an exported state, which
// may come from anybody: what does not hold together is refused with the field
// that is wrong (bad_value, too_long, too_many). Seats and links are not part of
// it, nor what the seats proposed: the combatants come back unowned.
func (e *Engine) Import(id ID, s *State, keys map[string]string, by By) ([]Event, *State, *Refusal) {
	if s == nil {
		return nil, nil, refuse("bad_value", "field", "state")
	}
	system, known := e.systems[s.Rules]
	if !known {
		return nil, nil, refuse("bad_value", "field", "state.rules")
	}
	fresh := *s
	fresh.past, fresh.future, fresh.Seats, fresh.Keys = nil, nil, []*Seat{}, nil
	fresh.Last, fresh.LastFor = nil, nil
	fresh.Pending = slices.DeleteFunc(slices.Clone(fresh.Pending), func(p *Pending) bool { return p != nil && p.Kind == PendingProposal })
	if r := (&auditor{system: system, s: &fresh, known: map[ID]bool{}}).audit(); r != nil {
		return nil, nil, r
	}
	combatants := make([]*Combatant, len(fresh.Combatants))
	for i, c := range fresh.Combatants {
		unowned := *c
		unowned.Seat = ""
		combatants[i] = &unowned
	}
	fresh.Combatants = combatants
	// Deadlines of another day would all have run out: what was left is left.
	fresh.shiftClocks(by.Now - fresh.At)
	d := e.draft(nil, system, by)
	d.Emit(Imported{ID: id, Keys: keys, State: &fresh})
	return d.finish("imported")
}

// auditor checks a state that nobody vouches for.
type auditor struct {
	system System
	s      *State
	known  map[ID]bool
}

func bad(field string) *Refusal { return refuse("bad_value", "field", "state."+field) }

// plainID reports whether an id is of the letters that ids are made of.
func plainID(id ID) bool {
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return id != "" && len(id) <= 40
}

// fresh checks an id that must be new.
func (a *auditor) fresh(field string, id ID) *Refusal {
	if !plainID(id) || a.known[id] {
		return bad(field)
	}
	a.known[id] = true
	return nil
}

func (a *auditor) audit() *Refusal {
	s := a.s
	phases := []string{PhaseSetup, PhaseInitiative, PhaseDeclaration, PhaseSurprise, PhaseRounds, PhaseEnded}
	if !slices.Contains(phases, s.Phase) || s.Round < 0 || s.Round > MaxNumber || s.At < 0 {
		return bad("phase")
	}
	if r := firstRefusal(checkText("state.title", s.Title, MaxTitle, false), checkOptions(a.system, s.Options)); r != nil {
		return r
	}
	if len(s.Combatants) > MaxCombatants+MaxPlayersAdd || len(s.Effects) > MaxEffects || len(s.Stack) > MaxDepth || len(s.Order) > 2*MaxPlan*MaxCombatants ||
		len(s.Pending) > MaxEffects || len(s.Ties) > MaxCombatants {
		return refuse("too_many", "field", "state")
	}
	for _, check := range []func() *Refusal{a.combatants, a.order, a.stack, a.effects, a.pending} {
		if r := check(); r != nil {
			return r
		}
	}
	return nil
}

func (a *auditor) combatants() *Refusal {
	for _, c := range a.s.Combatants {
		if c == nil {
			return bad("combatants")
		}
		if r := a.fresh("combatants.id", c.ID); r != nil {
			return r
		}
		if !slices.Contains([]string{Up, Dying, Stable, Dead}, c.Life) {
			return bad("combatants.life")
		}
		r := firstRefusal(checkName("name", c.Name), checkText("side", c.Side, MaxName, true), checkKind(c.Kind),
			checkText("group", c.Group, MaxName, false), checkText("notes", c.Notes, MaxNotes, false), checkText("position", c.Position, MaxName, false),
			checkRange("mod", c.Mod, -MaxSmall, MaxSmall), checkRange("maxHp", c.MaxHP, 0, MaxNumber), checkRange("hp", c.HP, 0, 2*MaxNumber),
			checkRange("temp", c.Temp, 0, MaxNumber), checkRange("ac", c.AC, 0, MaxSmall), checkRange("speed", c.Speed, 0, MaxSmall),
			checkCount("init", c.Init), checkWords("answers", c.Answers), checkWords("spent", c.Spent), checkRecharge(c.Recharge),
			checkStats(a.system, c.Stats), a.sight(c), a.numbers(c))
		if r != nil {
			return r
		}
	}
	return nil
}

// sight checks from whom a combatant is hidden, and what others see of it.
func (a *auditor) sight(c *Combatant) *Refusal {
	whom := []string{"", Players, Spectators}
	if !slices.Contains(whom, c.HiddenFrom) || c.HiddenFrom != "" && !c.Hidden {
		return bad("combatants.hiddenFrom")
	}
	for _, class := range classes("") {
		if c.waitsToShow(class) && !c.hiddenFrom(class) {
			return bad("combatants.untilAct")
		}
	}
	if !slices.Contains(append(whom, both), c.UntilAct) {
		return bad("combatants.untilAct")
	}
	return firstRefusal(checkSight("state.combatants.sight.", c.Sight.of(Players)), checkSight("state.combatants.sight.", c.Sight.of(Spectators)))
}

// numbers checks what the fight has written on a combatant.
func (a *auditor) numbers(c *Combatant) *Refusal {
	if len(c.Pools) > maxStats || len(c.Marks) > maxStats || len(c.Rolls) > maxStats || len(c.Plan) > MaxPlan {
		return refuse("too_many", "field", "state.combatants")
	}
	for _, p := range c.Pools {
		if r := firstRefusal(checkText("pools", p.Name, MaxName, true), checkRange("pools", p.Left, 0, MaxNumber), checkRange("pools", p.Max, 0, MaxNumber)); r != nil {
			return r
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Marks)) {
		if r := firstRefusal(checkText("marks", key, MaxName, true), checkRange("marks", c.Marks[key], -MaxNumber, MaxNumber)); r != nil {
			return r
		}
	}
	for i := range c.Plan {
		p := &c.Plan[i]
		if r := firstRefusal(checkText("plan.kind", p.Kind, MaxName, true), checkText("plan.weapon", p.Weapon, MaxName, false),
			checkRange("plan.hasten", p.Hasten, 0, MaxSmall), checkCount("plan.count", &p.Count)); r != nil {
			return r
		}
	}
	if c.Readied != nil {
		if r := firstRefusal(checkText("readied.trigger", c.Readied.Trigger, MaxText, true), a.action(&c.Readied.Action)); r != nil {
			return r
		}
	}
	return nil
}

func (a *auditor) order() *Refusal {
	for _, slot := range a.s.Order {
		if r := a.fresh("order.id", slot.ID); r != nil {
			return r
		}
		if !slices.Contains([]string{SlotTurn, SlotLair, SlotAction, SlotMarker, SlotUpkeep}, slot.Kind) || slot.Combatant != "" && !plainID(slot.Combatant) ||
			slot.Kind != SlotMarker && a.s.Combatant(slot.Combatant) == nil || checkCount("", &slot.Count) != nil || slot.Part < 0 || slot.Part > MaxPlan {
			return bad("order")
		}
	}
	if a.s.Cursor != "" && a.s.slotIndex(a.s.Cursor) < 0 {
		return bad("cursor")
	}
	for _, tie := range a.s.Ties {
		if len(tie) < 2 || slices.ContainsFunc(tie, func(id ID) bool { return a.s.Combatant(id) == nil }) {
			return bad("ties")
		}
	}
	return nil
}

func (a *auditor) stack() *Refusal {
	if len(a.s.Stack) > 0 && !a.s.InFight() {
		return bad("stack")
	}
	for i, f := range a.s.Stack {
		if f == nil {
			return bad("stack")
		}
		if r := a.fresh("stack.id", f.ID); r != nil {
			return r
		}
		kinds := []string{FrameReaction, FrameReadied, FrameLegendary, FrameDefence}
		if i == 0 {
			kinds = []string{FrameTurn, FrameLair}
		}
		if !slices.Contains(kinds, f.Kind) || !slices.Contains([]string{StepStart, StepAct, StepEnd}, f.Step) || !plainID(f.Combatant) {
			return bad("stack")
		}
		if f.Window != nil && f.Action == nil {
			return bad("stack.window")
		}
		if w := f.Window; w != nil && (len(w.Eligible) > MaxCombatants || a.fresh("stack.window", w.ID) != nil) {
			return bad("stack.window")
		}
		for _, action := range []*Action{f.Action, f.Did} {
			if action == nil {
				continue
			}
			if r := a.action(action); r != nil {
				return r
			}
		}
		if t := f.Trigger; t != nil {
			if r := firstRefusal(checkText("trigger", t.Name, MaxName, false), checkText("trigger", t.Text, MaxText, false), checkText("trigger", t.Kind, MaxName, false)); r != nil {
				return r
			}
		}
	}
	if a.s.Clock.Frame != "" && a.s.Frame(a.s.Clock.Frame) == nil && a.s.Phase != PhaseDeclaration {
		return bad("clock")
	}
	return nil
}

func (a *auditor) action(x *Action) *Refusal {
	if len(x.Targets)+len(x.Leaves)+len(x.Provokes) > 3*MaxList || len(x.Paid) > maxStats {
		return refuse("too_many", "field", "state.action")
	}
	if roll := x.Roll; roll != nil && (roll.Total == nil && roll.Hit == nil || len(roll.Dice) > 3*maxDice*maxTerms ||
		roll.Damage < 0 || roll.Damage > MaxNumber || x.Attack == nil) {
		return bad("action.roll")
	}
	if x.Mover != "" && !plainID(x.Mover) {
		return bad("action.mover")
	}
	if x.Stage == StageHit && (x.Roll == nil || len(x.Targets) == 0) {
		return bad("action.stage")
	}
	return firstRefusal(checkText("action.kind", x.Kind, MaxName, true), checkText("action.name", x.Name, MaxName, false), checkAttack(x.Attack),
		checkRange("action.feet", x.Feet, 0, 3*MaxSmall), checkRange("action.ac", x.AC, -100, 100), checkCover(x.Roll))
}

// checkCover bounds what all who may answer can have added.
func checkCover(r *Rolled) *Refusal {
	if r == nil {
		return nil
	}
	return checkRange("action.roll.cover", r.Cover, -100*MaxCombatants, 100*MaxCombatants)
}

func (a *auditor) effects() *Refusal {
	for _, e := range a.s.Effects {
		if e == nil || a.s.Combatant(e.Target) == nil {
			return bad("effects.target")
		}
		if r := a.fresh("effects.id", e.ID); r != nil {
			return r
		}
		if !slices.Contains([]string{AtCount, AtTurnStart, AtTurnEnd, AtRoundEnd, AtNever}, e.Ends.At) || checkCount("", e.Ends.Count) != nil {
			return bad("effects.ends")
		}
		r := firstRefusal(checkText("effects.name", e.Name, MaxName, true), checkRange("effects.ac", e.AC, -100, 100),
			checkRange("effects.maxHp", e.MaxHP, -MaxNumber, MaxNumber), checkRange("effects.speed", e.Speed, -MaxSmall, MaxSmall),
			checkRange("effects.turnDamage", e.TurnDamage, 0, MaxNumber), checkText("effects.damageKind", e.DamageKind, MaxName, false),
			checkText("effects.resist", e.Resist, MaxName, false))
		if r != nil {
			return r
		}
	}
	return nil
}

func (a *auditor) pending() *Refusal {
	for _, p := range a.s.Pending {
		if p == nil || len(p.Combatants) == 0 || len(p.Combatants) > MaxCombatants ||
			slices.ContainsFunc(p.Combatants, func(id ID) bool { return a.s.Combatant(id) == nil }) || p.Frame != "" && a.s.Frame(p.Frame) == nil ||
			p.Seat != "" || len(p.Command) > 0 || len(p.Mentions) > 0 {
			return bad("pending")
		}
		if r := firstRefusal(a.fresh("pending.id", p.ID), checkText("pending.kind", p.Kind, MaxName, true), checkText("pending.ability", p.Ability, MaxName, false)); r != nil {
			return r
		}
	}
	return nil
}
