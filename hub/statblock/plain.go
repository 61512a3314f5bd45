package statblock

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain is what a reader sees of a marked-up text, in one line of at most limit
// letters. The result is text; whatever shows it must treat it as such.
func plain(text string, limit int) string { return cut(oneLine(strip(text)), limit) }

// oneLine makes all white space single spaces and drops what is no letter.
func oneLine(text string) string {
	fields := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError
	})
	return strings.Join(fields, " ")
}

// cut shortens a text to so many letters, with dots where it was cut.
func cut(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	n := 0
	for i := range text {
		if n++; n == limit {
			return strings.TrimRightFunc(text[:i], unicode.IsSpace) + "…"
		}
	}
	return text
}

// paragraphs is plain line by line: what people write for themselves.
func paragraphs(text string, limit int) string {
	var lines []string
	for line := range strings.Lines(text[:min(len(text), maxMarkup)]) {
		if line = plain(line, limit); line != "" {
			lines = append(lines, line)
		}
	}
	return cut(strings.Join(lines, "\n"), limit)
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// kept is a text as it is, without what no line may hold: for what people wrote
// for themselves.
func kept(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
	return cut(strings.TrimSpace(text), limit)
}

// folding takes the accents off the letters that French uses.
var folding = strings.NewReplacer("à", "a", "â", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e", "î", "i", "ï", "i", "ô", "o", "ù", "u", "û", "u", "œ", "oe", "’", "'")

// fold makes words equal that differ in case and accents only.
func fold(text string) string { return folding.Replace(strings.ToLower(strings.TrimSpace(text))) }
