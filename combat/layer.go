package combat

import (
	"encoding/json"
	"slices"
)

// layer is the encoded view that several audiences share: all keys but "you".
type layer struct {
	audience Audience
	keys     map[string]entry
	changed  []string // by the last refresh
	gone     []string
	joined   []*audienceView // not compared with it yet
	look     viewer
	used     bool

	turn       uint64 // number of the refresh
	combatants map[ID]*combatantMemo
	on         layerMemo
}

// entry is one encoded value, and the refresh that last saw it.
type entry struct {
	value json.RawMessage
	seen  uint64
}

func newLayer(a Audience) *layer {
	return &layer{audience: a, keys: map[string]entry{}, combatants: map[ID]*combatantMemo{}}
}

// listID tells slices apart by identity: a list that no commit has touched is
// the very same as before.
type listID[T any] struct {
	first *T
	n     int
}

func identify[T any](list []T) listID[T] {
	if len(list) == 0 {
		return listID[T]{}
	}
	return listID[T]{&list[0], len(list)}
}

// dependencies are the parts of a state that a combatant's value hangs on
// besides the combatant.
type dependencies struct {
	effects listID[*Effect]
	options int
	phase   string
	begun   bool
}

func dependOn(look *viewer) dependencies {
	return dependencies{identify(look.s.Effects), look.s.optionsRev, look.s.Phase, look.begun()}
}

// combatantMemo is one encoded combatant and what it was made of.
type combatantMemo struct {
	key     string
	c       *Combatant
	on      dependencies
	encoded json.RawMessage
}

// memoOf returns a combatant's value as an audience sees it, encoded anew only
// if something it is made of has changed.
func memoOf(memo map[ID]*combatantMemo, look *viewer, c *Combatant) *combatantMemo {
	m := memo[c.ID]
	if on := dependOn(look); m == nil || m.c != c || m.on != on {
		fresh := &combatantMemo{key: "combatants/" + string(c.ID), c: c, on: on, encoded: encode(look.combatant(c))}
		memo[c.ID], m = fresh, fresh
	}
	return m
}

// layerMemo is what the other values of a layer were made of.
type layerMemo struct {
	encounter encounterOn
	order     orderOn
	turn      turnOn
	stack     stackOn
	roster    []rosterLine
	rosterRev int
	effects   map[ID]effectOn
	seats     map[ID]seatOn
}

type (
	encounterOn struct {
		title, phase string
		round        int
		count        Count
		counted      bool
		options      int
		encoded      json.RawMessage
	}
	orderOn struct {
		slots           listID[Slot]
		ties            listID[[]ID]
		cursor, current ID
		last            *LastTurn
		frozen          bool
		roster          int
	}
	turnOn struct {
		frame  *Frame
		clock  Clock
		round  int
		last   *LastTurn
		frozen bool
	}
	stackOn struct {
		frames     listID[*Frame]
		combatants [MaxDepth + 1]*Combatant
		effects    listID[*Effect]
		phase      string
		last       *LastTurn
		frozen     bool
		roster     int
	}
	rosterLine struct {
		id, seat ID
		visible  bool
		sight    seen
	}
	effectOn struct {
		e       *Effect
		round   int
		roster  int
		key     string
		encoded json.RawMessage
	}
	seatOn struct {
		seat    *Seat
		roster  int
		key     string
		encoded json.RawMessage
	}
)

// put brings one key up to date.
func (l *layer) put(key string, value json.RawMessage) {
	old, had := l.keys[key]
	if !had || !sameBytes(old.value, value) {
		l.changed = append(l.changed, key)
	} else {
		value = old.value
	}
	l.keys[key] = entry{value, l.turn}
}

// keep marks a key as still there and unchanged.
func (l *layer) keep(key string) {
	if old, had := l.keys[key]; had {
		l.keys[key] = entry{old.value, l.turn}
	}
}

