package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

const typescriptHead = `// Generated from the Go types by "make generate"; changes belong there.
`

// typescript writes the definitions of a schema as TypeScript types.
func typescript(root *jsonschema.Schema) ([]byte, error) {
	var out strings.Builder
	out.WriteString(typescriptHead)
	for _, name := range slices.Sorted(maps.Keys(root.Definitions)) {
		s := root.Definitions[name]
		out.WriteByte('\n')
		writeDoc(&out, "", s.Description)
		if s.Type == "object" && (s.Properties.Len() > 0 || len(s.PatternProperties) > 0) {
			out.WriteString("export interface " + name + " ")
			body, err := interfaceOf(s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out.WriteString(body + "\n")
			continue
		}
		t, err := typeOf(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out.WriteString("export type " + name + " = " + t + "\n")
	}
	return []byte(out.String()), nil
}

// interfaceOf writes the members of an object, braces included.
func interfaceOf(s *jsonschema.Schema) (string, error) {
	var out strings.Builder
	out.WriteString("{\n")
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		t, err := typeOf(p.Value)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.Key, err)
		}
		optional := "?"
		if slices.Contains(s.Required, p.Key) {
			optional = ""
		}
		writeDoc(&out, "  ", p.Value.Description)
		fmt.Fprintf(&out, "  %s%s: %s\n", p.Key, optional, t)
	}
	for _, pattern := range slices.Sorted(maps.Keys(s.PatternProperties)) {
		t, err := typeOf(s.PatternProperties[pattern])
		if err != nil {
			return "", fmt.Errorf("%s: %w", pattern, err)
		}
		fmt.Fprintf(&out, "  [key: `%s${string}`]: %s\n", strings.TrimPrefix(pattern, "^"), t)
	}
	out.WriteString("}")
	return out.String(), nil
}

// typeOf writes the type of a value.
func typeOf(s *jsonschema.Schema) (string, error) {
	switch {
	case s.Ref != "":
		return strings.TrimPrefix(s.Ref, refPrefix), nil
	case s.Const != nil:
		return fmt.Sprintf("'%v'", s.Const), nil
	case len(s.OneOf) > 0:
		members := make([]string, len(s.OneOf))
		for i, one := range s.OneOf {
			member, err := typeOf(one)
			if err != nil {
				return "", err
			}
			members[i] = "\n  | " + member
		}
		return strings.Join(members, ""), nil
	}
	switch s.Type {
	case "string", "boolean":
		return s.Type, nil
	case "integer", "number":
		return "number", nil
	case "array":
		item, err := typeOf(s.Items)
		return item + "[]", err
	case "object":
		if s.AdditionalProperties == nil {
			return "Record<string, unknown>", nil
		}
		value, err := typeOf(s.AdditionalProperties)
		return "Record<string, " + value + ">", err
	case "":
		return "unknown", nil
	}
	return "", fmt.Errorf("no TypeScript for a schema of type %q", s.Type)
}

// writeDoc writes a description as a comment, so that editors show it.
func writeDoc(out *strings.Builder, indent, text string) {
	if text == "" {
		return
	}
	text = strings.ReplaceAll(text, "*/", "* /")
	if strings.Contains(text, "\n") {
		text = strings.ReplaceAll("\n"+text, "\n", "\n"+indent+" * ") + "\n" + indent
		fmt.Fprintf(out, "%s/**%s */\n", indent, text)
		return
	}
	fmt.Fprintf(out, "%s/** %s */\n", indent, text)
}
