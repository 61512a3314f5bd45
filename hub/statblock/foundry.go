package statblock

import (
	"slices"
	"strings"

	"riposte/combat"
)

// Kinds of actor of Foundry that fight. Vehicles, ships and the like have no
// turn of their own.
var actorKinds = []string{"character", "npc", "npc2", "drone", "creature"}

// isActor reports whether a document of Foundry has the shape of an actor. Items
// have it too; which of them it is, its type says.
func isActor(s signs) bool {
	return s.name.given() && s.kind.isText() && (s.system.isObject() || s.data.isObject())
}

// isStarfinder tells the rule system of an actor by its own word, or else by
// what only that system has.
func isStarfinder(s signs) bool {
	if system := s.stats.get("systemId").text(maxNumber); system != "" {
		return system == "sfrpg"
	}
	var eac, kac, stamina, resolve node
	attributes := firstNode(s.system, s.data).get("attributes")
	attributes.take(map[string]*node{"eac": &eac, "kac": &kac, "sp": &stamina, "rp": &resolve})
	return s.kind.text(maxNumber) == "npc2" || eac.isObject() || kac.isObject() || stamina.isObject() || resolve.isObject()
}

// firstNode returns the first that is an object.
func firstNode(nodes ...node) node {
	for _, n := range nodes {
		if n.isObject() {
			return n
		}
	}
	return node{}
}

// actor is what the actors of every rule system of Foundry have.
type actor struct {
	system, attributes, details, resources, traits, items node
	character                                             bool
}

// foundry reads what the actors of all rule systems have in common. It reports
// false for a document that is no creature.
func (s *sheet) foundry(n node, systemID string) (actor, bool) {
	var a actor
	var name, kind, system, data, items, token, oldToken, effects, stats node
	n.take(map[string]*node{"name": &name, "type": &kind, "system": &system, "data": &data, "items": &items, "prototypeToken": &token,
		"token": &oldToken, "effects": &effects, "_stats": &stats})
	s.setName(name.text(maxMarkup))
	what := kind.text(maxNumber)
	if id := stats.get("systemId").text(maxNumber); id != "" && id != systemID {
		s.fail(kind.path, FaultNoCreature, "what", cut(oneLine(id), maxEcho))
		return a, false
	}
	if !slices.Contains(actorKinds, what) {
		s.fail(kind.path, FaultNoCreature, "what", cut(oneLine(what), maxEcho))
		return a, false
	}
	a.system, a.items, a.character = firstNode(system, data), items, what == "character"
	a.system.take(map[string]*node{"attributes": &a.attributes, "details": &a.details, "resources": &a.resources, "traits": &a.traits})
	var disposition, hidden node
	firstNode(token, oldToken).take(map[string]*node{"disposition": &disposition, "hidden": &hidden})
	s.add.Kind = "npc"
	switch side, given := disposition.whole(); {
	case a.character:
		s.player()
	case given && side == 1:
		s.add.Side = "party"
	case given && side == 0:
		s.add.Side = "neutral"
	}
	s.add.Hidden = hidden.isTrue()
	s.foundryHP(a.attributes.get("hp"))
	s.foundryConditions(effects)
	return a, true
}

// foundryHP reads hit points. The maximum of characters is worked out by
// Foundry and often not in the file: then what they have now counts.
func (s *sheet) foundryHP(hp node) {
	var value, most, temp, raised, formula node
	hp.take(map[string]*node{"value": &value, "max": &most, "temp": &temp, "tempmax": &raised, "formula": &formula})
	s.setHP(most)
	s.averageHP(formula)
	if now, ok := value.whole(); ok && now > 0 && s.add.HP == 0 && s.fault == nil {
		s.setHP(value)
		s.warn("hp", WarnFromHP, "value", now)
	}
	if more, ok := s.whole("hp", raised, -combat.MaxNumber, combat.MaxNumber); ok && more != 0 && s.add.HP > 0 {
		s.add.HP = min(max(s.add.HP+more, 1), combat.MaxNumber)
	}
	s.setCurrent(value)
	s.setTemp(temp)
}

