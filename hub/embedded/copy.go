package embedded

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// A journal may be put in the place of a newer one: a backup. Then browsers have
// seen what is not in it, and every history in it needs a new epoch. To tell, each
// start leaves its name in the journal and, with the number that the file system
// has for the journal, in a file beside it: what does not agree is a copy. A crash
// in between is taken for one as well, which costs every viewer a whole view. A
// disk that was set back whole cannot be told, unless that file is removed.
const besideSuffix = ".start"

// copied is the start that a backup names.
const copied = "copy"

// beside reads what the last start left beside the journal; nothing if there was
// none.
func beside(path string) (string, error) {
	left, err := os.ReadFile(path + besideSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return string(left), err
}

// begun is what a start leaves beside its journal.
func begun(start, path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d", start, fileNumber(info)), nil
}

// leaveBeside names the start beside its journal, whole or not at all.
func leaveBeside(path, start string) error {
	text, err := begun(start, path)
	if err != nil {
		return err
	}
	aside := path + besideSuffix + ".new"
	if err := os.WriteFile(aside, []byte(text), 0o600); err != nil {
		return err
	}
	if err := os.Rename(aside, path+besideSuffix); err != nil {
		return err
	}
	return SyncDirectory(filepath.Dir(path))
}

// lives notes this start and, if the journal is a copy, that it has one more
// life. It returns the start's name.
func (s *Store) lives(tx *bolt.Tx, path, left string) (start string, err error) {
	meta := tx.Bucket(metaBucket)
	if life := meta.Get(lifeKey); life != nil {
		s.life = binary.BigEndian.Uint64(life)
	}
	last := meta.Get(startKey)
	text, err := begun(string(last), path)
	if err != nil {
		return "", err
	}
	if text != left && (last != nil || left != "") {
		s.life++
		if err := meta.Put(lifeKey, key(s.life)); err != nil {
			return "", err
		}
	}
	start = rand.Text()[:16]
	return start, meta.Put(startKey, []byte(start))
}

// MarkCopy makes a copy of a journal that nobody has open known as one, wherever
// it is put.
func MarkCopy(path string) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: openTimeout})
	if err != nil {
		return err
	}
	return errors.Join(db.Update(func(tx *bolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		if meta == nil {
			return errors.New("not a journal")
		}
		return meta.Put(startKey, []byte(copied))
	}), db.Close())
}
