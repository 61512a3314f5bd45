package combat

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Views keeps what every audience of one encounter sees, encoded, and says
// what changes with each commit. It belongs to whoever owns the encounter: one
// goroutine at a time.
//
// Most audiences see the same but for their own combatants and what they may
// do. So what all share is encoded once, in a layer for the GM, one for players
// and one for spectators, which are one and the same as long as the GM makes no
// difference between them; an audience adds its own on top. A seat that knows
// more than other players, by what it plays, has a layer to itself.
type Views struct {
	engine *Engine
	state  *State
	policy *policy
	alike  bool // spectators see what players do
	layers []*layer
	open   []*audienceView
	offers map[ID]*offerMemo
	// Scratch, used again for every audience.
	can    []byte
	head   []byte
	yours  YouView
	asking asking
}

// Change is what one commit changed for one audience. Nothing in it may be
// written to.
type Change struct {
	Audience Audience
	Set      map[string]json.RawMessage
	Del      []string
	Log      []json.RawMessage // encoded LogEntry
}

// audienceView is what one audience has on top of its layer: its own combatants
// and its offers.
type audienceView struct {
	audience Audience
	layer    *layer
	moved    bool // by this commit, to another layer
	own      map[string]json.RawMessage
	spare    map[string]json.RawMessage // the next own, emptied
	memo     map[ID]*combatantMemo
	look     viewer
}

// NewViews starts with the audiences gm, player, spectator and one for every
// seat, at state s.
func (e *Engine) NewViews(s *State) *Views {
	v := &Views{engine: e, offers: map[ID]*offerMemo{}}
	v.Move(s, nil)
	return v
}

// Audiences lists the audiences there are now: gm, player, spectator and one
// for every seat.
func (v *Views) Audiences() []Audience {
	all := make([]Audience, len(v.open))
	for i, view := range v.open {
		all[i] = view.audience
	}
	return all
}

// Whole returns the whole view of an audience, or nil when there is no such
// audience. The map is the caller's, the values are not to be written to.
func (v *Views) Whole(a Audience) map[string]json.RawMessage {
	for _, view := range v.open {
		if view.audience == a {
			return view.whole()
		}
	}
	return nil
}

func (view *audienceView) whole() map[string]json.RawMessage {
	whole := make(map[string]json.RawMessage, len(view.layer.keys)+len(view.own))
	for key, entry := range view.layer.keys {
		whole[key] = entry.value
	}
	for key, value := range view.own {
		whole[key] = value
	}
	return whole
}

// Move goes on to state s, reached by commit c, and returns what changed, one
// Change for each audience that sees any difference. Seats that c added are
// new audiences (their first change is their whole view); removed seats' ones
// are gone. A nil c is a jump (start-up): no log lines.
func (v *Views) Move(s *State, c *Commit) []Change {
	before, alike := v.state, v.alike
	v.state = s
	if v.policy == nil || v.policy.rev != s.optionsRev {
		v.policy = policyOf(v.engine.systems[s.Rules], s)
	}
	v.alike = v.policy.alike(s)
	v.matchAudiences(s)
	if len(v.offers) > len(s.Combatants) {
		for id := range v.offers {
			if s.Combatant(id) == nil {
				delete(v.offers, id)
			}
		}
	}
	for _, l := range v.layers {
		l.look.look(v.engine, s, l.audience, v.policy)
		l.refresh(&l.look)
	}
	var changes []Change
	lines := lineMemo{views: v, before: before, after: s, commit: c, alike: alike && v.alike}
	for _, view := range v.open {
		change := Change{Audience: view.audience}
		view.refresh(v, s, &change)
		if c != nil {
			change.Log = lines.of(view, &change)
		}
		if len(change.Set) > 0 || len(change.Del) > 0 || len(change.Log) > 0 {
			changes = append(changes, change)
		}
	}
	return changes
}

