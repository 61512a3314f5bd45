package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"riposte/combat"
)

// refPrefix is how one definition points at another.
const refPrefix = "#/$defs/"

// builder gathers definitions; err is the first thing that went wrong.
type builder struct {
	reflector jsonschema.Reflector
	defs      jsonschema.Definitions
	err       error
}

// newBuilder reads the doc comments, which become descriptions.
func newBuilder() (*builder, error) {
	b := &builder{
		defs: jsonschema.Definitions{},
		reflector: jsonschema.Reflector{
			Anonymous: true, ExpandedStruct: true, AllowAdditionalProperties: true, Mapper: named,
		},
	}
	for _, folder := range []string{"combat", "hub"} {
		if err := b.reflector.AddGoComments("riposte", folder, jsonschema.WithFullComment()); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// named points at the definitions that stand for Go types which are no structs
// or write themselves.
func named(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[combat.ID]():
		return refTo("ID")
	case reflect.TypeFor[combat.Count]():
		return refTo("Count")
	case reflect.TypeFor[combat.Millis]():
		return refTo("Millis")
	case reflect.TypeFor[combat.State]():
		return &jsonschema.Schema{} // stands only in fields that are never sent
	}
	return nil
}

func refTo(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: refPrefix + name} }

// described returns a copy of a schema with a description.
func described(s *jsonschema.Schema, text string) *jsonschema.Schema {
	described := *s
	described.Description = text
	return &described
}

// schemaOf reflects a Go value. The types that it is made of become
// definitions, it does not.
func (b *builder) schemaOf(value any) *jsonschema.Schema {
	s := b.reflector.Reflect(value)
	for name, part := range s.Definitions {
		b.define(name, part)
	}
	s.Definitions, s.Version = nil, ""
	return s
}

// comment is the doc comment of a value's type.
func (b *builder) comment(value any) string {
	t := reflect.TypeOf(value)
	return b.reflector.CommentMap[t.PkgPath()+"."+t.Name()]
}

// define adds a definition. Two Go types of one name would be one definition:
// that is an error.
func (b *builder) define(name string, s *jsonschema.Schema) {
	if was, found := b.defs[name]; found && b.err == nil && was.Description != s.Description {
		b.err = fmt.Errorf("two types are called %s", name)
	}
	if _, found := b.defs[name]; !found {
		b.defs[name] = s
	}
}

// reflect makes a definition of a Go value's type, under that type's name.
func (b *builder) reflect(value any) string {
	name := reflect.TypeOf(value).Name()
	b.define(name, b.schemaOf(value))
	return name
}

// variants makes a definition of each command or event, told apart by its
// type, and of their union. Fields of the names in without are left out.
func (b *builder) variants(union, text string, names []string, values map[string]any, suffix string, without []string) {
	var members []*jsonschema.Schema
	for _, wire := range slices.Sorted(slices.Values(names)) {
		s := b.schemaOf(values[wire])
		properties := jsonschema.NewProperties()
		properties.Set("type", &jsonschema.Schema{Type: "string", Const: wire})
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			if !slices.Contains(without, p.Key) {
				properties.Set(p.Key, p.Value)
			}
		}
		s.Properties = properties
		s.Required = append([]string{"type"}, slices.DeleteFunc(s.Required, func(field string) bool {
			return slices.Contains(without, field)
		})...)
		name := reflect.TypeOf(values[wire]).Name() + suffix
		b.define(name, s)
		members = append(members, refTo(name))
	}
	b.define(union, &jsonschema.Schema{OneOf: members, Description: text})
}

// messages makes a definition of each socket message and of their union.
func (b *builder) messages(union, text string, values []any) {
	var members []*jsonschema.Schema
	for _, value := range values {
		name := b.reflect(value)
		b.defs[name].Properties.Set("type", &jsonschema.Schema{Type: "string", Const: strings.ToLower(name[:1]) + name[1:]})
		members = append(members, refTo(name))
	}
	b.define(union, &jsonschema.Schema{OneOf: members, Description: text})
}

// close forbids unknown fields in every object defined so far: what a client
// sends is refused for a typo, while what the server sends may grow.
func (b *builder) close() {
	for _, s := range b.defs {
		if s.Type == "object" {
			s.AdditionalProperties = jsonschema.FalseSchema
		}
	}
}

// view makes the definition of the view: a map in which the key says the type.
func (b *builder) view() {
	view := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), PatternProperties: map[string]*jsonschema.Schema{},
		Description: "What one audience sees, key by key; an update sets or deletes whole keys."}
	for _, key := range slices.Sorted(maps.Keys(viewValues)) {
		t := reflect.TypeOf(viewValues[key])
		var s *jsonschema.Schema
		if t.Kind() == reflect.Slice {
			s = &jsonschema.Schema{Type: "array", Items: refTo(b.reflect(reflect.Zero(t.Elem()).Interface()))}
		} else {
			s = refTo(b.reflect(viewValues[key]))
		}
		if strings.HasSuffix(key, "/") {
			view.PatternProperties["^"+key] = s
		} else {
			view.Properties.Set(key, s)
		}
	}
	b.define(viewName, view)
}
