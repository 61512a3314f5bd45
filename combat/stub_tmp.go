package combat

// Move goes on to state s, reached by commit c, and returns what changed, one
// Change for each audience that sees any difference. Seats that c added are
// new audiences (their first change is their whole view); removed seats' ones
// are gone. A nil c is a jump (start-up, import): no log lines.
func (v *Views) Move(s *State, c *Commit) []Change { panic("soon") }

// View returns what an audience may see of a state (deny by default): a flat
// map from key to one of the view types.
func (e *Engine) View(s *State, a Audience) map[string]any { panic("soon") }

// Log returns the lines that an audience may read of a commit that led from
// one state to the next (before is nil for the first), as LogEntry values.
func (e *Engine) Log(before, after *State, c *Commit, a Audience) []LogEntry { panic("soon") }
