package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

const scenarioFiles = "../combat/testdata/scenarios/*.scn"

// startServer builds the program and runs an instance on a free port with a
// journal of its own until the test ends. It returns the address.
func startServer(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "riposte")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The test makes encounters and seats faster than a table of people would.
	server := exec.Command(program, "serve", "-listen", "127.0.0.1:0", "-data", filepath.Join(dir, "data"),
		"-create-rate", "100000", "-create-burst", "100000")
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := server.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if found := address.FindString(lines.Text()); found != "" {
			return found
		}
	}
	t.Fatal("the server named no address")
	return ""
}

// TestPlayOverHTTP plays every scenario file on a real server.
func TestPlayOverHTTP(t *testing.T) {
	files, err := filepath.Glob(scenarioFiles)
	if err != nil || len(files) == 0 {
		t.Fatal("no scenario files", err)
	}
	url := startServer(t)
	t.Run("files", func(t *testing.T) {
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				var stdout, stderr bytes.Buffer
				if code := play([]string{"-url", url, file}, &stdout, &stderr); code != 0 {
					t.Fatalf("exit code %d\n%s", code, stderr.String())
				}
				if !strings.Contains(stdout.String(), "watch it at "+url+"/e/") {
					t.Error("no link to watch")
				}
			})
		}
	})
}

// TestPlayInMemory compares how the demo fight is printed.
func TestPlayInMemory(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := play([]string{"../combat/testdata/scenarios/demo.scn"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	golden := filepath.Join("testdata", "demo.txt")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := stdout.String(); got != string(want) {
		t.Errorf("the fight is printed differently than in %s:\n%s", golden, got)
	}
}

// TestPlayFails checks exit codes and what is said.
func TestPlayFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.scn")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const head = "scenario X\nrules dnd5e\nadd A init=18\nstart\n"
	for _, c := range []struct {
		text, want string
		code       int
		args       []string
	}{
		{head + "expect turn none\n", file + ":5: expect turn none\n    found A\n", 1, nil},
		{head + "A: fly\nexpect turn A\n", file + `:5: unknown word "fly"`, 2, nil},
		{head + "expect turn A\n", "no such file", 2, []string{filepath.Join(t.TempDir(), "none.scn")}},
		{head + "expect turn A\n", "Usage: riposte play [flags] file.scn", 2, []string{}},
		{head + "expect turn A\n", "environment RIPOSTE_PACE", 0, []string{"-h"}},
		{head + "expect turn A\n", "connection refused", 1, []string{"-url", "http://127.0.0.1:1", file}},
	} {
		write(c.text)
		args := c.args
		if args == nil {
			args = []string{file}
		}
		var stdout, stderr bytes.Buffer
		if code := play(args, &stdout, &stderr); code != c.code || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%v: exit code %d, said %q; want %d, %q", args, code, stderr.String(), c.code, c.want)
		}
	}
}