// refresh encodes again what may have changed, and lists what did.
func (l *layer) refresh(v *viewer) {
	l.turn++
	l.changed, l.gone = l.changed[:0], l.gone[:0]
	if l.on.effects == nil {
		l.on.effects, l.on.seats = map[ID]effectOn{}, map[ID]seatOn{}
	}
	l.refreshRoster(v)
	l.refreshEncounter(v)
	for _, c := range v.s.Combatants {
		if v.seesCombatant(c) {
			m := memoOf(l.combatants, v, c)
			l.put(m.key, m.encoded)
		}
	}
	l.refreshOrder(v)
	l.refreshTurn(v)
	l.refreshStack(v)
	if w := v.window(); w != nil {
		l.put("window", encode(w))
	}
	v.pendings(func(p *PendingView) { l.put("pending/"+string(p.ID), encode(p)) })
	l.refreshEffects(v)
	l.refreshSeats(v)
	if v.gm() {
		l.put("history", encode(v.history()))
	}
	for key, e := range l.keys {
		if e.seen != l.turn {
			delete(l.keys, key)
			l.gone = append(l.gone, key)
		}
	}
	l.forget(v.s)
}

// forget drops what was kept about those who are gone.
func (l *layer) forget(s *State) {
	if len(l.combatants) > len(s.Combatants) {
		for id := range l.combatants {
			if s.Combatant(id) == nil {
				delete(l.combatants, id)
			}
		}
	}
	if len(l.on.effects) > len(s.Effects) {
		for id := range l.on.effects {
			if s.Effect(id) == nil {
				delete(l.on.effects, id)
			}
		}
	}
	if len(l.on.seats) > len(s.Seats) {
		for id := range l.on.seats {
			if s.Seat(id) == nil {
				delete(l.on.seats, id)
			}
		}
	}
}

// refreshRoster notices when who is here, who is visible and how, or who plays
// whom has changed.
func (l *layer) refreshRoster(v *viewer) {
	same := len(l.on.roster) == len(v.s.Combatants)
	for i := 0; same && i < len(l.on.roster); i++ {
		c := v.s.Combatants[i]
		same = l.on.roster[i] == rosterLineOf(v, c)
	}
	if same {
		return
	}
	l.on.rosterRev++
	l.on.roster = l.on.roster[:0]
	for _, c := range v.s.Combatants {
		l.on.roster = append(l.on.roster, rosterLineOf(v, c))
	}
}

func rosterLineOf(v *viewer, c *Combatant) rosterLine {
	return rosterLine{c.ID, c.Seat, v.seesCombatant(c), v.sight(c)}
}

func (l *layer) refreshEncounter(v *viewer) {
	count, counted := v.count()
	phase, round := v.phase()
	on := encounterOn{title: v.s.Title, phase: phase, round: round, count: count, counted: counted, options: v.s.optionsRev}
	was := l.on.encounter
	was.encoded = nil
	if l.on.encounter.encoded == nil || !sameEncounter(was, on) {
		on.encoded = encode(v.encounter())
		l.on.encounter = on
	}
	l.put("encounter", l.on.encounter.encoded)
}

func sameEncounter(a, b encounterOn) bool {
	return a.title == b.title && a.phase == b.phase && a.round == b.round && a.count == b.count && a.counted == b.counted && a.options == b.options
}

func (l *layer) refreshOrder(v *viewer) {
	on := orderOn{slots: identify(v.s.Order), ties: identify(v.s.Ties), cursor: v.s.Cursor, last: v.last, frozen: v.frozen, roster: l.on.rosterRev}
	if f := v.s.Turn(); f != nil {
		on.current = f.Slot
	}
	if _, had := l.keys["order"]; had && on == l.on.order {
		l.keep("order")
		return
	}
	l.on.order = on
	slots := v.order()
	l.put("order", appendOrder(make([]byte, 0, 120*len(slots)+2), slots))
}

func (l *layer) refreshTurn(v *viewer) {
	turn := v.turn()
	if turn == nil {
		return
	}
	on := turnOn{frame: v.s.Turn(), clock: v.s.Clock, round: v.s.Round, last: v.last, frozen: v.frozen}
	if _, had := l.keys["turn"]; had && on == l.on.turn {
		l.keep("turn")
		return
	}
	l.on.turn = on
	l.put("turn", encode(turn))
}

