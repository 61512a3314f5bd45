package combat

import (
	"cmp"
	"slices"
)

// answerers lists who may answer the action of a frame at a stage, in the
// order in which they are asked: from the top of the initiative (C-08).
func (d *Draft) answerers(f *Frame, stage string) []ID {
	s := d.State()
	if f == nil || f.Action == nil || d.Option(OptionReactionWindows) == "off" {
		return nil
	}
	hiddenToo := d.Option(OptionHiddenAsked) == "yes"
	var ids []ID
	for _, ask := range d.System.Asks(s, f, stage) {
		c := s.Combatant(ask.Combatant)
		if c == nil || !hiddenToo && c.hiddenFrom(Players) || slices.Contains(ids, c.ID) || d.System.CanReact(s, c, ask.Kind) != nil {
			continue
		}
		ids = append(ids, c.ID)
	}
	place := func(id ID) int {
		i := slices.IndexFunc(s.Order, func(slot Slot) bool { return slot.Combatant == id && slot.shown() })
		if i < 0 {
			return len(s.Order) // not in the order: last
		}
		return i
	}
	slices.SortStableFunc(ids, func(a, b ID) int { return place(a) - place(b) })
	return ids
}

// openWindow asks whoever may answer; it reports whether anybody may.
func (d *Draft) openWindow(frame ID, stage, timing string) bool {
	f := d.State().Frame(frame)
	ids := d.answerers(f, stage)
	if len(ids) == 0 {
		return false
	}
	w := Window{ID: d.NewID("w"), Timing: timing, Eligible: ids, Trigger: triggerOf(f)}
	d.Emit(WindowOpened{Frame: frame, Stage: stage, Window: w})
	return true
}

// triggerOf describes what a frame is doing, or has just done.
func triggerOf(f *Frame) Trigger {
	t := Trigger{Frame: f.ID, Combatant: f.Combatant}
	if a := cmp.Or(f.Action, f.Did); a != nil {
		t.Kind, t.Name = a.Kind, a.Name
		if a.Mover != "" {
			t.Combatant = a.Mover
		}
	}
	return t
}

// waitForWindow keeps the question of the acting frame going: those who can no
// longer answer are passed over, the time of the one being asked runs. It
// reports whether somebody is being asked.
func (d *Draft) waitForWindow(f *Frame) bool {
	w := f.Window
	// The trigger must still stand (C-08).
	if f.Action == nil || f.Action.Stage == StageCountered {
		d.Emit(WindowClosed{Frame: f.ID, Window: w.ID, Why: "gone"})
		return false
	}
	if w.Timing == "before" && d.unable(f) != "" {
		d.Emit(WindowClosed{Frame: f.ID, Window: w.ID, Why: "gone"})
		return false
	}
	able := slices.DeleteFunc(slices.Clone(w.Eligible), func(id ID) bool { return !d.mayAnswer(f, id) })
	if len(able) == 0 {
		why := "answered"
		if len(w.Eligible) > 0 {
			why = "gone"
		}
		d.Emit(WindowClosed{Frame: f.ID, Window: w.ID, Why: why})
		return false
	}
	limit := d.seconds(OptionReactionSeconds)
	if len(able) != len(w.Eligible) || w.Deadline == 0 && limit > 0 {
		deadline := int64(0)
		if limit > 0 {
			deadline = d.By.Now + limit
			if w.Deadline > 0 && able[0] == w.Eligible[0] {
				deadline = w.Deadline
			}
		}
		d.Emit(WindowMoved{Frame: f.ID, Window: w.ID, Eligible: able, Deadline: deadline})
	}
	return true
}

// mayAnswer re-checks somebody who is still to be asked.
func (d *Draft) mayAnswer(f *Frame, id ID) bool {
	s := d.State()
	c := s.Combatant(id)
	if c == nil {
		return false
	}
	stage := f.Action.Stage
	return slices.ContainsFunc(d.System.Asks(s, f, stage), func(a Ask) bool {
		return a.Combatant == id && d.System.CanReact(s, c, a.Kind) == nil
	})
}

// nextAsked takes somebody off the list of a window.
func (d *Draft) nextAsked(f *Frame, id ID) {
	rest := slices.DeleteFunc(slices.Clone(f.Window.Eligible), func(x ID) bool { return x == id })
	d.Emit(WindowMoved{Frame: f.ID, Window: f.Window.ID, Eligible: rest})
}

// askedWindow finds the frame whose window a command answers. An empty id
// means the one that is open now.
func (d *Draft) askedWindow(id ID) (*Frame, *Refusal) {
	f := d.State().Acting()
	if f == nil || f.Window == nil || !d.seesWindow(f) || id != "" && f.Window.ID != id {
		return nil, refuse("stale_window", "window", id)
	}
	return f, nil
}

// seesWindow reports whether the sender may know of a frame's question: somebody
// it sees is asked.
func (d *Draft) seesWindow(f *Frame) bool { return d.gm() || len(d.seen(f.Window.Eligible)) > 0 }

