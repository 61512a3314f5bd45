package combat_test

import (
	"testing"

	"riposte/combat"
)

// The spectators' delay stays what it is, whatever is undone and redone: what
// they are not to see yet must not show because of a step back.
func TestUndoLeavesTheDelayAlone(t *testing.T) {
	b := quartet(t, nil)
	set := func(options map[string]string) { b.do("gm", combat.SetOptions{Options: options}) }
	is := func(delay int, turnSeconds string) {
		t.Helper()
		if got := combat.SpectatorDelay(b.state); got != delay || b.state.Options[combat.OptionTurnSeconds] != turnSeconds {
			t.Fatalf("the delay is %d s, want %d; options %v", got, delay, b.state.Options)
		}
	}
	b.begin(0)
	is(0, "")
	set(map[string]string{"turnSeconds": "30"})
	before := b.seq
	set(map[string]string{"spectatorDelay": "60"})
	is(60, "30")
	b.do("gm", combat.Undo{}) // the turn clock: setting the delay is no step
	is(60, "")
	b.do("gm", combat.Undo{}) // the fight has not begun
	is(60, "")
	b.do("gm", combat.Redo{})
	b.do("gm", combat.Redo{})
	is(60, "30")
	set(map[string]string{"spectatorDelay": "90", "turnSeconds": "45"})
	b.do("gm", combat.Undo{To: before})
	is(90, "30")
	set(map[string]string{"spectatorDelay": "0"})
	b.do("gm", combat.Redo{})
	is(0, "45")
}

// A delay is whole seconds from 0 to 300.
func TestDelayOption(t *testing.T) {
	b := quartet(t, map[string]string{"spectatorDelay": "300"})
	if got := combat.SpectatorDelay(b.state); got != 300 {
		t.Fatalf("%d", got)
	}
	for _, wrong := range []string{"301", "-1", "1.5", "", "060", "a"} {
		b.refused(b.by("gm"), combat.SetOptions{Options: map[string]string{"spectatorDelay": wrong}}, "bad_value")
	}
	b.refused(b.by("Ash"), combat.SetOptions{Options: map[string]string{"spectatorDelay": "0"}}, "forbidden")
	if got := combat.SpectatorDelay(b.state); got != 300 {
		t.Fatalf("%d", got)
	}
}
