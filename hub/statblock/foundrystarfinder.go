package statblock

import (
	"strconv"

	"riposte/combat"
)

// foundryStarfinder reads an actor of Starfinder.
func (s *sheet) foundryStarfinder(n node) {
	a, ok := s.foundry(n, "sfrpg")
	if !ok {
		return
	}
	var eac, kac, init, stamina, resolve, speed node
	wanted := map[string]*node{"eac": &eac, "kac": &kac, "init": &init, "sp": &stamina, "rp": &resolve, "speed": &speed}
	var saves [len(starfinderSaves)]node
	for i, save := range starfinderSaves {
		wanted[save.key] = &saves[i]
	}
	a.attributes.take(wanted)

	if s.twoClasses(starfinderValue(eac), starfinderValue(kac)); s.add.AC == 0 {
		s.warn("ac", WarnMissing)
	}
	s.starfinderInit(a, init)
	for _, pool := range []struct {
		key   string
		value node
	}{{statStamina, stamina}, {statResolve, resolve}} {
		var most, now node
		pool.value.take(map[string]*node{"max": &most, "value": &now})
		full, given := s.whole(pool.key, most, 0, combat.MaxNumber)
		if !given || full == 0 {
			if full, given = s.whole(pool.key, now, 0, combat.MaxNumber); !given || full == 0 {
				continue
			}
			s.warn(pool.key, WarnFromHP, "value", full)
		}
		s.stat(pool.key, full)
		if left, ok := now.whole(); ok && left != full {
			s.warn(pool.key, WarnDropped, "what", strconv.Itoa(left)+"/"+strconv.Itoa(full))
		}
	}
	for i, save := range starfinderSaves {
		s.statOf(statSave+save.stat, starfinderValue(saves[i]))
	}

	var conditions []string
	for name, on := range a.system.get("conditions").members(maxFeatures) {
		if on.isTrue() && len(conditions) < maxAnswers {
			conditions = append(conditions, cut(oneLine(name), maxEcho))
		}
	}
	s.drop(conditions)
	var cr, kind, alignment, race node
	a.details.take(map[string]*node{"cr": &cr, "type": &kind, "alignment": &alignment, "race": &race})
	s.fact(oneLine(kind.text(maxNumber)), oneLine(race.text(maxNumber)), oneLine(alignment.text(maxNumber)), challengeOf(cr.text(maxNumber), cr))
	s.starfinderSpeed(speed)
	s.foundryFeatures(foundryItems(a.items), a.character)
}

// starfinderSaves are the three saves, as Foundry and as sheets call them.
var starfinderSaves = [3]struct{ key, stat string }{{"fort", "fort"}, {"reflex", "ref"}, {"will", "will"}}

// starfinderValue is the number of an armour class or save: base in new
// creatures, value in old ones.
func starfinderValue(n node) node {
	var base, value node
	n.take(map[string]*node{"base": &base, "value": &value})
	if base.given() {
		return base
	}
	return value
}

// starfinderInit reads the initiative modifier. That of a stat block is whole;
// that of a character comes on top of its Dexterity.
func (s *sheet) starfinderInit(a actor, init node) {
	var value, total node
	init.take(map[string]*node{"value": &value, "total": &total})
	if worked, ok := total.whole(); ok && worked != 0 {
		s.setMod(total)
		return
	}
	s.setMod(value)
	if !a.character {
		return
	}
	var base, score, mod node
	a.system.get("abilities", "dex").take(map[string]*node{"base": &base, "value": &score, "mod": &mod})
	if worked, ok := mod.whole(); ok && !base.given() {
		s.add.Mod += worked
	} else if dexterity, ok := base.whole(); ok && dexterity >= 0 && dexterity <= 100 {
		s.add.Mod += modifier(dexterity)
		s.warn("mod", WarnComputed, "value", s.add.Mod)
	}
}

// starfinderSpeed reads how fast somebody moves in the way it moves most.
func (s *sheet) starfinderSpeed(speed node) {
	if !speed.isObject() {
		return
	}
	way := firstOf(speed.get("mainMovement").text(maxNumber), "land")
	s.setSpeed(speed.get(way, "base"))
	if s.add.Speed == nil {
		s.setSpeed(speed.get("value"))
	}
	for _, other := range []string{"land", "flying", "swimming", "climbing", "burrowing"} {
		if feet, ok := speed.get(other, "base").whole(); ok && feet > 0 && other != way {
			s.fact(other + " " + strconv.Itoa(feet))
		}
	}
}
