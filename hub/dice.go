package hub

import (
	"crypto/rand"
	"encoding/binary"
)

// Dice rolls with the operating system's randomness. The zero value is ready;
// any goroutine may use it.
type Dice struct{}

// Roll returns a face from 1 to sides, all equally likely. Sides outside 1 to
// 1<<30 are taken as the nearest of the two.
func (Dice) Roll(sides int) int {
	n := uint32(min(max(sides, 1), 1<<30))
	// Numbers above the last whole multiple would favour low faces.
	limit := (1 << 32) / uint64(n) * uint64(n)
	for {
		var raw [4]byte
		rand.Read(raw[:]) // never fails
		if v := binary.LittleEndian.Uint32(raw[:]); uint64(v) < limit {
			return int(v%n) + 1
		}
	}
}
