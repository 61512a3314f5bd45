package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/combat/scenario"
	"riposte/hub"
	"riposte/hub/apiclient"
)

// remoteTables opens tables on a live server and prints where to watch each.
func remoteTables(base string, stdout io.Writer) scenario.Opener {
	return func(s *scenario.Scenario) (scenario.Table, error) {
		t := &remoteTable{server: apiclient.New(base), tokens: map[combat.Audience]string{}}
		var made hub.Created
		request := hub.CreateRequest{Rules: s.Rules, Title: s.Title, Options: s.Options}
		if err := t.call(http.MethodPost, "/api/encounters", "", request, &made); err != nil {
			return nil, err
		}
		t.path = "/api/encounters/" + string(made.ID)
		for role, token := range made.Tokens {
			t.tokens[combat.Audience{Role: role}] = token
		}
		_, err := fmt.Fprintf(stdout, "  watch it at %s%s\n", t.server.Base(), made.Links[combat.RoleSpectator])
		return t, err
	}
}

// remoteTable is an encounter on a server, reached by the HTTP API.
type remoteTable struct {
	server *apiclient.Client
	path   string
	tokens map[combat.Audience]string
}

// call makes one request.
func (t *remoteTable) call(method, path, token string, body, answer any) error {
	return t.server.Call(context.Background(), method, path, token, body, answer)
}

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
	var no apiclient.Refused
	if errors.As(err, &no) {
		return no.Refusal, nil
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
	t.server.Close()
	return nil
}
