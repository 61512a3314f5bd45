package hub_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// deaf is a socket made by hand that never reads after the handshake: its small
// receive buffer fills and stays full.
type deaf struct {
	t    testing.TB
	conn net.Conn
}

func dialDeaf(t testing.TB, b *hubtest.Table, token string) *deaf {
	t.Helper()
	dialer := net.Dialer{}
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(b.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(1 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", hub.Subprotocol)
	answer := bufio.NewReaderSize(conn, 16)
	for line := ""; line != "\r\n"; {
		if line, err = answer.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	d := &deaf{t, conn}
	if err := d.send(hub.Hello{Type: "hello", Encounter: b.ID, Token: token}); err != nil {
		t.Fatal(err)
	}
	return d
}

// send writes a message as a text frame, masked with zeros.
func (d *deaf) send(message any) error {
	text := encode(d.t, message)
	_, err := d.conn.Write(append([]byte{0x81, 0x80 | 126, byte(len(text) >> 8), byte(len(text)), 0, 0, 0, 0}, text...))
	return err
}

// B70: one viewer that never reads is cut off; players and newcomers do not
// notice it.
func TestB70StuckViewer(t *testing.T) {
	b := quartet(t, stuckLimits, nil)
	b.Crowd(199, b.Tokens[combat.RoleSpectator])
	dialDeaf(t, b.Table, b.Tokens[combat.RoleSpectator])
	b.gm.WaitPresence("the stuck one", func(p hub.Presence) bool { return p.Spectators == 201 })
	// A long line each time fills the stuck one's buffers.
	long := strings.Repeat("x", 400)
	cut := false
	for i := 0; !cut; i++ {
		if i == 100_000 {
			t.Fatal("the stuck one is still there")
		}
		b.gm.Must(combat.Say{Text: fmt.Sprint(i, long)})
		if i == 200 {
			b.Join(b.seat1.Token)
		}
		cut = b.server.Metric("riposte_drops_total") > 0
	}
	b.gm.WaitPresence("the stuck one gone", func(p hub.Presence) bool { return p.Spectators == 200 })
	b.p1.WaitSeq(b.seqOf(b.seat1.Token))
	b.s1.WaitSeq(b.seqOf(b.Tokens[combat.RoleSpectator]))
}

// A viewer over its bound gets one whole view instead of its updates, and ends
// where everybody is.
func TestOverflowGivesOneView(t *testing.T) {
	b := quartet(t, hub.Limits{QueueBytes: 2 << 10, CommandRate: 1e6, CommandBurst: 1e6}, nil)
	long := strings.Repeat("x", 400)
	for i := range 40 {
		// Together they share an entry, and are more than fits.
		var ids []string
		for n := range 10 {
			ids = append(ids, uuid.NewString())
			b.p1.Ask(ids[n], combat.Say{Text: fmt.Sprint(i, n, long)})
		}
		for _, id := range ids {
			b.p1.Answer(id)
		}
	}
	for token, c := range map[string]*hubtest.Client{b.Tokens[combat.RoleSpectator]: b.s1, b.seat2.Token: b.p2} {
		c.WaitSeq(b.seqOf(token))
		same(t, "late viewer", b.Join(token).View(), c.View())
	}
	if b.server.Metric("riposte_queue_overflows_total") == 0 {
		t.Fatal("nothing gave way")
	}
}

// Somebody who asks and never reads the answers is cut off.
func TestUnreadAnswers(t *testing.T) {
	b := quartet(t, hub.Limits{QueueBytes: 4 << 10, WriteTimeout: 200 * time.Millisecond}, nil)
	d := dialDeaf(t, b.Table, b.seat1.Token)
	for range 10_000_000 {
		if d.send(hub.Do{Type: "do", ID: strings.Repeat("x", 60), Command: []byte(`{}`)}) != nil {
			break // cut off
		}
	}
	if b.server.Metric("riposte_drops_total") == 0 {
		t.Fatal("it was not cut off")
	}
	b.p2.Ping()
}

// An event stream carries the welcome and the updates, and resumes.
func TestEventStream(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	b.start()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events, response := openStream(ctx, t, b.Path()+"/events", b.seat1.Token, "")
	if response != "text/event-stream" {
		t.Fatalf("content type %q", response)
	}
	first := <-events
	welcome := decode[hub.Welcome](t, []byte(first.data))
	if welcome.Type != "welcome" || first.id != fmt.Sprintf("%s:%d", welcome.Epoch, welcome.Seq) || len(welcome.View) == 0 {
		t.Fatalf("%+v", first)
	}
	b.p1.Must(combat.EndTurn{Combatant: b.id["Ash"]})
	second := <-events
	update := decode[hub.Update](t, []byte(second.data))
	if update.Type != "update" || update.Seq != welcome.Seq+1 {
		t.Fatalf("%+v", second)
	}
	cancel()
	b.p2.Must(combat.EndTurn{Combatant: b.id["Birch"]})
	again, _ := openStream(t.Context(), t, b.Path()+"/events", b.seat1.Token, second.id)
	if third := decode[hub.Update](t, []byte((<-again).data)); third.Type != "update" || third.Seq != update.Seq+1 {
		t.Fatalf("%+v", third)
	}
	// Replacing the link ends it.
	spectators, _ := openStream(t.Context(), t, b.Path()+"/events", b.Tokens[combat.RoleSpectator], "")
	<-spectators
	b.gm.Must(combat.ReplaceLink{Role: combat.RoleSpectator})
	for e := range spectators {
		if bye := decode[hub.Bye](t, []byte(e.data)); bye.Type == "bye" && bye.Code != "unauthorized" {
			t.Fatalf("%+v", bye)
		}
	}
}

type event struct{ id, data string }

// openStream reads an event stream until ctx or the test ends.
func openStream(ctx context.Context, t *testing.T, url, token, last string) (<-chan event, string) {
	t.Helper()
	header := []string{"Accept", "text/event-stream"}
	if last != "" {
		header = append(header, "Last-Event-ID", last)
	}
	body, kind := hubtest.Stream(ctx, t, url, token, header...)
	events := make(chan event, 256)
	var done sync.WaitGroup
	t.Cleanup(done.Wait)
	t.Cleanup(func() { body.Close() })
	done.Go(func() {
		defer close(events)
		scanner := bufio.NewReader(body)
		var e event
		for {
			line, err := scanner.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(line, "id: "):
				e.id = line[4:]
			case strings.HasPrefix(line, "data: "):
				e.data = line[6:]
			case line == "" && e.data != "":
				events <- e
				e = event{}
			}
		}
	})
	return events, kind
}
