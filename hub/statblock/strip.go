package statblock

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a marked-up text.
const (
	maxMarkup  = 16 << 10 // bytes that are looked at
	maxInside  = 4        // tags inside one another
	maxUnended = 20       // tags of 5etools without an end, each looked for once
)

// strip takes HTML, Markdown, the links and commands of Foundry and the tags of
// 5etools out of a text. What stood on lines of its own stays so.
func strip(text string) string {
	if len(text) > maxMarkup {
		text = strings.ToValidUTF8(text[:maxMarkup], "")
	}
	return html.UnescapeString(stripTo(text, 0))
}

// stripper is a text on its way to be plain.
type stripper struct {
	text    string
	out     strings.Builder
	depth   int
	unended int
}

func stripTo(text string, depth int) string {
	if !strings.ContainsAny(text, "{<&@[*_`#>+-") || depth > maxInside {
		return text
	}
	s := stripper{text: text, depth: depth}
	for i := 0; i < len(text); {
		i = s.step(i)
	}
	return s.out.String()
}

// step takes what begins at a place, and returns the next place.
func (s *stripper) step(i int) int {
	end := 0
	switch s.text[i] {
	case '{':
		end = s.braces(i)
	case '<':
		end = s.element(i)
	case '@':
		end = s.enricher(i)
	case '&':
		end = s.reference(i)
	case '[':
		if end = s.command(i); end == 0 {
			end = s.link(i)
		}
	case '*', '`':
		return i + 1
	case '_': // in the middle of a word it belongs to the word
		if !s.wordAt(i-1) || !s.wordAt(i+1) {
			return i + 1
		}
	case '#', '>', '-', '+':
		end = s.marker(i)
	}
	if end > i {
		return end
	}
	s.out.WriteByte(s.text[i])
	return i + 1
}

// wordAt reports whether a letter or digit is at a place.
func (s *stripper) wordAt(i int) bool {
	if i < 0 || i >= len(s.text) {
		return false
	}
	c := s.text[i]
	return c >= utf8.RuneSelf || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// until returns what lies between a place and a byte, if none of the bytes that
// may not stand between comes first, and the place behind it.
func (s *stripper) until(i int, end byte, not string) (inside string, next int, found bool) {
	at := strings.IndexAny(s.text[i:], not+string(end))
	if at < 0 || s.text[i+at] != end {
		return "", 0, false
	}
	return s.text[i : i+at], i + at + 1, true
}

// label reads {label} at a place, if it is there.
func (s *stripper) label(i int) (label string, next int) {
	if i < len(s.text) && s.text[i] == '{' {
		if label, next, found := s.until(i+1, '}', "{"); found {
			return stripTo(label, s.depth+1), next
		}
	}
	return "", i
}

// braces takes a tag of 5etools: {@name text|source|shown}. Tags may stand
// inside one another.
func (s *stripper) braces(i int) int {
	if !strings.HasPrefix(s.text[i:], "{@") || s.unended >= maxUnended {
		return 0
	}
	depth := 0
	for at := i; at < len(s.text); at++ {
		switch s.text[at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				name, rest, _ := strings.Cut(s.text[i+2:at], " ")
				s.out.WriteString(untag(name, stripTo(rest, s.depth+1)))
				return at + 1
			}
		}
	}
	s.unended++
	return 0
}

// element takes a tag of HTML, or a comment. What is inside of scripts and
// styles goes with them.
func (s *stripper) element(i int) int {
	rest := s.text[i:]
	if strings.HasPrefix(rest, "<!--") {
		if end := strings.Index(rest, "-->"); end >= 0 {
			return i + end + len("-->")
		}
		return len(s.text)
	}
	name := strings.TrimPrefix(rest[1:], "/")
	if name == "" || name[0] != '!' && (name[0]|0x20 < 'a' || name[0]|0x20 > 'z') {
		return 0
	}
	_, next, found := s.until(i+1, '>', "<")
	if !found {
		return 0
	}
	name = strings.ToLower(name[:strings.IndexAny(name, " \t\r\n/>")])
	switch {
	case name == "script" || name == "style":
		if close := strings.Index(s.text[next:], "</"+name); close >= 0 && rest[1] != '/' {
			next += close
		} else if rest[1] != '/' {
			return len(s.text)
		}
	case !inlineElements[name]:
		s.out.WriteByte('\n')
	}
	return next
}

