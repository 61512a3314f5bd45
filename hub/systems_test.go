package hub_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// Whoever makes an encounter can ask first which rule systems there are, and
// which of their options are our ruling.
func TestSystems(t *testing.T) {
	server := hubtest.Start(t, hub.Limits{})
	answer, err := http.Get(server.URL + "/api/systems")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var systems []combat.SystemView
	if err := json.NewDecoder(answer.Body).Decode(&systems); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status, err)
	}
	for _, system := range systems {
		if system.Rules == "dnd5e" {
			for _, option := range system.Options {
				if option.Key == "5e.ties" && option.Default == "people" && len(option.Values) == 3 {
					return
				}
			}
		}
	}
	t.Fatalf("no dnd5e with 5e.ties in %+v", systems)
}
