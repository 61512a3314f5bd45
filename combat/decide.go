package combat

import (
	"maps"
	"slices"
)

// decide answers a command and then lets happen what happens by itself.
func (d *Draft) decide(command Command) *Refusal {
	resting := ID("")
	if f := d.State().Acting(); f != nil && f.Step == StepAct && f.Empty != "" {
		resting = f.ID
	}
	if r := d.mayCommand(command); r != nil {
		return r
	}
	if r := d.dispatch(command); r != nil {
		return r
	}
	switch command.(type) {
	case Undo, Redo:
		// A state of the past had settled already.
	default:
		// Talk moves nothing, not even a game in which nobody is left to act.
		if slices.ContainsFunc(d.events, lasts) {
			d.settle(resting)
			d.keepClock()
		}
	}
	d.dropProposals()
	return nil
}

// mayCommand refuses those who may send nothing: spectators, players without a
// seat but for asking for one, and seats that may only look.
func (d *Draft) mayCommand(command Command) *Refusal {
	switch d.By.Role {
	case RoleGM, RoleServer:
		return nil
	case RolePlayer:
		if _, asks := command.(AddSeat); asks {
			return nil
		}
	case RoleSeat:
		if seat := d.State().Seat(d.By.Seat); seat != nil && !seat.ReadOnly {
			return nil
		}
	}
	return refuse("forbidden")
}

func (d *Draft) dispatch(command Command) *Refusal {
	switch cmd := command.(type) {
	case AddCombatant, EditCombatant, RemoveCombatant, DuplicateCombatant, ImportCombatants, SetHidden, SetSight, SetDefeated, AssignSeat,
		SetPosition, AddSeat, RemoveSeat, EditSeat, ReplaceLink, SetCharged:
		return d.roster(command)
	case SetSurprised, RollInitiative, SetInitiative, SettleTie, RollOff, StartCombat, EndCombat, ResetCombat:
		return d.opening(command)
	case Act:
		return d.act(cmd)
	case Move:
		return d.move(cmd)
	case EndTurn:
		return d.end(cmd)
	case React:
		return d.react(cmd)
	case Decline:
		return d.decline(cmd)
	case Answer:
		return d.answer(cmd)
	case Damage:
		return d.damage(cmd)
	case Heal:
		return d.heal(cmd)
	case SetTempHP:
		return d.setTempHP(cmd)
	case AddEffect:
		return d.addEffect(cmd)
	case RemoveEffect:
		return d.removeEffect(cmd)
	case Roll:
		return d.rollDice(cmd)
	case Say:
		return d.say(cmd)
	case Delay, ReturnFromDelay, Ready, Release, LegendaryAction, LairAction, Declare, WithdrawDeclaration, Hold, Pass, Take:
		return d.System.Do(d, command)
	}
	return d.rule(command)
}

// rule answers the commands that only a GM, or the hub, may send.
func (d *Draft) rule(command Command) *Refusal {
	if r := d.onlyGM(); r != nil {
		return r
	}
	switch cmd := command.(type) {
	case CloseWindow:
		return d.closeWindow(cmd)
	case SetOptions:
		return d.setOptions(cmd)
	case Reorder:
		if !d.State().InFight() {
			return refuse("not_started", "phase", d.State().Phase)
		}
		if r := firstRefusal(d.checkIDs("order", cmd.Order), d.optionalIDs("base", cmd.Base)); r != nil {
			return r
		}
		return d.reorder(cmd)
	case SetActive:
		return d.setActive(cmd)
	case Grant:
		return d.grant(cmd)
	case PauseClock, ResumeClock:
		return d.holdClock(command)
	case Undo:
		return d.undo(cmd.To)
	case Redo:
		return d.redo()
	case Note:
		if r := checkText("text", cmd.Text, MaxText, true); r != nil {
			return r
		}
		d.Emit(Noted(cmd))
		return nil
	case WindowExpired:
		if d.By.Role != RoleServer {
			return refuse("forbidden")
		}
		return d.windowExpired(cmd)
	case TurnExpired:
		return d.turnExpired(cmd)
	}
	return refuse("unknown_command", "field", "type")
}

