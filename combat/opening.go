package combat

import "slices"

// opening answers the commands that lead into a fight and out of it.
func (d *Draft) opening(command Command) *Refusal {
	switch cmd := command.(type) {
	case RollInitiative:
		return d.rollInitiative(cmd)
	case SetInitiative:
		return d.setInitiative(cmd)
	case SettleTie:
		if r := d.checkIDs("order", cmd.Order); r != nil {
			return r
		}
		return d.settleTie(cmd.Order)
	case RollOff:
		return d.rollOff(cmd)
	}
	if r := d.onlyGM(); r != nil {
		return r
	}
	s := d.State()
	switch cmd := command.(type) {
	case SetSurprised:
		if r := d.checkIDs("combatants", cmd.Combatants); r != nil {
			return r
		}
		for _, id := range cmd.Combatants {
			d.Emit(SurprisedSet{Combatant: id, Surprised: cmd.Surprised})
		}
	case StartCombat:
		return d.startCombat()
	case EndCombat:
		if !s.InFight() {
			return refuse("not_started", "phase", s.Phase)
		}
		d.Emit(CombatEnded{})
	case ResetCombat:
		d.reset(cmd.Clear)
	}
	return nil
}

func (d *Draft) startCombat() *Refusal {
	s := d.State()
	if s.InFight() {
		return refuse("already_started", "phase", s.Phase)
	}
	if !slices.ContainsFunc(s.Combatants, (*Combatant).Fights) {
		return refuse("no_combatants", "phase", s.Phase)
	}
	if s.Phase == PhaseEnded {
		d.reset(false)
	}
	d.Emit(CombatStarted{})
	d.System.Begin(d)
	d.Advance()
	return nil
}

// reset goes back to set-up, with all combatants or with the party alone; what
// effects lent to hit points goes with them. What outlasts a fight is put back.
func (d *Draft) reset(clear bool) {
	before := d.State().Combatants
	d.Emit(CombatReset{Clear: clear})
	for _, c := range before {
		if d.State().Combatant(c.ID) == nil {
			continue
		}
		pools, marks := d.System.Outlasts(c)
		if len(pools) > 0 {
			d.Emit(PoolsSet{Combatant: c.ID, Pools: pools})
		}
		if len(marks) > 0 {
			d.Marks(c.ID, marks)
		}
	}
	d.EndEffects("concentration", func(e *Effect) bool { return e.Concentration && d.State().Combatant(e.Source) == nil })
	for _, c := range slices.Clone(d.State().Combatants) {
		d.clampHP(c.ID)
	}
}

// RollMissing rolls initiative for all who have no count, or for those of them
// that who accepts.
func (d *Draft) RollMissing(who func(*Combatant) bool) {
	for _, c := range slices.Clone(d.State().Combatants) {
		if d.State().Combatant(c.ID).Init == nil && (who == nil || who(c)) {
			d.rollFor(c, 0)
		}
	}
}

// rollFor rolls one combatant's initiative, and gives its group the same.
func (d *Draft) rollFor(c *Combatant, die int) {
	sides, mod := d.System.Initiative(d.State(), c)
	count := Whole(mod)
	if sides > 0 {
		if die == 0 {
			die = d.Roll(sides)
		}
		count += Whole(die)
	} else {
		die = 0
	}
	d.Emit(InitiativeSet{Combatant: c.ID, Count: count, Die: die, Mod: mod})
	d.shareCount(c.ID, count)
}

// shareCount gives the count to all who share its place (5E-05).
func (d *Draft) shareCount(id ID, count Count) {
	s := d.State()
	group := d.System.Together(s, s.Combatant(id))
	if group == "" {
		return
	}
	for _, mate := range slices.Clone(s.Combatants) {
		if mate.ID != id && d.System.Together(s, mate) == group && (mate.Init == nil || *mate.Init != count) {
			d.Emit(InitiativeSet{Combatant: mate.ID, Count: count})
		}
	}
}

