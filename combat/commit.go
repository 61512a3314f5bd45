package combat

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Commit is the events of one command: stored whole or not at all. The hash
// chains it to the commit before.
type Commit struct {
	Seq     uint64  `json:"seq"`
	Fence   uint64  `json:"fence"`
	ID      string  `json:"id"`             // of the command
	Type    string  `json:"type"`           // of the command
	Role    string  `json:"role"`           // who sent it
	Seat    ID      `json:"seat,omitempty"` // which player
	At      int64   `json:"at"`             // Unix milliseconds
	Events  []Event `json:"-"`
	Hash    string  `json:"hash"`
	encoded []byte
}

// ErrChain says that a log is not one history: a commit is missing, doubled or
// changed.
var ErrChain = errors.New("combat: broken hash chain")

// commitHead is the stored form without the events, which are stored as they
// were hashed.
type commitHead struct {
	Seq   uint64 `json:"seq"`
	Fence uint64 `json:"fence"`
	ID    string `json:"id"`
	Type  string `json:"type"`
	Role  string `json:"role"`
	Seat  ID     `json:"seat,omitempty"`
	At    int64  `json:"at"`
	Hash  string `json:"hash"`
}

// Seal fills in the hash over everything else and the hash before it.
func (c *Commit) Seal(before string) error {
	hash, err := c.sum(before)
	c.Hash = hash
	return err
}

// Follows checks that the commit comes right after the one with that sequence
// number and hash.
func (c *Commit) Follows(seq uint64, hash string) error {
	if c.Seq != seq+1 {
		return fmt.Errorf("%w: commit %d after %d", ErrChain, c.Seq, seq)
	}
	sum, err := c.sum(hash)
	if err != nil {
		return err
	}
	if sum != c.Hash {
		return fmt.Errorf("%w: commit %d was changed", ErrChain, c.Seq)
	}
	return nil
}

func (c *Commit) sum(before string) (string, error) {
	h := sha256.New()
	var head [256]byte
	b := append(head[:0], before...)
	b = append(b, '\n')
	b = strconv.AppendUint(b, c.Seq, 10)
	b = append(b, ' ')
	b = strconv.AppendUint(b, c.Fence, 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, c.At, 10)
	for _, s := range []string{c.ID, c.Type, c.Role, string(c.Seat)} {
		b = append(b, ' ')
		b = strconv.AppendQuote(b, s)
	}
	b = append(b, '\n')
	h.Write(b)
	raw, err := c.rawEvents()
	if err != nil {
		return "", err
	}
	h.Write(raw)
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// rawEvents is the JSON array of the events, made once.
func (c *Commit) rawEvents() ([]byte, error) {
	if c.encoded == nil {
		out := []byte{'['}
		for i, event := range c.Events {
			one, err := EncodeEvent(event)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, one...)
		}
		c.encoded = append(out, ']')
	}
	return c.encoded, nil
}

// MarshalJSON writes the stored form, events included.
func (c *Commit) MarshalJSON() ([]byte, error) {
	raw, err := c.rawEvents()
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(commitHead{c.Seq, c.Fence, c.ID, c.Type, c.Role, c.Seat, c.At, c.Hash})
	if err != nil {
		return nil, err
	}
	out := append(head[:len(head)-1], `,"events":`...)
	out = append(out, raw...)
	return append(out, '}'), nil
}

// UnmarshalJSON reads the stored form.
func (c *Commit) UnmarshalJSON(data []byte) error {
	var head struct {
		commitHead
		Events json.RawMessage `json:"events"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	*c = Commit{Seq: head.Seq, Fence: head.Fence, ID: head.ID, Type: head.Type, Role: head.Role,
		Seat: head.Seat, At: head.At, Hash: head.Hash, encoded: head.Events}
	var raw []json.RawMessage
	if err := json.Unmarshal(head.Events, &raw); err != nil {
		return err
	}
	c.Events = make([]Event, 0, len(raw))
	for _, one := range raw {
		event, err := DecodeEvent(one)
		if err != nil {
			return err
		}
		c.Events = append(c.Events, event)
	}
	return nil
}

// ApplyCommit returns the state after a commit, with its place in history: the
// state before it is where an undo returns to. It cannot fail; s may be nil
// for the first commit.
func ApplyCommit(s *State, c *Commit) *State {
	m := mutate(s)
	for _, event := range c.Events {
		m.apply(event)
	}
	return m.commit(c.Type, c.At)
}
