package combat

import "slices"

func (v *viewer) stack() []FrameView {
	frames := make([]FrameView, 0, len(v.s.Stack))
	if last := v.last; last != nil && v.sees(last.Combatant) {
		frames = append(frames, FrameView{Frame: last.Frame, Kind: FrameTurn, Combatant: last.Combatant, Budget: v.budget(last.Combatant)})
	}
	for _, f := range v.s.Stack {
		if !v.sees(f.Combatant) {
			continue
		}
		view := FrameView{Frame: f.ID, Kind: f.Kind, Combatant: f.Combatant, Trigger: v.trigger(f.Trigger), Action: v.action(f, f.Action),
			Did: v.action(f, f.Did), Empty: v.reason(f.Combatant, f.Empty)}
		if f.Kind == FrameTurn {
			view.Budget = v.budget(f.Combatant)
		}
		if f.Step != StepAct {
			view.Step = f.Step
		}
		frames = append(frames, view)
	}
	return frames
}

// budget is what somebody has left on its turn, for all to see.
func (v *viewer) budget(id ID) []Pool {
	c := v.s.Combatant(id)
	if c == nil || c.Kind != "pc" && !v.gm() && !v.owns(c) {
		return nil
	}
	if v.gm() || c.Kind != "pc" {
		return c.Pools
	}
	// What outlasts the turn is not for others to know; its own player sees it
	// with the combatant.
	turn := v.system.TurnPools()
	var pools []Pool
	for _, pool := range c.Pools {
		if slices.Contains(turn, pool.Name) {
			pools = append(pools, pool)
		}
	}
	return pools
}

func (v *viewer) trigger(t *Trigger) *TriggerView {
	if t == nil {
		return nil
	}
	if !v.sees(t.Combatant) {
		return &TriggerView{Text: t.Text}
	}
	return &TriggerView{Frame: t.Frame, Combatant: t.Combatant, Kind: t.Kind, Name: t.Name, Text: t.Text}
}

func (v *viewer) action(f *Frame, a *Action) *ActionView {
	if a == nil {
		return nil
	}
	return &ActionView{Kind: a.Kind, Name: a.Name, Targets: v.onlySeen(a.Targets), Feet: a.Feet, Total: v.total(f, a)}
}

// total is what an attack in a frame has come to, if this audience may know.
func (v *viewer) total(f *Frame, a *Action) *int {
	if a.Roll == nil {
		return nil
	}
	if c := v.s.Combatant(f.Combatant); !v.gm() && (c == nil || !v.seesCombatant(c) || v.sight(c).dice == "no") {
		return nil
	}
	return a.Roll.Total
}

func (v *viewer) window() *WindowView {
	f := v.s.Acting()
	if f == nil || f.Window == nil {
		return nil
	}
	w := f.Window
	eligible := v.onlySeen(w.Eligible)
	if len(eligible) == 0 {
		return nil
	}
	view := &WindowView{Window: w.ID, Trigger: *v.trigger(&w.Trigger), Timing: w.Timing, Eligible: eligible}
	if v.sees(f.Combatant) {
		view.Frame = f.ID
	}
	if v.sees(w.Eligible[0]) {
		view.Asked, view.Deadline = w.Eligible[0], Millis(w.Deadline)
	}
	if f.Action != nil {
		view.Targets, view.Total = v.onlySeen(f.Action.Targets), v.total(f, f.Action)
	}
	return view
}

// pendings calls put for every open decision that the audience may know of: a
// monster's saves are the GM's business.
func (v *viewer) pendings(put func(*PendingView)) {
	for _, tie := range openTies(v.system, v.s) {
		if tie := v.tied(tie); stillTied(v.s, tie) {
			kind := "roll-off"
			if v.system.TiesWait(v.s) {
				kind = "tie"
			}
			put(&PendingView{ID: tieID(tie), Kind: kind, Combatants: tie})
		}
	}
	for _, p := range v.s.Pending {
		if p.Kind == PendingProposal {
			if v.knowsProposal(p.Seat) {
				put(v.proposal(p))
			}
			continue
		}
		if !v.seesPending(p) {
			continue
		}
		c := v.s.Combatant(p.Combatants[0])
		view := &PendingView{ID: p.ID, Kind: p.Kind, Combatants: p.Combatants, DC: p.DC, Ability: p.Ability}
		if p.ByHP && v.sight(c).HP != "exact" {
			view.DC = 0
		}
		if e := v.s.Effect(p.Effect); e != nil {
			view.Effect = e.Name
		}
		if p.Kind == PendingDeclaration {
			view.Deadline = Millis(v.s.Clock.Deadline)
		}
		put(view)
	}
}

// seesPending reports whether this audience may know that a decision is owed.
func (v *viewer) seesPending(p *Pending) bool {
	if !v.allSeen(p.Combatants) {
		return false
	}
	if c := v.s.Combatant(p.Combatants[0]); c.Kind != "pc" && !v.gm() && !v.owns(c) {
		return false
	}
	e := v.s.Effect(p.Effect)
	return e == nil || v.seesEffect(e)
}

// seesPending is the same of the sender.
func (d *Draft) seesPending(p *Pending) bool {
	if d.gm() {
		return true
	}
	return d.engine.viewer(d.State(), Audience{d.By.Role, d.By.Seat}).seesPending(p)
}