// end ends the acting frame: a turn goes to its end step, a response pops.
func (d *Draft) end(cmd EndTurn) *Refusal {
	s := d.State()
	if !s.InFight() {
		return refuse("not_started", "phase", s.Phase)
	}
	id := cmd.Combatant
	if id == "" {
		f := s.Frame(cmd.Frame)
		switch {
		case f != nil && d.Knows(f.Combatant):
			id = f.Combatant
		case cmd.Frame != "":
			return refuse("stale_frame", "frame", cmd.Frame)
		case s.Acting() == nil:
			return refuse("no_combatants", "phase", s.Phase)
		case !d.gm():
			return refuse("bad_value", "field", "frame")
		default:
			id = s.Acting().Combatant
		}
	}
	c, r := d.Mine("combatant", id)
	if r != nil {
		return r
	}
	f, r := d.ActingFrame(c, cmd.Frame)
	if f := s.Acting(); r != nil && r.Code == "pending_decision" && d.gm() && f.Window == nil {
		// The GM ends a turn whatever is still owed in it (C-13).
		d.closePending(f.ID)
		if f.Step != StepEnd {
			d.EndStep(f)
			d.closePending(f.ID)
		}
		return nil
	}
	if r != nil {
		return r
	}
	switch {
	case f.Kind != FrameTurn && f.Kind != FrameLair:
		d.pop(f)
	case f.Step == StepAct:
		d.EndStep(f)
	default:
		return refuse("stale_frame", "frame", f.ID)
	}
	return nil
}

// turnExpired ends a turn whose time is over: steps 6 to 8 run as always.
func (d *Draft) turnExpired(cmd TurnExpired) *Refusal {
	s := d.State()
	f := s.Turn()
	if d.By.Role != RoleServer {
		return refuse("forbidden")
	}
	if s.Phase == PhaseDeclaration && s.Clock.Frame == cmd.Frame && s.Clock.Deadline > 0 && s.Clock.Deadline <= d.By.Now {
		d.Emit(ClockSet{})
		d.System.TimeUp(d)
		return nil
	}
	if f == nil || f.ID != cmd.Frame || s.Clock.Deadline == 0 || s.Clock.Deadline > d.By.Now || f != s.Acting() || f.Step != StepAct {
		return refuse("stale_frame", "frame", cmd.Frame)
	}
	d.EndStep(f)
	if f = d.State().Frame(cmd.Frame); f != nil && !d.State().Owes(f.ID) {
		d.endTurn(f, true)
	}
	return nil
}

// setActive gives the turn to somebody out of order. The turn that was going
// on ends; places that are passed over on the way end what is anchored there.
func (d *Draft) setActive(cmd SetActive) *Refusal {
	s := d.State()
	if !s.InFight() {
		return refuse("not_started", "phase", s.Phase)
	}
	c := s.Combatant(cmd.Combatant)
	if c == nil {
		return refuse("unknown_combatant", "field", "combatant")
	}
	if f := s.Turn(); cmd.Frame != "" && (f == nil || f.ID != cmd.Frame) {
		return refuse("stale_frame", "frame", cmd.Frame)
	}
	slot := s.nextSlotOf(c.ID)
	if slot == nil || !c.Fights() {
		return refuse("cannot_act", "reason", Dead)
	}
	d.clearStack()
	s = d.State()
	// What the end of that turn brought may have moved the slot, or felled its
	// owner.
	c, slot = s.Combatant(cmd.Combatant), s.nextSlotOf(cmd.Combatant)
	if slot == nil || !c.Fights() {
		d.Advance()
		return nil
	}
	target := *slot
	from, to := s.slotIndex(s.Cursor), s.slotIndex(target.ID)
	for i := from + 1; i < to; i++ {
		passed := s.Order[i]
		d.crossCount(passed.Count)
		if !passed.Done {
			d.passPlace(passed)
		}
	}
	d.crossCount(target.Count)
	d.System.Enter(d, target)
	return nil
}

