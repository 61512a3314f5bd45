package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"riposte/combat"
)

// What an instance that does not own an encounter asks the one that does: kinds
// of call, with what is asked and what is answered.
const (
	callOrders = "orders" // []forwarded → []told
	callLook   = "look"   // lookCall → lookReply
	callFeed   = "feed"   // feedCall → feedReply
	callHere   = "here"   // report → the Presence message
)

// forwarded is a command on its way to the owner. Its sender's instance has
// checked it as far as that needs no state.
type forwarded struct {
	ID      string          `json:"id"`
	Key     string          `json:"key,omitempty"` // hash of the sender's token
	Command json.RawMessage `json:"command"`
}

// told is an outcome on its way back.
type told struct {
	Refusal *combat.Refusal `json:"refusal,omitempty"`
	Seq     uint64          `json:"seq,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Sender  string          `json:"sender,omitempty"` // the audience whose counter Seq is
}

// lookCall asks what the holder of a token may see.
type lookCall struct {
	As    string  `json:"as,omitempty"`
	View  bool    `json:"view,omitempty"`  // the view as well
	Since *uint64 `json:"since,omitempty"` // the last update that it has seen, for one that comes back
	Epoch string  `json:"epoch,omitempty"` // of which history
}

// lookReply answers it.
type lookReply struct {
	Refusal  *combat.Refusal `json:"refusal,omitempty"`
	Audience string          `json:"audience,omitempty"`
	Seq      uint64          `json:"seq"`
	Until    uint64          `json:"until"` // last commit it may know of
	View     json.RawMessage `json:"view,omitempty"`
	Cut      bool            `json:"cut,omitempty"`   // it has seen what is in the log no more
	Epoch    string          `json:"epoch,omitempty"` // the history that this is said of
}

// feedCall asks for what an audience has been sent since an update, or for its
// whole view.
type feedCall struct {
	Audience string   `json:"audience"`
	Epoch    string   `json:"epoch,omitempty"`
	Since    *uint64  `json:"since,omitempty"`
	Holders  []holder `json:"holders,omitempty"` // who are shown it there
}

// holder is who has a token, to see as an audience: several viewers, maybe.
type holder struct {
	Key string `json:"key"` // hash of the token
	As  string `json:"as,omitempty"`
}

// feedReply answers it: with the updates up to Seq, or the whole view at Seq.
type feedReply struct {
	Gone     bool                       `json:"gone,omitempty"` // there is no such audience
	Void     []holder                   `json:"void,omitempty"` // of those who are shown it, who may not be
	Epoch    string                     `json:"epoch,omitempty"`
	Seq      uint64                     `json:"seq"`
	Updates  []json.RawMessage          `json:"updates,omitempty"`
	Whole    bool                       `json:"whole,omitempty"`
	Cut      bool                       `json:"cut,omitempty"` // the history lacks what was told up to Since
	View     map[string]json.RawMessage `json:"view,omitempty"`
	Log      []json.RawMessage          `json:"log,omitempty"`
	Presence json.RawMessage            `json:"presence,omitempty"`
	Reach    *reach                     `json:"reach,omitempty"` // how far spectators see; none: they are not delayed
}

// audienceOf reads the name of an audience.
func audienceOf(name string) combat.Audience {
	if seat, is := strings.CutPrefix(name, combat.RoleSeat+":"); is {
		return combat.Audience{Role: combat.RoleSeat, Seat: combat.ID(seat)}
	}
	return combat.Audience{Role: name}
}

// answer serves calls that come over the bus. It runs on the bus's goroutines.
func (a *actor) answer(ctx context.Context, call Call) (Reply, error) {
	switch call.Kind {
	case callOrders:
		return serveCall(call, func(orders []forwarded) ([]told, error) { return a.answerOrders(ctx, orders) })
	case callLook:
		return serveCall(call, func(ask lookCall) (lookReply, error) {
			return within(ctx, a, a.reads, func() lookReply { return a.answerLook(call.Key, ask) })
		})
	case callFeed:
		return serveCall(call, func(ask feedCall) (feedReply, error) {
			return within(ctx, a, a.reads, func() feedReply { return a.answerFeed(ask) })
		})
	case callHere:
		return serveCall(call, func(r report) (json.RawMessage, error) {
			return within(ctx, a, a.system, func() json.RawMessage { return a.answerHere(r) })
		})
	}
	return nil, fmt.Errorf("hub: unknown kind of call %q", call.Kind)
}

// serveCall reads what is asked and writes what is answered.
func serveCall[Q, R any](call Call, serve func(Q) (R, error)) (Reply, error) {
	var question Q
	if err := json.Unmarshal(call.Body, &question); err != nil {
		return nil, fmt.Errorf("hub: call %s: %w", call.Kind, err)
	}
	reply, err := serve(question)
	if err != nil {
		return nil, err
	}
	return encode(reply), nil
}

// within has the actor work something out and waits for it.
func within[T any](ctx context.Context, a *actor, mailbox chan<- func(), work func() T) (T, error) {
	var none T
	answer := make(chan T, 1)
	if err := post(ctx, a, mailbox, func() { answer <- work() }); err != nil {
		return none, err
	}
	return await(ctx, a, answer)
}

// answerOrders answers the commands of another instance, in their order.
func (a *actor) answerOrders(ctx context.Context, all []forwarded) ([]told, error) {
	if len(all) > maxGroup {
		return nil, errors.New("hub: too many commands in a call")
	}
	answers := make([]told, len(all))
	var orders []*order
	var places []int
	for i, one := range all {
		command, refusal := combat.DecodeCommand(one.Command)
		if refusal != nil {
			answers[i].Refusal = refusal
			continue
		}
		orders = append(orders, &order{id: one.ID, command: command, hash: one.Key})
		places = append(places, i)
	}
	outcomes, err := a.await(ctx, orders)
	if err != nil {
		return nil, err
	}
	for n, o := range outcomes {
		answers[places[n]] = told{Refusal: o.refusal, Seq: o.seq, Result: o.result, Sender: o.sender}
	}
	return answers, nil
}

// await has the actor decide some commands and waits for all of them.
func (a *actor) await(ctx context.Context, orders []*order) ([]outcome, error) {
	replies := make(chan outcome, len(orders)) // they come in order
	for _, o := range orders {
		o.reply = replies
		if err := post(ctx, a, a.commands, o); err != nil {
			return nil, err
		}
	}
	outcomes := make([]outcome, 0, len(orders))
	for range orders {
		select {
		case got := <-replies:
			outcomes = append(outcomes, got)
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-a.done:
			return nil, errGone
		}
	}
	return outcomes, nil
}

// answerLook says what the holder of a token may see. On the actor's goroutine.
func (a *actor) answerLook(hash string, ask lookCall) lookReply {
	who, refusal := seeing(a.state, hash, ask.As)
	if refusal != nil {
		return lookReply{Refusal: refusal}
	}
	reply := lookReply{Audience: who.String(), Epoch: a.grant.Epoch, Until: a.state.Seq}
	if who == spectators {
		a.catchUp()
		reply.Until = a.room.backlog.until(reply.Until)
	}
	reply.Seq = a.room.feed(who).seq
	if reply.Cut, refusal = a.continues(who, ask.Since, ask.Epoch); refusal != nil {
		return lookReply{Refusal: refusal}
	}
	if ask.View {
		reply.View = appendObject(nil, a.room.whole(who, a.views))
	}
	return reply
}

// answerFeed says what an audience has been sent. On the actor's goroutine.
func (a *actor) answerFeed(ask feedCall) feedReply {
	who := audienceOf(ask.Audience)
	f := a.room.feeds[who]
	if who == spectators {
		a.catchUp()
	}
	view := a.room.whole(who, a.views)
	if f == nil || view == nil {
		return feedReply{Gone: true}
	}
	reply := feedReply{Epoch: a.grant.Epoch, Seq: f.seq, Presence: a.room.encodedPresence(a.state)}
	for _, h := range ask.Holders {
		if as, refusal := seeing(a.state, h.Key, h.As); refusal != nil || as != who {
			reply.Void = append(reply.Void, h)
		}
	}
	if who == spectators {
		reply.Reach = a.room.backlog.clock.Load()
	}
	if ask.Since != nil && ask.Epoch == a.grant.Epoch {
		if missed, all := f.missed(*ask.Since); all {
			for _, frame := range missed {
				reply.Updates = append(reply.Updates, frame.Data)
			}
			return reply
		}
	}
	reply.Whole, reply.View, reply.Log = true, view, f.tail
	reply.Cut, _ = a.continues(who, ask.Since, ask.Epoch)
	return reply
}

// unpacked is a refusal that came from another instance with its numbers as
// they were: a decoder makes all of them float64.
func unpacked(r *combat.Refusal) *combat.Refusal {
	if r == nil {
		return nil
	}
	fresh := &combat.Refusal{Code: r.Code}
	for name, value := range r.Params {
		if n, is := value.(float64); is && n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			value = int(n)
		}
		fresh = fresh.With(name, value)
	}
	return fresh
}
