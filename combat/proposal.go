package combat

import (
	"encoding/json"
	"slices"
)

// A proposal is what a player asks the GM to apply to its own combatants ("I
// take 7"), where the option playersHurt is ask. It is a decision of the GM's
// that blocks nothing: turns, windows and clocks go on over it. It is the GM's
// and that seat's business, and in nobody else's view. Asking is like talk: undo
// does not take it back. The GM's answer is undone like anything else, and then
// the question is open again.

// PendingProposal is the kind of decision that is one.
const PendingProposal = "proposal"

// MaxProposals bounds the open proposals of one seat.
const MaxProposals = 8

// asks reports whether what the sender wants done to hit points and effects is
// for the GM to decide.
func (d *Draft) asks() bool { return !d.gm() && d.Option(OptionPlayersHurt) == "ask" }

// mayPropose reports whether the sender has room for one more proposal.
func (d *Draft) mayPropose() bool {
	n := 0
	for _, p := range d.State().Pending {
		if p.Kind == PendingProposal && p.Seat == d.By.Seat {
			n++
		}
	}
	return n < MaxProposals
}

// mayAccept is what an offer to answer a proposal fixes: nothing for the GM, a
// withdrawal for the player.
func (d *Draft) mayAccept() *bool {
	if d.gm() {
		return nil
	}
	return new(bool)
}

// propose puts a command, checked already, before the GM.
func (d *Draft) propose(command Command, about []ID) *Refusal {
	if !d.mayPropose() {
		return refuse("too_many", "field", "proposals", "limit", MaxProposals)
	}
	encoded, err := EncodeCommand(command)
	if err != nil {
		return refuse("bad_value", "field", "command")
	}
	d.Emit(Proposed{Pending: Pending{ID: d.NewID("p"), Kind: PendingProposal, Combatants: about, Seat: d.By.Seat,
		Command: encoded, Mentions: mentions(command)}})
	return nil
}

// mentions lists the combatants and effects that a proposed command names
// besides its targets.
func mentions(command Command) []ID {
	var ids []ID
	add := func(id ID) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	switch cmd := command.(type) {
	case Damage:
		add(cmd.Source)
	case AddEffect:
		add(cmd.Source)
		if cmd.Until != nil {
			add(cmd.Until.Of)
		}
	case RemoveEffect:
		for _, id := range cmd.Effects {
			add(id)
		}
	}
	return ids
}

// answerProposal is the GM's yes or no, or the player's own second thought. A
// yes applies the command as if the GM had sent it.
func (d *Draft) answerProposal(p *Pending, cmd Answer) *Refusal {
	if cmd.Accept == nil {
		return refuse("bad_value", "field", "accept")
	}
	closed := ProposalClosed{Pending: p.ID, Seat: p.Seat, Combatants: p.Combatants, Command: p.Command, Why: "dismissed"}
	switch {
	case *cmd.Accept && !d.gm():
		return refuse("forbidden")
	case *cmd.Accept:
		closed.Why = "accepted"
	case !d.gm():
		closed.Why = "withdrawn"
	}
	d.Emit(closed)
	if !*cmd.Accept {
		return nil
	}
	command, r := DecodeCommand(p.Command)
	if r != nil {
		return r
	}
	switch command.(type) {
	case Damage, Heal, SetTempHP, AddEffect, RemoveEffect:
		return d.dispatch(command)
	}
	return refuse("unknown_command", "field", "command")
}

// dropProposals ends those that no longer stand, if anything has happened that
// may have felled one.
func (d *Draft) dropProposals() {
	if !slices.ContainsFunc(d.events, endsProposals) {
		return
	}
	for _, p := range slices.Clone(d.State().Pending) {
		if p.Kind == PendingProposal && !d.State().stands(p) {
			d.Emit(ProposalClosed{Pending: p.ID, Seat: p.Seat, Combatants: p.Combatants, Command: p.Command, Why: "gone"})
		}
	}
}

func endsProposals(event Event) bool {
	switch event.(type) {
	case CombatantRemoved, CombatReset, EffectEnded, SeatRemoved, SeatAssigned:
		return true
	}
	return false
}

