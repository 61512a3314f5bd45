package combat

import "encoding/json"

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
