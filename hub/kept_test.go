package hub_test

import (
	"fmt"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// What all encounters keep of updates is bounded. The one that keeps most gives
// way, its oldest first: who comes back to it from long ago gets a whole view, and
// its delayed spectators are told all the same. A small one keeps what it has.
func TestKeptBytes(t *testing.T) {
	t.Parallel()
	const most = 128 << 10
	server := hubtest.Start(t, hub.Limits{KeptBytes: most, CommandRate: 1e6, CommandBurst: 1e6})
	small, busy := hubtest.Create(t, server.URL, nil), hubtest.Create(t, server.URL, delayed(1))
	token := combat.RoleSpectator
	gm := small.Join(small.Tokens[combat.RoleGM])
	old := small.Join(small.Tokens[token])
	old.Abort()
	gm.Must(combat.Say{Text: "once"})

	loud := busy.Join(busy.Tokens[combat.RoleGM])
	gone := busy.Join(busy.Tokens[combat.RoleGM])
	gone.Abort()
	watching := busy.Join(busy.Tokens[token])
	for i := range 400 {
		loud.Must(combat.Say{Text: fmt.Sprint(i, strings.Repeat("x", 400))})
	}
	loud.Must(combat.Say{Text: "the last"})
	hubtest.Eventually(t, "it gives way", func() bool {
		return server.Metric("riposte_kept_gave_way_total") > 0 && server.Metric("riposte_kept_bytes") <= most
	})
	if back := small.Resume(small.Tokens[token], old); back.Welcomes() != 0 {
		t.Error("the small one gave way")
	}
	if back := busy.Resume(busy.Tokens[combat.RoleGM], gone); back.Welcomes() != 1 || !strings.Contains(strings.Join(back.Log(), ""), "the last") {
		t.Errorf("back with %d whole views", back.Welcomes())
	}
	late := busy.Join(busy.Tokens[combat.RoleGM])
	late.Abort()
	loud.Must(combat.Say{Text: "after"})
	if back := busy.Resume(busy.Tokens[combat.RoleGM], late); back.Welcomes() != 0 {
		t.Error("what was kept last is gone, too")
	}
	hears(t, watching, "after")
	notEarly(t, 1e9, watching)
	server.Stop()
	if got := server.Metric("riposte_kept_bytes"); got != 0 {
		t.Errorf("%v bytes are kept of nothing", got)
	}
}
