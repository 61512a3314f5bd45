package hub_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Every test ends all it started: actors, sockets, writers, timers.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
