package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub/hubtest"
)

// B74: the Redis primary stands still, its replica takes over, and the old
// primary comes back as a replica. Whoever is connected to the instance that does
// not own the encounter hears nothing meanwhile, and that instance is not ready;
// then it hears all again, with none missing.
func TestB74FailOverSeenFromSockets(t *testing.T) {
	t.Parallel()
	primary, replica := hubtest.StartRedis(t), hubtest.StartRedis(t)
	host, port, _ := net.SplitHostPort(primary.Addr)
	replica.Do("REPLICAOF", host, port)
	sentinel := hubtest.StartSentinel(t, primary)
	hubtest.Eventually(t, "the sentinel knows the replica", func() bool {
		return strings.Contains(sentinel.Do("SENTINEL", "REPLICAS", "main"), replica.Addr)
	})
	instance := func() *process {
		return start(t, command(context.Background(), "serve", "-listen", "127.0.0.1:0", "-lease", "5s",
			"-redis", "redis+sentinel://"+sentinel.Addr+"/main"))
	}
	one, two := instance(), instance()
	readiness := func(p *process) int {
		return hubtest.Request(t, http.MethodGet, p.url+"/readyz", "", nil).Status
	}
	b := hubtest.Create(t, one.url, nil)
	seat1, seat2 := b.Seat("P1"), b.Seat("P2")
	p1, p2 := b.Join(seat1.Token), b.On(two.url).Join(seat2.Token)
	p1.Must(combat.Say{Text: "before"})
	hubtest.Eventually(t, "P2 hears it", func() bool { return strings.Contains(strings.Join(p2.Log(), ""), "before") })
	hubtest.Eventually(t, "the replica has it", func() bool {
		log := "riposte:{" + string(b.ID) + "}:log"
		return replica.Do("XLEN", log) == primary.Do("XLEN", log)
	})

	primary.Freeze()
	hubtest.Eventually(t, "the second instance is not ready", func() bool { return readiness(two) != http.StatusOK })
	if got := hubtest.Request(t, http.MethodGet, two.url+"/healthz", "", nil).Status; got != http.StatusOK {
		t.Errorf("liveness says %d", got)
	}
	heard := len(p2.Messages("head", "update"))
	_, newPort, _ := net.SplitHostPort(replica.Addr)
	hubtest.Eventually(t, "the replica is promoted", func() bool { return strings.Contains(replica.Do("ROLE"), "master") })
	if again := len(p2.Messages("head", "update")); readiness(two) != http.StatusOK && again != heard {
		t.Errorf("deaf, P2 was told %d things", again-heard)
	}
	begun := time.Now()
	// say says a line, again wherever it is taken until it is acknowledged, and
	// waits until P2 hears it; a socket that was sent away comes back.
	lines := 0
	say := func() {
		t.Helper()
		text := fmt.Sprintf("line %02d", lines)
		body := fmt.Sprintf(`{"id":%q,"command":{"type":"say","text":%q}}`, uuid.NewString(), text)
		hubtest.Eventually(t, "a command is accepted", func() bool {
			return hubtest.Request(t, http.MethodPost, b.Path()+"/commands", seat1.Token, body).Status == http.StatusOK
		})
		hubtest.Eventually(t, "P2 hears it", func() bool {
			if p2.Bye() != nil {
				p2 = b.On(two.url).Resume(seat2.Token, p2)
			}
			return strings.Contains(strings.Join(p2.Log(), ""), text)
		})
		lines++
	}
	say()
	t.Logf("P2 hears again %v after the fail-over", time.Since(begun).Round(100*time.Millisecond))
	primary.Thaw()
	for range 10 {
		say()
	}
	hubtest.Eventually(t, "the old primary is a replica", func() bool {
		return strings.Contains(primary.Do("ROLE"), "slave") && strings.Contains(primary.Do("ROLE"), newPort)
	})
	for range 10 {
		say()
	}
	log := strings.Join(b.On(two.url).Join(seat2.Token).Log(), "\n")
	for i := range lines {
		if n := strings.Count(log, fmt.Sprintf("line %02d", i)); n != 1 {
			t.Errorf("line %d was told %d times", i, n)
		}
	}
	if p2.Cut() {
		t.Error("P2 is told that something is gone")
	}
	for _, p := range []*process{one, two} {
		hubtest.Eventually(t, "both are ready", func() bool { return readiness(p) == http.StatusOK })
	}
}

