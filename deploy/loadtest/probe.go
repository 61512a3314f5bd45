package main

import (
	"bytes"
	"fmt"
	"sync"
	"time"
)

// A probe is a position that tells its number: where a combatant stands is
// shown to everybody and means nothing to the rules.
const probePrefix = `"position":"probe-`

func probeText(n uint64) string { return fmt.Sprintf("probe-%d", n) }

// newestProbe returns the highest number of a probe in an update, or 0.
func newestProbe(update []byte) uint64 {
	newest := uint64(0)
	for {
		_, rest, found := bytes.Cut(update, []byte(probePrefix))
		if !found {
			return newest
		}
		n := uint64(0)
		for _, c := range rest {
			if c < '0' || c > '9' {
				break
			}
			n = n*10 + uint64(c-'0')
		}
		newest, update = max(newest, n), rest
	}
}

// keptProbes is how many probes of one encounter are remembered; whoever is
// further behind is not measured.
const keptProbes = 4096

// probes remembers when the probes of one encounter were sent.
type probes struct {
	mu   sync.Mutex
	last uint64 // number of the last one; they are numbered from 1
	at   [keptProbes]time.Time
}

// next numbers a probe that is sent now.
func (p *probes) next(now time.Time) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	p.at[p.last%keptProbes] = now
	return p.last
}

// sent returns when a probe was sent, if that is still known.
func (p *probes) sent(n uint64) (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n == 0 || n > p.last || p.last-n >= keptProbes {
		return time.Time{}, false
	}
	return p.at[n%keptProbes], true
}
