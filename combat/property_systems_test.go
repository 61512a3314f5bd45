package combat_test

import (
	"testing"

	"pgregory.net/rapid"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/combat/lightsandshadows"
	"riposte/combat/starfinder"
)

// rules is a rule system, and what its random fights are drawn from.
type rules struct {
	system  combat.System
	answers [][]string          // reactions that somebody owns
	heroes  []string            // those that the heroes own
	sheet   map[string]int      // of the heroes
	stats   []map[string]int    // of others
	words   []string            // effects with a meaning
	costs   []string            // pools to pay from, good and bad; empty is the default
	pool    string              // that the GM grants from
	options []map[string]string // changed in mid-fight
	plans   []string            // kinds of action that are declared for a round
}

// tested are the systems whose random fights are played.
var tested = []*rules{
	{
		system:  dnd5e.System{},
		answers: [][]string{nil, {"shield"}, {"counterspell", "shield"}, {"hellishRebuke"}},
		heroes:  []string{"shield", "counterspell"},
		stats:   []map[string]int{nil, {"bonus": 1}, {"legendary": 3}, {"lair": 1, "legendary": 2}, {"secondTurn": 1}, {"reactions": 2}},
		words:   []string{"stunned", "prone", "hasted", "slowed", "grappled", "bless", "stable", "shield"},
		costs:   []string{"", "", "", "bonus", "action", "nonsense"},
		pool:    "action",
		options: []map[string]string{{"5e.ties": "rolloff"}, {"5e.monstersDieAtZero": "no"}},
	},
	{
		system:  starfinder.System{},
		answers: [][]string{nil, {"defend"}, {"retaliate"}, {"defend", "retaliate"}},
		heroes:  []string{"defend", "retaliate"},
		sheet:   map[string]int{"resolve": 5, "stamina": 3},
		stats:   []map[string]int{nil, {"resolve": 2}, {"resolve": 0}, {"resolve": 8, "stamina": 6}, {"stamina": 3}},
		words:   []string{"stunned", "prone", "staggered", "nauseated", "flat-footed", "dazed", "grappled", "stable", "entangled"},
		costs:   []string{"", "", "", "standard", "move", "swift", "full", "nonsense"},
		pool:    "standard",
		options: []map[string]string{{"sf.tiedPlayersChoose": "yes"}, {"sf.npcDieAtZero": "no"}, {"sf.readyPlace": "after"}, {"sf.anchor": "place"}, {"sf.group": "identical"}},
	},
	{
		system:  lightsandshadows.System{},
		answers: [][]string{nil},
		stats: []map[string]int{nil, {"score": 15, "weapon.sword.first": -1, "weapon.sword.next": -6}, {"score": 4}, {"score": 9, "faint": 5},
			{"score": 12, "weapon.axe.first": -4, "weapon.axe.next": -9}},
		words: []string{"stunned", "unconscious", "bless"},
		costs: []string{"", "", "", "ar"},
		pool:  "ar",
		options: []map[string]string{{"ls.ties": "simultaneous"}, {"ls.ties": "rolloff"}, {"ls.negative": "carry"}, {"ls.mixedWeapons": "perWeapon"},
			{"ls.initRoll": "d6"}, {"ls.declare": "free"}, {"ls.defencePenalty": "2"}, {"ls.variableCost": "2"}, {"ls.delay": "off"}},
		plans: []string{"attack", "attack", "attack", "openDoor", "hide", "castSpell", "nonsense"},
	},
}

// forEachSystem checks a property in random fights under every system.
func forEachSystem(t *testing.T, property func(*randomFight)) {
	for _, r := range tested {
		t.Run(r.system.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				tb := newRandomFight(t, r)
				tb.start()
				property(tb)
			})
		})
	}
}