// B77: an owner is stopped with a command in its queue, for longer than its
// lease. Another instance takes over and goes on. When the old one continues it
// does nothing with the command, shows its clients nothing more and sends them
// on; the command, sent again, applies once.
func TestB77PausedOwner(t *testing.T) {
	t.Parallel()
	redis := hubtest.StartRedis(t)
	one, two := startOn(t, redis), startOn(t, redis)
	b := hubtest.Create(t, one.url, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	there := b.On(two.url)
	seat := b.Seat("P1")
	ids := b.Quartet(gm, seat.Seat, "")
	player := b.Join(seat.Token)
	gm.Must(combat.StartCombat{})
	player.WaitSeq(seqAt(t, b, seat.Token))
	other := there.Join(b.Tokens[combat.RoleGM])
	before := b.Export().State.Seq

	if err := one.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	id, end := uuid.NewString(), combat.EndTurn{Combatant: ids["Ash"], Frame: player.Frame()}
	player.Ask(id, end)
	other.Must(combat.Damage{Combatants: []combat.ID{ids["Cedar"]}, Amount: 6})
	shown := player.Seq()
	if err := one.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if bye, _ := player.WaitEnd(); bye == nil || bye.Code != "unavailable" || bye.RetryAfterMs == 0 {
		t.Fatalf("the old owner's socket ends with %+v", bye)
	}
	if player.Seq() != shown || player.Answered(id) {
		t.Errorf("the old owner went on to %d after %d, and answered: %v", player.Seq(), shown, player.Answered(id))
	}
	servedAgain(t, b)
	if got := there.Export().State; got.Seq != before+1 {
		t.Errorf("%d commits, want %d", got.Seq, before+1)
	}
	back := b.Resume(seat.Token, player)
	if reply := back.DoID(id, end); reply.Ack == nil {
		t.Fatalf("sent again: %s", reply.Code())
	}
	back.WaitSeq(seqAt(t, there, seat.Token))
	other.WaitSeq(seqAt(t, there, b.Tokens[combat.RoleGM]))
	if got := there.Export().State.Seq; got != before+2 || back.Turn().Combatant != ids["Birch"] {
		t.Errorf("%d commits, want %d; the turn is %+v", got, before+2, back.Turn())
	}
	for name, c := range map[string]*hubtest.Client{"P1": b.Join(seat.Token), "the GM": b.Join(b.Tokens[combat.RoleGM])} {
		want := map[string]*hubtest.Client{"P1": back, "the GM": other}[name]
		if fmt.Sprint(c.View()) != fmt.Sprint(want.View()) || c.Seq() != want.Seq() {
			t.Errorf("%s sees another history at the old owner", name)
		}
	}
}

// Whoever asks an owner that is stopped for longer than its lease is told nothing
// old when it goes on: it waits, as others have gone on elsewhere, or is told to
// come back. Many ask about many encounters, so that some are there before
// anything else shows the owner that it is none.
func TestStoppedOwnerTellsNothingOld(t *testing.T) {
	t.Parallel()
	const tables, askers = 12, 4
	redis := hubtest.StartRedis(t)
	one, two := startOn(t, redis), startOn(t, redis)
	var all []*hubtest.Table
	var there []*hubtest.Client
	for range tables {
		b := hubtest.Create(t, one.url, nil)
		b.Join(b.Tokens[combat.RoleGM]).Must(combat.Note{Text: "before"})
		all, there = append(all, b), append(there, b.On(two.url).Join(b.Tokens[combat.RoleGM]))
	}
	if err := one.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	answers := make([][askers]hubtest.Answer, tables)
	var asking sync.WaitGroup
	for i, b := range all {
		for n := range askers {
			asking.Go(func() {
				answers[i][n] = hubtest.Request(t, http.MethodGet, b.Path(), b.Tokens[combat.RoleGM], nil)
			})
		}
	}
	for _, c := range there {
		c.Must(combat.Note{Text: "after"})
	}
	if err := one.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	asking.Wait()
	for i, c := range there {
		for _, answer := range answers[i] {
			if want := fmt.Sprintf("%q", fmt.Sprint(c.Seq())); answer.Status != http.StatusServiceUnavailable && (answer.Status != http.StatusOK || answer.Header.Get("ETag") != want) {
				t.Errorf("%d %s, where %s has been acknowledged", answer.Status, answer.Header.Get("ETag"), want)
			}
		}
	}
}
