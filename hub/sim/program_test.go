package sim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// streamSilence is after how long without a sign a program looks for another
// instance: an event stream has no beacon, but says every 15 seconds that it is
// alive.
const streamSilence = 35 * time.Second

// path is the address of something of the encounter.
func (c *screen) path(of string) string {
	return "http://sim/api/encounters/" + string(c.run.encounter) + of
}

// request makes a request with the screen's token.
func (c *screen) request(ctx context.Context, method, path string, body any) *http.Request {
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body) // our own types
	}
	request, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(data))
	if err != nil {
		panic(err) // our own address
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	return request
}

// watch is one event stream.
func (c *screen) watch() error {
	road := c.road(c.roads)
	defer road.end()
	ctx, cancel := context.WithCancel(c.run.running)
	defer cancel()
	request := c.request(ctx, http.MethodGet, c.path("/events"), nil)
	if c.comesBack(road.name) {
		request.Header.Set("Last-Event-ID", fmt.Sprintf("%s:%d", c.epoch, c.seq))
	}
	c.attach(road.conn)
	defer c.attach(nil)
	late := time.AfterFunc(silence, cancel)
	response, err := road.client().Do(request)
	late.Stop()
	if err != nil {
		return fmt.Errorf("%s: %w", road.name, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return c.problem(response.Body)
	}
	lines, read := make(chan string), make(chan error, 1)
	go func() {
		from := bufio.NewReader(response.Body)
		for {
			line, err := from.ReadString('\n')
			if err != nil {
				read <- err
				return
			}
			select {
			case lines <- strings.TrimSuffix(line, "\n"):
			case <-ctx.Done():
				read <- ctx.Err()
				return
			}
		}
	}()
	defer func() { cancel(); road.end(); <-read }()
	quiet := time.NewTimer(streamSilence)
	defer quiet.Stop()
	for {
		select {
		case line := <-lines:
			quiet.Reset(streamSilence)
			if err := c.event(line); err != nil {
				return err
			}
			if c.run.weather.strikes(3) {
				c.run.sleep(c.run.weather.within(20 * time.Second))
				quiet.Reset(streamSilence)
			}
		case err := <-read:
			read <- err
			return err
		case <-quiet.C:
			return fmt.Errorf("nothing came for %s", streamSilence)
		case <-c.run.running.Done():
			return nil
		}
	}
}

// event takes one line of an event stream.
func (c *screen) event(line string) error {
	if data, is := strings.CutPrefix(line, "data: "); is {
		_, err := c.take([]byte(data))
		return err
	}
	if strings.HasPrefix(line, ":") { // it is open, and what is missing, if anything, on its way
		c.mu.Lock()
		defer c.mu.Unlock()
		c.joined = true
		c.letIn()
	}
	return nil
}

// problem takes a refusal over HTTP.
func (c *screen) problem(body io.Reader) error {
	var p hub.Problem
	if err := json.NewDecoder(body).Decode(&p); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sentAway(p.Code)
	return errBye{p.Code}
}

// call makes one request.
func (c *screen) call(road *road, method, path string, body any) (status int, header http.Header, answer []byte, err error) {
	defer road.end()
	ctx, cancel := context.WithTimeout(c.run.running, 2*silence)
	defer cancel()
	response, err := road.client().Do(c.request(ctx, method, path, body))
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		return 0, nil, nil, err
	}
	if c.audience.Role != combat.RoleGM && bytes.Contains(answer, []byte(marker)) {
		c.run.report("%s is told the secret over HTTP: %s", c.name, answer)
	}
	return response.StatusCode, response.Header, answer, nil
}

// work is what a program does beside watching: it sends commands until they are
// answered, and looks at the view.
func (c *screen) work() {
	for !c.run.over() {
		c.run.sleep(c.thinks())
		switch c.random.IntN(3) {
		case 0:
			if c.random.IntN(4) > 0 {
				c.read(c.road(c.random))
				continue
			}
			_, _, _, _ = c.call(c.road(c.random), http.MethodGet, c.path("/log"), nil) // it must not tell the secret
		case 1:
			for _, a := range c.unanswered() {
				c.post(a, c.random)
			}
		default:
			for _, a := range c.ask() {
				c.post(a, c.random)
			}
		}
	}
}

// post sends a command over HTTP.
func (c *screen) post(a *asked, random *rand.Rand) {
	shut := c.run.oracle.shutOut(c.token)
	status, _, answer, err := c.call(c.road(random), http.MethodPost, c.path("/commands"), hub.CommandRequest{ID: a.id, Command: a.raw})
	if err != nil {
		return // nobody knows
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if status == http.StatusOK {
		if _, asks := a.command.(combat.ReplaceLink); !asks && c.run.oracle.shut(shut) && !c.run.lately() {
			c.run.report("%s has a command accepted with a token that is no good: %s", c.name, a)
		}
		var done hub.CommandDone
		if err := json.Unmarshal(answer, &done); err != nil {
			c.run.report("%s cannot read %s: %v", c.name, answer, err)
		}
		c.accepted(a.id, done.Result)
		return
	}
	var p hub.Problem
	if err := json.Unmarshal(answer, &p); err != nil {
		c.run.report("%s cannot read %s: %v", c.name, answer, err)
	}
	_, _ = c.rejected(a.id, p.Code) // what says nothing about it is sent again anyhow
}

// read looks at the view: it is what there was at one moment since it asked.
func (c *screen) read(road *road) {
	o := c.run.oracle
	shut := o.shutOut(c.token)
	epoch, seq, _ := o.head(c.audience, time.Now())
	status, header, answer, err := c.call(road, http.MethodGet, c.path(""), nil)
	if err != nil {
		return
	}
	if status != http.StatusOK {
		_ = c.problem(bytes.NewReader(answer)) // it is noted
		return
	}
	if o.shut(shut) && !c.run.lately() {
		c.run.report("%s reads with a token that is no good", c.name)
	}
	got, err := strconv.ParseUint(strings.Trim(header.Get("ETag"), `"`), 10, 64)
	if err != nil {
		c.run.report("%s reads a view with the number %q", c.name, header.Get("ETag"))
	}
	var view map[string]json.RawMessage
	if err := json.Unmarshal(answer, &view); err != nil {
		c.run.report("%s cannot read %s: %v", c.name, answer, err)
	}
	if now, _, _ := o.head(c.audience, time.Now()); now != epoch || c.run.lately() {
		return // it may be of either history
	}
	if got < seq && c.late == 0 {
		c.run.report("%s reads %d of %s, which was at %d before it asked", c.name, got, epoch, seq)
	}
	o.shows(c.name+" over HTTP", epoch, c.audience, got, view)
	o.entitled(c.name, c.token, epoch, c.audience, got)
}
