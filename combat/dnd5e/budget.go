package dnd5e

import (
	"slices"

	"riposte/combat"
)

// Refresh renews budgets: everything at the start of one's own turn (5E-08,
// 5E-10, 5E-14), the reaction of a few at the start of anybody's (5E-13).
func (y System) Refresh(s *combat.State, c *combat.Combatant, at string) []combat.Pool {
	switch at {
	case "anyTurn":
		if c.Stats[statEveryTurn] > 0 {
			return []combat.Pool{full(poolReaction, reactions(c))}
		}
	case "fight":
		pools := y.turnPools(s, c)
		for i := range pools {
			if pools[i].Name != poolReaction && pools[i].Name != poolHydra {
				pools[i].Left = 0
			}
		}
		if n := c.Stats[statLegendary]; n > 0 {
			pools = append(pools, full(poolLegendary, n))
		}
		return pools
	case "turn":
		pools := y.turnPools(s, c)
		if y.CanAct(s, c) != "" {
			for i := range pools {
				if pools[i].Name != poolReaction && pools[i].Name != poolHydra {
					pools[i].Left = 0
				}
			}
		}
		return pools
	}
	return nil
}

// TurnPools are what a turn buys, and the reactions.
func (System) TurnPools() []string { return turnPools }

var turnPools = []string{poolAction, poolBonus, poolMovement, poolObject, poolReaction, poolHaste, poolHydra}

func full(name string, n int) combat.Pool { return combat.Pool{Name: name, Left: n, Max: n} }

func reactions(c *combat.Combatant) int { return max(c.Stats[statReactions], 1) }

// turnPools is what a turn buys.
func (System) turnPools(s *combat.State, c *combat.Combatant) []combat.Pool {
	pools := make([]combat.Pool, 0, 8)
	pools = append(pools, full(poolAction, 1), full(poolBonus, min(c.Stats[statBonus], 1)), full(poolMovement, speed(s, c)),
		full(poolObject, 1), full(poolReaction, reactions(c)))
	haste := 0
	if s.HasEffect(c.ID, "hasted") {
		haste = 1
	}
	if _, has := c.Pool(poolHaste); has || haste > 0 {
		pools = append(pools, full(poolHaste, haste))
	}
	if n := c.Stats[statHydra]; n > 0 {
		pools = append(pools, full(poolHydra, n))
	}
	return pools
}

// speed is what a turn's movement is (5E-12, 5E-13).
func speed(s *combat.State, c *combat.Combatant) int { return speedUnder(c, s.Effects) }

// speedUnder is the speed under these effects.
func speedUnder(c *combat.Combatant, effects []*combat.Effect) int {
	feet, times, part, stuck := c.Speed, 1, 1, false
	for _, e := range effects {
		if e.Target != c.ID {
			continue
		}
		feet += e.Speed
		switch {
		case e.Name == "hasted":
			times = 2
		case e.Name == "slowed":
			part = 2
		case slices.Contains(immobilizing, e.Name):
			stuck = true
		}
	}
	if stuck {
		return 0
	}
	return max(feet*times/part, 0)
}

// changeSpeed keeps what has been moved already: in mid-turn the rest is the
// new speed less that (5E-12).
func changeSpeed(d *combat.Draft, e *combat.Effect, added bool) {
	s := d.State()
	turn, c := s.Turn(), s.Combatant(e.Target)
	if turn == nil || turn.Combatant != e.Target || turn.Kind != combat.FrameTurn {
		return
	}
	others := slices.DeleteFunc(slices.Clone(s.Effects), func(x *combat.Effect) bool { return x.ID == e.ID })
	change := speedUnder(c, append(slices.Clone(others), e)) - speedUnder(c, others)
	if !added {
		change = -change
	}
	left, has := c.Pool(poolMovement)
	if change == 0 || !has {
		return
	}
	most := 0
	for _, p := range c.Pools {
		if p.Name == poolMovement {
			most = max(p.Max+change, 0)
		}
	}
	// Who has moved more than the new speed owes the difference should it rise.
	left += change - c.Marks[markOverdrawn]
	d.Marks(c.ID, map[string]int{markOverdrawn: max(-left, 0)})
	d.Emit(combat.PoolsSet{Combatant: c.ID, Pools: []combat.Pool{{Name: poolMovement, Left: max(left, 0), Max: most}}})
}

// CanAct is why a creature has an empty turn: surprise (5E-03), 0 HP (5E-18),
// incapacity (5E-17).
func (y System) CanAct(s *combat.State, c *combat.Combatant) string {
	if reason := y.Base.CanAct(s, c); reason != "" {
		return reason
	}
	if c.Surprised {
		return "surprised"
	}
	if s.HasEffect(c.ID, incapacitating...) {
		return "incapacitated"
	}
	return ""
}

// Kinds of action that the extra action of haste may be (5E-13).
var hasteKinds = []string{"attack", "dash", "disengage", "hide", "useObject"}

