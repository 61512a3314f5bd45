package scenario_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"riposte/combat"
	"riposte/combat/scenario"
)

// whole are refusals of a command whatever its free fields say: it must then
// not have been offered.
var whole = []string{"not_your_turn", "not_acting", "no_reaction", "nothing_readied", "not_in_this_system",
	"pending_decision", "not_started", "already_started", "no_combatants", "nothing_to_undo", "nothing_to_redo", "not_yours"}

// offering is a table at which what is accepted must have been offered, and
// what is refused as a whole must not.
type offering struct{ scenario.Table }

func (o offering) Do(as combat.Audience, command combat.Command) (*combat.Refusal, error) {
	view, err := o.View(as)
	if err != nil {
		return nil, err
	}
	var you combat.YouView
	if err := json.Unmarshal(view["you"], &you); err != nil {
		return nil, err
	}
	offered := slices.ContainsFunc(you.Can, func(offer combat.Offer) bool { return fits(offer, command) })
	refusal, err := o.Table.Do(as, command)
	switch {
	case err != nil || ruling(command):
	case refusal == nil && !offered:
		err = fmt.Errorf("accepted, but not offered to %s", as)
	case refusal != nil && offered && slices.Contains(whole, refusal.Code):
		err = fmt.Errorf("refused as %s, but offered to %s", refusal.Code, as)
	}
	return refusal, err
}

// ruling reports whether the GM puts itself above the rules, which is not
// offered but always there.
func ruling(command combat.Command) bool {
	switch c := command.(type) {
	case combat.Move:
		return c.Forced || c.Force
	case combat.Act:
		return c.Force
	case combat.React:
		return c.Force
	}
	return false
}

// fits reports whether an offer is for this command: every fixed field that
// both give is the same.
func fits(offer combat.Offer, command combat.Command) bool {
	if offer.Type != combat.CommandName(command) {
		return false
	}
	encoded, err := combat.EncodeCommand(command)
	if err != nil {
		return false
	}
	var given struct {
		Combatant  combat.ID
		Combatants []combat.ID
		Kind       string
		Pending    combat.ID
	}
	if err := json.Unmarshal(encoded, &given); err != nil {
		return false
	}
	for _, id := range append(given.Combatants, given.Combatant) {
		anybody := id == "" || offer.Combatant == "" && len(offer.Combatants) == 0
		if !anybody && offer.Combatant != id && !slices.Contains(offer.Combatants, id) {
			return false
		}
	}
	same := func(fixed, sent string) bool { return fixed == "" || sent == "" || fixed == sent }
	return same(offer.Kind, given.Kind) && same(string(offer.Pending), string(given.Pending))
}

// TestOffers plays every scenario at a table that compares offers with answers.
func TestOffers(t *testing.T) {
	for _, s := range files(t) {
		t.Run(s.ID, func(t *testing.T) {
			open := func(s *scenario.Scenario) (scenario.Table, error) {
				table, err := scenario.InMemory(engine(), 1)(s)
				return offering{table}, err
			}
			if err := scenario.Play(s, open, nil); err != nil {
				t.Fatal(err)
			}
		})
	}
}
