package hub

// rememberRefused is how many refusals are remembered.
const rememberRefused = 1024

// memory knows the outcomes of the last commands by id. Accepted commands that
// fell out of it are still in the journal, which knows them for ever; refused
// ones are not.
type memory struct {
	limit    int  // of accepted ones
	partial  bool // not all of the log went into it
	byID     map[string]outcome
	accepted ringOf
	refused  ringOf
}

// ringOf is the ids that are remembered, oldest to be overwritten first.
type ringOf struct {
	ids  []string
	next int
}

// newMemory makes a memory for so many accepted commands, and for those of one
// journal entry at least.
func newMemory(limit int) *memory {
	return &memory{limit: max(limit, maxGroup), byID: map[string]outcome{}}
}

// full reports whether accepted commands may have been forgotten.
func (m *memory) full() bool { return m.partial || len(m.accepted.ids) >= m.limit }

// outcome returns what is known of a command.
func (m *memory) outcome(id string) (outcome, bool) {
	o, known := m.byID[id]
	return o, known
}

// remember keeps an outcome and forgets the oldest of its kind.
func (m *memory) remember(id string, o outcome) {
	if _, known := m.byID[id]; known {
		return
	}
	ring, size := &m.accepted, m.limit
	if o.refusal != nil {
		ring, size = &m.refused, rememberRefused
	}
	if len(ring.ids) < size {
		ring.ids = append(ring.ids, id)
	} else {
		delete(m.byID, ring.ids[ring.next])
		ring.ids[ring.next] = id
		ring.next = (ring.next + 1) % size
	}
	m.byID[id] = o
}
