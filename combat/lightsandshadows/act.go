package lightsandshadows

import (
	"slices"
	"strconv"

	"riposte/combat"
)

// Refresh renews the actions of the round (LS-05) and counts defences anew
// (LS-12).
func (y System) Refresh(_ *combat.State, c *combat.Combatant, at string) []combat.Pool {
	if at != "round" && at != "fight" {
		return nil
	}
	n := perRound(c)
	return changed(c, combat.Pool{Name: poolActions, Left: n, Max: n}, counter(c, poolDefences, c.Marks[markDefences]), counter(c, poolPenalty, 0))
}

// TurnPools are the actions of the round and the defences; the penalty would tell
// hit points (LS-14).
func (System) TurnPools() []string { return turnPools }

var turnPools = []string{poolActions, poolDefences}

// counter is a pool that only counts: one that was never above zero is not
// shown.
func counter(c *combat.Combatant, name string, n int) combat.Pool {
	if _, has := c.Pool(name); n == 0 && !has {
		return combat.Pool{}
	}
	return combat.Pool{Name: name, Left: n, Max: n}
}

// changed keeps the pools that are not so already.
func changed(c *combat.Combatant, pools ...combat.Pool) []combat.Pool {
	return slices.DeleteFunc(pools, func(p combat.Pool) bool { return p.Name == "" || slices.Contains(c.Pools, p) })
}

// penalty is what a combatant's actions suffer: its defences of this round
// (LS-12), and each hit point under the fainting threshold (LS-14).
func penalty(s *combat.State, c *combat.Combatant) int {
	return c.Marks[markDefences]*number(s, optionPenalty) + weakness(c)
}

// showPenalty keeps the pool of that name true.
func showPenalty(d *combat.Draft, id combat.ID) {
	c := d.State().Combatant(id)
	if pools := changed(c, counter(c, poolDefences, c.Marks[markDefences]), counter(c, poolPenalty, penalty(d.State(), c))); len(pools) > 0 {
		d.Emit(combat.PoolsSet{Combatant: id, Pools: pools})
	}
}

// TurnStart shows what the slot's action will suffer.
func (System) TurnStart(d *combat.Draft, f *combat.Frame) { showPenalty(d, f.Combatant) }

// TurnEnd pays for an action that was passed, and gives a held one up that was
// not taken by the end of the round (LS-17).
func (System) TurnEnd(d *combat.Draft, f *combat.Frame) {
	c, slot := d.State().Combatant(f.Combatant), slotOf(d.State(), f)
	if c.Delaying {
		d.Emit(combat.DelaySet{Combatant: c.ID})
	}
	if in, has := intent(c, slot); has && c.Marks[markActed] != slot.Part {
		if pools, r := pay(d.State(), c, in); r == nil && len(pools) > 0 {
			d.Emit(combat.PoolsSet{Combatant: c.ID, Pools: pools})
		}
	}
}

// pay takes an action of the plan out of the round's. What was carried over
// comes on top (LS-20).
func pay(s *combat.State, c *combat.Combatant, in combat.Intent) ([]combat.Pool, *combat.Refusal) {
	n, _ := cost(s, in.Kind)
	switch {
	case in.Carried:
		n = 0
	case takesRound(in.Kind):
		n = perRound(c)
	}
	return take(c, n)
}

func take(c *combat.Combatant, n int) ([]combat.Pool, *combat.Refusal) {
	for _, p := range c.Pools {
		if p.Name == poolActions && p.Left >= n {
			p.Left -= n
			return []combat.Pool{p}, nil
		}
	}
	left, _ := c.Pool(poolActions)
	return nil, combat.Refuse("not_enough_budget", "pool", poolActions, "left", left, "cost", n)
}

