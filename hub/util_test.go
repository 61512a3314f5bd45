package hub_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/hub/hubtest"
)

// seqOf reads an audience's counter over HTTP.
func (b *table) seqOf(token string) uint64 {
	answer := hubtest.Request(b.t, http.MethodGet, b.Path(), token, nil)
	seq, err := strconv.ParseUint(strings.Trim(answer.Header.Get("ETag"), `"`), 10, 64)
	if err != nil {
		b.t.Fatalf("etag: %v", err)
	}
	return seq
}

func decode[T any](t testing.TB, data []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

func encode(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// hp is what a viewer sees of a combatant's hit points.
func hp(t testing.TB, c *hubtest.Client, id combat.ID) int {
	t.Helper()
	var view combat.CombatantView
	if !c.Key("combatants/"+string(id), &view) || view.HP == nil || view.HP.Current == nil {
		t.Fatalf("no hit points of %s", id)
	}
	return *view.HP.Current
}

// same compares two views.
func same(t testing.TB, name string, want, got map[string]string) {
	t.Helper()
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s: %s is %s, want %s", name, key, got[key], value)
		}
	}
	for key := range got {
		if _, has := want[key]; !has {
			t.Errorf("%s: %s is new", name, key)
		}
	}
}
