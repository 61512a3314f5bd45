package hub

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
)

// repeatTo fills an import with one element again and again, up to the bound
// on its bytes.
func repeatTo(before, element, after string) []byte {
	n := (8<<20 - len(before) - len(after)) / (len(element) + 1)
	return []byte(before + strings.Repeat(element+",", n-1) + element + after)
}

// What would grow a hundredfold in memory is refused before it does.
func TestImportThatGrows(t *testing.T) {
	state := func(rest string) string { return `{"format":"riposte/1","state":{"rules":"dnd5e",` + rest }
	for name, body := range map[string][]byte{
		"combatants":         repeatTo(state(`"combatants":[`), `{}`, `]}}`),
		"in other letters":   repeatTo(state(`"Combatants":[`), `{}`, `]}}`),
		"effects":            repeatTo(state(`"effects":[`), `{}`, `]}}`),
		"order":              repeatTo(state(`"order":[`), `{}`, `]}}`),
		"pending":            repeatTo(state(`"pending":[`), `{}`, `]}}`),
		"stack":              repeatTo(state(`"stack":[`), `{}`, `]}}`),
		"seats":              repeatTo(state(`"seats":[`), `{}`, `]}}`),
		"ties":               repeatTo(state(`"ties":[`), `[]`, `]}}`),
		"a combatant's plan": repeatTo(state(`"combatants":[{"plan":[`), `{}`, `]}]}}`),
		"lists in lists":     repeatTo(state(`"combatants":[{"answers":[""]},{"answers":[`), `""`, `]}]}}`),
		"one key over again": repeatTo(`{`, `"log":[`+strings.Repeat(`[],`, 100)+`0]`, `,"state":{"stack":[`+strings.Repeat("{},", 20)+`0]}}`),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		refusal := checkShape(body)
		runtime.ReadMemStats(&after)
		if refusal == nil || refusal.Code != "too_many" {
			t.Errorf("%s: %v", name, refusal)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
			t.Errorf("%s: refusing takes %d bytes", name, grown)
		}
	}
	if refusal := checkShape([]byte(`{"state":` + strings.Repeat(`{"a":`, importDepth) + `1` + strings.Repeat(`}`, importDepth+1))); refusal == nil || refusal.Code != "bad_value" {
		t.Errorf("nested deep: %v", refusal)
	}
	// The log may be as long as it is: nothing of it is kept.
	if refusal := checkShape(repeatTo(`{"format":"riposte/1","log":[`, `{"at":1}`, `],"state":{"rules":"dnd5e"}}`)); refusal != nil {
		t.Errorf("a long log: %v", refusal)
	}
}

// importNothing asks for an import that has nothing in it.
func importNothing(h *Hub) int {
	request := httptest.NewRequest(http.MethodPost, "/api/encounters/import", strings.NewReader(`{}`))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	h.Handler().ServeHTTP(recorder, request)
	return recorder.Code
}

// While as many imports as may be are under way, the next is sent away.
func TestImportsAtATime(t *testing.T) {
	h := New(Config{Engine: combat.New()})
	ask := func() int { return importNothing(h) }
	for _, places := range []places{h.receiving, h.decoding} {
		for places.enter() {
		}
		if got := ask(); got != http.StatusServiceUnavailable {
			t.Errorf("%d, want 503", got)
		}
		for range cap(places) {
			places.exit()
		}
		if got := ask(); got != http.StatusBadRequest {
			t.Errorf("with room: %d, want 400", got)
		}
	}
}

// Imports have a limit of their own per address.
func TestImportLimit(t *testing.T) {
	h := New(Config{Engine: combat.New(), Limits: Limits{ImportRate: 0.001, ImportBurst: 2}})
	for i := range 3 {
		if got, want := importNothing(h), []int{400, 400, 429}[i]; got != want {
			t.Errorf("import %d: %d, want %d", i, got, want)
		}
	}
}

// So for files with creatures; receiving them takes no place from imports.
func TestFilesAtATime(t *testing.T) {
	h := New(Config{Engine: combat.New(dnd5e.System{}), Limits: Limits{PreviewRate: 1e6, PreviewBurst: 1e6}})
	ask := func() int {
		request := httptest.NewRequest(http.MethodPost, "/api/creatures?rules=dnd5e", strings.NewReader(`[]`))
		request.Header.Set("Content-Type", "text/plain")
		recorder := httptest.NewRecorder()
		h.Handler().ServeHTTP(recorder, request)
		return recorder.Code
	}
	for _, places := range []places{h.reading, h.decoding} {
		for places.enter() {
		}
		if got := ask(); got != http.StatusServiceUnavailable {
			t.Errorf("%d, want 503", got)
		}
		for range cap(places) {
			places.exit()
		}
		if got := ask(); got != http.StatusOK {
			t.Errorf("with room: %d, want 200", got)
		}
	}
	for h.receiving.enter() {
	}
	if got := ask(); got != http.StatusOK {
		t.Errorf("while imports are received: %d, want 200", got)
	}
}
