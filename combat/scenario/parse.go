package scenario

import (
	"fmt"
	"slices"
	"strings"

	"riposte/combat"
)

// Scenario is one fight of a file, ready to be played any number of times.
type Scenario struct {
	ID      string
	Title   string
	Pos     Pos
	Rules   string
	Options map[string]string
	Steps   []Step
}

// Step is one statement.
type Step struct {
	Pos  Pos
	Text string // as written, without its comment
	Code string // of the refusal it must get, or empty

	speaker string // handle whose owner sends it; gm or spectator
	subject string // handle it is about; empty for the GM's own
	command builder
	added   *addition
	judge   judge
	turns   []turnOf
}

// builder makes the command of a step when the step is played.
type builder func(*game) combat.Command

// judge says what is wrong with the table, or nil.
type judge func(*game) error

// Words that speak, but are nobody's name.
const (
	speakerGM        = "gm"
	speakerSpectator = "spectator"
	lair             = "lair"
	none             = "none"
)

// Parse reads a scenario file. Name is used in positions only. The error names
// file and line.
func Parse(name string, text []byte) ([]*Scenario, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("%s: more than %d bytes", name, MaxBytes)
	}
	p := parser{file: name}
	number := 0
	for raw := range strings.Lines(string(text)) {
		if number++; number > MaxLines {
			return nil, fmt.Errorf("%s: more than %d lines", name, MaxLines)
		}
		if err := p.line(number, strings.TrimSpace(raw)); err != nil {
			return nil, fmt.Errorf("%s: %w", Pos{name, number}, err)
		}
	}
	if err := p.close(); err != nil {
		return nil, err
	}
	return p.done, nil
}

type parser struct {
	file    string
	done    []*Scenario
	current *Scenario
	names   []string            // handles of the current scenario
	weapons map[string][]string // by handle
}

// close ends the current scenario.
func (p *parser) close() error {
	s := p.current
	if s == nil {
		return nil
	}
	states := func(step Step) bool { return step.judge != nil || step.turns != nil || step.Code != "" }
	switch {
	case s.Rules == "":
		return fmt.Errorf("%s: scenario %s does not name its rules", s.Pos, s.ID)
	case !slices.ContainsFunc(s.Steps, states):
		return fmt.Errorf("%s: scenario %s expects nothing", s.Pos, s.ID)
	}
	p.done, p.current = append(p.done, s), nil
	return nil
}

// line reads one line of the file.
func (p *parser) line(number int, text string) error {
	words, err := split(text)
	if err != nil || len(words) == 0 {
		return err
	}
	step := Step{Pos: Pos{p.file, number}, Text: strings.TrimSpace(text)}
	if last := words[len(words)-1]; len(words) > 1 && !last.quoted && len(last.text) > 1 && last.text[0] == '!' {
		step.Code, words = last.text[1:], words[:len(words)-1]
	}
	l := &line{words: words, names: p.names}
	if l.take("scenario") {
		return p.begin(l, step.Pos)
	}
	if p.current == nil {
		return fmt.Errorf("no scenario has begun")
	}
	if l.take("rules") {
		p.current.Rules = l.next().text
		return l.end()
	}
	if l.take("option") {
		return p.option(l)
	}
	if p.current.Rules == "" {
		return fmt.Errorf("the rules must be named first")
	}
	switch {
	case l.take("expect"):
		step.judge = expectation(l)
	case l.take("sequence"):
		step.turns = sequence(l)
	default:
		p.statement(l, &step)
	}
	if err := l.end(); err != nil {
		return err
	}
	if step.Code != "" && step.command == nil && step.added == nil {
		return fmt.Errorf("only a command can be refused")
	}
	if a := step.added; a != nil {
		if slices.Contains(p.names, a.handle) {
			return fmt.Errorf("there is a %q already", a.handle)
		}
		p.names = append(p.names, a.handle)
		p.weapons[a.handle] = a.weapons
	}
	p.current.Steps = append(p.current.Steps, step)
	return nil
}

// end is the error of the line, if only that words are left over.
func (l *line) end() error {
	if l.more() {
		l.next()
		l.unknown()
	}
	return l.err
}

func (p *parser) begin(l *line, pos Pos) error {
	if err := p.close(); err != nil {
		return err
	}
	p.current = &Scenario{ID: l.next().text, Pos: pos, Options: map[string]string{}}
	p.names, p.weapons = nil, map[string][]string{}
	if l.more() {
		p.current.Title = l.next().text
	}
	return l.end()
}

func (p *parser) option(l *line) error {
	if len(p.current.Steps) > 0 {
		return fmt.Errorf("options come before anything else; later it is gm: option")
	}
	for l.more() {
		w := l.next()
		key, value, ok := w.pair()
		if !ok {
			l.unknown()
		}
		p.current.Options[key] = value
	}
	return l.err
}

// statement reads what is neither a heading nor an expectation: "WHO: verb …"
// or set-up.
func (p *parser) statement(l *line, step *Step) {
	first := l.words[0]
	who, speaks := strings.CutSuffix(first.text, ":")
	if first.quoted || !speaks {
		step.speaker = speakerGM
		p.setup(l, step)
		return
	}
	l.next()
	step.speaker, step.subject = who, who
	if speaker, subject, both := strings.Cut(who, "/"); both {
		step.speaker, step.subject = speaker, subject
	}
	known := func(name string) bool { return slices.Contains(p.names, name) }
	switch {
	case who == speakerGM:
		step.subject = ""
		p.gm(l, step)
		return
	case who == lair:
		step.speaker, step.subject = speakerGM, ""
		l.must("act")
		step.command = lairAction(l)
		return
	case !known(step.speaker) && step.speaker != speakerGM && step.speaker != speakerSpectator:
		l.fail("nobody is called %q", step.speaker)
	case !known(step.subject):
		l.fail("nobody is called %q", step.subject)
	}
	p.acting(l, step)
}
