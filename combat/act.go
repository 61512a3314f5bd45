package combat

import "slices"

// Stages of an action: which questions about it are behind it.
const (
	StageDeclared  = "declared"
	StageHit       = "hit"
	StageDone      = "done"
	StageCountered = "countered"
	StageOver      = "over"
)

// Kinds of an Action that are commands of their own.
const (
	ActionMove  = "move"
	ActionReady = "ready"
)

// spec finds a kind in the system's list.
func (d *Draft) spec(kind string) (ActionSpec, bool) { return specOf(d.System, kind) }

func specOf(system System, kind string) (ActionSpec, bool) {
	for _, spec := range system.Actions() {
		if spec.Kind == kind {
			return spec, true
		}
	}
	return ActionSpec{}, false
}

// ActingFrame returns the frame in which a combatant may do something now, or
// the reason why not. named is the frame the sender means.
func (d *Draft) ActingFrame(c *Combatant, named ID) (*Frame, *Refusal) {
	s := d.State()
	if r := d.begun(); r != nil {
		return nil, r
	}
	if named != "" && s.Frame(named) == nil {
		return nil, refuse("stale_frame", "frame", named)
	}
	f := s.Acting()
	if f == nil || f.Combatant != c.ID || named != "" && f.ID != named {
		return nil, d.notNow(c)
	}
	if s.Owes(f.ID) {
		for _, p := range s.Pending {
			if p.Frame == f.ID {
				r := refuse("pending_decision")
				if d.seesPending(p) {
					r = r.With("pending", p.ID)
				}
				return nil, r
			}
		}
	}
	if f.Window != nil {
		r := refuse("not_acting")
		if d.seesWindow(f) {
			r = r.With("window", f.Window.ID)
		}
		return nil, r
	}
	return f, nil
}

// begun refuses what needs a running fight. For a player the fight begins with
// the first turn that it can see.
func (d *Draft) begun() *Refusal {
	s := d.State()
	switch f := s.Turn(); {
	case !s.InFight():
		return refuse("not_started", "phase", s.Phase)
	case f != nil && d.last() == nil && s.Combatant(f.Combatant) != nil && !d.Knows(f.Combatant):
		return refuse("not_started", "phase", PhaseInitiative)
	}
	return nil
}

// notNow says why somebody who is not acting may not act: its turn is
// suspended, or it is another's. To whom the turn is hidden, it is still the
// last one's that showed.
func (d *Draft) notNow(c *Combatant) *Refusal {
	s := d.State()
	if slices.ContainsFunc(s.Stack, func(f *Frame) bool { return f.Combatant == c.ID }) {
		r := refuse("not_acting")
		return d.naming(r, s.Turn(), s.Acting())
	}
	r := refuse("not_your_turn")
	if f, last := s.Turn(), d.last(); f != nil && !d.Knows(f.Combatant) && last != nil && d.Knows(last.Combatant) {
		return r.With("turn", last.Combatant).With("acting", last.Combatant)
	}
	return d.naming(r, s.Turn(), s.Acting())
}

// naming adds whose turn it is and who acts, as far as the sender may know.
func (d *Draft) naming(r *Refusal, turn, acting *Frame) *Refusal {
	if turn != nil && d.Knows(turn.Combatant) {
		r = r.With("turn", turn.Combatant)
	}
	if acting != nil && d.Knows(acting.Combatant) {
		r = r.With("acting", acting.Combatant)
	}
	return r
}

func (d *Draft) act(cmd Act) *Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if cmd.Force && !d.gm() {
		return refuse("forbidden")
	}
	spec, known := d.spec(cmd.Kind)
	if !known || !spec.Turn {
		return refuse("bad_value", "field", "kind")
	}
	if r := firstRefusal(checkText("name", cmd.Name, MaxName, false), d.optionalIDs("targets", cmd.Targets), d.optionalIDs("provokes", cmd.Provokes),
		checkRange("level", cmd.Level, 0, 20), checkAttack(cmd.Attack)); r != nil {
		return r
	}
	f, r := d.ActingFrame(c, cmd.Frame)
	if r != nil {
		return r
	}
	if f.Kind == FrameTurn && f.Step != StepAct {
		return refuse("cannot_act", "reason", "turn_over")
	}
	action := Action{Kind: cmd.Kind, Name: cmd.Name, Targets: cmd.Targets, Level: cmd.Level, Provokes: cmd.Provokes, Attack: cmd.Attack, Ruling: cmd.Force}
	if !cmd.Force {
		if reason := d.System.CanAct(d.State(), c); reason != "" {
			return refuse("cannot_act", "reason", reason)
		}
		if action.Paid, r = d.System.Pay(d.State(), c, f, &action, cmd.Cost); r != nil {
			return r
		}
	}
	d.Emit(Acted{Frame: f.ID, Combatant: c.ID, Action: action, Auto: cmd.Done, Ruling: cmd.Force})
	d.System.Begun(d, f, &action)
	return nil
}

