package hub_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// hears waits until a socket has a line in its log.
func hears(t *testing.T, c *hubtest.Client, text string) {
	t.Helper()
	hubtest.Eventually(t, "it hears "+text, func() bool { return strings.Contains(strings.Join(c.Log(), "\n"), text) })
}

// notEarly checks that no socket was told a line before its delay was over. That
// there is an encounter at all is what the first view shows.
func notEarly(t *testing.T, delay time.Duration, all ...*hubtest.Client) {
	t.Helper()
	for _, c := range all {
		for _, line := range c.Lines() {
			if ago := line.Came.Sub(line.At); ago < delay && !strings.Contains(line.Text, `"event":{"type":"created"`) {
				t.Errorf("told after %v: %s", ago, line.Text)
			}
		}
	}
}

// asks reads a path at two instances, while neither moves, and compares what
// they say.
func asks(t *testing.T, owner, edge *hubtest.Table, path, token string) {
	t.Helper()
	var at, other hubtest.Answer
	hubtest.Eventually(t, "nothing moves in between", func() bool {
		get := func(b *hubtest.Table) hubtest.Answer {
			return hubtest.Request(t, http.MethodGet, b.Path()+path, token, nil)
		}
		at, other = get(owner), get(edge)
		return string(at.Body) == string(get(owner).Body)
	})
	if other.Status != http.StatusOK || at.Header.Get("ETag") != other.Header.Get("ETag") {
		t.Errorf("%s: %d %s, the owner %s", path, other.Status, other.Header.Get("ETag"), at.Header.Get("ETag"))
	}
	differ(t, path, string(at.Body), string(other.Body))
}

// clockOf checks that the time of what a socket sees, where nothing waits, is so
// long ago, to the millisecond, and that the beacon says so.
func clockOf(t *testing.T, c *hubtest.Client, delay time.Duration) {
	t.Helper()
	sent := time.Now()
	c.Ping()
	heard := time.Now()
	pongs := c.Messages("pong")
	now, err := time.Parse(time.RFC3339, decode[hub.Pong](t, []byte(pongs[len(pongs)-1])).Now)
	if err != nil || now.Before(sent.Add(-delay-time.Millisecond)) || now.After(heard.Add(-delay)) {
		t.Errorf("between %v and %v their time is %v", sent, heard, now)
	}
	hubtest.Eventually(t, "the beacon says how late it is", func() bool {
		heads := c.Messages("head")
		return len(heads) > 0 && decode[hub.Head](t, []byte(heads[len(heads)-1])).Behind == int(delay/time.Second)
	})
}

// At an edge too, spectators get what the delay ago was, in the owner's very
// bytes: over sockets, HTTP, in the log, after a resume, seen as a spectator; and
// the time there is that of what they see.
func TestDelayedAtAnEdge(t *testing.T) {
	t.Parallel()
	const delay = 2 * time.Second
	b, _, edge := apart(t, share(t))
	there := b.On(edge.URL)
	b.gm.Must(combat.StartCombat{})
	b.gm.Must(combat.SetOptions{Options: delayed(2)})
	hears(t, b.s1, `"spectatorDelay"`)
	token := b.Tokens[combat.RoleSpectator]
	own, other := b.Join(token), there.Join(token)
	ownBack, otherBack := b.Join(token), there.Join(token)
	as := there.JoinAs(b.Tokens[combat.RoleGM], combat.RoleSpectator)

	b.p1.Must(combat.Act{Combatant: b.id["Ash"], Kind: "attack", Targets: []combat.ID{b.id["Cedar"]}})
	b.gm.Must(combat.Damage{Combatants: []combat.ID{b.id["Cedar"]}, Amount: 4})
	b.gm.Must(combat.Note{Text: "nobody's business"})
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"], Frame: b.p1.Frame()})
	b.p2.Must(combat.Say{Text: "Wait!"})
	said := time.Now()
	for _, path := range []string{"", "/log"} {
		asks(t, b.Table, there, path, token)
		if got := hubtest.Request(t, http.MethodGet, there.Path()+path, token, nil); time.Since(said) < delay && strings.Contains(string(got.Body), "Wait!") {
			t.Errorf("%s is early: %s", path, got.Body)
		}
	}
	// Those who change places in between miss nothing and hear nothing early.
	ownBack.Abort()
	otherBack.Abort()
	ownThere, otherHere := there.Resume(token, ownBack), b.Resume(token, otherBack)
	hears(t, own, "Wait!")
	for _, c := range []*hubtest.Client{b.s1, other, ownThere, otherHere, as} {
		c.WaitSeq(own.Seq())
	}
	if ownThere.Welcomes() != 0 || otherHere.Welcomes() != 0 {
		t.Errorf("back with %d and %d whole views", ownThere.Welcomes(), otherHere.Welcomes())
	}
	notEarly(t, delay, own, other, ownBack, otherBack, ownThere, otherHere, as)
	differ(t, "a socket", numbered(own), numbered(other))
	differ(t, "a GM who sees as a spectator", numbered(own), numbered(as))
	differ(t, "one who went to the edge", numbered(own), numbered(ownBack)+"\n"+numbered(ownThere))
	differ(t, "one who came from there", numbered(own), numbered(otherBack)+"\n"+numbered(otherHere))
	for _, path := range []string{"", "/log"} {
		asks(t, b.Table, there, path, token)
	}
	for _, c := range []*hubtest.Client{own, other, as} {
		clockOf(t, c, delay)
	}
	b.gm.Must(combat.SetOptions{Options: delayed(0)})
	for _, c := range []*hubtest.Client{own, other, as} {
		c.WaitBehind(false)
	}
}

// When the delay changes, those at an edge wait for longer or hear at once what
// is due, as those at the owner do: in order, each once, never early.
func TestDelayChangedAtAnEdge(t *testing.T) {
	t.Parallel()
	b, _, edge := apart(t, share(t))
	token := b.Tokens[combat.RoleSpectator]
	own, other := b.Join(token), b.On(edge.URL).Join(token)
	say := func(text string) { b.gm.Must(combat.Say{Text: text}) }
	say("at once")
	hears(t, other, "at once")
	set := func(seconds int) { b.gm.Must(combat.SetOptions{Options: delayed(seconds)}) }
	set(2)
	say("two seconds late")
	set(300)
	say("much later")
	set(1) // which is now the least that these two wait
	hears(t, other, "much later")
	say("a second late")
	hears(t, other, "a second late")
	set(300)
	say("when the delay ends")
	for _, c := range []*hubtest.Client{own, other} {
		if c.Ping(); strings.Contains(strings.Join(c.Log(), "\n"), "when the delay ends") {
			t.Error("told too early")
		}
	}
	set(0)
	say("at once again")
	hears(t, other, "at once again")
	own.WaitSeq(other.Seq())
	differ(t, "a socket", numbered(own), numbered(other))
	for _, c := range []*hubtest.Client{own, other} {
		for _, line := range c.Lines() {
			if ago := line.Came.Sub(line.At); ago < time.Second && (strings.Contains(line.Text, "late") || strings.Contains(line.Text, "much later")) {
				t.Errorf("told after %v: %s", ago, line.Text)
			}
		}
	}
}
