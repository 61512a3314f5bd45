package combat

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// roster answers the commands about who is in the encounter and who sits at
// the table.
func (d *Draft) roster(command Command) *Refusal {
	switch cmd := command.(type) {
	case AddCombatant:
		return d.addCombatants([]AddCombatant{cmd}, "", nil)
	case ImportCombatants:
		if r := d.onlyGM(); r != nil {
			return r
		}
		if len(cmd.Combatants) == 0 {
			return refuse("bad_value", "field", "combatants")
		}
		return d.addCombatants(cmd.Combatants, "combatants", nil)
	case EditCombatant:
		return d.editCombatant(cmd)
	case DuplicateCombatant:
		return d.duplicate(cmd)
	case AssignSeat:
		return d.assignSeat(cmd)
	case SetPosition:
		c, r := d.Mine("combatant", cmd.Combatant)
		if r := firstRefusal(r, checkText("position", cmd.Position, MaxName, false)); r != nil {
			return r
		}
		if cmd.Base != nil && *cmd.Base != c.Position {
			return stale("position", c.Position)
		}
		d.Emit(PositionSet{Combatant: c.ID, Position: cmd.Position})
		return nil
	case AddSeat:
		return d.addSeat(cmd)
	case EditSeat:
		return d.editSeat(cmd)
	}
	if r := d.onlyGM(); r != nil {
		return r
	}
	switch cmd := command.(type) {
	case RemoveCombatant:
		return d.removeCombatants(cmd.Combatants)
	case SetHidden:
		return d.setHidden(cmd)
	case SetSight:
		return d.setSight(cmd)
	case SetDefeated:
		return d.setDefeated(cmd)
	case SetCharged:
		c := d.State().Combatant(cmd.Combatant)
		if c == nil {
			return refuse("unknown_combatant", "field", "combatant")
		}
		if _, has := c.Recharge[cmd.Name]; !has {
			return refuse("bad_value", "field", "name")
		}
		d.Emit(ChargeSet{Combatant: c.ID, Name: cmd.Name, Charged: cmd.Charged})
	case RemoveSeat:
		seat := d.State().Seat(cmd.Seat)
		if seat == nil {
			return refuse("bad_value", "field", "seat")
		}
		d.Emit(SeatRemoved{Seat: seat.ID, Name: seat.Name})
	case ReplaceLink:
		if !slices.Contains([]string{RoleGM, RolePlayer, RoleSpectator}, cmd.Role) {
			return refuse("bad_value", "field", "role")
		}
		d.Emit(LinkReplaced(cmd))
	}
	return nil
}

// addCombatants adds all or none. field is the one that the entries came in; of
// copies, like is who they are seen like.
func (d *Draft) addCombatants(list []AddCombatant, field string, like *Combatant) *Refusal {
	total, notes := d.crowd()
	most := MaxCombatants
	if !d.gm() {
		most = MaxPlayersAdd
	}
	for i := range list {
		if r := d.checkSheet(&list[i]); r != nil {
			if field != "" {
				r = r.With("field", field+"."+strconv.Itoa(i)+"."+r.Params["field"].(string))
			}
			return r
		}
		total += list[i].Times
		notes += len(list[i].Notes) * list[i].Times
	}
	if total > most {
		return refuse("too_many", "field", "combatants", "limit", most)
	}
	if notes > maxNotesBytes {
		return refuse("too_many", "field", "notes", "limit", maxNotesBytes)
	}
	for _, cmd := range list {
		if r := d.addOne(cmd, like); r != nil {
			return r
		}
	}
	return nil
}

// crowd counts the combatants that the sender may know of, and the bytes of all
// notes.
func (d *Draft) crowd() (combatants, notes int) {
	for _, c := range d.State().Combatants {
		if d.Knows(c.ID) {
			combatants++
		}
		notes += len(c.Notes)
	}
	return combatants, notes
}

// checkSheet refuses what no sheet can say or the sender may not say, and fills
// in what was left out.
func (d *Draft) checkSheet(cmd *AddCombatant) *Refusal {
	if cmd.Kind == "" && cmd.Side == "" && d.By.Role == RoleSeat {
		cmd.Kind = "pc"
		cmd.Side = "party"
	}
	if r := CheckSheet(d.System, cmd); r != nil {
		return r
	}
	if d.By.Role == RoleSeat {
		if cmd.Group != "" {
			return refuse("forbidden", "field", "group")
		}
		if cmd.Kind != "pc" || cmd.Hidden || cmd.Seat != "" && cmd.Seat != d.By.Seat {
			return refuse("forbidden", "field", "kind")
		}
		cmd.Seat = d.By.Seat
	}
	if cmd.Seat != "" && d.State().Seat(cmd.Seat) == nil {
		return refuse("bad_value", "field", "seat")
	}
	return nil
}