func (d *Draft) rollInitiative(cmd RollInitiative) *Refusal {
	s := d.State()
	ids := cmd.Combatants
	if len(ids) == 0 {
		if !d.gm() {
			return refuse("bad_value", "field", "combatants")
		}
		for _, c := range s.Combatants {
			if c.Kind == "npc" && c.Init == nil {
				ids = append(ids, c.ID)
			}
		}
		if len(ids) == 0 {
			return refuse("no_combatants", "phase", s.Phase)
		}
	}
	if r := d.checkIDs("combatants", ids); r != nil {
		return r
	}
	if cmd.Die != 0 && len(ids) != 1 {
		return refuse("bad_value", "field", "die")
	}
	for _, id := range ids {
		c, r := d.Mine("combatants", id)
		if r != nil {
			return r
		}
		if !d.gm() && c.Init != nil {
			return refuse("forbidden")
		}
		if sides, _ := d.System.Initiative(s, c); cmd.Die != 0 {
			if r := checkRange("die", cmd.Die, 1, sides); r != nil {
				return r
			}
		}
	}
	var rolled []ID
	for _, id := range ids {
		c := d.State().Combatant(id)
		if mate := d.mate(c); mate != nil && slices.Contains(rolled, mate.ID) {
			rolled = append(rolled, id)
			continue // its group has rolled in this command
		}
		d.rollFor(c, cmd.Die)
		rolled = append(rolled, id)
		for _, mate := range d.unitOf(id) {
			d.placeCount(mate)
		}
	}
	return nil
}

func (d *Draft) setInitiative(cmd SetInitiative) *Refusal {
	if r := firstRefusal(d.optionalIDs("also", cmd.Also), checkCount("count", &cmd.Count)); r != nil {
		return r
	}
	if slices.Contains(cmd.Also, cmd.Combatant) {
		return refuse("bad_value", "field", "also")
	}
	ids := append([]ID{cmd.Combatant}, cmd.Also...)
	if r := onlyOf("bases", ids, cmd.Bases); r != nil {
		return r
	}
	now, other := map[ID]Count{}, false
	for i, id := range ids {
		field := "combatant"
		if i > 0 {
			field = "also"
		}
		c, r := d.Mine(field, id)
		if r != nil {
			return r
		}
		if !d.gm() && c.Init != nil {
			return refuse("forbidden")
		}
		seen, had := cmd.Bases[id]
		is := c.Init != nil
		if is {
			now[id] = *c.Init
		}
		other = other || cmd.First && is || cmd.Base != nil && (!is || *c.Init != *cmd.Base) ||
			cmd.Bases != nil && (had != is || is && *c.Init != seen)
	}
	switch {
	case !other:
	case len(cmd.Also) > 0:
		return stale("count", now)
	case len(now) == 0:
		return refuse("stale_edit", "field", "count")
	default:
		return stale("count", now[cmd.Combatant])
	}
	for _, id := range ids {
		d.Emit(InitiativeSet{Combatant: id, Count: cmd.Count})
	}
	if !d.State().InFight() {
		for _, id := range ids {
			d.shareCount(id, cmd.Count)
		}
	}
	for _, id := range ids {
		d.placeCount(id)
	}
	return nil
}

// unitOf lists a combatant and all who share its place.
func (d *Draft) unitOf(id ID) []ID {
	s := d.State()
	ids := []ID{id}
	if group := d.System.Together(s, s.Combatant(id)); group != "" {
		for _, mate := range s.Combatants {
			if mate.ID != id && d.System.Together(s, mate) == group {
				ids = append(ids, mate.ID)
			}
		}
	}
	return ids
}

// placeCount brings a count that came in mid-fight into the order.
func (d *Draft) placeCount(id ID) {
	s := d.State()
	switch slot := s.SlotOf(id); {
	case !s.InFight(), s.Phase == PhaseDeclaration: // the order is not made yet
	case slot == nil:
		d.join([]ID{id}, s.Round)
	case slot.Count != *s.Combatant(id).Init:
		d.recount(id)
	}
}

func (d *Draft) rollOff(cmd RollOff) *Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if r := checkRange("die", cmd.Die, 0, 20); r != nil {
		return r
	}
	tie := d.tieOf(c.ID)
	known := d.tied(tie)
	if !stillTied(d.State(), known) || !d.mayRollOff(c, known) {
		return refuse("stale_pending", "field", "combatant")
	}
	die := cmd.Die
	if die == 0 {
		die = d.Roll(20)
	}
	d.Emit(RolledOff{Combatant: c.ID, Die: die, With: without(tie, c.ID)})
	if d.State().InFight() && !stillTied(d.State(), tie) {
		d.reTie(tie)
	}
	return nil
}

// mayRollOff reports whether it is somebody's turn to roll in a tie: nobody
// gets ahead of those it is level with.
func (d *Draft) mayRollOff(c *Combatant, tie []ID) bool {
	s := d.State()
	level := false
	for _, id := range tie {
		other := s.Combatant(id)
		if id == c.ID || CompareSettled(c, other) != 0 {
			continue
		}
		if len(other.Rolls) < len(c.Rolls) {
			return false
		}
		level = true
	}
	return level
}

// tieID names an undecided tie without telling anything but who is in it.
func tieID(tie []ID) ID { return "p" + tie[0] }
