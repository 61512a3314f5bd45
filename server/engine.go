package main

import (
	"riposte/combat"
	"riposte/combat/dnd5e"
)

// newEngine makes the engine with every rule system there is.
func newEngine() *combat.Engine { return combat.New(dnd5e.System{}) }
