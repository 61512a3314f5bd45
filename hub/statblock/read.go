package statblock

import (
	"bytes"
	"slices"
	"strings"

	"riposte/combat"
)

// Read finds the creatures of a file for a rule system. It never fails: what is
// wrong is in the faults.
func Read(data []byte, system combat.System) CreatureFile {
	r := &reader{rules: rulesOf(system)}
	text, fault := decodeText(data)
	if fault == nil {
		fault = r.read(text)
	}
	if fault != nil {
		r.out.Faults = append([]FileFault{*fault}, r.out.Faults...)
	}
	return r.result()
}

// reader is one file being read.
type reader struct {
	rules  ruleset
	out    CreatureFile
	seen   int // creatures looked at
	more   int // faults beyond the bound
	full   bool
	unread []string // numbers that the rule system has no use for
}

// read looks at the first letter: JSON begins with a bracket, a table does not.
func (r *reader) read(text []byte) *FileFault {
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0:
		return &FileFault{Code: FaultEmpty}
	case text[0] != '{' && text[0] != '[':
		return r.table(string(text))
	}
	if fault := checkJSON(text); fault != nil {
		return fault
	}
	return r.document(rootOf(text, ""))
}

// result is what was found.
func (r *reader) result() CreatureFile {
	out := r.out
	if r.more > 0 {
		out.Faults = append(out.Faults, FileFault{Code: FaultManyFaults, Params: params([]any{"n", r.more})})
	}
	if len(r.unread) > 0 {
		slices.Sort(r.unread)
		out.Warnings = append(out.Warnings, FileWarning{Field: "stats", Code: WarnRules, Params: params([]any{"what", cut(strings.Join(r.unread, ", "), 3*maxEcho)})})
	}
	if out.Creatures == nil {
		out.Creatures = []FileCreature{}
	}
	if out.Faults == nil {
		out.Faults = []FileFault{}
	}
	return out
}

// begin makes an empty sheet for the creature at a place, or returns nil when
// the file has more than are read.
func (r *reader) begin(where string) *sheet {
	if r.seen >= maxCreatures {
		if !r.full {
			r.full = true
			r.fault(FileFault{Where: where, Code: FaultManyCreatures, Params: params([]any{"limit", maxCreatures})})
		}
		return nil
	}
	r.seen++
	return &sheet{rules: r.rules, where: where}
}

// end adds what became of a sheet.
func (r *reader) end(s *sheet) {
	creature, fault := s.finish()
	if fault != nil {
		r.fault(*fault)
		return
	}
	for _, key := range s.unread {
		if len(r.unread) < maxWarnings && !slices.Contains(r.unread, key) {
			r.unread = append(r.unread, key)
		}
	}
	r.out.Creatures = append(r.out.Creatures, *creature)
}

// fault adds one, up to the bound.
func (r *reader) fault(fault FileFault) {
	if len(r.out.Faults) >= maxFaults {
		r.more++
		return
	}
	r.out.Faults = append(r.out.Faults, fault)
}

// document reads a whole JSON text.
func (r *reader) document(root node) *FileFault {
	if root.isArray() {
		return r.list(root)
	}
	var format, state, encounter, creatures node
	lists := map[string]*node{}
	for _, key := range listKeys {
		lists[key] = &node{}
	}
	wanted := map[string]*node{"format": &format, "state": &state, "Combatants": &encounter, "combatants": &creatures}
	for key, list := range lists {
		wanted[key] = list
	}
	root.take(wanted)
	switch {
	case format.text(maxNumber) == "riposte/1":
		r.out.Format = FormatEncounter
		r.encounter(state)
	case format.text(maxNumber) == CreaturesFormat:
		r.out.Format = FormatCreatures
		r.each(*lists["creatures"], r.own)
	case encounter.isArray():
		r.out.Format = FormatImproved
		r.improvedEncounter(root)
	case isCombat(creatures):
		r.out.Format = FormatFoundryCombat
		r.combat(creatures)
	case isImprovedExport(root):
		r.out.Format = FormatImproved
		r.improvedExport(root)
	default:
		for _, key := range listKeys {
			if lists[key].isArray() {
				return r.list(*lists[key])
			}
		}
		if kindOf(root) == nil {
			return &FileFault{Code: FaultFormat}
		}
		r.creature(root)
	}
	if r.seen == 0 && len(r.out.Faults) == 0 {
		return &FileFault{Code: FaultNoCreatures}
	}
	return nil
}

