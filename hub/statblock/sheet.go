package statblock

import (
	"slices"
	"strconv"
	"strings"

	"riposte/combat"
)

// ruleset is what of a rule system a sheet may say.
type ruleset struct {
	system  combat.System
	answers []string // kinds of reaction
}

func rulesOf(system combat.System) ruleset {
	rules := ruleset{system: system}
	for _, action := range system.Actions() {
		if action.Reaction {
			rules.answers = append(rules.answers, action.Kind)
		}
	}
	return rules
}

// stat finds a number of the sheet that the system reads.
func (r ruleset) stat(key string) (combat.Stat, bool) {
	for _, s := range r.system.Stats() {
		prefix, open := strings.CutSuffix(s.Key, "*")
		if s.Key == key || open && strings.HasPrefix(key, prefix) && len(key) <= 60 {
			return s, true
		}
	}
	return combat.Stat{}, false
}

// sheet is one creature being read. The first fault is the one that counts.
type sheet struct {
	rules    ruleset
	where    string
	line     int
	source   string
	add      combat.AddCombatant
	warnings []FileWarning
	fault    *FileFault
	unread   []string // numbers that the rule system has no use for
	facts    []string // first lines of the notes
	features []feature
	remarks  string // last lines of the notes: the user's own
	number   int    // that tells it from others of its name, where the file has one
}

// Bounds of one creature.
const (
	maxWarnings = 20
	maxStats    = 50 // numbers of its sheet
)

// warn says that something of the creature is not as in the file.
func (s *sheet) warn(field, code string, pairs ...any) {
	if len(s.warnings) < maxWarnings {
		s.warnings = append(s.warnings, FileWarning{Field: field, Code: code, Params: params(pairs)})
	}
}

// fail says why the creature is not offered. Where is the path of the value, or
// "" for the creature's own.
func (s *sheet) fail(where, code string, pairs ...any) {
	if s.fault == nil {
		s.fault = &FileFault{Where: firstOf(where, s.where), Line: s.line, Code: code, Params: params(pairs)}
	}
}

// echo is what a fault or warning repeats of a value.
func echo(n node) string {
	if n.isText() {
		return cut(oneLine(n.text(400)), maxEcho)
	}
	raw := n.raw
	return cut(oneLine(strings.ToValidUTF8(string(raw[:min(len(raw), 400)]), "")), maxEcho)
}

// setName takes a name as it is, in one line.
func (s *sheet) setName(text string) {
	name := oneLine(text)
	if short := cut(name, combat.MaxName-8); strings.HasSuffix(short, "…") && short != name && len([]rune(name)) > combat.MaxName {
		s.warn("name", WarnShortened, "limit", combat.MaxName)
		name = short
	}
	s.add.Name = name
}

// whole reads a number that a creature can do without: what is no number, or
// outside the bounds, is left out with a warning.
func (s *sheet) whole(field string, n node, least, most int) (int, bool) {
	if !n.given() || n.isText() && strings.TrimSpace(n.text(maxNumber)) == "" {
		return 0, false
	}
	value, ok := n.whole()
	if !ok && n.isText() {
		value, ok = parseNoted(n.text(maxNumber))
	}
	if !ok || value < least || value > most {
		s.warn(field, WarnLeftOut, "value", echo(n))
		return 0, false
	}
	return value, true
}

// setHP reads the maximum of hit points: a number, dice of which the mean is
// taken, or both. One that cannot be read is a fault: nobody wants a creature
// that cannot be hurt.
func (s *sheet) setHP(n node) {
	if !n.given() || n.isText() && strings.TrimSpace(n.text(maxNumber)) == "" {
		return
	}
	value, ok := n.whole()
	if !ok && n.isText() {
		text := n.text(maxNumber)
		if value, ok = parseNoted(text); !ok {
			if value, ok = average(text); ok {
				s.warn("hp", WarnAverage, "value", cut(oneLine(text), maxEcho))
			}
		}
	}
	if !ok || value < 0 || value > combat.MaxNumber {
		s.fail(n.path, FaultBadValue, "field", "hp", "value", echo(n))
		return
	}
	s.add.HP = value
}

// averageHP takes the mean of dice when the file gives no number.
func (s *sheet) averageHP(n node) {
	if s.add.HP > 0 || s.fault != nil || !n.isText() {
		return
	}
	text := n.text(maxNumber)
	if value, ok := average(text); ok && value > 0 && value <= combat.MaxNumber {
		s.add.HP = value
		s.warn("hp", WarnAverage, "value", cut(oneLine(text), maxEcho))
	}
}

// setCurrent reads the hit points that are left. They stay between none and the
// maximum, with a warning.
func (s *sheet) setCurrent(n node) {
	value, ok := s.whole("current", n, -combat.MaxNumber, combat.MaxNumber)
	if !ok || s.add.HP == 0 || value == s.add.HP {
		return
	}
	if inside := min(max(value, 0), s.add.HP); inside != value {
		s.warn("current", WarnClamped, "value", value)
		value = inside
	}
	s.add.Current = &value
}

// setAC, setMod, setTemp and setInit read what their names say, if it is given.
func (s *sheet) setAC(n node) {
	if value, ok := s.whole("ac", n, 0, combat.MaxSmall); ok {
		s.add.AC = value
	}
}

func (s *sheet) setMod(n node) (given bool) {
	value, ok := s.whole("mod", n, -combat.MaxSmall, combat.MaxSmall)
	if ok {
		s.add.Mod = value
	}
	return ok
}

func (s *sheet) setTemp(n node) {
	if value, ok := s.whole("temp", n, 0, combat.MaxNumber); ok {
		s.add.Temp = value
	}
}

