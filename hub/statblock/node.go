package statblock

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// node is one value of a JSON text that is known to be valid, where it lies: it
// is looked into when it is asked, and costs nothing until then. The zero node
// stands for no value.
type node struct {
	raw  []byte
	path string
}

// kind is the first byte of the value: { [ " n t f - or a digit; 0 for none.
func (n node) kind() byte {
	if len(n.raw) == 0 {
		return 0
	}
	return n.raw[0]
}

// given reports whether there is a value, other than null.
func (n node) given() bool { return n.kind() != 0 && n.kind() != 'n' }

func (n node) isObject() bool { return n.kind() == '{' }
func (n node) isArray() bool  { return n.kind() == '[' }
func (n node) isText() bool   { return n.kind() == '"' }

// isNumber reports whether the value is a JSON number.
func (n node) isNumber() bool {
	k := n.kind()
	return k == '-' || k >= '0' && k <= '9'
}

// isTrue reports whether the value is true.
func (n node) isTrue() bool { return n.kind() == 't' }

// rootOf is the value of a whole text.
func rootOf(data []byte, path string) node { return node{raw: bytes.TrimSpace(data), path: path} }

// children calls yield with the key (of an object) and the bytes of each value
// of an object or array, until it returns false.
func (n node) children(yield func(key, value []byte) bool) {
	if !n.isObject() && !n.isArray() {
		return
	}
	object := n.isObject()
	i := skipSpace(n.raw, 1)
	for i < len(n.raw) && n.raw[i] != '}' && n.raw[i] != ']' {
		var key []byte
		if object {
			end := valueEnd(n.raw, i)
			key = n.raw[i:end]
			i = skipSpace(n.raw, skipSpace(n.raw, end)+1) // over the colon
		}
		end := valueEnd(n.raw, i)
		if !yield(key, n.raw[i:end]) {
			return
		}
		if i = skipSpace(n.raw, end); i < len(n.raw) && n.raw[i] == ',' {
			i = skipSpace(n.raw, i+1)
		}
	}
}

// skipSpace returns the place of the next byte that is no white space.
func skipSpace(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\t' || raw[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the place behind the string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// valueEnd returns the place behind the value that begins at i.
func valueEnd(raw []byte, i int) int {
	depth := 0
	for i < len(raw) {
		switch raw[i] {
		case '"':
			i = stringEnd(raw, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		default:
			i++
			if depth == 0 {
				for i < len(raw) && !strings.ContainsRune(",]} \n\t\r", rune(raw[i])) {
					i++
				}
			}
		}
		if depth == 0 {
			return i
		}
	}
	return len(raw)
}

// take finds several members of an object in one pass. Of a key that comes
// twice the last counts.
func (n node) take(into map[string]*node) {
	if !n.isObject() {
		return
	}
	n.children(func(key, value []byte) bool {
		key = key[1 : len(key)-1]
		if target, wanted := into[string(key)]; wanted {
			*target = node{raw: value, path: join(n.path, string(key))}
		}
		return true
	})
}

// get follows a path of keys; the zero node where it ends.
func (n node) get(path ...string) node {
	for _, key := range path {
		var next node
		n.take(map[string]*node{key: &next})
		n = next
	}
	return n
}

// elements yields the first values of an array, at most limit.
func (n node) elements(limit int) iter.Seq[node] {
	return func(yield func(node) bool) {
		if !n.isArray() {
			return
		}
		i := 0
		n.children(func(_, value []byte) bool {
			if i == limit {
				return false
			}
			one := node{raw: value, path: n.path + "[" + strconv.Itoa(i) + "]"}
			i++
			return yield(one)
		})
	}
}

// values yields the first values of an array or object, at most limit: some
// programs write the one, some the other.
func (n node) values(limit int) iter.Seq[node] {
	return func(yield func(node) bool) {
		i := 0
		n.children(func(_, value []byte) bool {
			i++
			return i <= limit && yield(node{raw: value, path: n.path})
		})
	}
}

// members yields the first members of an object, at most limit.
func (n node) members(limit int) iter.Seq2[string, node] {
	return func(yield func(string, node) bool) {
		if !n.isObject() {
			return
		}
		i := 0
		n.children(func(key, value []byte) bool {
			i++
			name := unquote(key)
			return i <= limit && yield(name, node{raw: value, path: join(n.path, name)})
		})
	}
}

// join lengthens a path by a key. A key that is no plain word is quoted.
func join(path, key string) string {
	if utf8.RuneCountInString(key) > maxEcho {
		key = cut(key, maxEcho)
	}
	if path == "" {
		return key
	}
	if len(path)+len(key) > maxPath {
		return path
	}
	return path + "." + key
}

// text is the value as text, bounded: of a longer one the first bytes count.
// Anything but a string is no text.
func (n node) text(limit int) string {
	if !n.isText() {
		return ""
	}
	raw := n.raw
	if len(raw) > limit {
		raw = cutEscaped(raw, limit)
	}
	return unquote(raw)
}

// cutEscaped shortens a quoted string between two letters of it.
func cutEscaped(raw []byte, limit int) []byte {
	end := 1
	for i := 1; i < limit; {
		end = i
		switch {
		case raw[i] == '\\' && i+1 < len(raw) && raw[i+1] == 'u':
			i += 6
		case raw[i] == '\\':
			i += 2
		default:
			_, size := utf8.DecodeRune(raw[i:])
			i += size
		}
	}
	return append(bytes.Clone(raw[:end]), '"')
}

// unquote reads a JSON string.
func unquote(raw []byte) string {
	if len(raw) < 2 {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// embedded is the JSON text that a string holds, checked; the zero node if
// there is none.
func (n node) embedded() node {
	if !n.isText() {
		return n
	}
	data := []byte(unquote(n.raw))
	if checkJSON(data) != nil {
		return node{}
	}
	return rootOf(data, n.path)
}

// checkJSON says what is wrong with a text that should be JSON.
func checkJSON(data []byte) *FileFault {
	if deep(data) {
		return &FileFault{Code: FaultDeep, Params: params([]any{"limit", maxDepth})}
	}
	var nothing skipped
	err := json.Unmarshal(data, &nothing)
	if err == nil {
		return nil
	}
	offset := len(data)
	if syntax, is := err.(*json.SyntaxError); is {
		offset = min(int(syntax.Offset), len(data))
	}
	code := FaultJSON
	if offset >= len(bytes.TrimRight(data, " \n\t\r")) && strings.Contains(err.Error(), "unexpected end") {
		code = FaultTruncated
	}
	before := data[:max(offset-1, 0)]
	return &FileFault{Code: code, Line: 1 + bytes.Count(before, []byte("\n")),
		Params: params([]any{"column", 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])})}
}

// deep reports whether arrays and objects are too many levels inside one
// another.
func deep(data []byte) bool {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i) - 1
		case '{', '[':
			if depth++; depth > maxDepth {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// skipped takes any value and keeps nothing of it.
type skipped struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (skipped) UnmarshalJSON([]byte) error { return nil }
