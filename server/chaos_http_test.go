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

// post sends a command over HTTP.
func (p *player) post(call *apiclient.Client, id string, command combat.Command, done *hub.CommandDone) error {
	encoded, err := combat.EncodeCommand(command)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(p.load.answers, requestPatience)
	defer cancel()
	return call.Call(ctx, http.MethodPost, p.path()+"/commands", p.token, hub.CommandRequest{ID: id, Command: encoded}, done)
}

// requestPatience bounds one request: an instance may stand still.
const requestPatience = 10 * time.Second

func (p *player) path() string { return "/api/encounters/" + string(p.load.table.ID) }

// again sends a command that was accepted once more: the answer is the same.
func (p *player) again() {
	l := p.load
	l.mu.Lock()
	var old *sent
	if len(l.sent) > 0 {
		old = l.sent[p.rng.IntN(len(l.sent))]
	}
	known := old != nil && old.reply.Ack != nil && old.by.token == p.token
	l.mu.Unlock()
	if !known {
		return
	}
	var done hub.CommandDone
	// What it says does not matter: the id counts.
	err := p.post(p.calls[p.rng.IntN(len(p.calls))], old.id, combat.Note{Text: "again"}, &done)
	var no apiclient.Refused
	switch {
	case errors.As(err, &no) && no.Refusal.Params["retryAfterMs"] == nil:
		l.t.Errorf("command %s was acknowledged and is refused: %s", old.id, no.Refusal.Code)
	case err == nil && done.Seq != old.reply.Ack.Seq:
		l.t.Errorf("command %s was acknowledged as %d and is as %d", old.id, old.reply.Ack.Seq, done.Seq)
	}
}

// read reads over HTTP, at one instance. What is not answered is not in the
// history: it changes nothing.
func (p *player) read(at int) {
	l := p.load
	ctx, cancel := context.WithTimeout(l.answers, requestPatience)
	defer cancel()
	var view map[string]json.RawMessage
	called := l.now()
	if err := p.calls[at].Call(ctx, http.MethodGet, p.path(), p.token, nil, &view); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.unanswered++
		return
	}
	returned := l.now()
	out := output{known: true, hp: *l.hp(view, "Sum").Current, mark: l.hp(view, "Mark").Temp}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.history = append(l.history, operation{p.number, input{kind: "read"}, out, called, returned})
}

// hp is what a GM's view says of somebody's hit points.
func (l *load) hp(view map[string]json.RawMessage, name string) combat.HPView {
	var c combat.CombatantView
	if err := json.Unmarshal(view["combatants/"+string(l.ids[name])], &c); err != nil || c.HP == nil || c.HP.Current == nil {
		l.t.Errorf("the view has no hit points of %s: %v", name, err)
		return combat.HPView{Current: new(int)}
	}
	return *c.HP
}
