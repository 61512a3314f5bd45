package scenario

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"riposte/combat"
)

// Words for those who look.
const (
	byPlayers    = combat.Players
	bySpectators = combat.Spectators
	byEverybody  = "everybody"
)

// hide reads "B C from players untilAct".
func hide(l *line) builder {
	cmd := combat.SetHidden{Hidden: true}
	names := l.some()
	if l.take("from") {
		cmd.From = l.one(byPlayers, bySpectators)
	}
	cmd.UntilAct = l.take("untilAct")
	return func(g *game) combat.Command {
		cmd := cmd
		cmd.Combatants = g.ids(names)
		return cmd
	}
}

// show reads "B C to players".
func show(l *line) builder {
	cmd := combat.SetHidden{}
	names := l.some()
	if l.take("to") {
		cmd.From = l.one(byPlayers, bySpectators)
	}
	return func(g *game) combat.Command {
		cmd := cmd
		cmd.Combatants = g.ids(names)
		return cmd
	}
}

// sightOf reads "B C for players hp=none count=no"; a value left empty goes back
// to the options.
func sightOf(l *line) builder {
	cmd := combat.SetSight{}
	names := l.some()
	l.must("for")
	cmd.Audience = l.one(byPlayers, bySpectators)
	for l.more() {
		key, value, ok := l.next().pair()
		fields := map[string]**string{"hp": &cmd.HP, "ac": &cmd.AC, "conditions": &cmd.Conditions, "count": &cmd.Count}
		field := fields[key]
		if !ok || field == nil {
			l.unknown()
			break
		}
		*field = &value
	}
	return func(g *game) combat.Command {
		cmd := cmd
		cmd.Combatants = g.ids(names)
		return cmd
	}
}

// expectHidden looks through everything that others were sent.
func expectHidden(l *line) judge {
	hidden := l.name()
	l.must("from")
	from := l.one(byPlayers, bySpectators, byEverybody)
	return func(g *game) error {
		var audiences []combat.Audience
		if from != byPlayers {
			audiences = append(audiences, combat.Audience{Role: combat.RoleSpectator})
		}
		if from != bySpectators {
			audiences = append(audiences, combat.Audience{Role: combat.RolePlayer})
			for name, seat := range g.seats {
				if seat != g.seats[hidden] {
					audiences = append(audiences, g.audience(name))
				}
			}
		}
		shown := g.combatant(hidden).Name
		for _, a := range audiences {
			sent, err := g.table.Sent(a)
			if err != nil {
				return err
			}
			for _, secret := range []string{hidden, shown, string(g.id(hidden))} {
				if secret != "" && bytes.Contains(sent, []byte(secret)) {
					return fmt.Errorf("%s was sent %q", a, secret)
				}
			}
		}
		return nil
	}
}

// viewOf is what players without a seat, or spectators, see.
func (g *game) viewOf(by string) (View, error) {
	if by == bySpectators {
		return g.table.View(combat.Audience{Role: combat.RoleSpectator})
	}
	return g.table.View(combat.Audience{Role: combat.RolePlayer})
}

// expectUnseen looks for somebody in the view as it is now.
func expectUnseen(l *line) judge {
	name := l.name()
	l.must("by")
	by := l.one(byPlayers, bySpectators)
	return func(g *game) error {
		view, err := g.viewOf(by)
		if err != nil {
			return err
		}
		for key, text := range view {
			if id := string(g.id(name)); strings.Contains(key, id) || bytes.Contains(text, []byte(id)) {
				return fmt.Errorf("%s see it in %s", by, key)
			}
		}
		return nil
	}
}

// expectSeen compares what is seen of somebody.
func expectSeen(l *line) judge {
	name := l.name()
	l.must("by")
	by := l.one(byPlayers, bySpectators)
	var want []string
	for l.more() {
		w := l.next()
		key, _, ok := w.pair()
		if !ok || !slices.Contains([]string{"hp", "ac", "count", "conditions", "turn", "done"}, key) {
			l.unknown()
		}
		want = append(want, w.text)
	}
	return func(g *game) error {
		view, err := g.viewOf(by)
		if err != nil {
			return err
		}
		c := value[combat.CombatantView](view, "combatants/"+string(g.id(name)))
		if c.ID == "" {
			return fmt.Errorf("%s do not see it", by)
		}
		found := seenOf(view, c)
		for _, pair := range want {
			key, value, _ := strings.Cut(pair, "=")
			if found[key] != value {
				return fmt.Errorf("found %s=%s", key, found[key])
			}
		}
		return nil
	}
}

// seenOf writes what a view says of somebody.
func seenOf(view View, c combat.CombatantView) map[string]string {
	found := map[string]string{"hp": none, "ac": none, "count": none, "conditions": none}
	switch {
	case c.HP == nil:
	case c.HP.Current != nil:
		found["hp"] = fmt.Sprint(*c.HP.Current)
	default:
		found["hp"] = c.HP.Band
	}
	if c.AC != nil {
		found["ac"] = fmt.Sprint(*c.AC)
	}
	if c.Initiative != nil {
		found["count"] = c.Initiative.String()
	}
	if len(c.Conditions) > 0 {
		found["conditions"] = strings.Join(c.Conditions, ",")
	}
	for _, slot := range value[[]combat.SlotView](view, "order") {
		if slices.Contains(slot.Combatants, c.ID) && found["done"] != "no" { // of several, the first to come
			found["done"] = yesNo(slot.Done)
		}
	}
	found["turn"] = yesNo(value[combat.TurnView](view, "turn").Combatant == c.ID)
	return found
}
