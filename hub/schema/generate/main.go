// Command generate writes the wire contract, hub/schema/schema.json, and the
// browser's types, web/src/lib/wire.gen.ts, from the Go types. It runs at the
// module's root.
package main

import (
	"fmt"
	"os"
)

// The files written, from the module's root.
const (
	schemaFile     = "hub/schema/schema.json"
	typescriptFile = "web/src/lib/wire.gen.ts"
)

func main() {
	files, err := generate()
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
	for name, content := range files {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "generate:", err)
			os.Exit(1)
		}
	}
}

// generate returns the content of every generated file by its name.
func generate() (map[string][]byte, error) {
	root, err := contract()
	if err != nil {
		return nil, err
	}
	text, err := encode(root)
	if err != nil {
		return nil, err
	}
	types, err := typescript(root)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{schemaFile: text, typescriptFile: types}, nil
}
