package combat

import (
	"errors"
	"strconv"
	"strings"
)

// Count is a place on the initiative scale, kept exact as hundredths: game
// masters type 15.5 to squeeze somebody in. It is a JSON number with at most
// two decimals.
type Count int32

// MaxCount bounds a count on both sides of zero.
const MaxCount = 9999 * 100

// Whole returns the count of a whole number.
func Whole(n int) Count { return Count(n * 100) }

// errCount says why a text is no count.
var errCount = errors.New("not a number with at most two decimals between -9999 and 9999")

// ParseCount reads "15", "+2", " -3 ", "15.5" or, as half of Europe types it,
// "15,5". Anything else, exponents and other scripts' digits included, is
// refused.
func ParseCount(text string) (Count, error) {
	text = strings.TrimSpace(text)
	negative := strings.HasPrefix(text, "-")
	if negative || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	whole, fraction, dotted := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	if dotted {
		switch len(fraction) {
		case 1:
			fraction += "0"
		case 2:
		default:
			return 0, errCount
		}
	} else {
		fraction = "00"
	}
	if len(whole) == 0 || len(whole) > 4 {
		return 0, errCount
	}
	digits := whole + fraction
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, errCount
		}
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0, errCount
	}
	if negative {
		n = -n
	}
	return Count(n), nil
}

// String writes the count the way it goes over the wire: no trailing zeros.
func (c Count) String() string {
	n, sign := int(c), ""
	if n < 0 {
		n, sign = -n, "-"
	}
	whole, cents := strconv.Itoa(n/100), n%100
	switch {
	case cents == 0:
		return sign + whole
	case cents%10 == 0:
		return sign + whole + "." + strconv.Itoa(cents/10)
	case cents < 10:
		return sign + whole + ".0" + strconv.Itoa(cents)
	}
	return sign + whole + "." + strconv.Itoa(cents)
}

// MarshalJSON writes a plain JSON number.
func (c Count) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalJSON reads a JSON number, or a string as a person types it.
func (c *Count) UnmarshalJSON(data []byte) error {
	text := string(data)
	if len(text) >= 2 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	n, err := ParseCount(text)
	if err != nil {
		return err
	}
	*c = n
	return nil
}