func (d *Draft) move(cmd Move) *Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if (cmd.Force || cmd.Forced) && !d.gm() {
		return refuse("forbidden")
	}
	least := 1
	if cmd.Stand || cmd.Forced {
		least = 0
	}
	if r := firstRefusal(checkRange("feet", cmd.Feet, least, MaxSmall), d.optionalIDs("leavesReachOf", cmd.LeavesReachOf),
		checkText("position", cmd.Position, MaxName, false)); r != nil {
		return r
	}
	if cmd.Forced {
		d.push(c.ID, cmd)
		return nil
	}
	f, r := d.ActingFrame(c, cmd.Frame)
	if r != nil {
		return r
	}
	if f.Kind == FrameTurn && f.Step != StepAct {
		return refuse("cannot_act", "reason", "turn_over")
	}
	action := Action{Kind: ActionMove, Feet: cmd.Feet, Position: cmd.Position, Leaves: cmd.LeavesReachOf, Ruling: cmd.Force}
	if !cmd.Force {
		if reason := d.System.CanAct(d.State(), c); reason != "" {
			return refuse("cannot_act", "reason", reason)
		}
		feet := cmd.Feet
		if cmd.Difficult {
			feet += cmd.Feet
		}
		if cmd.Crawl {
			feet += cmd.Feet
		}
		cost := ""
		switch {
		case cmd.Stand:
			cost = "stand"
		case cmd.Crawl:
			cost = "crawl"
		}
		paying := action
		paying.Feet = feet
		if action.Paid, r = d.System.Pay(d.State(), c, f, &paying, cost); r != nil {
			return r
		}
	}
	d.Emit(Acted{Frame: f.ID, Combatant: c.ID, Action: action, Ruling: cmd.Force})
	d.System.Begun(d, f, &action)
	if cmd.Stand {
		d.EndEffects("removed", func(e *Effect) bool { return e.Target == c.ID && e.Name == "prone" })
	}
	return nil
}

// push moves somebody who is pushed or carried: in anybody's turn, at no cost.
// Where the rules let somebody answer even that, the move waits in the frame in
// which it happens.
func (d *Draft) push(id ID, cmd Move) {
	action := Action{Kind: ActionMove, Feet: cmd.Feet, Position: cmd.Position, Leaves: cmd.LeavesReachOf, Mover: id, Ruling: true}
	if f := d.State().Acting(); f != nil && f.Action == nil && f.Window == nil && f.Step == StepAct {
		pushing := *f
		pushing.Action = &action
		if len(d.answerers(&pushing, StageDeclared)) > 0 {
			d.Emit(Acted{Frame: f.ID, Combatant: id, Action: action, Ruling: true})
			return
		}
	}
	d.Emit(Moved{Combatant: id, Feet: cmd.Feet, Position: cmd.Position, Forced: true})
}

// checkAttack refuses what cannot be an attack roll.
func checkAttack(a *Attack) *Refusal {
	if a == nil {
		return nil
	}
	for _, n := range []struct {
		field string
		value *int
	}{{"attack.toHit", a.ToHit}, {"attack.total", a.Total}} {
		if n.value != nil {
			if r := checkRange(n.field, *n.value, -MaxSmall, MaxSmall); r != nil {
				return r
			}
		}
	}
	if a.Damage != "" {
		if _, ok := ParseDice(a.Damage); !ok {
			return refuse("bad_value", "field", "attack.damage")
		}
	}
	return checkText("attack.kind", a.Kind, MaxName, false)
}

// progress takes an action one stage further. It is called again until the
// action is over or a window is open.
func (d *Draft) progress(f *Frame) {
	a := f.Action
	switch a.Stage {
	case "", StageDeclared:
		if a.Stage == "" && d.openWindow(f.ID, StageDeclared, "before") {
			return
		}
		if d.lost(f) {
			return
		}
		if a.Attack != nil && len(a.Targets) > 0 {
			d.rollAttack(f)
			return
		}
		d.carryOut(f)
	case StageHit:
		if d.lost(f) {
			return
		}
		d.strike(f)
	case StageCountered:
		d.Emit(Resolved{Frame: f.ID, Combatant: f.Combatant, Kind: a.Kind, Name: a.Name, Outcome: "countered", Over: true})
	default: // done, and everybody has been asked
		d.Emit(Staged{Frame: f.ID, Stage: StageOver})
	}
}

// lost is the resume check (C-07): an action whose actor can no longer act is
// lost, and nothing spent on it comes back.
func (d *Draft) lost(f *Frame) bool {
	s := d.State()
	why := d.unable(f)
	if why == "" && len(f.Action.Targets) > 0 && !slices.ContainsFunc(f.Action.Targets, func(id ID) bool { return s.Combatant(id) != nil }) {
		why = "target_gone"
	}
	if why == "" {
		return false
	}
	d.Emit(Resolved{Frame: f.ID, Combatant: f.Combatant, Kind: f.Action.Kind, Name: f.Action.Name, Outcome: "lost", Why: why, Over: true})
	return true
}

