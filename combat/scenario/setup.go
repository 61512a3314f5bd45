package scenario

import (
	"slices"
	"strings"

	"riposte/combat"
)

// addition is an add statement: the sheet, and who will own it.
type addition struct {
	handle  string
	sheet   combat.AddCombatant
	seated  bool   // it gets a seat
	shares  string // handle whose seat it shares
	weapons []string
}

// common reads a statement that may stand without a speaker, or with one that
// is entitled to it. It reports false for a word that is none of these.
func (p *parser) common(l *line, step *Step) bool {
	switch {
	case l.take("add"):
		step.added = add(l)
	case l.take("surprised"):
		step.command = surprise(l, true)
	case l.take("alert"):
		step.command = surprise(l, false)
	case l.take("init"):
		name, count := l.name(), l.count()
		step.command = func(g *game) combat.Command {
			return combat.SetInitiative{Combatant: g.id(name), Count: count}
		}
	case l.take("roll"):
		names, die := l.some(), 0
		if l.more() {
			die = l.number()
		}
		step.command = func(g *game) combat.Command {
			return combat.RollInitiative{Combatants: g.ids(names), Die: die}
		}
	case l.take("rolloff"):
		name, die := l.name(), 0
		if l.more() {
			die = l.number()
		}
		step.command = func(g *game) combat.Command { return combat.RollOff{Combatant: g.id(name), Die: die} }
	case l.take("tie"):
		names := l.some()
		step.command = func(g *game) combat.Command { return combat.SettleTie{Order: g.ids(names)} }
	case l.take("start"):
		step.command = always(combat.StartCombat{})
	default:
		return false
	}
	return true
}

// always is a command that needs nothing from the table.
func always(c combat.Command) builder { return func(*game) combat.Command { return c } }

func (p *parser) setup(l *line, step *Step) {
	if !p.common(l, step) {
		l.next()
		l.unknown()
	}
}

func surprise(l *line, surprised bool) builder {
	names := l.some()
	return func(g *game) combat.Command {
		return combat.SetSurprised{Combatants: g.ids(names), Surprised: surprised}
	}
}

// add reads the sheet of a combatant.
func add(l *line) *addition {
	a := &addition{handle: l.next().text}
	a.sheet.Name = a.handle
	switch {
	case a.handle == "" || strings.ContainsAny(a.handle, "/:=!"):
		l.fail("%q cannot be a name here", a.handle)
	case slices.Contains([]string{speakerGM, speakerSpectator, lair, none}, a.handle):
		l.fail("%q means something else", a.handle)
	}
	for l.more() {
		w := l.next()
		key, value, ok := w.pair()
		switch {
		case ok:
			a.field(l, key, value)
		case w.quoted:
			l.unknown()
		case w.text == "pc", w.text == "npc":
			a.sheet.Kind = w.text
		case w.text == "hidden":
			a.sheet.Hidden = true
		case w.text == lair:
			a.stat(lair, 1)
		default:
			l.unknown()
		}
	}
	party := a.sheet.Side == "party" || a.sheet.Side == "" && a.sheet.Kind != "npc"
	a.seated = a.sheet.Kind == "pc" || a.sheet.Kind == "" && party
	if a.sheet.Kind == "" && a.sheet.Side == "" {
		a.sheet.Kind = "pc"
	}
	return a
}

func (a *addition) stat(key string, value int) {
	if a.sheet.Stats == nil {
		a.sheet.Stats = map[string]int{}
	}
	a.sheet.Stats[key] = value
}

func (a *addition) field(l *line, key, value string) {
	integer := func() *int { n := l.integer(value); return &n }
	switch key {
	case "name":
		a.sheet.Name = value
	case "side":
		a.sheet.Side = value
	case "group":
		a.sheet.Group = value
	case "mod":
		a.sheet.Mod = l.integer(value)
	case "init":
		count := l.counted(value)
		a.sheet.Init = &count
	case "hp":
		a.sheet.HP = l.integer(value)
	case "current":
		a.sheet.Current = integer()
	case "temp":
		a.sheet.Temp = l.integer(value)
	case "ac":
		a.sheet.AC = l.integer(value)
	case "speed":
		a.sheet.Speed = integer()
	case "notes":
		a.sheet.Notes = value
	case "answers":
		a.sheet.Answers = strings.Split(value, ",")
	case "seat":
		if a.shares = value; !slices.Contains(l.names, value) {
			l.fail("nobody is called %q", value)
		}
	default:
		a.special(l, key, value)
	}
}

// special reads abilities that recharge, weapons and stats.
func (a *addition) special(l *line, key, value string) {
	if name, is := strings.CutPrefix(key, "recharge."); is {
		if a.sheet.Recharge == nil {
			a.sheet.Recharge = map[string]int{}
		}
		a.sheet.Recharge[name] = l.integer(value)
		return
	}
	first, next, both := strings.Cut(value, "/")
	if name, is := strings.CutPrefix(key, "weapon."); is && both {
		a.stat(key+".first", l.integer(first))
		a.stat(key+".next", l.integer(next))
		a.weapons = append(a.weapons, name)
		return
	}
	if key == "" {
		l.unknown()
	}
	a.stat(key, l.integer(value))
}
