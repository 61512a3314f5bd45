package combat

import (
	"slices"
)

// View returns what an audience may see of a state (deny by default): a flat
// map from key to one of the view types.
func (e *Engine) View(s *State, a Audience) map[string]any {
	v := e.viewer(s, a)
	view := map[string]any{}
	v.each(func(key string, value any) { view[key] = value })
	return view
}

// each calls put for every key of the view.
func (v *viewer) each(put func(key string, value any)) {
	put("encounter", v.encounter())
	for _, c := range v.s.Combatants {
		if v.seesCombatant(c) {
			put("combatants/"+string(c.ID), v.combatant(c))
		}
	}
	put("order", v.order())
	if turn := v.turn(); turn != nil {
		put("turn", turn)
	}
	put("stack", v.stack())
	if w := v.window(); w != nil {
		put("window", w)
	}
	v.pendings(func(p *PendingView) { put("pending/"+string(p.ID), p) })
	for _, e := range v.s.Effects {
		if v.seesEffect(e) {
			put("effects/"+string(e.ID), v.effect(e))
		}
	}
	for _, seat := range v.s.Seats {
		put("seats/"+string(seat.ID), v.seat(seat))
	}
	if v.gm() {
		put("history", v.history())
	}
	put("you", v.you())
}

func (v *viewer) encounter() *EncounterView {
	view := &EncounterView{ID: v.s.ID, Title: v.s.Title, Rules: v.s.Rules, Options: map[string]string{}}
	view.Phase, view.Round = v.phase()
	if count, known := v.count(); known {
		view.Count = &count
	}
	view.Declarable = v.system.Declarable(v.s)
	for _, o := range allOptions(v.system) {
		view.Options[o.Key] = OptionOf(v.system, v.s, o.Key)
	}
	return view
}

// count is the count being played, if this audience sees one.
func (v *viewer) count() (Count, bool) {
	switch {
	case v.last != nil:
		return v.last.Count, v.seesCount(v.last.Combatant)
	case v.frozen || v.s.Turn() == nil:
		return 0, false
	}
	return v.s.Count, v.seesCount(v.s.Turn().Combatant)
}

// phase is the phase and round as this audience sees them. Before the fight,
// counts that it does not see count for nothing.
func (v *viewer) phase() (string, int) {
	switch {
	case v.last != nil:
		return v.last.Phase, v.last.Round
	case !v.frozen && v.s.Phase != PhaseInitiative:
		return v.s.Phase, v.s.Round
	}
	for _, c := range v.s.Combatants {
		if c.Init != nil && v.seesCount(c.ID) {
			return PhaseInitiative, 0
		}
	}
	return PhaseSetup, 0
}

func (v *viewer) combatant(c *Combatant) *CombatantView {
	close, sight, known := v.gm() || v.owns(c), v.sight(c), v.known(c)
	view := &CombatantView{ID: c.ID, Name: c.Name, Side: c.Side, Kind: c.Kind, Seat: c.Seat, Group: c.Group, Defeated: c.Defeated, Life: c.Life,
		Surprised: c.Surprised, Position: c.Position, Delaying: c.Delaying, HP: hpView(c, known, sight.HP), Speed: &c.Speed, Conditions: conditions(known, c)}
	view.Reaction = v.s.InFight() && v.begun() && len(c.Pools) > 0 && v.system.CanReact(known, c, "") == nil
	if sight.Count == "yes" {
		view.Initiative = c.Init
	}
	if sight.AC == "yes" {
		ac := known.CurrentAC(c) + v.system.AC(known, c)
		view.AC = &ac
	}
	if c.Readied != nil && (close || c.Kind == "pc") {
		view.Readied = &ReadiedView{Trigger: c.Readied.Trigger, Kind: c.Readied.Action.Kind, Name: c.Readied.Action.Name}
	}
	if close || c.Kind == "pc" {
		view.Saves = v.system.DeathSaves(c)
	}
	if close {
		view.Hidden, view.Rev, view.Mod, view.Budget, view.Answers, view.Stats = c.Hidden, c.rev(v.gm()), &c.Mod, c.Pools, c.Answers, c.Stats
		view.RechargeAt, view.Sheet = c.Recharge, sheetOf(c, view)
		if len(c.Recharge) > 0 {
			view.Recharge = map[string]bool{}
			for name := range c.Recharge {
				view.Recharge[name] = !slices.Contains(c.Spent, name)
			}
		}
	}
	view.Declared = c.Declared
	if close || v.s.Phase != PhaseDeclaration {
		view.Plan = plan(c, sight.Count == "yes")
	}
	if v.gm() {
		view.Notes, view.Sight, view.UntilAct = c.Notes, c.Sight, c.UntilAct != ""
		for _, class := range classes("") {
			if c.hiddenFrom(class) {
				view.HiddenFrom = append(view.HiddenFrom, class)
			}
			if c.waitsToShow(class) {
				view.ShowsTo = append(view.ShowsTo, class)
			}
		}
	}
	return view
}

