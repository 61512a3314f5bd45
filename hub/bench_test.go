package hub_test

import (
	"strings"
	"testing"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// BenchmarkSpectators is 1,000 spectators of one fight over loopback sockets,
// with 20 changes a second: run it with -benchtime 200x for ten seconds. The
// time of an iteration is the pace; what counts are the metrics.
func BenchmarkSpectators(b *testing.B) {
	server := hubtest.Start(b, hub.Limits{})
	table := hubtest.Create(b, server.URL, nil)
	gm := table.Join(table.Tokens[combat.RoleGM])
	ids := table.Quartet(gm, "", "")
	gm.Must(combat.StartCombat{})
	crowd := table.Crowd(1000, table.Tokens[combat.RoleSpectator])
	spectator := table.Join(table.Tokens[combat.RoleSpectator])
	pace := time.NewTicker(time.Second / 20)
	defer pace.Stop()
	seq := spectator.Seq()
	amount := 0
	for b.Loop() {
		<-pace.C
		seq++
		crowd.Sending(seq)
		amount++
		gm.Must(combat.SetTempHP{Combatants: []combat.ID{ids["Ash"]}, Amount: amount})
	}
	crowd.WaitSeq(seq)
	r := crowd.Report()
	b.ReportMetric(server.Metric("riposte_queue_overflows_total"), "overflows")
	b.ReportMetric(float64(r.Welcomes), "welcomes")
	b.ReportMetric(float64(r.Median.Microseconds())/1000, "median-ms")
	b.ReportMetric(float64(r.P99.Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(r.Max.Microseconds())/1000, "max-ms")
}

// BenchmarkWireBytes is what one change of hit points costs on the wire, to
// one viewer of each audience: the aim is below 400 bytes.
func BenchmarkWireBytes(b *testing.B) {
	server := hubtest.Start(b, hub.Limits{CommandRate: 1e6, CommandBurst: 1e6})
	table := hubtest.Create(b, server.URL, map[string]string{"npcHp": "exact"})
	gm := table.Join(table.Tokens[combat.RoleGM])
	seat := table.Seat("P1")
	ids := table.Quartet(gm, seat.Seat, "")
	gm.Must(combat.StartCombat{})
	watch := map[string]*hubtest.Client{"gm": gm, "seat": table.Join(seat.Token), "spectator": table.Join(table.Tokens[combat.RoleSpectator])}
	bytes := map[string]int{}
	changes := 0
	for b.Loop() {
		changes++
		var command combat.Command = combat.Damage{Combatants: []combat.ID{ids["Dune"]}, Amount: 1}
		if changes%2 == 0 {
			command = combat.Heal{Combatants: []combat.ID{ids["Dune"]}, Amount: 1}
		}
		before := map[string]uint64{}
		for name, c := range watch {
			before[name] = c.Seq()
		}
		gm.Must(command)
		for name, c := range watch {
			c.WaitSeq(before[name] + 1)
			for _, frame := range c.Frames()[max(0, len(c.Frames())-3):] {
				if strings.HasPrefix(frame, `{"type":"update"`) {
					bytes[name] = len(frame)
				}
			}
		}
	}
	for name, n := range bytes {
		b.ReportMetric(float64(n), name+"-bytes")
	}
}

// BenchmarkCommand is one command of one client, from sending it to its Ack:
// decided, synced to disk, and on its way to everybody.
func BenchmarkCommand(b *testing.B) {
	server := hubtest.Start(b, hub.Limits{CommandRate: 1e9, CommandBurst: 1e9})
	table := hubtest.Create(b, server.URL, nil)
	gm := table.Join(table.Tokens[combat.RoleGM])
	ids := table.Quartet(gm, "", "")
	amount := 0
	for b.Loop() {
		amount++
		gm.Must(combat.SetTempHP{Combatants: []combat.ID{ids["Ash"]}, Amount: amount % 900})
	}
}
