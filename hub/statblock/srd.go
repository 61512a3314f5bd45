package statblock

import (
	"strings"
)

// srd reads a monster of the 5e SRD API of 5e-bits.
func (s *sheet) srd(n node) {
	var name, size, kind, alignment, hp, roll, hitDice, ac, speed, proficiencies, senses, cr, description node
	wanted := map[string]*node{"name": &name, "size": &size, "type": &kind, "alignment": &alignment, "hit_points": &hp, "hit_points_roll": &roll,
		"hit_dice": &hitDice, "armor_class": &ac, "speed": &speed, "proficiencies": &proficiencies, "senses": &senses,
		"challenge_rating": &cr, "desc": &description}
	scores := placesFor(wanted, longNames[:], "")
	lists := places(wanted, open5eLists)
	damage := places(wanted, open5eDamage)
	n.take(wanted)

	s.setName(name.text(maxMarkup))
	s.setHP(hp)
	s.averageHP(roll)
	s.averageHP(hitDice)
	armour := ac
	for one := range ac.elements(1) {
		armour = one.get("value")
	}
	s.setAC(armour)
	saves := map[string]node{}
	for one := range proficiencies.elements(maxFeatures) {
		if ability, is := strings.CutPrefix(one.get("proficiency", "index").text(maxNumber), "saving-throw-"); is {
			saves[ability] = one.get("value")
		}
	}
	s.scores(func(ability string) node { return *scores[longName(ability)] }, func(ability string) node { return saves[ability] })
	s.modFromDexterity(*scores["dexterity"])
	s.fact(plain(size.text(maxNumber), maxEcho), plain(kind.text(maxNumber), maxEcho), plain(alignment.text(maxNumber), maxEcho), challengeOf("", cr))
	s.speedsOf(speed, "")
	var sensed []string
	for sense, value := range senses.members(maxAnswers) {
		sensed = append(sensed, cut(strings.ReplaceAll(oneLine(sense), "_", " "), 20)+" "+echo(value))
	}
	s.fact(sensed...)
	for _, key := range []string{"damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities"} {
		s.fact(marked(open5eDamage[key], namesOf(*damage[key])))
	}
	for _, key := range []string{"actions", "bonus_actions", "reactions", "legendary_actions", "special_abilities"} {
		s.paragraphsOf(open5eLists[key], *lists[key])
	}
	if len(s.features) == 0 {
		s.fact(plain(description.text(maxMarkup), 300))
	}
}

// namesOf are the texts of an array, or the names of its objects.
func namesOf(n node) []string {
	list := texts(n)
	for one := range n.elements(maxFeatures) {
		if name := plain(one.get("name").text(maxNumber), maxEcho); name != "" {
			list = append(list, name)
		}
	}
	return list
}
