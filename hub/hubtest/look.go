package hubtest

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// Key decodes one key of the view and reports whether it is there.
func (c *Client) Key(key string, into any) bool {
	c.t.Helper()
	c.mu.Lock()
	raw, has := c.view[key]
	c.mu.Unlock()
	if has {
		if err := json.Unmarshal(raw, into); err != nil {
			c.t.Fatalf("%s: %v", key, err)
		}
	}
	return has
}

// View returns a copy of the view, with values as text.
func (c *Client) View() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]string{}
	for key, value := range c.view {
		all[key] = string(value)
	}
	return all
}

// Combatants returns all combatants in the view.
func (c *Client) Combatants() []combat.CombatantView {
	c.t.Helper()
	var all []combat.CombatantView
	for key, value := range c.View() {
		if strings.HasPrefix(key, "combatants/") {
			var one combat.CombatantView
			if err := json.Unmarshal([]byte(value), &one); err != nil {
				c.t.Fatal(err)
			}
			all = append(all, one)
		}
	}
	return all
}

// Turn returns the active turn.
func (c *Client) Turn() combat.TurnView {
	c.t.Helper()
	var turn combat.TurnView
	c.Key("turn", &turn)
	return turn
}

// Frame returns the id of the acting frame.
func (c *Client) Frame() combat.ID {
	c.t.Helper()
	var stack []combat.FrameView
	if c.Key("stack", &stack); len(stack) == 0 {
		return ""
	}
	return stack[len(stack)-1].Frame
}

// Seq returns the counter.
func (c *Client) Seq() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seq
}

// Epoch returns the history it is in.
func (c *Client) Epoch() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// Welcomes returns how many whole views came.
func (c *Client) Welcomes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.welcomes
}

// Cut reports whether it was ever told that its history was cut short.
func (c *Client) Cut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cut
}

// Log returns the log lines as text.
func (c *Client) Log() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := make([]string, len(c.log))
	for i, line := range c.log {
		lines[i] = string(line)
	}
	return lines
}

// Frames returns all frames that came, as they were on the wire.
func (c *Client) Frames() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]string, len(c.frames))
	for i, f := range c.frames {
		all[i] = string(f)
	}
	return all
}

// Messages returns all messages of some types that came, one by one, as they
// were on the wire.
func (c *Client) Messages(types ...string) []string {
	c.t.Helper()
	var all []string
	for _, frame := range c.Frames() {
		messages := []json.RawMessage{json.RawMessage(frame)}
		if frame[0] == '[' {
			messages = nil
			if err := json.Unmarshal([]byte(frame), &messages); err != nil {
				c.t.Fatal(err)
			}
		}
		for _, m := range messages {
			var head struct {
				Type string `json:"type"`
			}
			if err := json.Unmarshal(m, &head); err != nil {
				c.t.Fatal(err)
			}
			if slices.Contains(types, head.Type) {
				all = append(all, string(m))
			}
		}
	}
	return all
}

// Lines returns the log lines of every welcome and update that came, in order.
func (c *Client) Lines() []Line {
	c.t.Helper()
	c.mu.Lock()
	frames, came := slices.Clone(c.frames), slices.Clone(c.came)
	c.mu.Unlock()
	var all []Line
	for i, frame := range frames {
		messages := []json.RawMessage{frame}
		if frame[0] == '[' {
			messages = nil
			if err := json.Unmarshal(frame, &messages); err != nil {
				c.t.Fatal(err)
			}
		}
		for _, m := range messages {
			var told struct {
				Type string            `json:"type"`
				Log  []json.RawMessage `json:"log"`
			}
			if err := json.Unmarshal(m, &told); err != nil {
				c.t.Fatal(err)
			}
			for _, text := range told.Log {
				line := Line{Text: string(text), Came: came[i], Whole: told.Type == "welcome"}
				var at struct {
					At int64 `json:"at"`
				}
				if err := json.Unmarshal(text, &at); err != nil {
					c.t.Fatal(err)
				}
				line.At = time.UnixMilli(at.At)
				all = append(all, line)
			}
		}
	}
	return all
}

// Line is one line of a log, as it came to a socket.
type Line struct {
	Text  string
	At    time.Time // the moment of its commit
	Came  time.Time // to the socket
	Whole bool      // in a welcome, which tells lines again
}

// Presence returns who is online.
func (c *Client) Presence() hub.Presence {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.presence
}
