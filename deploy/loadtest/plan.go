package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
)

// plan is what a run is told to do.
type plan struct {
	URLs       []string      `json:"urls"`
	Rules      string        `json:"rules"`
	Encounters int           `json:"encounters"`
	GMs        int           `json:"gms"`        // sockets of each encounter, by role
	Players    int           `json:"players"`    // each with a seat and a character
	Spectators int           `json:"spectators"` //
	Monsters   int           `json:"monsters"`   // combatants besides the characters
	Rate       float64       `json:"rate"`       // commands a second and encounter
	Ramp       time.Duration `json:"ramp"`       // over which encounters are opened
	Duration   time.Duration `json:"duration"`   // of measuring; 0: until Commands
	Commands   int           `json:"commands"`   // of each encounter; 0: no end
	json       string
	quiet      bool
}

// readPlan reads the arguments. It has said what is wrong when it returns an
// error.
func readPlan(args []string, messages io.Writer) (plan, error) {
	var p plan
	var urls string
	flags := flag.NewFlagSet("loadtest", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.StringVar(&urls, "url", "http://localhost:8080", "`addresses` of the instances, separated by commas; the sockets are\nspread over them in turn")
	flags.StringVar(&p.Rules, "rules", "dnd5e", "rule `system`: dnd5e or starfinder")
	flags.IntVar(&p.Encounters, "encounters", 10, "encounters at a time")
	flags.IntVar(&p.GMs, "gms", 1, "GM sockets of each encounter, at least 1: it sends the commands")
	flags.IntVar(&p.Players, "players", 4, "players of each encounter")
	flags.IntVar(&p.Spectators, "spectators", 10, "spectators of each encounter")
	flags.IntVar(&p.Monsters, "monsters", 8, "combatants of each encounter besides the players', 1 to 50")
	flags.Float64Var(&p.Rate, "rate", 1, "commands a second of each encounter")
	flags.DurationVar(&p.Ramp, "ramp", 5*time.Second, "`time` over which the encounters are opened")
	flags.DurationVar(&p.Duration, "duration", 30*time.Second, "`time` to measure after the ramp; 0: until -commands")
	flags.IntVar(&p.Commands, "commands", 0, "commands of each encounter; 0: as many as fit into -duration")
	flags.StringVar(&p.json, "json", "", "`file` to write the report to as JSON; - is standard output")
	flags.BoolVar(&p.quiet, "quiet", false, "no progress")
	if err := flags.Parse(args); err != nil {
		return p, err
	}
	p.URLs = strings.Split(urls, ",")
	if err := p.check(flags.NArg()); err != nil {
		fmt.Fprintln(messages, "loadtest:", err)
		return p, err
	}
	return p, nil
}

func (p *plan) check(arguments int) error {
	if arguments > 0 {
		return errors.New("there are flags only")
	}
	for i, address := range p.URLs {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("-url: %q is no http or https URL", address)
		}
		p.URLs[i] = strings.TrimRight(address, "/")
	}
	for _, f := range []struct {
		name              string
		value, least, top int
	}{
		{"encounters", p.Encounters, 1, 100_000}, {"gms", p.GMs, 1, 64}, {"players", p.Players, 0, 64},
		{"spectators", p.Spectators, 0, 100_000}, {"monsters", p.Monsters, 1, 50}, {"commands", p.Commands, 0, 1 << 30},
	} {
		if f.value < f.least || f.value > f.top {
			return fmt.Errorf("-%s: %d is not between %d and %d", f.name, f.value, f.least, f.top)
		}
	}
	switch {
	case !(p.Rate > 0) || p.Rate > 1000:
		return errors.New("-rate: not above 0 and at most 1000")
	case p.Ramp < 0 || p.Duration < 0:
		return errors.New("-ramp, -duration: not below 0")
	case p.Duration == 0 && p.Commands == 0:
		return errors.New("-duration 0 needs -commands")
	case p.Rules != "dnd5e" && p.Rules != "starfinder":
		return errors.New("-rules: dnd5e or starfinder")
	}
	return nil
}
