package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"riposte/combat"
	"riposte/hub"
)

// marker is in the name and the notes of somebody whom only the GM may see.
const marker = "Xyzzy"

// oracle knows what is true: it folds every log that there is by itself, and
// holds what it is shown to it.
type oracle struct {
	engine *combat.Engine
	report func(format string, args ...any) // something is wrong
	skew   time.Duration                    // how far an instance's clock may be off

	mu        sync.Mutex
	histories map[string]*history // by epoch
	newest    *history
	lost      map[string]bool // commands that the world lost
}

// history is the log under the name of one epoch.
type history struct {
	epoch  string
	before *history // nil for the first
	kept   int      // commits that it has of the one before
	hash   string
	fence  uint64
	at     int64
	ids    map[string]uint64 // command → commit
	seqs   map[string]uint64 // each audience's counter
	log    [][]byte
	states []*combat.State // after each commit
	moved  []map[string]uint64
	views  map[place]map[string]string
}

// place is a counter of an audience.
type place struct {
	audience string
	seq      uint64
}

func newOracle(engine *combat.Engine, report func(string, ...any)) *oracle {
	return &oracle{engine: engine, report: report, histories: map[string]*history{}, lost: map[string]bool{}}
}

// begun implements witness: the log is what was there before, and goes on under
// another name.
func (o *oracle) begun(_ combat.ID, epoch string, log [][]byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.histories[epoch] != nil {
		o.report("%s begins twice", epoch)
	}
	h := &history{epoch: epoch, ids: map[string]uint64{}, seqs: map[string]uint64{}, views: map[place]map[string]string{}}
	h.before, h.kept = o.newest, len(log)
	o.histories[epoch], o.newest = h, h
	for _, value := range log {
		o.add(h, value)
	}
}

// added implements witness.
func (o *oracle) added(_ combat.ID, epoch string, fence uint64, records [][]byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.histories[epoch]
	if h == nil || h != o.newest {
		o.report("an entry for %s, which is not the history there is", epoch)
		return
	}
	for _, value := range records {
		if r := o.add(h, value); r != nil && r.Commit.Fence != fence {
			o.report("commit %d has fence %d, its owner %d", r.Commit.Seq, r.Commit.Fence, fence)
		}
	}
}

// add checks one record and folds it. The lock is held.
func (o *oracle) add(h *history, value []byte) *hub.Record {
	r, err := decode(value)
	if err != nil {
		o.report("a record cannot be read: %v", err)
		return nil
	}
	c := r.Commit
	if n := uint64(len(h.log)); c.Seq > 0 && c.Seq <= n && bytes.Equal(h.log[c.Seq-1], value) {
		return &r // the world lost it, and its owner, who did not know, has brought it back
	}
	if err := c.Follows(uint64(len(h.states)), h.hash); err != nil {
		o.report("%s: %v", h.epoch, err)
		return nil
	}
	if before, twice := h.ids[c.ID]; twice {
		o.report("command %s is commit %d and %d of %s", c.ID, before, c.Seq, h.epoch)
	}
	if c.Fence < h.fence {
		o.report("fence %d after %d, commit %d of %s", c.Fence, h.fence, c.Seq, h.epoch)
	}
	if c.At < h.at {
		o.report("commit %d of %s is before the one before it", c.Seq, h.epoch)
	}
	if n := len(h.states); c.Role == combat.RoleServer && n > 0 {
		o.inTime(h.states[n-1], c)
	}
	for audience, seq := range r.Seqs {
		if seq != h.seqs[audience]+1 {
			o.report("commit %d of %s moves %s from %d to %d", c.Seq, h.epoch, audience, h.seqs[audience], seq)
		}
		h.seqs[audience] = seq
	}
	var state *combat.State
	if n := len(h.states); n > 0 {
		state = h.states[n-1]
	}
	h.ids[c.ID], h.hash, h.fence, h.at = c.Seq, c.Hash, c.Fence, c.At
	h.log, h.states, h.moved = append(h.log, value), append(h.states, combat.ApplyCommit(state, c)), append(h.moved, r.Seqs)
	return &r
}

// inTime checks that what time has done was due, and by how far the clocks may
// differ not before its time.
func (o *oracle) inTime(before *combat.State, c *combat.Commit) {
	next, due := combat.Next(before)
	switch {
	case !due || combat.CommandName(next.Command) != c.Type || c.At < next.At:
		o.report("commit %d, %s at %d, is not due: next is %s at %d", c.Seq, c.Type, c.At, combat.CommandName(next.Command), next.At)
	case time.Now().Add(o.skew).UnixMilli() < next.At:
		o.report("commit %d, %s, comes %d ms before its time", c.Seq, c.Type, next.At-time.Now().UnixMilli())
	}
}

// overdue says which time has run out and nothing has happened, if one has.
func (o *oracle) overdue() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	next, due := combat.Next(o.newest.states[len(o.newest.states)-1])
	if late := time.Since(time.UnixMilli(next.At)) - o.skew; due && late > silence {
		return fmt.Sprintf("%s is late by %s", combat.CommandName(next.Command), late)
	}
	return ""
}

