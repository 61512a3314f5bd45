package combat_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"riposte/combat"
)

// What an audience may not see moves nothing of its own: whatever is done to a
// combatant that waits, those from whom it is hidden get no change, in their view
// or in their log.
func TestSecretsMoveNothing(t *testing.T) {
	forEachSystem(t, func(tb *randomFight) {
		t := tb.t
		if !tb.try(combat.AddCombatant{Name: "Lurker", HP: 50, AC: 18, Hidden: true}, combat.RoleGM, "") {
			return
		}
		hidden := tb.state.Combatants[len(tb.state.Combatants)-1].ID
		for range stepsPerFight {
			c := tb.state.Combatant(hidden)
			if c == nil || !c.Hidden || c.Seat != "" {
				return
			}
			// With nobody else left to act, the turn would come to it at once.
			busy := tb.state.InFight() && len(tb.state.Stack) == 0
			for _, f := range tb.state.Stack {
				busy = busy || f.Combatant == hidden || f.Window != nil
			}
			if busy || tb.state.Phase == combat.PhaseDeclaration {
				tb.step()
				continue
			}
			views := tb.engine.NewViews(tb.state)
			n := len(tb.commits)
			command := tb.secret(hidden)
			if tb.try(command, combat.RoleGM, ""); len(tb.commits) > n {
				after := tb.state.Combatant(hidden)
				for _, change := range views.Move(tb.state, tb.commits[len(tb.commits)-1]) {
					if change.Audience.Role != combat.RoleGM && hiddenFrom(c, classOf(change.Audience)) && hiddenFrom(after, classOf(change.Audience)) {
						told, _ := json.Marshal(change)
						t.Fatalf("%T%+v told %s\n%s", command, command, change.Audience, told)
					}
				}
			}
			tb.step()
		}
	})
}

// secret draws something that is done to a hidden combatant.
func (tb *randomFight) secret(id combat.ID) combat.Command {
	ids, notes, name := []combat.ID{id}, "waits", "Prowler"
	return rapid.SampledFrom([]combat.Command{
		combat.Damage{Combatants: ids, Amount: 1}, combat.Heal{Combatants: ids, Amount: 1}, combat.SetTempHP{Combatants: ids, Amount: 3},
		combat.AddEffect{Combatants: ids, Name: "bless"}, combat.SetPosition{Combatant: id, Position: "behind the curtain"},
		combat.EditCombatant{Combatant: id, Notes: &notes}, combat.EditCombatant{Combatant: id, Name: &name},
		combat.SetInitiative{Combatant: id, Count: combat.Whole(tb.small("count", -2, 22))}, tb.hiding(ids), tb.sight(ids),
		combat.Note{Text: "soon"}, combat.Roll{Dice: "d20", Secret: true},
	}).Draw(tb.t, "secret")
}
