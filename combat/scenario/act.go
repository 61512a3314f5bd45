package scenario

import (
	"slices"
	"strings"

	"riposte/combat"
)

// acting reads the rest of "A: verb …".
func (p *parser) acting(l *line, step *Step) {
	who := step.subject
	if p.common(l, step) {
		return
	}
	verb := l.next().text
	if read, known := verbs[verb]; known {
		step.command = read(l, who)
		return
	}
	switch verb {
	case "damage", "heal", "temp", "effect", "noeffect": // of its own hit points and effects
		step.command = rulings[verb](l)
	case "takeBack":
		step.command = verdict(who, false)
	case "declare", "draft":
		step.command = declare(l, who, p.weapons[who], verb == "draft")
	case "move":
		step.command = move(l, who)
	case "save":
		step.command = save(l, who)
	default:
		l.unknown()
	}
}

// verbs are those whose words need only the speaker.
var verbs = map[string]func(l *line, who string) builder{
	"attack": func(l *line, who string) builder {
		d := deed{kind: "attack", targets: l.some()}
		d.read(l, "cost", "level", "provokes", "attack", "done", "force")
		return d.act(who)
	},
	"act": func(l *line, who string) builder {
		d := deed{kind: l.next().text}
		d.read(l, "name", "targets", "cost", "level", "provokes", "attack", "done", "force")
		return d.act(who)
	},
	"ready": func(l *line, who string) builder {
		d := deed{kind: l.next().text}
		d.read(l, "name", "targets", "bare", "cost", "level", "defensive", "when")
		return func(g *game) combat.Command {
			return combat.Ready{Combatant: g.id(who), Kind: d.kind, Name: d.name, Targets: g.ids(d.targets),
				Level: d.level, Trigger: d.when, Defensive: d.defensive, Cost: d.cost}
		}
	},
	"react": func(l *line, who string) builder {
		d := deed{kind: l.next().text}
		d.read(l, "name", "targets", "bare", "level", "provokes", "attack", "defensive", "ac", "to", "done", "force")
		return func(g *game) combat.Command {
			return combat.React{Combatant: g.id(who), Window: g.asks(who), To: g.frameOf(d.to), Kind: d.kind, Name: d.name,
				Targets: g.ids(d.targets), Level: d.level, Defensive: d.defensive, AC: d.ac,
				Provokes: g.ids(d.provokes), Attack: d.attack, Done: d.done, Force: d.force}
		}
	},
	"release": func(l *line, who string) builder {
		d := deed{}
		d.read(l, "targets", "bare", "attack", "done")
		return func(g *game) combat.Command {
			return combat.Release{Combatant: g.id(who), Window: g.asks(who), Targets: g.ids(d.targets), Attack: d.attack, Done: d.done}
		}
	},
	"decline": func(_ *line, who string) builder {
		return func(g *game) combat.Command { return combat.Decline{Combatant: g.id(who), Window: g.asks(who)} }
	},
	"legendary": func(l *line, who string) builder {
		d := deed{name: l.next().text}
		cost := 0
		if l.more() {
			if key, value, ok := l.words[l.at].pair(); ok && key == "cost" {
				l.next()
				cost = l.integer(value)
			}
		}
		d.read(l, "targets", "bare", "attack", "done")
		return func(g *game) combat.Command {
			return combat.LegendaryAction{Combatant: g.id(who), Name: d.name, Cost: cost, Targets: g.ids(d.targets),
				Attack: d.attack, Done: d.done}
		}
	},
	"end":      about(func(id combat.ID) combat.Command { return combat.EndTurn{Combatant: id} }),
	"delay":    about(func(id combat.ID) combat.Command { return combat.Delay{Combatant: id} }),
	"return":   about(func(id combat.ID) combat.Command { return combat.ReturnFromDelay{Combatant: id} }),
	"hold":     about(func(id combat.ID) combat.Command { return combat.Hold{Combatant: id} }),
	"take":     about(func(id combat.ID) combat.Command { return combat.Take{Combatant: id} }),
	"pass":     about(func(id combat.ID) combat.Command { return combat.Pass{Combatant: id} }),
	"withdraw": about(func(id combat.ID) combat.Command { return combat.WithdrawDeclaration{Combatant: id} }),
}

// about makes the verb of a command that says only who.
func about(make func(combat.ID) combat.Command) func(*line, string) builder {
	return func(_ *line, who string) builder {
		return func(g *game) combat.Command { return make(g.id(who)) }
	}
}

// deed is what may follow a verb.
type deed struct {
	kind, name        string
	targets, provokes []string
	cost, to, when    string
	level, ac         int
	defensive         bool
	done, force       bool
	attack            *combat.Attack
}

