//go:build balancer

// Needs haproxy, which the ordinary tests do not: `make check-deploy`.

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/apiclient"
	"riposte/hub/hubtest"
)

// balance starts the load balancer of deploy/compose before two instances, and
// returns its address.
func balance(t *testing.T, one, two string) string {
	t.Helper()
	shipped, err := os.ReadFile("../deploy/compose/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	address := "127.0.0.1:" + hubtest.FreePort(t)
	config := string(shipped)
	for name, here := range map[string]string{
		"bind :8080":    "bind " + address,
		"maxconn 60000": "maxconn 1000", // what a test may open
		"one:8080":      strings.TrimPrefix(one, "http://"),
		"two:8080":      strings.TrimPrefix(two, "http://"),
	} {
		if strings.Count(config, name) != 1 {
			t.Fatalf("%q is not in the balancer's file", name)
		}
		config = strings.Replace(config, name, here, 1)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("haproxy", "-db", "-f", file)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url := "http://" + address
	hubtest.Eventually(t, "it passes requests on", func() bool {
		answer, err := http.Get(url + "/readyz")
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return url
}

// Behind the balancer that is shipped: browsers are on both instances, one is
// killed, it comes back, the other one is drained. All that was acknowledged is
// there, and nobody needs to know which instance they are on.
func TestBalancer(t *testing.T) {
	redis := hubtest.StartRedis(t)
	at := "127.0.0.1:" + hubtest.FreePort(t)
	one, two := startOn(t, redis, "-trust-proxy", "-listen", at), startOn(t, redis, "-trust-proxy")
	url := balance(t, one.url, two.url)
	if answer := hubtest.Request(t, http.MethodGet, url+"/metrics", "", nil); answer.Status != http.StatusForbidden {
		t.Errorf("/metrics: %d", answer.Status)
	}
	b := hubtest.Create(t, url, nil)
	seat := b.Seat("P1")
	tokens := []string{b.Tokens[combat.RoleGM], seat.Token, b.Tokens[combat.RoleSpectator], b.Tokens[combat.RolePlayer]}
	var browsers []*hubtest.Client
	for i := range 12 {
		browsers = append(browsers, b.Join(tokens[i%len(tokens)]))
	}
	ids := b.Quartet(browsers[0], seat.Seat, "")
	api := apiclient.New(url)
	defer api.Close()
	damage := func() {
		t.Helper()
		raw, err := combat.EncodeCommand(combat.Damage{Combatants: []combat.ID{ids["Cedar"]}, Amount: 1})
		if err != nil {
			t.Fatal(err)
		}
		// Sent again under its id until somebody has answered.
		command := hub.CommandRequest{ID: uuid.NewString(), Command: raw}
		path := "/api/encounters/" + string(b.ID) + "/commands"
		hubtest.Eventually(t, "a command is acknowledged", func() bool {
			var ack hub.Ack
			return api.Call(t.Context(), http.MethodPost, path, tokens[0], command, &ack) == nil
		})
	}
	same := func(n int) {
		t.Helper()
		log := b.Export().Log
		if got := strings.Count(text(t, log), `"type":"damaged"`); got != n {
			t.Errorf("%d hits are in the log, want %d", got, n)
		}
		for i, token := range tokens {
			want := seqAt(t, b, token)
			for j := i; j < len(browsers); j += len(tokens) {
				hubtest.Eventually(t, fmt.Sprintf("browser %d shows what is", j), func() bool {
					if browsers[j].Ended() {
						browsers[j] = b.Resume(token, browsers[j])
					}
					return browsers[j].Seq() == want
				})
			}
		}
	}
	for range 5 {
		damage()
	}
	same(5)
	one.kill()
	for range 5 {
		damage()
	}
	same(10)
	one = startOn(t, redis, "-trust-proxy", "-listen", at)
	for range 5 {
		damage()
	}
	two.terminate()
	for range 5 {
		damage()
	}
	same(20)
}
