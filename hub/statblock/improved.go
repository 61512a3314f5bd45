package statblock

import (
	"slices"
	"strconv"
	"strings"

	"riposte/combat"
)

// Sections of an export of Improved Initiative that hold creatures. Old ones
// have a prefix, and a JSON text in place of each object.
const (
	improvedPrefix = "ImprovedInitiative."
	running        = "AutoSavedEncounters"
)

// improvedSections stand in the order to read them: the table's characters
// first, then what is being fought, then the libraries.
var improvedSections = []string{"PersistentCharacters", "PlayerCharacters", running, "SavedEncounters", "Creatures"}

// section splits the quoted key of an entry: Creatures.3a4hbiq0. Keys without an
// id behind them hold lists of ids.
func section(quoted []byte) (key, name string, entry bool) {
	key = strings.Trim(string(quoted[:min(len(quoted), maxPath)]), `"`)
	name, id, entry := strings.Cut(strings.TrimPrefix(key, improvedPrefix), ".")
	return key, name, entry && id != "" && slices.Contains(improvedSections, name)
}

// isImprovedExport reports whether a file is one, of either shape.
func isImprovedExport(root node) (is bool) {
	root.children(func(quoted, _ []byte) bool {
		key, _, entry := section(quoted)
		is = entry || strings.HasPrefix(key, improvedPrefix)
		return !is
	})
	return is
}

// improvedExport reads a whole export.
func (r *reader) improvedExport(root node) {
	for _, want := range improvedSections {
		root.children(func(quoted, value []byte) bool {
			key, name, entry := section(quoted)
			if !entry || name != want {
				return !r.full
			}
			n := node{raw: value, path: join("", key)}.embedded()
			if !n.isObject() {
				r.fault(FileFault{Where: join("", key), Code: FaultNoCreature})
				return true
			}
			switch name {
			case "SavedEncounters", running:
				r.improvedEncounter(n)
			default:
				if s := r.begin(n.path); s != nil {
					s.improved(n)
					if name == "PlayerCharacters" || name == "PersistentCharacters" && s.add.Kind == "" {
						s.player()
					}
					r.end(s)
				}
			}
			return !r.full
		})
	}
}

// improvedEncounter reads the combatants of an encounter. Those of one name are
// told apart by the number that they have there.
func (r *reader) improvedEncounter(n node) {
	var name, active, round, combatants node
	n.take(map[string]*node{"Name": &name, "ActiveCombatantId": &active, "RoundCounter": &round, "Combatants": &combatants})
	source := name.text(maxNumber)
	if source == "DEFAULT_SAVED_ENCOUNTER" {
		source = ""
	}
	rounds, _ := round.whole()
	going := active.isText() || rounds > 0
	var sheets []*sheet
	namesakes := map[string]int{}
	r.each(combatants, func(one node) {
		s := r.begin(one.path)
		if s == nil {
			return
		}
		s.improved(one)
		s.source = firstOf(source, s.source)
		if s.add.Init != nil && *s.add.Init == 0 && !going {
			s.add.Init = nil // nobody has rolled yet
		}
		namesakes[s.add.Name]++
		sheets = append(sheets, s)
	})
	for _, s := range sheets {
		if s.number > 0 && namesakes[s.add.Name] > 1 {
			s.add.Name = cut(s.add.Name, combat.MaxName-8) + " " + strconv.Itoa(s.number)
		}
		r.end(s)
	}
}

// improved reads a stat block, a character that is kept, or a combatant: the
// last two have the stat block inside.
func (s *sheet) improved(n node) {
	var block, persistent, current, temp, init, alias, index, hidden, tags, notes, currentNotes, most node
	n.take(map[string]*node{"StatBlock": &block, "PersistentCharacterId": &persistent, "CurrentHP": &current, "TemporaryHP": &temp,
		"Initiative": &init, "Alias": &alias, "IndexLabel": &index, "Hidden": &hidden, "Tags": &tags, "Notes": &notes,
		"CurrentNotes": &currentNotes, "MaxHP": &most})
	if !block.isObject() {
		block = n
	}
	s.improvedBlock(block, n)
	if name := oneLine(alias.text(maxMarkup)); name != "" {
		s.setName(name)
	} else if number, ok := index.whole(); ok {
		s.number = number
	}
	if s.add.HP == 0 {
		s.setHP(most)
	}
	s.setCurrent(current)
	s.setTemp(temp)
	s.setInit(init)
	s.add.Hidden = hidden.isTrue()
	if persistent.isText() && s.add.Kind == "" {
		s.player()
	}
	s.remarks = paragraphs(firstOf(currentNotes.text(maxMarkup), notes.text(maxMarkup)), maxFeatureText)
	var names []string
	for tag := range tags.elements(maxAnswers) {
		text := tag
		if tag.isObject() {
			text = tag.get("Text")
		}
		names = append(names, cut(oneLine(text.text(maxNumber)), maxEcho))
	}
	s.drop(names)
}

