package combat

import "strconv"

// rev names the contents of a combatant's sheet as its editor knows it: the
// same contents have the same rev, however they came about, and an edit that
// says on which rev it was made cannot overwrite what its sender never saw. A
// player's does not hang on what only the GM may edit, so it tells nothing of
// that. 53 bits, for browsers; never zero.
func (c *Combatant) rev(whole bool) int {
	h := newHash()
	h.add(c.Name)
	for _, n := range []int{c.Mod, c.MaxHP, c.AC, c.Speed, len(c.Answers)} {
		h.add(strconv.Itoa(n))
	}
	for _, kind := range c.Answers {
		h.add(kind)
	}
	if whole {
		h.add(c.Side)
		h.add(c.Kind)
		h.add(c.Group)
		h.add(c.Notes)
	}
	// Keys of a map come in any order, and a sum does not mind.
	for key, n := range c.Stats {
		one := newHash()
		one.add(key)
		one.add(strconv.Itoa(n))
		h += one
	}
	return int(h>>11) | 1
}

// hash is FNV-1a.
type hash uint64

func newHash() hash { return 14695981039346656037 }

// add takes in a text and where it ends.
func (h *hash) add(text string) {
	const prime = 1099511628211
	for i := range len(text) {
		*h = (*h ^ hash(text[i])) * prime
	}
	*h *= prime
}
