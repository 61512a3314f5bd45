package combat

import (
	"encoding/json"
	"strconv"
)

// The values that change with nearly every command are written by hand: they
// come out byte for byte as encoding/json would write them (a test compares
// the two), at a tenth of the price. Ids are plain letters and digits and need
// no escaping.

func appendID(b []byte, id ID) []byte {
	b = append(b, '"')
	b = append(b, id...)
	return append(b, '"')
}

func appendIDs(b []byte, ids []ID) []byte {
	b = append(b, '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendID(b, id)
	}
	return append(b, ']')
}

// appendIDField writes ,"name":"id" unless the id is empty.
func appendIDField(b []byte, name string, id ID) []byte {
	if id == "" {
		return b
	}
	b = append(b, `,"`...)
	b = append(b, name...)
	b = append(b, `":`...)
	return appendID(b, id)
}

func appendOffer(b []byte, o *Offer) []byte {
	b = append(b, `{"type":`...)
	b = appendID(b, ID(o.Type))
	b = appendIDField(b, "combatant", o.Combatant)
	if len(o.Combatants) > 0 {
		b = append(b, `,"combatants":`...)
		b = appendIDs(b, o.Combatants)
	}
	b = appendIDField(b, "frame", o.Frame)
	b = appendIDField(b, "window", o.Window)
	b = appendIDField(b, "pending", o.Pending)
	b = appendIDField(b, "effect", o.Effect)
	b = appendIDField(b, "seat", o.Seat)
	b = appendIDField(b, "kind", ID(o.Kind))
	if o.Defensive {
		b = append(b, `,"defensive":true`...)
	}
	if o.Accept != nil {
		b = append(b, `,"accept":`...)
		b = strconv.AppendBool(b, *o.Accept)
	}
	if o.Asks {
		b = append(b, `,"asks":true`...)
	}
	if len(o.Cost) > 0 {
		b = append(b, `,"cost":[`...)
		for i, p := range o.Cost {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"pool":`...)
			b = appendID(b, ID(p.Pool))
			b = append(b, `,"cost":`...)
			b = strconv.AppendInt(b, int64(p.Cost), 10)
			b = append(b, `,"left":`...)
			b = strconv.AppendInt(b, int64(p.Left), 10)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// appendOffers writes offers one after another, each with a comma behind it.
func appendOffers(b []byte, offers []Offer) []byte {
	for i := range offers {
		b = append(appendOffer(b, &offers[i]), ',')
	}
	return b
}

func appendOrder(b []byte, slots []SlotView) []byte {
	b = append(b, '[')
	for i := range slots {
		s := &slots[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"slot":`...)
		b = appendID(b, s.Slot)
		b = append(b, `,"combatants":`...)
		b = appendIDs(b, s.Combatants)
		if s.Count != nil {
			b = append(b, `,"count":`...)
			b = append(b, s.Count.String()...)
		}
		b = appendIDField(b, "kind", ID(s.Kind))
		if s.Done {
			b = append(b, `,"done":true`...)
		}
		if s.Current {
			b = append(b, `,"current":true`...)
		}
		if s.Tied {
			b = append(b, `,"tied":true`...)
		}
		if s.Part > 0 {
			b = append(b, `,"part":`...)
			b = strconv.AppendInt(b, int64(s.Part), 10)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendYou writes a YouView whose offers are already written in can, each
// with a comma behind it.
func appendYou(b []byte, you *YouView, can []byte) []byte {
	b = append(b, `{"role":`...)
	b = appendID(b, ID(you.Role))
	b = appendIDField(b, "seat", you.Seat)
	if you.Name != "" {
		b = append(b, `,"name":`...)
		b = append(b, encode(you.Name)...)
	}
	b = append(b, `,"combatants":`...)
	b = appendIDs(b, you.Combatants)
	b = append(b, `,"can":[`...)
	if n := len(can); n > 0 {
		b = append(b, can[:n-1]...)
	}
	return append(b, "]}"...)
}

// encode writes one of our own types, which always can be written.
func encode(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}