// layerOf names the layer that an audience sees.
func (v *Views) layerOf(a Audience) Audience {
	switch {
	case a.Role == RoleGM || a.Role == RoleSeat && v.knowsMore(a):
		return a
	case v.alike || a.class() == Players:
		return Audience{Role: RolePlayer}
	}
	return Audience{Role: RoleSpectator}
}

// knowsMore reports whether a seat plays somebody of whom other players do not
// see everything, or has seen a turn of its own that they have not.
func (v *Views) knowsMore(a Audience) bool {
	return v.state.LastFor[a.String()] != nil || slices.ContainsFunc(v.state.Combatants, func(c *Combatant) bool {
		return c.Seat == a.Seat && (c.Kind != "pc" || c.hiddenFrom(Players) || v.policy.of(Players, c) != everything)
	})
}

// matchAudiences opens what new seats need, drops what removed ones leave, and
// gives everybody the layer it sees.
func (v *Views) matchAudiences(s *State) {
	v.open = slices.DeleteFunc(v.open, func(view *audienceView) bool {
		return view.audience.Role == RoleSeat && s.Seat(view.audience.Seat) == nil
	})
	if len(v.open) == 0 {
		for _, role := range []string{RoleGM, RolePlayer, RoleSpectator} {
			v.open = append(v.open, &audienceView{audience: Audience{Role: role}})
		}
	}
	for _, seat := range s.Seats {
		a := Audience{Role: RoleSeat, Seat: seat.ID}
		if !slices.ContainsFunc(v.open, func(view *audienceView) bool { return view.audience == a }) {
			v.open = append(v.open, &audienceView{audience: a})
		}
	}
	for _, l := range v.layers {
		l.used = false
	}
	for _, view := range v.open {
		name := v.layerOf(view.audience)
		i := slices.IndexFunc(v.layers, func(l *layer) bool { return l.audience == name })
		if i < 0 {
			i = len(v.layers)
			v.layers = append(v.layers, newLayer(name))
		}
		v.layers[i].used, view.moved = true, false
		if view.layer != v.layers[i] {
			view.next(v.layers[i])
		}
	}
	v.layers = slices.DeleteFunc(v.layers, func(l *layer) bool { return !l.used })
}

// next changes the layer: until the next refresh the view keeps the old whole,
// as its own, to compare with.
func (view *audienceView) next(l *layer) {
	if view.layer != nil {
		view.own = view.whole()
	} else {
		view.own = map[string]json.RawMessage{}
	}
	view.spare, view.memo = map[string]json.RawMessage{}, map[ID]*combatantMemo{}
	view.layer, view.moved = l, true
	l.joined = append(l.joined, view)
}

// set records a changed key.
func (change *Change) set(key string, value json.RawMessage) {
	if change.Set == nil {
		change.Set = make(map[string]json.RawMessage, 8)
	}
	change.Set[key] = value
}

// refresh brings the audience's own part up to date and works out what changed
// in all.
func (view *audienceView) refresh(v *Views, s *State, change *Change) {
	look := &view.look
	look.look(v.engine, s, view.audience, v.policy)
	own := view.spare
	clear(own)
	for _, c := range s.Combatants {
		if view.audience.Role == RoleSeat && look.owns(c) {
			m := memoOf(view.memo, look, c)
			own[m.key] = m.encoded
		}
	}
	if view.audience.Role == RoleSeat {
		for _, p := range s.Pending {
			if p.Kind == PendingProposal && look.knowsProposal(p.Seat) {
				own["pending/"+string(p.ID)] = encode(look.proposal(p))
			}
		}
	}
	if len(view.memo) > len(s.Combatants) {
		for id := range view.memo {
			if s.Combatant(id) == nil {
				delete(view.memo, id)
			}
		}
	}
	you := v.you(look)
	if bytes.Equal(you, view.own["you"]) {
		own["you"] = view.own["you"]
	} else {
		own["you"] = slices.Clone(you)
	}
	was := view.own
	view.own, view.spare = own, was
	if i := slices.Index(view.layer.joined, view); i >= 0 {
		view.layer.joined = slices.Delete(view.layer.joined, i, i+1)
		view.compareAll(was, change)
		return
	}
	for _, k := range view.layer.changed {
		if _, mine := own[k]; !mine {
			change.set(k, view.layer.keys[k].value)
		}
	}
	for k, value := range own {
		if old, had := was[k]; !had || !sameBytes(old, value) {
			change.set(k, value)
		}
	}
	for k := range was {
		if _, still := own[k]; still {
			continue
		}
		if entry, shared := view.layer.keys[k]; shared {
			change.set(k, entry.value)
		} else if !slices.Contains(view.layer.gone, k) {
			change.Del = append(change.Del, k)
		}
	}
	for _, k := range view.layer.gone {
		if _, mine := own[k]; !mine {
			change.Del = append(change.Del, k)
		}
	}
	slices.Sort(change.Del)
}

