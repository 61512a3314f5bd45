package hubtest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Redis is a real redis-server under test, with a port of its own, that keeps
// every write.
type Redis struct {
	Addr string // 127.0.0.1:port

	t    testing.TB
	args []string
	dir  string
	log  *os.File
	cmd  *exec.Cmd
}

// StartRedis starts a server with these settings besides the usual ones, each a
// name and its values in one string. The end of the test kills it.
func StartRedis(t testing.TB, settings ...string) *Redis {
	t.Helper()
	port := FreePort(t)
	r := newRedis(t, "--port "+port, "--bind 127.0.0.1", "--save ''", "--appendonly yes", "--appendfsync always",
		"--repl-diskless-sync-delay 0", "--enable-debug-command local")
	r.Addr = "127.0.0.1:" + port
	for _, setting := range settings {
		r.args = append(r.args, words("--"+setting)...)
	}
	r.Start()
	return r
}

// StartRedisTLS starts a server that speaks TLS only, with a certificate that is
// its own root.
func StartRedisTLS(t testing.TB, cert, key string) *Redis {
	t.Helper()
	port := FreePort(t)
	r := newRedis(t, "--port 0", "--tls-port "+port, "--bind 127.0.0.1", "--save ''", "--tls-auth-clients no",
		"--tls-cert-file "+cert, "--tls-key-file "+key, "--tls-ca-cert-file "+cert)
	r.Addr = "127.0.0.1:" + port
	r.Start()
	return r
}

// StartSentinel starts a sentinel that watches a primary under the name main and
// replaces it within seconds.
func StartSentinel(t testing.TB, primary *Redis) *Redis {
	t.Helper()
	port := FreePort(t)
	r := newRedis(t)
	r.Addr = "127.0.0.1:" + port
	host, watched, _ := net.SplitHostPort(primary.Addr)
	config := filepath.Join(r.dir, "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor main %s %s 1\nsentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 5000\n", port, host, watched)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r.args = []string{config, "--sentinel", "--dir", r.dir}
	r.Start()
	return r
}

