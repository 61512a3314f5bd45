package statblock

import (
	"riposte/combat"
)

// Bounds of one file.
const (
	maxCreatures = 500 // looked at, sound or not
	maxFaults    = 100 // told; of more, only how many
	maxDepth     = 64  // arrays and objects inside one another
	maxEcho      = 60  // letters of the file that a fault or warning repeats
	maxPath      = 120 // bytes of the path to a creature
)

// Formats that are recognised, by their content alone.
const (
	FormatCreatures         = "riposte-creatures" // our own list: {"format":"riposte-creatures/1","creatures":[…]}
	FormatEncounter         = "riposte-encounter" // our own export of an encounter
	FormatImproved          = "improved-initiative"
	FormatFoundry5e         = "foundry-dnd5e"
	FormatFoundryStarfinder = "foundry-starfinder"
	FormatFoundryCombat     = "foundry-combat"
	FormatOpen5eV1          = "open5e-v1"
	FormatOpen5eV2          = "open5e-v2"
	FormatSRD               = "5e-srd-api" // of 5e-bits
	Format5etools           = "5etools"
	FormatCSV               = "csv"
)

// CreaturesFormat is what our own list of creatures says in its field format.
const CreaturesFormat = "riposte-creatures/1"

// Codes of faults. A file's fault has no place, or a line and column; a
// creature's has its place. What else is said is in the params, named here.
// What no sheet can say keeps the core's code: bad_value, too_long, too_many,
// unknown_field.
const (
	FaultEmpty         = "empty"
	FaultBinary        = "binary_file" // kind: PNG, …
	FaultEncoding      = "bad_encoding"
	FaultTruncated     = "truncated"      // line, column
	FaultJSON          = "bad_json"       // line, column
	FaultDeep          = "too_deep"       // limit
	FaultFormat        = "unknown_format" // nothing that we look for
	FaultNoNameColumn  = "no_name_column" // columns
	FaultNoCreatures   = "no_creatures"
	FaultOnlyNames     = "only_names"    // a list of references
	FaultManyCreatures = "too_many_read" // limit
	FaultManyFaults    = "more_faults"   // n
	FaultNoCreature    = "no_creature"   // what: its type, if it says one
	FaultNoName        = "no_name"
	FaultBadValue      = "bad_value" // field, value
	FaultElsewhere     = "copy_of"   // what: the creature that it is a copy of
	FaultQuote         = "bad_quote" // a table's cell
	FaultColumns       = "too_wide"  // limit
	FaultLongCell      = "long_cell" // limit
)

// Codes of warnings. A creature's warning names the field it is about.
const (
	WarnLeftOut   = "left_out"         // value: could not be read
	WarnAverage   = "averaged"         // value: the dice
	WarnAssumed   = "assumed"          // value: not said in the file
	WarnComputed  = "computed"         // value: worked out from other numbers
	WarnFromHP    = "from_current"     // maximum not said: the current hit points
	WarnMissing   = "missing"          // nothing there
	WarnClamped   = "clamped"          // value
	WarnShortened = "shortened"        // limit
	WarnDropped   = "dropped"          // what: not imported
	WarnRules     = "not_in_rules"     // what: the rule system does not read it
	WarnColumns   = "unknown_columns"  // what
	WarnRoll      = "special_roll"     // what: how initiative is rolled
	WarnMetric    = "from_metres"      // value: in feet
	WarnOneClass  = "one_armour_class" // what: the others, which stand in the notes
)

type (
	// CreatureFile is what was found in a file: the sound creatures, each whole,
	// and what was wrong where.
	CreatureFile struct {
		Format    string         `json:"format"` // empty when it was not recognised
		Creatures []FileCreature `json:"creatures"`
		Faults    []FileFault    `json:"faults"`
		Warnings  []FileWarning  `json:"warnings,omitempty"` // about the file as a whole
	}
	// FileCreature is a sound creature of a file, ready to be added.
	FileCreature struct {
		Creature combat.AddCombatant `json:"creature"`
		Where    string              `json:"where,omitempty"` // path in a JSON file
		Line     int                 `json:"line,omitempty"`  // in a table, from 1
		Source   string              `json:"source,omitempty"`
		Warnings []FileWarning       `json:"warnings,omitempty"`
	}
	// FileFault is why a creature, or a whole file, is not offered.
	FileFault struct {
		Where  string         `json:"where,omitempty"` // path in a JSON file
		Line   int            `json:"line,omitempty"`  // from 1
		Name   string         `json:"name,omitempty"`  // of the creature
		Code   string         `json:"code"`
		Params map[string]any `json:"params,omitempty"`
	}
	// FileWarning says what a creature lacks of what the file says, or has
	// beyond it.
	FileWarning struct {
		Field  string         `json:"field,omitempty"` // of the creature, as AddCombatant names it
		Code   string         `json:"code"`
		Params map[string]any `json:"params,omitempty"`
	}
)

// params makes a map of pairs of name and value.
func params(pairs []any) map[string]any {
	if len(pairs) == 0 {
		return nil
	}
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}
