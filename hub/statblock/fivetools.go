package statblock

import (
	"strconv"
	"strings"

	"riposte/combat"
)

// fiveTools reads a monster of a bestiary of 5etools. One that is a copy of
// another, with changes, cannot be read by itself.
func (s *sheet) fiveTools(n node) {
	var name, source, copied, kind, cr, hp, ac, speed, save, init, senses, legendaries node
	wanted := map[string]*node{"name": &name, "source": &source, "_copy": &copied, "type": &kind, "cr": &cr, "hp": &hp, "ac": &ac,
		"speed": &speed, "save": &save, "initiative": &init, "senses": &senses, "legendaryActions": &legendaries}
	scores := placesFor(wanted, abilities[:], "")
	lists := places(wanted, fiveToolsLists)
	damage := places(wanted, fiveToolsDamage)
	n.take(wanted)

	s.setName(name.text(maxMarkup))
	s.source = source.text(maxNumber)
	if copied.isObject() && !hp.given() {
		s.fail("", FaultElsewhere, "what", cut(oneLine(copied.get("name").text(maxNumber)), maxEcho))
		return
	}
	if hp.isObject() {
		s.setHP(hp.get("average"))
		s.averageHP(hp.get("formula"))
		if special, ok := s.whole("hp", hp.get("special"), 0, combat.MaxNumber); ok && s.add.HP == 0 {
			s.add.HP = special
		}
	} else {
		s.setHP(hp)
	}
	armour := ac
	for one := range ac.elements(1) {
		if armour = one; one.isObject() {
			armour = one.get("ac")
		}
	}
	s.setAC(armour)
	s.scores(func(ability string) node { return *scores[ability] }, func(ability string) node { return save.get(ability) })
	rating := cr
	if cr.isObject() {
		rating = cr.get("cr")
		if cr.get("lair").given() {
			s.stat(statLair, 1)
		}
	}
	s.modFromDexterity(*scores["dex"])
	if times, ok := init.get("proficiency").whole(); ok && times > 0 && times <= 2 {
		s.add.Mod += times * proficiency(rating.text(maxNumber))
	}
	s.fact(plain(firstOf(kind.get("type").text(maxNumber), kind.text(maxNumber)), maxEcho), challengeOf(rating.text(maxNumber), rating))
	s.speedsOf(speed, "")
	s.fact(texts(senses)...)
	for _, key := range []string{"vulnerable", "resist", "immune", "conditionImmune"} {
		s.fact(marked(fiveToolsDamage[key], texts(*damage[key])))
	}
	if count, ok := s.whole(statLegendary, legendaries, 0, 20); ok && count > 0 {
		s.stat(statLegendary, count)
	}
	for _, key := range []string{"action", "bonus", "reaction", "legendary", "mythic", "trait"} {
		for one := range lists[key].elements(maxFeatures) {
			var title, entries node
			one.take(map[string]*node{"name": &title, "entries": &entries})
			s.feature(fiveToolsLists[key], title.text(maxMarkup), entriesOf(entries, 0), 0)
		}
	}
	for one := range lists["spellcasting"].elements(maxAnswers) {
		s.fiveToolsSpells(one)
	}
}

// fiveToolsLists are the lists of paragraphs, by what they are.
var fiveToolsLists = map[string]string{"action": kindAction, "bonus": kindBonus, "reaction": kindReaction, "legendary": kindLegendary,
	"mythic": kindLegendary, "trait": kindTrait, "spellcasting": kindTrait}

// fiveToolsDamage are the signs for what damage does.
var fiveToolsDamage = map[string]string{"vulnerable": "×2", "resist": "×½", "immune": "×0", "conditionImmune": "×0"}

// entriesOf is the text of a list of texts and lists of them.
func entriesOf(entries node, depth int) string {
	var parts []string
	for one := range entries.elements(maxFeatures) {
		switch {
		case one.isText():
			parts = append(parts, one.text(maxMarkup))
		case one.isObject() && depth < 4:
			var name, entry, inner, items node
			one.take(map[string]*node{"name": &name, "entry": &entry, "entries": &inner, "items": &items})
			parts = append(parts, nonEmpty(name.text(maxNumber), entry.text(maxMarkup), entriesOf(inner, depth+1), entriesOf(items, depth+1))...)
		}
	}
	text := strings.Join(parts, " ")
	return text[:min(len(text), maxMarkup)]
}

// fiveToolsSpells reads a block of spells: {name, headerEntries, will, daily,
// spells}.
func (s *sheet) fiveToolsSpells(block node) {
	var name, header, will, daily, levels node
	block.take(map[string]*node{"name": &name, "headerEntries": &header, "will": &will, "daily": &daily, "spells": &levels})
	var list []string
	list = append(list, texts(will)...)
	for one := range daily.values(maxAnswers) {
		list = append(list, texts(one)...)
	}
	for one := range levels.values(maxAnswers) {
		list = append(list, texts(one.get("spells"))...)
	}
	for _, spell := range list {
		s.answer(spell, spells...)
	}
	s.feature(kindTrait, name.text(maxMarkup), entriesOf(header, 0)+" "+strings.Join(list, ", "), 0)
}

// proficiency is the bonus of a creature of a challenge rating: 1/4, 17.
func proficiency(rating string) int {
	n, err := strconv.Atoi(rating)
	if err != nil {
		n = 0
	}
	return 2 + (min(max(n, 1), 30)-1)/4
}
