package hub

import (
	"context"
	"errors"

	"riposte/combat"
)

// forwardBytes bounds the commands of one call, in bytes.
const forwardBytes = 1 << 20

// full reports whether no more commands can be taken at the moment: those who
// send them wait, as they would for an owner.
func (e *edge) full() bool { return len(e.queue) > cap(e.queue)-maxGroup }

// pass takes commands for the owner. They keep their order.
func (e *edge) pass(group []*order) {
	for _, o := range group {
		select {
		case e.queue <- o:
			e.waiting.Add(1)
			if o.viewer != nil {
				e.open[o.viewer]++
			}
		default:
			e.actor.deliver(o, outcome{refusal: combat.Refuse("unavailable", "retryAfterMs", 1000)})
		}
	}
}

// forward sends commands to the owner, those that wait together in one call,
// until the actor is an edge no more. Then it leaves what is not answered to
// the actor.
func (e *edge) forward() {
	for {
		select {
		case first := <-e.queue:
			group, body := []*order{first}, []forwarded{pack(first)}
			for size := len(body[0].Command); len(group) < maxGroup && size < forwardBytes; {
				select {
				case next := <-e.queue:
					group, body = append(group, next), append(body, pack(next))
					size += len(body[len(body)-1].Command)
					continue
				default:
				}
				break
			}
			if !e.send(group, body) {
				e.left <- group
				return
			}
		case <-e.over.Done():
			e.left <- nil
			return
		}
	}
}

func pack(o *order) forwarded {
	command, err := combat.EncodeCommand(o.command)
	if err != nil {
		panic(err) // it was decoded
	}
	return forwarded{ID: o.id, Key: o.hash, Command: command}
}

// send sends one call until it is answered, under the same ids. It reports false
// when the actor is an edge no more.
func (e *edge) send(group []*order, body []forwarded) bool {
	ctx, cancel := context.WithTimeout(e.over, e.actor.hub.limits.AppendTimeout)
	defer cancel()
	var replies []told
	err := e.ask(ctx, question(callOrders, "", body), &replies)
	if errors.Is(err, errGone) {
		return false
	}
	said := make(chan struct{})
	e.post(func() {
		defer close(said)
		e.waiting.Add(-int64(len(group)))
		for i, o := range group {
			answer := outcome{refusal: combat.Refuse("unavailable", "retryAfterMs", 1000)}
			if err == nil && i < len(replies) {
				answer = outcome{refusal: unpacked(replies[i].Refusal), seq: replies[i].Seq, result: replies[i].Result, sender: replies[i].Sender}
			}
			e.reply(o, answer)
		}
	})
	select {
	case <-said:
		return true
	case <-e.over.Done():
		// The role has ended; the actor's goroutine has run it before that, or
		// never will.
		select {
		case <-said:
			return true
		default:
			return false
		}
	}
}

// reply answers a sender, after what it will see is on its way.
func (e *edge) reply(o *order, answer outcome) {
	v := o.viewer
	if v == nil {
		e.actor.deliver(o, answer)
		return
	}
	say := func() {
		e.actor.deliver(o, answer)
		e.answered(v)
	}
	if ef := e.feeds[v.audience]; ef != nil && answer.refusal == nil && answer.sender == v.audience.String() && e.leaving[v] == nil {
		ef.after(answer.seq, say)
		return
	}
	say()
}

// unanswered are the commands that no owner has answered, in their order, once
// the role is over.
func (e *edge) unanswered() []*order {
	left := <-e.left
	for {
		select {
		case next := <-e.queue:
			left = append(left, next)
		default:
			return left
		}
	}
}
