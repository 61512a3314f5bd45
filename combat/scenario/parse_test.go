package scenario

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"riposte/combat"
)

// head begins a scenario with two combatants.
const head = `scenario X "a title"
rules dnd5e
add A hp=20 score=15 weapon.sword=-1/-6
add G name=Goblin side=foes hidden lair recharge.breath=5 answers=shield,counterspell init=-1.5
`

func TestParse(t *testing.T) {
	all, err := Parse("f.scn", []byte(head+`
	start # begins
	expect turn A
scenario Y
	rules starfinder
	option sf.anchor=place reactionWindows=ask
	add "Giant Rat" npc
	"Giant Rat": delay !not_your_turn
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Fatalf("%d scenarios", len(all))
	}
	x, y := all[0], all[1]
	if x.ID != "X" || x.Title != "a title" || x.Rules != "dnd5e" || x.Pos != (Pos{"f.scn", 1}) || len(x.Steps) != 4 {
		t.Errorf("%+v", x)
	}
	if got := x.Steps[2]; got.Pos.Line != 6 || got.Text != "start # begins" {
		t.Errorf("%+v", got)
	}
	a, g := x.Steps[0].added, x.Steps[1].added
	if want := map[string]int{"score": 15, "weapon.sword.first": -1, "weapon.sword.next": -6}; !a.seated || !reflect.DeepEqual(a.sheet.Stats, want) {
		t.Errorf("%+v", a)
	}
	count := combat.Count(-150)
	want := combat.AddCombatant{Name: "Goblin", Side: "foes", Hidden: true, Init: &count, Stats: map[string]int{"lair": 1},
		Recharge: map[string]int{"breath": 5}, Answers: []string{"shield", "counterspell"}}
	if g.seated || !reflect.DeepEqual(g.sheet, want) {
		t.Errorf("%+v", g.sheet)
	}
	if want := map[string]string{"sf.anchor": "place", "reactionWindows": "ask"}; !reflect.DeepEqual(y.Options, want) {
		t.Errorf("%v", y.Options)
	}
	if step := y.Steps[1]; step.Code != "not_your_turn" || step.subject != "Giant Rat" {
		t.Errorf("%+v", step)
	}
}

// TestCommands reads a statement and compares the command that it sends.
func TestCommands(t *testing.T) {
	yes, no, seventeen, five := true, false, 17, 5
	for text, want := range map[string]combat.Command{
		`A: attack G`:                   combat.Act{Combatant: "a", Kind: "attack", Targets: ids("g")},
		`A: attack G hit 7`:             combat.Act{Combatant: "a", Kind: "attack", Targets: ids("g"), Attack: &combat.Attack{Hit: &yes, Damage: "7"}},
		`A: attack G hit`:               combat.Act{Combatant: "a", Kind: "attack", Targets: ids("g"), Attack: &combat.Attack{Hit: &yes}},
		`A: attack G total=17 damage=7`: combat.Act{Combatant: "a", Kind: "attack", Targets: ids("g"), Attack: &combat.Attack{Total: &seventeen, Damage: "7"}},
		`A: attack G miss melee`:        combat.Act{Combatant: "a", Kind: "attack", Targets: ids("g"), Attack: &combat.Attack{Hit: &no, Melee: true}},
		`A: attack G toHit=5 damage=2d6+3 kind=fire critical`: combat.Act{Combatant: "a", Kind: "attack", Targets: ids("g"),
			Attack: &combat.Attack{ToHit: &five, Damage: "2d6+3", Kind: "fire", Critical: true}},
		`A: act castSpell "fire ball" bonus level=3 targets A G provokes G`: combat.Act{Combatant: "a", Kind: "castSpell", Name: "fire ball",
			Cost: "bonus", Level: 3, Targets: ids("a", "g"), Provokes: ids("g")},
		`A: move 30 leaves G difficult crawl`: combat.Move{Combatant: "a", Feet: 30, LeavesReachOf: ids("g"), Difficult: true, Crawl: true},
		`A: move stand`:                       combat.Move{Combatant: "a", Stand: true},
		`A: end`:                              combat.EndTurn{Combatant: "a"},
		`A: return`:                           combat.ReturnFromDelay{Combatant: "a"},
		`A: ready attack G when "G shoots" defensive`: combat.Ready{Combatant: "a", Kind: "attack", Targets: ids("g"), Trigger: "G shoots", Defensive: true},
		`A: release G hit 4 done`:                     combat.Release{Combatant: "a", Targets: ids("g"), Attack: &combat.Attack{Hit: &yes, Damage: "4"}, Done: true},
		`A: react shield defensive ac=5`:              combat.React{Combatant: "a", Kind: "shield", Defensive: true, AC: 5},
		`G: react opportunityAttack A hit 4 done`: combat.React{Combatant: "g", Kind: "opportunityAttack", Targets: ids("a"),
			Attack: &combat.Attack{Hit: &yes, Damage: "4"}, Done: true},
		`G: legendary tail cost=2 A`: combat.LegendaryAction{Combatant: "g", Name: "tail", Cost: 2, Targets: ids("a")},
		`lair: act "rocks fall"`:     combat.LairAction{Name: "rocks fall"},
		`A: declare sword sword+2 drawWeapon`: combat.Declare{Combatant: "a", Actions: []combat.Declared{
			{Kind: "attack", Weapon: "sword"}, {Kind: "attack", Weapon: "sword", Hasten: 2}, {Kind: "drawWeapon"}}},
		`A: save death 12`: combat.Answer{Pending: "death", Die: 12},
		`surprised A G`:    combat.SetSurprised{Combatants: ids("a", "g"), Surprised: true},
		`init A 15,5`:      combat.SetInitiative{Combatant: "a", Count: 1550},
		`roll A 11`:        combat.RollInitiative{Combatants: ids("a"), Die: 11},
		`rolloff G 9`:      combat.RollOff{Combatant: "g", Die: 9},
		`A: tie G A`:       combat.SettleTie{Order: ids("g", "a")},
		`gm: damage A G 17 from G kind=fire critical`: combat.Damage{Combatants: ids("a", "g"), Amount: 17, Source: "g", Kind: "fire", Critical: true},
		`gm: kill G`: combat.SetDefeated{Combatants: ids("g"), Defeated: true},
		`gm: effect stunned on G from A until end of A next turn`: combat.AddEffect{Combatants: ids("g"), Name: "stunned", Source: "a",
			Until: &combat.Until{At: "turnEnd", Of: "a"}},
		`gm: effect bless on A for 3 rounds concentration ac=2`: combat.AddEffect{Combatants: ids("a"), Name: "bless",
			Until: &combat.Until{At: "rounds", Rounds: 3}, Concentration: true, AC: 2},
		`gm: effect held on A save con 12 until end of round`: combat.AddEffect{Combatants: ids("a"), Name: "held",
			Until: &combat.Until{At: "roundEnd"}, Save: &combat.Save{Ability: "con", DC: 12}},
		`gm: noeffect bless on A`: combat.RemoveEffect{Effects: ids("bless")},
		`gm: end`:                 combat.EndTurn{},
		`gm/A: end`:               combat.EndTurn{Combatant: "a"},
		`gm: grant A reaction -1`: combat.Grant{Combatant: "a", Pool: "reaction", Amount: -1},
		`gm: edit A ac=14 speed=15`: func() combat.Command {
			ac, speed := 14, 15
			return combat.EditCombatant{Combatant: "a", AC: &ac, Speed: &speed}
		}(),
	} {
		t.Run(text, func(t *testing.T) {
			all, err := Parse("f", []byte(head+text+"\nexpect round 0\n"))
			if err != nil {
				t.Fatal(err)
			}
			g := &game{known: map[string]combat.ID{"A": "a", "G": "g"}, gm: View{}}
			if got := all[0].Steps[2].command(g); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %#v\nwant %#v", got, want)
			}
		})
	}
}

func ids(all ...combat.ID) []combat.ID { return all }

// TestMistakes reads files that must not pass, and what is said of them.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		head + `start`:                                  `f:1: scenario X expects nothing`,
		"scenario X\nexpect round 0":                    `f:2: the rules must be named first`,
		"start":                                         `f:1: no scenario has begun`,
		head + `A: fly`:                                 `f:5: unknown word "fly"`,
		head + `A: end now`:                             `f:5: unknown word "now"`,
		head + `A: end hit 7`:                           `f:5: unknown word "hit"`,
		head + `A: attack Z`:                            `f:5: nobody is called "Z"`,
		head + `Z: end`:                                 `f:5: nobody is called "Z"`,
		head + `A: attack G damages=7`:                  `f:5: unknown word "damages=7"`,
		head + `A: move far`:                            `f:5: "far" is not a whole number`,
		head + `A: attack`:                              `f:5: the statement ends too early`,
		head + `A: ready attack when "x`:                `f:5: a quote is not closed`,
		head + `expect luck A 3`:                        `f:5: unknown word "luck"`,
		head + `expect can A fly`:                       `f:5: unknown word "fly"`,
		head + `expect order A18 Q7`:                    `f:5: "Q7" is not a name with a count`,
		head + `expect turn A !code`:                    `f:5: only a command can be refused`,
		head + `sequence A |`:                           `f:5: the statement ends too early`,
		head + `add A`:                                  `f:5: there is a "A" already`,
		head + `add lair`:                               `f:5: "lair" means something else`,
		head + `add B flying`:                           `f:5: unknown word "flying"`,
		head + `option a=b`:                             `f:5: options come before anything else; later it is gm: option`,
		head + `gm: effect x on A until dawn`:           `f:5: unknown word "dawn"`,
		"scenario X\n" + strings.Repeat("\n", MaxLines): `f: more than 20000 lines`,
		strings.Repeat("x ", MaxWords+1):                `f:1: more than 80 words in a line`,
		strings.Repeat("x", MaxBytes+1):                 `f: more than 1048576 bytes`,
	} {
		if _, err := Parse("f", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.60q:\n got  %v\n want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("../testdata/scenarios/*.scn")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		// One scenario each: the fuzzer gets nowhere with whole files.
		for _, one := range strings.SplitAfter(string(text), "\n\n") {
			f.Add([]byte(one))
		}
	}
	f.Add([]byte(head + "sequence A G | A\nA: attack G hit \"\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := Parse("f", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("an error without a position: %v", err)
			}
			return
		}
		for _, s := range all {
			g := &game{known: map[string]combat.ID{}, gm: View{}}
			for _, step := range s.Steps {
				if step.command != nil {
					if _, err := combat.EncodeCommand(step.command(g)); err != nil {
						t.Errorf("%s: %v", step.Text, err)
					}
				}
			}
		}
	})
}
