package main

import (
	"math/bits"
	"sync"
	"time"
)

// bits of precision within a power of two: buckets are at most 1/32 wide.
const precision = 5

// histogram counts durations in buckets whose width grows with their height,
// so that it stays small however long a run is. Any goroutine may use it.
type histogram struct {
	mu     sync.Mutex
	counts [64 << precision]int64
	total  int64
	most   time.Duration
}

func (h *histogram) add(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts[bucket(uint64(max(d, 0)))]++
	h.total++
	h.most = max(h.most, d)
}

// bucket is the number of the bucket that holds n nanoseconds.
func bucket(n uint64) int {
	if n < 1<<precision {
		return int(n)
	}
	shift := bits.Len64(n) - precision - 1
	return (shift+1)<<precision + int(n>>shift&(1<<precision-1))
}

// ceiling is the largest duration in a bucket.
func ceiling(bucket int) time.Duration {
	if bucket < 1<<precision {
		return time.Duration(bucket)
	}
	shift := bucket>>precision - 1
	floor := uint64(1<<precision+bucket&(1<<precision-1)) << shift
	return time.Duration(floor + 1<<shift - 1)
}

// delays sums up durations, in milliseconds.
type delays struct {
	Count int64   `json:"count"`
	P50   float64 `json:"p50Ms"`
	P90   float64 `json:"p90Ms"`
	P99   float64 `json:"p99Ms"`
	Max   float64 `json:"maxMs"`
}

func (h *histogram) sum() delays {
	h.mu.Lock()
	defer h.mu.Unlock()
	return delays{Count: h.total, P50: ms(h.quantile(.5)), P90: ms(h.quantile(.9)), P99: ms(h.quantile(.99)), Max: ms(h.most)}
}

// quantile is a duration that this part of all does not exceed.
func (h *histogram) quantile(part float64) time.Duration {
	rank, seen := int64(part*float64(h.total)), int64(0)
	for i, n := range h.counts {
		if seen += n; seen > rank {
			return min(ceiling(i), h.most)
		}
	}
	return h.most
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
