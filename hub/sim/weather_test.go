package sim

import (
	"math/rand/v2"
	"sync"
	"time"
)

// gate is something that can be shut for a while. The zero value is open.
type gate struct {
	mu     sync.Mutex
	opened chan struct{} // nil: open
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		g.opened = make(chan struct{})
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
	}
}

// way is closed when the gate is open.
func (g *gate) way() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened == nil {
		return always
	}
	return g.opened
}

var always = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// weather is how bad the ways are. The zero value is fair: nothing happens.
type weather struct {
	mu     sync.Mutex
	random *rand.Rand
	storm  bool
	mute   bool // every frame of an audience is lost without a word
}

func newWeather(seed, stream uint64) *weather {
	return &weather{random: rand.New(rand.NewPCG(seed, stream))}
}

func (w *weather) set(storm bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.storm = storm
}

func (w *weather) silence(mute bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mute = mute
}

func (w *weather) mutes() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mute
}

// strikes reports whether something happens that happens in so many of a
// thousand cases.
func (w *weather) strikes(permille int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.storm && w.random.IntN(1000) < permille
}

// lag is how long one way takes.
func (w *weather) lag() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.random == nil {
		return 0
	}
	lag := time.Duration(w.random.Int64N(int64(2 * time.Millisecond)))
	if !w.storm {
		return lag
	}
	switch n := w.random.IntN(100); {
	case n < 2:
		return time.Duration(w.random.Int64N(int64(2500 * time.Millisecond)))
	case n < 15:
		return time.Duration(w.random.Int64N(int64(200 * time.Millisecond)))
	}
	return lag
}

// within is a random time up to most.
func (w *weather) within(most time.Duration) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.random == nil {
		return 0
	}
	return time.Duration(w.random.Int64N(int64(most)))
}
