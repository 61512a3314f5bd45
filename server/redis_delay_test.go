package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"riposte/combat"
	"riposte/hub/hubtest"
)

// said finds the lines of the test's own in a log.
var said = regexp.MustCompile(`"line (\d\d)"`)

// linesOf are the test's own lines that a socket was told, in order, those of a
// whole view only as far as they are new. A line that was told before its delay
// was over, again, or out of order fails the test.
func linesOf(t *testing.T, who string, delay time.Duration, all ...*hubtest.Client) []string {
	t.Helper()
	var heard []string
	for _, c := range all {
		for _, line := range c.Lines() {
			found := said.FindStringSubmatch(line.Text)
			if found == nil {
				continue
			}
			if ago := line.Came.Sub(line.At); ago < delay {
				t.Errorf("%s is told after %v: %s", who, ago, line.Text)
			}
			switch last := len(heard) - 1; {
			case last < 0 || found[1] > heard[last]:
				heard = append(heard, found[1])
			case !line.Whole || !slices.Contains(heard, found[1]):
				t.Errorf("%s is told %s after %v", who, found[1], heard)
			}
		}
	}
	return heard
}

// Whichever way their encounter's owner is lost while they are yet to be told
// things, spectators are told each, in order, once, and not before its time:
// those at the instance that takes over, those at another one, and those who come
// back from the old owner.
func TestRedisDelayedAcrossTakeOver(t *testing.T) {
	const delay = 2 * time.Second
	for name, lose := range map[string]func(*process){
		"drained": (*process).terminate,
		"killed":  (*process).kill,
		"stopped": func(p *process) { _ = p.cmd.Process.Signal(syscall.SIGSTOP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := hubtest.StartRedis(t)
			one, two, three := startOn(t, redis), startOn(t, redis), startOn(t, redis)
			b := hubtest.Create(t, one.url, map[string]string{"spectatorDelay": fmt.Sprint(int(delay / time.Second))})
			token := b.Tokens[combat.RoleSpectator]
			old := b.Join(token)
			gm := b.On(two.url).Join(b.Tokens[combat.RoleGM])
			watching := map[string]*hubtest.Client{"at two": b.On(two.url).Join(token), "at three": b.On(three.url).Join(token)}
			line := 0
			say := func(lines int) {
				for range lines {
					line++
					gm.Must(combat.Say{Text: fmt.Sprintf("line %02d", line)})
				}
			}
			say(1)
			hubtest.Eventually(t, "the first is told", func() bool { return len(linesOf(t, "the old owner's", delay, old)) == 1 })
			say(10)
			lose(one)
			say(10)
			home := b.On(three.url)
			if name == "stopped" {
				if err := one.cmd.Process.Signal(syscall.SIGCONT); err != nil {
					t.Fatal(err)
				}
				home = b
			}
			old.WaitEnd()
			servedAgain(t, home)
			back := home.Resume(token, old)
			for who, c := range map[string]*hubtest.Client{"at two": watching["at two"], "at three": watching["at three"], "back": back} {
				all := []*hubtest.Client{c}
				if c == back {
					all = []*hubtest.Client{old, back}
				}
				hubtest.Eventually(t, "all is told "+who, func() bool { return strings.Contains(strings.Join(c.Log(), ""), fmt.Sprintf("line %02d", line)) })
				if heard := linesOf(t, who, delay, all...); len(heard) != line {
					t.Errorf("%s is told %v", who, heard)
				}
				if c.Seq() != watching["at two"].Seq() || fmt.Sprint(c.View()) != fmt.Sprint(watching["at two"].View()) {
					t.Errorf("%s is at %d with another view than at two, at %d", who, c.Seq(), watching["at two"].Seq())
				}
			}
		})
	}
}
