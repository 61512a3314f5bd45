package statblock

import (
	"maps"
	"slices"
	"strings"
)

// longNames are the abilities as Open5e and the 5e SRD API write them, in the
// order of abilities.
var longNames = [6]string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}

// longName is the whole name of an ability.
func longName(ability string) string {
	for i, short := range abilities {
		if short == ability {
			return longNames[i]
		}
	}
	return ability
}

// open5eV1 reads a monster of the first version of the Open5e API.
func (s *sheet) open5eV1(n node) {
	var name, size, kind, alignment, hp, hitDice, ac, acText, speed, senses, cr, document, legendary, description node
	wanted := map[string]*node{"name": &name, "size": &size, "type": &kind, "alignment": &alignment, "hit_points": &hp, "hit_dice": &hitDice,
		"armor_class": &ac, "armor_desc": &acText, "speed": &speed, "senses": &senses, "challenge_rating": &cr,
		"document__title": &document, "legendary_desc": &legendary, "desc": &description}
	scores, saves := placesFor(wanted, longNames[:], ""), placesFor(wanted, longNames[:], "_save")
	lists := places(wanted, open5eLists)
	damage := places(wanted, open5eDamage)
	n.take(wanted)

	s.setName(name.text(maxMarkup))
	s.source = document.text(maxNumber)
	s.setHP(hp)
	s.averageHP(hitDice)
	s.setAC(ac)
	s.scores(func(ability string) node { return *scores[longName(ability)] }, func(ability string) node { return *saves[longName(ability)] })
	s.modFromDexterity(*scores["dexterity"])
	s.fact(plain(size.text(maxNumber), maxEcho), plain(kind.text(maxNumber), maxEcho), plain(alignment.text(maxNumber), maxEcho), challengeOf(cr.text(maxNumber), cr))
	s.speedsOf(speed, "")
	s.fact(plain(acText.text(maxMarkup), maxEcho*2), plain(senses.text(maxMarkup), maxEcho*3))
	for _, key := range []string{"damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities"} {
		if text := plain(damage[key].text(maxMarkup), maxEcho*3); text != "" {
			s.fact(open5eDamage[key] + " " + text)
		}
	}
	if count := legendaryCount(plain(legendary.text(maxMarkup), maxFeatureText)); count > 0 {
		s.stat(statLegendary, count)
	}
	for _, key := range []string{"actions", "bonus_actions", "reactions", "legendary_actions", "special_abilities"} {
		s.paragraphsOf(open5eLists[key], *lists[key])
	}
	if len(s.features) == 0 {
		s.fact(plain(description.text(maxMarkup), 300))
	}
}

// open5eLists are the lists of paragraphs, by what they are.
var open5eLists = map[string]string{"actions": kindAction, "bonus_actions": kindBonus, "reactions": kindReaction,
	"legendary_actions": kindLegendary, "special_abilities": kindTrait}

// open5eDamage are the signs for what damage does.
var open5eDamage = map[string]string{"damage_vulnerabilities": "×2", "damage_resistances": "×½", "damage_immunities": "×0", "condition_immunities": "×0"}

// places adds a place for each key of a list to what is wanted, and returns
// them.
func places(wanted map[string]*node, keys map[string]string) map[string]*node {
	return placesFor(wanted, slices.Collect(maps.Keys(keys)), "")
}

// placesFor is places for names, which end in a suffix in the file.
func placesFor(wanted map[string]*node, names []string, suffix string) map[string]*node {
	found := map[string]*node{}
	for _, name := range names {
		found[name] = &node{}
		wanted[name+suffix] = found[name]
	}
	return found
}

// paragraphsOf reads a list of {name, desc}, as both APIs write it.
func (s *sheet) paragraphsOf(kind string, list node) {
	for one := range list.elements(maxFeatures) {
		var name, text, usage node
		one.take(map[string]*node{"name": &name, "desc": &text, "usage": &usage})
		face := 0
		if strings.Contains(usage.get("type").text(maxNumber), "recharge on roll") {
			face, _ = usage.get("min_value").whole()
		}
		s.feature(kind, name.text(maxMarkup), text.text(maxMarkup), face)
	}
}

