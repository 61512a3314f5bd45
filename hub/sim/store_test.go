package sim

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"riposte/hub"
	"riposte/hub/hubtest"
)

// links counts, so that each has a name of its own.
var links atomic.Int64

// opening makes links to one world in fair weather.
func opening(w *world) func() *link {
	return func() *link { return newLink(w, fmt.Sprint("i", links.Add(1)), &weather{}, 1) }
}

// The world is an honest one: in fair weather it passes what the real stores
// pass.
func TestStore(t *testing.T) {
	hubtest.TestStore(t, func(*testing.T) hubtest.Open {
		open := opening(newWorld(time.Second, rand.New(rand.NewPCG(1, 1))))
		return func(*testing.T) hub.Store { return open() }
	})
}

func TestShared(t *testing.T) {
	hubtest.TestShared(t, func(*testing.T) hubtest.Shared {
		w := newWorld(time.Second, rand.New(rand.NewPCG(1, 1)))
		open := opening(w)
		return hubtest.Shared{
			Open: func(*testing.T) hub.Store { return open() },
			OpenBehind: func(*testing.T) (hub.Store, hubtest.Way) {
				l := open()
				return l, line{l}
			},
			Copy: func(*testing.T) func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				image := w.image()
				return func() {
					w.mu.Lock()
					defer w.mu.Unlock()
					w.restore(image)
				}
			},
		}
	})
}

// line is the connections of a link.
type line struct{ *link }

// Cut implements hubtest.Way.
func (l line) Cut() { l.out.shut(); l.in.shut() }

// Drop implements hubtest.Way.
func (l line) Drop() { l.deafen() }

// Heal implements hubtest.Way.
func (l line) Heal() { l.out.open(); l.in.open(); l.mend() }
