package embedded

import (
	"context"

	bolt "go.etcd.io/bbolt"
)

// maxGroup bounds how many writes share one sync.
const maxGroup = 256

// job is one write and where its outcome goes.
type job struct {
	write func(*bolt.Tx) error
	done  chan error
}

// submit hands a write to the writer and waits until it is on disk. A write
// that was handed over is always waited for, whatever ctx says: its outcome
// must be known.
func (s *Store) submit(ctx context.Context, write func(*bolt.Tx) error) error {
	j := &job{write: write, done: make(chan error, 1)}
	select {
	case s.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.stop:
		return errClosed
	}
	select {
	case err := <-j.done:
		return err
	case <-s.done:
		// The writer may have taken it as its last.
		select {
		case err := <-j.done:
			return err
		default:
			return errClosed
		}
	}
}

// write is the only goroutine that writes to the file. It takes all that
// waits into one transaction, so that one sync serves all: no timer stands
// between a command and its answer, which is why this is not bbolt's Batch.
func (s *Store) write() {
	defer close(s.done)
	for {
		select {
		case first := <-s.jobs:
			group := []*job{first}
			for len(group) < maxGroup {
				select {
				case next := <-s.jobs:
					group = append(group, next)
					continue
				default:
				}
				break
			}
			s.commit(group)
		case <-s.stop:
			return
		}
	}
}

// commit writes a group. A job that fails would leave half of itself in the
// transaction, so then everybody goes alone.
func (s *Store) commit(group []*job) {
	err := s.db.Update(func(tx *bolt.Tx) error {
		for _, j := range group {
			if err := j.write(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && len(group) > 1 {
		for _, j := range group {
			j.done <- s.db.Update(j.write)
		}
		return
	}
	for _, j := range group {
		j.done <- err
	}
}
