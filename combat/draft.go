package combat

import "strconv"

// Draft is a decision in the making: each event is applied as soon as it is
// emitted, so the rules read the state as it is at that point. A Draft lives
// for one command, in one goroutine.
//
// Pointers into State() are good until the next Emit that touches what they
// point at; look things up again by id afterwards.
type Draft struct {
	System System
	By     By
	engine *Engine
	policy *policy // where it is known already
	m      *mutator
	events []Event
	empty  int // turns passed by themselves in this command
}

func (e *Engine) draft(s *State, system System, by By) *Draft {
	return &Draft{System: system, By: by, engine: e, m: mutate(s)}
}

// State is the state as it is now, all events so far applied.
func (d *Draft) State() *State { return d.m.s }

// Emit adds a fact and applies it. Whoever was hidden until its first act and
// does something now is shown before it.
func (d *Draft) Emit(event Event) {
	switch e := event.(type) {
	case Acted:
		// Being pushed and getting ready are no acts.
		if e.Action.Mover == "" && e.Action.Kind != ActionReady {
			d.Reveal(e.Combatant)
		}
	case FramePushed:
		d.Reveal(e.Frame.Combatant)
	}
	d.events = append(d.events, event)
	d.m.apply(event)
}

// finish hands out what was decided.
func (d *Draft) finish(label string) ([]Event, *State, *Refusal) {
	return d.events, d.m.commit(label, d.By.Now), nil
}

// Roll throws a die.
func (d *Draft) Roll(sides int) int { return d.By.Dice.Roll(sides) }

// NewID draws a name with the given first letter: c combatant, s slot, f
// frame, w window, e effect, p decision.
func (d *Draft) NewID(letter string) ID {
	const room = 1 << 30
	return ID(letter + strconv.FormatInt(int64(d.Roll(room)), 36))
}

// Option returns the value of a configuration key in force.
func (d *Draft) Option(key string) string { return OptionOf(d.System, d.State(), key) }

// seconds returns an option that is a number of seconds, in milliseconds.
func (d *Draft) seconds(key string) int64 {
	n, err := strconv.Atoi(d.Option(key))
	if err != nil {
		return 0
	}
	return int64(n) * 1000
}
