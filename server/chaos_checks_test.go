package main

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
	"riposte/hub/redis"
)

// check holds what is in the log and on every screen against what everybody was
// told. The cluster is whole again and nobody plays.
func (l *load) check(c *cluster, histories int) {
	t := l.t
	t.Helper()
	records := readLog(t, c, l.table.ID)
	l.checkAnswers(records)
	state := l.checkLog(records)
	l.checkScreens(c, state, records)
	l.checkExport(c, state, len(records))
	l.checkHistories(histories)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, leak := range l.seenShade[:min(3, len(l.seenShade))] {
		t.Errorf("hidden: %s", leak)
	}
	if got := linearizable(l.history); got != porcupine.Ok {
		t.Errorf("%d operations that are linearizable: %s", len(l.history), got)
	}
	for _, one := range c.instances {
		for _, bad := range []string{"panic", "DATA RACE"} {
			if strings.Contains(one.logs(), bad) {
				t.Errorf("%s has logged a %s", one.name, bad)
			}
		}
	}
}

// readLog reads an encounter's log from Redis.
func readLog(t testing.TB, c *cluster, encounter combat.ID) (records []hub.Record) {
	t.Helper()
	store, err := redis.Open(t.Context(), redis.Options{URL: "redis://" + c.redis.Addr})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for record, err := range store.Read(t.Context(), encounter, 0) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	return records
}

// checkAnswers holds the log against what the senders were told: what was
// acknowledged is in it, as it was acknowledged; what is in it is not refused from
// then on; nothing is in it twice, and everything was answered. A refusal is
// remembered no longer than its owner lasts, so that a command that is still under
// way at an edge may be accepted by the next one.
func (l *load) checkAnswers(records []hub.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	byID := map[string]*hub.Record{}
	for i, r := range records {
		if byID[r.Commit.ID] != nil {
			l.t.Errorf("command %s is commit %d and commit %d", r.Commit.ID, byID[r.Commit.ID].Commit.Seq, r.Commit.Seq)
		}
		byID[r.Commit.ID] = &records[i]
	}
	acked := 0
	for _, s := range l.sent {
		r := byID[s.id]
		switch {
		case s.reply.Ack == nil && s.reply.Reject == nil:
			l.t.Errorf("command %s of %s was never answered", s.id, s.by.audience)
		case s.reply.Ack == nil && r != nil && r.Commit.At < s.reply.Sent.UnixMilli():
			l.t.Errorf("command %s was refused (%s) and is commit %d", s.id, s.reply.Code(), r.Commit.Seq)
		case s.reply.Ack == nil:
		case r == nil:
			l.t.Errorf("command %s was acknowledged as %d and is lost", s.id, s.reply.Ack.Seq)
		case r.Ack != s.reply.Ack.Seq:
			l.t.Errorf("command %s was acknowledged as %d, the log says %d", s.id, s.reply.Ack.Seq, r.Ack)
		default:
			acked++
		}
	}
	l.t.Logf("%d commands, %d of them acknowledged, %d commits; %d operations in the history, %d reads without an answer",
		len(l.sent), acked, len(records), len(l.history), l.unanswered)
}

// checkLog folds the log: its chain is whole, owners follow each other, and time
// runs out when it is due and once. It returns the state.
func (l *load) checkLog(records []hub.Record) *combat.State {
	var state *combat.State
	hash, fence, fired := "", uint64(0), map[string]uint64{}
	for _, r := range records {
		commit, seq := r.Commit, uint64(0)
		if state != nil {
			seq = state.Seq
		}
		if err := commit.Follows(seq, hash); err != nil {
			l.t.Fatal(err)
		}
		if commit.Fence < fence {
			l.t.Errorf("commit %d is of owner %d, the one before of %d", commit.Seq, commit.Fence, fence)
		}
		if commit.Role == combat.RoleServer {
			next, due := combat.Next(state)
			deadline := text(l.t, next)
			if !due || combat.CommandName(next.Command) != commit.Type || commit.At < next.At {
				l.t.Errorf("commit %d, %s at %d, is not due: next is %s", commit.Seq, commit.Type, commit.At, deadline)
			}
			if before, twice := fired[deadline]; twice {
				l.t.Errorf("%s is carried out by commits %d and %d", deadline, before, commit.Seq)
			}
			fired[deadline] = commit.Seq
		}
		state, hash, fence = combat.ApplyCommit(state, commit), commit.Hash, commit.Fence
	}
	l.t.Logf("%d owners, %d times that ran out", fence, len(fired))
	return state
}

