package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// startOn starts an instance on a Redis, with a short lease.
func startOn(t *testing.T, redis *hubtest.Redis, flags ...string) *process {
	t.Helper()
	return start(t, command(context.Background(), append([]string{"serve", "-listen", "127.0.0.1:0", "-redis", "redis://" + redis.Addr, "-lease", "2s"}, flags...)...))
}

// serves asks an instance for an encounter. One that cannot own it says so, and
// when to come back.
func serves(t *testing.T, b *hubtest.Table) bool {
	t.Helper()
	answer := hubtest.Request(t, http.MethodGet, b.Path(), b.Tokens[combat.RoleGM], nil)
	if answer.Status == http.StatusOK {
		return true
	}
	if p := answer.Problem(t); p.Status != http.StatusServiceUnavailable || p.Code != "unavailable" || answer.Header.Get("Retry-After") == "" {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	return false
}

// servedAgain waits until an instance serves an encounter again.
func servedAgain(t *testing.T, b *hubtest.Table) {
	t.Helper()
	hubtest.Eventually(t, "it is served again", func() bool { return serves(t, b) })
}

// Redis keeps what was acknowledged: kill -9 of the instance and of Redis, and
// the same state is there for the next one.
func TestRedisKill9(t *testing.T) {
	redis := hubtest.StartRedis(t)
	p := startOn(t, redis)
	b := hubtest.Create(t, p.url, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	ids := b.Quartet(gm, "", "")
	gm.Must(combat.StartCombat{})
	last := uuid.NewString()
	end := combat.EndTurn{Combatant: ids["Ash"]}
	first := gm.DoID(last, end)
	if first.Ack == nil {
		t.Fatalf("refused: %s", first.Code())
	}
	before := b.Export()
	p.kill()
	redis.Kill()
	redis.Start()
	after := b.On(startOn(t, redis).url)
	servedAgain(t, after)
	if got := after.Export(); text(t, got.State) != text(t, before.State) || text(t, got.Log) != text(t, before.Log) {
		t.Fatalf("before %s\nafter  %s", text(t, before.State), text(t, got.State))
	}
	back := after.Resume(b.Tokens[combat.RoleGM], gm)
	if again := back.DoID(last, end); again.Ack == nil || again.Ack.Seq != first.Ack.Seq {
		t.Fatalf("first %+v, again %q", first.Ack, again.Code())
	}
	if back.Turn().Combatant != ids["Birch"] {
		t.Fatalf("the turn is %+v", back.Turn())
	}
}

// Any instance serves any browser. When the owner of an encounter is drained,
// killed or stopped in its tracks, another one takes over, and those who are
// connected there notice nothing but the time it takes.
func TestRedisTakeOver(t *testing.T) {
	for name, test := range map[string]struct {
		lose func(*process)
		bye  string // last word to a socket at the owner; empty: none
	}{
		"drained": {(*process).terminate, "draining"},
		"killed":  {(*process).kill, ""},
		"stopped": {func(p *process) { _ = p.cmd.Process.Signal(syscall.SIGSTOP) }, "unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			redis := hubtest.StartRedis(t)
			one, two := startOn(t, redis), startOn(t, redis)
			b := hubtest.Create(t, one.url, map[string]string{"turnSeconds": "600"})
			gm := b.Join(b.Tokens[combat.RoleGM])
			there := b.On(two.url)
			seat := there.Seat("P1")
			ids := b.Quartet(gm, seat.Seat, "")
			player := there.Join(seat.Token)
			gm.Must(combat.StartCombat{})
			player.WaitSeq(seqAt(t, there, seat.Token))
			turn := player.Turn()
			test.lose(one)
			id := uuid.NewString()
			end := combat.EndTurn{Combatant: ids["Ash"], Frame: player.Frame()}
			if got := player.DoID(id, end); got.Ack == nil {
				t.Fatalf("refused: %s", got.Code())
			}
			if player.Welcomes() != 1 || player.Bye() != nil || turn.Deadline == 0 {
				t.Errorf("%d welcomes, bye %+v, turn %+v", player.Welcomes(), player.Bye(), turn)
			}
			if name == "stopped" {
				// It goes on, is no owner any more, and shows what the new one does.
				if err := one.cmd.Process.Signal(syscall.SIGCONT); err != nil {
					t.Fatal(err)
				}
			}
			if test.bye != "" {
				if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != test.bye {
					t.Fatalf("the owner's socket ends with %+v", bye)
				}
			}
			home := there
			if name == "stopped" {
				home = b
				servedAgain(t, home)
			}
			back := home.Resume(b.Tokens[combat.RoleGM], gm)
			back.WaitSeq(seqAt(t, there, b.Tokens[combat.RoleGM]))
			if back.Turn().Combatant != ids["Birch"] {
				t.Errorf("the turn is %+v", back.Turn())
			}
			if again := there.Join(seat.Token).DoID(id, end); again.Ack == nil {
				t.Errorf("sent again: %s", again.Code())
			}
			if got := there.Export().State.Seq; got != 5 {
				t.Errorf("%d commits, want 5", got)
			}
		})
	}
}

// A turn's time goes on under the next owner: it runs out once, and not before
// it has to.
func TestRedisDeadlineOutlivesItsOwner(t *testing.T) {
	redis := hubtest.StartRedis(t)
	one, two := startOn(t, redis), startOn(t, redis)
	b := hubtest.Create(t, one.url, map[string]string{"turnSeconds": "5"})
	gm := b.Join(b.Tokens[combat.RoleGM])
	ids := b.Quartet(gm, "", "")
	there := b.On(two.url)
	watching := there.Join(b.Tokens[combat.RoleSpectator])
	gm.Must(combat.StartCombat{})
	watching.WaitSeq(seqAt(t, there, b.Tokens[combat.RoleSpectator]))
	deadline := watching.Turn().Deadline
	one.kill()
	hubtest.Eventually(t, "the next turn comes", func() bool { return watching.Turn().Combatant == ids["Birch"] })
	if next := watching.Turn(); deadline == 0 || next.StartedAt < deadline {
		t.Errorf("the turn would end at %d, the next one began at %d", deadline, next.StartedAt)
	}
	ends := 0
	for _, line := range there.Export().Log {
		if strings.Contains(string(line), `"turnStarted"`) {
			ends++
		}
	}
	if ends != 2 {
		t.Errorf("%d turns have begun", ends)
	}
}

// While Redis is gone, commands are refused or wait, readiness says so,
// liveness does not, and all goes on when it is back.
func TestRedisGone(t *testing.T) {
	redis := hubtest.StartRedis(t)
	p := startOn(t, redis)
	b := hubtest.Create(t, p.url, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	gm.Must(combat.Note{Text: "before"})
	status := func(path string) int { return hubtest.Request(t, http.MethodGet, p.url+path, "", nil).Status }
	if status("/readyz") != http.StatusOK {
		t.Fatal("not ready at the start")
	}
	redis.Kill()
	id, note := uuid.NewString(), json.RawMessage(`{"type":"note","text":"meanwhile"}`)
	gm.Ask(id, combat.Note{Text: "meanwhile"})
	hubtest.Eventually(t, "readiness is red", func() bool { return status("/readyz") == http.StatusServiceUnavailable })
	if status("/healthz") != http.StatusOK {
		t.Fatal("liveness depends on Redis")
	}
	// It waits, and then it ends: the lease has run out.
	if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" || gm.Answered(id) {
		t.Fatalf("the socket ends with %+v", bye)
	}
	if serves(t, b) {
		t.Fatal("an encounter is served without its journal")
	}
	redis.Start()
	servedAgain(t, b)
	hubtest.Eventually(t, "readiness is green", func() bool { return status("/readyz") == http.StatusOK })
	answer := hubtest.Request(t, http.MethodPost, b.Path()+"/commands", b.Tokens[combat.RoleGM], hub.CommandRequest{ID: id, Command: note})
	if answer.Status != http.StatusOK || b.Export().State.Seq != 3 {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
}

// While Redis is gone, whoever is connected to an instance that does not own the
// encounter is told no beacon, by which the screen knows that it is stale. What is
// asked for there waits, and applies once when Redis is back. Both instances say
// that they are not ready, and why.
func TestRedisGoneForAnEdge(t *testing.T) {
	t.Parallel()
	redis := hubtest.StartRedis(t)
	one, two := startOn(t, redis), startOn(t, redis)
	b := hubtest.Create(t, one.url, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	there := b.On(two.url)
	player := there.Join(there.Seat("P1").Token)
	gm.Must(combat.Say{Text: "before"})
	player.WaitHead(1)
	redis.Kill()
	for _, p := range []*process{one, two} {
		hubtest.Eventually(t, "readiness is red", func() bool {
			got := hubtest.Request(t, http.MethodGet, p.url+"/readyz", "", nil)
			return got.Status == http.StatusServiceUnavailable && len(bytes.TrimSpace(got.Body)) > 0
		})
		if got := hubtest.Request(t, http.MethodGet, p.url+"/healthz", "", nil); got.Status != http.StatusOK {
			t.Errorf("liveness depends on Redis: %d", got.Status)
		}
	}
	heard := len(player.Messages("head", "update", "welcome"))
	id := uuid.NewString()
	player.Ask(id, combat.Say{Text: "meanwhile"})
	if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" {
		t.Fatalf("the owner's socket ends with %+v", bye)
	}
	player.Ping()
	if again := len(player.Messages("head", "update", "welcome")); again != heard || player.Answered(id) || player.Bye() != nil {
		t.Errorf("%d beacons and updates while Redis is gone; answered: %v, bye %+v", again-heard, player.Answered(id), player.Bye())
	}
	redis.Start()
	if got := player.Answer(id); got.Ack == nil {
		t.Fatalf("refused: %s", got.Code())
	}
	player.WaitSeq(player.Answer(id).Ack.Seq)
	if n := strings.Count(strings.Join(there.Join(b.Tokens[combat.RoleGM]).Log(), ""), "meanwhile"); n != 1 {
		t.Errorf("it was said %d times", n)
	}
	if player.Cut() {
		t.Error("nothing is gone, and P1 is told so")
	}
}

// Redis is emptied: nobody is shown what is not there any more.
func TestRedisEmptied(t *testing.T) {
	redis := hubtest.StartRedis(t)
	p := startOn(t, redis)
	b := hubtest.Create(t, p.url, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	redis.Do("FLUSHALL")
	gm.Ask(uuid.NewString(), combat.Note{Text: "too late"})
	if bye, _ := gm.WaitEnd(); bye == nil || bye.Code != "unavailable" {
		t.Fatalf("the socket ends with %+v", bye)
	}
	if answer := hubtest.Request(t, http.MethodGet, b.Path(), b.Tokens[combat.RoleGM], nil); answer.Status != http.StatusNotFound {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
}

// Redis is copied while it is written to, both ways that the page for operators
// names. On a new server the copy has all that was acknowledged before it was
// taken, and each log is whole.
func TestRedisBackup(t *testing.T) {
	for name, way := range map[string]struct {
		take func(*hubtest.Redis) string
		put  func(*hubtest.Redis, string)
	}{
		"append-only file": {(*hubtest.Redis).Copy, (*hubtest.Redis).Restore},
		"RDB":              {(*hubtest.Redis).CopyRDB, (*hubtest.Redis).RestoreRDB},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := hubtest.StartRedis(t)
			p := startOn(t, redis, "-command-rate", "100000", "-command-burst", "100000")
			var tables []*hubtest.Table
			var gms []*hubtest.Client
			for range 5 {
				b := hubtest.Create(t, p.url, nil)
				tables, gms = append(tables, b), append(gms, b.Join(b.Tokens[combat.RoleGM]))
			}
			const before, after = 40, 400
			for i := range before {
				for _, gm := range gms {
					gm.Must(combat.Note{Text: fmt.Sprint("before ", i)})
				}
			}
			for i := range after { // while the copy is taken
				for _, gm := range gms {
					gm.Ask(uuid.NewString(), combat.Note{Text: fmt.Sprint("after ", i)})
				}
			}
			copied := way.take(redis)
			other := hubtest.StartRedis(t)
			way.put(other, copied)
			restored := startOn(t, other)
			for i, b := range tables {
				there := b.On(restored.url)
				if got := there.Export().State.Seq; got < before+1 || got > before+after+1 {
					t.Errorf("table %d has %d commits", i, got)
				}
				there.Join(b.Tokens[combat.RoleGM]).Must(combat.Note{Text: "and on"})
			}
		})
	}
}

// What cannot be is said at the start.
func TestRedisFlags(t *testing.T) {
	for _, flags := range [][]string{
		{"-redis", "http://localhost"},
		{"-redis", "redis://127.0.0.1:1"},
		{"-redis", "redis://localhost", "-redis-ca", "/nowhere"},
		{"-redis", "redis://localhost", "-redis-replicas", "-1"},
		{"-redis", "redis://localhost", "-lease", "0s"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if out, err := command(ctx, append([]string{"serve", "-listen", "127.0.0.1:0"}, flags...)...).CombinedOutput(); err == nil {
			t.Errorf("%v starts: %s", flags, out)
		}
		cancel()
	}
}
