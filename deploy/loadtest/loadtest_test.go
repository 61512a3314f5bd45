package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"riposte/hub"
	"riposte/hub/hubtest"
)

// measure runs a plan and decodes its report.
func measure(t *testing.T, args ...string) report {
	t.Helper()
	var out, messages bytes.Buffer
	if code := run(append(args, "-json", "-", "-quiet"), &out, &messages); code != 0 {
		t.Fatalf("exit %d: %s%s", code, messages.String(), out.String())
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return r
}

func TestEveryCommandIsAnsweredAndDelivered(t *testing.T) {
	server := hubtest.Start(t, hub.Limits{})
	r := measure(t, "-url", server.URL, "-encounters", "2", "-gms", "2", "-players", "2", "-spectators", "3",
		"-monsters", "4", "-rate", "200", "-ramp", "0", "-duration", "0", "-commands", "48")
	if r.Encounters != 2 || r.Sockets != 2*7 {
		t.Errorf("%d encounters, %d sockets", r.Encounters, r.Sockets)
	}
	c := r.Commands
	if c.Sent+c.Skipped != 2*48 || c.Acked != c.Sent || len(c.Refused) > 0 || c.Delay.Count != c.Acked || !(c.Delay.P50 > 0) {
		t.Errorf("commands %+v", c)
	}
	if d := r.Deliveries; d.Count == 0 || d.Bytes < d.Count || d.Delay.Count == 0 || d.Delay.Max < d.Delay.P50 {
		t.Errorf("deliveries %+v", d)
	}
	if n := r.Connections; len(n.Drops) > 0 || n.Holes > 0 || n.Backwards > 0 || n.Resyncs > 0 {
		t.Errorf("connections %+v", n)
	}
}

func TestArgumentsAreChecked(t *testing.T) {
	for _, args := range []string{
		"-url ftp://x", "-url x", "-encounters 0", "-gms 0", "-players -1", "-monsters 51", "-rate 0", "-rate NaN",
		"-duration 0", "-ramp -1s", "-rules chess", "more", "-no",
	} {
		var out, messages bytes.Buffer
		if code := run(strings.Fields(args), &out, &messages); code != 2 || messages.Len() == 0 || out.Len() > 0 {
			t.Errorf("%s: exit %d, %q", args, code, messages.String())
		}
	}
}

func TestNobodyThere(t *testing.T) {
	server := hubtest.Start(t, hub.Limits{})
	url := server.URL
	server.Stop()
	var out, messages bytes.Buffer
	if code := run([]string{"-url", url, "-quiet"}, &out, &messages); code != 1 || !strings.Contains(messages.String(), "making an encounter") {
		t.Errorf("exit %d: %s", code, messages.String())
	}
}

func TestHistogram(t *testing.T) {
	var h histogram
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		h.add(time.Duration(random.Int64N(int64(time.Second))))
	}
	h.add(3 * time.Second)
	sum := h.sum()
	near := func(got, want float64) bool { return got > want*.95 && got < want*1.05 }
	if sum.Count != 10_001 || !near(sum.P50, 500) || !near(sum.P99, 990) || sum.Max != 3000 {
		t.Errorf("%+v", sum)
	}
	for n := uint64(1); n < 1<<62; n = n*3 + 1 {
		if b := bucket(n); uint64(ceiling(b)) < n || b > 0 && uint64(ceiling(b-1)) >= n {
			t.Fatalf("%d is in bucket %d, which ends at %d", n, b, ceiling(b))
		}
	}
}

func TestProbes(t *testing.T) {
	var p probes
	now := time.Now()
	for range keptProbes + 10 {
		p.next(now)
	}
	if _, known := p.sent(10); known {
		t.Error("a probe is remembered for ever")
	}
	if at, known := p.sent(keptProbes + 10); !known || !at.Equal(now) {
		t.Error("the last probe is forgotten")
	}
	if _, known := p.sent(keptProbes + 11); known {
		t.Error("a probe of the future is known")
	}
	if n := newestProbe([]byte(`{"a":{"position":"probe-7"},"b":{"position":"probe-31","x":1}}`)); n != 31 {
		t.Error(n)
	}
	if n := newestProbe([]byte(`{"position":"at the door"}`)); n != 0 {
		t.Error(n)
	}
}
