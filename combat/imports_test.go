package combat_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The core is pure: of the standard library it uses only what can neither
// wait, nor read a clock, nor roll dice, nor talk to anybody.
func TestTheCoreImportsNothingImpure(t *testing.T) {
	allowed := []string{"bytes", "cmp", "crypto/sha256", "encoding/hex", "encoding/json", "errors", "fmt", "maps", "reflect", "slices",
		"strconv", "strings", "unicode", "unicode/utf8", "riposte/combat",
		"runtime/debug"} // the last for the stack of a panic in a test run
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if !slices.Contains(allowed, name) {
				t.Errorf("%s imports %s", path, name)
			}
		}
		return nil
	})
	if err != nil || files < 10 {
		t.Fatalf("read %d files: %v", files, err)
	}
}

// No rule system's name may decide anything outside its own package.
func TestNoSystemIsNamedOutsideItsPackage(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{`"dnd5e"`, `"starfinder"`, `"lights-and-shadows"`} {
			for _, found := range literals(file) {
				if found == name {
					t.Errorf("%s names %s", path, name)
				}
			}
		}
	}
}