// modFromDexterity is the initiative of creatures that have no other.
func (s *sheet) modFromDexterity(score node) {
	if dexterity, ok := score.whole(); ok && dexterity >= 0 && dexterity <= 100 {
		s.add.Mod = modifier(dexterity)
	}
}

// speedsOf reads an object of ways to move, such as {walk: 30, fly: "60 ft."}.
func (s *sheet) speedsOf(speed node, unit string) {
	var list []string
	for way, value := range speed.members(maxAnswers) {
		if value.isObject() { // 5etools: {number, condition}
			value = value.get("number")
		}
		text := echo(value)
		if !value.isNumber() && !value.isText() || way == "unit" || text == "0" || text == "0.0" {
			continue
		}
		if way != "walk" {
			text = cut(oneLine(way), 20) + " " + text
		}
		list = append(list, text+unit)
	}
	if len(list) > 0 {
		s.setSpeeds(list)
	} else if speed.isNumber() || speed.isText() {
		s.setSpeed(speed)
	}
}

// open5eV2 reads a creature of the second version of the Open5e API.
func (s *sheet) open5eV2(n node) {
	var name, size, kind, alignment, hp, hitDice, ac, acText, init, speed, scores, saves, cr, document, traits, actions, resistances node
	n.take(map[string]*node{"name": &name, "size": &size, "type": &kind, "alignment": &alignment, "hit_points": &hp, "hit_dice": &hitDice,
		"armor_class": &ac, "armor_detail": &acText, "initiative_bonus": &init, "speed": &speed, "ability_scores": &scores,
		"saving_throws_all": &saves, "challenge_rating_text": &cr, "document": &document, "traits": &traits, "actions": &actions,
		"resistances_and_immunities": &resistances})
	s.setName(name.text(maxMarkup))
	s.source = firstOf(document.get("display_name").text(maxNumber), document.get("name").text(maxNumber))
	s.setHP(hp)
	s.averageHP(hitDice)
	s.setAC(ac)
	s.scores(func(ability string) node { return scores.get(longName(ability)) }, func(ability string) node { return saves.get(longName(ability)) })
	if !s.setMod(init) {
		s.modFromDexterity(scores.get("dexterity"))
	}
	s.fact(plain(size.get("name").text(maxNumber), maxEcho), plain(kind.get("name").text(maxNumber), maxEcho),
		plain(alignment.text(maxNumber), maxEcho), challengeOf(cr.text(maxNumber), n.get("challenge_rating")))
	unit := ""
	if word := speed.get("unit").text(maxNumber); strings.HasPrefix(word, "m") && !strings.HasPrefix(word, "mi") {
		unit = " m"
	}
	s.speedsOf(speed, unit)
	s.fact(plain(acText.text(maxMarkup), maxEcho*2))
	for _, key := range []string{"damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities"} {
		if text := plain(resistances.get(key+"_display").text(maxMarkup), maxEcho*3); text != "" {
			s.fact(open5eDamage[key] + " " + text)
		}
	}
	for one := range actions.elements(maxFeatures) {
		var title, text, what, limits node
		one.take(map[string]*node{"name": &title, "desc": &text, "action_type": &what, "usage_limits": &limits})
		face := 0
		if strings.HasPrefix(limits.get("type").text(maxNumber), "RECHARGE_ON") {
			face, _ = limits.get("param").whole()
		}
		s.feature(firstOf(actionTypes[what.text(maxNumber)], kindAction), title.text(maxMarkup), text.text(maxMarkup), face)
	}
	s.paragraphsOf(kindTrait, traits)
}

// actionTypes are the kinds of action of the second version.
var actionTypes = map[string]string{"ACTION": kindAction, "BONUS_ACTION": kindBonus, "REACTION": kindReaction,
	"LEGENDARY_ACTION": kindLegendary, "MYTHIC_ACTION": kindLegendary, "LAIR_ACTION": kindLair}
