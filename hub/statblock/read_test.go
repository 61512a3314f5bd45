package statblock

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/combat/lightsandshadows"
	"riposte/combat/starfinder"
)

var (
	fiveE   combat.System = dnd5e.System{}
	sf      combat.System = starfinder.System{}
	systems               = []combat.System{fiveE, sf, lightsandshadows.System{}}
)

// sample reads one of the files with creatures of our own, in other programs'
// formats.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// short says a creature in one line: what the rules read of it, then its
// warnings.
func short(c FileCreature) string {
	a := c.Creature
	notes := a.Notes
	a.Notes = ""
	text, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	var said []string
	for _, w := range c.Warnings {
		said = append(said, w.Field+":"+w.Code)
	}
	line := string(text)
	if notes != "" {
		line += " notes"
	}
	return strings.TrimSpace(line + " " + strings.Join(said, " "))
}

// Every format gives what its file says, in the terms of the rule system.
func TestFormats(t *testing.T) {
	for _, test := range []struct {
		file, format string
		system       combat.System
		want         []string
	}{
		{"riposte-creatures.json", FormatCreatures, fiveE, []string{
			`{"name":"Reed Stalker","side":"foes","kind":"npc","group":"Stalkers","mod":3,"hp":18,"ac":13,"answers":["parry"],"recharge":{"Mud Spray":5},"stats":{"dex":16,"save.con":1},"times":3} notes`,
			`{"name":"Wren","side":"party","kind":"pc","mod":2,"init":15.25,"hp":27,"current":19,"temp":4,"ac":16,"speed":25,"times":1}`,
			`{"name":"The Ford Itself","side":"foes","kind":"npc","hidden":true,"times":1}`}},
		{"riposte-encounter.json", FormatEncounter, fiveE, []string{
			`{"name":"Reed Stalker","side":"foes","kind":"npc","mod":3,"init":14.5,"hp":18,"current":7,"ac":13,"speed":30,"times":1} effects:dropped`,
			`{"name":"Wren","side":"party","kind":"pc","mod":2,"init":9,"hp":27,"ac":16,"speed":25,"hidden":true,"times":1}`}},
		{"improved-list.json", FormatImproved, fiveE, []string{
			`{"name":"Mire Lurker","side":"foes","kind":"npc","mod":3,"hp":52,"ac":14,"speed":20,"answers":["parry"],"recharge":{"Bog Breath":5},"stats":{"bonus":1,"dex":14,"legendary":2,"save.cha":-3,"save.con":5,"save.dex":2,"save.int":-2,"save.str":3,"save.wis":1},"times":1} notes`,
			`{"name":"Hazel Underbough","side":"party","kind":"pc","mod":4,"hp":38,"ac":15,"speed":30,"stats":{"dex":18,"save.cha":-1,"save.con":1,"save.dex":4,"save.int":0,"save.str":0,"save.wis":2},"times":1} notes`}},
		{"improved-handover.json", FormatImproved, fiveE, []string{
			`{"name":"Toll Collector","side":"foes","kind":"npc","hp":22,"times":1}`,
			`{"name":"Toll Dog","side":"foes","kind":"npc","mod":2,"hp":7,"ac":12,"times":1} hp:averaged`}},
		{"foundry-5e-npc.json", FormatFoundry5e, fiveE, []string{
			`{"name":"Cinder Wyrmling","side":"foes","kind":"npc","mod":3,"hp":75,"current":60,"ac":17,"speed":30,"hidden":true,"answers":["parry"],"recharge":{"Cinder Breath":5},"stats":{"dex":14,"lair":1,"legendary":3,"save.cha":1,"save.con":3,"save.dex":2,"save.int":0,"save.str":3,"save.wis":0},"times":1} notes effects:dropped`}},
		{"foundry-5e-old.json", FormatFoundry5e, fiveE, []string{
			`{"name":"Bridge Guard","side":"party","kind":"npc","mod":1,"hp":11,"temp":2,"ac":16,"speed":30,"stats":{"dex":12,"save.cha":0,"save.con":0,"save.dex":1,"save.int":0,"save.str":0,"save.wis":0},"times":1} notes speed:from_metres`}},
		{"foundry-starfinder-npc.json", FormatFoundryStarfinder, sf, []string{
			`{"name":"Void Skitterer","side":"foes","kind":"npc","mod":5,"hp":23,"ac":14,"speed":30,"stats":{"save.fort":4,"save.ref":6,"save.will":1},"times":1} notes ac:one_armour_class effects:dropped`}},
		{"foundry-starfinder-character.json", FormatFoundryStarfinder, sf, []string{
			`{"name":"Captain Oru","side":"party","kind":"pc","mod":5,"hp":22,"current":18,"temp":3,"speed":40,"stats":{"resolve":6,"stamina":24},"times":1} notes ac:missing mod:computed stamina:dropped`}},
		{"open5e-v1.json", FormatOpen5eV1, fiveE, []string{
			`{"name":"Fen Witch","side":"foes","kind":"npc","mod":2,"hp":49,"ac":12,"speed":30,"answers":["shield","counterspell"],"stats":{"dex":15,"legendary":3,"save.cha":2,"save.con":1,"save.dex":2,"save.int":1,"save.str":-1,"save.wis":6},"times":1} notes`}},
		{"open5e-v2.json", FormatOpen5eV2, fiveE, []string{
			`{"name":"Glass Heron","side":"foes","kind":"npc","mod":4,"hp":58,"ac":16,"speed":20,"answers":["parry"],"recharge":{"Shard Storm":6},"stats":{"bonus":1,"dex":16,"lair":1,"save.cha":-5,"save.con":1,"save.dex":5,"save.int":-4,"save.str":2,"save.wis":0},"times":1} notes`}},
		{"srd.json", FormatSRD, fiveE, []string{
			`{"name":"Lantern Beetle","side":"foes","kind":"npc","mod":1,"hp":4,"ac":11,"speed":20,"answers":["uncannyDodge"],"recharge":{"Flash":5},"stats":{"dex":13,"save.cha":-3,"save.con":4,"save.dex":1,"save.int":-5,"save.str":-4,"save.wis":-1},"times":1} notes`}},
		{"5etools.json", Format5etools, fiveE, []string{
			`{"name":"Salt Knight","side":"foes","kind":"npc","mod":4,"hp":65,"ac":18,"speed":30,"answers":["shield","parry"],"recharge":{"Brine Wave":5},"stats":{"bonus":1,"dex":12,"lair":1,"legendary":3,"save.cha":2,"save.con":5,"save.dex":1,"save.int":0,"save.str":4,"save.wis":1},"times":1} notes legendary:assumed`}},
		{"table-en.csv", FormatCSV, fiveE, []string{
			`{"name":"River Bandit","side":"foes","kind":"npc","group":"Bandits","mod":2,"hp":11,"ac":12,"times":4} notes`,
			`{"name":"Tam","side":"party","kind":"pc","mod":3,"init":12.5,"hp":24,"current":18,"temp":2,"ac":15,"times":1}`,
			`{"name":"The Eel","side":"foes","kind":"npc","mod":-1,"hp":7,"ac":10,"hidden":true,"times":1} hp:averaged`}},
		{"table-fr.csv", FormatCSV, fiveE, []string{
			`{"name":"Éclaireur","side":"foes","kind":"npc","mod":3,"hp":16,"ac":13,"speed":30,"hidden":true,"stats":{"dex":16},"times":2} notes speed:from_metres`,
			`{"name":"Anaïs","side":"party","kind":"pc","mod":2,"init":12.5,"hp":27,"current":20,"ac":15,"speed":30,"stats":{"dex":14},"times":1} speed:from_metres`}},
		{"table.tsv", FormatCSV, fiveE, []string{
			`{"name":"Pit Viper","side":"foes","kind":"npc","init":14,"hp":7,"ac":13,"times":1}`,
			`{"name":"Old Crow","side":"foes","kind":"npc","hp":3,"ac":11,"times":1}`}},
	} {
		got := Read(sample(t, test.file), test.system)
		if got.Format != test.format {
			t.Errorf("%s: format %q", test.file, got.Format)
		}
		var lines []string
		for _, c := range got.Creatures {
			lines = append(lines, short(c))
		}
		if !slices.Equal(lines, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.file, strings.Join(lines, "\n     "), strings.Join(test.want, "\n     "))
		}
	}
}

