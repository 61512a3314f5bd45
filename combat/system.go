package combat

// System is one rule system: everything in which Starfinder, D&D 5e and Lights
// & Shadows differ. The core owns the order, the stack, the windows, the
// effects and the pipeline of a turn; it asks the system at fixed points. A
// System has no state: what it must remember between calls it keeps in the
// State, as marks and stats of combatants, pools, slots, effects and pending
// decisions, all of which it writes through a Draft. Embed Base for the plain
// answer to every question.
//
// The methods that take a *State only read it; those that take a *Draft may
// emit events. See the table in system_fit.go for how each system's special
// rules are said in these terms.
type System interface {
	// Name is the name on the wire: dnd5e, starfinder, lights-and-shadows.
	Name() string
	// Options lists the configuration keys it adds to the core's own.
	Options() []Option
	// Stats lists the numbers of a combatant's sheet that it reads.
	Stats() []Stat
	// Actions lists the kinds of action that Act, Ready and React may name, in
	// the order to show them.
	Actions() []ActionSpec
	// Effects lists the conditions and other effects to offer by name, in the
	// order to show them: at least those whose names it acts upon.
	Effects() []EffectSpec

	// Initiative is the die (0: none) and modifier of a combatant's count.
	Initiative(s *State, c *Combatant) (sides, mod int)
	// Together names the unit that shares one count and one place, or "".
	Together(s *State, c *Combatant) string
	// Slots are the slots a combatant has in a round, without ids: most have
	// one. Lairs and second turns are slots too.
	Slots(s *State, c *Combatant, round int) []Slot
	// Compare orders two slots of equal count: below zero when a is first, zero
	// when the rules leave it open.
	Compare(s *State, a, b *Slot) int
	// TiesWait reports whether open ties wait for people until their first slot
	// comes up; otherwise the server rolls off at the start.
	TiesWait(s *State) bool

	// Declarable lists what may be declared for a round, where there is a
	// declaration phase. It may look at the options only.
	Declarable(s *State) []Declarable

	// Begin starts the fight: it rolls what is missing (d.RollMissing) and makes
	// the first round happen (NewRound(d, 1), or a surprise round).
	Begin(d *Draft)
	// NewRound prepares a round; it calls d.PlayRound when the round may begin,
	// at once or, with a declaration phase (d.OpenDeclaration), later.
	NewRound(d *Draft, round int)
	// TimeUp is called when the time to declare is over: it declares for the
	// silent.
	TimeUp(d *Draft)
	// Declared is called when nobody owes a declaration any more; it makes the
	// order and calls d.PlayRound.
	Declared(d *Draft)
	// Joined follows the arrival of somebody in a running fight, before its
	// slots are put into the order.
	Joined(d *Draft, id ID)
	// Enter is called when the cursor comes to a slot that is not done and
	// whose combatant fights; it usually calls d.BeginTurn.
	Enter(d *Draft, slot Slot)
	// PassPlace is called when the cursor goes over a marker.
	PassPlace(d *Draft, slot Slot)
	// Refresh returns the pools that are renewed at a moment: turn (the start
	// of its own turn), anyTurn (of anybody's), round, fight.
	Refresh(s *State, c *Combatant, at string) []Pool
	// TurnPools names the pools that all may watch a character spend in its turn:
	// none that outlasts it or tells its hit points.
	TurnPools() []string

	// CanAct is the reason why a combatant can do nothing on its turn, or "".
	CanAct(s *State, c *Combatant) string
	// CanReact refuses a response of this kind, or returns nil; it answers for
	// state and budget alike. It may look at the combatant, the effects, the
	// options and the phase only: what it says is kept while those stay.
	CanReact(s *State, c *Combatant, kind string) *Refusal
	// Pay returns the pools after paying for an action in a frame, or a refusal.
	// cost names a pool when the sender chose one.
	Pay(s *State, c *Combatant, f *Frame, a *Action, cost string) ([]Pool, *Refusal)
	// PayReaction returns the pools after a response, or a refusal. It may look at
	// the same as CanReact.
	PayReaction(s *State, c *Combatant, a *Action) ([]Pool, *Refusal)
	// Asks lists who may answer an action at a stage: declared (nothing has
	// happened yet), hit (an attack is about to do damage to targets), done. The
	// core drops those who cannot react and sorts by place.
	Asks(s *State, f *Frame, stage string) []Ask
	// Judge decides an attack: die 0 means that only the total is known.
	Judge(s *State, target *Combatant, die, total int) (hit, critical bool)
	// ToHit is what the rules add to an attack roll that the server makes.
	ToHit(s *State, f *Frame, a *Action) int
	// Begun follows the payment of an action, before anybody may answer it.
	Begun(d *Draft, f *Frame, a *Action)
	// Perform does what an action's kind does when it resolves.
	Perform(d *Draft, f *Frame, a *Action)

	// TurnStart is steps 3 and 4 of the pipeline, after the core's own part.
	TurnStart(d *Draft, f *Frame)
	// TurnEnd is step 6, after the core's own part; not for the dead.
	TurnEnd(d *Draft, f *Frame)
	// TurnOver is step 8: the turn has ended, the frame is gone.
	TurnOver(d *Draft, f *Frame)
	// AC is what the rules add to the armour class of somebody in its state,
	// besides what effects do by themselves. It may look at the same as CanReact.
	AC(s *State, c *Combatant) int
	// Soak takes damage that goes before hit points, and returns what is left.
	Soak(d *Draft, id ID, amount int) (rest int)
	// Hurt follows damage, be hit points tracked or not: falling, dying,
	// concentration. before is the HP there was.
	Hurt(d *Draft, id ID, hit Hit, before int)
	// Healed follows healing from 0 HP.
	Healed(d *Draft, id ID)
	// DeathSaves counts the marks of one who lies at 0 HP, or returns nil where
	// nothing is rolled for it.
	DeathSaves(c *Combatant) *DeathSavesView
	// Outlasts is what of a combatant's pools and marks is still true when the
	// fight is over: what only rest gives back, and how near death it is.
	Outlasts(c *Combatant) (pools []Pool, marks map[string]int)
	// EffectChanged follows an effect put on (added) or taken off a target.
	EffectChanged(d *Draft, e *Effect, added bool)
	// Resolve answers a pending decision of a kind the core does not know.
	Resolve(d *Draft, p *Pending, die int) *Refusal
	// Anchor turns what people say about an effect's end into a place.
	Anchor(s *State, until *Until, source, target ID) Anchor

	// Do decides the commands that are the system's own: delay, ready, release,
	// legendaryAction, lairAction, declare, hold, pass, take … The core has
	// checked who sends it. Refuse with not_in_this_system by default.
	Do(d *Draft, command Command) *Refusal
	// Offers adds the system's own commands that a combatant could send now. It
	// may look at the combatant, the effects, the options, the phase, the stack
	// and the pending decisions only: what it says is kept while those stay.
	Offers(d *Draft, c *Combatant) []Offer
}

