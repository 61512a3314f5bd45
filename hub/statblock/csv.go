package statblock

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"riposte/combat"
)

// columns are the fields of a sheet by the names that a column may have, in
// English and French, without accents, spaces and case.
var columns = map[string]string{
	"name": "name", "nom": "name", "creature": "name", "monster": "name", "monstre": "name", "combatant": "name", "combattant": "name", "personnage": "name", "character": "name",
	"kind": "kind", "type": "kind", "genre": "kind", "categorie": "kind",
	"side": "side", "camp": "side", "equipe": "side", "team": "side",
	"group": "group", "groupe": "group",
	"count": "times", "times": "times", "number": "times", "qty": "times", "quantity": "times", "nombre": "times", "quantite": "times", "qte": "times", "combien": "times",
	"initmod": "mod", "mod": "mod", "modifier": "mod", "initiativemodifier": "mod", "initiativebonus": "mod", "initbonus": "mod", "bonusinit": "mod", "bonusinitiative": "mod",
	"modinit": "mod", "modinitiative": "mod", "modificateur": "mod", "bonusdinitiative": "mod", "modificateurdinitiative": "mod",
	"init": "init", "initiative": "init", "initcount": "init", "roll": "init", "jetdinitiative": "init", "decompte": "init", "decomptedinitiative": "init",
	"hp": "hp", "pv": "hp", "hitpoints": "hp", "pointsdevie": "hp", "health": "hp",
	"maxhp": "max", "hpmax": "max", "pvmax": "max", "maxpv": "max", "maximumhp": "max", "pvmaximum": "max", "pointsdeviemax": "max",
	"currenthp": "current", "hpcurrent": "current", "current": "current", "pvactuels": "current", "pvrestants": "current", "actuels": "current",
	"temphp": "temp", "hptemp": "temp", "temp": "temp", "pvtemp": "temp", "pvtemporaires": "temp", "temporaires": "temp",
	"ac": "ac", "ca": "ac", "armorclass": "ac", "armourclass": "ac", "classedarmure": "ac", "defense": "ac",
	"eac": "eac", "cae": "eac", "kac": "kac", "cac": "kac",
	"speed": "speed", "vitesse": "speed", "vd": "speed", "movement": "speed", "deplacement": "speed",
	"hidden": "hidden", "cache": "hidden", "cachee": "hidden", "masque": "hidden", "masquee": "hidden", "invisible": "hidden",
	"notes": "notes", "note": "notes", "remarques": "notes", "description": "notes", "comment": "notes", "comments": "notes", "commentaire": "notes", "commentaires": "notes",
	"answers": "answers", "reactions": "answers", "reaction": "answers",
	"stamina": statStamina, "sp": statStamina, "endurance": statStamina, "pe": statStamina, "pointsdendurance": statStamina,
	"resolve": statResolve, "rp": statResolve, "persistance": statResolve, "perseverance": statResolve, "pp": statResolve,
	"dex": statDexterity, "dexterity": statDexterity, "dexterite": statDexterity,
	"legendary": statLegendary, "legendaires": statLegendary, "actionslegendaires": statLegendary, "legendaryactions": statLegendary,
	"lair": statLair, "antre": statLair, "repaire": statLair,
	"system": "", "systeme": "", "rules": "", "regles": "", // whose number it is, the encounter says
}

// plainColumn is a column's name without what people write in different ways.
func plainColumn(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, fold(name))
}

// table reads creatures out of delimited text, one a row, under a row of column
// names.
func (r *reader) table(text string) *FileFault {
	t := newTable(text)
	header, line, fault := t.row()
	if fault != nil {
		return fault
	}
	fields, unknown := r.columns(header)
	if !slices.Contains(fields, "name") {
		if len(header) < 2 {
			return &FileFault{Code: FaultFormat}
		}
		return &FileFault{Line: line, Code: FaultNoNameColumn, Params: params([]any{"columns", cut(strings.Join(unknown, ", "), 3*maxEcho)})}
	}
	r.out.Format = FormatCSV
	if len(unknown) > 0 {
		r.out.Warnings = append(r.out.Warnings, FileWarning{Code: WarnColumns, Params: params([]any{"what", cut(strings.Join(unknown, ", "), 3*maxEcho)})})
	}
	for !r.full {
		cells, line, fault := t.row()
		if fault == nil && cells == nil {
			break
		}
		s := r.begin("")
		if s == nil {
			break
		}
		if s.line = line; fault != nil {
			s.fail("", fault.Code)
			s.fault.Params = fault.Params
		} else {
			s.row(fields, cells)
		}
		r.end(s)
	}
	if r.seen == 0 {
		return &FileFault{Code: FaultNoCreatures}
	}
	return nil
}

