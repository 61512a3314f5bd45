package combat_test

import (
	"encoding/json"
	"testing"

	"riposte/combat"
)

// Whatever sets a value says on which one it was made: on another one now it is
// refused, with what stands there, and overwrites nothing. Without a base the
// last word holds.
func TestNoValueIsOverwrittenUnseen(t *testing.T) {
	one := func(id combat.ID) []combat.ID { return []combat.ID{id} }
	for name, c := range map[string]struct {
		first func(b *table) combat.Command // what one of two GMs sets
		late  func(b *table, base bool) combat.Command
		over  func(b *table) combat.Command // the same as late, having seen it
		field string
		now   func(b *table) any
	}{
		"temporary hit points": {
			first: func(b *table) combat.Command {
				return combat.SetTempHP{Combatants: []combat.ID{b.ids["Cedar"], b.ids["Dune"]}, Amount: 4}
			},
			late: func(b *table, base bool) combat.Command {
				cmd := combat.SetTempHP{Combatants: one(b.ids["Dune"]), Amount: 7}
				if base {
					cmd.Base = map[combat.ID]int{b.ids["Dune"]: 0}
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				return combat.SetTempHP{Combatants: one(b.ids["Dune"]), Amount: 7, Base: map[combat.ID]int{b.ids["Dune"]: 4}}
			},
			field: "amount", now: func(b *table) any { return map[combat.ID]int{b.ids["Dune"]: 4} },
		},
		"a count": {
			first: func(b *table) combat.Command {
				return combat.SetInitiative{Combatant: b.ids["Dune"], Count: combat.Whole(3)}
			},
			late: func(b *table, base bool) combat.Command {
				cmd, nine := combat.SetInitiative{Combatant: b.ids["Dune"], Count: combat.Whole(20)}, combat.Whole(9)
				if base {
					cmd.Base = &nine
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				three := combat.Whole(3)
				return combat.SetInitiative{Combatant: b.ids["Dune"], Count: combat.Whole(20), Base: &three}
			},
			field: "count", now: func(*table) any { return combat.Whole(3) },
		},
		"a position": {
			first: func(b *table) combat.Command {
				return combat.SetPosition{Combatant: b.ids["Cedar"], Position: "door"}
			},
			late: func(b *table, base bool) combat.Command {
				cmd := combat.SetPosition{Combatant: b.ids["Cedar"], Position: "roof"}
				if base {
					cmd.Base = new(string)
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				door := "door"
				return combat.SetPosition{Combatant: b.ids["Cedar"], Position: "roof", Base: &door}
			},
			field: "position", now: func(*table) any { return "door" },
		},
		"the title": {
			first: func(*table) combat.Command { title := "Ford"; return combat.SetOptions{Title: &title} },
			late: func(_ *table, base bool) combat.Command {
				title := "Bridge"
				cmd := combat.SetOptions{Title: &title}
				if base {
					cmd.BaseTitle = new(string)
				}
				return cmd
			},
			over: func(*table) combat.Command {
				title, was := "Bridge", "Ford"
				return combat.SetOptions{Title: &title, BaseTitle: &was}
			},
			field: "title", now: func(*table) any { return "Ford" },
		},
		"an option": {
			first: func(*table) combat.Command { return combat.SetOptions{Options: map[string]string{"npcHp": "none"}} },
			late: func(_ *table, base bool) combat.Command {
				cmd := combat.SetOptions{Options: map[string]string{"npcHp": "exact"}}
				if base {
					cmd.BaseOptions = map[string]string{"npcHp": "band"} // the default
				}
				return cmd
			},
			over: func(*table) combat.Command {
				return combat.SetOptions{Options: map[string]string{"npcHp": "exact"}, BaseOptions: map[string]string{"npcHp": "none"}}
			},
			field: "options.npcHp", now: func(*table) any { return "none" },
		},
		"the order": {
			first: func(b *table) combat.Command {
				return combat.Reorder{Order: []combat.ID{b.ids["Dune"], b.ids["Cedar"]}, Base: []combat.ID{b.ids["Cedar"], b.ids["Dune"]}}
			},
			late: func(b *table, base bool) combat.Command {
				cmd := combat.Reorder{Order: []combat.ID{b.ids["Dune"], b.ids["Birch"], b.ids["Cedar"]}}
				if base {
					cmd.Base = []combat.ID{b.ids["Birch"], b.ids["Cedar"], b.ids["Dune"]}
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				return combat.Reorder{Order: []combat.ID{b.ids["Dune"], b.ids["Birch"], b.ids["Cedar"]}, Base: []combat.ID{b.ids["Birch"], b.ids["Dune"], b.ids["Cedar"]}}
			},
			field: "order", now: func(b *table) any { return []combat.ID{b.ids["Birch"], b.ids["Dune"], b.ids["Cedar"]} },
		},
		"what is seen of somebody": {
			first: func(b *table) combat.Command {
				none := "none"
				return combat.SetSight{Combatants: one(b.ids["Cedar"]), Audience: combat.Players, HP: &none}
			},
			late: func(b *table, base bool) combat.Command {
				exact := "exact"
				cmd := combat.SetSight{Combatants: one(b.ids["Cedar"]), Audience: combat.Players, HP: &exact}
				if base {
					cmd.Base = &combat.Sight{}
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				exact := "exact"
				return combat.SetSight{Combatants: one(b.ids["Cedar"]), Audience: combat.Players, HP: &exact, Base: &combat.Sight{HP: "none"}}
			},
			field: "hp", now: func(*table) any { return "none" },
		},
		"from whom somebody is hidden": {
			first: func(b *table) combat.Command {
				return combat.SetHidden{Combatants: one(b.ids["Cedar"]), Hidden: true, UntilAct: true, From: combat.Players}
			},
			late: func(b *table, base bool) combat.Command {
				cmd := combat.SetHidden{Combatants: one(b.ids["Cedar"]), Hidden: true, From: combat.Players}
				if base {
					cmd.Base = "shown"
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				return combat.SetHidden{Combatants: one(b.ids["Cedar"]), Hidden: true, From: combat.Players, Base: "untilAct"}
			},
			field: "hidden", now: func(*table) any { return "untilAct" },
		},
		"the counts of several": {
			first: func(b *table) combat.Command {
				return combat.SetInitiative{Combatant: b.ids["Dune"], Count: combat.Whole(3)}
			},
			late: func(b *table, base bool) combat.Command {
				cmd := combat.SetInitiative{Combatant: b.ids["Cedar"], Also: one(b.ids["Dune"]), Count: combat.Whole(20)}
				if base {
					cmd.Bases = map[combat.ID]combat.Count{b.ids["Cedar"]: combat.Whole(12), b.ids["Dune"]: combat.Whole(9)}
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				return combat.SetInitiative{Combatant: b.ids["Cedar"], Also: one(b.ids["Dune"]), Count: combat.Whole(20),
					Bases: map[combat.ID]combat.Count{b.ids["Cedar"]: combat.Whole(12), b.ids["Dune"]: combat.Whole(3)}}
			},
			field: "count", now: func(b *table) any {
				return map[combat.ID]combat.Count{b.ids["Cedar"]: combat.Whole(12), b.ids["Dune"]: combat.Whole(3)}
			},
		},
		"what is seen of several": {
			first: func(b *table) combat.Command {
				none := "none"
				return combat.SetSight{Combatants: one(b.ids["Cedar"]), Audience: combat.Players, HP: &none}
			},
			late: func(b *table, base bool) combat.Command {
				exact := "exact"
				cmd := combat.SetSight{Combatants: []combat.ID{b.ids["Dune"], b.ids["Cedar"]}, Audience: combat.Players, HP: &exact}
				if base {
					cmd.Bases = map[combat.ID]combat.Sight{b.ids["Cedar"]: {}, b.ids["Dune"]: {AC: "yes"}}
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				exact := "exact"
				return combat.SetSight{Combatants: []combat.ID{b.ids["Dune"], b.ids["Cedar"]}, Audience: combat.Players, HP: &exact,
					Bases: map[combat.ID]combat.Sight{b.ids["Cedar"]: {HP: "none"}, b.ids["Dune"]: {}}}
			},
			field: "hp", now: func(b *table) any {
				return map[combat.ID]combat.Sight{b.ids["Cedar"]: {HP: "none"}, b.ids["Dune"]: {}}
			},
		},
		"from whom several are hidden": {
			first: func(b *table) combat.Command {
				return combat.SetHidden{Combatants: one(b.ids["Cedar"]), Hidden: true, UntilAct: true, From: combat.Spectators}
			},
			late: func(b *table, base bool) combat.Command {
				cmd := combat.SetHidden{Combatants: []combat.ID{b.ids["Dune"], b.ids["Cedar"]}, Hidden: true}
				if base {
					cmd.Bases = map[combat.ID]string{b.ids["Cedar"]: "shown", b.ids["Dune"]: "shown"}
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				return combat.SetHidden{Combatants: []combat.ID{b.ids["Dune"], b.ids["Cedar"]}, Hidden: true, From: combat.Spectators,
					Bases: map[combat.ID]string{b.ids["Cedar"]: "untilAct", b.ids["Dune"]: "shown"}}
			},
			field: "hidden", now: func(b *table) any {
				return map[combat.ID]string{b.ids["Cedar"]: "untilAct", b.ids["Dune"]: "shown"}
			},
		},
		"whose somebody is": {
			first: func(b *table) combat.Command {
				return combat.AssignSeat{Combatant: b.ids["Cedar"], Seat: "seatAsh"}
			},
			late: func(b *table, base bool) combat.Command {
				cmd := combat.AssignSeat{Combatant: b.ids["Cedar"], Seat: "seatBirch"}
				if base {
					cmd.Base = new(combat.ID)
				}
				return cmd
			},
			over: func(b *table) combat.Command {
				ash := combat.ID("seatAsh")
				return combat.AssignSeat{Combatant: b.ids["Cedar"], Seat: "seatBirch", Base: &ash}
			},
			field: "seat", now: func(*table) any { return combat.ID("seatAsh") },
		},
		"a seat's name": {
			first: func(*table) combat.Command {
				kim := "Kim"
				return combat.EditSeat{Seat: "seatAsh", Name: &kim}
			},
			late: func(_ *table, base bool) combat.Command {
				ana, was := "Ana", "Ash"
				cmd := combat.EditSeat{Seat: "seatAsh", Name: &ana}
				if base {
					cmd.Base = &was
				}
				return cmd
			},
			over: func(*table) combat.Command {
				ana, was := "Ana", "Kim"
				return combat.EditSeat{Seat: "seatAsh", Name: &ana, Base: &was}
			},
			field: "name", now: func(*table) any { return "Kim" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := quartet(t, nil)
			b.begin(1) // Birch's turn
			b.do("", c.first(b))
			before := b.encoded()
			r := b.try(b.by(""), c.late(b, true))
			if r == nil || r.Code != "stale_edit" || r.Params["field"] != c.field || b.encoded() != before {
				t.Fatalf("on an old base: %+v", r)
			}
			if got, want := asJSON(t, r.Params["now"]), asJSON(t, c.now(b)); got != want {
				t.Errorf("there is %s now, told is %s", want, got)
			}
			if _, _, r := b.engine.Decide(b.state, c.late(b, false), b.by("")); r != nil {
				t.Errorf("without a base: %+v", r)
			}
			b.do("", c.over(b))
			after := b.encoded()
			if c.field == "name" { // names stand outside undo
				return
			}
			b.do("", combat.Undo{})
			b.do("", combat.Redo{})
			if trimmed(t, b.encoded()) != trimmed(t, after) {
				t.Errorf("undone and redone\n%s\nbefore\n%s", b.encoded(), after)
			}
		})
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// trimmed is a state without the number of its commit.
func trimmed(t *testing.T, state string) string {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(state), &all); err != nil {
		t.Fatal(err)
	}
	delete(all, "seq")
	return asJSON(t, all)
}

func TestABaseThatSaysNothingIsRefused(t *testing.T) {
	b := quartet(t, nil)
	cedar, dune := b.ids["Cedar"], b.ids["Dune"]
	exact := "exact"
	b.refused(b.by(""), combat.SetTempHP{Combatants: []combat.ID{cedar}, Amount: 3, Base: map[combat.ID]int{dune: 0}}, "bad_value")
	b.refused(b.by(""), combat.SetOptions{Options: map[string]string{"npcHp": "none"}, BaseOptions: map[string]string{"npcAc": "no"}}, "bad_value")
	b.refused(b.by(""), combat.SetHidden{Combatants: []combat.ID{cedar}, Hidden: true, Base: "gone"}, "bad_value")
	b.refused(b.by(""), combat.SetSight{Combatants: []combat.ID{cedar}, Audience: combat.Players, HP: &exact, Base: &combat.Sight{HP: "some"}}, "bad_value")
	b.refused(b.by(""), combat.SetHidden{Combatants: []combat.ID{cedar}, Hidden: true, Bases: map[combat.ID]string{cedar: ""}}, "bad_value")
	b.refused(b.by(""), combat.SetHidden{Combatants: []combat.ID{cedar}, Hidden: true, Bases: map[combat.ID]string{dune: "shown"}}, "bad_value")
	b.refused(b.by(""), combat.SetSight{Combatants: []combat.ID{cedar}, Audience: combat.Players, HP: &exact, Bases: map[combat.ID]combat.Sight{cedar: {HP: "some"}}}, "bad_value")
	b.refused(b.by(""), combat.SetSight{Combatants: []combat.ID{cedar}, Audience: combat.Players, HP: &exact, Bases: map[combat.ID]combat.Sight{dune: {}}}, "bad_value")
	b.refused(b.by(""), combat.SetInitiative{Combatant: cedar, Count: combat.Whole(3), Bases: map[combat.ID]combat.Count{dune: combat.Whole(9)}}, "bad_value")
	b.begin(0)
	b.refused(b.by(""), combat.Reorder{Order: []combat.ID{cedar, dune}, Base: []combat.ID{cedar, "nobody"}}, "unknown_combatant")
}

// Of several some may have no count: whoever gets one meanwhile does not lose it,
// and whoever sets them is told what each of them has.
func TestTheCountsOfSeveralWithAndWithoutOne(t *testing.T) {
	b := quartet(t, nil)
	cedar := b.ids["Cedar"]
	b.do("", combat.AddCombatant{Name: "Echo"})
	b.do("", combat.AddCombatant{Name: "Fox"})
	echo, fox := b.state.Combatants[4].ID, b.state.Combatants[5].ID
	both := combat.SetInitiative{Combatant: echo, Also: []combat.ID{cedar}, Count: combat.Whole(20), Bases: map[combat.ID]combat.Count{cedar: combat.Whole(12)}}
	b.do("", combat.SetInitiative{Combatant: echo, Count: combat.Whole(5)})
	now := func(r *combat.Refusal) string {
		t.Helper()
		if r == nil || r.Code != "stale_edit" {
			t.Fatalf("%+v", r)
		}
		return asJSON(t, r.Params["now"])
	}
	if got, want := now(b.try(b.by(""), both)), asJSON(t, map[combat.ID]combat.Count{cedar: combat.Whole(12), echo: combat.Whole(5)}); got != want {
		t.Errorf("told is %s, not %s", got, want)
	}
	first := combat.SetInitiative{Combatant: echo, Also: []combat.ID{fox}, Count: combat.Whole(20), First: true}
	if got, want := now(b.try(b.by(""), first)), asJSON(t, map[combat.ID]combat.Count{echo: combat.Whole(5)}); got != want {
		t.Errorf("told is %s, not %s", got, want)
	}
	both.Bases[echo] = combat.Whole(5)
	b.do("", both)
	if a, c := b.state.Combatant(echo).Init, b.state.Combatant(cedar).Init; *a != *c || *a != combat.Whole(20) {
		t.Errorf("they have %v and %v", a, c)
	}
}

// A row that was moved between others stands in the way of an order that was made
// without it, and elsewhere it does not.
func TestAnOrderIsMadeOnThePlacesItFills(t *testing.T) {
	b := quartet(t, nil)
	ash, birch, cedar, dune := b.ids["Ash"], b.ids["Birch"], b.ids["Cedar"], b.ids["Dune"]
	b.begin(0)
	b.do("", combat.Reorder{Order: []combat.ID{cedar, birch}, Base: []combat.ID{birch, cedar}})
	r := b.try(b.by(""), combat.Reorder{Order: []combat.ID{dune, cedar}, Base: []combat.ID{cedar, dune}})
	if r == nil || r.Code != "stale_edit" || asJSON(t, r.Params["now"]) != asJSON(t, []combat.ID{cedar, birch, dune}) {
		t.Fatalf("%+v", r)
	}
	b.do("", combat.Reorder{Order: []combat.ID{cedar, ash}, Base: []combat.ID{ash, cedar}})
	b.do("", combat.Reorder{Order: []combat.ID{dune, birch}, Base: []combat.ID{birch, dune}})
	order, _ := seen[[]combat.SlotView](b, gameM, "order")
	for i, want := range []combat.ID{cedar, ash, dune, birch} {
		if order[i].Combatants[0] != want {
			t.Errorf("place %d is %s's", i, b.state.Combatant(order[i].Combatants[0]).Name)
		}
	}
}

// Two who make somebody active at once: the later one does not skip a turn that it
// never saw.
func TestATurnIsSetOverTheOneThatWasSeen(t *testing.T) {
	b := quartet(t, nil)
	b.begin(0)
	seen := b.state.Turn().ID
	b.do("", combat.SetActive{Combatant: b.ids["Cedar"], Frame: seen})
	b.refused(b.by(""), combat.SetActive{Combatant: b.ids["Dune"], Frame: seen}, "stale_frame")
	b.isTurn("Cedar")
	b.do("", combat.SetActive{Combatant: b.ids["Dune"]})
	b.isTurn("Dune")
}

// What a player proposes is held to its base when it is said; the GM's yes is given
// to what stands then.
func TestAProposalOutlivesItsBase(t *testing.T) {
	b := quartet(t, map[string]string{"playersHurt": "ask"})
	ash, yes := b.ids["Ash"], true
	propose := func(base int) combat.Command {
		return combat.SetTempHP{Combatants: []combat.ID{ash}, Amount: 5, Base: map[combat.ID]int{ash: base}}
	}
	b.refused(b.by("Ash"), propose(3), "stale_edit")
	b.do("Ash", propose(0))
	b.do("", combat.SetTempHP{Combatants: []combat.ID{ash}, Amount: 2})
	b.do("", combat.Answer{Pending: b.state.Pending[0].ID, Accept: &yes})
	if temp := b.state.Combatant(ash).Temp; temp != 5 {
		t.Errorf("it has %d", temp)
	}
}
