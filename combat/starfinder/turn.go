package starfinder

import (
	"riposte/combat"
)

// TurnStart lets a readied action lapse (SF-17) and lets the fallen choose to
// recover (SF-24), but not where an upkeep runs (SF-20).
func (System) TurnStart(d *combat.Draft, f *combat.Frame) {
	c := d.State().Combatant(f.Combatant)
	clearMarks(d, c.ID, markBegun, markReturned, markFell, markChoice)
	if c.Readied != nil {
		d.Emit(combat.ReadySet{Combatant: c.ID, Why: "lapsed"})
	}
	if c.Marks[markUsed] == 0 {
		offerRecovery(d, d.State().Combatant(c.ID))
	}
}

// TurnEnd is where Resolve runs out of the dying (SF-23), and where whoever
// could have acted has (SF-13, SF-14).
func (y System) TurnEnd(d *combat.Draft, f *combat.Frame) {
	c := d.State().Combatant(f.Combatant)
	if y.able(d.State(), c) == "" {
		acted(d, c.ID)
	}
	bleedAtTurnEnd(d, c.ID)
	clearMarks(d, c.ID, markBegun, markReturned, markFell, markChoice)
}

// TurnOver ends an upkeep.
func (System) TurnOver(d *combat.Draft, f *combat.Frame) {
	if d.State().Combatant(f.Combatant) != nil {
		clearMarks(d, f.Combatant, markUsed)
	}
}

// clearMarks deletes those marks that are set.
func clearMarks(d *combat.Draft, id combat.ID, names ...string) {
	gone := map[string]int{}
	for _, name := range names {
		if d.State().Combatant(id).Marks[name] != 0 {
			gone[name] = 0
		}
	}
	if len(gone) > 0 {
		d.Marks(id, gone)
	}
}
