//go:build linux || darwin

package main

import (
	"fmt"
	"syscall"
)

// roomOn fails when the disk that a directory is on has less than so many bytes
// left for us.
func roomOn(directory string, least uint64) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(directory, &disk); err != nil {
		return fmt.Errorf("free disk: %w", err)
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < least {
		return fmt.Errorf("%d bytes are free on the disk, less than %d", free, least)
	}
	return nil
}
