package scenario

import "riposte/combat"

// gm reads the rest of "gm: verb …".
func (p *parser) gm(l *line, step *Step) {
	if p.common(l, step) {
		return
	}
	verb := l.next().text
	read, known := rulings[verb]
	if !known {
		l.unknown()
		return
	}
	step.command = read(l)
}

// rulings are the GM's own verbs.
var rulings = map[string]func(l *line) builder{
	"damage": damage,
	"heal": func(l *line) builder {
		names, amount := l.some(), l.number()
		return func(g *game) combat.Command { return combat.Heal{Combatants: g.ids(names), Amount: amount} }
	},
	"temp": func(l *line) builder {
		names, amount := l.some(), l.number()
		return func(g *game) combat.Command { return combat.SetTempHP{Combatants: g.ids(names), Amount: amount} }
	},
	"kill":    several(func(ids []combat.ID) combat.Command { return combat.SetDefeated{Combatants: ids, Defeated: true} }),
	"restore": several(func(ids []combat.ID) combat.Command { return combat.SetDefeated{Combatants: ids} }),
	"remove":  several(func(ids []combat.ID) combat.Command { return combat.RemoveCombatant{Combatants: ids} }),
	"hide":    hide,
	"show":    show,
	"sight":   sightOf,
	"reorder": several(func(ids []combat.ID) combat.Command { return combat.Reorder{Order: ids} }),
	"effect":  effect,
	"noeffect": func(l *line) builder {
		name := l.next().text
		l.must("on")
		target := l.name()
		return func(g *game) combat.Command { return combat.RemoveEffect{Effects: g.effects(name, target)} }
	},
	"setActive": func(l *line) builder {
		name := l.name()
		return func(g *game) combat.Command { return combat.SetActive{Combatant: g.id(name)} }
	},
	"grant": func(l *line) builder {
		name, pool, amount := l.name(), l.next().text, l.number()
		return func(g *game) combat.Command {
			return combat.Grant{Combatant: g.id(name), Pool: pool, Amount: amount}
		}
	},
	"spent":   func(l *line) builder { return charge(l, false) },
	"charged": func(l *line) builder { return charge(l, true) },
	"edit":    edit,
	"assign": func(l *line) builder {
		name, owner := l.name(), l.name()
		return func(g *game) combat.Command {
			return combat.AssignSeat{Combatant: g.id(name), Seat: g.seats[owner]}
		}
	},
	"option": func(l *line) builder {
		options := map[string]string{}
		for l.more() {
			key, value, ok := l.next().pair()
			if !ok {
				l.unknown()
			}
			options[key] = value
		}
		return always(combat.SetOptions{Options: options})
	},
	"window": func(l *line) builder {
		l.must("close")
		return func(g *game) combat.Command { return combat.CloseWindow{Window: g.window().Window} }
	},
	"undo":    func(*line) builder { return always(combat.Undo{}) },
	"redo":    func(*line) builder { return always(combat.Redo{}) },
	"end":     func(*line) builder { return always(combat.EndTurn{}) },
	"finish":  func(*line) builder { return always(combat.EndCombat{}) },
	"reset":   func(*line) builder { return always(combat.ResetCombat{}) },
	"clear":   func(*line) builder { return always(combat.ResetCombat{Clear: true}) },
	"accept":  func(l *line) builder { return verdict(l.name(), true) },
	"dismiss": func(l *line) builder { return verdict(l.name(), false) },
}

// verdict answers a proposal about somebody.
func verdict(who string, yes bool) builder {
	return func(g *game) combat.Command {
		return combat.Answer{Pending: g.owes(who, combat.PendingProposal), Accept: &yes}
	}
}

// several makes the verb of a command about a list of combatants.
func several(make func([]combat.ID) combat.Command) func(*line) builder {
	return func(l *line) builder {
		names := l.some()
		return func(g *game) combat.Command { return make(g.ids(names)) }
	}
}

