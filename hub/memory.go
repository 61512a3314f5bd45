package hub

// Bounds of the memory of outcomes. Accepted commands that fell out of it are
// still in the journal, which knows them for ever; refused ones are not.
const (
	rememberAccepted = 4096
	rememberRefused  = 1024
)

// memory knows the outcomes of the last commands by id.
type memory struct {
	byID     map[string]outcome
	accepted ringOf
	refused  ringOf
}

// ringOf is the ids that are remembered, oldest to be overwritten first.
type ringOf struct {
	ids  []string
	next int
}

func newMemory() *memory { return &memory{byID: map[string]outcome{}} }

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
	ring, size := &m.accepted, rememberAccepted
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
