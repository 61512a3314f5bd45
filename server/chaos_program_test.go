package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/apiclient"
	"riposte/hub/hubtest"
)

// repeat is hubtest.Browser.Do of a program: a command goes over HTTP to any
// instance, again under its id to any other until it is answered for good.
func (p *player) repeat(ctx context.Context, id string, command combat.Command) (hubtest.Reply, error) {
	for {
		var done hub.CommandDone
		reply := hubtest.Reply{Sent: time.Now()}
		err := p.post(p.calls[p.rng.IntN(len(p.calls))], id, command, &done)
		var no apiclient.Refused
		switch {
		case err == nil:
			reply.Ack = &hub.Ack{ID: id, Seq: done.Seq}
			return reply, nil
		case errors.As(err, &no) && no.Refusal.Params["retryAfterMs"] == nil:
			reply.Reject = &hub.Reject{ID: id, Code: no.Refusal.Code, Params: no.Refusal.Params}
			return reply, nil
		}
		select {
		case <-time.After(p.load.pause): // nobody may be there to say no
		case <-ctx.Done():
			return hubtest.Reply{}, ctx.Err()
		}
	}
}

// look has a player's program look for the hidden one in what it can ask for.
func (p *player) look() {
	ctx, cancel := context.WithTimeout(p.load.answers, requestPatience)
	defer cancel()
	call := p.calls[p.rng.IntN(len(p.calls))]
	for _, path := range []string{"", "/log"} {
		var answer json.RawMessage
		if call.Call(ctx, http.MethodGet, p.path()+path, p.token, nil, &answer) == nil {
			p.watch(answer)
		}
	}
}
