package combat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// The wire form of a command or event is one flat object: its type name and
// then its own fields.

// registry maps wire names to concrete types and back.
type registry struct {
	byName map[string]reflect.Type
	byType map[reflect.Type]string
	names  []string
}

func newRegistry(samples ...any) registry {
	r := registry{byName: map[string]reflect.Type{}, byType: map[reflect.Type]string{}}
	for _, sample := range samples {
		t := reflect.TypeOf(sample)
		name := strings.ReplaceAll(t.Name(), "HP", "Hp")
		name = strings.ToLower(name[:1]) + name[1:]
		r.byName[name], r.byType[t] = t, name
		r.names = append(r.names, name)
	}
	return r
}

var commands = newRegistry(
	AddCombatant{}, EditCombatant{}, RemoveCombatant{}, DuplicateCombatant{}, ImportCombatants{},
	SetHidden{}, SetSight{}, SetDefeated{}, AssignSeat{}, SetPosition{},
	AddSeat{}, RemoveSeat{}, EditSeat{}, ReplaceLink{},
	SetSurprised{}, RollInitiative{}, SetInitiative{}, SettleTie{}, RollOff{}, StartCombat{}, EndCombat{}, ResetCombat{},
	Act{}, Move{}, EndTurn{}, Delay{}, ReturnFromDelay{}, Ready{},
	React{}, Release{}, Decline{}, LegendaryAction{}, LairAction{},
	Declare{}, WithdrawDeclaration{}, Hold{}, Pass{}, Take{},
	Answer{}, CloseWindow{}, WindowExpired{}, TurnExpired{},
	Damage{}, Heal{}, SetTempHP{}, AddEffect{}, RemoveEffect{},
	SetOptions{}, Reorder{}, SetActive{}, Grant{}, SetCharged{}, PauseClock{}, ResumeClock{},
	Undo{}, Redo{}, Note{}, Roll{}, Say{},
)

var events = newRegistry(
	Created{}, Imported{}, OptionsSet{}, SeatAdded{}, SeatRemoved{}, SeatEdited{}, LinkReplaced{},
	CombatantAdded{}, CombatantEdited{}, CombatantRemoved{}, HiddenSet{}, SightSet{}, DefeatedSet{}, SeatAssigned{}, PositionSet{},
	ChargeSet{}, MarksSet{}, Planned{},
	SurprisedSet{}, InitiativeSet{}, RolledOff{}, TieSettled{}, Ordered{}, CombatStarted{}, RoundStarted{}, CombatEnded{}, CombatReset{},
	TurnStarted{}, Stepped{}, TurnEnded{}, PoolsSet{}, DelaySet{}, ClockSet{},
	Acted{}, Resolved{}, Staged{}, WindowOpened{}, WindowMoved{}, Declined{}, WindowClosed{}, FramePushed{}, FramePopped{},
	ReadySet{}, Moved{},
	Damaged{}, Healed{}, TempHPSet{}, LifeSet{}, Saved{}, EffectAdded{}, EffectEnded{}, PendingOpened{}, PendingClosed{}, Proposed{}, ProposalClosed{}, HPSet{},
	Undone{}, Redone{}, Noted{}, DiceRolled{}, Said{},
)

// CommandNames lists the wire names of all commands.
func CommandNames() []string { return commands.names }

// EventNames lists the wire names of all events.
func EventNames() []string { return events.names }

// CommandName returns the wire name of a command.
func CommandName(c Command) string { return commands.byType[reflect.TypeOf(c)] }

// EventName returns the wire name of an event.
func EventName(e Event) string { return events.byType[reflect.TypeOf(e)] }

// CommandTypes returns an empty value of every command by wire name, for
// generators of schemas.
func CommandTypes() map[string]any { return commands.samples() }

// EventTypes does the same for events.
func EventTypes() map[string]any { return events.samples() }

func (r registry) samples() map[string]any {
	all := map[string]any{}
	for name, t := range r.byName {
		all[name] = reflect.Zero(t).Interface()
	}
	return all
}

func (r registry) encode(v any) ([]byte, error) {
	name, known := r.byType[reflect.TypeOf(v)]
	if !known {
		return nil, fmt.Errorf("combat: %T is not registered", v)
	}
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(body)+len(name)+12)
	out = append(out, `{"type":"`...)
	out = append(out, name...)
	out = append(out, '"')
	if len(body) > 2 {
		out = append(out, ',')
	}
	return append(out, body[1:]...), nil
}

// EncodeCommand writes a command in its wire form.
func EncodeCommand(c Command) ([]byte, error) { return commands.encode(c) }

// EncodeEvent writes an event in its wire form.
func EncodeEvent(e Event) ([]byte, error) { return events.encode(e) }

// DecodeCommand reads a command in its wire form, strictly: an unknown type or
// field, a value of the wrong type or out of its field's range, and anything
// behind the object are refused, with the field's name where there is one. The
// error is always a *Refusal.
func DecodeCommand(data []byte) (Command, *Refusal) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return nil, refuse("bad_value", "field", "command")
	}
	var name string
	if err := json.Unmarshal(fields["type"], &name); err != nil {
		return nil, refuse("bad_value", "field", "type")
	}
	t, known := commands.byName[name]
	if !known {
		return nil, refuse("unknown_command", "field", "type")
	}
	delete(fields, "type")
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if !hasField(t, field) {
			return nil, refuse("unknown_field", "field", cut(field))
		}
		if string(fields[field]) == "null" {
			return nil, refuse("bad_value", "field", field)
		}
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, refuse("bad_value", "field", "command")
	}
	value := reflect.New(t)
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value.Interface()); err != nil {
		return nil, refusalOf(err, fields, t)
	}
	return value.Elem().Interface().(Command), nil
}

// hasField reports whether a type has a field of exactly this name:
// encoding/json would take any capitals.
func hasField(t reflect.Type, name string) bool {
	for i := range t.NumField() {
		if own, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); own == name {
			return true
		}
	}
	return false
}

// refusalOf names the field that a decoding error is about.
func refusalOf(err error, fields map[string]json.RawMessage, t reflect.Type) *Refusal {
	if _, field, found := strings.Cut(err.Error(), "unknown field "); found {
		return refuse("unknown_field", "field", strings.Trim(field, `"`))
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return refuse("bad_value", "field", wrong.Field)
	}
	// An Unmarshaler of ours refused, and does not know whose value it read.
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if raw, given := fields[name]; given && json.Unmarshal(raw, reflect.New(field.Type).Interface()) != nil {
			return refuse("bad_value", "field", name)
		}
	}
	return refuse("bad_value", "field", "command")
}

// DecodeEvent reads an event in its wire form. Fields that this version does
// not know are ignored, so that an older program can read a newer log.
func DecodeEvent(data []byte) (Event, error) {
	name, err := typeOf(data)
	if err != nil {
		return nil, err
	}
	t, known := events.byName[name]
	if !known {
		return nil, fmt.Errorf("combat: unknown event %q", name)
	}
	value := reflect.New(t)
	if err := json.Unmarshal(data, value.Interface()); err != nil {
		return nil, fmt.Errorf("combat: event %s: %w", name, err)
	}
	return value.Elem().Interface().(Event), nil
}

// typeOf reads the type name, which our own encoder writes first.
func typeOf(data []byte) (string, error) {
	const prefix = `{"type":"`
	if bytes.HasPrefix(data, []byte(prefix)) {
		if end := bytes.IndexByte(data[len(prefix):], '"'); end > 0 {
			return string(data[len(prefix) : len(prefix)+end]), nil
		}
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return "", err
	}
	return head.Type, nil
}
