package statblock

import (
	"slices"

	"riposte/combat"
)

// own reads an entry of our own list, field by field: it may have been written
// by hand.
func (r *reader) own(n node) {
	if s := r.begin(n.path); s != nil {
		s.own(n)
		r.end(s)
	}
}

// own reads what AddCombatant has, but for the seat: seats belong to one table.
func (s *sheet) own(n node) {
	if !n.isObject() {
		s.fail("", FaultNoCreature)
		return
	}
	var name, side, kind, group, mod, init, hp, current, temp, ac, speed, hidden, notes, answers, recharge, stats, times node
	n.take(map[string]*node{"name": &name, "side": &side, "kind": &kind, "group": &group, "mod": &mod, "init": &init, "hp": &hp,
		"current": &current, "temp": &temp, "ac": &ac, "speed": &speed, "hidden": &hidden, "notes": &notes, "answers": &answers,
		"recharge": &recharge, "stats": &stats, "times": &times})
	s.setName(name.text(maxMarkup))
	s.setHP(hp)
	s.setCurrent(current)
	s.plainFields(side, group, mod, init, temp, ac, speed, notes, answers, recharge, stats)
	if kind.isText() {
		s.setKind(kind.text(maxNumber), echo(kind))
	}
	s.setTimes(times)
	s.add.Hidden = hidden.isTrue()
}

// plainFields reads what our list and our export of an encounter have in
// common.
func (s *sheet) plainFields(side, group, mod, init, temp, ac, speed, notes, answers, recharge, stats node) {
	s.add.Side = cut(oneLine(side.text(maxMarkup)), combat.MaxName)
	s.add.Group = cut(oneLine(group.text(maxMarkup)), combat.MaxName)
	s.setMod(mod)
	s.setInit(init)
	s.setTemp(temp)
	s.setAC(ac)
	s.setSpeed(speed)
	s.remarks = kept(notes.text(4*maxMarkup), combat.MaxNotes)
	for answer := range answers.elements(maxAnswers) {
		if kind := cut(oneLine(answer.text(maxNumber)), combat.MaxName); kind != "" && !slices.Contains(s.add.Answers, kind) {
			s.add.Answers = append(s.add.Answers, kind)
		}
	}
	for ability, face := range recharge.members(maxAnswers) {
		if value, ok := s.whole("recharge", face, 1, 6); ok && oneLine(ability) != "" {
			if s.add.Recharge == nil {
				s.add.Recharge = map[string]int{}
			}
			s.add.Recharge[cut(oneLine(ability), combat.MaxName)] = value
		}
	}
	for key, value := range stats.members(maxStats) {
		s.statOf(key, value)
	}
}

// kinds are the words for player characters and others.
var kinds = map[string]string{"pc": "pc", "pj": "pc", "player": "pc", "joueur": "pc", "joueuse": "pc", "npc": "npc", "pnj": "npc", "monster": "npc", "monstre": "npc", "hazard": "npc", "danger": "npc"}

// setKind reads the word for what somebody is.
func (s *sheet) setKind(word, shown string) {
	if word == "" {
		return
	}
	kind, known := kinds[fold(word)]
	if !known {
		s.warn("kind", WarnLeftOut, "value", shown)
		return
	}
	s.add.Kind = kind
}

// setTimes reads how many there are; a number that cannot be read is a fault.
func (s *sheet) setTimes(n node) {
	if !n.given() || n.isText() && oneLine(n.text(maxNumber)) == "" {
		return
	}
	value, ok := n.whole()
	if !ok || value < 1 || value > 50 {
		s.fail(n.path, FaultBadValue, "field", "times", "value", echo(n))
		return
	}
	s.add.Times = value
}

// encounter reads the combatants of an encounter that was exported. What was
// going on in its fight is not taken along.
func (r *reader) encounter(state node) {
	var combatants, effects node
	state.take(map[string]*node{"combatants": &combatants, "effects": &effects})
	under := map[string][]string{} // names of effects by target
	for effect := range effects.elements(combat.MaxEffects) {
		var name, target node
		effect.take(map[string]*node{"name": &name, "target": &target})
		if id := target.text(maxNumber); len(under[id]) < maxAnswers {
			under[id] = append(under[id], cut(oneLine(name.text(maxNumber)), maxEcho))
		}
	}
	r.each(combatants, func(n node) {
		s := r.begin(n.path)
		if s == nil {
			return
		}
		var id, name, side, kind, group, mod, init, hp, most, temp, ac, speed, hidden, notes, answers, recharge, stats node
		n.take(map[string]*node{"id": &id, "name": &name, "side": &side, "kind": &kind, "group": &group, "mod": &mod, "init": &init, "hp": &hp,
			"maxHp": &most, "temp": &temp, "ac": &ac, "speed": &speed, "hidden": &hidden, "notes": &notes, "answers": &answers,
			"recharge": &recharge, "stats": &stats})
		s.setName(name.text(maxMarkup))
		s.setHP(most)
		s.setCurrent(hp)
		s.plainFields(side, group, mod, init, temp, ac, speed, notes, answers, recharge, stats)
		s.setKind(kind.text(maxNumber), echo(kind))
		s.add.Hidden = hidden.isTrue()
		s.drop(under[id.text(maxNumber)])
		r.end(s)
	})
}