// foundryConditions names the conditions that are in force.
func (s *sheet) foundryConditions(effects node) {
	var names []string
	for effect := range effects.elements(maxFeatures) {
		var name, label, disabled, statuses node
		effect.take(map[string]*node{"name": &name, "label": &label, "disabled": &disabled, "statuses": &statuses})
		state := false
		for range statuses.elements(1) {
			state = true
		}
		if state && !disabled.isTrue() && len(names) < maxAnswers {
			names = append(names, cut(oneLine(firstOf(name.text(maxNumber), label.text(maxNumber))), maxEcho))
		}
	}
	s.drop(names)
}

// item is one feature, weapon, spell or piece of gear of an actor.
type item struct {
	name, kind, activation string
	system                 node
	face                   int // to recharge
}

// foundryItems reads the items of an actor, old and new shapes alike.
func foundryItems(items node) []item {
	var list []item
	for n := range items.elements(4 * maxFeatures) {
		var name, kind, system, data node
		n.take(map[string]*node{"name": &name, "type": &kind, "system": &system, "data": &data})
		one := item{name: name.text(maxNumber), kind: kind.text(maxNumber), system: firstNode(system, data)}
		var activation, activities, recharge, uses node
		one.system.take(map[string]*node{"activation": &activation, "activities": &activities, "recharge": &recharge, "uses": &uses})
		one.activation = activation.get("type").text(maxNumber)
		for activity := range activities.values(maxAnswers) {
			if one.activation == "" {
				one.activation = activity.get("activation", "type").text(maxNumber)
			}
		}
		one.face, _ = recharge.get("value").whole()
		for recovery := range uses.get("recovery").elements(maxAnswers) {
			var period, formula node
			recovery.take(map[string]*node{"period": &period, "formula": &formula})
			if period.text(maxNumber) == "recharge" {
				one.face, _ = formula.whole()
			}
		}
		if one.face < 1 || one.face > 6 {
			one.face = 0
		}
		list = append(list, one)
	}
	return list
}

// activations are what an item is, by what it takes to use it.
var activations = map[string]string{"reaction": kindReaction, "reactiondamage": kindReaction, "reactionmanual": kindReaction, "bonus": kindBonus,
	"legendary": kindLegendary, "mythic": kindLegendary, "lair": kindLair, "action": kindAction, "full": kindAction, "crew": kindAction}

// foundryFeatures makes paragraphs of the items. A character's gear and class
// features are its player's business: only what it may answer with is kept.
func (s *sheet) foundryFeatures(items []item, character bool) {
	var magic []string
	for _, one := range items {
		kind := firstOf(activations[one.activation], kindTrait)
		switch one.kind {
		case "spell":
			s.answer(one.name, spells...)
			if len(magic) < maxFeatures {
				magic = append(magic, cut(oneLine(one.name), maxEcho))
			}
			continue
		case "weapon":
			if kind == kindTrait {
				kind = kindAction
			}
		case "feat":
		default:
			continue
		}
		if character && kind != kindReaction && kind != kindBonus {
			continue
		}
		s.feature(kind, one.name, one.system.get("description", "value").text(maxMarkup), one.face)
	}
	if len(magic) > 0 && !character {
		s.feature(kindTrait, "", strings.Join(magic, ", "), 0)
	}
}

// isCombat reports whether a list is of combatants of a combat of Foundry.
func isCombat(list node) bool {
	for one := range list.elements(1) {
		var actor, actorID, token, id node
		one.take(map[string]*node{"actor": &actor, "actorId": &actorID, "tokenId": &token, "_id": &id})
		return actor.isObject() || actorID.isText() || token.isText() || id.isText()
	}
	return false
}

// combat reads the combatants of a combat. Those whose actor is not in it have
// a name and a count only.
func (r *reader) combat(list node) {
	r.each(list, func(n node) {
		s := r.begin(n.path)
		if s == nil {
			return
		}
		var name, actor, init, hidden node
		n.take(map[string]*node{"name": &name, "actor": &actor, "initiative": &init, "hidden": &hidden})
		if kind := kindOf(actor); kind != nil {
			kind.read(s, actor)
		} else {
			s.warn("hp", WarnMissing)
		}
		if own := name.text(maxMarkup); own != "" {
			s.setName(own)
		}
		s.setInit(init)
		s.add.Hidden = s.add.Hidden || hidden.isTrue()
		r.end(s)
	})
}