// inlineElements stand inside of a word or sentence.
var inlineElements = map[string]bool{"a": true, "b": true, "i": true, "u": true, "s": true, "em": true, "strong": true, "span": true,
	"sup": true, "sub": true, "small": true, "code": true, "abbr": true}

// enricher takes a link of Foundry: @UUID[…]{label}.
func (s *stripper) enricher(i int) int {
	at := i + 1
	for at < len(s.text) && s.wordAt(at) {
		at++
	}
	if at == len(s.text) || s.text[at] != '[' || s.text[i+1] < 'A' || s.text[i+1] > 'Z' {
		return 0
	}
	_, next, found := s.until(at+1, ']', "[")
	if !found {
		return 0
	}
	label, next := s.label(next)
	s.out.WriteString(label)
	return next
}

// reference takes a reference of Foundry: &Reference[prone]. As text of a
// document its & is an entity.
func (s *stripper) reference(i int) int {
	rest := strings.Replace(s.text[i:min(len(s.text), i+20)], "&amp;", "&", 1)
	if !strings.HasPrefix(rest, "&Reference[") {
		return 0
	}
	start := i + strings.IndexByte(s.text[i:], '[') + 1
	what, next, found := s.until(start, ']', "[")
	if !found {
		return 0
	}
	label, next := s.label(next)
	s.out.WriteString(firstOf(label, strings.TrimSpace(what)))
	return next
}

// command takes a command of Foundry in the text: [[/damage 1d4 fire]]{label}.
// Its dice and what follows them are for the reader.
func (s *stripper) command(i int) int {
	if !strings.HasPrefix(s.text[i:], "[[") {
		return 0
	}
	what, next, found := s.until(i+2, ']', "[")
	if !found || next == len(s.text) || s.text[next] != ']' {
		return 0
	}
	label, next := s.label(next + 1)
	if label == "" {
		if at := strings.IndexFunc(what, unicode.IsDigit); at >= 0 {
			label = strings.TrimSpace(strings.TrimSuffix(what[at:], "average"))
		}
	}
	s.out.WriteString(label)
	return next
}

// link takes a link of Markdown: [label](address).
func (s *stripper) link(i int) int {
	label, next, found := s.until(i+1, ']', "[")
	if !found || next == len(s.text) || s.text[next] != '(' {
		return 0
	}
	if _, next, found = s.until(next+1, ')', "( \n"); !found {
		return 0
	}
	s.out.WriteString(stripTo(label, s.depth+1))
	return next
}

// marker takes what begins a heading, quotation or point of Markdown.
func (s *stripper) marker(i int) int {
	if before := strings.TrimRight(s.text[:i], " \t"); before != "" && before[len(before)-1] != '\n' {
		return 0
	}
	end := i
	for end < len(s.text) && s.text[end] == '#' {
		end++
	}
	end = max(end, i+1)
	if end < len(s.text) && (s.text[end] == ' ' || s.text[end] == '\t') {
		return end + 1
	}
	return 0
}

// attacks are the words behind the tags of 5etools for kinds of attack.
var attacks = strings.NewReplacer("mw", "Melee Weapon Attack:", "rw", "Ranged Weapon Attack:", "ms", "Melee Spell Attack:", "rs", "Ranged Spell Attack:")

// untag turns a tag of 5etools into text.
func untag(name, rest string) string {
	parts := strings.Split(rest, "|")
	first := strings.TrimSpace(parts[0])
	switch name {
	case "h":
		return "Hit: "
	case "atk":
		return attacks.Replace(first)
	case "atkr":
		return "Attack Roll:"
	case "hit":
		return "+" + strings.TrimPrefix(first, "+")
	case "dc":
		return "DC " + first
	case "recharge":
		if first != "" && first != "6" {
			return "(Recharge " + first + "–6)"
		}
		return "(Recharge 6)"
	case "actSave":
		return first + " save:"
	case "actSaveFail":
		return "Failure:"
	case "actSaveSuccess":
		return "Success:"
	}
	if len(parts) > 2 && parts[2] != "" && name != "link" {
		return parts[2]
	}
	return first
}
