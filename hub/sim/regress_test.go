package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// Somebody who comes back to an edge that has not heard yet what it has seen
// elsewhere does not go back: the edge asks first. Found by seed 574.
func TestResumeAtAnEdgeThatIsBehind(t *testing.T) {
	open := opening(newWorld(leaseLength, rand.New(rand.NewPCG(1, 1))))
	behind := open()
	owner := hubtest.Serve(t, open(), hub.Limits{}, nil)
	edge := hubtest.Serve(t, behind, hub.Limits{}, nil)
	b := hubtest.Create(t, owner.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	there := b.On(edge.URL)
	watching := there.Join(b.Tokens[combat.RolePlayer])
	for i := range 3 {
		behind.deafen()
		seen := b.Join(b.Tokens[combat.RolePlayer])
		next := seen.Seq() + 1
		gm.Must(combat.Say{Text: fmt.Sprint("unheard ", i)})
		seen.WaitSeq(next)
		there.Resume(b.Tokens[combat.RolePlayer], seen).WaitSeq(next)
		watching.WaitSeq(next)
		behind.mend()
	}
}

// cutShort is a store whose world is replaced by an older one just after it has
// given a lease.
type cutShort struct {
	*link
	from *image
}

// Acquire implements hub.Lease.
func (s *cutShort) Acquire(ctx context.Context, encounter combat.ID) (hub.Grant, error) {
	grant, err := s.link.Acquire(ctx, encounter)
	if s.from != nil {
		s.world.mu.Lock()
		defer s.world.mu.Unlock()
		s.world.restore(*s.from)
		s.from = nil
	}
	return grant, err
}

// A log that ends before the commit that the lease names has lost some: it is
// not served under the epoch of those who have seen them. Found by seed 10.
func TestLogCutShortUnderTheLease(t *testing.T) {
	w := newWorld(leaseLength, rand.New(rand.NewPCG(1, 1)))
	open := opening(w)
	first := hubtest.Serve(t, open(), hub.Limits{}, nil)
	b := hubtest.Create(t, first.URL, nil)
	gm := b.Join(b.Tokens[combat.RoleGM])
	first.Stop()
	w.mu.Lock()
	older := w.image()
	w.mu.Unlock()
	second := hubtest.Serve(t, open(), hub.Limits{}, nil)
	gm = b.On(second.URL).Resume(b.Tokens[combat.RoleGM], gm)
	gm.Must(combat.Say{Text: "to be lost"})
	gm.Must(combat.Say{Text: "to be lost too"})
	second.Stop()
	third := b.On(hubtest.Serve(t, &cutShort{open(), &older}, hub.Limits{}, nil).URL)
	if answer := hubtest.Request(t, http.MethodGet, third.Path(), b.Tokens[combat.RoleGM], nil); answer.Status != http.StatusServiceUnavailable {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	back := third.Resume(b.Tokens[combat.RoleGM], gm)
	if back.Welcomes() != 1 || back.Seq() >= gm.Seq() {
		t.Fatalf("%d whole views, at %d; before the loss it was %d", back.Welcomes(), back.Seq(), gm.Seq())
	}
	back.Must(combat.Say{Text: "anew"})
}
