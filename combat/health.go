package combat

import "slices"

// Hurt takes hit points: resistance first, then temporary ones, then what the
// rules let go before hit points, then real ones, never below zero. What follows from it is the system's.
func (d *Draft) Hurt(id ID, hit Hit) {
	s := d.State()
	c := s.Combatant(id)
	if c == nil {
		return
	}
	amount := hit.Amount
	for _, e := range s.Effects {
		if e.Target == id && e.Resist != "" && e.Resist == hit.Kind {
			amount /= 2
			break
		}
	}
	before := c.HP
	temp := c.Temp - min(c.Temp, amount)
	rest := amount - (c.Temp - temp)
	if rest > 0 && c.MaxHP > 0 {
		rest = d.System.Soak(d, id, rest)
	}
	hp := c.HP - min(c.HP, rest)
	hit.Amount, hit.Over = amount, rest-(c.HP-hp)
	d.Emit(Damaged{Combatant: id, Source: hit.Source, Amount: amount, Kind: hit.Kind, Dice: hit.Dice, Critical: hit.Critical,
		HP: &hp, Temp: &temp, Effect: hit.Effect})
	if amount > 0 {
		d.System.Hurt(d, id, hit, before)
	}
}

// SetLife records that somebody falls, dies, is stable or gets up. Whoever is
// dead is out of the fight.
func (d *Draft) SetLife(id ID, life string, hp int) {
	d.Emit(LifeSet{Combatant: id, Life: life, HP: hp, Defeated: life == Dead})
	if life == Dead {
		d.oweNothing(id)
	}
}

// oweNothing drops what somebody out of the fight still had to decide (C-11).
func (d *Draft) oweNothing(id ID) {
	for _, p := range slices.Clone(d.State().Pending) {
		if p.Combatants[0] == id && p.Kind != PendingProposal {
			d.Emit(PendingClosed{Pending: p.ID})
		}
	}
}

// Marks changes what the system keeps count of for a combatant.
func (d *Draft) Marks(id ID, marks map[string]int) { d.Emit(MarksSet{Combatant: id, Marks: marks}) }

func (d *Draft) damage(cmd Damage) *Refusal {
	if r := firstRefusal(d.mayHurt(cmd.Combatants), checkRange("amount", cmd.Amount, 0, MaxNumber), checkText("kind", cmd.Kind, MaxName, false)); r != nil {
		return r
	}
	if cmd.Source != "" && !d.Knows(cmd.Source) {
		return refuse("unknown_combatant", "field", "source")
	}
	if r := d.optionalIDs("half", cmd.Half); r != nil {
		return r
	}
	for _, id := range cmd.Half {
		if !slices.Contains(cmd.Combatants, id) {
			return refuse("bad_value", "field", "half")
		}
	}
	if d.asks() {
		return d.propose(cmd, cmd.Combatants)
	}
	for _, id := range cmd.Combatants {
		amount := cmd.Amount
		if slices.Contains(cmd.Half, id) {
			amount /= 2
		}
		d.Hurt(id, Hit{Source: cmd.Source, Amount: amount, Kind: cmd.Kind, Critical: cmd.Critical, Melee: cmd.Melee})
	}
	return nil
}

// mayHurt checks the combatants of a command about hit points or effects: the
// GM's are all, a player's are its own, where the GM allows it.
func (d *Draft) mayHurt(ids []ID) *Refusal {
	if r := d.checkIDs("combatants", ids); r != nil || d.gm() {
		return r
	}
	for _, id := range ids {
		if _, r := d.Mine("combatants", id); r != nil {
			return r
		}
	}
	if d.Option(OptionPlayersHurt) == "no" {
		return refuse("forbidden")
	}
	return nil
}

func (d *Draft) heal(cmd Heal) *Refusal {
	if r := firstRefusal(d.mayHurt(cmd.Combatants), checkRange("amount", cmd.Amount, 1, MaxNumber)); r != nil {
		return r
	}
	for _, id := range cmd.Combatants {
		if c := d.State().Combatant(id); !c.Fights() && !d.gm() {
			return refuse("cannot_act", "reason", Dead)
		}
	}
	if d.asks() {
		return d.propose(cmd, cmd.Combatants)
	}
	for _, id := range cmd.Combatants {
		c := d.State().Combatant(id)
		hp := max(c.HP, min(c.HP+cmd.Amount, d.State().CurrentMaxHP(c)))
		down := c.Life != Up || c.Defeated
		d.Emit(Healed{Combatant: id, Amount: hp - c.HP, HP: &hp})
		if down && hp > 0 {
			d.System.Healed(d, id)
		}
	}
	return nil
}