// listKeys are the keys under which files hold their list of creatures.
var listKeys = []string{"results", "monster", "monsters", "creatures", "actors"}

// list reads an array of creatures of any known format.
func (r *reader) list(list node) *FileFault {
	known, references, others := false, 0, 0
	for one := range list.elements(maxCreatures) {
		switch {
		case kindOf(one) != nil:
			known = true
		case isReference(one):
			references++
		default:
			others++
		}
	}
	switch {
	case known:
		r.each(list, r.creature)
		return nil
	case references > 0 && others == 0:
		return &FileFault{Code: FaultOnlyNames}
	case others == 0:
		return &FileFault{Code: FaultNoCreatures}
	}
	return &FileFault{Code: FaultFormat}
}

// each reads the creatures of a list, one more than may be, so that more are
// noticed.
func (r *reader) each(list node, read func(node)) {
	for one := range list.elements(maxCreatures + 1) {
		if read(one); r.full {
			return
		}
	}
}

// shape is a format in which one creature stands by itself.
type shape struct {
	format string
	is     func(signs) bool
	read   func(*sheet, node)
}

// signs are the members by which formats are told apart.
type signs struct {
	name, upperName, statBlock, upperHP, upperAC, abilities, system, data, kind, index, slug, document, key, scores,
	hitPoints, hp, ac, mod, init, times, side, copied, strength, stats node
}

func signsOf(n node) signs {
	var s signs
	n.take(map[string]*node{"name": &s.name, "Name": &s.upperName, "StatBlock": &s.statBlock, "HP": &s.upperHP, "AC": &s.upperAC,
		"Abilities": &s.abilities, "system": &s.system, "data": &s.data, "type": &s.kind, "index": &s.index, "slug": &s.slug,
		"document__slug": &s.document, "key": &s.key, "ability_scores": &s.scores, "hit_points": &s.hitPoints, "hp": &s.hp, "ac": &s.ac,
		"mod": &s.mod, "init": &s.init, "times": &s.times, "side": &s.side, "_copy": &s.copied, "strength": &s.strength, "_stats": &s.stats})
	return s
}

// shapes are the formats of single creatures, the surest first.
var shapes = []shape{
	{FormatImproved, func(s signs) bool {
		return s.statBlock.isObject() || s.upperName.given() && (s.upperHP.given() || s.upperAC.given() || s.abilities.given())
	}, (*sheet).improved},
	{FormatFoundryStarfinder, func(s signs) bool { return isActor(s) && isStarfinder(s) }, (*sheet).foundryStarfinder},
	{FormatFoundry5e, isActor, (*sheet).foundry5e},
	{FormatOpen5eV2, func(s signs) bool { return s.key.isText() && s.scores.isObject() }, (*sheet).open5eV2},
	{FormatSRD, func(s signs) bool { return s.index.isText() && s.hitPoints.given() }, (*sheet).srd},
	{FormatOpen5eV1, func(s signs) bool {
		return s.hitPoints.given() && (s.slug.isText() || s.document.isText() || s.strength.given())
	}, (*sheet).open5eV1},
	{Format5etools, func(s signs) bool {
		return s.name.isText() && (s.copied.isObject() || s.hp.isObject() || s.ac.isArray())
	}, (*sheet).fiveTools},
	{FormatCreatures, func(s signs) bool {
		return s.name.given() && (s.hp.given() || s.ac.given() || s.mod.given() || s.init.given() || s.times.given() || s.side.given())
	}, (*sheet).own},
}

// kindOf finds the format of one creature; nil when it is none that we know.
func kindOf(n node) *shape {
	found := signsOf(n)
	for i := range shapes {
		if shapes[i].is(found) {
			return &shapes[i]
		}
	}
	return nil
}

// isReference reports whether an entry only names a creature and says where to
// find it.
func isReference(n node) bool {
	var name, url node
	n.take(map[string]*node{"name": &name, "url": &url})
	return name.isText() && url.isText()
}

// creature reads one creature of any format.
func (r *reader) creature(n node) {
	s := r.begin(n.path)
	if s == nil {
		return
	}
	kind := kindOf(n)
	if kind == nil {
		s.fail("", FaultNoCreature)
		s.add.Name = oneLine(firstOf(n.get("name").text(400), n.get("Name").text(400)))
		r.end(s)
		return
	}
	if r.out.Format == "" {
		r.out.Format = kind.format
	}
	kind.read(s, n)
	r.end(s)
}
