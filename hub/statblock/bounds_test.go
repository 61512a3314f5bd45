package statblock

import (
	"runtime"
	"strings"
	"testing"
)

// repeatTo fills a file with one part again and again, up to the bound on its
// bytes.
func repeatTo(before, part, after string) []byte {
	const most = 8 << 20
	return []byte(before + strings.Repeat(part, (most-len(before)-len(after))/len(part)) + after)
}

// No file of eight megabytes, however it is made, takes much more memory than
// that.
func TestMemory(t *testing.T) {
	for name, data := range map[string][]byte{
		"empty objects":     repeatTo(`[`, `{},`, `{}]`),
		"members":           repeatTo(`{"name":"A","hp":1`, `,"a":1`, `}`),
		"one name":          repeatTo(`[{"hp":1,"name":"`, `A`, `"}]`),
		"one escaped name":  repeatTo(`[{"hp":1,"name":"`, `\u0041`, `"}]`),
		"notes":             repeatTo(`[{"name":"A","hp":1,"notes":"`, `<p>`, `"}]`),
		"answers":           repeatTo(`[{"name":"A","hp":1,"answers":[`, `"",`, `""]}]`),
		"stats":             repeatTo(`[{"name":"A","hp":1,"stats":{`, `"save.a":1,`, `"b":1}}]`),
		"effects":           repeatTo(`{"format":"riposte/1","state":{"effects":[`, `{"name":"","target":"x"},`, `0],"combatants":[{"name":"A","maxHp":1}]}}`),
		"sections":          repeatTo(`{"ImprovedInitiative.Creatures":"[]"`, `,"Creatures.a":{}`, `}`),
		"texts in texts":    repeatTo(`{"ImprovedInitiative.Creatures.a":"{\"Name\":\"A\",\"HP\":1,\"Traits\":[`, `{},`, `{}]}"}`),
		"traits":            repeatTo(`[{"Name":"A","HP":1,"Traits":[`, `{"Name":"a","Content":"b"},`, `0]}]`),
		"marked-up traits":  repeatTo(`[{"Name":"A","HP":1,"Traits":[`, `{"Name":"a","Content":"`+strings.Repeat("{@b <i>**x**</i>} ", 900)+`"},`, `0]}]`),
		"items":             repeatTo(`{"name":"A","type":"npc","system":{"attributes":{"hp":{"max":1}}},"items":[`, `{"name":"a","type":"feat","system":{}},`, `0]}`),
		"entries":           repeatTo(`{"name":"A","hp":{"average":1},"trait":[{"name":"a","entries":[`, `"<b>",`, `0]}]}`),
		"columns":           repeatTo("name", ",", "\n"),
		"rows":              repeatTo("name,hp\n", "A,1\n", ""),
		"bad rows":          repeatTo("name,hp\n", "A,x\n", ""),
		"quotes":            repeatTo("name,notes\nA,\"", `""`, `"`),
		"one row":           repeatTo("name,notes\n", "A,1,", ""),
		"UTF-16":            repeatTo("\xff\xfe[\x00", "[\x00", ""),
		"deep":              repeatTo(``, `[`, ``),
		"white space":       repeatTo(``, ` `, ``),
		"broken at the end": repeatTo(`[`, `{"name":"A"},`, `}`),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := Read(data, fiveE)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
			t.Errorf("%s: %d MB", name, grown>>20)
		}
		if len(got.Creatures) > maxCreatures || len(got.Faults) > maxFaults+1 {
			t.Errorf("%s: %d creatures, %d faults", name, len(got.Creatures), len(got.Faults))
		}
	}
}
