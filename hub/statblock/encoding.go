package statblock

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// signatures are how files begin that people mistake for text.
var signatures = []struct{ kind, start string }{
	{"PNG", "\x89PNG"}, {"JPEG", "\xff\xd8\xff"}, {"GIF", "GIF8"}, {"WebP", "RIFF"}, {"PDF", "%PDF"},
	{"ZIP", "PK\x03\x04"}, {"gzip", "\x1f\x8b"}, {"Excel", "\xd0\xcf\x11\xe0"}, {"SQLite", "SQLite format 3"},
}

// decodeText turns a file into UTF-8 without a byte order mark. UTF-16 needs
// its mark; any other encoding, and what is no text, is a fault.
func decodeText(data []byte) ([]byte, *FileFault) {
	for _, s := range signatures {
		if bytes.HasPrefix(data, []byte(s.start)) {
			return nil, &FileFault{Code: FaultBinary, Params: params([]any{"kind", s.kind})}
		}
	}
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return decodeUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return decodeUTF16(data[2:], binary.BigEndian)
	}
	if bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		return nil, &FileFault{Code: FaultEncoding}
	}
	return data, nil
}

// decodeUTF16 turns UTF-16 into UTF-8.
func decodeUTF16(data []byte, order binary.ByteOrder) ([]byte, *FileFault) {
	if len(data)%2 != 0 {
		return nil, &FileFault{Code: FaultEncoding}
	}
	text := make([]byte, 0, len(data))
	for i := 0; i < len(data); i += 2 {
		unit := rune(order.Uint16(data[i:]))
		if utf16.IsSurrogate(unit) && i+3 < len(data) {
			if pair := utf16.DecodeRune(unit, rune(order.Uint16(data[i+2:]))); pair != utf8.RuneError {
				unit = pair
				i += 2
			}
		}
		if unit == 0 {
			return nil, &FileFault{Code: FaultEncoding}
		}
		text = utf8.AppendRune(text, unit)
	}
	return text, nil
}