// unable is why the one in a frame can no longer go on with its action, or "".
func (d *Draft) unable(f *Frame) string {
	s := d.State()
	id := f.Combatant
	if f.Action != nil && f.Action.Mover != "" {
		id = f.Action.Mover
	}
	switch c := s.Combatant(id); {
	case c == nil || !c.Fights():
		return Dead
	case f.Action == nil || !f.Action.Ruling:
		return d.System.CanAct(s, c)
	}
	return ""
}

// carryOut resolves an action without an attack roll.
func (d *Draft) carryOut(f *Frame) {
	a := *f.Action
	if a.Kind == ActionMove {
		moved := Moved{Frame: f.ID, Combatant: f.Combatant, Feet: a.Feet, Position: a.Position}
		if a.Mover != "" {
			moved.Combatant, moved.Forced = a.Mover, true
		}
		d.Emit(moved)
		return
	}
	d.System.Perform(d, f, &a)
	done := Resolved{Frame: f.ID, Combatant: f.Combatant, Kind: a.Kind, Name: a.Name, Outcome: "done"}
	done.Over = len(d.answerers(d.State().Frame(f.ID), StageDone)) == 0
	if len(a.Targets) == 1 {
		done.Target = a.Targets[0]
	}
	d.Emit(done)
	if !done.Over {
		d.openWindow(f.ID, StageDone, "after")
	}
}

// rollAttack makes the attack and damage rolls, and asks those who are hit.
func (d *Draft) rollAttack(f *Frame) {
	a := f.Action
	roll := Rolled{Critical: a.Attack.Critical}
	switch {
	case a.Attack.Total != nil:
		total := *a.Attack.Total
		roll.Total = &total
	case a.Attack.Hit != nil:
		hit := *a.Attack.Hit
		roll.Hit = &hit
	case a.Attack.ToHit != nil:
		roll.Die = d.Roll(20)
		total := roll.Die + *a.Attack.ToHit + d.System.ToHit(d.State(), f, a)
		roll.Total = &total
	default:
		hit := a.Attack.Damage != ""
		roll.Hit = &hit
	}
	if target := d.State().Combatant(a.Targets[0]); target != nil && roll.Total != nil {
		_, critical := d.System.Judge(d.State(), target, roll.Die, *roll.Total)
		roll.Critical = roll.Critical || critical
	}
	if dice, ok := ParseDice(a.Attack.Damage); ok {
		roll.Dice, roll.Damage = d.throw(dice, roll.Critical && roll.Die > 0)
	}
	d.Emit(Staged{Frame: f.ID, Stage: StageHit, Roll: &roll})
	f = d.State().Frame(f.ID)
	if slices.ContainsFunc(a.Targets, func(id ID) bool { return d.hits(f.Action, id) }) {
		d.openWindow(f.ID, StageHit, "before")
	}
}

// hits reports whether an attack roll hits a target as its armour class is now.
func (d *Draft) hits(a *Action, id ID) bool {
	target := d.State().Combatant(id)
	if target == nil || a.Roll == nil {
		return false
	}
	if a.Roll.Hit != nil {
		return *a.Roll.Hit
	}
	hit, _ := d.System.Judge(d.State(), target, a.Roll.Die, a.Roll.Against())
	return hit
}

// strike applies an attack to each target, as things stand after all answers.
func (d *Draft) strike(f *Frame) {
	a := *f.Action
	d.System.Perform(d, f, &a)
	for i, id := range a.Targets {
		target := d.State().Combatant(id)
		if target == nil {
			continue
		}
		hit := d.hits(&a, id)
		one := Resolved{Frame: f.ID, Combatant: f.Combatant, Kind: a.Kind, Name: a.Name, Outcome: "miss", Target: id, Total: a.Roll.Total}
		if a.Roll.Total != nil {
			ac := d.State().CurrentAC(target) + d.System.AC(d.State(), target) + a.Roll.Cover
			one.AC = &ac
		}
		if hit {
			one.Outcome = "hit"
		}
		one.Over = i == len(a.Targets)-1 && d.Option(OptionReactionWindows) == "off"
		d.Emit(one)
		if hit && a.Roll.Damage > 0 {
			blow := Hit{Source: f.Combatant, Amount: a.Roll.Damage, Kind: a.Attack.Kind, Critical: a.Roll.Critical, Melee: a.Attack.Melee}
			if i == 0 {
				blow.Dice = a.Roll.Dice
			}
			d.Hurt(id, blow)
		}
	}
	if f := d.State().Frame(f.ID); f != nil && f.Action != nil && f.Action.Stage == StageHit {
		d.Emit(Staged{Frame: f.ID, Stage: StageOver}) // all targets are gone
		return
	}
	d.openWindow(f.ID, StageDone, "after")
}
