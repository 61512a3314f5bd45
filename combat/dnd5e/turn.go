package dnd5e

import (
	"riposte/combat"
)

// TurnStart refills legendary actions (5E-21), lets a readied action lapse
// (5E-15) and asks for a death save (5E-18).
func (System) TurnStart(d *combat.Draft, f *combat.Frame) {
	clearMarks(d, "", markLegendary)
	if f.Kind != combat.FrameTurn {
		return
	}
	c := d.State().Combatant(f.Combatant)
	for _, p := range c.Pools {
		if p.Name == poolLegendary {
			d.Marks(c.ID, map[string]int{markBefore: p.Left + 1})
			d.Emit(combat.PoolsSet{Combatant: c.ID, Pools: []combat.Pool{full(poolLegendary, p.Max)}, Why: "refresh"})
		}
	}
	if c.Readied != nil {
		d.Emit(combat.ReadySet{Combatant: c.ID, Why: "lapsed"})
		dropHeldSpell(d, c.ID)
	}
	if d.State().Combatant(c.ID).Life == combat.Dying {
		d.Owe(combat.Pending{Kind: "death", Combatants: []combat.ID{c.ID}, Frame: f.ID, DC: 10})
	}
}

// TurnEnd ends surprise (5E-03) and what held for the turn alone.
func (System) TurnEnd(d *combat.Draft, f *combat.Frame) {
	if d.State().Combatant(f.Combatant).Surprised {
		d.Emit(combat.SurprisedSet{Combatant: f.Combatant, Surprised: false})
	}
	clearMarks(d, f.Combatant, markBonusSpell, markSpell, markDisengaged, markBefore, markOverdrawn)
}

// TurnOver gives legendary creatures their chance: another creature's turn has
// just ended, not their own nor a lair's slot, which is nobody's (5E-21).
func (System) TurnOver(d *combat.Draft, f *combat.Frame) {
	for _, c := range d.State().Combatants {
		if c.Stats[statLegendary] == 0 {
			continue
		}
		chance := 0
		if f.Kind == combat.FrameTurn && f.Combatant != c.ID {
			chance = 1
		}
		if c.Marks[markChance] != chance {
			d.Marks(c.ID, map[string]int{markChance: chance})
		}
	}
}

// clearMarks deletes those marks that are set, of one combatant or of all.
func clearMarks(d *combat.Draft, id combat.ID, names ...string) {
	for _, c := range d.State().Combatants {
		if id != "" && c.ID != id || len(c.Marks) == 0 {
			continue
		}
		gone := map[string]int{}
		for _, name := range names {
			if c.Marks[name] != 0 {
				gone[name] = 0
			}
		}
		if len(gone) > 0 {
			d.Marks(c.ID, gone)
		}
	}
}