// compareAll works out the change from one whole view to another.
func (view *audienceView) compareAll(was map[string]json.RawMessage, change *Change) {
	whole := view.whole()
	for k, value := range whole {
		if !bytes.Equal(was[k], value) {
			change.set(k, value)
		}
	}
	for k := range was {
		if _, still := whole[k]; !still {
			change.Del = append(change.Del, k)
		}
	}
	slices.Sort(change.Del)
}

func sameBytes(a, b json.RawMessage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || bytes.Equal(a, b))
}

// offerMemo keeps what one combatant may do, encoded, and what that hangs on.
type offerMemo struct {
	on      dependencies
	c       *Combatant
	stack   listID[*Frame]
	pending listID[*Pending]
	turn    []byte // in its frame, to a question, and the system's own
	early   bool   // something is about to happen
	before  []byte // responses to what has not happened yet
	after   []byte // and to what has
}

// you encodes a YouView. The result is good until the next call.
func (v *Views) you(look *viewer) []byte {
	s := look.s
	look.youHead(&v.yours)
	can := v.can[:0]
	if d := v.asking.of(look); d != nil {
		var scratch [48]Offer
		if look.gm() {
			can = appendOffers(can, d.gmOffers(scratch[:0]))
		} else {
			can = appendOffers(can, d.seatOffers(scratch[:0]))
		}
		respond := s.Acting() != nil && d.CheckRespond(nil, "") == nil
		for _, c := range s.Combatants {
			if look.gm() || look.owns(c) {
				can = v.combatantOffers(can, look, d, c, respond)
			}
		}
		can = appendOffers(can, d.decisionOffers(scratch[:0]))
	}
	v.can = can
	v.head = appendYou(v.head[:0], &v.yours, can)
	return v.head
}

// combatantOffers is Draft.combatantOffers, out of memory where nothing that it
// hangs on has changed.
func (v *Views) combatantOffers(can []byte, look *viewer, d *Draft, c *Combatant, respond bool) []byte {
	s := d.State()
	if !s.InFight() {
		return can
	}
	memo := v.offers[c.ID]
	if memo == nil {
		memo = &offerMemo{}
		v.offers[c.ID] = memo
	}
	var scratch [32]Offer
	on, stack, pending := dependOn(look), identify(s.Stack), identify(s.Pending)
	early := s.Acting() != nil && d.Before(s.Acting())
	same := memo.c == c && memo.on == on
	if !same {
		memo.before = appendOffers(memo.before[:0], d.reactOffers(scratch[:0], c, true))
		memo.after = appendOffers(memo.after[:0], d.reactOffers(scratch[:0], c, false))
	}
	if !same || memo.stack != stack || memo.pending != pending || memo.early != early {
		memo.turn = appendOffers(memo.turn[:0], d.turnOffers(scratch[:0], c))
		memo.turn = appendOffers(memo.turn, d.System.Offers(d, c))
	}
	memo.c, memo.on, memo.stack, memo.pending, memo.early = c, on, stack, pending, early
	can = append(can, memo.turn...)
	switch {
	case !respond:
	case early:
		can = append(can, memo.before...)
	default:
		can = append(can, memo.after...)
	}
	return can
}
