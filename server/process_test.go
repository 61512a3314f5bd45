package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub/hubtest"
)

// runAsServer makes the test binary run the program instead of the tests, so
// that it can be killed like the real one.
const runAsServer = "TEST_RUN_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(runAsServer) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is a running server.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	url  string
	read chan string // what it printed after the address
}

// command prepares a run of the program.
func command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), runAsServer+"=1")
	return cmd
}

// startProcess starts a server and waits for its address.
func startProcess(t *testing.T, data string, flags ...string) *process {
	t.Helper()
	return start(t, command(context.Background(), append([]string{"serve", "-listen", "127.0.0.1:0", "-data", data}, flags...)...))
}

// start starts a server with a command of its own.
func start(t testing.TB, cmd *exec.Cmd) *process {
	t.Helper()
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: cmd, read: make(chan string, 1)}
	t.Cleanup(p.kill)
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v", err)
	}
	fields := strings.Fields(line)
	p.url = fields[len(fields)-1]
	go func() {
		rest, _ := io.ReadAll(lines)
		p.read <- string(rest)
	}()
	return p
}

// kill is kill -9.
func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	}
}

// terminate asks the server to stop and waits until it has.
func (p *process) terminate() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	<-p.read
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("it stopped with %v", err)
	}
}

// What was acknowledged survives kill -9 in the middle of an interrupted turn:
// the same state, the same counters, the same answers.
func TestKill9(t *testing.T) {
	data := t.TempDir()
	p := startProcess(t, data)
	b := hubtest.Create(t, p.url, map[string]string{"turnSeconds": "600"})
	gm := b.Join(b.Tokens[combat.RoleGM])
	seat1, seat2 := b.Seat("P1"), b.Seat("P2")
	ids := b.Quartet(gm, seat1.Seat, seat2.Seat)
	p1, s1 := b.Join(seat1.Token), b.Join(b.Tokens[combat.RoleSpectator])
	gm.Must(combat.StartCombat{})
	gm.Must(combat.EndTurn{})
	gm.Must(combat.EndTurn{})
	// Cedar's turn, and Ash breaks into it.
	gm.Must(combat.Act{Combatant: ids["Cedar"], Kind: "dash"})
	last := uuid.NewString()
	react := combat.React{Combatant: ids["Ash"], Kind: "opportunityAttack", Targets: []combat.ID{ids["Cedar"]}}
	answered := p1.DoID(last, react)
	if answered.Ack == nil {
		t.Fatalf("refused: %s %v", answered.Code(), answered.Reject.Params)
	}
	var stack []combat.FrameView
	gm.WaitSeq(seqAt(t, b, b.Tokens[combat.RoleGM]))
	s1.WaitSeq(seqAt(t, b, b.Tokens[combat.RoleSpectator]))
	p1.WaitSeq(answered.Ack.Seq)
	if gm.Key("stack", &stack); len(stack) != 2 {
		t.Fatalf("the stack is %+v", stack)
	}
	before := b.Export()
	p.kill()
	gm.WaitEnd()

	again := startProcess(t, data)
	after := b.On(again.url)
	got := after.Export()
	if text(t, got.State) != text(t, before.State) || text(t, got.Log) != text(t, before.Log) {
		t.Fatalf("before %s\nafter  %s", text(t, before.State), text(t, got.State))
	}
	for name, pair := range map[string]struct {
		old   *hubtest.Client
		token string
	}{"gm": {gm, b.Tokens[combat.RoleGM]}, "p1": {p1, seat1.Token}, "s1": {s1, b.Tokens[combat.RoleSpectator]}} {
		back := after.Resume(pair.token, pair.old)
		if back.Welcomes() != 0 || back.Seq() != pair.old.Seq() || fmt.Sprint(back.View()) != fmt.Sprint(pair.old.View()) {
			t.Errorf("%s: %d welcomes, at %d after %d", name, back.Welcomes(), back.Seq(), pair.old.Seq())
		}
	}
	player := after.Join(seat1.Token)
	if reply := player.DoID(last, react); reply.Ack == nil || reply.Ack.Seq != answered.Ack.Seq {
		t.Fatalf("first %+v, after the crash %+v", answered.Ack, reply)
	}
	player.Must(combat.EndTurn{Combatant: ids["Ash"], Frame: stack[1].Frame})
	if turn := player.Turn(); turn.Combatant != ids["Cedar"] {
		t.Fatalf("the turn is %+v", turn)
	}
}

