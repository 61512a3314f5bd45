// Package deploy holds what an operator needs; see README.md.
package deploy

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/hub"
	"riposte/hub/hubtest"
	"riposte/hub/redis"
)

// instance is one instance's measurements before anything has happened on it.
type instance struct {
	*prometheus.Registry
	names map[string]bool // of all, those that there is no value of yet too
}

var quotedName = regexp.MustCompile(`fqName: "([a-z_]+)"`)

func (i instance) Register(c prometheus.Collector) error {
	described := make(chan *prometheus.Desc, 16)
	c.Describe(described)
	close(described)
	for d := range described {
		i.names[quotedName.FindStringSubmatch(d.String())[1]] = true
	}
	return i.Registry.Register(c)
}

func (i instance) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		if err := i.Register(c); err != nil {
			panic(err)
		}
	}
}

// measured starts an instance and returns its measurements.
func measured(t *testing.T) instance {
	t.Helper()
	i := instance{prometheus.NewRegistry(), map[string]bool{}}
	store, err := redis.Open(t.Context(), redis.Options{URL: "redis://" + hubtest.StartRedis(t).Addr, Meter: i})
	if err != nil {
		t.Fatal(err)
	}
	h := hub.New(hub.Config{Engine: combat.New(dnd5e.System{}), Store: store, Meter: i})
	if err := h.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return i
}

func TestDashboardAndAlertsAskForWhatIsMeasured(t *testing.T) {
	there := measured(t).names
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

// What an alert watches for an increase is there before it happens first: a
// series that appears at 1 has not increased.
func TestAlertsSeeTheFirstTime(t *testing.T) {
	text, err := os.ReadFile("prometheus/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	families, err := measured(t).Gather()
	if err != nil {
		t.Fatal(err)
	}
	there := map[string][]string{} // the values of the label, by name
	for _, family := range families {
		for _, m := range family.GetMetric() {
			value := ""
			for _, label := range m.GetLabel() {
				value = label.GetValue()
			}
			there[family.GetName()] = append(there[family.GetName()], value)
		}
	}
	watched := regexp.MustCompile(`(?:increase|rate)\((riposte_[a-z_]+)(?:\{[a-z]+=~?"([^"]*)"\})?\[`).FindAllStringSubmatch(string(text), -1)
	if len(watched) < 9 {
		t.Fatalf("%d counters are watched", len(watched))
	}
	for _, w := range watched {
		values := there[strings.TrimSuffix(w[1], "_bucket")]
		if len(values) == 0 {
			t.Errorf("%s is not there until it happens", w[1])
		}
		if w[2] == "" {
			continue
		}
		for _, value := range strings.Split(w[2], "|") {
			if !slices.Contains(values, value) {
				t.Errorf("%s of %q is not there until it happens: %q are", w[1], value, values)
			}
		}
	}
}
