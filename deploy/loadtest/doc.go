// Command loadtest plays many encounters at once on running instances and says
// how they bear it. It sends only to the addresses named with -url.
//
// Each encounter has a GM who sends commands at a steady rate, seats whose
// players send some of them, and spectators. Every second command is a probe: a
// change that each viewer can tell from the others, so that the time from its
// sending to its arrival can be measured on every socket. Sender and viewers
// are one process, so the times need no synchronised clocks.
//
// A socket that is closed comes back as a browser would, after the time it was
// told or a growing pause, and resumes; commands not answered yet are sent again
// under their ids.
package main
