package combat

import "strconv"

// Bounds of a dice expression.
const (
	maxDice  = 100
	maxSides = 1000
	maxTerms = 10
)

// DiceTerm is N dice of Sides faces, or a plain number when Sides is 0; taken
// away when Minus is set.
type DiceTerm struct {
	N, Sides int
	Minus    bool
}

// ParseDice reads an expression such as "2d6+3", "d20-1" or "7". At most ten
// terms, a hundred dice each, a thousand faces.
func ParseDice(text string) ([]DiceTerm, bool) {
	var terms []DiceTerm
	i := 0
	skip := func() {
		for i < len(text) && text[i] == ' ' {
			i++
		}
	}
	number := func() (int, bool) {
		from := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' && i-from < 7 {
			i++
		}
		n, err := strconv.Atoi(text[from:i])
		return n, err == nil
	}
	for skip(); i < len(text); skip() {
		term := DiceTerm{}
		if text[i] == '+' || text[i] == '-' {
			term.Minus = text[i] == '-'
			i++
			skip()
		} else if len(terms) > 0 {
			return nil, false
		}
		n, given := number()
		if i < len(text) && (text[i] == 'd' || text[i] == 'D') {
			i++
			sides, ok := number()
			if !given {
				n = 1
			}
			if !ok || sides < 1 || sides > maxSides || n < 1 || n > maxDice {
				return nil, false
			}
			term.Sides = sides
		} else if !given || n > MaxNumber {
			return nil, false
		}
		term.N = n
		if terms = append(terms, term); len(terms) > maxTerms {
			return nil, false
		}
	}
	return terms, len(terms) > 0
}

// throw rolls an expression; a critical roll has its dice doubled. The sum is
// never below zero.
func (d *Draft) throw(terms []DiceTerm, critical bool) (faces []int, sum int) {
	faces, sum = d.throwAll(terms, critical)
	return faces, max(sum, 0)
}

func (d *Draft) throwAll(terms []DiceTerm, critical bool) (faces []int, sum int) {
	for _, term := range terms {
		part := term.N
		if term.Sides > 0 {
			n := term.N
			if critical {
				n *= 2
			}
			part = 0
			for range n {
				face := d.Roll(term.Sides)
				faces = append(faces, face)
				part += face
			}
		}
		if term.Minus {
			part = -part
		}
		sum += part
	}
	return faces, sum
}
