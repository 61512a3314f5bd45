//go:build unix

package embedded

import (
	"io/fs"
	"syscall"
)

// fileNumber is the file system's number of a file: a copy has another.
func fileNumber(info fs.FileInfo) uint64 {
	if stat, is := info.Sys().(*syscall.Stat_t); is {
		return uint64(stat.Ino)
	}
	return 0
}