func (s *sheet) setInit(n node) {
	if !n.given() || n.isText() && strings.TrimSpace(n.text(maxNumber)) == "" {
		return
	}
	count, ok := n.count()
	if !ok {
		s.warn("init", WarnLeftOut, "value", echo(n))
		return
	}
	s.add.Init = &count
}

// setSpeed reads a distance: a number of feet, or a text with a unit.
func (s *sheet) setSpeed(n node) {
	switch {
	case !n.given():
	case n.isNumber():
		if value, ok := s.whole("speed", n, 0, combat.MaxSmall); ok {
			s.add.Speed = &value
		}
	case n.isText():
		s.setSpeedText(n.text(maxNumber))
	default:
		s.warn("speed", WarnLeftOut, "value", echo(n))
	}
}

// setSpeedText is setSpeed for a text.
func (s *sheet) setSpeedText(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	value, metric, ok := feet(text)
	if !ok || value > combat.MaxSmall {
		s.warn("speed", WarnLeftOut, "value", cut(oneLine(text), maxEcho))
		return
	}
	if metric {
		s.warn("speed", WarnMetric, "value", value)
	}
	s.add.Speed = &value
}

// setSpeeds reads a list such as "30 ft.", "fly 60 ft.": walking is the one
// without a word. Without it the fastest counts. All of them stand in the notes.
func (s *sheet) setSpeeds(list []string) {
	walk, best, most := "", "", -1
	var others []string
	for _, text := range list {
		for part := range strings.SplitSeq(text, ", ") {
			part = oneLine(part)
			value, _, ok := feet(part)
			switch {
			case !ok:
			case walk == "" && (part[0] >= '0' && part[0] <= '9' || strings.HasPrefix(strings.ToLower(part), "walk")):
				walk = part
			default:
				others = append(others, cut(part, maxEcho))
				if value > most {
					best, most = part, value
				}
			}
		}
	}
	s.setSpeedText(firstOf(walk, best))
	s.fact(others...)
}

// stat keeps a number of the sheet if the rule system reads it.
func (s *sheet) stat(key string, value int) {
	known, read := s.rules.stat(key)
	switch {
	case !read:
		if value != 0 && !slices.Contains(s.unread, key) && len(s.unread) < maxWarnings {
			s.unread = append(s.unread, key)
		}
	case value < known.Min || value > known.Max:
		s.warn(key, WarnLeftOut, "value", strconv.Itoa(value))
	case len(s.add.Stats) < maxStats:
		if s.add.Stats == nil {
			s.add.Stats = map[string]int{}
		}
		s.add.Stats[key] = value
	}
}

// statOf reads a number of the sheet, if it is given.
func (s *sheet) statOf(key string, n node) (int, bool) {
	value, ok := s.whole(key, n, -combat.MaxStat, combat.MaxStat)
	if ok {
		s.stat(key, value)
	}
	return value, ok
}

// Numbers of a sheet that several formats give, under the names by which rule
// systems ask for them.
const (
	statDexterity = "dex"
	statBonus     = "bonus"
	statLegendary = "legendary"
	statLair      = "lair"
	statStamina   = "stamina"
	statResolve   = "resolve"
	statSave      = "save."
)

// abilities are the six of 5e, as their saves are called.
var abilities = [6]string{"str", "dex", "con", "int", "wis", "cha"}

// scores are ability scores and what they give: dexterity, and the bonus of
// each save that the file does not give itself.
func (s *sheet) scores(score func(ability string) node, save func(ability string) node) {
	for _, ability := range abilities {
		value, ok := s.whole(ability, score(ability), 0, 100)
		bonus, given := s.whole(statSave+ability, save(ability), -100, 100)
		if ok && ability == statDexterity {
			s.stat(statDexterity, value)
		}
		switch {
		case given:
			s.stat(statSave+ability, bonus)
		case ok:
			s.stat(statSave+ability, modifier(value))
		}
	}
}

// drop says what the creature has in the file and will not have here.
func (s *sheet) drop(names []string) {
	if len(names) == 0 {
		return
	}
	s.warn("effects", WarnDropped, "what", cut(strings.Join(names, ", "), 3*maxEcho))
}

// player makes a creature one of the party's own.
func (s *sheet) player() {
	s.add.Kind, s.add.Side = "pc", "party"
}

// fact adds a line about the creature to its notes.
func (s *sheet) fact(parts ...string) {
	parts = slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" })
	if len(parts) > 0 && len(s.facts) < maxWarnings {
		s.facts = append(s.facts, cut(strings.Join(parts, ", "), 300))
	}
}

// finish makes a creature of what was read, or a fault.
func (s *sheet) finish() (*FileCreature, *FileFault) {
	if s.add.Name == "" {
		s.fail("", FaultNoName)
	}
	if s.fault == nil {
		s.applyFeatures()
		s.add.Notes = s.notes()
		whole := s.add
		if refusal := combat.CheckSheet(s.rules.system, &whole); refusal != nil {
			s.fault = &FileFault{Where: s.where, Line: s.line, Code: refusal.Code, Params: refusal.Params}
		}
		s.add.Kind, s.add.Side, s.add.Times = whole.Kind, whole.Side, whole.Times
	}
	if s.fault != nil {
		s.fault.Name = cut(s.add.Name, combat.MaxName)
		return nil, s.fault
	}
	return &FileCreature{Creature: s.add, Where: s.where, Line: s.line, Source: cut(oneLine(s.source), combat.MaxName), Warnings: s.warnings}, nil
}