func damage(l *line) builder {
	d := combat.Damage{}
	names, source := l.some(), ""
	d.Amount = l.number()
	for l.more() {
		w := l.next()
		key, value, _ := w.pair()
		switch {
		case w.text == "from":
			source = l.name()
		case w.text == "critical":
			d.Critical = true
		case w.text == "melee":
			d.Melee = true
		case key == "kind":
			d.Kind = value
		default:
			l.unknown()
		}
	}
	return func(g *game) combat.Command {
		d := d
		d.Combatants, d.Source = g.ids(names), g.id(source)
		return d
	}
}

func charge(l *line, charged bool) builder {
	name, ability := l.name(), l.next().text
	return func(g *game) combat.Command {
		return combat.SetCharged{Combatant: g.id(name), Name: ability, Charged: charged}
	}
}

// edit reads changes to a sheet.
func edit(l *line) builder {
	who := l.name()
	e := combat.EditCombatant{}
	for l.more() {
		key, value, ok := l.next().pair()
		if !ok {
			l.unknown()
			break
		}
		integer := func() *int { n := l.integer(value); return &n }
		switch key {
		case "name":
			e.Name = &value
		case "side":
			e.Side = &value
		case "group":
			e.Group = &value
		case "mod":
			e.Mod = integer()
		case "hp":
			e.MaxHP = integer()
		case "ac":
			e.AC = integer()
		case "speed":
			e.Speed = integer()
		case "notes":
			e.Notes = &value
		default:
			if e.Stats == nil {
				e.Stats = map[string]int{}
			}
			e.Stats[key] = l.integer(value)
		}
	}
	return func(g *game) combat.Command {
		e := e
		e.Combatant = g.id(who)
		return e
	}
}

// effect reads the words of an effect.
func effect(l *line) builder {
	e := combat.AddEffect{Name: l.next().text}
	l.must("on")
	targets, source, of := l.some(), "", ""
	for l.more() {
		w := l.next()
		if key, value, ok := w.pair(); ok {
			effectField(l, &e, key, value)
			continue
		}
		switch w.text {
		case "from":
			source = l.name()
		case "until":
			e.Until, of = until(l)
		case "for":
			e.Until = &combat.Until{At: "rounds", Rounds: l.number()}
			l.one("rounds", "round")
		case "concentration":
			e.Concentration = true
		case "hidden":
			e.Hidden = true
		case "save":
			e.Save = &combat.Save{Ability: l.next().text, DC: l.number()}
		default:
			l.unknown()
		}
	}
	return func(g *game) combat.Command {
		e := e
		e.Combatants, e.Source = g.ids(targets), g.id(source)
		if of != "" {
			until := *e.Until
			until.Of = g.id(of)
			e.Until = &until
		}
		return e
	}
}

func effectField(l *line, e *combat.AddEffect, key, value string) {
	switch key {
	case "ac":
		e.AC = l.integer(value)
	case "maxHp":
		e.MaxHP = l.integer(value)
	case "speed":
		e.Speed = l.integer(value)
	case "turnDamage":
		e.TurnDamage = l.integer(value)
	case "kind":
		e.DamageKind = value
	case "resist":
		e.Resist = value
	default:
		l.unknown()
	}
}

// until reads "start of X next turn", "end of X turn in 2 rounds" and "end of
// round", and returns whose turn it is about.
func until(l *line) (u *combat.Until, of string) {
	edge := l.one("start", "end")
	l.must("of")
	if edge == "end" && l.take("round") {
		return &combat.Until{At: combat.AtRoundEnd}, ""
	}
	u = &combat.Until{At: combat.AtTurnStart}
	if edge == "end" {
		u.At = combat.AtTurnEnd
	}
	of = l.name()
	l.take("next")
	l.must("turn")
	if l.take("in") {
		u.Rounds = l.number()
		l.one("rounds", "round")
	}
	return u, of
}
