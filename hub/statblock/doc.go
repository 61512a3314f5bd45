// Package statblock reads creatures out of the files that people have: exports
// of other trackers, virtual tables and rule references, tables of their own.
//
// It is pure: bytes in, creatures and faults out. A creature is read whole or
// not at all: a name or hit points that cannot be read are a fault of that
// creature, and the others are still offered. Anything else that cannot be read
// is left out and said in a warning. What comes out as sound passes
// combat.CheckSheet under the rule system it was read for.
//
// Everything in a file is a stranger's: its size is the caller's to bound, its
// depth, creatures, texts and numbers are bounded here. JSON is walked where it
// lies, value by value, so a file costs little more memory than it has bytes.
package statblock
