package hub

import (
	"maps"

	"riposte/combat"
)

// ends are the histories that an encounter has been, by epoch: each audience's
// counter after the last commit of it that is in the log still. Somebody who comes
// with one of them and has seen more, or with one that the log never was, has seen
// what is not there any more: a store went back to an older state.
type ends map[string]map[string]uint64

// note notes the counters after a commit, if a history ended with it.
func (e ends) note(past []Past, seq uint64, counters func() map[string]uint64) {
	for _, p := range past {
		if p.Head == seq {
			e[p.Epoch] = counters()
		}
	}
}

// counted returns the counters of all audiences, with what was made for them and
// not told yet, by name. It is read-only where the log was only folded.
func (a *actor) counted(folded map[string]uint64) map[string]uint64 {
	if a.views == nil {
		return maps.Clone(folded)
	}
	all := map[string]uint64{}
	for audience, seq := range a.room.seqs() {
		all[audience.String()] = seq
	}
	return all
}

// continues says whether a viewer's last update, of a history, is one that this
// history goes on from: cut says that it has seen what is in the log no more. It
// is refused for a moment if it is further than it can be by this machine's clock.
func (a *actor) continues(who combat.Audience, since *uint64, epoch string) (cut bool, refusal *combat.Refusal) {
	if since == nil {
		return false, nil
	}
	if epoch != a.grant.Epoch {
		seqs, known := a.ends[epoch]
		return !known || *since > seqs[who.String()], nil
	}
	if who == spectators && *since > a.room.feed(who).seq && *since <= a.room.backlog.made {
		return false, combat.Refuse("unavailable", "retryAfterMs", 1000)
	}
	return *since > a.room.seqs()[who], nil
}