// columns says what each column holds; those that nobody knows are named.
func (r *reader) columns(header []string) (fields, unknown []string) {
	for _, name := range header {
		field, known := columns[plainColumn(name)]
		if _, read := r.rules.stat(strings.TrimSpace(name)); read && !known {
			field, known = strings.TrimSpace(name), true
		}
		if known && field != "" && slices.Contains(fields, field) {
			known = false // the first of two counts
		}
		if !known {
			field = ""
			if name = cut(oneLine(name), 30); name != "" && len(unknown) < maxWarnings {
				unknown = append(unknown, name)
			}
		}
		fields = append(fields, field)
	}
	return fields, unknown
}

// yes are the words that a column of yes and no may hold.
var yes = []string{"1", "x", "yes", "y", "true", "oui", "o", "vrai", "hidden", "cache", "cachee", "masque"}

// row reads one row.
func (s *sheet) row(fields, cells []string) {
	given := map[string]node{}
	for i, field := range fields {
		if i < len(cells) && field != "" {
			given[field] = cellNode(cells[i])
		}
	}
	text := func(field string) string { return given[field].text(2 * maxCell) }
	s.setName(text("name"))
	most, now := given["max"], given["current"]
	if empty(most) {
		most = given["hp"]
	} else if empty(now) {
		now = given["hp"]
	}
	s.setHP(most)
	s.setCurrent(now)
	s.setTemp(given["temp"])
	s.setAC(given["ac"])
	s.twoClasses(given["eac"], given["kac"])
	mod, init := given["mod"], given["init"]
	// A sign in front says that a column called initiative holds the modifier.
	if _, apart := given["mod"]; !apart && strings.ContainsAny(text("init")[:min(len(text("init")), 1)], "+-") && s.setMod(init) {
		s.warn("mod", WarnAssumed, "value", s.add.Mod)
	} else {
		s.setMod(mod)
		s.setInit(init)
	}
	s.setSpeed(given["speed"])
	s.setKind(strings.TrimSpace(text("kind")), echo(given["kind"]))
	s.setTimes(given["times"])
	s.add.Side = cut(oneLine(text("side")), combat.MaxName)
	s.add.Group = cut(oneLine(text("group")), combat.MaxName)
	s.add.Hidden = slices.Contains(yes, fold(text("hidden")))
	s.remarks = kept(text("notes"), combat.MaxNotes)
	for word := range strings.FieldsFuncSeq(text("answers"), func(r rune) bool { return r == ',' || r == ';' || r == '/' || r == '|' }) {
		s.answer(word)
		if word = oneLine(word); slices.Contains(s.rules.answers, word) && !slices.Contains(s.add.Answers, word) && len(s.add.Answers) < maxAnswers {
			s.add.Answers = append(s.add.Answers, word)
		}
	}
	for _, field := range fields {
		if _, sheetField := plainFields[field]; field != "" && !sheetField {
			s.statOf(field, given[field])
		}
	}
}

// plainFields are the columns that are no number of the rules.
var plainFields = map[string]struct{}{"name": {}, "kind": {}, "side": {}, "group": {}, "times": {}, "mod": {}, "init": {}, "hp": {}, "max": {}, "current": {},
	"temp": {}, "ac": {}, "eac": {}, "kac": {}, "speed": {}, "hidden": {}, "notes": {}, "answers": {}}

// twoClasses reads the two armour classes of Starfinder: the kinetic one counts
// here, both stand in the notes.
func (s *sheet) twoClasses(eac, kac node) {
	energy, _ := s.whole("ac", eac, 0, combat.MaxSmall)
	kinetic, _ := s.whole("ac", kac, 0, combat.MaxSmall)
	if s.add.AC == 0 {
		if s.add.AC = kinetic; kinetic == 0 {
			s.add.AC = energy
		}
	}
	if energy > 0 && energy != s.add.AC {
		both := "EAC " + strconv.Itoa(energy) + ", KAC " + strconv.Itoa(s.add.AC)
		s.warn("ac", WarnOneClass, "what", both)
		s.fact(both)
	}
}

// empty reports whether a cell has nothing in it.
func empty(n node) bool { return !n.isText() || strings.TrimSpace(n.text(maxNumber)) == "" }

// cellNode makes of a cell what the other formats read. A spreadsheet guards
// text that begins like a formula with a single quote.
func cellNode(cell string) node {
	if rest, guarded := strings.CutPrefix(cell, "'"); guarded && strings.ContainsAny(rest[:min(len(rest), 1)], "=+-@") {
		cell = rest
	}
	raw, err := json.Marshal(cell)
	if err != nil {
		return node{}
	}
	return node{raw: raw}
}
