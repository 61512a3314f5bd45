package main

import (
	"maps"
	"sync"
	"sync/atomic"
)

// tally is what all goroutines count together.
type tally struct {
	connected  atomic.Int64 // sockets that have their view now
	sent       atomic.Int64 // commands, repeats not counted
	acked      atomic.Int64
	repeated   atomic.Int64 // sent again after a connection was lost
	skipped    atomic.Int64 // turns to send that found too much unanswered
	deliveries atomic.Int64 // updates read by viewers
	frames     atomic.Int64 // with updates in them
	bytes      atomic.Int64 // of all frames, whatever is in them
	resumed    atomic.Int64 // came back and missed nothing
	welcomes   atomic.Int64 // whole views after the first
	holes      atomic.Int64 // an update that is not the next one, without a whole view
	backwards  atomic.Int64 // a view older than the one there was

	ack      histogram // from a command's sending to its answer
	delivery histogram // from a probe's sending to its arrival, on each socket
	away     histogram // from a connection's loss to being up to date again

	mu      sync.Mutex
	refused map[string]int64 // commands, by code
	drops   map[string]int64 // sockets, by the server's last word
}

func newTally() *tally { return &tally{refused: map[string]int64{}, drops: map[string]int64{}} }

func (t *tally) refuse(code string) { t.count(t.refused, code) }

func (t *tally) drop(reason string) { t.count(t.drops, reason) }

// reasons bounds how many words of the server are told apart.
const reasons = 64

func (t *tally) count(by map[string]int64, key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := by[key]; !known && len(by) >= reasons {
		key = "other"
	}
	by[key]++
}

func (t *tally) counted(by map[string]int64) map[string]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(by)
}

// dropped is how many connections have ended by the server or the network.
func (t *tally) dropped() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	sum := int64(0)
	for _, n := range t.drops {
		sum += n
	}
	return sum
}

// restart forgets what was counted while the sockets were being opened; who is
// connected stays so.
func (t *tally) restart() {
	for _, n := range []*atomic.Int64{&t.deliveries, &t.frames, &t.bytes} {
		n.Store(0)
	}
}

// report is the outcome of a run.
type report struct {
	Plan       plan    `json:"plan"`
	Seconds    float64 `json:"seconds"` // of measuring, the ramp not counted
	Encounters int     `json:"encounters"`
	Sockets    int64   `json:"sockets"` // most at a time

	Commands struct {
		Sent      int64            `json:"sent"`
		Acked     int64            `json:"acked"`
		PerSecond float64          `json:"perSecond"` // acknowledged
		Repeated  int64            `json:"repeated"`
		Skipped   int64            `json:"skipped"`
		Refused   map[string]int64 `json:"refused"`
		Delay     delays           `json:"delay"`
	} `json:"commands"`
	Deliveries struct {
		Count     int64   `json:"count"`
		PerSecond float64 `json:"perSecond"`
		Bytes     int64   `json:"bytes"`
		BytesEach float64 `json:"bytesEach"`
		FrameEach float64 `json:"updatesPerFrame"`
		Delay     delays  `json:"delay"`
	} `json:"deliveries"`
	Connections struct {
		Drops     map[string]int64 `json:"drops"`
		Resumed   int64            `json:"resumed"`
		Resyncs   int64            `json:"resyncs"`
		Holes     int64            `json:"holes"`
		Backwards int64            `json:"backwards"`
		Away      delays           `json:"away"`
	} `json:"connections"`
}

// sumUp makes the report of a run that measured for this long.
func (t *tally) sumUp(p plan, seconds float64, sockets int64) *report {
	r := &report{Plan: p, Seconds: seconds, Encounters: p.Encounters, Sockets: sockets}
	c := &r.Commands
	c.Sent, c.Acked, c.Repeated, c.Skipped = t.sent.Load(), t.acked.Load(), t.repeated.Load(), t.skipped.Load()
	c.PerSecond, c.Refused, c.Delay = float64(c.Acked)/seconds, t.counted(t.refused), t.ack.sum()
	d := &r.Deliveries
	d.Count, d.Bytes, d.Delay = t.deliveries.Load(), t.bytes.Load(), t.delivery.sum()
	d.PerSecond = float64(d.Count) / seconds
	d.BytesEach = float64(d.Bytes) / float64(max(d.Count, 1))
	d.FrameEach = float64(d.Count) / float64(max(t.frames.Load(), 1))
	n := &r.Connections
	n.Drops, n.Resumed, n.Resyncs = t.counted(t.drops), t.resumed.Load(), t.welcomes.Load()
	n.Holes, n.Backwards, n.Away = t.holes.Load(), t.backwards.Load(), t.away.sum()
	return r
}
