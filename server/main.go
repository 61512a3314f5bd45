// Command riposte runs the combats of tabletop role-playing groups live.
//
//	riposte [serve] [flags]     serve browsers and programs (the default)
//	riposte backup [flags] FILE copy the journal, of a running instance or not
//	riposte play [flags] FILE   play a scenario on a running instance
//
// Every command explains its flags with -h.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

// commands are what the first argument may name. Each takes the arguments
// behind its name and returns the exit code.
var commands = map[string]func(args []string) int{
	"serve":  func(args []string) int { return report("serve", serve(args)) },
	"backup": func(args []string) int { return report("backup", backup(args)) },
	"play":   func(args []string) int { return play(args, os.Stdout, os.Stderr) },
}

func main() {
	args := os.Args[1:]
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	run, known := commands[name]
	if !known {
		fmt.Fprintf(os.Stderr, "riposte: no command %q; there are serve, backup and play\n", name)
		os.Exit(2)
	}
	os.Exit(run(args))
}

// report says what went wrong and returns the exit code for it.
func report(command string, err error) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	}
	fmt.Fprintf(os.Stderr, "riposte %s: %v\n", command, err)
	return 1
}

// errUsage says that the arguments were wrong and that this has been said.
var errUsage = errors.New("usage")
