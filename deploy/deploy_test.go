// Package deploy holds what an operator needs; see README.md.
package deploy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/hub"
	"riposte/hub/embedded"
)

// names is a registerer that remembers the names of all measurements, those of
// which there is no value yet too.
type names map[string]bool

var quotedName = regexp.MustCompile(`fqName: "([a-z_]+)"`)

func (n names) Register(c prometheus.Collector) error {
	n.MustRegister(c)
	return nil
}

func (n names) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		described := make(chan *prometheus.Desc, 16)
		c.Describe(described)
		close(described)
		for d := range described {
			n[quotedName.FindStringSubmatch(d.String())[1]] = true
		}
	}
}

func (n names) Unregister(prometheus.Collector) bool { return false }

// measured are the names of all that an instance measures.
func measured(t *testing.T) names {
	t.Helper()
	store, err := embedded.Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	all := names{}
	h := hub.New(hub.Config{Engine: combat.New(dnd5e.System{}), Store: store, Meter: all})
	if err := h.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../hub/redis/metrics.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`"(riposte_redis_[a-z_]+)"`).FindAllStringSubmatch(string(source), -1) {
		all[name[1]] = true
	}
	return all
}

func TestDashboardAndAlertsAskForWhatIsMeasured(t *testing.T) {
	there := measured(t)
	if len(there) < 20 {
		t.Fatalf("only %v are measured", there)
	}
	for _, file := range []string{"prometheus/alerts.yaml", "grafana/riposte.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asked := regexp.MustCompile(`\briposte_[a-z_]+`).FindAllString(string(text), -1)
		if len(asked) < 10 {
			t.Errorf("%s asks for %v only", file, asked)
		}
		for _, name := range asked {
			if !there[strings.TrimSuffix(name, "_bucket")] {
				t.Errorf("%s asks for %s, which no instance measures", file, name)
			}
		}
	}
}

func TestDashboardIsJSON(t *testing.T) {
	text, err := os.ReadFile("grafana/riposte.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			ID      int    `json:"id"`
			Title   string `json:"title"`
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, p := range board.Panels {
		if seen[p.ID] || p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("panel %d %q shows nothing of its own", p.ID, p.Title)
		}
		seen[p.ID] = true
	}
}