// improvedBlock reads the stat block; outer is what it stands in.
func (s *sheet) improvedBlock(block, outer node) {
	var name, source, kind, hp, ac, mod, roll, advantage, speed, scores, saves, senses, challenge, player, description node
	wanted := map[string]*node{"Name": &name, "Source": &source, "Type": &kind, "HP": &hp, "AC": &ac, "InitiativeModifier": &mod,
		"InitiativeSpecialRoll": &roll, "InitiativeAdvantage": &advantage, "Speed": &speed, "Abilities": &scores, "Saves": &saves,
		"Senses": &senses, "Challenge": &challenge, "Player": &player, "Description": &description}
	damage := map[string]*node{}
	for key := range improvedDamage {
		damage[key] = &node{}
		wanted[key] = damage[key]
	}
	lists := map[string]*node{}
	for key := range improvedLists {
		lists[key] = &node{}
		wanted[key] = lists[key]
	}
	block.take(wanted)
	if !name.isText() {
		name = outer.get("Name")
	}
	s.setName(name.text(maxMarkup))
	s.source = source.text(maxNumber)
	value, remark := valueAndNotes(hp)
	s.setHP(value)
	if s.add.HP == 0 {
		s.averageHP(remark)
	}
	value, remark = valueAndNotes(ac)
	s.setAC(value)
	s.fact(plain(kind.text(maxMarkup), maxEcho*2), challengeOf(challenge.text(maxNumber), challenge))
	s.fact(plain(remark.text(maxMarkup), maxEcho*2))

	s.setMod(mod)
	score := scores.get("Dex")
	if dexterity, ok := score.whole(); ok && dexterity >= 0 && dexterity <= 100 {
		s.add.Mod += modifier(dexterity)
	}
	if special := roll.text(maxNumber); special != "" {
		s.warn("mod", WarnRoll, "what", cut(oneLine(special), maxEcho))
	} else if advantage.isTrue() {
		s.warn("mod", WarnRoll, "what", "advantage")
	}
	bonuses := map[string]node{}
	for save := range saves.elements(maxAnswers) {
		var who, bonus node
		save.take(map[string]*node{"Name": &who, "Modifier": &bonus})
		key := fold(who.text(maxNumber))
		bonuses[key[:min(len(key), 3)]] = bonus
		if !slices.Contains(abilities[:], key[:min(len(key), 3)]) { // fort, ref, will
			s.statOf(statSave+cut(strings.ReplaceAll(key, " ", ""), 20), bonus)
		}
	}
	s.scores(func(ability string) node { return scores.get(strings.ToUpper(ability[:1]) + ability[1:]) },
		func(ability string) node { return bonuses[ability] })

	var speeds []string
	for one := range speed.elements(maxAnswers) {
		speeds = append(speeds, one.text(maxNumber))
	}
	s.setSpeeds(speeds)
	var sensed []string
	for one := range senses.elements(maxAnswers) {
		sensed = append(sensed, plain(one.text(maxNumber), maxEcho))
	}
	s.fact(sensed...)
	for _, key := range []string{"DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities"} {
		s.fact(marked(improvedDamage[key], texts(*damage[key])))
	}
	for _, key := range []string{"Actions", "BonusActions", "Reactions", "LegendaryActions", "MythicActions", "Traits"} {
		for one := range lists[key].elements(maxFeatures) {
			var title, content, usage node
			one.take(map[string]*node{"Name": &title, "Content": &content, "Usage": &usage})
			face, _ := readRecharge(usage.text(maxNumber))
			s.feature(improvedLists[key], title.text(maxMarkup), content.text(maxMarkup), face)
		}
	}
	if who := strings.ToLower(player.text(maxNumber)); who == "npc" {
		s.add.Kind = "npc"
	} else if who != "" {
		s.player()
	}
	if len(s.features) == 0 {
		s.fact(plain(description.text(maxMarkup), 300))
	}
}

// improvedDamage are the signs for what damage does, by the list it stands in.
var improvedDamage = map[string]string{"DamageVulnerabilities": "×2", "DamageResistances": "×½", "DamageImmunities": "×0", "ConditionImmunities": "×0"}

// improvedLists are the lists of paragraphs, by what they are.
var improvedLists = map[string]string{"Actions": kindAction, "BonusActions": kindBonus, "Reactions": kindReaction,
	"LegendaryActions": kindLegendary, "MythicActions": kindLegendary, "Traits": kindTrait}

// valueAndNotes splits {Value, Notes}; a bare number or text is the value.
func valueAndNotes(n node) (value, notes node) {
	if !n.isObject() {
		return n, node{}
	}
	n.take(map[string]*node{"Value": &value, "Notes": &notes})
	return value, notes
}

// texts are the texts of an array, bounded.
func texts(n node) []string {
	var list []string
	for one := range n.elements(maxFeatures) {
		if text := plain(one.text(maxNumber), maxEcho); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// marked puts a sign before a list, if there is one.
func marked(sign string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return sign + " " + strings.Join(list, ", ")
}

// challengeOf is a challenge rating, said as every edition does.
func challengeOf(text string, n node) string {
	if text == "" && n.isNumber() {
		text = echo(n)
	}
	if text = oneLine(text); text == "" {
		return ""
	}
	return "CR " + cut(firstOf(fractions[text], text), 20)
}

// fractions are the ratings below one, which some programs write as decimals.
var fractions = map[string]string{"0.125": "1/8", "0.25": "1/4", "0.5": "1/2"}