// sheetOf is what stands on a sheet, where the view shows something else.
func sheetOf(c *Combatant, view *CombatantView) *SheetView {
	if view.AC != nil && *view.AC == c.AC && (view.HP == nil || view.HP.Max == c.MaxHP) {
		return nil
	}
	return &SheetView{AC: c.AC, MaxHP: c.MaxHP}
}

// plan is what somebody will do in the round; where its count is not for all to
// see, without what follows from it.
func plan(c *Combatant, counted bool) []IntentView {
	if len(c.Plan) == 0 {
		return nil
	}
	views := make([]IntentView, len(c.Plan))
	for i := range c.Plan {
		in := &c.Plan[i]
		views[i] = IntentView{Kind: in.Kind, Weapon: in.Weapon, Hasten: in.Hasten}
		if counted {
			views[i].Count, views[i].Lost, views[i].Carried = &in.Count, in.Lost, in.Carried
		}
	}
	return views
}

func hpView(c *Combatant, known *State, how string) *HPView {
	if c.MaxHP == 0 {
		return nil
	}
	most := known.CurrentMaxHP(c)
	switch how {
	case "exact":
		current := c.HP
		return &HPView{Current: &current, Max: most, Temp: c.Temp}
	case "band":
		return &HPView{Band: band(c.HP, most)}
	}
	return nil
}

// band says roughly how somebody looks.
func band(hp, most int) string {
	switch {
	case hp <= 0:
		return "down"
	case hp >= most:
		return "unhurt"
	case hp*4 <= most:
		return "critical"
	case hp*2 <= most:
		return "bloodied"
	}
	return "hurt"
}

