package hub

// kept is how many bytes the updates of a room hold that are there for those who
// come back, or wait for the time of delayed spectators.
func (r *room) kept() int64 {
	sum := int64(r.backlog.bytes)
	for _, f := range r.feeds {
		sum += int64(f.bytes)
	}
	return sum
}

// giveWay lets the older half of them go: who comes back from there gets a whole
// view, and delayed spectators are told less often. It reports false when there is
// nothing more to let go.
func (r *room) giveWay() (gave bool) {
	for _, f := range r.feeds {
		if len(f.ring) > 0 {
			f.forget((len(f.ring) + 1) / 2)
			gave = true
		}
	}
	if len(r.backlog.waiting) > 1 {
		r.backlog.thin()
		gave = true
	}
	return gave
}

// forget lets a feed's oldest updates go.
func (f *feed) forget(n int) {
	for _, frame := range f.ring[:n] {
		f.bytes -= len(frame.Data)
	}
	f.ring = append([]Frame(nil), f.ring[n:]...)
}

// weigh tells the hub what this encounter keeps. When all encounters together keep
// too much, those give way that keep more than their share.
func (a *actor) weigh() {
	h := a.hub
	a.settle(a.room.kept())
	for most := h.limits.KeptBytes; h.kept.Load() > most && a.kept > most/int64(h.inMemory()); {
		if !a.room.giveWay() {
			return
		}
		h.metrics.forgotten.Inc()
		a.settle(a.room.kept())
	}
}

// settle notes what this encounter keeps.
func (a *actor) settle(bytes int64) {
	a.hub.kept.Add(bytes - a.kept)
	a.hub.metrics.kept.Add(float64(bytes - a.kept))
	a.kept = bytes
}

// inMemory is how many encounters are open, one at least.
func (h *Hub) inMemory() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(1, len(h.open))
}
