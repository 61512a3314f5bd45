package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"riposte/combat"
)

// same compares what a view says with what was expected.
func same[T comparable](found, want T) error {
	if found != want {
		return fmt.Errorf("found %v", found)
	}
	return nil
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// expectation reads the rest of "expect …".
func expectation(l *line) judge {
	about := l.next().text
	if read, known := expectations[about]; known {
		return read(l)
	}
	l.unknown()
	return nil
}

var expectations = map[string]func(l *line) judge{
	// Whose moment it is.
	"turn": func(l *line) judge {
		want := l.someone(lair, none)
		return func(g *game) error { return same(g.turnName(), want) }
	},
	"acting": func(l *line) judge {
		want := l.someone(none)
		return func(g *game) error {
			stack := g.stack()
			if len(stack) == 0 {
				return same(none, want)
			}
			return same(g.name(stack[len(stack)-1].Combatant), want)
		}
	},
	"stack": func(l *line) judge {
		want := l.nobodyOr()
		return func(g *game) error {
			var ids []combat.ID
			for _, frame := range g.stack() {
				ids = append(ids, frame.Combatant)
			}
			return same(g.list(ids), want)
		}
	},
	"round": func(l *line) judge {
		want := l.number()
		return func(g *game) error { return same(g.encounter().Round, want) }
	},
	"phase": func(l *line) judge {
		want := l.one(combat.PhaseSetup, combat.PhaseInitiative, combat.PhaseDeclaration, combat.PhaseSurprise,
			combat.PhaseRounds, combat.PhaseEnded)
		return func(g *game) error { return same(g.encounter().Phase, want) }
	},
	"count": func(l *line) judge {
		want := l.count()
		return func(g *game) error {
			if count := g.encounter().Count; count != nil {
				return same(*count, want)
			}
			return fmt.Errorf("found no count")
		}
	},
	"order": expectOrder,
	"window": func(l *line) judge {
		want := l.nobodyOr()
		return func(g *game) error { return same(g.list(g.window().Eligible), want) }
	},
	"pending": expectPending,
	"hidden":  expectHidden,
	"seen":    expectSeen,
	"unseen":  expectUnseen,

	// One combatant.
	"budget":   expectBudget,
	"reaction": ofOne((*line).yes, func(c combat.CombatantView) bool { return c.Reaction }),
	"hp": ofOne((*line).number, func(c combat.CombatantView) int {
		if c.HP == nil || c.HP.Current == nil {
			return -1
		}
		return *c.HP.Current
	}),
	"temp": ofOne((*line).number, func(c combat.CombatantView) int {
		if c.HP == nil {
			return -1
		}
		return c.HP.Temp
	}),
	"ac": ofOne((*line).number, func(c combat.CombatantView) int {
		if c.AC == nil {
			return -1
		}
		return *c.AC
	}),
	"initiative": ofOne((*line).count, func(c combat.CombatantView) combat.Count {
		if c.Initiative == nil {
			return -combat.MaxCount
		}
		return *c.Initiative
	}),
	"holds":     ofOne((*line).yes, func(c combat.CombatantView) bool { return c.Delaying }),
	"declared":  ofOne((*line).yes, func(c combat.CombatantView) bool { return c.Declared }),
	"plan":      expectPlan,
	"readied":   ofOne((*line).yes, func(c combat.CombatantView) bool { return c.Readied != nil }),
	"surprised": ofOne((*line).yes, func(c combat.CombatantView) bool { return c.Surprised }),
	"marks": ofOne(func(l *line) combat.DeathSavesView {
		return combat.DeathSavesView{Successes: l.number(), Failures: l.number()}
	}, func(c combat.CombatantView) combat.DeathSavesView {
		if c.Saves == nil {
			return combat.DeathSavesView{}
		}
		return *c.Saves
	}),
	"charged": func(l *line) judge {
		name, ability, want := l.name(), l.next().text, l.yes()
		return func(g *game) error { return same(yesNo(g.combatant(name).Recharge[ability]), yesNo(want)) }
	},
	"state":  expectState,
	"effect": func(l *line) judge { return expectEffect(l, true) },
	"no": func(l *line) judge {
		l.must("effect")
		return expectEffect(l, false)
	},
	"left":   expectLeft,
	"can":    func(l *line) judge { return expectCan(l, true) },
	"cannot": func(l *line) judge { return expectCan(l, false) },
}

// ofOne makes the expectation about one field of a combatant: a reader of the
// wanted value and one of the found value.
func ofOne[T comparable](read func(*line) T, field func(combat.CombatantView) T) func(*line) judge {
	return func(l *line) judge {
		name := l.name()
		want := read(l)
		return func(g *game) error {
			c := g.combatant(name)
			if c.ID == "" {
				return fmt.Errorf("%s is not there", name)
			}
			return same(field(c), want)
		}
	}
}

// someone takes a name, or one of these words.
func (l *line) someone(or ...string) string {
	for _, w := range or {
		if l.take(w) {
			return w
		}
	}
	return l.name()
}

// nobodyOr takes none, or names.
func (l *line) nobodyOr() string {
	if l.take(none) {
		return none
	}
	return strings.Join(l.some(), " ")
}

// expectOrder compares slot by slot.
func expectOrder(l *line) judge {
	var all []string
	for l.more() {
		text := l.next().text
		fits := func(name string) bool {
			count, is := strings.CutPrefix(text, name)
			_, err := combat.ParseCount(count)
			return is && err == nil
		}
		if text != none && !slices.ContainsFunc(append([]string{lair}, l.names...), fits) {
			l.fail("%q is not a name with a count", text)
		}
		all = append(all, text)
	}
	if len(all) == 0 {
		l.fail("the statement ends too early")
	}
	want := strings.Join(all, " ")
	return func(g *game) error { return same(g.orderText(), want) }
}

// expectPlan compares a plan as its owner sees it: each action as its weapon or
// kind and its count, "lost" where that gives no slot.
func expectPlan(l *line) judge {
	name := l.name()
	var words []string
	for l.more() {
		words = append(words, l.next().text)
	}
	if len(words) == 0 {
		l.fail("the statement ends too early")
	}
	want := strings.Join(words, " ")
	return func(g *game) error {
		view, err := g.table.View(g.audience(name))
		if err != nil {
			return err
		}
		found := []string{}
		for _, in := range value[combat.CombatantView](view, "combatants/"+string(g.id(name))).Plan {
			what := in.Weapon
			if what == "" {
				what = in.Kind
			}
			found = append(found, what+in.Count.String())
			if in.Lost {
				found = append(found, "lost")
			}
		}
		if len(found) == 0 {
			found = append(found, none)
		}
		return same(strings.Join(found, " "), want)
	}
}

// decisions are the kinds of pending decision.
var decisions = []string{"tie", "roll-off", "death", "concentration", "save", "faint", combat.PendingDeclaration, combat.PendingProposal}

// expectPending looks for a decision of a kind that these owe, in any order.
func expectPending(l *line) judge {
	kind := l.one(append([]string{none}, decisions...)...)
	var names []string
	if kind != none {
		names = l.some()
	}
	return func(g *game) error {
		found := []string{}
		for _, p := range each[combat.PendingView](g.gm, "pending/") {
			matches := p.Kind == kind && len(p.Combatants) == len(names)
			for _, id := range p.Combatants {
				matches = matches && slices.Contains(names, g.name(id))
			}
			if matches {
				return nil
			}
			found = append(found, p.Kind+" "+g.list(p.Combatants))
		}
		if kind == none && len(found) == 0 {
			return nil
		}
		if len(found) == 0 {
			return fmt.Errorf("found none")
		}
		slices.Sort(found)
		return fmt.Errorf("found %s", strings.Join(found, ", "))
	}
}

// expectBudget compares the pools that are named.
func expectBudget(l *line) judge {
	name := l.name()
	want := map[string]int{}
	for l.more() {
		key, value, ok := l.next().pair()
		if !ok {
			l.unknown()
		}
		want[key] = l.integer(value)
	}
	if len(want) == 0 {
		l.fail("the statement ends too early")
	}
	return func(g *game) error {
		found := []string{}
		left := map[string]int{}
		for _, pool := range g.combatant(name).Budget {
			left[pool.Name] = pool.Left
			found = append(found, pool.Name+"="+strconv.Itoa(pool.Left))
		}
		for pool, n := range want {
			// A pool that was never granted holds nothing.
			if left[pool] != n {
				return fmt.Errorf("found %s", strings.Join(found, " "))
			}
		}
		return nil
	}
}

func expectState(l *line) judge {
	name := l.name()
	want := l.one("dying", "dead", "stable", "unconscious", "up", "defeated")
	return func(g *game) error {
		c := g.combatant(name)
		is := c.Life == want
		switch want {
		case "unconscious":
			is = c.Life == combat.Dying || c.Life == combat.Stable || slices.Contains(c.Conditions, want)
		case "defeated":
			is = c.Defeated || c.Life == combat.Dead
		}
		if !is {
			return fmt.Errorf("found %s, defeated %s, under %v", c.Life, yesNo(c.Defeated), c.Conditions)
		}
		return nil
	}
}

// effectOn reads "NAME on B".
func effectOn(l *line) (name, target string) {
	name = l.next().text
	l.must("on")
	return name, l.name()
}

// find returns the first effect of that name on somebody.
func (g *game) find(name, target string) (e combat.EffectView, found bool) {
	for _, e := range each[combat.EffectView](g.gm, "effects/") {
		if e.Name == name && e.Target == g.id(target) {
			return e, true
		}
	}
	return e, false
}

func expectEffect(l *line, want bool) judge {
	name, target := effectOn(l)
	return func(g *game) error {
		if _, found := g.find(name, target); found != want {
			var all []string
			for _, e := range each[combat.EffectView](g.gm, "effects/") {
				all = append(all, e.Name+" on "+g.name(e.Target))
			}
			slices.Sort(all)
			return fmt.Errorf("found %v", all)
		}
		return nil
	}
}

// expectLeft compares the rounds that an effect has left, as people are told.
func expectLeft(l *line) judge {
	name, target := effectOn(l)
	want := l.number()
	return func(g *game) error {
		e, found := g.find(name, target)
		if !found || e.RoundsLeft == nil {
			return fmt.Errorf("found no such number")
		}
		return same(*e.RoundsLeft, want)
	}
}

// expectCan reads the offers in the owner's view.
func expectCan(l *line, want bool) judge {
	name, command, kind := l.name(), l.next().text, ""
	if l.err == nil && !slices.Contains(combat.CommandNames(), command) {
		l.unknown()
	}
	if l.more() {
		kind = l.next().text
	}
	return func(g *game) error {
		view, err := g.table.View(g.audience(name))
		if err != nil {
			return err
		}
		var offered []string
		for _, o := range value[combat.YouView](view, "you").Can {
			anybody := o.Combatant == "" && len(o.Combatants) == 0
			if !anybody && o.Combatant != g.id(name) && !slices.Contains(o.Combatants, g.id(name)) {
				continue
			}
			if o.Type == command && (kind == "" || o.Kind == kind) {
				if want {
					return nil
				}
				return fmt.Errorf("it is offered")
			}
			offered = append(offered, strings.TrimSpace(o.Type+" "+o.Kind))
		}
		if want {
			return fmt.Errorf("offered are: %s", strings.Join(offered, ", "))
		}
		return nil
	}
}
