package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"riposte/combat"
)

// Failure is the first statement of a scenario that does not hold.
type Failure struct {
	Pos   Pos
	Text  string // the statement
	Found string
	Order string // at that point
	Stack string
}

func (f *Failure) Error() string {
	return fmt.Sprintf("%s: %s\n    %s\n    order: %s\n    stack: %s", f.Pos, f.Text, f.Found, f.Order, f.Stack)
}

// Moment is what a watcher is shown after a command was accepted: the GM's
// view before and after it.
type Moment struct {
	Step          *Step
	Speaker       string // handle, gm or spectator
	Command       combat.Command
	Before, After View
}

// Watcher sees a scenario being played. It is called from Play's goroutine;
// an error stops the play.
type Watcher func(Moment) error

// Play plays a scenario at a fresh table and returns its first failure, or an
// error of the table. Watch may be nil.
func Play(s *Scenario, open Opener, watch Watcher) error {
	table, err := open(s)
	if err != nil {
		return fmt.Errorf("%s: scenario %s: %w", s.Pos, s.ID, err)
	}
	g := &game{table: table, handle: map[combat.ID]string{}, known: map[string]combat.ID{}, seats: map[string]combat.ID{}}
	for i := range s.Steps {
		if err := g.play(&s.Steps[i], watch); err != nil {
			// The failure comes first; what closing finds follows from it.
			_ = table.Close()
			return err
		}
	}
	if err := table.Close(); err != nil {
		return fmt.Errorf("%s: scenario %s: %w", s.Pos, s.ID, err)
	}
	return nil
}

// play plays one statement.
func (g *game) play(step *Step, watch Watcher) error {
	err := g.load()
	if err == nil {
		switch {
		case step.judge != nil:
			err = step.judge(g)
		case step.turns != nil:
			err = g.playTurns(step, watch)
		default:
			err = g.command(step, watch)
		}
	}
	if err == nil {
		return nil
	}
	return &Failure{Pos: step.Pos, Text: step.Text, Found: err.Error(), Order: g.orderText(), Stack: g.stackText()}
}

// command sends the command of a step and checks the answer.
func (g *game) command(step *Step, watch Watcher) error {
	as := g.audience(step.speaker)
	var command combat.Command
	if a := step.added; a == nil {
		command = step.command(g)
	} else {
		sheet := a.sheet
		// What a player adds is that player's without being asked for.
		if step.speaker == speakerGM {
			if err := g.seat(a); err != nil {
				return err
			}
			sheet.Seat = g.seats[a.handle]
		}
		command = sheet
	}
	if step.Code != "" {
		return g.refused(as, command, step.Code)
	}
	return g.accepted(step, as, command, watch)
}

// seat gives somebody who is being added the seat it will have.
func (g *game) seat(a *addition) (err error) {
	switch {
	case a.shares != "":
		g.seats[a.handle] = g.seats[a.shares]
	case a.seated:
		g.seats[a.handle], err = g.table.Seat(a.sheet.Name)
	}
	return err
}

// accepted sends a command that must be taken.
func (g *game) accepted(step *Step, as combat.Audience, command combat.Command, watch Watcher) error {
	refusal, err := g.table.Do(as, command)
	if err != nil {
		return err
	}
	if refusal != nil {
		return fmt.Errorf("refused: %s", describe(refusal))
	}
	before := g.gm
	if err := g.load(); err != nil {
		return err
	}
	if step.added != nil {
		g.meet(step, before)
	}
	if watch == nil {
		return nil
	}
	return watch(Moment{Step: step, Speaker: step.speaker, Command: command, Before: before, After: g.gm})
}

// meet learns the id of whoever was added.
func (g *game) meet(step *Step, before View) {
	for _, c := range each[combat.CombatantView](g.gm, "combatants/") {
		if _, old := before["combatants/"+string(c.ID)]; old {
			continue
		}
		g.known[step.added.handle], g.handle[c.ID] = c.ID, step.added.handle
		if c.Seat != "" {
			g.seats[step.added.handle] = c.Seat
		}
	}
}

// refused sends a command that must not be taken, and must change nothing.
func (g *game) refused(as combat.Audience, command combat.Command, code string) error {
	before, err := g.table.Fingerprint()
	if err != nil {
		return err
	}
	refusal, err := g.table.Do(as, command)
	if err != nil {
		return err
	}
	if refusal == nil {
		return fmt.Errorf("accepted")
	}
	if refusal.Code != code {
		return fmt.Errorf("refused: %s", describe(refusal))
	}
	after, err := g.table.Fingerprint()
	if err != nil {
		return err
	}
	if !bytes.Equal(before, after) {
		return fmt.Errorf("refused, but the state changed")
	}
	return nil
}

// describe writes a refusal with its parameters.
func describe(r *combat.Refusal) string {
	if len(r.Params) == 0 {
		return r.Code
	}
	params, err := json.Marshal(r.Params)
	if err != nil {
		return r.Code
	}
	return r.Code + " " + string(params)
}

// turnOf is one name of a sequence.
type turnOf struct {
	name string
	next bool // it acts in the round after the one before
}

// sequence reads "A B | A".
func sequence(l *line) []turnOf {
	turns := []turnOf{}
	next := false
	for l.more() {
		if l.take("|") {
			if next || len(turns) == 0 {
				l.fail("a round without anybody in it")
			}
			next = true
			continue
		}
		turns = append(turns, turnOf{l.someone(lair), next})
		next = false
	}
	if len(turns) == 0 || next {
		l.fail("the statement ends too early")
	}
	return turns
}

// playTurns ends turn after turn and compares who acts.
func (g *game) playTurns(step *Step, watch Watcher) error {
	round := g.encounter().Round
	for i, turn := range step.turns {
		if i > 0 {
			ends := combat.EndTurn{Combatant: g.turn().Combatant, Frame: g.turnFrame()}
			speaker := g.name(ends.Combatant)
			moment := &Step{Pos: step.Pos, Text: speaker + ": end", speaker: speaker}
			if err := g.accepted(moment, g.audience(speaker), ends, watch); err != nil {
				return fmt.Errorf("after %d of the sequence, ending %s's turn: %w", i, speaker, err)
			}
		}
		if turn.next {
			round++
		}
		if name, now := g.turnName(), g.encounter().Round; name != turn.name || now != round {
			return fmt.Errorf("number %d of the sequence: found %s in round %d", i+1, name, now)
		}
	}
	return nil
}

// turnFrame is the frame of the turn, under any interrupts.
func (g *game) turnFrame() combat.ID {
	if stack := g.stack(); len(stack) > 0 {
		return stack[0].Frame
	}
	return ""
}

// Handles are the names that a scenario gives its combatants, in the order in
// which they come.
func (s *Scenario) Handles() []string {
	var all []string
	for _, step := range s.Steps {
		if step.added != nil && !slices.Contains(all, step.added.handle) {
			all = append(all, step.added.handle)
		}
	}
	return all
}