// StartCluster starts a Cluster of three primaries without replicas.
func StartCluster(t testing.TB) []*Redis {
	t.Helper()
	nodes := make([]*Redis, 3)
	for i := range nodes {
		nodes[i] = StartRedis(t, "cluster-enabled yes", "cluster-port "+FreePort(t), "cluster-node-timeout 5000")
	}
	slots := [][2]int{{0, 5460}, {5461, 10922}, {10923, 16383}}
	for i, node := range nodes {
		node.Do("CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(slots[i][0]), strconv.Itoa(slots[i][1]))
		node.Do("CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(i+1))
	}
	for _, node := range nodes[1:] {
		host, port, _ := net.SplitHostPort(nodes[0].Addr)
		bus := nodes[0].setting("--cluster-port")
		node.Do("CLUSTER", "MEET", host, port, bus)
	}
	for _, node := range nodes {
		Eventually(t, "the cluster is whole", func() bool {
			return strings.Contains(node.Do("CLUSTER", "INFO"), "cluster_state:ok") && strings.Count(node.Do("CLUSTER", "NODES"), "connected") == len(nodes)
		})
	}
	return nodes
}

func newRedis(t testing.TB, settings ...string) *Redis {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	r := &Redis{t: t, dir: dir, log: log, args: []string{"--dir", dir}}
	for _, setting := range settings {
		r.args = append(r.args, words(setting)...)
	}
	t.Cleanup(func() {
		r.Kill()
		if t.Failed() {
			data, _ := os.ReadFile(log.Name())
			t.Logf("redis %s:\n%s", r.Addr, data[max(0, len(data)-2000):])
		}
		log.Close()
		os.RemoveAll(dir)
	})
	return r
}

// words splits a setting; ” is an empty value.
func words(setting string) []string {
	all := strings.Fields(setting)
	for i, word := range all {
		if word == "''" {
			all[i] = ""
		}
	}
	return all
}

func (r *Redis) setting(name string) string {
	for i, arg := range r.args {
		if arg == name {
			return r.args[i+1]
		}
	}
	return ""
}

// FreePort finds a port that nobody uses at the moment. It is none that the
// system gives away by itself: whoever listens there may stop for a while and
// have it again, though others dial and are dialled meanwhile.
func FreePort(t testing.TB) string {
	t.Helper()
	for range 1000 {
		port := strconv.Itoa(20_000 + rand.IntN(12_000))
		if listener, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			listener.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}

// Start starts the server, or starts it again on the data it left, and waits
// until it answers.
func (r *Redis) Start() {
	r.t.Helper()
	r.cmd = exec.Command("redis-server", r.args...)
	r.cmd.Stdout, r.cmd.Stderr = r.log, r.log
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	Eventually(r.t, "redis answers", func() bool {
		out, err := r.cli("PING")
		return err == nil && strings.HasPrefix(out, "PONG")
	})
}

// Kill is kill -9, also of one that is stopped.
func (r *Redis) Kill() {
	if r.cmd != nil {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

// Copy copies what the server keeps while it runs, as an operator would, and
// returns the directory with the copy.
func (r *Redis) Copy() string {
	r.t.Helper()
	r.Do("CONFIG", "SET", "auto-aof-rewrite-percentage", "0")
	Eventually(r.t, "the file is not being written anew", func() bool {
		return strings.Contains(r.Do("INFO", "persistence"), "aof_rewrite_in_progress:0")
	})
	to := r.t.TempDir()
	if err := os.CopyFS(filepath.Join(to, aofDir), os.DirFS(filepath.Join(r.dir, aofDir))); err != nil {
		r.t.Fatal(err)
	}
	r.Do("CONFIG", "SET", "auto-aof-rewrite-percentage", "100")
	return to
}

// aofDir is where Redis keeps its append-only file, in its directory.
const aofDir = "appendonlydir"

// Restore kills the server and starts it on a copy.
func (r *Redis) Restore(copied string) {
	r.t.Helper()
	r.Kill()
	if err := os.RemoveAll(filepath.Join(r.dir, aofDir)); err != nil {
		r.t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(r.dir, aofDir), os.DirFS(filepath.Join(copied, aofDir))); err != nil {
		r.t.Fatal(err)
	}
	r.Start()
}

// Stop ends the server in good order.
func (r *Redis) Stop() {
	r.t.Helper()
	r.signal(syscall.SIGTERM)
	_ = r.cmd.Wait()
	r.cmd = nil
}

// CopyRDB has the server write all it keeps to a file, as of one moment, and
// returns its path.
func (r *Redis) CopyRDB() string {
	r.t.Helper()
	to := filepath.Join(r.t.TempDir(), "copy.rdb")
	r.Do("--rdb", to)
	return to
}

// RestoreRDB kills the server and starts it on such a file. With its append-only
// file on, a server reads nothing else: so it starts without, and writes one.
func (r *Redis) RestoreRDB(copied string) {
	r.t.Helper()
	r.Kill()
	data, err := os.ReadFile(copied)
	if err == nil {
		err = errors.Join(os.RemoveAll(filepath.Join(r.dir, aofDir)), os.WriteFile(filepath.Join(r.dir, "dump.rdb"), data, 0o600))
	}
	if err != nil {
		r.t.Fatal(err)
	}
	usual := r.args
	r.args = append(slices.Clone(usual), "--appendonly", "no")
	r.Start()
	r.args = usual
	r.Do("CONFIG", "SET", "appendonly", "yes")
	Eventually(r.t, "the file is written", func() bool {
		info := r.Do("INFO", "persistence")
		return strings.Contains(info, "aof_rewrite_in_progress:0") && strings.Contains(info, "aof_rewrite_scheduled:0") && strings.Contains(info, "aof_last_bgrewrite_status:ok")
	})
	r.Kill()
	r.Start()
}

// Freeze stops the process where it stands, until Thaw.
func (r *Redis) Freeze() { r.signal(syscall.SIGSTOP) }

// Thaw lets it go on.
func (r *Redis) Thaw() { r.signal(syscall.SIGCONT) }

func (r *Redis) signal(which syscall.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(which); err != nil {
		r.t.Fatal(err)
	}
}

// Do runs a command on the server with redis-cli and returns what it prints.
func (r *Redis) Do(args ...string) string {
	r.t.Helper()
	out, err := r.cli(args...)
	if err != nil {
		r.t.Fatalf("redis %v: %v: %s", args, err, out)
	}
	return out
}

func (r *Redis) cli(args ...string) (string, error) {
	host, port, _ := net.SplitHostPort(r.Addr)
	login := []string{"-h", host, "-p", port, "-e"}
	if r.setting("--tls-port") != "" {
		login = append(login, "--tls", "--cacert", r.setting("--tls-ca-cert-file"))
	}
	out, err := exec.Command("redis-cli", append(login, args...)...).CombinedOutput()
	return string(bytes.TrimSpace(out)), err
}

// Eventually waits until something is true. It fails the test after a time that
// no machine should need.
func Eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !is() {
		if time.Now().After(deadline) {
			t.Fatalf("it never came about that %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