// What a rule system has no use for is left out, and said once for the file.
func TestOtherRules(t *testing.T) {
	got := Read(sample(t, "improved-list.json"), lightsandshadows.System{})
	if len(got.Creatures) != 2 || len(got.Creatures[0].Creature.Stats) != 0 || got.Creatures[0].Creature.Mod != 3 {
		t.Fatalf("%+v", got.Creatures)
	}
	if len(got.Warnings) != 1 || got.Warnings[0].Code != WarnRules || !strings.Contains(got.Warnings[0].Params["what"].(string), "legendary") {
		t.Fatalf("%+v", got.Warnings)
	}
	// A column that only this system reads is one of its numbers.
	got = Read([]byte("nom,score,weapon.sword.first,weapon.sword.next\nBran,17,-1,-6\n"), lightsandshadows.System{})
	if want := map[string]int{"score": 17, "weapon.sword.first": -1, "weapon.sword.next": -6}; len(got.Creatures) != 1 || !reflect.DeepEqual(got.Creatures[0].Creature.Stats, want) {
		t.Fatalf("%+v", got)
	}
}

// An export holds everything: characters first, then the encounters, then the
// library. Combatants keep what the fight did to them.
func TestImprovedExport(t *testing.T) {
	got := Read(sample(t, "improved-new.json"), fiveE)
	var names []string
	for _, c := range got.Creatures {
		names = append(names, c.Where+" "+c.Creature.Name)
	}
	want := []string{"PersistentCharacters.hz1 Hazel Underbough", "SavedEncounters.en1.Combatants[0] Mire Lurker 1", "SavedEncounters.en1.Combatants[1] Mire Lurker 2",
		"SavedEncounters.en1.Combatants[2] Old Mother", "SavedEncounters.en1.Combatants[3] Hazel Underbough", "Creatures.mk2f9 Mire Lurker"}
	if !slices.Equal(names, want) || len(got.Faults) > 0 {
		t.Fatalf("%q, faults %+v", names, got.Faults)
	}
	first, second, mother, hazel := got.Creatures[1], got.Creatures[2].Creature, got.Creatures[3].Creature, got.Creatures[4].Creature
	if *first.Creature.Current != 40 || *first.Creature.Init != combat.Whole(12) || first.Source != "Under the bridge" || first.Warnings[0].Params["what"] != "Grappled" {
		t.Errorf("the first: %+v", first)
	}
	if *second.Current != 0 || !second.Hidden {
		t.Errorf("below zero is zero: %+v", second)
	}
	if mother.Init == nil || *mother.Init != 0 {
		t.Errorf("a count of zero in a running fight is a count: %+v", mother)
	}
	if hazel.Kind != "pc" || hazel.Temp != 5 || *hazel.Init != combat.Whole(17) || !strings.HasSuffix(hazel.Notes, "Torch out") {
		t.Errorf("the character: %+v", hazel)
	}

	old := Read(sample(t, "improved-old.json"), fiveE)
	names = names[:0]
	for _, c := range old.Creatures {
		names = append(names, c.Where)
	}
	want = []string{"ImprovedInitiative.PersistentCharacters.hz1", "ImprovedInitiative.AutoSavedEncounters.default.Combatants[0]", "ImprovedInitiative.Creatures.mk2f9"}
	if !slices.Equal(names, want) || len(old.Faults) > 0 {
		t.Fatalf("%q, faults %+v", names, old.Faults)
	}
	if *old.Creatures[0].Creature.Current != 21 || old.Creatures[1].Creature.Init != nil {
		t.Errorf("kept %+v, not begun %+v", old.Creatures[0].Creature, old.Creatures[1].Creature)
	}
}

