// Package schema holds the wire contract as a JSON Schema, made from the Go
// types by the program in generate.
package schema

import _ "embed"

//go:generate go run -C ../.. ./hub/schema/generate

// JSON is the JSON Schema (draft 2020-12) of every command and message: each
// type stands under its name in $defs. Nobody may write to it.
//
//go:embed schema.json
var JSON []byte
