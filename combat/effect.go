package combat

import "slices"

// EndEffects ends the effects that match, in the order in which they began; why
// is what the log says.
func (d *Draft) EndEffects(why string, match func(*Effect) bool) {
	for _, e := range slices.Clone(d.State().Effects) {
		if !match(e) || d.State().Effect(e.ID) == nil {
			continue
		}
		gone := *e
		d.Emit(EffectEnded{Effect: e.ID, Name: e.Name, Target: e.Target, Why: why, Hidden: e.Hidden})
		d.clampHP(gone.Target)
		for _, p := range slices.Clone(d.State().Pending) {
			if p.Effect == gone.ID {
				d.Emit(PendingClosed{Pending: p.ID})
			}
		}
		if d.State().Combatant(gone.Target) != nil {
			d.System.EffectChanged(d, &gone, false)
		}
	}
}

// clampHP lowers hit points to a maximum that has fallen below them.
func (d *Draft) clampHP(id ID) {
	s := d.State()
	if c := s.Combatant(id); c != nil && c.MaxHP > 0 && c.HP > s.CurrentMaxHP(c) {
		d.Emit(HPSet{Combatant: id, HP: s.CurrentMaxHP(c)})
	}
}

// LoseConcentration ends everything that a combatant keeps up by concentrating.
func (d *Draft) LoseConcentration(id ID) {
	d.EndEffects("concentration", func(e *Effect) bool { return e.Concentration && e.Source == id })
	for _, p := range slices.Clone(d.State().Pending) {
		if p.Kind == "concentration" && p.Combatants[0] == id {
			d.Emit(PendingClosed{Pending: p.ID})
		}
	}
}

// Concentrates reports whether a combatant keeps something up.
func (s *State) Concentrates(id ID) bool {
	return slices.ContainsFunc(s.Effects, func(e *Effect) bool { return e.Concentration && e.Source == id })
}

// AddEffect puts an effect on its target, with its id drawn here; over the
// bound it does nothing.
func (d *Draft) AddEffect(e Effect) {
	if len(d.State().Effects) >= MaxEffects {
		return
	}
	e.ID = d.NewID("e")
	d.Emit(EffectAdded{Effect: e})
	d.clampHP(e.Target)
	d.System.EffectChanged(d, &e, true)
}

func (d *Draft) addEffect(cmd AddEffect) *Refusal {
	if r := firstRefusal(d.mayHurt(cmd.Combatants), checkName("name", cmd.Name),
		checkRange("ac", cmd.AC, -100, 100), checkRange("maxHp", cmd.MaxHP, -MaxNumber, MaxNumber),
		checkRange("speed", cmd.Speed, -MaxSmall, MaxSmall), checkRange("turnDamage", cmd.TurnDamage, 0, MaxNumber),
		checkText("damageKind", cmd.DamageKind, MaxName, false), checkText("resist", cmd.Resist, MaxName, false)); r != nil {
		return r
	}
	if cmd.Source != "" && !d.Knows(cmd.Source) {
		return refuse("unknown_combatant", "field", "source")
	}
	if cmd.Hidden && !d.gm() {
		return refuse("forbidden")
	}
	if cmd.Concentration {
		if cmd.Source == "" {
			return refuse("bad_value", "field", "source")
		}
		if _, r := d.Mine("source", cmd.Source); r != nil {
			return r
		}
	}
	if cmd.Save != nil {
		if r := firstRefusal(checkText("save.ability", cmd.Save.Ability, MaxName, true), checkRange("save.dc", cmd.Save.DC, 1, 100)); r != nil {
			return r
		}
	}
	if r := d.checkUntil(cmd.Until); r != nil {
		return r
	}
	s := d.State()
	if len(s.Effects)+len(cmd.Combatants) > MaxEffects {
		return refuse("too_many", "field", "effects", "limit", MaxEffects)
	}
	if d.asks() {
		return d.propose(cmd, cmd.Combatants)
	}
	if cmd.Concentration {
		d.LoseConcentration(cmd.Source)
	}
	for _, id := range cmd.Combatants {
		d.AddEffect(Effect{Name: cmd.Name, Target: id, Source: cmd.Source, Ends: d.System.Anchor(d.State(), cmd.Until, cmd.Source, id),
			AC: cmd.AC, MaxHP: cmd.MaxHP, Speed: cmd.Speed, TurnDamage: cmd.TurnDamage, DamageKind: cmd.DamageKind, Resist: cmd.Resist,
			Save: cmd.Save, Concentration: cmd.Concentration, Hidden: cmd.Hidden})
	}
	return nil
}

// checkUntil refuses an end that is no place.
func (d *Draft) checkUntil(u *Until) *Refusal {
	if u == nil {
		return nil
	}
	switch u.At {
	case "", AtNever, AtTurnStart, AtTurnEnd, AtRoundEnd, "rounds":
	default:
		return refuse("bad_value", "field", "until.at")
	}
	if u.Of != "" && !d.Knows(u.Of) {
		return refuse("unknown_combatant", "field", "until.of")
	}
	return checkRange("until.rounds", u.Rounds, 0, 1000)
}

func (d *Draft) removeEffect(cmd RemoveEffect) *Refusal {
	if len(cmd.Effects) == 0 || len(cmd.Effects) > MaxList {
		return refuse("bad_value", "field", "effects")
	}
	var targets []ID
	for _, id := range cmd.Effects {
		e := d.State().Effect(id)
		if e == nil || !d.Knows(e.Target) || e.Hidden && !d.gm() {
			return refuse("bad_value", "field", "effects")
		}
		if r := d.mayHurt([]ID{e.Target}); r != nil {
			return r
		}
		if !slices.Contains(targets, e.Target) {
			targets = append(targets, e.Target)
		}
	}
	if d.asks() {
		return d.propose(cmd, targets)
	}
	d.EndEffects("removed", func(e *Effect) bool { return slices.Contains(cmd.Effects, e.ID) })
	return nil
}

// TurnAnchor turns "until the start of B's next turn" into a place: the turn
// of a creature in a round. "Next" said in its own turn is next round's; said
// outside it is the coming one (5E-20). "N rounds" is the start of the source's
// turn N rounds later. Before the fight, rounds count from the first.
func TurnAnchor(s *State, until *Until, source, target ID) Anchor {
	if until == nil || until.At == "" || until.At == AtNever {
		return Anchor{At: AtNever}
	}
	of := until.Of
	if of == "" {
		if of = source; of == "" {
			of = target
		}
	}
	round := s.Round
	if !s.InFight() {
		round = 1
	}
	switch until.At {
	case AtRoundEnd:
		return Anchor{At: AtRoundEnd, Round: round + max(until.Rounds, 1) - 1}
	case "rounds":
		return Anchor{At: AtTurnStart, Of: of, Round: round + max(until.Rounds, 1)}
	}
	turns := max(until.Rounds, 1)
	if s.turnPassed(of) {
		round++
	}
	return Anchor{At: until.At, Of: of, Round: round + turns - 1}
}

// turnPassed reports whether a combatant's turn of this round has begun or is
// behind the cursor.
func (s *State) turnPassed(id ID) bool {
	if !s.InFight() {
		return false
	}
	slot := s.SlotOf(id)
	if slot == nil {
		// Gone, or not in the order: its marker, if any, decides.
		return true
	}
	return slot.Done || s.slotIndex(slot.ID) <= s.slotIndex(s.Cursor) && s.Cursor != ""
}