// stands reports whether a proposal can still be applied: who made it plays
// those whom it is about, and whatever it names is there.
func (s *State) stands(p *Pending) bool {
	if s.Seat(p.Seat) == nil {
		return false
	}
	for _, id := range p.Combatants {
		if c := s.Combatant(id); c == nil || c.Seat != p.Seat {
			return false
		}
	}
	return !slices.ContainsFunc(p.Mentions, func(id ID) bool { return s.Combatant(id) == nil && s.Effect(id) == nil })
}

func (m *mutator) applyProposal(event Event) {
	switch e := event.(type) {
	case Proposed:
		m.ownPending()
		p := e.Pending
		m.s.Pending = append(m.s.Pending, &p)
	case ProposalClosed:
		m.ownPending()
		m.closed = append(m.closed, e.Pending)
		m.s.Pending = slices.DeleteFunc(m.s.Pending, func(p *Pending) bool { return p.ID == e.Pending })
	}
}

// keepProposals gives a state of the past, which is being built, the proposals
// that stand now: see rebase.
func (s *State) keepProposals(now *State, back, taken []ID) {
	if len(proposals(s.Pending))+len(proposals(now.Pending)) == 0 {
		return
	}
	s.Seats = now.Seats
	was := s.Pending
	s.Pending = []*Pending{}
	for _, p := range was {
		if p.Kind != PendingProposal || (slices.Contains(back, p.ID) || now.PendingByID(p.ID) != nil) && s.stands(p) {
			s.Pending = append(s.Pending, p)
		}
	}
	old := State{Pending: was}
	for _, p := range now.Pending {
		if p.Kind == PendingProposal && old.PendingByID(p.ID) == nil && !slices.Contains(taken, p.ID) && s.stands(p) {
			s.Pending = append(s.Pending, p)
		}
	}
}

// proposalsWithout lists the proposals that are open in one state and not in
// the other.
func proposalsWithout(s, other *State) []ID {
	var ids []ID
	for _, p := range s.Pending {
		if p.Kind == PendingProposal && other.PendingByID(p.ID) == nil {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// proposals keeps those of a list of decisions that are proposals.
func proposals(pending []*Pending) []*Pending {
	kept := []*Pending{}
	for _, p := range pending {
		if p.Kind == PendingProposal {
			kept = append(kept, p)
		}
	}
	return kept
}

// knowsProposal reports whether a proposal of this seat is this audience's
// business.
func (v *viewer) knowsProposal(seat ID) bool {
	return v.gm() || v.a.Role == RoleSeat && v.a.Seat == seat
}

func (v *viewer) proposal(p *Pending) *PendingView {
	return &PendingView{ID: p.ID, Kind: p.Kind, Combatants: p.Combatants, Seat: p.Seat, Command: v.proposed(p.Command, p.Mentions)}
}

// proposed is a proposed command without whom this audience may not see: even
// its own player forgets whoever has been hidden since.
func (v *viewer) proposed(command json.RawMessage, names []ID) json.RawMessage {
	unseen := func(id ID) bool { return !v.sees(id) && v.s.Effect(id) == nil }
	if !slices.ContainsFunc(names, unseen) {
		return command
	}
	return withoutUnseen(command, unseen)
}

// proposed is the same for a line of the log.
func (l *logger) proposed(command json.RawMessage) json.RawMessage {
	return withoutUnseen(command, func(id ID) bool { return !l.sees(id) })
}

// withoutUnseen leaves those out of a proposed command, its targets aside, who may
// not be seen.
func withoutUnseen(command json.RawMessage, unseen func(ID) bool) json.RawMessage {
	decoded, r := DecodeCommand(command)
	if r != nil {
		return nil
	}
	shown := func(id ID) ID {
		if unseen(id) {
			return ""
		}
		return id
	}
	switch cmd := decoded.(type) {
	case Damage:
		cmd.Source = shown(cmd.Source)
		decoded = cmd
	case AddEffect:
		cmd.Source = shown(cmd.Source)
		if cmd.Until != nil {
			until := *cmd.Until
			until.Of = shown(until.Of)
			cmd.Until = &until
		}
		decoded = cmd
	}
	encoded, err := EncodeCommand(decoded)
	if err != nil {
		return nil
	}
	return encoded
}

// proposes reports whether an event is about a proposal of this seat.
func proposes(event Event, seat ID) bool {
	switch e := event.(type) {
	case Proposed:
		return e.Pending.Seat == seat
	case ProposalClosed:
		return e.Seat == seat
	}
	return false
}