// addOne adds a checked entry, numbered when there are several.
func (d *Draft) addOne(cmd AddCombatant, like *Combatant) *Refusal {
	from := 1
	if cmd.Times > 1 {
		from = d.nextNumber(cmd.Name)
	}
	var joined []ID
	for i := range cmd.Times {
		name := cmd.Name
		if cmd.Times > 1 {
			name += " " + strconv.Itoa(from+i)
			if r := checkName("name", name); r != nil {
				return r
			}
		}
		c := Combatant{ID: d.NewID("c"), Name: name, Side: cmd.Side, Kind: cmd.Kind, Seat: cmd.Seat, Group: cmd.Group, Hidden: cmd.Hidden,
			Notes: cmd.Notes, Mod: cmd.Mod, Init: cmd.Init, HP: *cmd.Current, MaxHP: cmd.HP, Temp: cmd.Temp, AC: cmd.AC, Speed: *cmd.Speed,
			Answers: cmd.Answers, Recharge: cmd.Recharge, Stats: cmd.Stats, Life: Up}
		if c.Group == "" && cmd.Times > 1 {
			c.Group = cmd.Name
		}
		if like != nil {
			c.HiddenFrom, c.UntilAct, c.Sight = like.HiddenFrom, like.UntilAct, like.Sight
		}
		if mate := d.mate(&c); c.Init == nil && mate != nil && mate.Init != nil {
			count := *mate.Init
			c.Init = &count
		}
		d.Emit(CombatantAdded{Combatant: c})
		joined = append(joined, c.ID)
	}
	if d.State().InFight() {
		d.welcome(joined)
	}
	return nil
}

// mate returns one that shares a place with c, or nil.
func (d *Draft) mate(c *Combatant) *Combatant {
	s := d.State()
	group := d.System.Together(s, c)
	if group == "" {
		return nil
	}
	for _, other := range s.Combatants {
		if other.ID != c.ID && d.System.Together(s, other) == group {
			return other
		}
	}
	return nil
}

// welcome brings newcomers into a running fight: those who are not players'
// roll on arrival, players' wait for their own roll, if there is one.
func (d *Draft) welcome(ids []ID) {
	var ready []ID
	for _, id := range ids {
		c := d.State().Combatant(id)
		if pools := d.System.Refresh(d.State(), c, "fight"); len(pools) > 0 {
			d.Emit(PoolsSet{Combatant: id, Pools: pools, Why: "refresh"})
		}
		if sides, _ := d.System.Initiative(d.State(), c); c.Init == nil && (c.Kind == "npc" || sides == 0) {
			d.rollFor(c, 0)
		}
		d.System.Joined(d, id)
		if d.State().Combatant(id).Init != nil {
			ready = append(ready, id)
		}
	}
	if d.State().Phase != PhaseDeclaration {
		d.join(ready, d.State().Round)
	}
}

// nextNumber continues the numbering of a name: Goblin 1, Goblin 2 → 3.
func (d *Draft) nextNumber(name string) int {
	next := 1
	for _, c := range d.State().Combatants {
		if !d.Knows(c.ID) {
			continue
		}
		if tail, found := strings.CutPrefix(c.Name, name+" "); found {
			if n, err := strconv.Atoi(tail); err == nil && n >= next && n < 1_000_000 {
				next = n + 1
			}
		}
	}
	return next
}

func (d *Draft) editCombatant(cmd EditCombatant) *Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if !d.gm() && (cmd.Side != nil || cmd.Kind != nil || cmd.Group != nil || cmd.Notes != nil) {
		return refuse("forbidden")
	}
	if !d.gm() && cmd.MaxHP != nil && *cmd.MaxHP == 0 && c.MaxHP > 0 {
		return refuse("forbidden", "field", "maxHp")
	}
	if rev := c.rev(d.gm()); cmd.Base != nil && *cmd.Base != rev {
		return refuse("stale_edit", "rev", rev)
	}
	e := CombatantEdited{Combatant: c.ID, Name: c.Name, Side: c.Side, Kind: c.Kind, Group: c.Group, Mod: c.Mod, HP: c.HP, MaxHP: c.MaxHP,
		AC: c.AC, Speed: c.Speed, Notes: c.Notes, Answers: c.Answers, Stats: c.Stats}
	if cmd.Name != nil && *cmd.Name != c.Name {
		e.Was, e.Name = c.Name, *cmd.Name
	}
	for _, set := range []struct{ to, from *string }{{&e.Side, cmd.Side}, {&e.Kind, cmd.Kind}, {&e.Group, cmd.Group}, {&e.Notes, cmd.Notes}} {
		if set.from != nil {
			*set.to = *set.from
		}
	}
	for _, set := range []struct{ to, from *int }{{&e.Mod, cmd.Mod}, {&e.AC, cmd.AC}, {&e.Speed, cmd.Speed}, {&e.MaxHP, cmd.MaxHP}} {
		if set.from != nil {
			*set.to = *set.from
		}
	}
	if cmd.Answers != nil {
		e.Answers = *cmd.Answers
	}
	if len(cmd.Stats) > 0 {
		merged := maps.Clone(c.Stats)
		if merged == nil {
			merged = map[string]int{}
		}
		maps.Copy(merged, cmd.Stats)
		e.Stats = merged
	}
	if r := firstRefusal(checkName("name", e.Name), checkText("side", e.Side, MaxName, true), checkKind(e.Kind),
		checkText("group", e.Group, MaxName, false), checkText("notes", e.Notes, MaxNotes, false), checkRange("mod", e.Mod, -MaxSmall, MaxSmall),
		checkRange("maxHp", e.MaxHP, 0, MaxNumber), checkRange("ac", e.AC, 0, MaxSmall), checkRange("speed", e.Speed, 0, MaxSmall),
		checkWords("answers", e.Answers), checkStats(d.System, e.Stats)); r != nil {
		return r
	}
	switch {
	case c.MaxHP == 0 && e.MaxHP > 0:
		e.HP = e.MaxHP // tracked from now on, and unhurt
	case e.MaxHP == 0:
		e.HP = 0
	}
	if _, notes := d.crowd(); cmd.Notes != nil && notes-len(c.Notes)+len(e.Notes) > maxNotesBytes {
		return refuse("too_many", "field", "notes", "limit", maxNotesBytes)
	}
	fallen := e.MaxHP == 0 && (c.Life == Dying || c.Life == Stable)
	d.Emit(e)
	d.clampHP(c.ID)
	if fallen { // nobody without hit points lies at none
		d.SetLife(c.ID, Up, 0)
	}
	return nil
}

