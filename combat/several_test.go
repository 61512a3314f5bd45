package combat_test

import (
	"slices"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/combat/lightsandshadows"
	"riposte/combat/starfinder"
)

// One command hurts several, half of it for those whose save succeeded, and
// one undo takes it back.
func TestHalfDamage(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	ash, cedar, dune := b.ids["Ash"], b.ids["Cedar"], b.ids["Dune"]
	b.do("", combat.Damage{Combatants: []combat.ID{ash, cedar, dune}, Half: []combat.ID{cedar}, Amount: 9})
	hp := func() []int {
		return []int{b.state.Combatant(ash).HP, b.state.Combatant(cedar).HP, b.state.Combatant(dune).HP}
	}
	if got := hp(); !slices.Equal(got, []int{15, 26, 21}) {
		t.Errorf("they have %v left", got)
	}
	b.do("", combat.Undo{})
	if got := hp(); !slices.Equal(got, []int{24, 30, 30}) {
		t.Errorf("after undo they have %v", got)
	}
	b.refused(b.by(""), combat.Damage{Combatants: []combat.ID{ash}, Half: []combat.ID{cedar}, Amount: 9}, "bad_value")
	b.refused(b.by(""), combat.Damage{Combatants: []combat.ID{ash}, Half: []combat.ID{"nobody"}, Amount: 9}, "unknown_combatant")
	b.refused(b.by(""), combat.Damage{Combatants: []combat.ID{ash}, Half: []combat.ID{ash, ash}, Amount: 9}, "bad_value")
}

// Several get one typed count by one command, before the fight and in it.
func TestCountForSeveral(t *testing.T) {
	b := quartet(t, nil)
	both := combat.SetInitiative{Combatant: b.ids["Dune"], Also: []combat.ID{b.ids["Cedar"]}, Count: combat.Whole(20)}
	b.do("", both)
	for _, name := range []string{"Cedar", "Dune"} {
		if got := *b.state.Combatant(b.ids[name]).Init; got != combat.Whole(20) {
			t.Errorf("%s stands at %v", name, got)
		}
	}
	b.begin(0)
	both.Count = combat.Whole(1)
	b.do("", both)
	var names []string
	for _, slot := range b.state.Order {
		if slot.Kind == combat.SlotTurn {
			names = append(names, b.state.Combatant(slot.Combatant).Name)
		}
	}
	if !slices.Equal(names[:2], []string{"Ash", "Birch"}) {
		t.Errorf("the order is %v", names)
	}
	b.refused(b.by(""), combat.SetInitiative{Combatant: b.ids["Dune"], Also: []combat.ID{b.ids["Dune"]}, Count: 1}, "bad_value")
	b.refused(b.by("Ash"), combat.SetInitiative{Combatant: b.ids["Ash"], Also: []combat.ID{b.ids["Dune"]}, Count: 1}, "forbidden")
}

// What a system acts upon by its name can be put on by one tap, with what it
// adds besides.
func TestEffectsOffered(t *testing.T) {
	want := map[string][]combat.EffectSpec{
		"dnd5e":              {{Name: "hasted", AC: 2}, {Name: "slowed", AC: -2}, {Name: "prone"}, {Name: "unconscious"}},
		"starfinder":         {{Name: "staggered"}, {Name: "nauseated"}, {Name: "entangled"}, {Name: "total defense", AC: 4}, {Name: "flat-footed"}},
		"lights-and-shadows": {{Name: "unconscious"}, {Name: "incapacitated"}},
	}
	for _, view := range combat.New(dnd5e.System{}, starfinder.System{}, lightsandshadows.System{}).Systems() {
		for _, spec := range want[view.Rules] {
			if !slices.Contains(view.Effects, spec) {
				t.Errorf("%s does not offer %v", view.Rules, spec)
			}
		}
		for i, spec := range view.Effects {
			if slices.ContainsFunc(view.Effects[:i], func(e combat.EffectSpec) bool { return e.Name == spec.Name }) {
				t.Errorf("%s offers %s twice", view.Rules, spec.Name)
			}
		}
	}
}
