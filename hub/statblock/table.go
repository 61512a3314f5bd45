package statblock

import (
	"strings"
	"unicode/utf8"
)

// Bounds of a table.
const (
	maxColumns = 100
	maxCell    = 20_000 // bytes
	maxHeader  = 8      // lines looked at for the delimiter
)

// table reads delimited text as RFC 4180 has it, with any delimiter: a cell may
// be quoted, a quote in it is doubled, and a quoted cell may have several lines.
type table struct {
	text      string // what has not been read
	delimiter byte
	line      int // of what comes next, from 1
}

// row reads the next row that is not blank; line is where it begins. At the end
// it returns no cells. A row that is no good is told by its fault, and read over.
func (t *table) row() (cells []string, line int, fault *FileFault) {
	for t.text != "" {
		line = t.line
		cells, fault = t.next(line)
		if fault != nil {
			return nil, line, fault
		}
		for _, cell := range cells {
			if strings.TrimSpace(cell) != "" {
				return cells, line, nil
			}
		}
	}
	return nil, t.line, nil
}

// next reads one row.
func (t *table) next(line int) ([]string, *FileFault) {
	var cells []string
	for {
		if len(cells) == maxColumns {
			t.over()
			return nil, &FileFault{Line: line, Code: FaultColumns, Params: params([]any{"limit", maxColumns})}
		}
		cell, last, fault := t.cell()
		if fault != nil {
			fault.Line = line
			return nil, fault
		}
		if cells = append(cells, cell); last {
			return cells, nil
		}
	}
}

// cell reads one cell and what ends it.
func (t *table) cell() (cell string, last bool, fault *FileFault) {
	if !strings.HasPrefix(strings.TrimLeft(t.text, " "), `"`) {
		end := strings.IndexAny(t.text, string(t.delimiter)+"\n")
		if end < 0 {
			end = len(t.text)
		}
		cell = strings.TrimSpace(t.text[:end])
		last = t.past(end)
	} else {
		t.text = strings.TrimLeft(t.text, " ")
		inside := t.text[1:]
		var parts strings.Builder
		for {
			end := strings.IndexByte(inside, '"')
			if end < 0 {
				t.text = ""
				return "", true, &FileFault{Code: FaultQuote}
			}
			if parts.Len()+end > maxCell {
				t.over()
				return "", true, &FileFault{Code: FaultLongCell, Params: params([]any{"limit", maxCell})}
			}
			parts.WriteString(inside[:end])
			if inside = inside[end+1:]; !strings.HasPrefix(inside, `"`) {
				break
			}
			parts.WriteByte('"')
			inside = inside[1:]
		}
		read := len(t.text) - len(inside)
		t.line += strings.Count(t.text[:read], "\n")
		t.text = inside
		rest := strings.TrimLeft(t.text, " \r")
		switch {
		case rest == "" || rest[0] == t.delimiter || rest[0] == '\n':
			t.text = rest
			cell, last = parts.String(), t.past(0)
		default:
			t.over()
			return "", true, &FileFault{Code: FaultQuote}
		}
	}
	if len(cell) > maxCell {
		if !last {
			t.over()
		}
		return "", true, &FileFault{Code: FaultLongCell, Params: params([]any{"limit", maxCell})}
	}
	return cell, last, nil
}

// past goes over a cell and what ends it, and reports whether the row ends too.
func (t *table) past(end int) bool {
	if end == len(t.text) {
		t.text = ""
		return true
	}
	last := t.text[end] == '\n'
	if t.text = t.text[end+1:]; last {
		t.line++
	}
	return last
}

// over goes to the next line.
func (t *table) over() {
	end := strings.IndexByte(t.text, '\n')
	if end < 0 {
		t.text = ""
		return
	}
	t.text = t.text[end+1:]
	t.line++
}

// newTable finds the delimiter: the one that a line sep= names, or of tab,
// semicolon and comma the one that stands most often in the first line outside
// of quotes.
func newTable(text string) *table {
	t := &table{text: strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), line: 1}
	first, rest, _ := strings.Cut(t.text, "\n")
	if named, is := strings.CutPrefix(first, "sep="); is && len(named) == 1 && named[0] < utf8.RuneSelf {
		t.text, t.line, t.delimiter = rest, 2, named[0]
		return t
	}
	counts, quoted := [utf8.RuneSelf]int{}, false
	for _, r := range []byte(first) {
		if r == '"' {
			quoted = !quoted
		} else if !quoted && r < utf8.RuneSelf {
			counts[r]++
		}
	}
	t.delimiter = ','
	for _, delimiter := range []byte{';', '\t'} {
		if counts[delimiter] > counts[t.delimiter] {
			t.delimiter = delimiter
		}
	}
	return t
}
