package embedded

import (
	"context"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"riposte/hub"
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
	if err := s.broken(); err != nil {
		answer(group, err)
		return
	}
	own, err := s.update(group)
	switch {
	case err != nil:
		s.fail(err)
		answer(group, s.broken())
	case own != nil && len(group) > 1:
		for _, j := range group {
			s.commit([]*job{j})
		}
	default:
		answer(group, own)
	}
}

func answer(group []*job, err error) {
	for _, j := range group {
		j.done <- err
	}
}

// update runs jobs in one transaction. own is the error of a job, with which
// nothing is written; err is one of the file.
func (s *Store) update(group []*job) (own, err error) {
	tx, err := s.db.Begin(true)
	if err != nil {
		return nil, err
	}
	for _, j := range group {
		if own := j.write(tx); own != nil {
			return own, tx.Rollback()
		}
	}
	return nil, tx.Commit()
}

// fail ends all use of the file. After a write or a sync that failed nobody
// knows what is on the disk, and a second try may succeed without it: only
// reading it anew, at the next start, tells.
func (s *Store) fail(err error) {
	s.failure = fmt.Errorf("%w: %w", hub.ErrBroken, err)
	close(s.failed)
}

// Broken is closed when the store has failed for good. The process should end.
func (s *Store) Broken() <-chan struct{} { return s.failed }

// broken returns why the store answers nothing more, or nil.
func (s *Store) broken() error {
	select {
	case <-s.failed:
		return s.failure
	default:
		return nil
	}
}

// view reads from the file.
func (s *Store) view(read func(*bolt.Tx) error) error {
	if err := s.broken(); err != nil {
		return err
	}
	return s.db.View(read)
}
