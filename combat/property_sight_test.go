package combat_test

import (
	"pgregory.net/rapid"

	"riposte/combat"
)

// policies are settings of what others see.
var policies = []map[string]string{
	{"npcHp": "exact"}, {"npcHp": "none"}, {"npcHp": "band"}, {"pcHp": "band"}, {"pcHp": "exact"}, {"npcAc": "yes"}, {"npcAc": "no"},
	{"npcConditions": "no"}, {"npcConditions": "yes"}, {"npcCount": "no"}, {"npcCount": "yes"}, {"npcDice": "no"}, {"npcDice": "yes"},
	{"spectatorNpcHp": "exact"}, {"spectatorNpcHp": "same"}, {"spectatorPcHp": "none"}, {"spectatorPcHp": "same"}, {"spectatorNpcAc": "yes"},
	{"spectatorConditions": "no"}, {"spectatorConditions": "same"}, {"spectatorCount": "no"}, {"spectatorCount": "same"}, {"spectatorDice": "no"},
	{"spectatorNpcHp": "same", "spectatorPcHp": "same", "spectatorNpcAc": "same", "spectatorConditions": "same", "spectatorCount": "same", "spectatorDice": "same"},
}

// hiding draws that somebody is hidden from some or all, or shown.
func (tb *randomFight) hiding(ids []combat.ID) combat.Command {
	hidden := tb.flag("hidden")
	return combat.SetHidden{Combatants: ids, Hidden: hidden, UntilAct: hidden && tb.flag("untilAct"),
		From: rapid.SampledFrom([]string{"", "", combat.Players, combat.Spectators}).Draw(tb.t, "from")}
}

// sight draws what an audience may see of somebody.
func (tb *randomFight) sight(ids []combat.ID) combat.Command {
	one := func(label string, values ...string) *string {
		if tb.flag(label) {
			return nil
		}
		value := rapid.SampledFrom(append(values, "")).Draw(tb.t, label+" seen")
		return &value
	}
	return combat.SetSight{Combatants: ids, Audience: rapid.SampledFrom([]string{combat.Players, combat.Spectators}).Draw(tb.t, "audience"),
		HP: one("hp", "exact", "band", "none"), AC: one("ac", "yes", "no"), Conditions: one("conditions", "yes", "no"), Count: one("count", "yes", "no")}
}

// hiddenFrom reports whether somebody is hidden from a class of audiences.
func hiddenFrom(c *combat.Combatant, class string) bool {
	return c.Hidden && (c.HiddenFrom == "" || c.HiddenFrom == class)
}

func classOf(a combat.Audience) string {
	if a.Role == combat.RoleSpectator {
		return combat.Spectators
	}
	return combat.Players
}
