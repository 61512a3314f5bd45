package hub

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"riposte/combat"
)

// timeLayout is RFC 3339 with milliseconds, in UTC.
const timeLayout = "2006-01-02T15:04:05.000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeLayout) }

// encode writes one of our own wire types. They hold nothing that cannot be
// encoded.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// encodeUpdate writes an Update. It is written by hand because the values are
// encoded already: encoding/json would check and copy every byte of them again.
func encodeUpdate(seq uint64, change *combat.Change) []byte {
	size := 64
	for key, value := range change.Set {
		size += len(key) + len(value) + 8
	}
	for _, line := range change.Log {
		size += len(line) + 1
	}
	b := make([]byte, 0, size)
	b = append(b, `{"type":"update","seq":`...)
	b = strconv.AppendUint(b, seq, 10)
	if len(change.Set) > 0 {
		b = append(b, `,"set":`...)
		b = appendObject(b, change.Set)
	}
	if len(change.Del) > 0 {
		b = append(b, `,"del":`...)
		b = append(b, encode(change.Del)...)
	}
	if len(change.Log) > 0 {
		b = append(b, `,"log":`...)
		b = appendArray(b, change.Log)
	}
	return append(b, '}')
}

// appendObject writes a map of encoded values, its keys in order.
func appendObject(b []byte, object map[string]json.RawMessage) []byte {
	b = append(b, '{')
	for i, key := range slices.Sorted(maps.Keys(object)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, encode(key)...)
		b = append(b, ':')
		b = append(b, object[key]...)
	}
	return append(b, '}')
}

// appendArray writes encoded values.
func appendArray(b []byte, values []json.RawMessage) []byte {
	b = append(b, '[')
	for i, value := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, value...)
	}
	return append(b, ']')
}

// welcomeBody writes the part of a Welcome that changes only with the view.
func welcomeBody(view map[string]json.RawMessage, log []json.RawMessage) []byte {
	you := view["you"]
	if you == nil {
		you = json.RawMessage("null")
	}
	b := append([]byte(nil), `,"you":`...)
	b = append(b, you...)
	b = append(b, `,"view":`...)
	b = appendObject(b, view)
	b = append(b, `,"log":`...)
	return appendArray(b, log)
}

// encodeWelcome writes a Welcome around its body.
func encodeWelcome(seq uint64, epoch string, cut bool, now time.Time, behind int, body, presence []byte) []byte {
	b := make([]byte, 0, len(body)+len(presence)+160)
	b = append(b, `{"type":"welcome","seq":`...)
	b = strconv.AppendUint(b, seq, 10)
	b = append(b, `,"epoch":`...)
	b = append(b, encode(epoch)...)
	if cut {
		b = append(b, `,"cut":true`...)
	}
	b = append(b, `,"now":"`...)
	b = append(b, stamp(now)...)
	b = append(b, '"')
	if behind != 0 {
		b = append(b, `,"behind":`...)
		b = strconv.AppendInt(b, int64(behind), 10)
	}
	b = append(b, body...)
	b = append(b, `,"presence":`...)
	b = append(b, presence...)
	return append(b, '}')
}

func encodeReject(id string, r *combat.Refusal) []byte {
	return encode(Reject{Type: "reject", ID: id, Code: r.Code, Params: r.Params})
}

func encodeAck(id string, seq uint64, result json.RawMessage) []byte {
	return encode(Ack{Type: "ack", ID: id, Seq: seq, Result: result})
}

// goodbye is a refusal as a last word.
func goodbye(r *combat.Refusal) []byte {
	ms, _ := r.Params["retryAfterMs"].(int)
	return encodeBye(r.Code, time.Duration(ms)*time.Millisecond)
}

func encodeBye(code string, retry time.Duration) []byte {
	return encode(Bye{Type: "bye", Code: code, RetryAfterMs: int(retry.Milliseconds())})
}
