package combat

import (
	"bytes"
	"slices"
)

// Told returns the lines of a commit as an audience was told them when it was
// made: those of Log, but an undo or redo that showed it nothing was for the
// GM alone.
func (e *Engine) Told(before, after *State, c *Commit, a Audience) []LogEntry {
	lines := e.Log(before, after, c, a)
	takesBack := func(line LogEntry) bool {
		switch line.Event.(type) {
		case Undone, Redone:
			return true
		}
		return false
	}
	if a.Role == RoleGM || before == nil || !slices.ContainsFunc(lines, takesBack) ||
		!bytes.Equal(encode(e.View(before, a)), encode(e.View(after, a))) {
		return lines
	}
	return slices.DeleteFunc(lines, takesBack)
}
