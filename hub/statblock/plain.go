package statblock

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarkup bounds the bytes of a marked-up text that are looked at.
const maxMarkup = 16 << 10

var (
	braceTag  = regexp.MustCompile(`\{@(\w+)(?:\s+([^{}]*))?\}`)                         // 5etools
	enricher  = regexp.MustCompile(`@[A-Z]\w*\[[^\[\]]*\](?:\{([^{}]*)\})?`)             // Foundry: @UUID[…]{label}
	inlineDo  = regexp.MustCompile(`\[\[/?([^\[\]]*)\]\](?:\{([^{}]*)\})?`)              // Foundry: [[/damage 1d4]]
	reference = regexp.MustCompile(`&(?:amp;)?Reference\[([^\[\]]*)\](?:\{([^{}]*)\})?`) // Foundry: &Reference[prone]
	dropped   = regexp.MustCompile(`(?is)<(script|style)\b.*?(?:</(?:script|style)\s*>|$)`)
	htmlTag   = regexp.MustCompile(`(?s)<(?:/?[a-zA-Z][^<>]*|!--.*?--|![^<>]*)>`)
	link      = regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*\)`)
	emphasis  = regexp.MustCompile(`\*{1,3}|` + "`+" + `|__`)
	underline = regexp.MustCompile(`(^|[\s(>])_([^_]+)_($|[\s).,:;!?<])`)
	heading   = regexp.MustCompile(`(?m)^\s*(?:#{1,6}|>|[-+])\s+`)
)

// plain is what a reader sees of a marked-up text, in one line of at most limit
// letters. The result is text; whatever shows it must treat it as such.
func plain(text string, limit int) string { return cut(oneLine(strip(text)), limit) }

// strip takes HTML, Markdown and the tags of other programs away. Lines stay
// lines.
func strip(text string) string {
	if len(text) > maxMarkup {
		text = strings.ToValidUTF8(text[:maxMarkup], "")
	}
	if !strings.ContainsAny(text, "{<&@[*_`#>+-") {
		return text
	}
	for range 4 { // tags may stand inside one another
		if !strings.Contains(text, "{@") {
			break
		}
		text = braceTag.ReplaceAllStringFunc(text, untag)
	}
	if strings.ContainsAny(text, "@&[") {
		text = enricher.ReplaceAllString(text, "$1")
		text = reference.ReplaceAllStringFunc(text, func(found string) string {
			parts := reference.FindStringSubmatch(found)
			return firstOf(parts[2], strings.TrimSpace(parts[1]))
		})
		text = inlineDo.ReplaceAllStringFunc(text, func(found string) string {
			parts := inlineDo.FindStringSubmatch(found)
			return firstOf(parts[2], formula(parts[1]))
		})
		text = link.ReplaceAllString(text, "$1")
	}
	if strings.Contains(text, "<") {
		text = dropped.ReplaceAllString(text, " ")
		text = htmlTag.ReplaceAllStringFunc(text, func(tag string) string {
			if inline.MatchString(tag) {
				return ""
			}
			return "\n"
		})
	}
	text = html.UnescapeString(text)
	text = heading.ReplaceAllString(text, "")
	if strings.ContainsAny(text, "*_`") {
		text = emphasis.ReplaceAllString(text, "")
		text = underline.ReplaceAllString(text, "$1$2$3")
	}
	return text
}

// inline are tags that stand inside a word or sentence.
var inline = regexp.MustCompile(`(?i)^</?(?:a|b|i|u|s|em|strong|span|sup|sub|small|code|abbr)\b`)

// formula is the part of an inline command that a reader understands: its dice
// and what follows them.
func formula(command string) string {
	at := strings.IndexFunc(command, unicode.IsDigit)
	if at < 0 {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(command[at:], "average"))
}

// attacks are the words behind the tags of 5etools for kinds of attack.
var attacks = strings.NewReplacer("mw", "Melee Weapon Attack:", "rw", "Ranged Weapon Attack:", "ms", "Melee Spell Attack:", "rs", "Ranged Spell Attack:")

// untag turns one tag of 5etools, {@name text|source|shown}, into text.
func untag(tag string) string {
	found := braceTag.FindStringSubmatch(tag)
	parts := strings.Split(found[2], "|")
	first := parts[0]
	switch found[1] {
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
		if n := strings.TrimSpace(first); n != "" && n != "6" {
			return "(Recharge " + n + "–6)"
		}
		return "(Recharge 6)"
	case "actSave":
		return first + " save:"
	case "actSaveFail":
		return "Failure:"
	case "actSaveSuccess":
		return "Success:"
	}
	if len(parts) > 2 && parts[2] != "" && found[1] != "link" {
		return parts[2]
	}
	return first
}

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
