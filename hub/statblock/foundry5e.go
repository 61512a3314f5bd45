package statblock

// foundry5e reads an actor of D&D 5e.
func (s *sheet) foundry5e(n node) {
	a, ok := s.foundry(n, "dnd5e")
	if !ok {
		return
	}
	var scores node
	a.system.take(map[string]*node{"abilities": &scores})
	score := func(ability string) node { return scores.get(ability, "value") }
	s.scores(score, func(string) node { return node{} })
	dexterity, known := score("dex").whole()

	var ac, init, movement, speed node
	a.attributes.take(map[string]*node{"ac": &ac, "init": &init, "movement": &movement, "speed": &speed})
	items := foundryItems(a.items)
	var flat, value node
	ac.take(map[string]*node{"flat": &flat, "value": &value})
	s.setAC(flat)
	if s.add.AC == 0 {
		s.setAC(value)
	}
	if s.add.AC == 0 && known {
		s.add.AC = armourClass(items, modifier(dexterity))
		s.warn("ac", WarnComputed, "value", s.add.AC)
	}

	var ability, bonus, older node
	init.take(map[string]*node{"ability": &ability, "bonus": &bonus, "value": &older})
	if !bonus.given() {
		bonus = older
	}
	s.setMod(bonus)
	if which := ability.text(maxNumber); which != "" {
		dexterity, known = score(which).whole()
	}
	if known && dexterity >= 0 && dexterity <= 100 {
		s.add.Mod += modifier(dexterity)
	}

	if count, ok := a.resources.get("legact", "max").whole(); ok && count > 0 {
		s.stat(statLegendary, count)
	}
	if a.resources.get("lair", "value").isTrue() {
		s.stat(statLair, 1)
	}
	var cr, kind, alignment node
	a.details.take(map[string]*node{"cr": &cr, "type": &kind, "alignment": &alignment})
	s.fact(oneLine(firstOf(kind.get("value").text(maxNumber), kind.text(maxNumber))), oneLine(alignment.text(maxNumber)), challengeOf(cr.text(maxNumber), cr))
	s.foundrySpeed(movement)
	if s.add.Speed == nil {
		s.setSpeed(speed.get("value"))
	}
	for _, trait := range []struct{ sign, key string }{{"×2", "dv"}, {"×½", "dr"}, {"×0", "di"}, {"×0", "ci"}} {
		s.fact(marked(trait.sign, texts(a.traits.get(trait.key, "value"))))
	}
	s.foundryFeatures(items, a.character)
}

// armourClass works out what characters wear: the best armour with as much of
// the Dexterity modifier as it lets, and shields.
func armourClass(items []item, dexterity int) int {
	best, shields := 10+dexterity, 0
	for _, one := range items {
		var armour, equipped, kind node
		one.system.take(map[string]*node{"armor": &armour, "equipped": &equipped, "type": &kind})
		value, ok := armour.get("value").whole()
		if one.kind != "equipment" || !equipped.isTrue() || !ok || value < 0 || value > 50 {
			continue
		}
		switch firstOf(kind.get("value").text(maxNumber), armour.get("type").text(maxNumber)) {
		case "shield":
			shields = max(shields, value)
		case "light":
			best = max(best, value+dexterity)
		case "medium":
			best = max(best, value+min(dexterity, 2))
		case "heavy":
			best = max(best, value)
		}
	}
	return max(best+shields, 0)
}

// foundrySpeed reads how fast somebody moves, walking if it can.
func (s *sheet) foundrySpeed(movement node) {
	units := movement.get("units").text(maxNumber)
	var list []string
	for _, way := range []string{"walk", "fly", "swim", "climb", "burrow"} {
		value := movement.get(way)
		if number := echo(value); value.given() && number != "" && number != "0" {
			if way != "walk" {
				number = way + " " + number
			}
			list = append(list, number+" "+units)
		}
	}
	if len(list) > 0 {
		s.setSpeeds(list)
	}
}
