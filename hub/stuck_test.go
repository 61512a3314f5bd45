package hub_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/embedded"
	"riposte/hub/hubtest"
)

// stuckLimits have a stuck viewer noticed soon, but nobody who only waits for a
// processor, and nobody held back for speed.
var stuckLimits = hub.Limits{QueueBytes: 64 << 10, WriteTimeout: 2 * time.Second, CommandRate: 1e6, CommandBurst: 1e6}

var eventText = regexp.MustCompile(`^event (\d+) `)

// B70, whole: 5,000 events with one of 200 spectators that never reads, and
// somebody who joins meanwhile. Everybody has each event once and in order, so
// has the log, and it comes to what is on the screens.
func TestB70FiveThousandEvents(t *testing.T) {
	const events, atOnce = 5000, 50
	limits := stuckLimits
	limits.SnapshotEvery = 2 * events // so that what can be undone is the same after the restart
	b := quartet(t, limits, nil)
	crowd := b.Crowd(199, b.Tokens[combat.RoleSpectator])
	dialDeaf(t, b.Table, b.Tokens[combat.RoleSpectator])
	b.gm.WaitPresence("the stuck one", func(p hub.Presence) bool { return p.Spectators == 201 })
	long := strings.Repeat("x", 400) // fills the stuck one's buffers
	var newcomer *hubtest.Client
	for n := 0; n < events; {
		var ids []string
		for range atOnce {
			ids = append(ids, uuid.NewString())
			b.p1.Ask(ids[len(ids)-1], combat.Say{Text: fmt.Sprint("event ", n, " ", long)})
			n++
		}
		for _, id := range ids {
			if reply := b.p1.Answer(id); reply.Ack == nil {
				t.Fatalf("refused: %s", reply.Code())
			}
		}
		if n == events/2 {
			newcomer = b.Join(b.seat2.Token)
		}
	}
	spectator := b.Tokens[combat.RoleSpectator]
	crowd.WaitSeq(b.seqOf(spectator))
	b.gm.WaitPresence("the stuck one gone", func(p hub.Presence) bool { return p.Spectators == 200 })
	if got := b.server.Metric("riposte_drops_total"); got != 1 {
		t.Errorf("%v were cut off", got)
	}
	screens := map[*hubtest.Client]string{b.gm: b.Tokens[combat.RoleGM], b.p1: b.seat1.Token, b.p2: b.seat2.Token, newcomer: b.seat2.Token, b.s1: spectator}
	shown := map[string]string{}
	for c, token := range screens {
		c.WaitSeq(b.seqOf(token))
		answer := hubtest.Request(t, http.MethodGet, b.Path(), token, nil)
		same(t, "a screen", toTexts(t, answer.Body), c.View())
		shown[token] = answer.Header.Get("ETag") + string(answer.Body)
	}
	b.server.Stop()
	checkEvents(t, b.server.Path(), b.ID, events)
	again := b.On(b.server.AgainWith(limits).URL)
	for token, before := range shown {
		answer := hubtest.Request(t, http.MethodGet, again.Path(), token, nil)
		differ(t, "the view before and after a restart", before, answer.Header.Get("ETag")+string(answer.Body))
	}
}

// toTexts reads a view, with values as text.
func toTexts(t *testing.T, body []byte) map[string]string {
	t.Helper()
	all := map[string]string{}
	for key, value := range decode[map[string]rawText](t, body) {
		all[key] = string(value)
	}
	return all
}

// rawText is JSON as it stands.
type rawText string

// UnmarshalJSON implements json.Unmarshaler.
func (r *rawText) UnmarshalJSON(data []byte) error {
	*r = rawText(data)
	return nil
}

// checkEvents reads a log: its chain is whole, and each event is in it once, in
// order.
func checkEvents(t *testing.T, path string, id combat.ID, events int) {
	t.Helper()
	store, err := embedded.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	seq, hash, next := uint64(0), "", 0
	for record, err := range store.Read(t.Context(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if err := record.Commit.Follows(seq, hash); err != nil {
			t.Fatal(err)
		}
		seq, hash = record.Commit.Seq, record.Commit.Hash
		for _, event := range record.Commit.Events {
			said, is := event.(combat.Said)
			if !is {
				continue
			}
			if found := eventText.FindStringSubmatch(said.Text); found == nil || found[1] != fmt.Sprint(next) {
				t.Fatalf("commit %d says %.20q where event %d is to be", seq, said.Text, next)
			}
			next++
		}
	}
	if next != events {
		t.Errorf("%d events are in the log", next)
	}
}

// BenchmarkStuckViewer is how long players wait for an event while one of 200
// spectators never reads (B70: their 99th percentile is to be below 250 ms): 50
// events a second, 5,000 of them with -benchtime 5000x.
func BenchmarkStuckViewer(b *testing.B) {
	server := hubtest.Start(b, stuckLimits)
	table := hubtest.Create(b, server.URL, nil)
	gm := table.Join(table.Tokens[combat.RoleGM])
	table.Crowd(199, table.Tokens[combat.RoleSpectator])
	players := table.Crowd(6, table.Tokens[combat.RolePlayer])
	dialDeaf(b, table, table.Tokens[combat.RoleSpectator])
	player := table.Join(table.Tokens[combat.RolePlayer])
	pace := time.NewTicker(time.Second / 50)
	defer pace.Stop()
	long := strings.Repeat("x", 400)
	seq := player.Seq()
	for b.Loop() {
		<-pace.C
		seq++
		players.Sending(seq)
		gm.Must(combat.Say{Text: long})
	}
	players.WaitSeq(seq)
	r := players.Report()
	b.ReportMetric(server.Metric("riposte_drops_total"), "cut-off")
	b.ReportMetric(float64(r.Median.Microseconds())/1000, "median-ms")
	b.ReportMetric(float64(r.P99.Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(r.Max.Microseconds())/1000, "max-ms")
}