// clearStack ends whatever is going on: responses pop, the turn is over.
func (d *Draft) clearStack() {
	for d.State().Acting() != nil {
		f := d.State().Acting()
		if f.Kind != FrameTurn && f.Kind != FrameLair {
			d.pop(f)
			continue
		}
		if c := d.State().Combatant(f.Combatant); f.Kind == FrameTurn && c != nil && c.Fights() && f.Step != StepEnd {
			d.System.TurnEnd(d, f)
		}
		if f.Kind == FrameTurn {
			d.expire(AtTurnEnd, f.Combatant)
		}
		d.closePending(f.ID)
		ended := *f
		d.Emit(TurnEnded{Frame: f.ID, Combatant: f.Combatant})
		d.System.TurnOver(d, &ended)
	}
}

// closePending drops the decisions that a frame waited for.
func (d *Draft) closePending(frame ID) {
	for _, p := range slices.Clone(d.State().Pending) {
		if p.Frame == frame {
			d.Emit(PendingClosed{Pending: p.ID})
		}
	}
}

func (d *Draft) setOptions(cmd SetOptions) *Refusal {
	if r := checkOptions(d.System, cmd.Options); r != nil {
		return r
	}
	if cmd.Title != nil {
		if r := checkText("title", *cmd.Title, MaxTitle, false); r != nil {
			return r
		}
	}
	if cmd.Title == nil && len(cmd.Options) == 0 {
		return refuse("bad_value", "field", "options")
	}
	s := d.State()
	if cmd.Title != nil && cmd.BaseTitle != nil && *cmd.BaseTitle != s.Title {
		return stale("title", s.Title)
	}
	for _, key := range slices.Sorted(maps.Keys(cmd.BaseOptions)) {
		if _, set := cmd.Options[key]; !set {
			return refuse("bad_value", "field", "baseOptions")
		}
		if now := d.Option(key); now != cmd.BaseOptions[key] {
			return stale("options."+key, now)
		}
	}
	d.Emit(OptionsSet{Title: cmd.Title, Options: cmd.Options})
	return nil
}

func (d *Draft) grant(cmd Grant) *Refusal {
	c := d.State().Combatant(cmd.Combatant)
	if c == nil {
		return refuse("unknown_combatant", "field", "combatant")
	}
	if !d.State().InFight() && len(c.Pools) == 0 {
		return refuse("not_started", "phase", d.State().Phase)
	}
	if r := checkRange("amount", cmd.Amount, -MaxSmall, MaxSmall); r != nil {
		return r
	}
	for _, p := range c.Pools {
		if p.Name == cmd.Pool {
			p.Left = min(max(p.Left+cmd.Amount, 0), MaxSmall)
			p.Max = max(p.Max, p.Left)
			d.Emit(PoolsSet{Combatant: c.ID, Pools: []Pool{p}, Why: "grant"})
			return nil
		}
	}
	return refuse("bad_value", "field", "pool")
}

// holdClock pauses or resumes the turn clock.
func (d *Draft) holdClock(command Command) *Refusal {
	clock := d.State().Clock
	_, pause := command.(PauseClock)
	if clock.Frame == "" || clock.Deadline == 0 && clock.Left == 0 || clock.Paused == pause {
		return refuse("bad_value", "field", "type")
	}
	clock.Paused = pause
	why := "resume"
	if pause {
		why = "pause"
		if clock.Deadline > 0 {
			clock.Left, clock.Deadline = max(clock.Deadline-d.By.Now, 1), 0
		}
	}
	d.Emit(ClockSet{Clock: clock, Why: why})
	return nil
}

func (d *Draft) rollDice(cmd Roll) *Refusal {
	if cmd.Secret {
		if r := d.onlyGM(); r != nil {
			return r
		}
	}
	terms, ok := ParseDice(cmd.Dice)
	if !ok {
		return refuse("bad_value", "field", "dice")
	}
	if r := checkText("label", cmd.Label, MaxName, false); r != nil {
		return r
	}
	faces, total := d.throwAll(terms, false)
	d.Emit(DiceRolled{Dice: cmd.Dice, Label: cmd.Label, Faces: faces, Total: total, Secret: cmd.Secret})
	return nil
}

func (d *Draft) say(cmd Say) *Refusal {
	if r := checkText("text", cmd.Text, MaxText, true); r != nil {
		return r
	}
	d.Emit(Said(cmd))
	return nil
}
