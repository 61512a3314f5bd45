package starfinder

import (
	"slices"

	"riposte/combat"
)

func full(name string, n int) combat.Pool { return combat.Pool{Name: name, Left: n, Max: n} }

// Refresh renews budgets at the start of one's own turn (SF-08, SF-14), and
// gives whoever comes into a fight what it has.
func (y System) Refresh(s *combat.State, c *combat.Combatant, at string) []combat.Pool {
	switch at {
	case "turn":
		return y.turnPools(s, c)
	case "fight", "round":
		var pools []combat.Pool
		if _, has := c.Pool(poolStandard); !has {
			pools = []combat.Pool{{Name: poolStandard, Max: 1}, {Name: poolMove, Max: 1}, {Name: poolSwift, Max: 1}, {Name: poolMovement},
				full(poolReaction, 1)}
		}
		for _, p := range []combat.Pool{full(poolStamina, c.Stats[statStamina]), full(poolResolve, c.Stats[statResolve])} {
			_, tracked := c.Stats[p.Name]
			if _, has := c.Pool(p.Name); tracked && !has {
				pools = append(pools, p)
			}
		}
		return pools
	}
	return nil
}

// turnPools is what a turn buys: one standard, one move and one swift action,
// or one full action out of all three (SF-08). An upkeep gives the reaction
// back, and nothing else (SF-19, SF-20).
func (y System) turnPools(s *combat.State, c *combat.Combatant) []combat.Pool {
	pools := []combat.Pool{full(poolStandard, 1), full(poolMove, 1), full(poolSwift, 1), {Name: poolMovement}, full(poolReaction, 1)}
	switch {
	case y.able(s, c) != "":
		pools[0].Left, pools[1].Left, pools[2].Left = 0, 0, 0
	case s.HasEffect(c.ID, "nauseated"):
		pools[0].Left, pools[2].Left = 0, 0
	}
	return pools
}

// TurnPools are what a turn buys, and the reaction; Stamina and Resolve outlast it.
func (System) TurnPools() []string { return turnPools }

var turnPools = []string{poolStandard, poolMove, poolSwift, poolMovement, poolReaction}

// restricted reports whether only one standard or one move action may be spent,
// swift ones aside: in the surprise round (SF-12), or staggered (SF-09).
func restricted(s *combat.State, c *combat.Combatant) bool {
	return s.Phase == combat.PhaseSurprise || s.HasEffect(c.ID, "staggered")
}

// purse is a combatant's pools while a price is being worked out.
type purse struct {
	s       *combat.State
	c       *combat.Combatant
	changed []combat.Pool
}

func (p *purse) left(pool string) int {
	for _, changed := range p.changed {
		if changed.Name == pool {
			return changed.Left
		}
	}
	left, _ := p.c.Pool(pool)
	return left
}

// set changes what is left in a pool; a Max grows with what is bought.
func (p *purse) set(pool string, left int) {
	most := left
	for _, old := range p.c.Pools {
		if old.Name == pool {
			most = max(old.Max, left)
		}
	}
	fresh := combat.Pool{Name: pool, Left: left, Max: most}
	if i := slices.IndexFunc(p.changed, func(changed combat.Pool) bool { return changed.Name == pool }); i >= 0 {
		p.changed[i] = fresh
		return
	}
	p.changed = append(p.changed, fresh)
}

func (p *purse) short(pool string, cost int) *combat.Refusal {
	return combat.Refuse("not_enough_budget", "pool", pool, "left", p.left(pool), "cost", cost)
}

// Pools that may pay for an action of each length, in the order in which they
// do by default: its own, and then by exchange downward, never upward (SF-08).
var payers = map[string][]string{
	poolStandard: {poolStandard},
	poolMove:     {poolMove, poolStandard},
	poolSwift:    {poolSwift, poolMove, poolStandard},
}

// spend pays for one action of a length, from the pool that was chosen or from
// the first that can.
func (p *purse) spend(length, chosen string) *combat.Refusal {
	from := payers[length]
	if chosen != "" {
		if !slices.Contains(from, chosen) {
			return combat.Refuse("bad_value", "field", "cost")
		}
		from = []string{chosen}
	}
	if p.s.HasEffect(p.c.ID, "nauseated") { // one move action, and nothing for it
		if length != poolMove {
			return combat.Refuse("not_enough_budget", "pool", length, "left", 0, "cost", 1)
		}
		from = []string{poolMove}
	}
	for _, pool := range from {
		switch {
		case p.left(pool) < 1:
		case pool == poolSwift || !restricted(p.s, p.c):
			p.set(pool, p.left(pool)-1)
			return nil
		case p.left(poolStandard) > 0 && p.left(poolMove) > 0: // one of the two
			p.set(poolStandard, p.left(poolStandard)-1)
			p.set(poolMove, p.left(poolMove)-1)
			return nil
		}
	}
	return p.short(length, 1)
}

