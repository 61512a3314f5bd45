package redis

import (
	"fmt"
	"strings"
	"testing"
)

// B75: a subscriber that is held up for long loses what waited for it, is told
// so, and hears all that follows.
func TestB75SlowSubscriber(t *testing.T) {
	heard := make(chan string, 2*queueMessages)
	entered, letGo := make(chan struct{}), make(chan struct{})
	given := 0
	l := newListener(func(payload string) {
		if payload == "first" {
			close(entered)
			<-letGo
		}
		heard <- payload
	}, func() { heard <- "missed" }, func() { given++ })
	defer l.close()
	l.put("first")
	<-entered
	for i := range queueMessages + 500 {
		l.put(fmt.Sprint(i))
	}
	close(letGo)
	if got := <-heard; got != "first" {
		t.Fatalf("heard %q", got)
	}
	if got := <-heard; got != "missed" {
		t.Fatalf("heard %q", got)
	}
	for i := range 500 {
		if got, want := <-heard, fmt.Sprint(queueMessages+i); got != want {
			t.Fatalf("heard %q, want %q", got, want)
		}
	}
	if given != 1 {
		t.Fatalf("the queue gave way %d times", given)
	}
}

// What waits is bounded in bytes as well, but one message always fits.
func TestListenerBytes(t *testing.T) {
	heard := make(chan string, 16)
	entered, letGo := make(chan struct{}), make(chan struct{})
	l := newListener(func(payload string) {
		if payload == "first" {
			close(entered)
			<-letGo
		}
		heard <- payload[:min(5, len(payload))]
	}, func() { heard <- "missed" }, func() {})
	defer l.close()
	l.put("first")
	<-entered
	l.put(strings.Repeat("a", queueBytes+1))
	l.put("b")
	close(letGo)
	for _, want := range []string{"first", "missed", "b"} {
		if got := <-heard; got != want {
			t.Fatalf("heard %q, want %q", got, want)
		}
	}
}

// After close nothing is handed over.
func TestListenerClose(t *testing.T) {
	entered := make(chan struct{})
	count := 0
	l := newListener(func(string) {
		count++
		if count == 1 {
			close(entered)
		}
	}, func() {}, func() {})
	l.put("a")
	<-entered
	l.close()
	before := count
	l.put("b")
	l.miss()
	if count != before {
		t.Fatal("heard something after the close")
	}
}
