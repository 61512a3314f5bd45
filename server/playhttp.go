package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/combat/scenario"
	"riposte/hub"
)

const (
	remoteTimeout = 30 * time.Second // for one request
	remoteTries   = 20               // of a request that is told to wait
	remoteBytes   = 16 << 20         // of an answer
)

// remoteTables opens tables on a live server and prints where to watch each.
func remoteTables(base string, stdout io.Writer) scenario.Opener {
	return func(s *scenario.Scenario) (scenario.Table, error) {
		t := &remoteTable{base: strings.TrimRight(base, "/"), client: &http.Client{Timeout: remoteTimeout},
			tokens: map[combat.Audience]string{}}
		var made hub.Created
		request := hub.CreateRequest{Rules: s.Rules, Title: s.Title, Options: s.Options}
		if err := t.call(http.MethodPost, "/api/encounters", "", request, &made); err != nil {
			return nil, err
		}
		t.path = "/api/encounters/" + string(made.ID)
		for role, token := range made.Tokens {
			t.tokens[combat.Audience{Role: role}] = token
		}
		_, err := fmt.Fprintf(stdout, "  watch it at %s%s\n", t.base, made.Links[combat.RoleSpectator])
		return t, err
	}
}

// remoteTable is an encounter on a server, reached by the HTTP API.
type remoteTable struct {
	base   string
	path   string
	client *http.Client
	tokens map[combat.Audience]string
}

// refused is a refusal on its way through error returns.
type refused struct{ refusal *combat.Refusal }

func (r refused) Error() string { return "refused: " + r.refusal.Code }

// Seat makes a seat with the player link.
func (t *remoteTable) Seat(name string) (combat.ID, error) {
	var made hub.SeatCreated
	err := t.call(http.MethodPost, t.path+"/seats", t.tokens[combat.Audience{Role: combat.RolePlayer}], hub.SeatRequest{Name: name}, &made)
	t.tokens[combat.Audience{Role: combat.RoleSeat, Seat: made.Seat}] = made.Token
	return made.Seat, err
}

// Do posts a command under a new id.
func (t *remoteTable) Do(as combat.Audience, command combat.Command) (*combat.Refusal, error) {
	encoded, err := combat.EncodeCommand(command)
	if err != nil {
		return nil, err
	}
	var done hub.CommandDone
	err = t.call(http.MethodPost, t.path+"/commands", t.tokens[as], hub.CommandRequest{ID: uuid.NewString(), Command: encoded}, &done)
	var no refused
	if errors.As(err, &no) {
		return no.refusal, nil
	}
	return nil, err
}

// View gets the view of an audience.
func (t *remoteTable) View(as combat.Audience) (scenario.View, error) {
	var view scenario.View
	err := t.call(http.MethodGet, t.path, t.tokens[as], nil, &view)
	return view, err
}

// Sent is the view as it comes over the wire.
func (t *remoteTable) Sent(as combat.Audience) ([]byte, error) {
	var raw json.RawMessage
	err := t.call(http.MethodGet, t.path, t.tokens[as], nil, &raw)
	return raw, err
}

// Fingerprint is the GM's view: all that can be seen from outside.
func (t *remoteTable) Fingerprint() ([]byte, error) {
	view, err := t.View(combat.Audience{Role: combat.RoleGM})
	if err != nil {
		return nil, err
	}
	return json.Marshal(view)
}

// Close leaves the encounter as it is, for those who watch.
func (t *remoteTable) Close() error {
	t.client.CloseIdleConnections()
	return nil
}

// call makes one request; when the server says later, it comes again later. A
// command is repeated under its id, so it cannot apply twice.
func (t *remoteTable) call(method, path, token string, body, answer any) error {
	var sent []byte
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = encoded
	}
	for try := 1; ; try++ {
		refusal, err := t.once(method, path, token, sent, answer)
		if err != nil || refusal == nil {
			return err
		}
		wait, later := refusal.Params["retryAfterMs"].(float64)
		if !later || try == remoteTries {
			return refused{refusal}
		}
		time.Sleep(time.Duration(wait) * time.Millisecond)
	}
}

func (t *remoteTable) once(method, path, token string, body []byte, answer any) (*combat.Refusal, error) {
	request, err := http.NewRequest(method, t.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := t.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, remoteBytes))
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 300 {
		return nil, json.Unmarshal(data, answer)
	}
	var problem hub.Problem
	if err := json.Unmarshal(data, &problem); err != nil || problem.Code == "" {
		return nil, fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	return &combat.Refusal{Code: problem.Code, Params: problem.Params}, nil
}