// spendAll pays for a full action: it needs all three parts of the turn, unspent
// and permitted (SF-09).
func (p *purse) spendAll() *combat.Refusal {
	parts := []string{poolStandard, poolMove, poolSwift}
	if restricted(p.s, p.c) || p.s.HasEffect(p.c.ID, "nauseated") || slices.ContainsFunc(parts, func(pool string) bool { return p.left(pool) < 1 }) {
		return combat.Refuse("not_enough_budget", "pool", poolFull, "left", 0, "cost", 1)
	}
	for _, pool := range parts {
		p.set(pool, p.left(pool)-1)
	}
	return nil
}

// walk pays for feet of movement. A move action buys movement up to one's speed
// (SF-10); several Moves may use it up, until something else is done. A Move
// that needs more than is left buys one more move action.
func (p *purse) walk(feet int) *combat.Refusal {
	left := p.left(poolMovement)
	if left < feet {
		left += speed(p.s, p.c)
		if r := p.spend(poolMove, ""); r != nil {
			return r
		}
	}
	if left < feet {
		return combat.Refuse("not_enough_budget", "pool", poolMovement, "left", left, "cost", feet)
	}
	p.set(poolMovement, left-feet)
	return nil
}

// speed is what one move action is worth, in feet.
func speed(s *combat.State, c *combat.Combatant) int {
	if s.HasEffect(c.ID, immobilizing...) {
		return 0
	}
	feet := c.Speed
	for _, e := range s.Effects {
		if e.Target == c.ID {
			feet += e.Speed
		}
	}
	if s.HasEffect(c.ID, "entangled") {
		feet /= 2
	}
	return max(feet, 0)
}

// crawl is how far a move action takes one who crawls, in feet; the core has
// doubled them.
const crawl = 2 * 5

// Pay takes the price of an action out of the turn's budget. cost names the
// pool; left out, it is the kind's own, or the cheapest that may stand in for
// it (SF-08). In a response there is one thing to do, and it has been paid for.
func (System) Pay(s *combat.State, c *combat.Combatant, f *combat.Frame, a *combat.Action, cost string) ([]combat.Pool, *combat.Refusal) {
	if f.Kind != combat.FrameTurn {
		return nil, answerOnly(s, c, f, a)
	}
	what := spec(a.Kind)
	switch {
	case a.Kind == kindStabilize || a.Kind == kindStay:
		return payRecovery(c, a.Kind)
	case c.Life != combat.Up:
		return nil, combat.Refuse("cannot_act", "reason", c.Life)
	}
	p := &purse{s: s, c: c}
	var r *combat.Refusal
	switch {
	case a.Kind == combat.ActionMove:
		r = p.move(a.Feet, cost)
	case what.Pool == "":
		return nil, nil // talk and the like: no action at all
	case what.Pool == poolFull:
		if cost != "" && cost != poolFull {
			return nil, combat.Refuse("bad_value", "field", "cost")
		}
		r = p.spendAll()
	default:
		r = p.spend(what.Pool, cost)
	}
	if r != nil {
		return nil, r
	}
	if a.Kind != combat.ActionMove && p.left(poolMovement) > 0 {
		p.set(poolMovement, 0) // the move action is over
	}
	return p.changed, nil
}

// move pays for a Move: standing up and crawling are move actions of their own.
func (p *purse) move(feet int, how string) *combat.Refusal {
	switch how {
	case "stand":
		if r := p.spend(poolMove, ""); r != nil || feet == 0 {
			return r
		}
	case "crawl":
		if feet > crawl {
			return combat.Refuse("not_enough_budget", "pool", poolMovement, "left", crawl, "cost", feet)
		}
		return p.spend(poolMove, "")
	}
	return p.walk(feet)
}

// Kinds that may follow in the frame of a response: what it was for.
var deeds = []string{"attack", "castSpell", "combatManeuver", "fightDefensively", "other", combat.ActionMove}

// answerOnly refuses whatever is not the one deed of a response.
func answerOnly(s *combat.State, c *combat.Combatant, f *combat.Frame, a *combat.Action) *combat.Refusal {
	switch most := speed(s, c); {
	case f.Touched || !slices.Contains(deeds, a.Kind) || a.Kind == combat.ActionMove && f.Kind != combat.FrameReadied:
		return combat.Refuse("not_enough_budget", "pool", f.Kind, "left", 0, "cost", 1)
	case a.Kind == combat.ActionMove && a.Feet > most:
		return combat.Refuse("not_enough_budget", "pool", poolMovement, "left", most, "cost", a.Feet)
	}
	return nil
}
