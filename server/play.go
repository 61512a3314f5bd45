package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"riposte/combat/scenario"
)

// play is the command "riposte play": it plays the fights of a scenario file
// and prints them, in memory or, with -url, on a live server that a browser
// can watch. It returns the exit code: 1 when a fight does not go as its file
// says, 2 when it could not be played.
func play(args []string, stdout, stderr io.Writer) int {
	flags := newFlags("play", "file.scn …")
	flags.SetOutput(stderr)
	url := flags.String("url", "", "`address` of a server to play on, such as http://localhost:8080;\nwithout it the fight is played in memory")
	pace := flags.Duration("pace", 0, "`time` to wait after each thing that happens, such as 800ms")
	seed := flags.Uint64("seed", 1, "`number` that makes the dice of a fight in memory")
	switch err := parse(flags, args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	case err != nil:
		fmt.Fprintln(stderr, err)
		return 2
	case flags.NArg() == 0:
		flags.Usage()
		return 2
	}
	code := 0
	for _, name := range flags.Args() {
		scenarios, err := readScenarios(name)
		if err != nil {
			fmt.Fprintln(stderr, err)
			return 2
		}
		for _, s := range scenarios {
			open := scenario.InMemory(newEngine(), *seed)
			if *url != "" {
				open = remoteTables(*url, stdout)
			}
			if err := show(s, open, *pace, stdout); err != nil {
				fmt.Fprintln(stderr, err)
				code = 1
			}
		}
	}
	return code
}

// readScenarios reads a file, no more of it than a scenario file may hold.
func readScenarios(name string) ([]*scenario.Scenario, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, scenario.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return scenario.Parse(name, text)
}

// show plays one fight and prints it.
func show(s *scenario.Scenario, open scenario.Opener, pace time.Duration, stdout io.Writer) error {
	title := s.Title
	if title == "" {
		title = s.ID
	}
	if _, err := fmt.Fprintf(stdout, "%s (%s)\n", title, s.Rules); err != nil {
		return err
	}
	printer := scenario.NewPrinter(stdout, s)
	err := scenario.Play(s, open, func(m scenario.Moment) error {
		err := printer.Watch(m)
		time.Sleep(pace)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout)
	return err
}
