package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run plays a plan and reports. The exit code is 1 when the load could not be
// put on or a socket saw what must not be, 2 for wrong arguments.
func run(args []string, stdout, stderr io.Writer) int {
	p, err := readPlan(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	progress := stderr
	if p.quiet {
		progress = io.Discard
	}
	r, err := play(ctx, p, progress)
	if err != nil {
		fmt.Fprintln(stderr, "loadtest:", err)
		return 1
	}
	if p.json == "-" {
		err = writeJSON(stdout, r)
	} else {
		r.print(stdout)
		if p.json != "" {
			err = saveJSON(p.json, r)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "loadtest:", err)
		return 1
	}
	if r.Connections.Holes > 0 || r.Connections.Backwards > 0 {
		fmt.Fprintln(stderr, "loadtest: a socket missed an update or went back: this must never be")
		return 1
	}
	return 0
}

func writeJSON(w io.Writer, r *report) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

func saveJSON(name string, r *report) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(writeJSON(file, r), file.Close())
}
