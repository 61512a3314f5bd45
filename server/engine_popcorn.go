//go:build popcorn

package main

import "riposte/combat/popcorn"

// A program built with this tag offers one system more, for tests of what a
// new system needs outside its package: nothing.
func init() { systems = append(systems, popcorn.System{}) }
