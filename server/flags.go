package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

// newFlags makes the flag set of a command. Each flag can be given in the
// environment too: -public-url as RIPOSTE_PUBLIC_URL.
func newFlags(command, arguments string) *flag.FlagSet {
	flags := flag.NewFlagSet("riposte "+command, flag.ContinueOnError)
	flags.Usage = func() {
		out := flags.Output()
		fmt.Fprintf(out, "Usage: riposte %s [flags] %s\n\nEvery flag can be set in the environment as well; a flag wins.\n\n", command, arguments)
		flags.VisitAll(func(f *flag.Flag) {
			kind, usage := flag.UnquoteUsage(f)
			fmt.Fprintf(out, "  -%s %s\n    \t%s\n    \t", f.Name, kind, strings.ReplaceAll(usage, "\n", "\n    \t"))
			if f.DefValue != "" {
				fmt.Fprintf(out, "default %s; ", f.DefValue)
			}
			fmt.Fprintf(out, "environment %s\n", variable(f.Name))
		})
	}
	return flags
}

// variable is the environment variable of a flag.
func variable(flag string) string {
	return "RIPOSTE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// parse reads the environment and then the arguments.
func parse(flags *flag.FlagSet, args []string) error {
	var wrong error
	flags.VisitAll(func(f *flag.Flag) {
		if value, set := os.LookupEnv(variable(f.Name)); set && wrong == nil {
			if err := f.Value.Set(value); err != nil {
				wrong = fmt.Errorf("%s: invalid value %q: %w", variable(f.Name), value, err)
			}
		}
	})
	if wrong != nil {
		return wrong
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage // Parse has said what is wrong
	}
	return nil
}
