// Package web holds the browser client's build.
package web

import (
	"embed"
	"io/fs"
)

// The placeholder in dist lets a checkout compile in which the client has not
// been built; all: takes it in, since its name begins with a dot.
//
//go:embed all:dist
var dist embed.FS

// Files returns the built client, rooted at its index.html. Without a build it
// holds a placeholder only, and opening index.html answers fs.ErrNotExist. Any
// goroutine may call it.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		// Only an invalid path can fail, and this one is a constant.
		panic(err)
	}
	return files
}