// Pay lets a slot's action be done, once: that of the plan, or another of the
// same cost when it has become impossible, which only the table can tell
// (LS-24). With ls.declare=free any kind will do that the round's actions pay.
func (System) Pay(s *combat.State, c *combat.Combatant, f *combat.Frame, a *combat.Action, chosen string) ([]combat.Pool, *combat.Refusal) {
	slot := slotOf(s, f)
	if f.Kind != combat.FrameTurn || slot == nil {
		return nil, combat.Refuse("not_enough_budget", "pool", f.Kind, "left", 0, "cost", 1)
	}
	if chosen != "" {
		return nil, combat.Refuse("bad_value", "field", "cost")
	}
	in, planned := intent(c, slot)
	if !planned || c.Marks[markActed] == slot.Part {
		return nil, combat.Refuse("not_enough_budget", "pool", poolActions, "left", 0, "cost", 1)
	}
	costs, _ := cost(s, a.Kind)
	declared, _ := cost(s, in.Kind)
	if takesRound(a.Kind) != takesRound(in.Kind) {
		return nil, combat.Refuse("not_declared", "kind", in.Kind)
	}
	if option(s, optionDeclare) == "free" && !in.Carried && !takesRound(a.Kind) {
		return take(c, costs)
	}
	if costs != declared {
		return nil, combat.Refuse("not_declared", "kind", in.Kind)
	}
	return pay(s, c, in)
}

// Begun keeps count: of defences (LS-12), of half actions used (LS-10), of what
// is in hand. A held action is taken by doing it.
func (y System) Begun(d *combat.Draft, f *combat.Frame, a *combat.Action) {
	c := d.State().Combatant(f.Combatant)
	if a.Kind == parry || a.Kind == dodge {
		mark(d, c.ID, map[string]int{markDefences: c.Marks[markDefences] + 1})
		showPenalty(d, c.ID)
		return
	}
	slot := slotOf(d.State(), f)
	in, planned := intent(c, slot)
	if f.Kind != combat.FrameTurn || !planned {
		return
	}
	part := slot.Part
	y.taken(d, f)
	marks := map[string]int{markActed: part}
	if halved(c) && !in.Carried {
		marks[markHalf] = 1
	}
	mark(d, c.ID, marks)
	if a.Kind == attack || a.Kind == draw {
		takeInHand(d, c.ID, in.Weapon)
	}
}

// CanReact refuses a defence of those who can do nothing. Otherwise one may
// always defend oneself, and as often as one likes (LS-12).
func (y System) CanReact(s *combat.State, c *combat.Combatant, _ string) *combat.Refusal {
	if reason := y.CanAct(s, c); reason != "" {
		return combat.Refuse("cannot_react", "reason", reason)
	}
	return nil
}

// Asks lets those defend themselves whom an attack has hit, before its damage
// (LS-13).
func (System) Asks(_ *combat.State, f *combat.Frame, stage string) []combat.Ask {
	if stage != combat.StageHit {
		return nil
	}
	var asks []combat.Ask
	for _, id := range f.Action.Targets {
		asks = append(asks, combat.Ask{Combatant: id, Kind: parry}, combat.Ask{Combatant: id, Kind: dodge})
	}
	return asks
}

// ToHit is what a slot's action suffers when the server rolls it: the penalty
// (LS-12, LS-14), and what hastening it costs (LS-18).
func (System) ToHit(s *combat.State, f *combat.Frame, _ *combat.Action) int {
	if f.Kind != combat.FrameTurn {
		return 0
	}
	c := s.Combatant(f.Combatant)
	in, _ := intent(c, slotOf(s, f))
	return -penalty(s, c) - in.Hasten
}

// Perform lets a defence blunt the attack it answers (LS-13): by a bonus against
// its roll, by a number of points, or altogether, unless it fails.
func (System) Perform(d *combat.Draft, f *combat.Frame, a *combat.Action) {
	to := d.State().Frame(a.To)
	if a.Kind != parry && a.Kind != dodge || to == nil || to.Action == nil || to.Action.Roll == nil || to.Action.Stage != combat.StageHit ||
		!slices.Equal(to.Action.Targets, []combat.ID{f.Combatant}) {
		return
	}
	roll := *to.Action.Roll
	switch {
	case a.Attack != nil && a.Attack.Hit != nil && !*a.Attack.Hit:
		return
	case a.AC != 0 && roll.Total != nil:
		total := *roll.Total - a.AC
		roll.Total = &total
	case a.Attack != nil && a.Attack.Damage != "":
		stopped, err := strconv.Atoi(a.Attack.Damage)
		if err != nil {
			return
		}
		roll.Damage = max(roll.Damage-stopped, 0)
	default:
		stopped := false
		roll.Hit = &stopped
	}
	d.Emit(combat.Staged{Frame: to.ID, Stage: combat.StageHit, Roll: &roll})
}
