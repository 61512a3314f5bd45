package hubtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"riposte/hub"
)

// stream is an event stream as a wire: its frames are the data of the events.
type stream struct {
	t     testing.TB
	body  io.Closer
	lines *bufio.Reader
	drop  context.CancelFunc
	epoch string // what the ids of the events are to begin with
}

// events opens an event stream that goes on from what was seen, if anything was;
// then it is whole as soon as it is open, for what it has missed is on its way.
func (p *Browser) events(ctx context.Context, url string, seen *Client) (c *Client, whole bool, err error) {
	s := &stream{t: p.table.t}
	running, drop := context.WithCancel(p.ctx)
	s.drop = drop
	defer func() {
		if err != nil {
			drop()
		}
	}()
	defer context.AfterFunc(ctx, drop)() // it takes too long to open
	request, err := http.NewRequestWithContext(running, http.MethodGet, p.table.On(url).Path()+"/events", nil)
	if err != nil {
		return nil, false, err
	}
	request.Header.Set("Authorization", "Bearer "+p.hello.Token)
	c = clientOn(p.table.t, s)
	c.watch = p.watch
	if seen != nil {
		hello := c.goOn(seen, hub.Hello{})
		s.epoch = hello.Epoch
		request.Header.Set("Last-Event-ID", fmt.Sprintf("%s:%d", hello.Epoch, *hello.Since))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, false, err
	}
	s.body, s.lines = response.Body, bufio.NewReader(response.Body)
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		var problem hub.Problem
		if json.NewDecoder(response.Body).Decode(&problem) == nil && problem.Params["retryAfterMs"] == nil {
			p.table.t.Errorf("an event stream is refused for good: %s", problem.Code)
		}
		return nil, false, errors.New(response.Status)
	}
	go c.read()
	return c, seen != nil, nil
}

func (s *stream) read(context.Context) ([]byte, error) {
	id := ""
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSuffix(line, "\n")
		if after, is := strings.CutPrefix(line, "id: "); is {
			id = after
		}
		if data, is := strings.CutPrefix(line, "data: "); is {
			s.named(id, []byte(data))
			return []byte(data), nil
		}
	}
}

// named checks the id of an event, with which a browser comes back.
func (s *stream) named(id string, data []byte) {
	var m struct {
		Type, Epoch string
		Seq         uint64
	}
	_ = json.Unmarshal(data, &m) // whoever reads it sees what is wrong
	want := ""
	switch m.Type {
	case "welcome":
		s.epoch = m.Epoch
		want = fmt.Sprintf("%s:%d", m.Epoch, m.Seq)
	case "update":
		want = fmt.Sprintf("%s:%d", s.epoch, m.Seq)
	}
	if id != want {
		s.t.Errorf("an event has the id %q, not %q: %.100s", id, want, data)
	}
}

// write does nothing: an event stream is read-only.
func (s *stream) write([]byte, bool) {}

func (s *stream) close() { s.cut() }

func (s *stream) cut() {
	s.drop()
	s.body.Close()
}
