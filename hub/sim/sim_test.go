package sim

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

var (
	seeds = flag.Int("seeds", 12, "how many seeds TestSeeds plays")
	from  = flag.Uint64("from", 1, "the first of them")
	seed  = flag.Uint64("seed", 0, "play this seed only, and tell what happened")
)

// Every run ends all it started.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Whatever goes wrong, nothing acknowledged is lost, nothing applies twice, no
// screen goes back or shows what is not so, and nobody is told what is not for
// them.
func TestSeeds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // fewer orders in which things happen
	first, n := *from, *seeds
	if *seed != 0 {
		first, n = *seed, 1
	}
	total := figures{faults: map[string]int{}}
	for s := first; s < first+uint64(n); s++ {
		t.Run(fmt.Sprint("seed=", s), func(t *testing.T) {
			wrong, diary, f := simulate(t, s)
			total.add(f)
			if *seed != 0 || len(wrong) > 0 { // it may not go wrong again
				t.Log(strings.Join(diary, "\n"))
			}
			if len(wrong) > 0 {
				t.Fatalf("%s\nplay it again: go test ./hub/sim -run 'TestSeeds$' -v -count=5 -seed=%d", strings.Join(wrong, "\n"), s)
			}
		})
	}
	t.Logf("%d seeds: %d commits, %d commands answered, %d of them refused; faults: %v", n, total.commits, total.answered, total.refused, total.faults)
	if n >= 10 && (total.commits < 20*n || len(total.faults) < 6) {
		t.Error("hardly anything happened")
	}
}

func (f *figures) add(other figures) {
	f.commits += other.commits
	f.refused += other.refused
	f.answered += other.answered
	for what, n := range other.faults {
		f.faults[what] += n
	}
}
