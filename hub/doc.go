// Package hub serves encounters: it knows who is connected, owns the live
// state of every open encounter, keeps its log and tells every viewer what
// changed. What is true of a fight is decided by package combat alone.
//
// # Guarantees
//
// An acknowledged command is durable: the journal had it before the Ack was
// sent, and before anybody saw its effect. A command applies at most once,
// whatever is repeated, and its first outcome is what a repetition is told;
// the journal remembers accepted commands for ever. Refusals are
// remembered for a while, in memory.
//
// Every audience (gm, player, spectator, one for each seat) has a counter of
// its own that grows by exactly one per Update and never goes back, also after
// a restart. A commit that shows an audience nothing new sends it nothing and
// does not move its counter.
//
// A slow viewer delays nobody: what waits for it is bounded, updates over the
// bound give way to one whole view, and one that cannot be written to is
// dropped, with a reason that the metrics count.
//
// A token is known by its hash alone. When a link is replaced or a seat is
// removed, the tokens behind them are void from that commit on, and viewers
// who came with them are sent away. A link in the place of another is derived
// from the command and a secret of the store: the same command sent again is
// answered with it, even with the token that it made void.
//
// A short code stands for a link for a day. What it opens is sealed with what is
// derived from the code, slowly, so that the store holds no token that is of use
// without it.
//
// Spectators may be delayed. Then all they are sent or can ask for is as it was
// so long ago: views, counters, log lines, who is at the table, the time itself.
// What waits is worked out from the moments of the commits, so that a restart
// changes nothing; when the delay changes, nothing is told early, twice or out of
// order.
//
// A GM may see as another audience: its very messages, read-only, and without
// being counted among those who are here.
//
// A panic in the rules refuses the command that caused it. A log that cannot
// be read back closes that encounter until the next start, and no other.
//
// An encounter that nobody watches or asks for is put away after a short time
// and comes back from the journal with the next who wants it. Its deadlines
// rest meanwhile: one that has passed is carried out before anything else is
// answered.
//
// # Several instances
//
// With a store that instances share, one of them owns an encounter: it holds
// the lease and decides. For all others it is an edge (type edge): the same
// actor, without the state. It subscribes to the audiences that somebody is
// connected to there, keeps the view of each, passes updates on byte for byte,
// and commands to the owner under their ids until they are answered. Whose a
// token is, it asks the owner each time; a commit that makes tokens void tells
// the edges on every audience's channel, before anything later. Where it may
// have missed something, by a hole, a beacon that is ahead, or the bus's own
// word, it asks for what is missing, and who of those it shows it to may not see
// it any more. Holes show the loss of updates and beacons that of the last ones;
// only the bus's own word shows that of a notice about tokens.
//
// An owner that goes down, or that nobody hears any more and whose lease is
// over, is followed by the first edge with somebody connected: those stay
// connected. Deadlines are moments of the clock on the wall and are carried out
// under an id made of them, so they run out once. An owner that was cut off or
// stopped says nothing more once its lease may have ended, and its sockets are
// told to come back.
//
// A Redis that was replaced or started anew may lack what was acknowledged
// last, and so may a journal file that a backup was put in the place of: then the
// history has a new epoch, and everybody gets a whole view. A log knows up to
// where the histories before it are in it still, so who comes back having seen
// more is told that something is gone (Welcome.Cut), and nobody else is. An owner
// whose log was put back under it hears of it when its lease is extended, though
// nobody does anything: that asks for its last commit, too. A journal file cannot
// be put back while a process has it.
//
// # Bounds
//
// Whatever a stranger can make grow has a bound, in Limits or beside the code:
// encounters in memory, an encounter's commits and bytes (the last tenth is for
// the GM and for time), its seats and viewers, sockets of one person, of one
// address and of those who have not said who they are, messages per second,
// commands per audience, requests per token, encounters, imports and unknown
// tokens and codes per address, codes of an encounter, logs told anew, the size
// of messages and the shape of imports, what waits for a viewer or for the time
// of delayed spectators, what all encounters keep of updates, what a mailbox holds, and what is remembered of
// outcomes, updates, log lines and broken encounters. Room on the disk is the
// caller's to watch.
//
// A store that has failed to write ends all encounters, and the process should
// end too: only reading the journal anew tells what it has.
//
// # Goroutines
//
// Each open encounter has one goroutine, its actor. It alone touches the
// encounter's state, views, counters and list of viewers; everything else
// reaches it through bounded mailboxes. It never waits for a viewer. It waits
// for the journal, and what arrives meanwhile shares the next entry. It does not
// wait for the bus: an edge has one goroutine more that forwards commands, and
// short ones for its questions to the owner.
// combat.State values are immutable, so the actor may hand one out.
//
// Each socket has two goroutines: its HTTP handler reads, a second one writes
// and is the only one to do so. Between the actor and the writer stands the
// outbox, whose lock is held for moments only. An event stream has one.
//
// The hub's own lock guards the list of open encounters and is never held
// while waiting for anything.
package hub
