package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"riposte/combat"
)

// Writer takes printed text; any io.Writer is one. The core does no input or
// output of its own.
type Writer interface {
	Write(text []byte) (n int, err error)
}

// Printer writes a fight as a table of rounds: who acted at what count, what
// broke into what, and what came of it. One Printer prints one scenario.
type Printer struct {
	out   Writer
	width int // of the column of names
	last  combat.ID
	round int
}

// NewPrinter writes to out. The width of the table depends on the names.
func NewPrinter(out Writer, s *Scenario) *Printer {
	p := &Printer{out: out, round: -1}
	for _, name := range s.Handles() {
		p.width = max(p.width, utf8.RuneCountInString(name)+2)
	}
	return p
}

// deedWidth is the column of deeds: longer ones push their outcome right.
const deedWidth = 42

// Watch prints one moment; it is a Watcher.
func (p *Printer) Watch(m Moment) error {
	before, after := look(m.Before), look(m.After)
	if !before.fighting() && !after.fighting() {
		return nil
	}
	var b strings.Builder
	if _, starts := m.Command.(combat.StartCombat); starts {
		p.opening(&b, after)
	} else {
		p.row(&b, m, before, after)
	}
	p.heading(&b, before, after)
	if before.fighting() && !after.fighting() {
		p.closing(&b, after)
	}
	_, err := p.out.Write([]byte(b.String()))
	return err
}

// opening prints the order.
func (p *Printer) opening(b *strings.Builder, s sight) {
	var all []string
	for _, slot := range s.order {
		for _, name := range s.slotNames(slot) {
			all = append(all, name+" "+slot.Count.String())
		}
	}
	fmt.Fprintf(b, "  in order: %s\n", strings.Join(all, ", "))
	for _, c := range s.all {
		if c.Surprised {
			fmt.Fprintf(b, "  %s is surprised\n", c.Name)
		}
	}
}

// heading prints those whose turn passed, and a heading when a round begins.
func (p *Printer) heading(b *strings.Builder, before, after sight) {
	old, now := before.encounter.Round, after.encounter.Round
	if !after.fighting() || old > now && before.fighting() {
		p.last, p.round = "", now
		return
	}
	missed := func(slots []combat.SlotView) {
		for _, slot := range slots {
			for _, id := range slot.Combatants {
				if c := after.one(id); c.ID != "" && !c.Defeated && c.Life != combat.Dead {
					p.line(b, slot.Count.String(), strings.Join(after.slotNames(slot), " "), "cannot act", "")
					break
				}
			}
		}
	}
	if before.fighting() && now == old+1 {
		missed(slices.DeleteFunc(before.order, func(s combat.SlotView) bool { return s.Done || s.Slot == before.turn.Slot }))
	}
	if now != p.round {
		fmt.Fprintf(b, "\nRound %d\n", now)
		p.round, p.last = now, ""
	}
	missed(slices.DeleteFunc(after.order, func(s combat.SlotView) bool {
		was := func(o combat.SlotView) bool { return o.Slot == s.Slot && (o.Done || o.Slot == before.turn.Slot) }
		return !s.Done || s.Slot == after.turn.Slot || now == old && slices.ContainsFunc(before.order, was)
	}))
}

// row prints what was done and what came of it.
func (p *Printer) row(b *strings.Builder, m Moment, before, after sight) {
	actor, deed := before.deed(m)
	came := outcome(before, after)
	if _, ends := m.Command.(combat.EndTurn); ends {
		switch idle := len(before.stack) == 1 && p.last != before.turn.Slot; {
		case idle:
			deed = "does nothing"
		case came == "":
			return
		default:
			deed = "ends"
		}
	}
	count, name := "", before.name(actor)
	if before.turn.Combatant == actor && before.lair() {
		name = theLair
	}
	depth := before.depth(actor, m.Command)
	if depth == 0 && before.turn.Slot != "" && actor == before.turn.Combatant {
		if p.last == before.turn.Slot {
			name = ""
		} else if before.encounter.Count != nil {
			count = before.encounter.Count.String()
		}
		p.last = before.turn.Slot
	} else if name == "" {
		name, p.last = "GM", ""
	}
	if depth > 0 {
		name = strings.Repeat("  ", depth-1) + "└ " + name
	}
	p.line(b, count, name, deed, came)
}

// line prints one aligned row.
func (p *Printer) line(b *strings.Builder, count, name, deed, came string) {
	text := fmt.Sprintf("%6s  %s  %s", count, pad(name, p.width), pad(deed, deedWidth))
	if came != "" {
		text += "  " + came
	}
	b.WriteString(strings.TrimRight(text, " ") + "\n")
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// closing prints how everybody is.
func (p *Printer) closing(b *strings.Builder, s sight) {
	b.WriteString("\nThe fight is over\n")
	for _, c := range s.all {
		hp := ""
		if c.HP != nil && c.HP.Max > 0 {
			hp = points(c.HP) + "/" + strconv.Itoa(c.HP.Max) + " HP"
		}
		p.line(b, "", c.Name, hp, strings.TrimSpace(states[c.Life]+" "+strings.Join(c.Conditions, ", ")))
	}
}

// states are the ways to be that are worth a word.
var states = map[string]string{combat.Dying: "dying", combat.Stable: "stable", combat.Dead: "dead"}

// outcome lists what changed between two sights.
func outcome(before, after sight) string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	for _, c := range after.all {
		old := before.one(c.ID)
		if old.ID == "" {
			add("%s joins", c.Name)
			continue
		}
		if was, is := points(old.HP), points(c.HP); was != is {
			add("%s %s → %s HP", c.Name, was, is)
		}
		if c.Life != old.Life {
			switch c.Life {
			case combat.Up:
				add("%s is up again", c.Name)
			default:
				add("%s is %s", c.Name, states[c.Life])
			}
		}
		if c.AC != nil && old.AC != nil && *c.AC != *old.AC {
			add("%s AC %d → %d", c.Name, *old.AC, *c.AC)
		}
		if is, was := marks(c), marks(old); is != was && is != (combat.DeathSavesView{}) {
			add("%s has %d of 3 saves, %d of 3 failures", c.Name, is.Successes, is.Failures)
		}
	}
	for _, e := range after.effects {
		if !slices.ContainsFunc(before.effects, func(o combat.EffectView) bool { return o.ID == e.ID }) {
			add("%s on %s", e.Name, after.name(e.Target))
		}
	}
	for _, e := range before.effects {
		if !slices.ContainsFunc(after.effects, func(o combat.EffectView) bool { return o.ID == e.ID }) {
			add("%s ends on %s", e.Name, before.name(e.Target))
		}
	}
	if w := after.window; len(w.Eligible) > 0 && (w.Window != before.window.Window || !slices.Equal(w.Eligible, before.window.Eligible)) {
		add("%s may answer", after.name(w.Eligible[0]))
	}
	return strings.Join(all, "; ")
}

func marks(c combat.CombatantView) combat.DeathSavesView {
	if c.Saves == nil {
		return combat.DeathSavesView{}
	}
	return *c.Saves
}

// points writes hit points as the GM sees them; nothing when they are not
// tracked.
func points(hp *combat.HPView) string {
	switch {
	case hp == nil || hp.Current == nil:
		return ""
	case hp.Temp > 0:
		return strconv.Itoa(*hp.Current) + "+" + strconv.Itoa(hp.Temp)
	}
	return strconv.Itoa(*hp.Current)
}
