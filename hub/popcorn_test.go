package hub_test

import (
	"strings"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// A rule system of which the hub knows nothing is played over sockets as any
// other: two rounds of popcorn initiative, the same order on every screen.
func TestAnotherRuleSystem(t *testing.T) {
	b := quartetUnder(t, "popcorn", hub.Limits{}, nil)
	b.start()
	sockets := []*hubtest.Client{b.gm, b.p1, b.p2, b.s1}
	player := map[string]*hubtest.Client{"Ash": b.p1, "Birch": b.p2, "Cedar": b.gm, "Dune": b.gm}
	name := map[combat.ID]string{}
	for called, id := range b.id {
		name[id] = called
	}
	// Whoever is named after the order is named next.
	for _, step := range []struct {
		round int
		order string // who has acted, (who acts), who is still to come
		next  string
	}{
		{1, "(Ash) Birch Cedar Dune", "Cedar"},
		{1, "Ash (Cedar) Birch Dune", "Dune"},
		{1, "Ash Cedar (Dune) Birch", "Birch"},
		{1, "Ash Cedar Dune (Birch)", "Dune"},
		{2, "(Dune) Ash Cedar Birch", "Birch"},
		{2, "Dune (Birch) Ash Cedar", "Cedar"},
		{2, "Dune Birch (Cedar) Ash", "Ash"},
		{2, "Dune Birch Cedar (Ash)", "Ash"},
	} {
		acting := step.order[strings.Index(step.order, "(")+1 : strings.Index(step.order, ")")]
		for i, c := range sockets {
			if turn, order := c.Turn(), orderOf(c, name); turn.Round != step.round || name[turn.Combatant] != acting || order != step.order {
				t.Fatalf("socket %d: %s acts in %q of round %d, want %q of %d", i, name[turn.Combatant], order, turn.Round, step.order, step.round)
			}
			var you combat.YouView
			c.Key("you", &you)
			if offered := offers(you, b.id[acting], "handOver"); offered != (c == player[acting] || c == b.gm) {
				t.Fatalf("socket %d: %s may hand over: %v", i, acting, offered)
			}
		}
		hand := combat.Act{Combatant: b.id[acting], Frame: b.gm.Frame(), Kind: "handOver", Targets: []combat.ID{b.id[step.next]}}
		b.s1.Refused("forbidden", hand)
		for _, c := range sockets[1:3] {
			if c != player[acting] {
				c.Refused("not_yours", hand)
			}
		}
		player[acting].Must(hand)
		b.settle()
	}
	if turn := b.s1.Turn(); turn.Round != 3 || name[turn.Combatant] != "Ash" {
		t.Fatalf("%s acts in round %d", name[turn.Combatant], turn.Round)
	}
	same(t, "gm", b.Join(b.Tokens[combat.RoleGM]).View(), b.gm.View())
	same(t, "seat", b.Join(b.seat1.Token).View(), b.p1.View())
	same(t, "spectator", b.Join(b.Tokens[combat.RoleSpectator]).View(), b.s1.View())
}

// orderOf is the order as a socket shows it, the current one in brackets.
func orderOf(c *hubtest.Client, name map[combat.ID]string) string {
	var order []combat.SlotView
	c.Key("order", &order)
	var all []string
	for _, slot := range order {
		for _, id := range slot.Combatants {
			if slot.Current {
				all = append(all, "("+name[id]+")")
			} else {
				all = append(all, name[id])
			}
		}
	}
	return strings.Join(all, " ")
}

// offers reports whether a viewer may let a combatant act in a way.
func offers(you combat.YouView, combatant combat.ID, kind string) bool {
	for _, o := range you.Can {
		if o.Type == "act" && o.Combatant == combatant && o.Kind == kind {
			return true
		}
	}
	return false
}
