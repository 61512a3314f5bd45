package hub_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// shade is a hidden combatant with hit points that occur nowhere else.
var shade = combat.AddCombatant{Name: "Shade", Kind: "npc", Side: "foes", HP: 4417, Mod: 3, Hidden: true}

func withCount(c combat.AddCombatant, n int) combat.AddCombatant {
	count := combat.Whole(n)
	c.Init = &count
	return c
}

// story is the messages of a socket, one a line, without what differs between
// two tables at two times: moments, and ids. Those given are written by name,
// the others numbered in the order in which they appear.
func story(t *testing.T, c *hubtest.Client, known map[string]combat.ID) string {
	t.Helper()
	moment := regexp.MustCompile(`"(at|startedAt|now|epoch|deadline)":("[^"]*"|\d+)`)
	id := regexp.MustCompile(`"[a-z][0-9a-z]{2,7}"|"[0-9a-f-]{36}"`)
	names := map[string]string{}
	var out strings.Builder
	for _, frame := range c.Frames() {
		messages := []json.RawMessage{json.RawMessage(frame)}
		if frame[0] == '[' {
			messages = decode[[]json.RawMessage](t, []byte(frame))
		}
		for _, m := range messages {
			line := moment.ReplaceAllString(string(m), `"$1":0`)
			for name, id := range known {
				line = strings.ReplaceAll(line, string(id), name)
			}
			line = encode(t, decode[map[string]any](t, []byte(line))) // keys in order
			switch kind := decode[hub.Head](t, m).Type; kind {
			case "head", "presence", "ack":
				continue // they tell of time, of who is here, and of one's own commands
			}
			line = id.ReplaceAllStringFunc(line, func(found string) string {
				if names[found] == "" {
					names[found] = fmt.Sprintf("id%d", len(names)+1)
				}
				return names[found]
			})
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// B39: what somebody unseen does leaves no trace: the frames are those of a
// table where it is not. It may be hidden from all, from players or from
// spectators alone.
func TestB39NothingUnseenShows(t *testing.T) {
	const all = "all"
	tell := func(hidden string) (player, spectator, seat string) {
		b := quartet(t, hub.Limits{}, nil)
		lurker := combat.ID("")
		if hidden != "" {
			b.gm.Must(withCount(shade, 13))
			for _, c := range b.gm.Combatants() {
				if c.Name == "Shade" {
					lurker = c.ID
				}
			}
			if shown := map[string]string{combat.Players: combat.Spectators, combat.Spectators: combat.Players}[hidden]; shown != "" {
				b.gm.Must(combat.SetHidden{Combatants: []combat.ID{lurker}, From: shown})
			}
		}
		watcher := b.Join(b.Tokens[combat.RolePlayer])
		b.gm.Must(combat.StartCombat{})
		b.p1.WaitSeq(b.seqOf(b.seat1.Token))
		b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
		b.gm.Must(combat.EndTurn{Combatant: b.id["Birch"]})
		if hidden != "" {
			for _, command := range []combat.Command{
				combat.Move{Combatant: lurker, Feet: 10},
				combat.Act{Combatant: lurker, Kind: "hide"},
				combat.SetPosition{Combatant: lurker, Position: "behind the door"},
				combat.AddEffect{Combatants: []combat.ID{lurker}, Name: "invisible"},
				combat.EndTurn{Combatant: lurker},
			} {
				b.gm.Must(command)
			}
		}
		b.gm.Must(combat.EndTurn{Combatant: b.id["Cedar"]})
		b.gm.Must(combat.EndTurn{Combatant: b.id["Dune"]})
		b.settle()
		watcher.WaitSeq(b.seqOf(b.Tokens[combat.RolePlayer]))
		known := map[string]combat.ID{"P1": b.seat1.Seat, "P2": b.seat2.Seat}
		maps.Copy(known, b.id)
		return story(t, watcher, known), story(t, b.s1, known), story(t, b.p1, known)
	}
	player, spectator, seat := tell("")
	compare := func(name, without, with string) {
		a, b := strings.Split(without, "\n"), strings.Split(with, "\n")
		for i := range max(len(a), len(b)) {
			if i >= len(a) || i >= len(b) || a[i] != b[i] {
				t.Errorf("%s, message %d of %d and %d\nwithout: %.1500s\nwith:    %.1500s", name, i, len(a), len(b), at(a, i), at(b, i))
				return
			}
		}
	}
	for _, hidden := range []string{all, combat.Players, combat.Spectators} {
		playerToo, spectatorToo, seatToo := tell(hidden)
		if hidden != combat.Spectators {
			compare("player, hidden from "+hidden, player, playerToo)
			compare("seat, hidden from "+hidden, seat, seatToo)
		}
		if hidden != combat.Players {
			compare("spectator, hidden from "+hidden, spectator, spectatorToo)
		}
	}
	// The start and four ends of a turn, at least.
	if n := strings.Count(player, "\n"); n < 6 {
		t.Errorf("%d messages were recorded", n)
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

// B40: a secret is in no byte: not in updates, nor history, nor what a
// newcomer gets, nor over HTTP.
func TestB40NoSecretInTheBytes(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.Must(withCount(shade, 13))
	var lurker combat.ID
	for _, c := range b.gm.Combatants() {
		if c.Name == "Shade" {
			lurker = c.ID
		}
	}
	b.start()
	b.gm.Must(combat.Damage{Combatants: []combat.ID{lurker}, Amount: 40})
	b.gm.Must(combat.Undo{})
	b.gm.Must(combat.Redo{})
	b.gm.Must(combat.Roll{Dice: "1d20", Label: "Shade sneaks", Secret: true})
	b.gm.Must(combat.Note{Text: "Shade waits"})
	b.gm.Must(combat.AddEffect{Combatants: []combat.ID{lurker}, Name: "invisible"})
	refused := b.p1.Do(combat.Damage{Combatants: []combat.ID{lurker}, Amount: 1})
	guessed := b.p1.Do(combat.Damage{Combatants: []combat.ID{"c000000"}, Amount: 1})
	if encode(t, refused.Reject.Params) != strings.ReplaceAll(encode(t, guessed.Reject.Params), "c000000", string(lurker)) || refused.Code() != guessed.Code() {
		t.Errorf("a guess at a hidden id is answered %+v, one at nothing %+v", refused.Reject, guessed.Reject)
	}
	b.settle()
	for name, token := range map[string]string{"p1": b.seat1.Token, "s1": b.Tokens[combat.RoleSpectator], "player": b.Tokens[combat.RolePlayer]} {
		frames := b.Join(token).Frames()
		switch name {
		case "p1":
			frames = append(frames, b.p1.Frames()...)
		case "s1":
			frames = append(frames, b.s1.Frames()...)
		}
		frames = append(frames, string(hubtest.Request(t, "GET", b.Path(), token, nil).Body))
		for _, secret := range []string{"Shade", string(lurker), "4417", "4377", "sneaks", "invisible"} {
			for _, frame := range frames {
				// The id stands in the answer to the command that named it.
				if strings.Contains(strings.ReplaceAll(frame, encode(t, refused.Reject.Params), ""), secret) {
					t.Errorf("%s: %q in %.600s", name, secret, frame)
				}
			}
		}
	}
}

// B41: dice rolled for somebody hidden are not in the players' log, which has
// no hole either.
func TestB41HiddenDice(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	quick := shade
	quick.Mod = 40 // ties with nobody
	b.gm.Must(quick)
	var lurker combat.ID
	for _, c := range b.gm.Combatants() {
		if c.Name == "Shade" {
			lurker = c.ID
		}
	}
	before := len(b.p1.Log())
	b.gm.Must(combat.RollInitiative{Combatants: []combat.ID{b.id["Ash"], b.id["Cedar"], lurker}})
	b.settle()
	lines := b.p1.Log()[before:]
	if len(lines) != 2 || !strings.Contains(lines[0]+lines[1], string(b.id["Ash"])) || !strings.Contains(lines[0]+lines[1], string(b.id["Cedar"])) {
		t.Fatalf("P1 reads %q", lines)
	}
	for _, line := range lines {
		if strings.Contains(line, string(lurker)) || strings.Contains(line, `"commit"`) {
			t.Fatalf("P1 reads %s", line)
		}
	}
	// A roll for the hidden one alone does not even move the counter.
	at := b.p1.Seq()
	b.gm.Must(combat.RollInitiative{Combatants: []combat.ID{lurker}})
	if got := b.seqOf(b.seat1.Token); got != at {
		b.p1.WaitSeq(got)
		frames := b.p1.Frames()
		t.Fatalf("P1's counter went from %d to %d: %s", at, got, frames[len(frames)-1])
	}
}

// A tie with somebody hidden is nobody's business: no decision shows, and none
// goes away when the hidden one is moved.
func TestB41HiddenTie(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.gm.Must(withCount(shade, 18))
	b.gm.Must(combat.StartCombat{})
	b.settle()
	for name, c := range map[string]*hubtest.Client{"P1": b.p1, "S1": b.s1} {
		for key := range c.View() {
			if strings.HasPrefix(key, "pending/") {
				t.Errorf("%s sees %s", name, key)
			}
		}
	}
}

// B43: no number says how many there are that one does not see.
func TestB43NoCountOfTheHidden(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	for range 3 {
		b.gm.Must(withCount(shade, 13))
	}
	b.start()
	c := b.Join(b.seat1.Token)
	var order []combat.SlotView
	if c.Key("order", &order); len(order) != 4 || len(c.Combatants()) != 4 {
		t.Fatalf("%d slots and %d combatants", len(order), len(c.Combatants()))
	}
	number := regexp.MustCompile(`"[a-zA-Z]+":[73][,}\]]`)
	for key, value := range c.View() {
		if found := number.FindString(value); found != "" && key != "encounter" {
			t.Errorf("%s says %s", key, found)
		}
	}
}