// Foundry works out what characters wear; a combat has names and counts.
func TestFoundryDocuments(t *testing.T) {
	got := Read(sample(t, "foundry-5e-character.json"), fiveE)
	if len(got.Creatures) != 2 || len(got.Faults) > 0 {
		t.Fatalf("%+v", got)
	}
	ilse := got.Creatures[0]
	if ilse.Creature.AC != 18 || ilse.Creature.HP != 28 || ilse.Creature.Kind != "pc" || !slices.Equal(ilse.Creature.Answers, []string{"shield"}) {
		t.Errorf("%+v", ilse)
	}
	if len(ilse.Warnings) != 2 || ilse.Warnings[0].Code != WarnFromHP || ilse.Warnings[1].Code != WarnComputed {
		t.Errorf("%+v", ilse.Warnings)
	}
	fight := Read(sample(t, "foundry-combat.json"), fiveE)
	if fight.Format != FormatFoundryCombat || len(fight.Creatures) != 2 {
		t.Fatalf("%+v", fight)
	}
	guard, fog := fight.Creatures[0].Creature, fight.Creatures[1]
	if guard.Name != "Bridge Guard (2)" || guard.HP != 11 || *guard.Init != 1314 {
		t.Errorf("%+v", guard)
	}
	if fog.Creature.Init != nil || !fog.Creature.Hidden || fog.Warnings[0].Code != WarnMissing {
		t.Errorf("%+v", fog)
	}
	for what, document := range map[string]string{
		"weapon":  `{"name":"Axe","type":"weapon","system":{"damage":{}}}`,
		"vehicle": `{"name":"Cart","type":"vehicle","system":{"attributes":{"hp":{"max":9}}}}`,
		"pf2e":    `{"name":"Elf","type":"character","system":{"attributes":{"hp":{"max":9}}},"_stats":{"systemId":"pf2e"}}`,
	} {
		got := Read([]byte(document), fiveE)
		if len(got.Creatures) != 0 || len(got.Faults) != 1 || got.Faults[0].Code != FaultNoCreature || got.Faults[0].Params["what"] != what || got.Faults[0].Name == "" {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

// Notes are plain text: the most needed first, bounded.
func TestNotes(t *testing.T) {
	notes := Read(sample(t, "foundry-5e-npc.json"), fiveE).Creatures[0].Creature.Notes
	want := "dragon, Chaotic Evil, CR 4\nfly 60 ft\n×2 cold\n×0 fire\n• Cinder Breath. A 15-foot cone of cinders: 5d6 fire, blinded on a failure, see Cinders.\n• Bite. Melee +6 to hit\n↩ Parry. +2 AC\n★ Tail Flick. Knocks prone"
	if notes != want {
		t.Errorf("%q", notes)
	}
	var actions []string
	for range 60 {
		actions = append(actions, `{"Name":"Claw","Content":"`+strings.Repeat("rends ", 200)+`"}`)
	}
	got := Read([]byte(`{"Name":"Mole","HP":{"Value":5},"Actions":[`+strings.Join(actions, ",")+`]}`), fiveE)
	if n := len([]rune(got.Creatures[0].Creature.Notes)); n > maxNotes {
		t.Errorf("%d letters", n)
	}
	// What people wrote for themselves stays as they wrote it.
	own := Read([]byte(`{"format":"riposte-creatures/1","creatures":[{"name":"A","notes":"**one**\n\n<b>two</b>"}]}`), fiveE)
	if own.Creatures[0].Creature.Notes != "**one**\n\n<b>two</b>" {
		t.Errorf("%q", own.Creatures[0].Creature.Notes)
	}
}

// What is offered as sound can be added under its rule system, all of a file at
// once.
func TestSoundCanBeAdded(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, system := range systems {
		engine := combat.New(system)
		gm := combat.By{Role: combat.RoleGM, Dice: &ones{}}
		_, state, refusal := engine.Create("e", system.Name(), "", nil, map[string]string{}, gm)
		if refusal != nil {
			t.Fatal(refusal)
		}
		for _, path := range files {
			data := sample(t, filepath.Base(path))
			var all []combat.AddCombatant
			for _, c := range Read(data, system).Creatures {
				all = append(all, c.Creature)
			}
			if len(all) == 0 {
				t.Errorf("%s: nothing under %s", path, system.Name())
				continue
			}
			if _, _, refusal := engine.Decide(state, combat.ImportCombatants{Combatants: all}, gm); refusal != nil {
				t.Errorf("%s under %s: %s %v", path, system.Name(), refusal.Code, refusal.Params)
			}
		}
	}
}

// ones are dice that give each id its own number.
type ones struct{ n int }

func (d *ones) Roll(sides int) int {
	d.n++
	return d.n%sides + 1
}