// checkScreens holds what everybody sees against what the log comes to, and
// against what one who joins now gets, at each instance.
func (l *load) checkScreens(c *cluster, state *combat.State, records []hub.Record) {
	views, counters := newEngine().NewViews(state), map[string]uint64{}
	for _, r := range records {
		maps.Copy(counters, r.Seqs)
	}
	ctx, cancel := context.WithCancel(l.answers)
	defer cancel()
	for _, p := range l.all {
		want := map[string]string{}
		for key, value := range views.Whole(p.audience) {
			want[key] = string(value)
		}
		fresh := l.table.On(c.instances[p.number%len(c.instances)].url).Join(p.token)
		fresh.WaitSeq(counters[p.audience.String()])
		if got := fresh.View(); !maps.Equal(got, want) {
			l.t.Errorf("%s who joins sees %s\nthe log comes to %s", p.audience, text(l.t, got), text(l.t, want))
		}
		hubtest.Eventually(l.t, "a screen is up to date", func() bool {
			screen, err := p.browser.Screen(ctx)
			return err == nil && screen.Seq() >= counters[p.audience.String()]
		})
		screen, err := p.browser.Screen(ctx)
		if err != nil {
			l.t.Fatal(err)
		}
		if got := screen.View(); !maps.Equal(got, want) || screen.Seq() != fresh.Seq() || screen.Epoch() != fresh.Epoch() {
			l.t.Errorf("%s sees %d of %s, %s\none who joins %d of %s, %s", p.audience,
				screen.Seq(), screen.Epoch(), text(l.t, got), fresh.Seq(), fresh.Epoch(), text(l.t, want))
		}
		mine, theirs := screen.Log(), fresh.Log()
		n := min(len(mine), len(theirs))
		if !slices.Equal(mine[len(mine)-n:], theirs[len(theirs)-n:]) {
			l.t.Errorf("%s has the log lines %s\none who joins has %s", p.audience, mine[len(mine)-n:], theirs[len(theirs)-n:])
		}
		fresh.Close()
	}
}

// checkExport holds what can be taken away against the log, at each instance.
func (l *load) checkExport(c *cluster, state *combat.State, commits int) {
	open := *state
	open.Keys, open.Seats = nil, nil
	for _, one := range c.instances {
		export := l.table.On(one.url).Export()
		for _, seat := range state.Seats {
			if s := export.State.Seat(seat.ID); s == nil || s.Name != seat.Name {
				l.t.Errorf("%s exports the seat %s as %+v", one.name, seat.Name, s)
			}
		}
		export.State.Seats = nil
		if got, want := jsonOf(l.t, export.State), jsonOf(l.t, &open); !reflect.DeepEqual(got, want) || len(export.Log) == 0 {
			l.t.Errorf("%s exports %v and %d lines after %d commits\nthe log comes to %v", one.name, got, len(export.Log), commits, want)
		}
	}
}

func jsonOf(t testing.TB, v any) (all map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text(t, v)), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// checkHistories holds the histories that anybody has seen against how many
// there may be: Redis began anew so often, and nothing else begins one.
func (l *load) checkHistories(most int) {
	seen := map[string]bool{}
	resumed, renewed := 0, 0
	for _, p := range l.all {
		for _, epoch := range p.browser.Epochs() {
			seen[epoch] = true
		}
		again, anew := p.browser.Returns()
		resumed, renewed = resumed+again, renewed+anew
	}
	if len(seen) > most {
		l.t.Errorf("%d histories were seen, there are %d", len(seen), most)
	}
	l.t.Logf("%d histories; %d times somebody came back and went on, %d times with a whole view", len(seen), resumed, renewed)
}