func (d *Draft) setTempHP(cmd SetTempHP) *Refusal {
	if r := firstRefusal(d.mayHurt(cmd.Combatants), checkRange("amount", cmd.Amount, 0, MaxNumber)); r != nil {
		return r
	}
	now, other := map[ID]int{}, false
	for _, id := range cmd.Combatants {
		now[id] = d.State().Combatant(id).Temp
		seen, said := cmd.Base[id]
		other = other || said && seen != now[id]
	}
	if r := onlyOf("base", cmd.Combatants, cmd.Base); r != nil {
		return r
	}
	if other {
		return stale("amount", now)
	}
	if d.asks() {
		cmd.Base = nil // the GM's yes is given to what stands then
		return d.propose(cmd, cmd.Combatants)
	}
	for _, id := range cmd.Combatants {
		d.Emit(TempHPSet{Combatant: id, Temp: cmd.Amount})
	}
	return nil
}

// answer settles a pending decision.
func (d *Draft) answer(cmd Answer) *Refusal {
	if r := checkRange("die", cmd.Die, 0, 20); r != nil {
		return r
	}
	for _, tie := range d.openTies() {
		if known := d.tied(tie); stillTied(d.State(), known) && tieID(known) == cmd.Pending {
			if len(cmd.Order) == 0 {
				return refuse("bad_value", "field", "order")
			}
			if r := d.checkIDs("order", cmd.Order); r != nil {
				return r
			}
			return d.settleTie(cmd.Order)
		}
	}
	p := d.State().PendingByID(cmd.Pending)
	if p == nil || !d.knowsPending(p) {
		return refuse("stale_pending", "pending", cmd.Pending)
	}
	if p.Kind == PendingProposal {
		return d.answerProposal(p, cmd)
	}
	if cmd.Accept != nil {
		return refuse("bad_value", "field", "accept")
	}
	if _, r := d.Mine("pending", p.Combatants[0]); r != nil {
		return r
	}
	die := cmd.Die
	if die == 0 {
		die = d.Roll(20)
	}
	decision := *p
	switch p.Kind {
	case "save", "concentration":
		d.Emit(PendingClosed{Pending: p.ID})
		d.saveAgainst(&decision, die)
		return nil
	}
	d.Emit(PendingClosed{Pending: p.ID})
	return d.System.Resolve(d, &decision, die)
}

// knowsPending reports whether the sender may know of a decision: not of one
// about somebody unseen, nor about an effect that only the GM knows, nor of
// another player's proposal.
func (d *Draft) knowsPending(p *Pending) bool {
	if p.Kind == PendingProposal {
		return d.gm() || d.By.Role == RoleSeat && d.By.Seat == p.Seat
	}
	e := d.State().Effect(p.Effect)
	return d.knowsAll(p.Combatants) && (e == nil || !e.Hidden || d.gm())
}

// knowsAll reports whether the sender may know everybody in the list.
func (d *Draft) knowsAll(ids []ID) bool {
	return !slices.ContainsFunc(ids, func(id ID) bool { return !d.Knows(id) })
}

// saveAgainst decides a saving throw: to shake an effect off, or to keep
// concentrating.
func (d *Draft) saveAgainst(p *Pending, die int) {
	s := d.State()
	id := p.Combatants[0]
	c := s.Combatant(id)
	saved := Saved{Combatant: id, Kind: p.Kind, Die: die, Total: die + c.Stats["save."+p.Ability], DC: p.DC}
	saved.Success = saved.Total >= p.DC
	if e := s.Effect(p.Effect); e != nil {
		saved.Effect = e.Name
	}
	d.Emit(saved)
	switch {
	case p.Kind == "save" && saved.Success:
		d.EndEffects("saved", func(e *Effect) bool { return e.ID == p.Effect })
	case p.Kind == "concentration" && !saved.Success:
		d.LoseConcentration(id)
	}
}
