package hubtest

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Crowd is many sockets of one audience that read and count: each has every
// update once, and none is left out.
type Crowd struct {
	t      testing.TB
	wires  []wire
	done   sync.WaitGroup
	frames atomic.Int64
	bytes  atomic.Int64
	whole  atomic.Int64 // welcomes

	mu    sync.Mutex
	sent  map[uint64]time.Time // by number of the update
	took  []time.Duration
	moved *sync.Cond
	least map[int]uint64 // last update of each
}

// Crowd opens n sockets and waits until each has its view.
func (b *Table) Crowd(n int, token string) *Crowd {
	b.t.Helper()
	c := &Crowd{t: b.t, sent: map[uint64]time.Time{}, least: map[int]uint64{}}
	c.moved = sync.NewCond(&c.mu)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	b.t.Cleanup(func() {
		for _, w := range c.wires {
			w.cut()
		}
		c.done.Wait()
	})
	for i := range n {
		w, err := dialWire(ctx, b.URL)
		if err != nil {
			b.t.Fatalf("dial: %v", err)
		}
		c.wires = append(c.wires, w)
		w.write([]byte(`{"type":"hello","encounter":"`+string(b.ID)+`","token":"`+token+`"}`), false)
		welcome, err := w.read(ctx)
		if err != nil {
			b.t.Fatalf("no welcome: %v", err)
		}
		c.take(i, welcome, time.Now())
		c.done.Go(func() { c.read(i, w) })
	}
	return c
}

func (c *Crowd) read(i int, w wire) {
	for {
		data, err := w.read(context.Background())
		if err != nil {
			return
		}
		now := time.Now()
		c.frames.Add(1)
		c.bytes.Add(int64(len(data)))
		c.whole.Add(int64(bytes.Count(data, []byte(`{"type":"welcome"`))))
		c.take(i, data, now)
	}
}

// take looks for what is numbered in a frame.
func (c *Crowd) take(i int, data []byte, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		_, after, found := bytes.Cut(data, []byte(`{"type":"`))
		if !found {
			break
		}
		data = after
		digits, update := bytes.CutPrefix(after, []byte(`update","seq":`))
		if !update {
			var welcome bool
			if digits, welcome = bytes.CutPrefix(after, []byte(`welcome","seq":`)); !welcome {
				continue
			}
		}
		seq, _ := strconv.ParseUint(string(digits[:bytes.IndexAny(digits, ",}")]), 10, 64)
		if update && seq != c.least[i]+1 {
			c.t.Errorf("one of the crowd gets update %d after %d", seq, c.least[i])
		}
		if at, known := c.sent[seq]; known && update {
			c.took = append(c.took, now.Sub(at))
		}
		c.least[i] = seq
	}
	c.moved.Broadcast()
}

// Sending says that the update of that number is about to be caused.
func (c *Crowd) Sending(seq uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[seq] = time.Now()
}

// WaitSeq waits until everybody has the update of that number.
func (c *Crowd) WaitSeq(seq uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		all := true
		for i := range c.wires {
			all = all && c.least[i] >= seq
		}
		if all {
			return
		}
		c.moved.Wait()
	}
}

// Report is what the crowd saw.
type Report struct {
	Frames, Bytes, Welcomes int64
	Median, P99, Max        time.Duration // from the command's sending to an update's arrival
}

// Report sums up.
func (c *Crowd) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := Report{Frames: c.frames.Load(), Bytes: c.bytes.Load(), Welcomes: c.whole.Load()}
	if n := len(c.took); n > 0 {
		slices.Sort(c.took)
		r.Median, r.P99, r.Max = c.took[n/2], c.took[n*99/100], c.took[n-1]
	}
	return r
}