// Option is one configuration key.
type Option struct {
	Key     string   `json:"key"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty"` // absent: a whole number from Min to Max
	Min     int      `json:"min,omitempty"`
	Max     int      `json:"max,omitempty"`
	Ruling  bool     `json:"ruling,omitempty"` // about a point where our ruling stands for the source text's
}

// Stat is one number of a combatant's sheet. A Key that ends in ".*" stands
// for any name in its place.
type Stat struct {
	Key      string
	Min, Max int
}

// ActionSpec is one kind of action.
type ActionSpec struct {
	Kind     string
	Pool     string // paid by default
	Cost     int
	Reaction bool   // may be given as a response
	Turn     bool   // may be taken on one's turn
	Ready    bool   // may be readied
	Frame    string // kind of frame a response of this kind gets; default reaction
	Open     bool   // as a response, the deed itself may follow as an Act in its frame
	After    bool   // as a response it waits until what it answers has happened, unless it is purely defensive
}

// EffectSpec is an effect to put on somebody with one tap: its name, and what
// AddEffect is to say besides. What a name does by itself is the rules'.
type EffectSpec struct {
	Name  string `json:"name"`
	AC    int    `json:"ac,omitempty"`    // added to AC
	Speed int    `json:"speed,omitempty"` // added to speed, feet
}

// EffectNames makes specs of names that need nothing besides.
func EffectNames(names ...string) []EffectSpec {
	specs := make([]EffectSpec, len(names))
	for i, name := range names {
		specs[i] = EffectSpec{Name: name}
	}
	return specs
}

// Declarable is one kind of action that may be declared, and how many of the
// round's actions it takes.
type Declarable struct {
	Kind   string `json:"kind"`
	Cost   int    `json:"cost"`
	Round  bool   `json:"round,omitempty"`  // takes the whole round
	Weapon bool   `json:"weapon,omitempty"` // made with a weapon
}

// Ask is somebody who may answer, and with what kind of response.
type Ask struct {
	Combatant ID
	Kind      string
}

// Hit is one source of damage.
type Hit struct {
	Source   ID
	Amount   int
	Kind     string
	Dice     []int
	Critical bool
	Melee    bool
	Effect   string // name of the effect that does it
	Over     int    // what was left of it at 0 HP, all of it where HP are not tracked; the core fills it in
}

// Base answers every question of System the plain way: one slot a round at the
// rolled count, ties rolled off at the start, rounds that follow each other,
// no budgets, nothing special.
type Base struct{}