func conditions(known *State, c *Combatant) []string {
	var names []string
	for _, e := range known.Effects {
		if e.Target == c.ID && !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}

func (v *viewer) order() []SlotView {
	if !v.begun() {
		return []SlotView{} // for this audience the fight has not begun
	}
	slots, ids := make([]SlotView, 0, len(v.s.Order)), make([]ID, len(v.s.Order))
	current := v.s.Cursor
	if f := v.s.Turn(); f != nil {
		current = f.Slot
	}
	if v.frozen {
		current = v.last.Slot
	}
	behind := v.behind()
	for i := range v.s.Order {
		slot := &v.s.Order[i]
		if !slot.shown() || !v.sees(slot.Combatant) {
			continue
		}
		ids[i] = slot.Combatant
		view := SlotView{Slot: slot.ID, Combatants: ids[i : i+1 : i+1], Kind: slot.Kind, Part: slot.Part}
		view.Current = slot.ID == current && (v.frozen || v.s.Turn() != nil)
		view.Done = !view.Current && behind(i, slot)
		if v.seesCount(slot.Combatant) {
			view.Count = &slot.Count
			for _, tie := range v.s.Ties {
				view.Tied = view.Tied || slices.Contains(tie, slot.Combatant) && stillTied(v.s, v.tied(tie))
			}
		}
		slots = append(slots, view)
	}
	return slots
}

// behind tells which slots of the order are behind in the round. Where time
// stands still, that is as it was: what has come in since goes by its place.
func (v *viewer) behind() func(i int, slot *Slot) bool {
	at := v.s.slotIndex(v.s.Cursor)
	if !v.frozen {
		return func(i int, slot *Slot) bool { return i < at || slot.Done }
	}
	was := make(map[ID]bool, len(v.last.Passed)+len(v.last.Open))
	for _, id := range v.last.Passed {
		was[id] = true
	}
	for _, id := range v.last.Open {
		was[id] = false
	}
	if at = -1; v.sees(v.last.Combatant) {
		at = v.s.slotIndex(v.last.Slot)
	}
	return func(i int, slot *Slot) bool {
		if done, there := was[slot.ID]; there {
			return done
		}
		return i < at
	}
}

func (v *viewer) turn() *TurnView {
	if v.frozen {
		last := v.last
		if last == nil || !v.sees(last.Combatant) {
			return nil
		}
		return &TurnView{Slot: last.Slot, Combatant: last.Combatant, Round: last.Round, StartedAt: Millis(last.StartedAt),
			Deadline: Millis(last.Clock.Deadline), LeftMs: last.Clock.Left, Paused: last.Clock.Paused}
	}
	f := v.s.Turn()
	if f == nil || !v.sees(f.Combatant) {
		return nil
	}
	return &TurnView{Slot: f.Slot, Combatant: f.Combatant, Round: v.s.Round, StartedAt: Millis(f.StartedAt),
		Deadline: Millis(v.s.Clock.Deadline), LeftMs: v.s.Clock.Left, Paused: v.s.Clock.Paused}
}

func (v *viewer) effect(e *Effect) *EffectView {
	view := &EffectView{ID: e.ID, Name: e.Name, Target: e.Target, Source: v.shown(e.Source), Ends: v.anchor(e.Ends), Speed: e.Speed,
		TurnDamage: e.TurnDamage, Concentration: e.Concentration, Hidden: e.Hidden}
	if c := v.s.Combatant(e.Target); c != nil && v.sight(c).AC == "yes" {
		view.AC = e.AC
	}
	if e.Ends.At != AtNever {
		_, round := v.phase()
		left := max(e.Ends.Round-max(round, 1), 0)
		view.RoundsLeft = &left
	}
	return view
}

func (v *viewer) seat(seat *Seat) *SeatView {
	view := &SeatView{ID: seat.ID, Name: seat.Name, ReadOnly: seat.ReadOnly, Combatants: []ID{}}
	for _, c := range v.s.Combatants {
		if c.Seat == seat.ID && v.seesCombatant(c) {
			view.Combatants = append(view.Combatants, c.ID)
		}
	}
	return view
}

func (v *viewer) you() *YouView {
	view := &YouView{}
	v.youHead(view)
	view.Can = v.offers()
	return view
}

// youHead fills in all but the offers; what the view has room for is used
// again.
func (v *viewer) youHead(view *YouView) {
	*view = YouView{Role: v.a.Role, Seat: v.a.Seat, Combatants: view.Combatants[:0]}
	if view.Combatants == nil {
		view.Combatants = []ID{}
	}
	if seat := v.s.Seat(v.a.Seat); seat != nil {
		view.Name = seat.Name
	}
	for _, c := range v.s.Combatants {
		if v.owns(c) {
			view.Combatants = append(view.Combatants, c.ID)
		}
	}
}

// history is what undo and redo would do now: the GM's to know.
func (v *viewer) history() *HistoryView {
	view := &HistoryView{}
	if v.s.past != nil {
		view.Undo = v.s.past.label
	}
	if v.s.future != nil {
		view.Redo = v.s.future.label
	}
	return view
}
