package main

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// The sequential model of one encounter, as its GMs see it: the hit points of a
// combatant that are added to and taken from, a mark that is overwritten, and
// the GMs' counter.
//
// What is promised, and so checked, is this. A command takes effect at one
// moment between its sending and its first answer, on whatever instances it was
// sent and however often; an acknowledgement carries the GMs' counter of after
// it, which grows in that very order. A command that was never answered took
// effect at some moment after its sending, or never. A view asked for over HTTP
// is what the encounter was at one moment between question and answer, at any
// instance, because one that does not own the encounter asks the owner, and an
// owner says nothing that its lease may not cover.
//
// What a socket shows is not promised to be that new: an edge may be behind. It
// is in order, without holes, and never goes back for a client, which
// hubtest.Client checks with every frame.
type register struct {
	hp, mark int
	counter  uint64
}

// input is an operation: damage, heal, mark, read, or other for a command that
// is about neither.
type input struct {
	kind   string
	amount int
}

// output is what it was answered: known is false for a command without an
// answer.
type output struct {
	known    bool
	ack      uint64 // of a command
	hp, mark int    // of a read
}

// operation is one entry of the history, with its times in nanoseconds.
type operation struct {
	client           int
	in               input
	out              output
	called, returned int64
}

// forever is when a command that is not answered may still take effect.
const forever = math.MaxInt64

// model is the encounter, for porcupine.
var model = porcupine.Model{
	Init: func() any { return register{hp: most} },
	Step: func(state, in, out any) (bool, any) {
		r, op, answer := state.(register), in.(input), out.(output)
		switch op.kind {
		case "read":
			return answer.hp == r.hp && answer.mark == r.mark, r
		case "damage":
			r.hp = max(0, r.hp-op.amount)
		case "heal":
			r.hp = min(most, r.hp+op.amount)
		case "mark":
			r.mark = op.amount
		}
		if !answer.known {
			return true, r
		}
		grows := answer.ack > r.counter
		r.counter = answer.ack
		return grows, r
	},
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v → %+v", in, out) },
	DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
}

// linearizable checks a history. It fails also when that takes longer than any
// history of ours should.
func linearizable(history []operation) porcupine.CheckResult {
	all := make([]porcupine.Operation, len(history))
	for i, op := range history {
		all[i] = porcupine.Operation{ClientId: op.client, Input: op.in, Output: op.out, Call: op.called, Return: op.returned}
	}
	return porcupine.CheckOperationsTimeout(model, all, 5*time.Minute)
}

// Histories in which something was lost, done twice, seen too late, or taken
// back are told from good ones.
func TestChaosModel(t *testing.T) {
	acked := func(seq uint64) output { return output{known: true, ack: seq} }
	saw := func(hp, mark int) output { return output{known: true, hp: hp, mark: mark} }
	damage, read := input{"damage", 10}, input{kind: "read"}
	for name, test := range map[string]struct {
		want    bool
		history []operation
	}{
		"one after the other": {true, []operation{
			{1, damage, acked(5), 0, 10}, {2, read, saw(most-10, 0), 20, 30}, {1, input{"heal", 4}, acked(6), 40, 50},
			{2, input{"mark", 7}, acked(7), 60, 70}, {3, read, saw(most-6, 7), 80, 90}}},
		"a read during a command may see it": {true, []operation{
			{1, damage, acked(5), 0, 100}, {2, read, saw(most-10, 0), 20, 30}, {2, read, saw(most-10, 0), 40, 50}}},
		"a read during a command may not see it": {true, []operation{
			{1, damage, acked(5), 0, 100}, {2, read, saw(most, 0), 20, 30}}},
		"without an answer it may take effect late": {true, []operation{
			{1, damage, output{}, 0, forever}, {2, read, saw(most, 0), 20, 30}, {2, read, saw(most-10, 0), 40, 50}}},
		"without an answer it may never take effect": {true, []operation{
			{1, damage, output{}, 0, forever}, {2, read, saw(most, 0), 20, 30}}},
		"an acknowledged command is lost": {false, []operation{
			{1, damage, acked(5), 0, 10}, {2, read, saw(most, 0), 20, 30}}},
		"a command applies twice": {false, []operation{
			{1, damage, acked(5), 0, 10}, {2, read, saw(most-20, 0), 20, 30}}},
		"a command applies before it is sent": {false, []operation{
			{2, read, saw(most-10, 0), 0, 10}, {1, damage, acked(5), 20, 30}}},
		"a read is older than the one before": {false, []operation{
			{1, damage, acked(5), 0, 100}, {2, read, saw(most-10, 0), 20, 30}, {3, read, saw(most, 0), 40, 50}}},
		"two owners each have their own": {false, []operation{
			{1, input{"mark", 1}, acked(5), 0, 10}, {2, input{"mark", 2}, acked(5), 0, 10}}},
		"the order is another than time's": {false, []operation{
			{1, input{"mark", 1}, acked(6), 0, 10}, {2, input{"mark", 2}, acked(5), 20, 30}}},
		"the order is another than what was seen": {false, []operation{
			{1, input{"mark", 1}, acked(5), 0, 10}, {2, input{"mark", 2}, acked(6), 0, 10}, {3, read, saw(most, 1), 20, 30}}},
	} {
		want := porcupine.Illegal
		if test.want {
			want = porcupine.Ok
		}
		if got := linearizable(test.history); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
