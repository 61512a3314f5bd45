package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"riposte/hub/apiclient"
)

const (
	openers   = 8                // encounters being opened at a time
	lastWords = 10 * time.Second // for answers that are still out at the end
)

// play puts the load on and measures.
func play(ctx context.Context, p plan, progress io.Writer) (*report, error) {
	tally := newTally()
	var clients []*apiclient.Client
	for _, url := range p.URLs {
		clients = append(clients, apiclient.New(url))
	}
	defer func() {
		for _, c := range clients {
			c.Close()
		}
	}()
	sockets, closeAll := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	defer running.Wait()
	defer closeAll()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastWords, closeAll) })()

	say := &meter{tally: tally, out: progress}
	tables, err := open(ctx, sockets, &p, tally, clients, &running, say)
	if err != nil {
		return nil, err
	}
	most := tally.connected.Load()
	// From here on is what is measured; the ramp is not.
	tally.restart()
	playing, stop := context.WithCancel(ctx)
	defer stop()
	if p.Duration > 0 {
		var done context.CancelFunc
		playing, done = context.WithTimeout(playing, p.Duration)
		defer done()
	}
	start := time.Now()
	var players sync.WaitGroup
	for _, t := range tables {
		players.Go(func() { t.play(playing) })
	}
	finished := make(chan struct{})
	go func() { players.Wait(); close(finished) }()
	say.until(finished, fmt.Sprintf("%d encounters", len(tables)))
	seconds := time.Since(start).Seconds()
	settle(ctx, tables)
	return tally.sumUp(p, seconds, max(most, tally.connected.Load())), nil
}

// open opens the encounters and their sockets, spread over the ramp.
func open(ctx, sockets context.Context, p *plan, tally *tally, clients []*apiclient.Client, running *sync.WaitGroup, say *meter) ([]*table, error) {
	turn := 0
	var mu sync.Mutex
	urls := func() string {
		mu.Lock()
		defer mu.Unlock()
		turn++
		return p.URLs[turn%len(p.URLs)]
	}
	tables := make([]*table, p.Encounters)
	failures := make([]error, p.Encounters)
	opening, giveUp := context.WithCancel(ctx)
	defer giveUp()
	slots := make(chan struct{}, openers)
	start := time.Now()
	var all sync.WaitGroup
	for i := range tables {
		select {
		case <-time.After(time.Until(start.Add(p.Ramp * time.Duration(i) / time.Duration(p.Encounters)))):
		case <-opening.Done():
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			t := &table{plan: p, tally: tally, api: clients[i%len(clients)], urls: urls, probes: &probes{}}
			if failures[i] = t.open(opening, i+1); failures[i] != nil {
				giveUp()
				return
			}
			t.connect(sockets, running)
			tables[i] = t
		})
	}
	opened := make(chan struct{})
	go func() { all.Wait(); close(opened) }()
	say.until(opened, "opening")
	for _, err := range failures {
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil, err
		}
	}
	return tables, ctx.Err()
}

// settle waits for the answers that are still out, for a while.
func settle(ctx context.Context, tables []*table) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for _, t := range tables {
		for t.unanswered() > 0 {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}
}

// meter prints how it goes, once a second.
type meter struct {
	tally *tally
	out   io.Writer
}

func (m *meter) until(done <-chan struct{}, what string) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	acked, deliveries := m.tally.acked.Load(), m.tally.deliveries.Load()
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		case <-tick.C:
			a, d, delay := m.tally.acked.Load(), m.tally.deliveries.Load(), m.tally.delivery.sum()
			fmt.Fprintf(m.out, "%3d s  %s  %d sockets  %d commands/s  %d deliveries/s  so far p50 %.1f ms, p99 %.1f ms, dropped %d\n",
				n, what, m.tally.connected.Load(), a-acked, d-deliveries, delay.P50, delay.P99, m.tally.dropped())
			acked, deliveries = a, d
		}
	}
}

// print writes the report for people.
func (r *report) print(out io.Writer) {
	c, d, n := &r.Commands, &r.Deliveries, &r.Connections
	fmt.Fprintf(out, "%d encounters, %d sockets, measured for %.1f s\n", r.Encounters, r.Sockets, r.Seconds)
	fmt.Fprintf(out, "commands    %d sent, %d acknowledged (%.1f a second), %d repeated, %d skipped, refused: %s\n", c.Sent, c.Acked, c.PerSecond, c.Repeated, c.Skipped, counts(c.Refused))
	fmt.Fprintf(out, "  to the answer     %s\n", c.Delay)
	fmt.Fprintf(out, "deliveries  %d (%.1f a second), %.0f bytes each, %.2f in a frame\n", d.Count, d.PerSecond, d.BytesEach, d.FrameEach)
	fmt.Fprintf(out, "  to every viewer   %s\n", d.Delay)
	fmt.Fprintf(out, "connections dropped: %s; %d resumed, %d got a whole view again, %d holes, %d went back\n", counts(n.Drops), n.Resumed, n.Resyncs, n.Holes, n.Backwards)
	if n.Away.Count > 0 {
		fmt.Fprintf(out, "  away              %s\n", n.Away)
	}
}

// String lists quantiles.
func (d delays) String() string {
	return fmt.Sprintf("p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms (%d measured)", d.P50, d.P90, d.P99, d.Max, d.Count)
}

func counts(by map[string]int64) string {
	if len(by) == 0 {
		return "none"
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(by)) {
		all = append(all, fmt.Sprintf("%s %d", key, by[key]))
	}
	return strings.Join(all, ", ")
}
