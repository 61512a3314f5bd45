package main

import (
	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/combat/lightsandshadows"
	"riposte/combat/starfinder"
)

// systems are the rule systems there are, in the order to offer them.
var systems = []combat.System{dnd5e.System{}, starfinder.System{}, lightsandshadows.System{}}

// newEngine makes the engine with every rule system there is.
func newEngine() *combat.Engine { return combat.New(systems...) }
