package sim

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"riposte/combat"
	"riposte/combat/combattest"
)

// player thinks of commands: what its view offers, and what people do besides.
type player struct {
	random *rand.Rand
	view   map[string]json.RawMessage
	gm     bool
}

// most is how many combatants there may be.
const most = 10

func (p *player) chance(percent int) bool { return p.random.IntN(100) < percent }

func pick[T any](p *player, from []T) T { return from[p.random.IntN(len(from))] }

// key decodes one key of the view.
func key[T any](p *player, name string) (value T) {
	_ = json.Unmarshal(p.view[name], &value) // one that is not there is zero
	return value
}

// others are the combatants, without the secret one, in an order of their own.
func (p *player) others() []combat.CombatantView {
	var all []combat.CombatantView
	for name := range p.view {
		if strings.HasPrefix(name, "combatants/") {
			if c := key[combat.CombatantView](p, name); !strings.Contains(c.Name, marker) {
				all = append(all, c)
			}
		}
	}
	slices.SortFunc(all, func(a, b combat.CombatantView) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return all
}

func (p *player) some() []combat.ID {
	var ids []combat.ID
	for _, c := range p.others() {
		if p.chance(30) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// anybody is a combatant, sometimes the secret one.
func (p *player) anybody() combat.ID {
	var ids []string
	for name := range p.view {
		if id, is := strings.CutPrefix(name, "combatants/"); is {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if len(ids) == 0 {
		return "nobody"
	}
	return combat.ID(pick(p, ids))
}

// think returns the next command, or nil.
func (p *player) think() combat.Command {
	can := key[combat.YouView](p, "you").Can
	if len(can) == 0 {
		return nil
	}
	if p.gm && p.chance(45) {
		if command := p.meddle(); command != nil {
			return command
		}
	}
	// What moves the fight on comes first.
	for _, kinds := range [][]string{{"startCombat"}, {"answer", "settleTie", "rollOff"}, {"declare"}, {"decline", "closeWindow"}, {"endTurn"}} {
		fitting := slices.DeleteFunc(slices.Clone(can), func(o combat.Offer) bool { return !slices.Contains(kinds, o.Type) })
		if len(fitting) > 0 && p.chance(35) {
			return p.fill(pick(p, fitting))
		}
	}
	return p.fill(pick(p, can))
}

// meddle is what a GM does at any moment.
func (p *player) meddle() combat.Command {
	others := p.others()
	switch p.random.IntN(12) {
	case 0:
		if len(others) < most {
			return combat.AddCombatant{Name: fmt.Sprint("Goblin ", p.random.IntN(100)), HP: 7, AC: 12, Hidden: p.chance(40)}
		}
	case 1, 2:
		return combat.Damage{Combatants: []combat.ID{p.anybody()}, Amount: 1 + p.random.IntN(6)}
	case 3:
		return combat.Heal{Combatants: []combat.ID{p.anybody()}, Amount: 1 + p.random.IntN(9)}
	case 4, 5:
		if ids := p.some(); len(ids) > 0 {
			return combat.SetHidden{Combatants: ids, Hidden: p.chance(50)}
		}
	case 6:
		return combat.Undo{}
	case 7:
		return combat.Redo{}
	case 8:
		return combat.Note{Text: marker + " waits behind the door"}
	case 9:
		return combat.Roll{Dice: "d20", Label: marker, Secret: true}
	case 10:
		return combat.SetOptions{Options: pick(p, []map[string]string{{"npcHp": "band"}, {"npcHp": "exact"}, {"npcCount": "no"}, {"npcCount": "yes"},
			{"spectatorNpcHp": "none"}, {"reactionWindows": "ask", "reactionSeconds": "3"}, {"reactionWindows": "off"}, {"turnSeconds": "5"}, {"turnSeconds": "0"}})}
	case 11:
		return combat.AddEffect{Combatants: []combat.ID{p.anybody()}, Name: pick(p, []string{"stunned", "prone", "bless", "grappled"}),
			Until: &combat.Until{At: pick(p, []string{"turnEnd", "rounds", "never"}), Rounds: 1}}
	}
	return nil
}

// fill chooses what an offer leaves open. What would show the secret one, or
// leave nothing to play with, is not done.
func (p *player) fill(o combat.Offer) combat.Command {
	one := o.Combatant
	if one == "" && len(o.Combatants) > 0 {
		one = pick(p, o.Combatants)
	}
	if one == "" {
		one = p.anybody()
	}
	choice := combattest.Choice{Who: one, Other: p.anybody(), Number: 1 + p.random.IntN(15), Yes: p.chance(50), Done: p.chance(45)}
	choice.Text = fmt.Sprint("word ", choice.Number)
	switch o.Type {
	case "note": // the GM meddles enough
	case "removeEffect":
		id := o.Effect
		for name := range p.view {
			if effect, is := strings.CutPrefix(name, "effects/"); is && id == "" {
				id = combat.ID(effect)
			}
		}
		return combat.RemoveEffect{Effects: []combat.ID{id}}
	case "removeCombatant":
		if others := p.others(); len(others) > most/2 {
			return combat.RemoveCombatant{Combatants: []combat.ID{pick(p, others).ID}}
		}
	case "endCombat", "resetCombat":
		if p.chance(10) {
			return combattest.Fill(o, choice)
		}
	case "declare":
		return combat.Declare{Combatant: o.Combatant, Actions: []combat.Declared{{Kind: "attack"}}[:p.random.IntN(2)]}
	case "answer":
		answer := combat.Answer{Pending: o.Pending, Accept: o.Accept}
		if pending := key[combat.PendingView](p, "pending/"+string(o.Pending)); len(pending.Combatants) > 1 {
			answer.Order = pending.Combatants
		}
		return answer
	default:
		return combattest.Fill(o, choice)
	}
	return nil
}