func (d *Draft) decline(cmd Decline) *Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	f, r := d.askedWindow(cmd.Window)
	if r != nil {
		return r
	}
	if !slices.Contains(f.Window.Eligible, c.ID) {
		return refuse("stale_window", "window", f.Window.ID)
	}
	d.Emit(Declined{Combatant: c.ID, Window: f.Window.ID, Why: "declined"})
	d.nextAsked(f, c.ID)
	return nil
}

// closeWindow declines for everybody who is still to be asked.
func (d *Draft) closeWindow(cmd CloseWindow) *Refusal {
	f, r := d.askedWindow(cmd.Window)
	if r != nil {
		return r
	}
	for _, id := range f.Window.Eligible {
		d.Emit(Declined{Combatant: id, Window: f.Window.ID, Why: "closed"})
	}
	d.Emit(WindowMoved{Frame: f.ID, Window: f.Window.ID, Eligible: []ID{}})
	return nil
}

// windowExpired counts silence as a no.
func (d *Draft) windowExpired(cmd WindowExpired) *Refusal {
	f, r := d.askedWindow(cmd.Window)
	if r != nil {
		return r
	}
	if w := f.Window; len(w.Eligible) == 0 || w.Eligible[0] != cmd.Asked || w.Deadline == 0 || w.Deadline > d.By.Now {
		return refuse("stale_window", "window", cmd.Window)
	}
	d.Emit(Declined{Combatant: cmd.Asked, Window: f.Window.ID, Why: "expired"})
	d.nextAsked(f, cmd.Asked)
	return nil
}

// Before is Frame.Before as far as the sender may know.
func (d *Draft) Before(f *Frame) bool { return f.Before() && d.Knows(f.Combatant) }

// CheckRespond refuses somebody who may not break in now.
func (d *Draft) CheckRespond(c *Combatant, window ID) *Refusal {
	s := d.State()
	if r := d.begun(); r != nil {
		return r
	}
	if len(s.Stack) == 0 {
		return refuse("not_started", "phase", s.Phase)
	}
	if window != "" {
		f, r := d.askedWindow(window)
		if r != nil {
			return r
		}
		if !slices.Contains(f.Window.Eligible, c.ID) {
			return refuse("stale_window", "window", window)
		}
	}
	if len(s.Stack) >= MaxDepth {
		return refuse("limit_depth", "limit", MaxDepth)
	}
	return nil
}

func (d *Draft) react(cmd React) *Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if cmd.Force && !d.gm() {
		return refuse("forbidden")
	}
	spec, known := d.spec(cmd.Kind)
	if !known || !spec.Reaction {
		return refuse("bad_value", "field", "kind")
	}
	if r := firstRefusal(checkText("name", cmd.Name, MaxName, false), d.optionalIDs("targets", cmd.Targets), d.optionalIDs("provokes", cmd.Provokes),
		checkRange("level", cmd.Level, 0, 20), checkRange("ac", cmd.AC, -100, 100), checkAttack(cmd.Attack), d.CheckRespond(c, cmd.Window)); r != nil {
		return r
	}
	to := d.State().Acting()
	if cmd.To != "" {
		if to = d.State().Frame(cmd.To); to == nil {
			return refuse("stale_frame", "frame", cmd.To)
		}
	}
	action := Action{Kind: cmd.Kind, Name: cmd.Name, Targets: cmd.Targets, Level: cmd.Level, Provokes: cmd.Provokes,
		Attack: cmd.Attack, Defensive: cmd.Defensive, AC: cmd.AC, To: to.ID, Ruling: cmd.Force}
	if !cmd.Force {
		if spec.After && !cmd.Defensive && d.Before(to) {
			return refuse("cannot_react", "reason", "not_before")
		}
		if r := d.System.CanReact(d.State(), c, cmd.Kind); r != nil {
			return r
		}
		if action.Paid, r = d.System.PayReaction(d.State(), c, &action); r != nil {
			return r
		}
	}
	kind := FrameReaction
	if spec.Frame != "" {
		kind = spec.Frame
	}
	d.Respond(kind, c.ID, triggerOf(to), action, cmd.Done, cmd.Force)
	return nil
}

// Respond breaks in: it pushes a frame in which the action is begun. The
// question that was open, if any, waits; who was asked has answered.
func (d *Draft) Respond(kind string, id ID, trigger Trigger, action Action, auto, ruling bool) {
	if f := d.State().Acting(); f != nil && f.Window != nil {
		d.nextAsked(f, id)
	}
	spec, _ := d.spec(action.Kind)
	touched := action.Attack != nil || kind != FrameLegendary && action.Kind != ActionMove && !spec.Open
	d.Emit(FramePushed{Pools: action.Paid, Ruling: ruling, Frame: Frame{ID: d.NewID("f"), Kind: kind, Combatant: id, Trigger: &trigger,
		Step: StepAct, Touched: touched, StartedAt: d.By.Now, Action: &action, Auto: auto}})
	if f := d.State().Acting(); f != nil {
		d.System.Begun(d, f, &action)
	}
}
