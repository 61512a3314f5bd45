package statblock

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"riposte/combat"
)

// check says what is wrong with a result, whatever was read.
func check(t *testing.T, got CreatureFile, system combat.System) {
	t.Helper()
	if len(got.Creatures) > maxCreatures || len(got.Faults) > maxFaults+2 || len(got.Creatures)+len(got.Faults) == 0 {
		t.Fatalf("%d creatures, %d faults", len(got.Creatures), len(got.Faults))
	}
	for _, c := range got.Creatures {
		add := c.Creature
		if refusal := combat.CheckSheet(system, &add); refusal != nil {
			t.Fatalf("offered as sound: %+v, refused: %+v", c, refusal)
		}
		if len(c.Warnings) > maxWarnings || utf8.RuneCountInString(c.Creature.Notes) > combat.MaxNotes || c.Creature.Seat != "" {
			t.Fatalf("%+v", c)
		}
	}
	for _, f := range got.Faults {
		if f.Code == "" || len(f.Where) > 2*maxPath+200 {
			t.Fatalf("%+v", f)
		}
	}
	if text, err := json.Marshal(got); err != nil || !utf8.Valid(text) {
		t.Fatalf("%v", err)
	}
}

// seeds are the files of every format, and what broke something once.
func seeds(f *testing.F) (texts [][]byte) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		texts = append(texts, data)
	}
	return texts
}

// Whatever a file is, it gives sound creatures or says why not.
func FuzzRead(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	for _, seed := range []string{``, `[]`, `{`, "\xff\xfe[\x00]\x00", "name,hp\nA,\"1", `{"Creatures.a":7}`, `{"ImprovedInitiative.Creatures.a":"{"}`, "sep=;\nname;hp"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, system := range systems {
			check(t, Read(data, system), system)
		}
	})
}

// The reader of each format may be given what is not its own.
func FuzzShape(f *testing.F) {
	for i := range shapes {
		for _, data := range seeds(f) {
			f.Add(uint8(i), data)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		if checkJSON(data) != nil {
			return
		}
		shape := shapes[int(which)%len(shapes)]
		r := &reader{rules: rulesOf(fiveE)}
		read := func(n node) {
			s := r.begin(n.path)
			shape.read(s, n)
			r.end(s)
		}
		root := rootOf(data, "")
		read(root)
		for one := range root.elements(20) {
			read(one)
		}
		check(t, r.result(), fiveE)
	})
}

// A whole export, an encounter, a combat: lists with a reader of their own.
func FuzzDocument(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if checkJSON(data) != nil {
			return
		}
		for _, read := range []func(*reader, node){
			(*reader).improvedExport, (*reader).improvedEncounter, (*reader).encounter,
			func(r *reader, n node) { r.combat(n) }, func(r *reader, n node) { r.list(n) },
		} {
			r := &reader{rules: rulesOf(fiveE)}
			if read(r, rootOf(data, "")); r.seen > 0 {
				check(t, r.result(), fiveE)
			}
		}
	})
}

// A table gives back what was written into it.
func FuzzTable(f *testing.F) {
	f.Add("name", "A, \"B\"", uint8(0))
	f.Add("a\nb", ";", uint8(1))
	f.Add("", "\t'=", uint8(2))
	f.Fuzz(func(t *testing.T, one, two string, which uint8) {
		if strings.ContainsRune(one+two, '\r') || len(one)+len(two) > maxCell {
			return
		}
		quote := func(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }
		delimiter := string(",;\t"[which%3])
		table := newTable("sep=" + delimiter + "\n" + quote(one) + delimiter + quote(two) + "\n")
		cells, line, fault := table.row()
		if strings.TrimSpace(one)+strings.TrimSpace(two) == "" {
			return
		}
		if fault != nil || line != 2 || len(cells) != 2 || cells[0] != one || cells[1] != two {
			t.Fatalf("%q %q: %q %+v", one, two, cells, fault)
		}
	})
}

// Taking markup away gives bounded text, and cannot make it longer without end.
func FuzzPlain(f *testing.F) {
	for _, seed := range []string{"<p>{@b **x**}</p>", "&lt;b&gt;", "[[/r 1d6]]{x}", "@UUID[a]{b}", "{@atk mw,rw}", "_a_ [b](c)", "<script>"} {
		f.Add(seed, 20)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit < 1 || limit > 1000 {
			return
		}
		got := plain(strings.ToValidUTF8(text, ""), limit)
		if utf8.RuneCountInString(got) > limit || strings.ContainsAny(got, "\n\r\t\x00") || !utf8.ValidString(got) {
			t.Fatalf("%q", got)
		}
	})
}

// Numbers of all kinds: read, or not, within what a sheet can say.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{`"+2"`, `1e309`, `"2d6+3"`, `"12,5"`, `"9 m"`, `-0.5`, `"15 (x)"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if !json.Valid([]byte(raw)) {
			return
		}
		n := rootOf([]byte(raw), "")
		if value, ok := n.whole(); ok && (value > 1e9 || value < -1e9) {
			t.Fatal(value)
		}
		if count, ok := n.count(); ok && (count > combat.MaxCount || count < -combat.MaxCount) {
			t.Fatal(count)
		}
		if value, ok := average(n.text(maxNumber)); ok && (value > 1e9 || value < -1e9) {
			t.Fatal(value)
		}
		if value, _, ok := feet(n.text(maxNumber)); ok && (value < 0 || value > 40_000) {
			t.Fatal(value)
		}
	})
}

// Walking agrees with decoding about every member and element.
func FuzzWalk(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if checkJSON(data) != nil {
			return
		}
		var same func(n node)
		same = func(n node) {
			if !json.Valid(n.raw) {
				t.Fatalf("%q is cut out of %q", n.raw, data)
			}
			if n.isText() {
				var want string
				if err := json.Unmarshal(n.raw, &want); err != nil || n.text(1<<20) != want {
					t.Fatalf("%q: %q", n.raw, n.text(1<<20))
				}
			}
			count := 0
			for one := range n.values(1 << 20) {
				count++
				same(one)
			}
			if n.isArray() {
				var want []json.RawMessage
				if err := json.Unmarshal(n.raw, &want); err != nil || len(want) != count {
					t.Fatalf("%d elements of %q", count, n.raw)
				}
			}
		}
		same(rootOf(data, ""))
	})
}