func (d deed) act(who string) builder {
	return func(g *game) combat.Command {
		return combat.Act{Combatant: g.id(who), Kind: d.kind, Name: d.name, Targets: g.ids(d.targets), Cost: d.cost,
			Level: d.level, Provokes: g.ids(d.provokes), Attack: d.attack, Done: d.done, Force: d.force}
	}
}

// read takes the rest of the line; may lists what may stand there.
func (d *deed) read(l *line, may ...string) {
	allowed := func(what string) bool {
		if !slices.Contains(may, what) {
			l.unknown()
		}
		return l.err == nil
	}
	for l.more() {
		bare := l.named()
		w := l.next()
		if w.quoted {
			if allowed("name") {
				d.name = w.text
			}
			continue
		}
		if key, value, ok := w.pair(); ok {
			d.value(l, key, value, allowed)
			continue
		}
		switch w.text {
		case "targets":
			if allowed("targets") {
				d.targets = l.some()
			}
		case "provokes":
			if allowed("provokes") {
				d.provokes = l.some()
			}
		case "action", "bonus":
			if allowed("cost") {
				d.cost = w.text
			}
		case "to":
			if allowed("to") {
				d.to = l.name()
			}
		case "when":
			if allowed("when") {
				d.when = l.next().text
			}
		case "defensive":
			d.defensive = allowed("defensive")
		case "done":
			d.done = allowed("done")
		case "force":
			d.force = allowed("force")
		case "hit", "miss", "critical", "melee":
			if allowed("attack") {
				d.verdict(l, w.text)
			}
		default:
			if !bare {
				l.unknown()
			} else if allowed("bare") {
				d.targets = append(d.targets, w.text)
			}
		}
	}
}

// value reads a key=value word.
func (d *deed) value(l *line, key, value string, allowed func(string) bool) {
	switch key {
	case "cost":
		if allowed("cost") {
			d.cost = value
		}
	case "level":
		if allowed("level") {
			d.level = l.integer(value)
		}
	case "ac":
		if allowed("ac") {
			d.ac = l.integer(value)
		}
	case "total", "toHit", "damage", "kind":
		if !allowed("attack") {
			return
		}
		a := d.rolled()
		switch key {
		case "total":
			n := l.integer(value)
			a.Total = &n
		case "toHit":
			n := l.integer(value)
			a.ToHit = &n
		case "damage":
			a.Damage = value
		case "kind":
			a.Kind = value
		}
	default:
		l.unknown()
	}
}

func (d *deed) rolled() *combat.Attack {
	if d.attack == nil {
		d.attack = &combat.Attack{}
	}
	return d.attack
}

// verdict reads hit, which a number may follow, miss, critical and melee.
func (d *deed) verdict(l *line, word string) {
	a := d.rolled()
	switch word {
	case "hit", "miss":
		hit := word == "hit"
		a.Hit = &hit
		if hit && l.more() && strings.ContainsAny(l.words[l.at].text[:min(1, len(l.words[l.at].text))], "0123456789") {
			a.Damage = l.next().text
		}
	case "critical":
		a.Critical = true
	case "melee":
		a.Melee = true
	}
}

func move(l *line, who string) builder {
	var m combat.Move
	var leaves []string
	if l.more() && l.words[l.at].text != "stand" {
		m.Feet = l.number()
	}
	for l.more() {
		switch l.next().text {
		case "leaves":
			leaves = l.some()
		case "difficult":
			m.Difficult = true
		case "crawl":
			m.Crawl = true
		case "stand":
			m.Stand = true
		case "forced":
			m.Forced = true
		case "force":
			m.Force = true
		default:
			l.unknown()
		}
	}
	return func(g *game) combat.Command {
		m := m
		m.Combatant, m.LeavesReachOf = g.id(who), g.ids(leaves)
		return m
	}
}

// declare reads the actions intended for a round.
func declare(l *line, who string, weapons []string, draft bool) builder {
	actions := []combat.Declared{}
	for l.more() {
		text, hasten, hastened := strings.Cut(l.next().text, "+")
		one := combat.Declared{Kind: text}
		if slices.Contains(weapons, text) {
			one = combat.Declared{Kind: "attack", Weapon: text}
		}
		if hastened {
			one.Hasten = l.integer(hasten)
		}
		actions = append(actions, one)
	}
	return func(g *game) combat.Command {
		return combat.Declare{Combatant: g.id(who), Actions: actions, Draft: draft}
	}
}

// save reads the answer to a saving throw or death save that is owed.
func save(l *line, who string) builder {
	kind, die := l.next().text, 0
	if l.more() {
		die = l.number()
	}
	return func(g *game) combat.Command { return combat.Answer{Pending: g.owes(who, kind), Die: die} }
}

func lairAction(l *line) builder {
	d := deed{}
	d.read(l, "name", "targets", "bare")
	return func(g *game) combat.Command { return combat.LairAction{Name: d.name, Targets: g.ids(d.targets)} }
}