func (Base) Options() []Option                                  { return nil }
func (Base) Stats() []Stat                                      { return nil }
func (Base) Actions() []ActionSpec                              { return nil }
func (Base) Effects() []EffectSpec                              { return nil }
func (Base) Initiative(_ *State, c *Combatant) (sides, mod int) { return 20, c.Mod }
func (Base) Together(*State, *Combatant) string                 { return "" }
func (Base) TiesWait(*State) bool                               { return false }
func (Base) Enter(d *Draft, slot Slot)                          { d.BeginTurn(slot) }
func (Base) PassPlace(*Draft, Slot)                             {}
func (Base) Refresh(*State, *Combatant, string) []Pool          { return nil }
func (Base) TurnPools() []string                                { return nil }
func (Base) AC(*State, *Combatant) int                          { return 0 }
func (Base) Asks(*State, *Frame, string) []Ask                  { return nil }
func (Base) Declarable(*State) []Declarable                     { return nil }
func (Base) Joined(*Draft, ID)                                  {}
func (Base) ToHit(*State, *Frame, *Action) int                  { return 0 }
func (Base) Begun(*Draft, *Frame, *Action)                      {}
func (Base) Perform(*Draft, *Frame, *Action)                    {}
func (Base) TurnStart(*Draft, *Frame)                           {}
func (Base) TurnEnd(*Draft, *Frame)                             {}
func (Base) TurnOver(*Draft, *Frame)                            {}
func (Base) EffectChanged(*Draft, *Effect, bool)                {}
func (Base) Offers(*Draft, *Combatant) []Offer                  { return nil }
func (Base) Resolve(d *Draft, p *Pending, _ int) *Refusal {
	return refuse("unknown_command", "field", "pending")
}
func (Base) CanReact(s *State, c *Combatant, _ string) *Refusal { return nil }
func (Base) Pay(*State, *Combatant, *Frame, *Action, string) ([]Pool, *Refusal) {
	return nil, nil
}
func (Base) PayReaction(*State, *Combatant, *Action) ([]Pool, *Refusal) { return nil, nil }

// Outlasts says that nothing does.
func (Base) Outlasts(*Combatant) ([]Pool, map[string]int) { return nil, nil }

// DeathSaves are not rolled.
func (Base) DeathSaves(*Combatant) *DeathSavesView { return nil }

// TimeUp never comes: there is no declaration.
func (Base) TimeUp(*Draft) {}

// Declared never comes either.
func (Base) Declared(*Draft) {}

// Begin rolls for all and plays the first round.
func (Base) Begin(d *Draft) {
	d.RollMissing(nil)
	d.System.NewRound(d, 1)
}

// Slots gives one turn at the combatant's count.
func (Base) Slots(_ *State, c *Combatant, _ int) []Slot {
	if c.Init == nil {
		return nil
	}
	return []Slot{{Kind: SlotTurn, Combatant: c.ID, Count: *c.Init}}
}

// Compare knows only settled ties and roll-offs.
func (Base) Compare(s *State, a, b *Slot) int {
	return CompareSettled(s.Combatant(a.Combatant), s.Combatant(b.Combatant))
}

// NewRound keeps the order of the round before; the first round makes it.
func (Base) NewRound(d *Draft, round int) {
	if round <= 1 {
		d.MakeOrder(round)
	}
	d.PlayRound(PhaseRounds, round)
}

// CanAct knows the dead and the fallen.
func (Base) CanAct(_ *State, c *Combatant) string {
	switch {
	case !c.Fights():
		return Dead
	case c.Life != Up:
		return c.Life
	}
	return ""
}

// Judge hits from the armour class up.
func (Base) Judge(s *State, target *Combatant, _, total int) (hit, critical bool) {
	return total >= s.CurrentAC(target), false
}

// Soak takes nothing.
func (Base) Soak(_ *Draft, _ ID, amount int) int { return amount }

// Hurt puts whoever comes to 0 HP out of the fight.
func (Base) Hurt(d *Draft, id ID, _ Hit, _ int) {
	if c := d.State().Combatant(id); c.MaxHP > 0 && c.HP == 0 && c.Life != Dead {
		d.SetLife(id, Dead, 0)
	}
}

// Healed puts it back on its feet.
func (Base) Healed(d *Draft, id ID) {
	d.SetLife(id, Up, d.State().Combatant(id).HP)
}

// Anchor follows the turn of a creature: "N rounds" end at the start of the
// source's turn N rounds later (5E-20).
func (Base) Anchor(s *State, until *Until, source, target ID) Anchor {
	return TurnAnchor(s, until, source, target)
}

// Do knows no command of its own.
func (Base) Do(d *Draft, _ Command) *Refusal {
	return refuse("not_in_this_system", "rules", d.State().Rules)
}

// CompareSettled orders two combatants by a settled tie, then by roll-offs;
// zero when neither decides.
func CompareSettled(a, b *Combatant) int {
	if a == nil || b == nil || a.ID == b.ID {
		return 0
	}
	switch {
	case a.Rank > 0 && b.Rank > 0 && a.Rank != b.Rank:
		return a.Rank - b.Rank
	case (a.Rank > 0) != (b.Rank > 0): // who came to a settled tie later comes after
		return b.Rank - a.Rank
	}
	for i := range min(len(a.Rolls), len(b.Rolls)) {
		if a.Rolls[i] != b.Rolls[i] {
			return b.Rolls[i] - a.Rolls[i]
		}
	}
	return 0
}
