package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"riposte/combat"
)

// Bounds of a scenario file. A longer one is an error, not cut.
const (
	MaxBytes = 1 << 20 // of a file
	MaxLines = 20_000  // of a file
	MaxWords = 80      // of a line
)

// Pos is a place in a scenario file.
type Pos struct {
	File string
	Line int // from 1
}

func (p Pos) String() string { return p.File + ":" + strconv.Itoa(p.Line) }

// word is one word of a line. A quoted one is never a keyword.
type word struct {
	text   string
	quoted bool // from its first to its last character
}

// split cuts a line into words; what follows a "#" outside quotes is comment.
func split(text string) ([]word, error) {
	var words []word
	for i := 0; i < len(text); {
		switch text[i] {
		case ' ', '\t', '\r':
			i++
			continue
		case '#':
			return words, nil
		}
		w, width, err := scan(text[i:])
		if err != nil {
			return nil, err
		}
		if words = append(words, w); len(words) > MaxWords {
			return nil, fmt.Errorf("more than %d words in a line", MaxWords)
		}
		i += width
	}
	return words, nil
}

// scan reads the word that text begins with.
func scan(text string) (w word, width int, err error) {
	var b strings.Builder
	i, parts, open := 0, 0, false
	for ; i < len(text); i++ {
		c := text[i]
		if c == '"' {
			if open = !open; open && i == 0 {
				w.quoted = true
			}
			parts++
			continue
		}
		if !open && (c == ' ' || c == '\t' || c == '\r' || c == '#') {
			break
		}
		if !open {
			w.quoted = false
		}
		b.WriteByte(c)
	}
	if open {
		return w, i, fmt.Errorf("a quote is not closed")
	}
	w.text, w.quoted = b.String(), w.quoted && parts == 2
	return w, i, nil
}

// line reads the words of one statement from left to right. The first thing
// that does not fit is kept in err and makes everything after it idle.
type line struct {
	words []word
	at    int
	names []string // combatants there are by now
	err   error
}

func (l *line) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf(format, args...)
	}
}

// more reports whether words are left.
func (l *line) more() bool { return l.err == nil && l.at < len(l.words) }

// next takes the next word.
func (l *line) next() word {
	if l.err != nil {
		return word{}
	}
	if l.at == len(l.words) {
		l.fail("the statement ends too early")
		return word{}
	}
	l.at++
	return l.words[l.at-1]
}

// unknown complains about the word taken last.
func (l *line) unknown() {
	if l.err == nil {
		l.fail("unknown word %q", l.words[l.at-1].text)
	}
}

// take takes the next word if it is this keyword.
func (l *line) take(keyword string) bool {
	if l.more() && !l.words[l.at].quoted && l.words[l.at].text == keyword {
		l.at++
		return true
	}
	return false
}

// must takes the next word, which has to be this keyword.
func (l *line) must(keyword string) {
	if !l.take(keyword) {
		if l.next(); l.err == nil {
			l.fail("%q where %q must stand", l.words[l.at-1].text, keyword)
		}
	}
}

// one takes the next word, which has to be one of these.
func (l *line) one(of ...string) string {
	w := l.next()
	if !slices.Contains(of, w.text) {
		l.unknown()
	}
	return w.text
}

// named reports whether the next word is a combatant's name.
func (l *line) named() bool {
	return l.more() && slices.Contains(l.names, l.words[l.at].text)
}

// name takes a combatant's name.
func (l *line) name() string {
	w := l.next()
	if l.err == nil && !slices.Contains(l.names, w.text) {
		l.fail("nobody is called %q", w.text)
	}
	return w.text
}

// some takes one or more names.
func (l *line) some() []string {
	all := []string{l.name()}
	for l.named() {
		all = append(all, l.name())
	}
	return all
}

// number takes an integer.
func (l *line) number() int { return l.integer(l.next().text) }

// integer reads a text as an integer of a size that any field can hold.
func (l *line) integer(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		l.fail("%q is not a whole number", text)
	}
	return int(n)
}

// count takes an initiative count.
func (l *line) count() combat.Count { return l.counted(l.next().text) }

func (l *line) counted(text string) combat.Count {
	c, err := combat.ParseCount(text)
	if err != nil {
		l.fail("%q is not a count", text)
	}
	return c
}

// yes takes yes or no.
func (l *line) yes() bool { return l.one("yes", "no") == "yes" }

// pair cuts a key=value word.
func (w word) pair() (key, value string, ok bool) {
	if w.quoted {
		return "", "", false
	}
	return strings.Cut(w.text, "=")
}
