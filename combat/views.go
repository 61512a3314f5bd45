package combat

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Views keeps what every audience of one encounter sees, encoded, and says
// what changes with each commit. It belongs to whoever owns the encounter: one
// goroutine at a time.
type Views struct {
	engine *Engine
	state  *State
	open   []*audienceView
}

// Change is what one commit changed for one audience. Nothing in it may be
// written to.
type Change struct {
	Audience Audience
	Set      map[string]json.RawMessage
	Del      []string
	Log      []json.RawMessage // encoded LogEntry
}

// audienceView is the encoded view of one audience.
type audienceView struct {
	audience Audience
	keys     map[string]json.RawMessage
}

// NewViews starts with the audiences gm, player, spectator and one for every
// seat, at state s.
func (e *Engine) NewViews(s *State) *Views {
	v := &Views{engine: e}
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
			whole := make(map[string]json.RawMessage, len(view.keys))
			for key, value := range view.keys {
				whole[key] = value
			}
			return whole
		}
	}
	return nil
}

// Move goes on to state s, reached by commit c, and returns what changed, one
// Change for each audience that sees any difference. Seats that c added are
// new audiences (their first change is their whole view); removed seats' ones
// are gone. A nil c is a jump (start-up): no log lines.
func (v *Views) Move(s *State, c *Commit) []Change {
	before := v.state
	v.state = s
	v.matchAudiences(s)
	var changes []Change
	for _, view := range v.open {
		change := Change{Audience: view.audience}
		view.refresh(v.engine, s, &change)
		if c != nil {
			change.Log = v.lines(before, s, c, view.audience, &change)
		}
		if len(change.Set) > 0 || len(change.Del) > 0 || len(change.Log) > 0 {
			changes = append(changes, change)
		}
	}
	return changes
}

// matchAudiences opens what new seats need and drops what removed ones leave.
func (v *Views) matchAudiences(s *State) {
	wanted := []Audience{{Role: RoleGM}, {Role: RolePlayer}, {Role: RoleSpectator}}
	for _, seat := range s.Seats {
		wanted = append(wanted, Audience{Role: RoleSeat, Seat: seat.ID})
	}
	v.open = slices.DeleteFunc(v.open, func(view *audienceView) bool { return !slices.Contains(wanted, view.audience) })
	for _, a := range wanted {
		if !slices.ContainsFunc(v.open, func(view *audienceView) bool { return view.audience == a }) {
			v.open = append(v.open, &audienceView{audience: a, keys: map[string]json.RawMessage{}})
		}
	}
}

// refresh encodes the view again and keeps what differs.
func (view *audienceView) refresh(e *Engine, s *State, change *Change) {
	seen := map[string]bool{}
	e.viewer(s, view.audience).each(func(key string, value any) {
		seen[key] = true
		encoded := encode(value)
		if bytes.Equal(encoded, view.keys[key]) {
			return
		}
		if change.Set == nil {
			change.Set = map[string]json.RawMessage{}
		}
		view.keys[key], change.Set[key] = encoded, encoded
	})
	for key := range view.keys {
		if !seen[key] {
			delete(view.keys, key)
			change.Del = append(change.Del, key)
		}
	}
	slices.Sort(change.Del)
}

// lines encodes the log of a commit. That something was undone is told only to
// those who see something change.
func (v *Views) lines(before, after *State, c *Commit, a Audience, change *Change) []json.RawMessage {
	var lines []json.RawMessage
	for _, entry := range v.engine.Log(before, after, c, a) {
		switch entry.Event.(type) {
		case Undone, Redone:
			if a.Role != RoleGM && len(change.Set)+len(change.Del) == 0 {
				continue
			}
		}
		lines = append(lines, encode(entry))
	}
	return lines
}

// encode writes one of our own types, which always can be written.
func encode(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}