func (d *Draft) duplicate(cmd DuplicateCombatant) *Refusal {
	c, r := d.Mine("combatant", cmd.Combatant)
	if r != nil {
		return r
	}
	if !d.gm() {
		return refuse("forbidden")
	}
	base := strings.TrimRight(c.Name, "0123456789")
	if base != c.Name {
		base = strings.TrimRight(base, " ")
	}
	if base == "" {
		base = c.Name
	}
	copied := AddCombatant{Name: base + " " + strconv.Itoa(max(d.nextNumber(base), 2)), Side: c.Side, Kind: c.Kind, Group: c.Group, Mod: c.Mod,
		HP: c.MaxHP, AC: c.AC, Speed: &c.Speed, Hidden: c.Hidden, Notes: c.Notes, Answers: c.Answers, Recharge: c.Recharge, Stats: c.Stats}
	return d.addCombatants([]AddCombatant{copied}, "", c)
}

// removeCombatants takes combatants out in one go: their places become markers
// first, so that the next turn is found as if they had never been (C-03).
func (d *Draft) removeCombatants(ids []ID) *Refusal {
	if r := d.checkIDs("combatants", ids); r != nil {
		return r
	}
	s := d.State()
	if len(s.Order) > 0 {
		d.Emit(Ordered{Slots: d.vacate(ids), Cursor: s.Cursor, Ties: withoutTied(s.Ties, ids), Why: "gone"})
	}
	d.EndEffects("gone", func(e *Effect) bool {
		return slices.Contains(ids, e.Target) || e.Concentration && slices.Contains(ids, e.Source)
	})
	for _, p := range slices.Clone(d.State().Pending) {
		if p.Kind != PendingProposal && slices.ContainsFunc(p.Combatants, func(id ID) bool { return slices.Contains(ids, id) }) {
			d.Emit(PendingClosed{Pending: p.ID})
		}
	}
	for _, id := range ids {
		d.Emit(CombatantRemoved{Combatant: id, Name: d.State().Combatant(id).Name})
	}
	return nil
}

// vacate takes the slots of those who go out of the order. What the cursor
// stands on, and turns that an effect is anchored to, stay as markers.
func (d *Draft) vacate(ids []ID) []Slot {
	s := d.State()
	order := []Slot{}
	for _, slot := range s.Order {
		if !slices.Contains(ids, slot.Combatant) {
			order = append(order, slot)
			continue
		}
		turn := slot.Kind == SlotTurn && !slot.Once
		if slot.ID != s.Cursor && !(turn && d.anchored(slot.Combatant)) {
			continue
		}
		slot.Kind = SlotMarker
		if !turn {
			slot.Combatant = ""
		}
		order = append(order, slot)
	}
	return order
}

// withoutTied forgets those who go in every open tie.
func withoutTied(ties [][]ID, ids []ID) [][]ID {
	var kept [][]ID
	for _, tie := range ties {
		rest := slices.DeleteFunc(slices.Clone(tie), func(id ID) bool { return slices.Contains(ids, id) })
		if len(rest) > 1 {
			kept = append(kept, rest)
		}
	}
	return kept
}

func (d *Draft) setDefeated(cmd SetDefeated) *Refusal {
	if r := d.checkIDs("combatants", cmd.Combatants); r != nil {
		return r
	}
	for _, id := range cmd.Combatants {
		c := d.State().Combatant(id)
		if !cmd.Defeated && c.Life == Dead {
			d.SetLife(id, Up, c.HP)
			continue
		}
		d.Emit(DefeatedSet{Combatant: id, Defeated: cmd.Defeated})
		if cmd.Defeated {
			d.oweNothing(id)
			d.LoseConcentration(id)
		}
	}
	return nil
}
