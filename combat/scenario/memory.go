package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"

	"riposte/combat"
)

// InMemory opens tables that play against an engine directly. Seed makes the
// dice: one seed, one fight.
func InMemory(engine *combat.Engine, seed uint64) Opener {
	return func(s *Scenario) (Table, error) {
		m := &memory{engine: engine, dice: dice(seed), now: 1_700_000_000_000, screens: map[combat.Audience]*screen{}}
		keys := map[string]string{combat.RoleGM: "gm", combat.RolePlayer: "player", combat.RoleSpectator: "spectator"}
		by := combat.By{Role: combat.RoleServer, Now: m.now, Dice: &m.dice}
		events, state, refusal := engine.Create("table", s.Rules, s.Title, s.Options, keys, by)
		if refusal != nil {
			return nil, fmt.Errorf("refused: %s", describe(refusal))
		}
		m.views = engine.NewViews(state)
		for _, a := range m.views.Audiences() {
			m.screens[a] = newScreen(m.views.Whole(a))
		}
		return m, m.record("created", combat.Audience{Role: combat.RoleServer}, events, state)
	}
}

// memory is a table without a server. It keeps every state and every commit,
// and a screen for each audience that is fed by changes only, as a browser is.
type memory struct {
	engine  *combat.Engine
	dice    dice
	now     int64
	states  []*combat.State // after each commit
	commits [][]byte        // encoded
	hash    string
	views   *combat.Views
	screens map[combat.Audience]*screen
}

// screen is what one audience shows, and all it was ever sent.
type screen struct {
	view View
	sent bytes.Buffer
}

func newScreen(whole map[string]json.RawMessage) *screen {
	s := &screen{view: View{}}
	s.set(whole)
	return s
}

func (s *screen) set(values map[string]json.RawMessage) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		s.view[key] = values[key]
		s.sent.WriteString(key)
		s.sent.Write(values[key])
		s.sent.WriteByte('\n')
	}
}

// dice is a small generator (splitmix64): the same seed rolls the same dice.
type dice uint64

// Roll returns a face from 1 to sides.
func (d *dice) Roll(sides int) int {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z^z>>31)%uint64(sides)) + 1
}

func (m *memory) state() *combat.State { return m.states[len(m.states)-1] }

// record keeps a commit the way a journal does, and the state after it.
func (m *memory) record(kind string, as combat.Audience, events []combat.Event, state *combat.State) error {
	commit := &combat.Commit{Seq: uint64(len(m.commits)) + 1, Fence: 1, ID: "c" + strconv.Itoa(len(m.commits)+1),
		Type: kind, Role: as.Role, Seat: as.Seat, At: m.now, Events: events}
	if err := commit.Seal(m.hash); err != nil {
		return err
	}
	encoded, err := json.Marshal(commit)
	if err != nil {
		return err
	}
	m.commits, m.states, m.hash = append(m.commits, encoded), append(m.states, state), commit.Hash
	for _, change := range m.views.Move(state, commit) {
		on := m.screens[change.Audience]
		if on == nil {
			on = newScreen(nil)
			m.screens[change.Audience] = on
		}
		on.set(change.Set)
		for _, key := range change.Del {
			delete(on.view, key)
		}
		for _, entry := range change.Log {
			on.sent.Write(entry)
			on.sent.WriteByte('\n')
		}
	}
	return nil
}

func (m *memory) Seat(name string) (combat.ID, error) {
	seat := combat.ID("seat" + strconv.Itoa(len(m.commits)))
	refusal, err := m.Do(combat.Audience{Role: combat.RolePlayer}, combat.AddSeat{Seat: seat, Name: name, Key: string(seat)})
	if err == nil && refusal != nil {
		err = fmt.Errorf("no seat: %s", describe(refusal))
	}
	return seat, err
}

func (m *memory) Do(as combat.Audience, command combat.Command) (refusal *combat.Refusal, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the core panicked: %v\n%s", fault, debug.Stack())
		}
	}()
	m.now += 1000
	by := combat.By{Role: as.Role, Seat: as.Seat, Now: m.now, Dice: &m.dice}
	events, state, refusal := m.engine.Decide(m.state(), command, by)
	if refusal != nil {
		return refusal, nil
	}
	return nil, m.record(combat.CommandName(command), as, events, state)
}

func (m *memory) View(as combat.Audience) (View, error) {
	on := m.screens[as]
	if on == nil {
		return nil, fmt.Errorf("there is no audience %s", as)
	}
	return maps.Clone(on.view), nil
}

func (m *memory) Sent(as combat.Audience) ([]byte, error) {
	on := m.screens[as]
	if on == nil {
		return nil, fmt.Errorf("there is no audience %s", as)
	}
	return on.sent.Bytes(), nil
}

func (m *memory) Fingerprint() ([]byte, error) { return json.Marshal(m.state()) }

// Close folds the recorded commits from the start, and again from a snapshot
// taken half-way, and compares both with the live state; then every screen
// with a view made afresh.
func (m *memory) Close() error {
	live, err := m.Fingerprint()
	if err != nil {
		return err
	}
	whole, err := m.fold(nil, 0)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	if !bytes.Equal(whole, live) {
		return fmt.Errorf("replay from the start differs\n    live:     %s\n    replayed: %s", live, whole)
	}
	half := len(m.commits) / 2
	snapshot, err := json.Marshal(m.states[half])
	if err != nil {
		return err
	}
	later, err := m.fold(snapshot, half+1)
	if err != nil {
		return fmt.Errorf("replay from a snapshot: %w", err)
	}
	if !bytes.Equal(later, live) {
		return fmt.Errorf("replay from the snapshot at %d differs\n    live:     %s\n    replayed: %s", half+1, live, later)
	}
	return m.compareScreens()
}

// fold applies the commits from the given one on, checking their chain, and
// returns the encoded state.
func (m *memory) fold(snapshot []byte, from int) ([]byte, error) {
	var state *combat.State
	if snapshot != nil {
		state = &combat.State{}
		if err := json.Unmarshal(snapshot, state); err != nil {
			return nil, err
		}
	}
	hash := ""
	for i, encoded := range m.commits {
		var commit combat.Commit
		if err := json.Unmarshal(encoded, &commit); err != nil {
			return nil, err
		}
		if err := commit.Follows(uint64(i), hash); err != nil {
			return nil, err
		}
		if hash = commit.Hash; i >= from {
			state = combat.ApplyCommit(state, &commit)
		}
	}
	return json.Marshal(state)
}

// compareScreens says where a screen that was fed by changes shows something
// else than a fresh view.
func (m *memory) compareScreens() error {
	var wrong []error
	fresh := m.engine.NewViews(m.state())
	for _, a := range fresh.Audiences() {
		shown, whole := m.screens[a].view, fresh.Whole(a)
		for key := range whole {
			if !bytes.Equal(shown[key], whole[key]) {
				wrong = append(wrong, fmt.Errorf("%s shows %s as %s, it is %s", a, key, shown[key], whole[key]))
			}
		}
		for key := range shown {
			if _, has := whole[key]; !has {
				wrong = append(wrong, fmt.Errorf("%s still shows %s", a, key))
			}
		}
	}
	return errors.Join(wrong...)
}