// Kinds that may follow in the frame of a response: the attack or spell it was
// for, or the move that was readied.
var deeds = []string{"attack", "castSpell", "other", combat.ActionMove}

// Pay takes the price of an action out of the turn's budget (5E-08 to 5E-13).
// In a response there is one thing to do, and it has been paid for.
func (System) Pay(s *combat.State, c *combat.Combatant, f *combat.Frame, a *combat.Action, cost string) ([]combat.Pool, *combat.Refusal) {
	if f.Kind != combat.FrameTurn {
		if f.Touched || f.Kind == combat.FrameLair || !slices.Contains(deeds, a.Kind) || a.Kind == combat.ActionMove && f.Kind == combat.FrameReaction {
			return nil, combat.Refuse("not_enough_budget", "pool", f.Kind, "left", 0, "cost", 1)
		}
		if most := speed(s, c); a.Kind == combat.ActionMove && a.Feet > most { // 5E-15: up to its speed
			return nil, combat.Refuse("not_enough_budget", "pool", poolMovement, "left", most, "cost", a.Feet)
		}
		return nil, nil
	}
	if a.Kind == combat.ActionMove {
		feet := a.Feet
		if cost == "stand" { // half the speed, and impossible without any (5E-12)
			if speed(s, c) == 0 {
				return nil, combat.Refuse("not_enough_budget", "pool", poolMovement, "left", 0, "cost", c.Speed/2)
			}
			feet += speed(s, c) / 2
		}
		return take(c, poolMovement, feet)
	}
	what := spec(a.Kind)
	pool := what.Pool
	if pool == "" {
		return nil, nil
	}
	switch cost {
	case "":
	case poolAction, poolBonus, poolHaste:
		pool = cost
	default:
		return nil, combat.Refuse("bad_value", "field", "cost")
	}
	if cost == "" {
		if left, _ := c.Pool(pool); left < what.Cost {
			switch {
			case pool == poolObject: // a second one takes the action (5E-10)
				pool = poolAction
			case pool == poolAction && slices.Contains(hasteKinds, a.Kind):
				if extra, _ := c.Pool(poolHaste); extra > 0 {
					pool = poolHaste
				}
			}
		}
	}
	if pool == poolHaste && !slices.Contains(hasteKinds, a.Kind) || what.Pool == poolBonus && pool != poolBonus {
		return nil, combat.Refuse("bad_value", "field", "cost")
	}
	if a.Kind == "castSpell" && (c.Marks[markBonusSpell] > 0 && (a.Level > 0 || pool != poolAction) || c.Marks[markSpell] > 0 && pool == poolBonus) {
		return nil, combat.Refuse("cannot_act", "reason", "bonus_spell")
	}
	paid, r := take(c, pool, what.Cost)
	if r == nil && s.HasEffect(c.ID, "slowed") { // an action or a bonus action, not both
		if pool == poolAction {
			paid = append(paid, empty(c, poolBonus)...)
		} else if pool == poolBonus {
			paid = append(paid, empty(c, poolAction)...)
		}
	}
	return paid, r
}

// take pays n out of a pool.
func take(c *combat.Combatant, pool string, n int) ([]combat.Pool, *combat.Refusal) {
	for _, p := range c.Pools {
		if p.Name != pool {
			continue
		}
		if p.Left < n {
			break
		}
		p.Left -= n
		return []combat.Pool{p}, nil
	}
	left, _ := c.Pool(pool)
	switch pool {
	case poolBonus:
		return nil, combat.Refuse("no_bonus_action", "pool", pool, "left", left, "cost", n)
	case poolReaction:
		return nil, combat.Refuse("no_reaction", "pool", pool, "left", left, "cost", n)
	}
	return nil, combat.Refuse("not_enough_budget", "pool", pool, "left", left, "cost", n)
}

// empty takes all there is in a pool.
func empty(c *combat.Combatant, pool string) []combat.Pool {
	for _, p := range c.Pools {
		if p.Name == pool && p.Left > 0 {
			p.Left = 0
			return []combat.Pool{p}
		}
	}
	return nil
}

// Begun remembers what a spell forbids for the rest of the turn (5E-13).
func (System) Begun(d *combat.Draft, f *combat.Frame, a *combat.Action) {
	turn := d.State().Turn()
	if turn == nil || turn.Combatant != f.Combatant {
		return
	}
	switch {
	case a.Kind == "castSpell" && f.Kind == combat.FrameTurn && slices.ContainsFunc(a.Paid, func(p combat.Pool) bool { return p.Name == poolBonus }):
		d.Marks(f.Combatant, map[string]int{markBonusSpell: 1})
	case a.Kind == "castSpell" && a.Level > 0, a.Kind == "counterspell", a.Kind == "shield", a.Kind == "hellishRebuke":
		d.Marks(f.Combatant, map[string]int{markSpell: 1})
	}
}