// A crash loses nothing that was acknowledged, wherever it strikes.
func TestKill9UnderLoad(t *testing.T) {
	data := t.TempDir()
	p := startProcess(t, data, "-command-rate", "100000", "-command-burst", "100000")
	b := hubtest.Create(t, p.url, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	ids := b.Quartet(gm, "", "")
	const before = 200
	var sent []string
	for i := range 3 * before {
		sent = append(sent, uuid.NewString())
		gm.Ask(sent[i], combat.SetTempHP{Combatants: []combat.ID{ids["Ash"]}, Amount: i + 1})
		if i == before {
			gm.Answer(sent[i])
			go p.cmd.Process.Kill()
		}
	}
	gm.WaitEnd()
	p.kill()
	acked := 0
	for _, id := range sent {
		if gm.Answered(id) {
			acked++
		}
	}
	again := startProcess(t, data, "-command-rate", "100000", "-command-burst", "100000")
	back := b.On(again.url).Join(b.Tokens[combat.RoleGM])
	if back.Seq() < gm.Seq() {
		t.Fatalf("the counter was %d and is %d", gm.Seq(), back.Seq())
	}
	var ash combat.CombatantView
	if back.Key("combatants/"+string(ids["Ash"]), &ash); ash.HP.Temp < acked {
		t.Fatalf("%d were acknowledged, Ash has %d", acked, ash.HP.Temp)
	}
	// Sent again, they apply once: in the end there is one commit for each.
	for i, id := range sent {
		if reply := back.DoID(id, combat.SetTempHP{Combatants: []combat.ID{ids["Ash"]}, Amount: i + 1}); reply.Ack == nil {
			t.Fatalf("command %d is answered %s", i, reply.Code())
		}
	}
	if got, want := b.On(again.url).Export().State.Seq, uint64(2+len(sent)); got != want {
		t.Fatalf("%d commits, want %d", got, want)
	}
}

// SIGTERM: viewers are told to come back, spread over a moment, and the
// process ends well.
func TestDrain(t *testing.T) {
	p := startProcess(t, t.TempDir())
	b := hubtest.Create(t, p.url, nil)
	var clients []*hubtest.Client
	for range 8 {
		clients = append(clients, b.Join(b.Tokens[combat.RoleSpectator]))
	}
	p.terminate()
	delays := map[int]bool{}
	for _, c := range clients {
		bye, status := c.WaitEnd()
		if bye == nil || bye.Code != "draining" || bye.RetryAfterMs < 200 || bye.RetryAfterMs > 2000 || status != 1012 {
			t.Fatalf("bye %+v, status %d", bye, status)
		}
		delays[bye.RetryAfterMs] = true
	}
	if len(delays) == 1 {
		t.Fatal("all are told to come back at the same moment")
	}
}

// The journal is copied from a running instance and from a stopped one, and
// the copy serves.
func TestBackup(t *testing.T) {
	data, copies := t.TempDir(), t.TempDir()
	p := startProcess(t, data)
	b := hubtest.Create(t, p.url, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	gm.Must(combat.Note{Text: "first"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	take := func(name string) string {
		t.Helper()
		dir := filepath.Join(copies, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := command(ctx, "backup", "-data", data, filepath.Join(dir, journalFile)).CombinedOutput(); err != nil {
			t.Fatalf("backup: %v: %s", err, out)
		}
		return dir
	}
	early := b.Join(b.Tokens[combat.RoleGM])
	early.Abort()
	running := take("running")
	gm.Must(combat.Note{Text: "second"})
	p.terminate()
	stopped := take("stopped")
	for dir, want := range map[string]uint64{running: 2, stopped: 3} {
		q := startProcess(t, dir)
		if got := b.On(q.url).Export().State.Seq; got != want {
			t.Errorf("%s has %d commits, want %d", dir, got, want)
		}
		// It is a new history, and who has seen more is told.
		if back := b.On(q.url).Resume(b.Tokens[combat.RoleGM], gm); back.Cut() != (dir == running) || back.Epoch() == gm.Epoch() {
			t.Errorf("%s: cut %v, in history %s after %s", dir, back.Cut(), back.Epoch(), gm.Epoch())
		}
		if back := b.On(q.url).Resume(b.Tokens[combat.RoleGM], early); back.Cut() {
			t.Errorf("%s: who saw no more is told that it is gone", dir)
		}
		q.terminate()
	}
	for _, args := range [][]string{{"backup"}, {"backup", "-data", filepath.Join(copies, "nothing"), filepath.Join(copies, "x")}} {
		if out, err := command(ctx, args...).CombinedOutput(); err == nil {
			t.Errorf("%v: no error: %s", args, out)
		}
	}
	if _, err := os.Stat(filepath.Join(copies, "x")); err == nil {
		t.Error("a backup of nothing left a file")
	}
}

// One data directory serves one instance.
func TestSecondInstance(t *testing.T) {
	data := t.TempDir()
	p := startProcess(t, data)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if out, err := command(ctx, "serve", "-listen", "127.0.0.1:0", "-data", data).CombinedOutput(); err == nil || !strings.Contains(string(out), journalFile) {
		t.Fatalf("a second instance: %v: %s", err, out)
	}
	if answer := hubtest.Request(t, http.MethodGet, p.url+"/readyz", "", nil); answer.Status != http.StatusOK {
		t.Fatalf("the first one: %d", answer.Status)
	}
}

// The help explains every flag with its environment variable; the environment
// counts, and a flag wins.
func TestFlags(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	help, err := command(ctx, "-h").CombinedOutput()
	if err != nil {
		t.Fatalf("-h: %v", err)
	}
	for _, want := range []string{"-listen address", "RIPOSTE_LISTEN", "RIPOSTE_PUBLIC_URL", "RIPOSTE_MAX_SEATS", "default :8080"} {
		if !strings.Contains(string(help), want) {
			t.Errorf("the help does not say %s", want)
		}
	}
	t.Setenv("RIPOSTE_MAX_SEATS", "5")
	t.Setenv("RIPOSTE_IDLE", "7s")
	c, err := readConfig([]string{"-max-seats", "6"})
	if err != nil || c.limits.Seats != 6 || c.limits.IdleTime != 7*time.Second {
		t.Errorf("%+v, %v", c, err)
	}
	t.Setenv("RIPOSTE_IDLE", "soon")
	if _, err := readConfig(nil); err == nil || !strings.Contains(err.Error(), "RIPOSTE_IDLE") {
		t.Errorf("a wrong value: %v", err)
	}
	for _, args := range [][]string{{"-nothing"}, {"serve", "rest"}, {"dance"}, {"serve", "-public-url", "ftp://x"},
		{"-max-seats", "0"}, {"-command-rate", "NaN"}, {"-idle", "-1s"}, {"-max-sockets", "-5"}, {"-create-rate", "+Inf"}} {
		if out, err := command(ctx, args...).CombinedOutput(); err == nil || len(out) == 0 {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
}

func text(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// seqAt is how far an audience is.
func seqAt(t *testing.T, b *hubtest.Table, token string) uint64 {
	t.Helper()
	answer := hubtest.Request(t, http.MethodGet, b.Path(), token, nil)
	var seq uint64
	if _, err := fmt.Sscanf(answer.Header.Get("ETag"), `"%d"`, &seq); err != nil {
		t.Fatal(err)
	}
	return seq
}

// Connections over the bound wait for one that ends.
func TestMaxConnections(t *testing.T) {
	p := startProcess(t, t.TempDir(), "-max-connections", "1")
	address := strings.TrimPrefix(p.url, "http://")
	first, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(conn net.Conn, header string) error {
		fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n%s\r\n", header)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
		}
		return err
	}
	second, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	answered := make(chan error, 1)
	go func() { answered <- ask(second, "Connection: close\r\n") }()
	for range 100 {
		if err := ask(first, ""); err != nil {
			t.Fatal(err)
		}
	}
	if len(answered) > 0 {
		t.Fatal("two connections are served")
	}
	first.Close()
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
}

// On a disk that is nearly full no encounter is made; those there are go on.
func TestDiskFull(t *testing.T) {
	data := t.TempDir()
	p := startProcess(t, data)
	b := hubtest.Create(t, p.url, nil)
	p.terminate()
	q := startProcess(t, data, "-min-free", "18446744073709551615")
	for path, body := range map[string]string{"/api/encounters": `{"rules":"dnd5e"}`, "/api/encounters/import": text(t, map[string]any{"format": "riposte/1", "state": b.On(q.url).Export().State})} {
		if answer := hubtest.Request(t, http.MethodPost, q.url+path, "", body); answer.Status != http.StatusServiceUnavailable || answer.Problem(t).Code != "unavailable" {
			t.Errorf("%s: %d %s", path, answer.Status, answer.Body)
		}
	}
	b.On(q.url).Join(b.Tokens[combat.RoleGM]).Must(combat.Note{Text: "on"})
}

// A journal that cannot be written ends the process, and what was acknowledged
// is there at the next start.
func TestDiskFails(t *testing.T) {
	data := t.TempDir()
	startProcess(t, data).terminate() // makes the journal, larger than what is used of it
	cmd := command(context.Background(), "serve", "-listen", "127.0.0.1:0", "-data", data, "-command-rate", "1e6", "-command-burst", "1000000")
	// Writing behind the first MiB of a file fails.
	cmd.Args = append([]string{"sh", "-c", `ulimit -f 2048; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	p := start(t, cmd)
	b := hubtest.Create(t, p.url, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	var sent []string
	for range 5_000 {
		sent = append(sent, uuid.NewString())
		gm.Ask(sent[len(sent)-1], combat.Note{Text: strings.Repeat("x", 500)})
	}
	gm.WaitEnd()
	<-p.read
	if err := p.cmd.Wait(); err == nil {
		t.Fatal("it ended as if all were well")
	}
	acked := uint64(0)
	for _, id := range sent {
		if gm.Answered(id) {
			acked++
		}
	}
	q := startProcess(t, data)
	if got := b.On(q.url).Export().State.Seq; got < acked+1 || acked == 0 {
		t.Fatalf("%d were acknowledged, %d commits are there", acked, got)
	}
}