func (l *layer) refreshStack(v *viewer) {
	on := stackOn{frames: identify(v.s.Stack), last: v.last, frozen: v.frozen, roster: l.on.rosterRev, effects: identify(v.s.Effects), phase: v.s.Phase}
	for i, f := range v.s.Stack {
		on.combatants[i] = v.s.Combatant(f.Combatant)
	}
	if v.last != nil {
		on.combatants[MaxDepth] = v.s.Combatant(v.last.Combatant)
	}
	if _, had := l.keys["stack"]; had && on == l.on.stack {
		l.keep("stack")
		return
	}
	l.on.stack = on
	l.put("stack", encode(v.stack()))
}

func (l *layer) refreshEffects(v *viewer) {
	_, round := v.phase()
	for _, e := range v.s.Effects {
		if !v.seesEffect(e) {
			continue
		}
		on := l.on.effects[e.ID]
		if on.e != e || on.round != round || on.roster != l.on.rosterRev {
			on = effectOn{e: e, round: round, roster: l.on.rosterRev, key: "effects/" + string(e.ID), encoded: encode(v.effect(e))}
			l.on.effects[e.ID] = on
		}
		l.put(on.key, on.encoded)
	}
}

func (l *layer) refreshSeats(v *viewer) {
	for _, seat := range v.s.Seats {
		on := l.on.seats[seat.ID]
		if on.seat != seat || on.roster != l.on.rosterRev {
			on = seatOn{seat: seat, roster: l.on.rosterRev, key: "seats/" + string(seat.ID), encoded: encode(v.seat(seat))}
			l.on.seats[seat.ID] = on
		}
		l.put(on.key, on.encoded)
	}
}

// lineMemo encodes the log lines of one commit, once for all who read the same.
type lineMemo struct {
	views         *Views
	before, after *State
	commit        *Commit
	alike         bool // what players and spectators read
	shared        [2][]encodedLine
}

// encodedLine is one line; undo is told only to those who see a change.
type encodedLine struct {
	line json.RawMessage
	undo bool
}

// of returns an audience's lines.
func (m *lineMemo) of(view *audienceView, change *Change) []json.RawMessage {
	var lines []encodedLine
	if which, is := m.sharedBy(view); !is {
		lines = m.encode(view.audience)
	} else {
		if m.shared[which] == nil {
			m.shared[which] = m.encode(view.audience)
		}
		lines = m.shared[which]
	}
	var told []json.RawMessage
	for _, one := range lines {
		if !one.undo || view.audience.Role == RoleGM || len(change.Set)+len(change.Del) > 0 {
			told = append(told, one.line)
		}
	}
	return told
}

func (m *lineMemo) encode(a Audience) []encodedLine {
	lines := []encodedLine{}
	for _, entry := range m.views.engine.log(m.before, m.after, m.commit, a, m.views.policy) {
		undo := false
		switch entry.Event.(type) {
		case Undone, Redone:
			undo = true
		}
		lines = append(lines, encodedLine{encode(entry), undo})
	}
	return lines
}

// sharedBy says which lines an audience reads: those of all players, or of
// spectators. A seat reads its own if anything has happened to a combatant or
// proposal of its own, or if it knows more than other players, or did before.
func (m *lineMemo) sharedBy(view *audienceView) (which int, is bool) {
	switch {
	case view.audience.class() == Spectators && !m.alike:
		return 1, true
	case view.audience.Role == RoleGM || view.layer.audience == view.audience && view.audience.Role == RoleSeat:
		return 0, false
	case view.audience.Role != RoleSeat:
		return 0, true
	case m.before == nil || view.moved || slices.ContainsFunc(m.commit.Events, func(event Event) bool { return proposes(event, view.audience.Seat) }):
		return 0, false
	}
	owns := func(c *Combatant) bool { return c != nil && c.Seat == view.audience.Seat }
	for _, c := range m.after.Combatants {
		if was := m.before.Combatant(c.ID); was != c && (owns(c) || owns(was)) {
			return 0, false
		}
	}
	return 0, !slices.ContainsFunc(m.before.Combatants, func(c *Combatant) bool { return owns(c) && m.after.Combatant(c.ID) == nil })
}