// rival implements witness.
func (o *oracle) rival(_ combat.ID, instance, owner string) {
	o.report("%s takes itself for the owner, and %s is", instance, owner)
}

// published implements witness: nobody but the GM is sent the secret.
func (o *oracle) published(_ combat.ID, frame hub.Frame) {
	if frame.Audience != combat.RoleGM && bytes.Contains(frame.Data, []byte(marker)) {
		o.report("%s is sent the secret: %s", frame.Audience, frame.Data)
	}
}

// forget notes that the world has lost commands.
func (o *oracle) forget(commands []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, id := range commands {
		o.lost[id] = true
	}
}

// isLost reports whether the world has lost a command.
func (o *oracle) isLost(id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lost[id]
}

// acknowledged checks that a command is in the log.
func (o *oracle) acknowledged(who, id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, there := o.newest.ids[id]; !there && !o.lost[id] {
		o.report("%s was acknowledged %s, which is not in the log", who, id)
	}
}

// refused checks that a command is not in the log.
func (o *oracle) refused(who, id, code string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if seq, there := o.newest.ids[id]; there {
		o.report("%s was refused %s (%s), which is commit %d", who, id, code, seq)
	}
}

// shows checks what a screen shows.
func (o *oracle) shows(who, epoch string, a combat.Audience, seq uint64, view map[string]json.RawMessage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	want := o.view(epoch, a, seq)
	if want == nil {
		o.report("%s shows %d of %s, which never was", who, seq, epoch)
		return
	}
	for key, value := range view {
		if want[key] != string(value) {
			o.report("%s shows at %d of %s, for %s, %s", who, seq, epoch, key, differ(string(value), want[key]))
			return
		}
	}
	if len(view) != len(want) {
		o.report("%s shows %d keys at %d of %s; there are %d", who, len(view), seq, epoch, len(want))
	}
}

// differ says where two texts differ.
func differ(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("…%.160s; true is …%.160s", got[min(from, len(got)):], want[min(from, len(want)):])
}

// view is View(fold(log), audience) where the audience's counter is there; nil
// if it never was. The lock is held.
func (o *oracle) view(epoch string, a combat.Audience, seq uint64) map[string]string {
	h := o.histories[epoch]
	if h == nil {
		return nil
	}
	at := place{a.String(), seq}
	if known := h.views[at]; known != nil {
		return known
	}
	i := h.first(at)
	if i < 0 {
		return nil
	}
	view := encoded(o.engine.View(h.states[i], a))
	h.views[at] = view
	return view
}

// first is the commit that moved an audience to a place, less one; -1 if none
// did.
func (h *history) first(at place) int {
	return slices.IndexFunc(h.moved, func(seqs map[string]uint64) bool { return seqs[at.audience] == at.seq })
}

func encoded(view map[string]any) map[string]string {
	all := make(map[string]string, len(view))
	for key, value := range view {
		data, err := json.Marshal(value)
		if err != nil {
			data = []byte(err.Error())
		}
		all[key] = string(data)
	}
	return all
}

// head is where an audience is at last, and where it was when the last commit up
// to some moment had been made.
func (o *oracle) head(a combat.Audience, until time.Time) (epoch string, seq, then uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, moved := range o.newest.moved {
		if seq, is := moved[a.String()]; is && o.newest.states[i].At <= until.UnixMilli() {
			then = seq
		}
	}
	return o.newest.epoch, o.newest.seqs[a.String()], then
}

// silent checks that a screen which was at a counter of one history, and is shown
// another without a word of warning, has seen nothing that is not in it.
func (o *oracle) silent(who string, a combat.Audience, from string, seq uint64, to string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.histories[from]
	if from == to || was == nil {
		return
	}
	seen := was.first(place{a.String(), seq}) + 1
	for h := o.histories[to]; h != nil; h = h.before {
		if h == was {
			return
		}
		if seen > h.kept {
			o.report("%s has seen %d of %s, is shown %s, which has it only up to commit %d, and is not told", who, seq, from, to, h.kept)
			return
		}
	}
}

// early checks that those who are told later are not told too soon.
func (o *oracle) early(who, epoch string, a combat.Audience, seq uint64, delay time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if h := o.histories[epoch]; h != nil {
		i := h.first(place{a.String(), seq})
		if seq > 0 && i >= 0 && time.Now().Add(o.skew).UnixMilli() < h.states[i].At+delay.Milliseconds() {
			o.report("%s shows %d of %s, which was made less than %s ago", who, seq, epoch, delay)
		}
	}
}

// hush checks that commits which did not move an audience changed nothing that
// it sees.
func (o *oracle) hush(audiences []combat.Audience) {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.newest
	last := h.states[len(h.states)-1]
	for _, a := range audiences {
		told, want := o.view(h.epoch, a, h.seqs[a.String()]), encoded(o.engine.View(last, a))
		if !maps.Equal(told, want) {
			o.report("%s at %d of %s was not told of something: it sees %v; true is %v", a, h.seqs[a.String()], h.epoch, told, want)
		}
	}
}

// commits is how many there are in the newest history.
func (o *oracle) commits() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.newest.states)
}
